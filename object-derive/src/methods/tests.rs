//! Tests of the attribute as a function on tokens.

use std::collections::BTreeSet;
use std::path::Path;

use quote::quote;

use super::{check, object_methods};

/// Rules of the stations before and after the tables, which have cases like all others.
const OTHERS: &[&str] = &["impl_block", "method_words", "argument_type", "result_type", "one_block"];

#[test]
fn every_rule_has_a_failing_case() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui-tests/tests/ui/methods");
    let Ok(files) = std::fs::read_dir(&root) else {
        eprintln!("{} is not here; nothing to compare with", root.display());
        return;
    };
    let files: BTreeSet<String> = files.flatten().filter_map(|file| file.file_name().into_string().ok()).collect();
    let expected: BTreeSet<String> = check::rules()
        .chain(OTHERS.iter().copied())
        .flat_map(|rule| [format!("{rule}.rs"), format!("{rule}.stderr")])
        .collect();
    let missing: Vec<_> = expected.difference(&files).collect();
    assert!(missing.is_empty(), "rules without a case in ui-tests: {missing:?}");
}

#[test]
fn the_block_stays_whatever_is_wrong_with_it() {
    let blocks = [
        quote!(impl X { pub fn a(&self) -> i64 { 1 } }),
        quote!(impl X { #[method(skp)] pub fn a(&mut self, x: &[i64]) {} }),
        quote!(
            impl<T> Tr for X<T> {
                async fn a() {}
            }
        ),
        quote!(impl [XNode] { #[method] const A: i64 = 1; }),
        quote!(
            fn a() {}
        ),
        quote!(
            struct X;
        ),
    ];
    for block in blocks {
        let output = object_methods(quote!(crate = facade::core), &block).to_string();
        assert!(syn::parse_str::<syn::File>(&output).is_ok(), "{output}");
        assert!(!output.contains("object_core"), "the core crate is named only as the user says: {output}");
        let name = if block.to_string().contains("fn a") { "fn a" } else { "X" };
        assert!(output.contains(name), "{output}");
    }
}

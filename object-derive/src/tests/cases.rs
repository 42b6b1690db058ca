//! The cases of `ui-tests` as data: the macros run on each annotated item of a case, and their errors are compared with
//! the file beside the case, which is in the form of the compiler. `ui-tests` compiles the same cases.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Item, Meta};

use super::{expected_file, snippet};
use crate::report::{Errors, RuleName};
use crate::{attribute_items, build_model, check, contents, evolution, expand, lists, methods, pairs, value_words};

/// The folder of `ui-tests`; nothing where this crate stands alone.
fn root() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui-tests/tests");
    if !root.exists() {
        eprintln!("{} is not here; nothing to compare with", root.display());
        return None;
    }
    Some(root)
}

/// The cases below `root/folder`, in order.
fn cases(root: &Path, folder: &str) -> Vec<PathBuf> {
    let entries = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
        paths.sort();
        paths
    };
    let files =
        entries(&root.join(folder)).into_iter().filter(|class| class.is_dir()).flat_map(|class| entries(&class));
    files.filter(|file| file.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The errors of the macros on the items of a file, and its text.
fn errors(case: &Path) -> (Vec<syn::Error>, String) {
    let source = fs::read_to_string(case).unwrap_or_else(|error| panic!("{}: {error}", case.display()));
    let file = syn::parse_file(&source).unwrap_or_else(|error| panic!("{}: {error}", case.display()));
    (file.items.into_iter().flat_map(errors_of_item).collect(), source)
}

fn errors_of_item(mut item: Item) -> Vec<syn::Error> {
    let mut errors = Errors::default();
    if let Item::Macro(item) = &item {
        let expansion = match item.mac.path.segments.last().map(|last| last.ident.to_string()).as_deref() {
            Some("variants_of") => lists::variants_of,
            Some("visitor") => lists::visitor,
            _ => return Vec::new(),
        };
        expansion(&syn::parse_quote!(::object_core), item.mac.tokens.clone(), &mut errors);
        return errors.into_vec();
    }
    let Some(attrs) = attrs_mut(&mut item) else { return Vec::new() };
    if let Some(at) = attrs.iter().position(is_derive_of_object) {
        // The compiler leaves the derive attributes after the one that expands.
        attrs.remove(at);
        let input = syn::parse2(item.to_token_stream()).expect("a struct, an enum or a union");
        crate::expansion(&input, &mut errors);
    } else if let Some(at) = attrs.iter().position(|attr| attr.path().is_ident("object_methods")) {
        let args = match attrs.remove(at).meta {
            Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        };
        methods::expansion(args, &item.to_token_stream(), &mut errors);
    }
    errors.into_vec()
}

fn attrs_mut(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    Some(match item {
        Item::Enum(item) => &mut item.attrs,
        Item::Fn(item) => &mut item.attrs,
        Item::Impl(item) => &mut item.attrs,
        Item::Struct(item) => &mut item.attrs,
        Item::Trait(item) => &mut item.attrs,
        Item::Union(item) => &mut item.attrs,
        _ => return None,
    })
}

fn is_derive_of_object(attr: &Attribute) -> bool {
    attr.path().is_ident("derive") && attr.meta.to_token_stream().to_string().contains("Object")
}

#[test]
fn each_case_has_its_messages_on_its_tokens() {
    let Some(root) = root() else { return };
    let mut differences = Vec::new();
    for case in cases(&root, "macro") {
        let (errors, source) = errors(&case);
        assert!(
            !errors.is_empty(),
            "{}: the macro finds nothing; a rule about types has its case in `ui`",
            case.display()
        );
        let path = Path::new("tests").join(case.strip_prefix(&root).expect("a case is below the root"));
        let texts: Vec<String> =
            errors.iter().map(|error| snippet::show(error, &path.to_string_lossy(), &source)).collect();
        differences.extend(expected_file::check(&case.with_extension("stderr"), &texts.join("\n")).err());
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// A case that the macro refuses is tested here in milliseconds, and needs no compiler of its own.
#[test]
fn the_macro_accepts_the_cases_that_need_types() {
    let Some(root) = root() else { return };
    for case in cases(&root, "ui") {
        let (errors, _) = errors(&case);
        assert!(errors.is_empty(), "{}: the macro reports `{}`; move the case to `macro`", case.display(), errors[0]);
    }
}

#[test]
fn each_rule_has_a_failing_case() {
    let Some(root) = root() else { return };
    let files = ["macro", "ui"].into_iter().flat_map(|folder| cases(&root, folder));
    let names: Vec<String> = files.filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned())).collect();
    let reading = [
        build_model::rule::ALL,
        contents::rule::ALL,
        pairs::rule::ALL,
        attribute_items::rule::ALL,
        evolution::rule::ALL,
        value_words::rule::ALL,
    ];
    let rules = reading.into_iter().flatten().copied().chain(check::rule_names());
    let rules = rules.chain(lists::rule_names()).chain(methods::rule_names()).chain(expand::rule_names());
    let missing: Vec<&str> = rules.map(RuleName::text).filter(|rule| !names.iter().any(|name| name == rule)).collect();
    assert!(missing.is_empty(), "rules without a case in ui-tests: {missing:?}");
}

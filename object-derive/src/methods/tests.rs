//! Tests of the attribute as a function on tokens.

use quote::quote;

use super::object_methods;
use crate::report::ERROR_INDEX;

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
        let without_links = output.replace(ERROR_INDEX, "");
        assert!(!without_links.contains("object_core"), "the core crate is named only as the user says: {output}");
        let name = if block.to_string().contains("fn a") { "fn a" } else { "X" };
        assert!(output.contains(name), "{output}");
    }
}

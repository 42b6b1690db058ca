//! The derive macro of `object_core`: from an annotated struct to its handle and its type table.

mod words;
mod report;
mod items;
mod input;
mod types;
mod docs;
mod model;
mod build;
mod check;
mod expand;
mod fallback;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput};

use crate::report::Errors;

#[doc = include_str!("../docs/reference.md")]
#[proc_macro_derive(Object, attributes(object, structural_eq, field))]
pub fn derive_object(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(input.into()).into()
}

/// The whole way of a type: input, model, check, and expansion or its fallback.
fn derive(tokens: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(tokens) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut errors = Errors::default();
    check::item(&input, &mut errors);
    let code = match &input.data {
        Data::Struct(data) => {
            let node = build::node(&input, &data.fields, &mut errors);
            check::node(&node, &mut errors);
            if errors.is_empty() {
                expand::node(&node)
            } else if input.generics.params.is_empty() {
                fallback::node(node)
            } else {
                TokenStream::new()
            }
        }
        Data::Enum(data) => {
            let (item, object) = build::enumeration(&input, data, &mut errors);
            check::enumeration(&input, data, &object, &mut errors);
            if errors.is_empty() {
                match build::sum(&item, data) {
                    Some(sum) => expand::sums::sum(&sum),
                    None => expand::enums::enumeration(&item),
                }
            } else if input.generics.params.is_empty() {
                fallback::enumeration(&item)
            } else {
                TokenStream::new()
            }
        }
        Data::Union(_) => TokenStream::new(),
    };
    let errors = errors.to_compile_errors();
    quote!(#errors #code)
}

#[cfg(test)]
mod goldens;
#[cfg(test)]
mod tests;

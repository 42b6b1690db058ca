//! [`Lints`]: the lint attributes of a type, for the code that the macro adds to it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Data, DeriveInput};

/// The lint attributes and `#[deprecated]` of a type and of its fields or variants.
///
/// Generated code names the type and all of its parts. So it allows the lints that the user allows or expects for them,
/// and no others: an `allow` of a lint that the user's crate forbids is an error.
#[derive(Default)]
pub(crate) struct Lints {
    /// For the handle, which the type stands for.
    handle: Vec<TokenStream>,
    /// For all other code.
    allowed: Vec<TokenStream>,
}

impl Lints {
    pub(crate) fn of(input: &DeriveInput) -> Self {
        let mut lints = Lints::default();
        lints.add(&input.attrs);
        for attr in &input.attrs {
            lints.handle.extend(match level(attr) {
                // An expectation that the type fulfils once is not fulfilled by the handle.
                Some("allow" | "expect") => allow(attr),
                // The handle of a deprecated type is deprecated, and its declaration names the type.
                Some("deprecated") => Some(quote!(#attr #[allow(deprecated)])),
                Some(_) => Some(attr.to_token_stream()),
                None => None,
            });
        }
        match &input.data {
            Data::Struct(data) => data.fields.iter().for_each(|field| lints.add(&field.attrs)),
            Data::Enum(data) => {
                for variant in &data.variants {
                    lints.add(&variant.attrs);
                    variant.fields.iter().for_each(|field| lints.add(&field.attrs));
                }
            }
            Data::Union(_) => {}
        }
        lints
    }

    fn add(&mut self, attrs: &[Attribute]) {
        for attr in attrs {
            self.allowed.extend(match level(attr) {
                Some("allow" | "expect") => allow(attr),
                Some("deprecated") => Some(quote!(#[allow(deprecated)])),
                _ => None,
            });
        }
    }

    /// The attributes of the handle.
    pub(crate) fn of_handle(&self) -> TokenStream {
        let Lints { handle, .. } = self;
        quote!(#(#handle)*)
    }

    /// The attributes of other generated items.
    pub(crate) fn allowed(&self) -> TokenStream {
        let Lints { allowed, .. } = self;
        quote!(#(#allowed)*)
    }
}

/// The name of an attribute that sets the level of lints, or of `deprecated`.
fn level(attr: &Attribute) -> Option<&'static str> {
    let names = ["allow", "expect", "warn", "deny", "forbid", "deprecated"];
    names.into_iter().find(|name| attr.path().is_ident(name))
}

/// `#[allow(...)]` with the lints and the reason of an `allow` or an `expect`.
fn allow(attr: &Attribute) -> Option<TokenStream> {
    let lints = &attr.meta.require_list().ok()?.tokens;
    Some(quote!(#[allow(#lints)]))
}

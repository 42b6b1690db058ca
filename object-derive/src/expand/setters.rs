//! `x.with_f(value)` for each field `f` that the constructor leaves out, and the trait with these methods for the types
//! that extend a base.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, Visibility};

use super::constructors::{Signature, converted, is_arg};
use super::paths::{scope, spanned_as_generated, support};
use crate::model::{Field, Node};
use crate::names::unraw;
use crate::types;

/// A field with a method that sets it.
struct Setter<'a> {
    field: &'a Field,
    method: Ident,
    /// One argument: the value. For an `Option`, it is the value inside.
    signature: Signature<'a>,
    value: TokenStream,
}

/// The fields that other modules see and that the constructor leaves out. The constructor of a base is the constructor of
/// its part in other types, which also leaves out optional fields.
fn setters(node: &Node) -> impl Iterator<Item = Setter<'_>> {
    let left_out = node.fields.iter().filter(|field| !is_arg(field, node.is_base()));
    let skipped = node.skipped.iter().filter(|field| !field.is_cache());
    let visible = left_out.chain(skipped).filter(|field| !matches!(field.vis, Visibility::Inherited));
    visible.filter(|_| !node.is_singleton()).map(|field| {
        let name = &field.ident;
        let inner = types::option_content(&field.ty);
        let ty = inner.unwrap_or(&field.ty);
        let is_skipped = field.args.values.skip.is_present();
        let value = if is_skipped { spanned_as_generated(name).to_token_stream() } else { converted(name, ty) };
        let value = if inner.is_some() { quote!(::core::option::Option::Some(#value)) } else { value };
        let signature = if is_skipped { Signature::exact(name, ty) } else { Signature::of_one(name, ty) };
        Setter {
            field,
            method: format_ident!("with_{}", unraw(name), span = spanned_as_generated(name).span()),
            signature,
            value,
        }
    })
}

/// Whether there is a method.
pub(crate) fn exist(node: &Node) -> bool {
    setters(node).next().is_some()
}

/// The methods of the handle.
pub(crate) fn methods(node: &Node, has_bodies: bool) -> Option<TokenStream> {
    let handle = &node.handle;
    let methods: TokenStream = setters(node)
        .map(|Setter { field, method, signature, value }| {
            let (name, vis, doc) = (spanned_as_generated(&field.ident), &field.vis, doc(field));
            let (params, args) = (signature.params(), signature.args());
            let body = if has_bodies {
                quote!(__object::MakeMut::with_changes(self, |node| node.#name = #value))
            } else {
                quote!(::core::panic!())
            };
            quote! {
                #[doc = #doc]
                #[must_use]
                #[inline]
                #vis fn #method #params(self, #args) -> Self { #body }
            }
        })
        .collect();
    let allow = unused_arguments(has_bodies);
    (!methods.is_empty()).then(|| {
        quote! {
            #[automatically_derived]
            #allow
            impl #handle { #methods }
        }
    })
}

/// Functions without bodies do not use their arguments.
fn unused_arguments(has_bodies: bool) -> Option<TokenStream> {
    (!has_bodies).then(|| quote!(#[allow(unused_variables)]))
}

fn doc(field: &Field) -> String {
    let name = unraw(&field.ident);
    format!("The object with this value of `{name}`: the same object, or a copy if other handles share it.")
}

/// The trait of `setters = Name`, beside the handle, and its impl for the handles of all types that extend this one.
pub(crate) fn extension(node: &Node, has_bodies: bool) -> Option<TokenStream> {
    let name = node.setters.as_ref().filter(|_| node.is_base() && !node.is_singleton())?;
    let Node { handle, vis, krate, .. } = node;
    let support = support(krate);
    let about = format!("Sets the fields of [`{handle}`] in handles of all types that extend it.");
    let (mut heads, mut bodies) = (TokenStream::new(), TokenStream::new());
    for Setter { field, method, signature, .. } in setters(node) {
        let (argument, doc) = (spanned_as_generated(&field.ident), doc(field));
        let (params, args) = (signature.params(), signature.args_in(&support));
        heads.extend(quote! {
            #[doc = #doc]
            #[must_use]
            fn #method #params(self, #args) -> Self;
        });
        let args = signature.args();
        let body = if has_bodies {
            quote!(__object::change_base(self, |base: #handle| #handle::#method(base, #argument)))
        } else {
            quote!(::core::panic!())
        };
        bodies.extend(quote! {
            #[inline]
            fn #method #params(self, #args) -> Self { #body }
        });
    }
    let allow = unused_arguments(has_bodies);
    let code = quote! {
        #[automatically_derived]
        #allow
        impl<__H: __object::MakeMut + __object::UpcastsTo<#handle>> #name for __H { #bodies }
    };
    let scope = scope(krate, &code);
    Some(quote! {
        #[doc = #about]
        #vis trait #name: ::core::marker::Sized { #heads }
        #scope
    })
}

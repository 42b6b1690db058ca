//! The table of instances of a singleton type, `X::get` and `X::all`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::constructors;
use super::defaults::{default_value, skipped_values};
use super::paths::{named_at, spanned_as_generated};
use crate::model::Node;

/// The entry in the type table.
pub(super) fn entry(node: &Node) -> Option<TokenStream> {
    let key = key_index(node)?;
    Some(quote!(__object::singleton(#key, &__OBJECT_INSTANCES)))
}

/// The index of the key among the fields. A singleton without `key` has the key of its parent.
pub(super) fn key_index(node: &Node) -> Option<TokenStream> {
    let ident = &node.ident;
    match key_field(node) {
        Some(key) => {
            let name = &node.field(key)?.name;
            Some(quote!(__object::field_index(<#ident as __object::Object>::FIELDS, #name)))
        }
        None => node.inherits_key().then(|| quote!(__object::inherited_key_index::<#ident>())),
    }
}

/// The static table of instances, the function that finds one, and the function that lists them.
///
/// ```text
/// static __OBJECT_INSTANCES: Instances<XNode> = Instances::open(|key| XNode { base: PNode::new_base(), key, .. });
/// static __OBJECT_INSTANCES: Instances<XNode> = Instances::closed(table);
/// ```
pub(super) fn table(node: &Node) -> Option<TokenStream> {
    let Node { ident, handle, .. } = node;
    let make = match (&node.structural_eq.values.table, key_field(node)) {
        (Some(table), Some(_)) => quote!(closed(#table)),
        (Some(table), None) if node.inherits_key() => quote!(closed(#table)),
        (None, Some(key)) => {
            let value = value(node, &node.field(key)?.ident);
            quote!(open(|__object_key| #value))
        }
        _ => return None,
    };
    let get = get(node);
    let all = all(node).map(|all| quote!(#all { __object::instances() }));
    Some(quote! {
        static __OBJECT_INSTANCES: __object::Instances<#ident> = __object::Instances::#make;
        #[automatically_derived]
        impl #handle {
            #get {
                __object::instance(key)
            }
            #all
        }
    })
}

/// The head of `X::get`.
pub(crate) fn get(node: &Node) -> TokenStream {
    let get = named_at("get", &node.ident);
    let closed = node.structural_eq.values.table.is_some();
    let (doc, errors) = if closed {
        ("The instance with the given key.", "If there is no such instance; the error names the nearest key.")
    } else {
        ("The instance with the given key, made on first use.", "None: every key has an instance.")
    };
    quote! {
        #[doc = #doc]
        ///
        /// # Errors
        #[doc = #errors]
        #[inline]
        pub fn #get(key: &::core::primitive::str) -> ::core::result::Result<Self, __object::Error>
    }
}

/// The head of `X::all`, which a type with a fixed set of keys has.
pub(crate) fn all(node: &Node) -> Option<TokenStream> {
    node.structural_eq.values.table.as_ref()?;
    let all = named_at("all", &node.ident);
    Some(quote! {
        /// All instances, of all linked crates and of the types that extend this one, sorted by key.
        ///
        /// # Errors
        /// If two declarations have one key.
        pub fn #all() -> ::core::result::Result<__object::Vec<Self>, __object::Error>
    })
}

/// The node for a key without an instance.
fn value(node: &Node, key: &Ident) -> TokenStream {
    let ident = &node.ident;
    let base = constructors::base(node, true);
    let fields = node.fields.iter().map(|field| {
        let name = &field.ident;
        let value = if name == key {
            let argument = format_ident!("__object_key");
            quote!(#argument)
        } else {
            default_value(field).unwrap_or_else(|| quote!(::core::default::Default::default()))
        };
        let name = spanned_as_generated(name);
        quote!(#name: #value)
    });
    let fields = fields.chain(skipped_values(node));
    quote!(#ident { #base #(#fields),* })
}

fn key_field(node: &Node) -> Option<&Ident> {
    if node.is_singleton() { node.structural_eq.values.key.as_ref() } else { None }
}

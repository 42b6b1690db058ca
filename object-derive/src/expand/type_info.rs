//! The type table and the field table.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};

use super::defaults::default_value;
use super::handle;
use super::paths::{generated_at, generated_for, parent_node, parent_type, spanned_as_generated};
use crate::contents::Contents;
use crate::model::{Field, HandleEq, Node};
use crate::syntax::Syntax;

/// `generated_node! { whole XNode X true { base: PNode } { field: T = ("field", FieldMeta { .. }) (); } TypeSpec { .. } }`
pub(super) fn table(node: &Node) -> TokenStream {
    let (ident, handle, is_final) = (&node.ident, &node.handle, !node.is_base());
    let base = base(node);
    let spec = spec(node);
    // The place of errors about the struct as a whole, which are mostly about the part of its parent.
    let span = node.parent.as_ref().map_or(generated_at(ident.span()), generated_for);
    if node.is_opaque() {
        let span = generated_for(&node.object.tokens_of("opaque"));
        let copy = quote_spanned!(span=> __object::copy_opaque::<#ident>());
        let fields = node.fields.iter().map(|Field { ident, ty, .. }| {
            let ident = spanned_as_generated(ident);
            // The compiler reports a type that threads cannot share at the type of the field.
            let ty = quote_spanned!(generated_for(ty)=> #ty);
            quote!(#ident: #ty;)
        });
        return quote_spanned! {span=>
            __object::generated_node! { opaque #ident #handle #is_final { #base } { #(#fields)* } #copy, #spec }
        };
    }
    let fields = node.fields.iter().map(|it| field(node, it));
    let fields = quote!(#(#fields)*);
    let skipped = (!node.skipped.is_empty()).then(|| {
        let skipped = node.skipped.iter().map(|field| {
            let (ident, ty) = (spanned_as_generated(&field.ident), &field.ty);
            let function = format_ident!("{}", if field.is_cache() { "cache_field" } else { "skipped_field" });
            quote!(#ident: #ty = #function;)
        });
        quote!({ #(#skipped)* })
    });
    quote_spanned!(span=> __object::generated_node! { whole #ident #handle #is_final { #base } { #fields } #skipped #spec })
}

/// `base: PNode = <<PNode as BaseOf<XNode>>::BaseHandle as TypedHandle>::Node`
fn base(node: &Node) -> Option<TokenStream> {
    let (parent, checked, base) = (parent_type(node)?, parent_node(node)?, &node.base_field.as_ref()?.ident);
    Some(quote!(#base: #parent = #checked))
}

/// `TypeSpec { type_key: "...", .. }`
fn spec(node: &Node) -> TokenStream {
    let ident = &node.ident;
    let type_key = handle::type_key(node);
    let doc = node.docs.text().unwrap_or_else(|| quote!(""));
    let kind = format_ident!("{}", node.kind.map_or("Unsupported", |kind| kind.variant()));
    let label = node.object.values.label.as_ref().map(|label| quote!(label: ::core::option::Option::Some(#label),));
    let json = match json_field(node) {
        Some(name) => Some(quote!(__object::field_index(<#ident as __object::Object>::FIELDS, #name))),
        None => super::singleton::key_index(node),
    };
    let json = json.map(|index| quote!(json: __object::JsonForm::Field(#index),));
    let flags = [
        ("is_abstract", node.is_abstract()),
        ("is_scope", node.is_scope()),
        ("by_structure", node.eq == HandleEq::Structural),
    ];
    let flags = flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| format_ident!("{name}"));
    let hooks = node.is_custom().then(|| {
        let span = generated_for(&node.structural_eq.tokens_of("custom"));
        let of = quote_spanned!(span=> __object::hook_fns::<#ident>());
        quote!(hooks: ::core::option::Option::Some(#of),)
    });
    let singleton = super::singleton::entry(node).map(|entry| quote!(singleton: ::core::option::Option::Some(#entry),));
    let may_contain = node.may_contain.map(Contents::entry);
    let meta = node.pairs.entry().map(|pairs| quote!(meta: #pairs,));
    let evolution = node.evolution.entry();
    let syntax = node.syntax.as_ref().and_then(Syntax::entry);
    let (same_len, verify) = (same_len(node), verify(node));
    quote! {
        __object::TypeSpec {
            type_key: #type_key,
            doc: #doc,
            location: (::core::file!(), ::core::line!()),
            kind: __object::SEqHashKind::#kind,
            #label #json #(#flags: true,)* #may_contain #meta #evolution #same_len #verify #syntax #hooks #singleton
            ..__object::TypeSpec::NONE
        }
    }
}

/// `same_len: &[&[field_index(FIELDS, "a"), field_index(FIELDS, "b")]],`
fn same_len(node: &Node) -> Option<TokenStream> {
    let ident = &node.ident;
    let groups = node.same_len.iter().map(|group| {
        let names = group.names.iter().map(|name| node.reflected_name(name));
        quote!(&[#(__object::field_index(<#ident as __object::Object>::FIELDS, #names)),*])
    });
    (!node.same_len.is_empty()).then(|| quote!(same_len: &[#(#groups),*],))
}

/// `verify: Some(|object, findings| verify_node::<XNode>(object, findings, path)),`
fn verify(node: &Node) -> Option<TokenStream> {
    let (ident, path) = (&node.ident, node.object.values.verify.as_ref()?);
    let span = generated_for(path);
    let call = quote_spanned!(span=> __object::verify_node::<#ident>(object, findings, #path));
    Some(quote!(verify: ::core::option::Option::Some(|object, findings| #call),))
}

/// `field: T = ("field", FieldMeta { .. }) (|| default);`
fn field(node: &Node, field: &Field) -> TokenStream {
    let Field { ident, ty, name, .. } = field;
    let meta = field.meta.entry(&field.docs, &field.ty);
    let default = reflected_default(node, field).map(|value| quote!(|| <#ty as __object::FieldType>::into_any(#value)));
    let ident = spanned_as_generated(ident);
    quote!(#ident: #ty = (#name, #meta) (#default);)
}

/// The default that readers use. Where JSON shows one field alone, the default of an optional field is `None`.
fn reflected_default(node: &Node, field: &Field) -> Option<TokenStream> {
    let implied = node.object.values.json.is_some() && field.is_option();
    default_value(field).or_else(|| implied.then(|| quote!(::core::option::Option::None)))
}

/// The reflected name of the field that `json` names: JSON has its value in place of the object.
fn json_field(node: &Node) -> Option<String> {
    let name = node.object.values.json.as_ref()?;
    Some(node.reflected_name(name))
}

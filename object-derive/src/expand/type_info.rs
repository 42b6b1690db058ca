//! The type table and the field table.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};

use super::defaults::default_value;
use super::handle;
use super::paths::{generated_for, parent_node, spanned_as_generated};
use crate::contents::Contents;
use crate::model::{Field, Node};
use crate::names::unraw;

/// `static __OBJECT_INFO: TypeInfo = type_info::<XNode>(TypeSpec { ... });`
pub(super) fn table(node: &Node) -> TokenStream {
    let ident = &node.ident;
    let type_key = handle::type_key(node);
    let doc = node.docs.text().unwrap_or_else(|| quote!(""));
    let kind = format_ident!("{}", node.kind.map_or("Unsupported", |kind| kind.variant()));
    let label = node.object.values.label.as_ref().map(|label| quote!(label: ::core::option::Option::Some(#label),));
    let json = json_field(node).map(|name| {
        let index = quote!(__object::field_index(<#ident as __object::Object>::FIELDS, #name));
        quote!(json: __object::JsonForm::Field(#index),)
    });
    let flags = [("is_base", node.is_base()), ("is_abstract", node.is_abstract()), ("is_scope", node.is_scope())];
    let flags = flags.into_iter().filter(|(_, is_set)| *is_set).map(|(name, _)| format_ident!("{name}"));
    let hooks = node.is_custom().then(|| {
        let span = generated_for(&node.structural_eq.tokens_of("custom"));
        let of = quote_spanned!(span=> __object::hook_fns::<#ident>());
        quote!(hooks: ::core::option::Option::Some(#of),)
    });
    let singleton = super::singleton::entry(node).map(|entry| quote!(singleton: ::core::option::Option::Some(#entry),));
    let copy_opaque = node.is_opaque().then(|| {
        let span = generated_for(&node.object.tokens_of("opaque"));
        let copy = quote_spanned!(span=> __object::copy_opaque::<#ident>);
        quote!(copy_opaque: ::core::option::Option::Some(#copy),)
    });
    let may_contain = node.may_contain.map(Contents::entry);
    quote! {
        static __OBJECT_INFO: __object::TypeInfo = __object::type_info::<#ident>(__object::TypeSpec {
            type_key: #type_key,
            doc: #doc,
            location: (::core::file!(), ::core::line!()),
            kind: __object::SEqHashKind::#kind,
            #label #json #(#flags: true,)* #may_contain #copy_opaque #hooks #singleton
            ..__object::TypeSpec::NONE
        });
    }
}

/// `unsafe impl Object for XNode`, with the field table.
pub(super) fn object_impl(node: &Node) -> TokenStream {
    let Node { ident, handle, .. } = node;
    let n_own = node.reflected().len();
    let own = node.reflected().iter().map(|it| field(node, it));
    let own = quote!(&[#(#own),*]);
    let (fields, ancestors) = match (parent_node(node), &node.base_field) {
        (Some(parent), Some(base)) => {
            let base = &base.ident;
            let span = generated_for(&parent);
            let table = quote_spanned!(span=> <#parent as __object::Object>);
            let offset = quote!(::core::mem::offset_of!(#ident, #base));
            (
                quote!(&__object::fields::<{ #table::FIELDS.len() + #n_own }>(#table::FIELDS, #offset, #own)),
                quote!(&__object::ancestors::<#parent, { #table::ANCESTORS.len() + 1 }>(#offset)),
            )
        }
        _ => (own, quote!(&[])),
    };
    let is_final = !node.is_base();
    let fields_of = quote!(<#ident as __object::Object>::FIELDS);
    quote! {
        #[automatically_derived]
        unsafe impl __object::Object for #ident {
            type Handle = #handle;
            const TYPE_INFO: &'static __object::TypeInfo = &__OBJECT_INFO;
            const FIELDS: &'static [__object::FieldInfo] = #fields;
            const COMPARED_FIELDS: &'static [__object::ComparedField] =
                &__object::compared_fields::<{ __object::compared_field_count(#fields_of) }>(#fields_of);
            const ANCESTORS: &'static [__object::Ancestor] = #ancestors;
            const FINAL: bool = #is_final;
        }
    }
}

/// `unsafe { field_info::<T>("name", offset, FieldMeta { .. }) }.with_default(..)`
fn field(node: &Node, field: &Field) -> TokenStream {
    let node_ident = &node.ident;
    let Field { ident, ty, name, .. } = field;
    let span = generated_for(ty);
    // The only bound on the type of the field, so a type that cannot be a field makes one error.
    let new = quote_spanned!(span=> __object::field_info::<#ty>);
    let meta = field.meta.entry(&field.docs);
    let default = reflected_default(node, field)
        .map(|value| quote!(.with_default(|| <#ty as __object::FieldType>::into_any(#value))));
    let offset = {
        let ident = spanned_as_generated(ident);
        quote!(::core::mem::offset_of!(#node_ident, #ident))
    };
    quote!(unsafe { #new(#name, #offset, #meta) } #default)
}

/// The default that readers use. Where JSON shows one field alone, the default of an optional field is `None`.
fn reflected_default(node: &Node, field: &Field) -> Option<TokenStream> {
    let implied = node.object.values.json.is_some() && field.is_option();
    default_value(field).or_else(|| implied.then(|| quote!(::core::option::Option::None)))
}

/// The reflected name of the field whose value JSON has in place of the object.
fn json_field(node: &Node) -> Option<String> {
    let values = (&node.object.values.json, &node.structural_eq.values.key);
    let name = match values {
        (Some(json), _) => json,
        (None, Some(key)) if node.is_singleton() => key,
        _ => return None,
    };
    Some(node.field(name).map_or_else(|| unraw(name), |field| field.name.clone()))
}

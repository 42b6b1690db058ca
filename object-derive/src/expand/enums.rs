//! Enums without data: field types that are stored and reflected as integers.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;

use super::assertions::VARIANT_NUMBER;
use super::paths::{generated_at, spanned_as_generated};
use crate::docs::Docs;
use crate::model::Enum;
use crate::names::unraw;

/// `impl FieldType for E`, and conversions from and to `Any`.
pub(crate) fn enumeration(item: &Enum) -> TokenStream {
    let Enum { ident, .. } = item;
    let variants: Vec<&Ident> = item.variants.iter().map(|variant| &variant.ident).collect();
    let (name, this) = (unraw(ident), spanned_as_generated(ident));
    let paths: Vec<TokenStream> =
        variants.iter().map(|it| spanned_as_generated(it)).map(|it| quote!(#this::#it)).collect();
    let names = variants.iter().map(|it| unraw(it));
    let indices: Vec<usize> = (0..variants.len()).collect();
    let n_variants = variants.len();
    // `FieldType` requires `Clone`, which the user derives: an error about it belongs on the name of the enum.
    let field_type = quote_spanned!(generated_at(ident.span())=> __object::FieldType for #ident);
    let entries = names.clone().zip(&paths).zip(&variants).map(|((variant, path), at)| {
        let span = generated_at(at.span());
        let function = VARIANT_NUMBER.function(span);
        quote_spanned!(span=> (#variant, __object::#function(#name, #variant, #path {} as ::core::primitive::i128)))
    });
    let aliases =
        item.variant_args.iter().enumerate().flat_map(|(at, args)| {
            args.values.alias.iter().map(move |alias| quote!((#alias, __OBJECT_VARIANTS[#at].1)))
        });
    let aliases = aliases.collect::<Vec<_>>();
    let aliases = (!aliases.is_empty()).then(|| quote!(aliases: &[#(#aliases),*],));
    let doc = item.docs.text().unwrap_or_else(|| quote!(""));
    let docs: Vec<Option<TokenStream>> = item.variants.iter().map(|variant| Docs::of(&variant.attrs).text()).collect();
    // Most enums document no variant, or all of them.
    let docs = if docs.iter().all(Option::is_none) { Vec::new() } else { docs };
    let docs = docs.into_iter().map(|doc| doc.unwrap_or_else(|| quote!(""))).collect::<Vec<_>>();
    let docs = (!docs.is_empty()).then(|| quote!(variant_docs: &[#(#docs),*],));
    let rest = (docs.is_none() || aliases.is_none()).then(|| quote!(..__object::Enumeration::NONE));
    quote! {
        const __OBJECT_VARIANTS: __object::Variants<#n_variants> = [#(#entries),*];
        const __OBJECT_ENUMERATION: __object::Enumeration = __object::Enumeration {
            name: #name,
            doc: #doc,
            variants: &__OBJECT_VARIANTS,
            #docs #aliases #rest
        };
        #[inline]
        fn __object_number(value: &#ident) -> ::core::primitive::i64 {
            match value { #(#paths { .. } => __OBJECT_VARIANTS[#indices].1),* }
        }
        #[inline]
        fn __object_variant(value: __object::AnyView<'_>) -> ::core::result::Result<#ident, __object::Error> {
            match __object::variant_index(#name, &__OBJECT_VARIANTS, value) {
                #(::core::result::Result::Ok(#indices) => ::core::result::Result::Ok(#paths {}),)*
                ::core::result::Result::Ok(_) => ::core::unreachable!(),
                ::core::result::Result::Err(error) => ::core::result::Result::Err(error),
            }
        }
        #[automatically_derived]
        impl #field_type {
            const STORAGE: __object::StorageOf<Self> = __object::StorageOf::PLAIN;
            const CONTENTS: __object::FieldContents = __object::FieldContents::Plain;
            const ACCEPTED: __object::Accepted = __object::numbers(&__OBJECT_VARIANTS);
            #[inline]
            fn view(&self) -> __object::AnyView<'_> { __object::AnyView::Int(__object_number(self)) }
            #[inline]
            fn from_any(value: __object::Any) -> ::core::result::Result<Self, __object::Error> {
                __object_variant(__object::Any::view(&value))
            }
            #[inline]
            fn accepts(value: __object::AnyView<'_>) -> ::core::primitive::bool {
                ::core::result::Result::is_ok(&__object_variant(value))
            }
            #[inline]
            fn schema() -> __object::TypeSchema { __object::TypeSchema::of_enum(__OBJECT_ENUMERATION) }
        }
        #[automatically_derived]
        impl ::core::convert::From<#ident> for __object::Any {
            #[inline]
            fn from(value: #ident) -> Self { __object::Any::Int(__object_number(&value)) }
        }
        #[automatically_derived]
        impl ::core::convert::TryFrom<__object::Any> for #ident {
            type Error = __object::Error;
            #[inline]
            fn try_from(value: __object::Any) -> ::core::result::Result<Self, Self::Error> {
                __object_variant(__object::Any::view(&value))
            }
        }
    }
}

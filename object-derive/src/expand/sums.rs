//! Enums with one value in each variant: field types that hold a value of one of several types.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::assertions::VALUE_DETERMINES_VARIANT;
use super::paths::{generated_at, generated_for};
use crate::model::Sum;
use crate::names::unraw;
use crate::types;

/// `impl FieldType for E`, conversions from and to `Any`, and from each of the types.
pub(crate) fn sum(item: &Sum) -> TokenStream {
    let Sum { ident, variants } = item;
    let generated = quote_spanned!(generated_at(ident.span())=> __object::generated_sum);
    let names: Vec<_> = variants.iter().map(|(name, _)| name).collect();
    // An error about a type that cannot be in a field belongs on the type.
    let types: Vec<_> =
        variants.iter().map(|(_, ty)| quote_spanned!(generated_for(ty)=> <#ty as __object::FieldType>)).collect();
    let holds = types.iter().rev().fold(
        quote!(__object::FieldContents::Plain),
        |rest, ty| quote!(__object::FieldContents::Either(&#ty::CONTENTS, &#rest)),
    );
    let name = unraw(ident);
    let listed = variants.iter().zip(&types).map(|((variant, _), ty)| {
        let variant = unraw(variant);
        quote!((#variant, #ty::ACCEPTED))
    });
    let checks = variants.iter().enumerate().skip(1).map(|(i, (_, ty))| {
        let span = generated_for(ty);
        let function = VALUE_DETERMINES_VARIANT.function(span);
        quote_spanned!(span=> const _: () = __object::#function(#name, __OBJECT_VARIANTS, #i);)
    });
    // A conversion from `Any` by `From` would conflict with `TryFrom`, which checks the value.
    let froms = variants.iter().filter(|(_, ty)| !types::is_named(ty, &["Any"])).map(|(name, ty)| {
        quote_spanned! {generated_for(ty)=>
            #[automatically_derived]
            impl ::core::convert::From<#ty> for #ident {
                #[inline]
                fn from(value: #ty) -> Self { #ident::#name(value) }
            }
        }
    });
    // No function outside of the impl of `FieldType` calls one of it: the compiler would report an enum without `Clone`, which
    // the trait requires, at each call.
    quote! {
        fn __object_schema() -> __object::TypeSchema { __object::variant_schema([#(#types::schema()),*]) }
        const __OBJECT_VARIANTS: &[__object::Listed] = &[#(#listed),*];
        #(#checks)*
        #generated! {
            #ident { #(#names)* }
            const CONTENTS: __object::FieldContents = #holds;
            const ACCEPTED: __object::Accepted = __object::Accepted::OneOf(&[#(#types::ACCEPTED),*]);
            #[inline]
            fn into_any(self) -> __object::Any { ::core::convert::Into::into(self) }
            #[inline]
            fn from_any(value: __object::Any) -> ::core::result::Result<Self, __object::Error> {
                ::core::convert::TryFrom::try_from(value)
            }
            #[inline]
            fn accepts(value: __object::AnyView<'_>) -> ::core::primitive::bool { #(#types::accepts(value))||* }
            #[inline]
            fn accepts_type(info: &__object::TypeInfo) -> ::core::primitive::bool { #(#types::accepts_type(info))||* }
            #[inline]
            fn schema() -> __object::TypeSchema { __object_schema() }
        }
        #[automatically_derived]
        impl ::core::convert::From<#ident> for __object::Any {
            #[inline]
            fn from(value: #ident) -> Self {
                match value { #(#ident::#names(value) => #types::into_any(value),)* }
            }
        }
        #[automatically_derived]
        impl ::core::convert::TryFrom<__object::Any> for #ident {
            type Error = __object::Error;
            #[inline]
            fn try_from(value: __object::Any) -> ::core::result::Result<Self, Self::Error> {
                #(if #types::accepts(__object::Any::view(&value)) {
                    return #types::from_any(value).map(#ident::#names);
                })*
                ::core::result::Result::Err(__object::no_variant(&__object_schema(), __object::Any::view(&value)))
            }
        }
        #(#froms)*
    }
}

//! `variants_of!`: from a list of handles to an enum of references to them.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, Path, Type, parenthesized, token};

use super::{Entry, Item, Syntax, handle, listed};
use crate::expand::{VARIANT_IS_REACHABLE, VARIANT_OF_BASE, generated_for, scope};
use crate::names::unraw;
use crate::report::{Errors, rule_names};
use crate::types::{self, shown};

rule_names![other_is_generated];

const SYNTAX: Syntax = Syntax {
    subject: "`variants_of!` declares an enum",
    keyword: "enum",
    example: "enum ExprKind of Expr { Var, Call }",
    entry,
    line: "`Var`, `path::to::Var` or `Name(path::to::Var)`",
};

/// The enum with a variant for each line, and the function that finds the variant of an object.
pub(crate) fn variants_of(krate: &Path, tokens: TokenStream, errors: &mut Errors) -> TokenStream {
    let Some(mut item) = Item::read(tokens, &SYNTAX, errors) else { return TokenStream::new() };
    let of = |input: ParseStream<'_>| {
        let word = input.call(Ident::parse_any)?;
        if word != "of" {
            return Err(syn::Error::new(word.span(), "expected `of`"));
        }
        handle(input)
    };
    let base = match of.parse2(item.head.clone()) {
        Ok(base) => base,
        Err(error) => {
            let help = format!(
                "write `enum {} of Expr {{ ... }}`, with the handle of an open type, or `ObjectRef`",
                item.name
            );
            let mut report = errors.of(super::rule::list_form);
            if item.head.is_empty() {
                report.add_help(
                    &item.name,
                    format!("`{}` does not say of which type its objects are", item.name),
                    help,
                );
            } else {
                report.add_parse_error_help(&error, "the type of the objects follows the name", &help);
            }
            return TokenStream::new();
        }
    };
    item.entries.retain(|entry| {
        if entry.name == "Other" {
            let message = "`Other` is the variant for objects of all other types";
            let help = format!("choose another name: write `Name({})`", shown(&entry.handle));
            errors.of(rule::other_is_generated).add_help(&entry.name, message, help);
        }
        entry.name != "Other"
    });
    let declaration = declaration(&item, &base);
    // A rule about the whole list could report a mistake twice.
    let checks = errors.is_empty().then(|| checks(&item, &base));
    let impls = impls(&item, &base);
    let scope = scope(krate, &quote!(use __object::NotAHandle as _; #checks #impls));
    quote!(#declaration #scope)
}

/// `Var`, `path::to::Var` or `Name(path::to::Var)`.
fn entry(input: ParseStream<'_>, attrs: Vec<Attribute>) -> syn::Result<Entry> {
    if input.peek(Ident::peek_any) && input.peek2(token::Paren) {
        let name = input.parse()?;
        let inside;
        parenthesized!(inside in input);
        return Ok(Entry { attrs, name, handle: handle(&inside)? });
    }
    let handle = handle(input)?;
    let name = types::name_and_args(&handle).map(|(name, _)| name.clone());
    name.map(|name| Entry { attrs, name, handle }).ok_or_else(|| input.error("expected the name of a handle"))
}

fn declaration(item: &Item, base: &Type) -> TokenStream {
    let Item { attrs, vis, name, entries, .. } = item;
    let variants = entries.iter().map(|Entry { attrs, name, handle }| {
        let doc = format!("A `{}`.", shown(handle));
        quote!(#(#attrs)* #[doc = #doc] #name(&'a #handle))
    });
    quote! {
        #(#attrs)*
        #[::core::prelude::v1::derive(::core::clone::Clone, ::core::marker::Copy)]
        #vis enum #name<'a> {
            #(#variants,)*
            /// An object of another type.
            Other(&'a #base),
        }
    }
}

/// The rules about the list.
fn checks(item: &Item, base: &Type) -> TokenStream {
    let Item { name, entries, .. } = item;
    let (list, of_base) = (item.listed(), listed(&shown(base), base));
    let enum_name = unraw(name);
    let checks = entries.iter().enumerate().map(|(i, Entry { handle, .. })| {
        let span = generated_for(handle);
        let (of_base, is_reachable) = (VARIANT_OF_BASE.function(span), VARIANT_IS_REACHABLE.function(span));
        quote_spanned! {span=>
            const _: () = {
                __object::#of_base(__OBJECT_BASE, __OBJECT_LIST[#i]);
                __object::#is_reachable(#enum_name, __OBJECT_LIST, #i);
            };
        }
    });
    quote! {
        const __OBJECT_BASE: __object::Listed = #of_base;
        #list
        #(#checks)*
    }
}

fn impls(item: &Item, base: &Type) -> TokenStream {
    let Item { vis, name, entries, .. } = item;
    let texts = entries.iter().map(|Entry { name: variant, .. }| {
        let text = unraw(variant);
        quote!(#name::#variant(it) => __object::ListedHandle(*it).fmt_variant(#text, f))
    });
    let arms = entries.iter().map(|Entry { name: variant, handle, .. }| {
        let downcast = quote_spanned!(generated_for(handle)=> __object::ObjectHandle::downcast_ref::<#handle>);
        quote! {
            if let ::core::option::Option::Some(it) = #downcast(object) {
                return #name::#variant(it);
            }
        }
    });
    quote! {
        impl<'a> #name<'a> {
            /// The variant of `object`.
            #[must_use]
            #vis fn of(object: &'a #base) -> Self {
                #(#arms)*
                #name::Other(object)
            }
        }
        impl ::core::fmt::Debug for #name<'_> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self {
                    #(#texts,)*
                    #name::Other(it) => __object::ListedHandle(*it).fmt_variant("Other", f),
                }
            }
        }
        impl<'a> ::core::convert::From<&'a #base> for #name<'a> {
            fn from(object: &'a #base) -> Self {
                #name::of(object)
            }
        }
    }
}

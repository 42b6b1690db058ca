//! The defaults of fields.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, Ident, Lit, Type, UnOp};

use super::paths::generated_for;
use crate::model::{Default, Field, Node};
use crate::names::unraw;
use crate::types;

/// `field: <T as Default>::default()` for each field that reflection skips.
pub(super) fn skipped_values(node: &Node) -> impl Iterator<Item = TokenStream> {
    node.skipped.iter().map(|Field { ident, ty, .. }| {
        let span = generated_for(ty);
        quote_spanned!(span=> #ident: <#ty as ::core::default::Default>::default())
    })
}

/// The value that the field takes by default.
pub(super) fn default_value(field: &Field) -> Option<TokenStream> {
    let ty = &field.ty;
    match &field.default {
        Default::Required => None,
        Default::Standard => {
            let span = generated_for(ty);
            Some(quote_spanned!(span=> <#ty as ::core::default::Default>::default()))
        }
        Default::Expr(expr) if is_plain(expr, ty) => Some(quote!(#expr)),
        Default::Expr(_) => {
            let function = default_function(&field.ident);
            Some(quote!(#function()))
        }
    }
}

/// The functions that evaluate default expressions. Each is outside of `new`, whose parameters would hide names that
/// the expression uses.
pub(super) fn default_functions(node: &Node) -> TokenStream {
    let functions = node.fields.iter().filter_map(|field| match &field.default {
        Default::Expr(expr) if !is_plain(expr, &field.ty) => {
            let (function, ty) = (default_function(&field.ident), &field.ty);
            let span = generated_for(expr);
            let value = quote_spanned!(span=> ::core::convert::Into::<#ty>::into(#expr));
            Some(quote! {
                fn #function() -> #ty { #value }
            })
        }
        _ => None,
    });
    quote!(#(#functions)*)
}

fn default_function(field: &Ident) -> Ident {
    format_ident!("__object_default_{}", unraw(field), span = proc_macro2::Span::call_site())
}

/// Whether the expression has the type already: a number for a number, `None` for an `Option`. The compiler cannot
/// infer the type of a number that is converted.
fn is_plain(expr: &Expr, ty: &Type) -> bool {
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(_) => types::is_integer(ty),
            Lit::Float(_) => types::is_float(ty),
            Lit::Bool(_) => types::is_bool(ty),
            _ => false,
        },
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_plain(&unary.expr, ty),
        Expr::Paren(paren) => is_plain(&paren.expr, ty),
        Expr::Group(group) => is_plain(&group.expr, ty),
        Expr::Path(path) => types::is_option(ty) && path.path.is_ident("None"),
        _ => false,
    }
}

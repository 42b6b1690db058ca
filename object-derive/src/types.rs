//! Properties of a type that follow from its tokens.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, Ident, PathArguments, Type};

use crate::names::unraw;

/// The type without invisible groups and parentheses around it.
pub(crate) fn plain(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => plain(&group.elem),
        Type::Paren(paren) => plain(&paren.elem),
        other => other,
    }
}

/// The last name in the path of a type, and its type arguments.
pub(crate) fn name_and_args(ty: &Type) -> Option<(&Ident, Vec<&Type>)> {
    let Type::Path(path) = plain(ty) else { return None };
    let last = path.path.segments.last()?;
    let args = match &last.arguments {
        PathArguments::AngleBracketed(args) => args
            .args
            .iter()
            .filter_map(|arg| match arg {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    Some((&last.ident, args))
}

/// The `T` in a type that is written as `Option<T>`.
pub(crate) fn option_content(ty: &Type) -> Option<&Type> {
    let (name, args) = name_and_args(ty)?;
    args.first().copied().filter(|_| name == "Option" && args.len() == 1)
}

/// Whether the type is written as `Option<..>`.
pub(crate) fn is_option(ty: &Type) -> bool {
    option_content(ty).is_some()
}

/// The `Option<..>` or `Any` that is written directly in an `Option<..>`, in `ty` or in one of its arguments.
pub(crate) fn option_in_option(ty: &Type) -> Option<&Type> {
    let (_, args) = name_and_args(ty)?;
    let inner = option_content(ty).filter(|inner| is_option(inner) || is_named(inner, &["Any"]));
    inner.or_else(|| args.into_iter().find_map(option_in_option))
}

/// Whether the type is written as `Array<..>` or `Map<..>`.
pub(crate) fn is_container(ty: &Type) -> bool {
    name_and_args(ty).is_some_and(|(name, args)| match args.len() {
        1 => name == "Array",
        2 => name == "Map",
        _ => false,
    })
}

/// Whether the type is written as a primitive number or `bool`.
pub(crate) fn is_number(ty: &Type) -> bool {
    is_integer(ty) || is_float(ty) || is_bool(ty)
}

/// Whether the type is written as a primitive integer.
pub(crate) fn is_integer(ty: &Type) -> bool {
    is_named(ty, &["i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"])
}

/// Whether the type is written as a primitive floating point number.
pub(crate) fn is_float(ty: &Type) -> bool {
    is_named(ty, &["f32", "f64"])
}

/// Whether the type is written as `bool`.
pub(crate) fn is_bool(ty: &Type) -> bool {
    is_named(ty, &["bool"])
}

/// Whether the type is written as one of the names alone.
pub(crate) fn is_named(ty: &Type, names: &[&str]) -> bool {
    let Type::Path(path) = plain(ty) else { return false };
    path.path.get_ident().is_some_and(|ident| names.iter().any(|name| ident == name))
}

/// The type with `name` for `Self`: generated code uses it in places where `Self` is another type.
pub(crate) fn without_self(ty: &Type, name: &Ident) -> Type {
    if !mentions(ty.to_token_stream(), &["Self"]) {
        return ty.clone();
    }
    let tokens = replace_self(ty.to_token_stream(), name);
    syn::parse2(tokens.clone()).unwrap_or(Type::Verbatim(tokens))
}

/// Whether one of the names is among the tokens, with or without `r#`.
pub(crate) fn mentions(tokens: TokenStream, names: &[&str]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.iter().any(|name| unraw(&ident) == *name),
        TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

/// The tokens with `name` for `Self`.
pub(crate) fn replace_self(tokens: TokenStream, name: &Ident) -> TokenStream {
    let replace = |token| match token {
        TokenTree::Ident(ident) if ident == "Self" => {
            let mut name = name.clone();
            name.set_span(ident.span());
            TokenTree::Ident(name)
        }
        TokenTree::Group(group) => {
            let mut replaced = Group::new(group.delimiter(), replace_self(group.stream(), name));
            replaced.set_span(group.span());
            TokenTree::Group(replaced)
        }
        other => other,
    };
    tokens.into_iter().map(replace).collect()
}

/// Tokens as the user writes them: without most of the spaces that a token stream shows.
pub(crate) fn shown(tokens: &(impl ToTokens + ?Sized)) -> String {
    let text = tokens.to_token_stream().to_string();
    let mut shown = String::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let is_word = |char: char| char == '_' || char.is_alphanumeric();
        let (last, next) = (shown.chars().last().unwrap_or(' '), chars.peek().copied().unwrap_or(' '));
        let separates =
            matches!(last, ',' | ';') || (is_word(last) && (is_word(next) || matches!(next, '[' | '&' | '\'')));
        if char != ' ' || separates {
            shown.push(char);
        }
    }
    shown
}

//! The paths and spans of generated code.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Ident, Path};

use crate::model::Node;

/// The module of the core crate for generated code. No other function names it.
pub(crate) fn support(krate: &Path) -> TokenStream {
    quote_spanned!(at(krate)=> #krate::derive_support)
}

/// The place of errors about the path of the core crate: `crate = path`, if it is given.
fn at(krate: &Path) -> Span {
    krate.segments.last().map_or_else(Span::call_site, |last| generated_at(last.ident.span()))
}

/// `code` in a scope of its own, in which [`support`] is called `__object`.
pub(crate) fn scope(krate: &Path, code: &TokenStream) -> TokenStream {
    let support = support(krate);
    let import = quote_spanned!(at(krate)=> use #support as __object;);
    quote! {
        const _: () = {
            #import
            #code
        };
    }
}

/// `type __ObjectParent = PNode;`: the only place of generated code with the path that the user wrote, so that a path
/// to nothing makes one error.
pub(crate) fn parent_alias(node: &Node) -> Option<TokenStream> {
    let parent = node.parent.as_ref()?;
    Some(quote!(type __ObjectParent = #parent;))
}

/// The node struct of the parent by its alias.
pub(crate) fn parent_type(node: &Node) -> Option<Ident> {
    Some(Ident::new("__ObjectParent", generated_for(node.parent.as_ref()?)))
}

/// The handle of the parent. All bounds on a parent go through this one path with one span, so that a type that cannot
/// be a parent makes one error.
pub(crate) fn parent_handle(node: &Node) -> Option<TokenStream> {
    let (ident, parent) = (&node.ident, parent_type(node)?);
    let span = parent.span();
    Some(quote_spanned!(span=> <#parent as __object::BaseOf<#ident>>::BaseHandle))
}

/// The node struct of the parent, by way of [`parent_handle`].
pub(crate) fn parent_node(node: &Node) -> Option<TokenStream> {
    let handle = parent_handle(node)?;
    let span = generated_for(&handle);
    Some(quote_spanned!(span=> <#handle as __object::TypedHandle>::Node))
}

/// `span` as the place of generated code. To the compiler, code with the plain span of user tokens is the user's own, and
/// the user's lints would apply to its style.
pub(crate) fn generated_at(span: Span) -> Span {
    span.resolved_at(Span::call_site())
}

/// The span of the first token, as the place of generated code.
pub(crate) fn generated_for(tokens: &impl ToTokens) -> Span {
    let first = tokens.to_token_stream().into_iter().next();
    first.map_or_else(Span::call_site, |token| generated_at(token.span()))
}

/// The name of a generated function, at the place of the item that it belongs to: tools go there from a use of the function.
pub(crate) fn named_at(name: &str, item: &Ident) -> Ident {
    Ident::new(name, generated_at(item.span()))
}

/// The name at its place, as generated code. Generated code has the edition of this crate, in which some names of older
/// editions are keywords.
pub(crate) fn spanned_as_generated(ident: &Ident) -> Ident {
    let mut ident = if ident == "gen" { Ident::new_raw("gen", ident.span()) } else { ident.clone() };
    ident.set_span(generated_at(ident.span()));
    ident
}

/// The type parameter with the words of `name`, which rustdoc shows: `items_form` is `ItemsForm`. A type in `written` with this name
/// keeps its meaning; then the parameter has underscores, which no other name has.
pub(crate) fn type_parameter(name: &str, written: &TokenStream) -> Ident {
    let mut plain = String::new();
    for word in name.split('_') {
        let mut letters = word.chars();
        plain.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        plain.extend(letters);
    }
    let is_snake_case = !name.contains("__") && !name.chars().any(char::is_uppercase);
    match is_snake_case {
        true if !written.to_string().contains(&plain) => format_ident!("{plain}"),
        true => format_ident!("__{plain}"),
        // Other words can lead to the same name.
        false => format_ident!("__{name}"),
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::type_parameter;

    #[test]
    fn a_type_parameter_takes_no_name_of_a_type() {
        let name = |name: &str, written| type_parameter(name, &written).to_string();
        assert_eq!(name("named_items_form", quote!(Array<Item>)), "NamedItemsForm");
        assert_eq!(name("items_form", quote!(Array<ItemsForm>)), "__ItemsForm");
        assert_eq!(name("named__items_form", quote!(Array<Item>)), "__named__items_form");
    }
}

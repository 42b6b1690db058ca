//! What only types can tell, as constant assertions: they fail when the user's crate is compiled. The messages are
//! whole sentences, because the compiler shows them as they are.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Path;

use super::constructors::builds_a_value;
use super::{generated_at, generated_for, parent_node, parent_type};
use crate::check;
use crate::model::{Kind, Node, unraw};

/// All assertions of a node. That the parent is a base is no assertion, but the bound of a trait.
pub(super) fn all(node: &Node) -> TokenStream {
    let inherited = node.parent.as_ref().map(|parent| {
        [
            base_field_same_type(node),
            kind_of_parent(node, parent),
            inherited_names(node, parent),
            inherited_fields_exist(node),
        ]
        .into_iter()
        .collect::<TokenStream>()
    });
    let hook = hook_without_custom(node);
    quote!(#inherited #hook)
}

/// The fields of `base` are found at their offsets in the parent's struct, so it has to be that struct; names can
/// deceive. Where a constructor puts the one into the other, the compiler compares them there.
fn base_field_same_type(node: &Node) -> TokenStream {
    let Some(base) = node.base_field.as_ref().filter(|_| !builds_a_value(node)) else { return TokenStream::new() };
    let (ident, name) = (&node.ident, &base.ident);
    let span = generated_for(&base.ty);
    // A raw pointer, because a reference to a `Box` of the parent would turn into one to the parent.
    let value = quote_spanned!(span=> &raw const node.#name);
    let parent = parent_type(node);
    quote!(const _: fn(&#ident) -> *const #parent = |node| #value;)
}

/// What holds for all objects that a handle of the parent can point to has to hold for this type too.
fn kind_of_parent(node: &Node, parent: &Path) -> TokenStream {
    let (name, ident) = (text(parent), &node.ident);
    let kind = node.kind.unwrap_or(Kind::None);
    if node.is_abstract() {
        return TokenStream::new();
    }
    let reasons = [
        (Kind::Var, "a variable is bound by its place, whatever type extends it"),
        (Kind::Singleton, "a singleton is equal only to itself, whatever type extends it"),
        (Kind::ConstTree, "a constant is equal to itself wherever it stands, whatever type extends it"),
    ];
    let at = node.structural_eq.at(kind.word());
    let span = if at.is_empty() { generated_at(ident.span()) } else { generated_for(&at) };
    let checks = reasons.into_iter().filter(|(of, _)| *of != kind).map(|(of, reason)| {
        let variant = proc_macro2::Ident::new(of.variant(), Span::call_site());
        let message = format!(
            "`{ident}` is `{}`, but its parent `{name}` is `{word}`: {reason}; help: write `#[structural_eq({word})]` \
             on `{ident}`",
            kind.word(),
            word = of.word(),
        );
        quote_spanned! {span=>
            if ::core::matches!(kind, __object::SEqHashKind::#variant) { ::core::panic!(#message) }
        }
    });
    let parent = parent_node(node);
    quote! {
        const _: () = {
            let kind = __object::kind_of::<#parent>();
            #(#checks)*
        };
    }
}

/// Reflection finds fields by name, inherited ones too.
fn inherited_names(node: &Node, parent: &Path) -> TokenStream {
    let (krate, parent_node) = (&node.krate, parent_node(node));
    let checks = node.reflected().iter().map(|field| {
        let name = &field.name;
        let message = format!(
            "`{}` inherits a field `{name}` from `{}`; help: name this one differently, or write \
             `#[field(rename = \"...\")]` on it",
            node.ident,
            text(parent),
        );
        assertion(
            generated_for(&field.name_tokens()),
            &quote!(!__object::has_field(<#parent_node as #krate::Object>::FIELDS, #name)),
            &message,
        )
    });
    checks.collect()
}

/// The fields that `json` and `label` name, where they are not the type's own.
fn inherited_fields_exist(node: &Node) -> TokenStream {
    let (ident, krate) = (&node.ident, &node.krate);
    let mut code = TokenStream::new();
    let mut check = |name: &str, tokens: &dyn ToTokens, word: &str| {
        let message = format!("`{ident}` has no field `{name}`, and inherits none; help: name another one in `{word}`");
        let condition = quote!(__object::has_field(<#ident as #krate::Object>::FIELDS, #name));
        code.extend(assertion(generated_for(&tokens.to_token_stream()), &condition, &message));
    };
    if let Some(json) = node.object.values.json.as_ref().filter(|json| node.field(json).is_none()) {
        check(&unraw(json), json, "json");
    }
    if let Some(label) = &node.object.values.label {
        for name in check::placeholders(label).unwrap_or_default() {
            if node.reflected().iter().all(|field| field.name != name) {
                check(&name, label, "label");
            }
        }
    }
    code
}

/// A hook that nothing calls is a mistake of its author, and would be a silent one.
fn hook_without_custom(node: &Node) -> TokenStream {
    if node.is_custom() {
        return TokenStream::new();
    }
    let ident = &node.ident;
    let kind = node.kind.filter(|kind| !matches!(kind, Kind::None | Kind::Singleton)).unwrap_or(Kind::Tree);
    let message = format!(
        "`{ident}` implements `StructuralHook`, but nothing calls it; help: write `#[structural_eq({}, custom)]`",
        kind.word()
    );
    let condition = quote! {{
        use __object::NoHook as _;
        !__object::Hooked::<#ident>::IS_HOOKED
    }};
    assertion(generated_at(ident.span()), &condition, &message)
}

/// A constant of its own, so that one that fails does not hide another.
fn assertion(span: Span, condition: &TokenStream, message: &str) -> TokenStream {
    quote_spanned!(span=> const _: () = ::core::assert!(#condition, #message);)
}

fn text(tokens: &impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

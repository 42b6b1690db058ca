//! [`Docs`]: the documentation comments of a type or a field.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit};

/// Documentation comments, as attributes for another item and as a text for the table.
pub(crate) struct Docs {
    attrs: Vec<Attribute>,
}

impl Docs {
    pub(crate) fn of(attrs: &[Attribute]) -> Self {
        Docs { attrs: attrs.iter().filter(|attr| attr.path().is_ident("doc")).cloned().collect() }
    }

    /// The attributes, for another item.
    pub(crate) fn attrs(&self) -> &[Attribute] {
        &self.attrs
    }

    /// The lines as one constant text; none without comments. The compiler evaluates comments that are macros
    /// (`include_str!`).
    pub(crate) fn text(&self) -> Option<TokenStream> {
        let mut parts: Vec<TokenStream> = Vec::new();
        let mut lines: Vec<String> = Vec::new();
        for attr in &self.attrs {
            let Ok(doc) = attr.meta.require_name_value() else { continue };
            match &doc.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                    let text = text.value();
                    lines.extend(text.split('\n').map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end().into()));
                }
                other => {
                    flush(&mut lines, &mut parts);
                    parts.push(quote!(#other));
                }
            }
        }
        flush(&mut lines, &mut parts);
        match &parts[..] {
            [] => None,
            [only] => Some(only.clone()),
            [first, rest @ ..] => Some(quote!(::core::concat!(#first #(, "\n", #rest)*))),
        }
    }
}

/// Makes the lines so far one part.
fn flush(lines: &mut Vec<String>, parts: &mut Vec<TokenStream>) {
    if !lines.is_empty() {
        let text = std::mem::take(lines).join("\n");
        parts.push(quote!(#text));
    }
}

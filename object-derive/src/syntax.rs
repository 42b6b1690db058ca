//! [`Syntax`]: the words of a type about the text of its language, and their entry in the table.

use object_format::{Format, FormatFault, PRECEDENCES};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, LitInt, LitStr};

use crate::input::ObjectArgs;

/// The words of a type about the text of its language.
pub(crate) struct Syntax {
    pub(crate) text: LitStr,
    pub(crate) format: Result<Format, FormatFault>,
    precedence: Option<u32>,
    associativity: Option<&'static str>,
}

impl Syntax {
    pub(crate) fn read(values: &ObjectArgs) -> Option<Self> {
        let text = values.format.clone()?;
        Some(Syntax {
            format: Format::parse(&text.value()),
            text,
            precedence: values.precedence.as_ref().and_then(precedence),
            associativity: values.associativity.as_ref().and_then(associativity),
        })
    }

    /// `syntax: Some(Syntax { format: "...", .. }),`
    pub(crate) fn entry(&self) -> Option<TokenStream> {
        self.format.as_ref().ok()?;
        let text = &self.text;
        let precedence = match self.precedence {
            Some(number) => quote!(::core::option::Option::Some(#number)),
            None => quote!(::core::option::Option::None),
        };
        let associativity = format_ident!("{}", self.associativity.unwrap_or("Left"));
        Some(quote! {
            syntax: ::core::option::Option::Some(__object::Syntax {
                format: #text,
                precedence: #precedence,
                associativity: __object::Associativity::#associativity,
            }),
        })
    }
}

/// The number of a precedence.
pub(crate) fn precedence(number: &LitInt) -> Option<u32> {
    number.base10_parse().ok().filter(|value| PRECEDENCES.contains(value) && number.suffix().is_empty())
}

/// The runtime's variant of an associativity.
pub(crate) fn associativity(word: &Ident) -> Option<&'static str> {
    let words = [("left", "Left"), ("right", "Right"), ("none", "None")];
    words.into_iter().find(|(name, _)| word == name).map(|(_, variant)| variant)
}

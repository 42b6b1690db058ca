//! [`Errors`]: all mistakes of one type, each on its tokens, with what to write instead.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The mistakes found so far. Stations of the macro add to it and go on; nothing stops at the first.
#[derive(Default)]
pub(crate) struct Errors {
    all: Vec<syn::Error>,
}

impl Errors {
    /// A mistake in `tokens`: what is wrong and why, in one sentence.
    pub(crate) fn add(&mut self, tokens: &impl ToTokens, message: impl AsRef<str>) {
        self.push(syn::Error::new_spanned(tokens, message.as_ref()));
    }

    /// A mistake in `tokens`, and what to write instead.
    pub(crate) fn add_help(&mut self, tokens: &impl ToTokens, message: impl AsRef<str>, help: impl AsRef<str>) {
        self.add(tokens, format!("{}\nhelp: {}", message.as_ref(), help.as_ref()));
    }

    /// A mistake that the parser found.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.all.push(error);
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// One `compile_error!` per mistake.
    pub(crate) fn to_compile_errors(&self) -> TokenStream {
        self.all.iter().map(syn::Error::to_compile_error).collect()
    }
}

//! A language server for any language of the framework.
//!
//! A [`LanguageService`] computes what an editor shows about a text, an [`Analysis`].

mod analysis;

pub use analysis::{
    Analysis, Completion, CompletionKind, Diagnostic, Fix, Hint, LanguageService, Occurrence, Role, Severity, Symbol,
    SymbolKind,
};

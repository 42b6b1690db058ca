//! A language server for any language of the framework: [`serve`] with [`Services`].
//!
//! A [`LanguageService`] computes what an editor shows about a text, an [`Analysis`]. [`SyntaxService`] is the one for every language
//! whose types have formats. The server speaks the language server protocol, which editors know.
//!
//! | the editor | asks for |
//! |---|---|
//! | shows mistakes as you type, and mends them | `publishDiagnostics`, `codeAction` |
//! | goes to a definition, finds and highlights uses | `definition`, `references`, `documentHighlight` |
//! | renames | `prepareRename`, `rename`: refused where a name would mean another variable |
//! | explains and completes | `hover`, `completion` |
//! | shows an outline, folds, and texts between the characters | `documentSymbol`, `foldingRange`, `inlayHint` |
//! | formats | `formatting`: only the lines that change |
//!
//! A text is analysed once the messages that change it are all read, so fast typing costs one analysis. A request that a later message
//! cancels is not answered. A malformed message gets an error as its answer, and so does a request in which a service panics.

#![forbid(unsafe_code)]

mod analysis;
mod positions;
mod document;
mod edits;
mod services;
mod convert;
mod requests;
mod transport;
mod server;
mod language;

pub use analysis::{
    Analysis, Completion, CompletionKind, Diagnostic, Fix, Hint, LanguageService, Occurrence, Role, Severity, Symbol,
    SymbolKind,
};
pub use language::SyntaxService;
pub use server::{serve, serve_connection};
pub use services::Services;

pub use lsp_server;

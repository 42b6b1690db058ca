//! x
mod diagnostic;
mod token;
mod token_set;
mod kind;
mod production;
mod grammar;
mod conflicts;
mod ebnf;
mod tree;
mod comments;
mod parse;
mod scope;
mod resolve;
mod names;
mod layout;
mod sharing;
mod print;
mod text_writer;
mod language;

pub use diagnostic::{Diagnostic, Errors};
pub use language::{Language, LanguageOptions, Parsed};

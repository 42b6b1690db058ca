//! A whole language from its declarations: a parser, a printer and a formatter from the formats of object types.
//!
//! A type says with one word of its declaration how it stands in the text of its language. A [`Language`] collects the types that
//! values of a root type can contain, and reads and prints their texts. There is no code for each language.
//!
//! ```
//! use object_core::prelude::*;
//! use object_syntax::Language;
//!
//! #[derive(Object)]
//! #[object(type_key = "calc.Expr", base)]
//! pub struct ExprNode {}
//!
//! #[derive(Object)]
//! #[object(type_key = "calc.Var", parent = ExprNode, format = "$name")]
//! #[structural_eq(var)]
//! pub struct VarNode { pub base: ExprNode, #[field(ignore)] pub name: Str }
//!
//! #[derive(Object)]
//! #[object(type_key = "calc.Int", parent = ExprNode, format = "$value")]
//! #[structural_eq(tree)]
//! pub struct IntNode { pub base: ExprNode, pub value: i64 }
//!
//! #[derive(Object)]
//! #[object(type_key = "calc.Add", parent = ExprNode, format = "$lhs + $rhs", precedence = 6)]
//! #[structural_eq(tree)]
//! pub struct AddNode { pub base: ExprNode, pub lhs: Expr, pub rhs: Expr }
//!
//! #[derive(Object)]
//! #[object(type_key = "calc.Let", parent = ExprNode, format = "let $var = $value in $body")]
//! #[structural_eq(tree, scope)]
//! pub struct LetNode {
//!     pub base: ExprNode,
//!     #[field(outer)]
//!     pub value: Expr,
//!     #[field(def)]
//!     pub var: Var,
//!     pub body: Expr,
//! }
//!
//! let language = Language::of::<Expr>()?;
//! let a = language.parse("let x = 1 in x + (2 + 3)")?.value;
//! let b = Let::new(Int::new(1), Var::new("y"), Int::new(7)); // another value
//! assert!(!structural_equal(&a, &b));
//! assert_eq!(language.print(&a)?.text(), "let x = 1 in x + (2 + 3)");
//! assert_eq!(language.print(&b)?.text(), "let y = 1 in 7");
//!
//! // A variable is equal to the one that is bound at the same place, whatever the names are.
//! let c = language.parse("let sum = 1 in sum + (2 + 3)")?.value;
//! assert!(structural_equal(&a, &c));
//!
//! let errors = language.parse("let x = 1 in y").unwrap_err();
//! assert_eq!(errors.to_string(), "\
//! error: nothing binds the name `y` here
//!  --> text:1:14
//!   |
//! 1 | let x = 1 in y
//!   |              ^
//!   |
//! help: did you mean `x`?");
//! # Ok::<(), Error>(())
//! ```
//!
//! # Texts
//! - The [table of `object_format`] has the notation of formats. A type without a format has the form of its repr:
//!   `calc.Int(value=1)`; a variable without a format is its name.
//! - A variable stands with its whole format where a field marked `def` or `def_simple` introduces it, and as its name elsewhere. Scopes
//!   are those of structural equality: names that are bound inside of an object of a type marked `scope` end with it. The printer
//!   chooses another name where the own name of a variable would mean another variable, and puts a name that is not a plain word, or a
//!   word of the language, in backquotes.
//! - Brackets around operands follow from `precedence` and `associativity`. A construct without a precedence, such as `let`, holds its
//!   operands less tightly than every operator.
//! - Texts and bytes, shapes, tensors, data types and values of the type `Any` stand as their reprs. An object of the kind `dag` that
//!   has several places is shown once, `%0 = ...`, and at the further places as `%0`. Other objects are repeated, unless the text would
//!   be far longer than the graph is large.
//! - Lists accept a separator after their last element.
//!
//! # Readers
//! A reader looks at up to four tokens to choose between the formats of the types that fit, and never goes back. [`Language::of`]
//! reports two formats between which it could not choose, with an example. Time and memory are linear in the text; only memory
//! bounds the depth, and [`LanguageOptions::limits`]. After a mistake, a reader goes on at the next element of a list, so one reading
//! reports all mistakes.
//!
//! [table of `object_format`]: object_format

mod diagnostic;
mod location;
mod token;
mod token_set;
mod kind;
mod production;
mod grammar;
mod conflicts;
mod ebnf;
mod tree_sitter;
mod tree;
mod comments;
mod parse;
mod scope;
// Tests of the workspace run its examples.
#[cfg(all(doc, not(doctest)))]
pub mod guide;
mod occurrences;
mod unread;
mod resolve;
mod read;
mod editor;
mod names;
mod layout;
mod sharing;
mod print;
mod text_writer;
mod language;

pub use editor::{OutlineEntry, PlaceAt, Reading, Suggestion, SuggestionKind};
pub use language::{Language, LanguageOptions};
pub use location::Location;
pub use object_core::diagnostic::{Diagnostic, Errors};
pub use occurrences::Occurrence;
pub use read::Parsed;

//! [`Reading`]: what an editor shows about a text, from one reading, also where the text has mistakes.

mod outline;
mod place;
mod suggestions;

use std::ops::Range;
use std::sync::Arc;

use object_core::diagnostic::{Diagnostic, Errors};

pub use outline::OutlineEntry;
pub use place::PlaceAt;
pub use suggestions::{Suggestion, SuggestionKind};
pub(crate) use suggestions::{check_name, suggestions};

use crate::comments::ElementTokens;
use crate::grammar::Grammar;
use crate::occurrences::{Declaration, Occurrence};
use crate::read::{Parsed, Syntax, read};
use crate::token::Token;
use crate::tree::{TreeId, Trees};

/// A text as an editor needs it. It is complete also where the text has mistakes: elements of lists without mistakes have all facts,
/// and elements with a mistake those before it.
///
/// ```
/// # use object_core::prelude::*;
/// # #[derive(Object)]
/// # #[object(type_key = "reading.Expr", base)]
/// # pub struct ExprNode {}
/// # #[derive(Object)]
/// # #[object(type_key = "reading.Var", parent = ExprNode, format = "$name")]
/// # #[structural_eq(var)]
/// # pub struct VarNode { pub base: ExprNode, #[field(ignore)] pub name: Str }
/// # #[derive(Object)]
/// # #[object(type_key = "reading.Lambda", parent = ExprNode, format = "\\$param. $body")]
/// # #[structural_eq(tree, scope)]
/// # pub struct LambdaNode { pub base: ExprNode, #[field(def)] pub param: Var, pub body: Expr }
/// let language = object_syntax::Language::of::<Expr>()?;
/// let reading = language.reading(r"\x. \y. x");
/// let names: Vec<_> = reading.occurrences().iter().map(|it| (it.range.start, it.declaration)).collect();
/// assert_eq!(names, [(1, 0), (5, 1), (8, 0)]);
/// assert_eq!(reading.outline()[0].name, "x");
/// let words = language.suggestions(r"\x. \y. ", 8);
/// assert_eq!(words.iter().map(|it| it.text.as_str()).collect::<Vec<_>>(), ["x", "y"]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct Reading {
    grammar: Arc<Grammar>,
    source: String,
    parsed: Option<Parsed>,
    errors: Errors,
    tokens: Vec<Token>,
    trees: Trees,
    root: TreeId,
    elements: Vec<ElementTokens>,
    occurrences: Vec<Occurrence>,
    declarations: Vec<Option<Declaration>>,
}

impl Reading {
    pub(crate) fn new(source: &str, syntax: Syntax<'_>, grammar: Arc<Grammar>) -> Self {
        let mut read = read(source, syntax, true);
        let parsed = read.take_parsed(source);
        let (occurrences, declarations) = read.log.sorted(source);
        Reading {
            grammar,
            source: source.to_owned(),
            parsed,
            errors: Errors::new(read.errors, source),
            tokens: read.tokens.all,
            trees: read.trees,
            root: read.root,
            elements: read.elements,
            occurrences,
            declarations,
        }
    }

    /// The text.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The value with the places of its parts; `None` for a text with mistakes.
    #[must_use]
    pub fn parsed(&self) -> Option<&Parsed> {
        self.parsed.as_ref()
    }

    /// The mistakes, in the order of the text.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.errors.diagnostics()
    }

    /// The names that mean variables, and the numbers of shared objects, in the order of the text. A free variable has no definition.
    #[must_use]
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// The elements of lists on lines of their own that have several lines, in the order of their starts.
    #[must_use]
    pub fn folds(&self) -> Vec<Range<usize>> {
        let range = |element: &ElementTokens| {
            let last = element.end.checked_sub(1).filter(|last| *last >= element.start)?;
            let range = self.tokens.get(element.start)?.start..self.tokens.get(last)?.end;
            self.source[range.clone()].contains('\n').then_some(range)
        };
        self.elements.iter().filter_map(range).collect()
    }
}

//! [`read`]: one reading of a text, with its value or its mistakes.

use std::ops::Range;

use object_core::Any;
use object_core::diagnostic::Diagnostic;
use object_core::limits::{Limit, Limits};
use object_core::print::{Lines, Path, Paths, PrintedText};

use crate::comments::ElementTokens;
use crate::grammar::Grammar;
use crate::location::{LocationField, Locator};
use crate::occurrences::OccurrenceLog;
use crate::parse::Parser;
use crate::resolve::Resolver;
use crate::token::Tokens;
use crate::tree::{Tree, TreeId, Trees};
use crate::unread::Unread;

/// The syntax of a language, for a reader.
#[derive(Clone, Copy)]
pub(crate) struct Syntax<'g> {
    pub(crate) grammar: &'g Grammar,
    /// The signs that begin a comment.
    pub(crate) comment: &'g str,
    pub(crate) has_free_variables: bool,
    /// The field for the places of objects, with the name of the file.
    pub(crate) location: Option<(&'g LocationField, &'g str)>,
    pub(crate) limits: Limits,
}

/// A value that was read, and the text with the places of its parts.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The value.
    pub value: Any,
    /// The text, which finds the pieces of a path or an object, and underlines them.
    pub text: PrintedText,
}

/// One reading of a text.
pub(crate) struct Read {
    /// The value; `None` for a text with mistakes.
    pub(crate) value: Option<Any>,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) tokens: Tokens,
    pub(crate) trees: Trees,
    pub(crate) root: TreeId,
    /// The elements of lists on lines of their own, in the order of their starts.
    pub(crate) elements: Vec<ElementTokens>,
    pub(crate) log: OccurrenceLog,
    spans: Vec<(Range<usize>, Path)>,
    paths: Paths,
}

impl Read {
    /// The reading of a text that is too large.
    fn refused(error: &object_core::Error) -> Self {
        let mut trees = Trees::default();
        let root = trees.add(Tree::Missing, 0..0);
        Read {
            value: None,
            errors: vec![Diagnostic::of_error(error, 0..0)],
            tokens: Tokens { all: Vec::new(), comments: Vec::new() },
            trees,
            root,
            elements: Vec::new(),
            log: OccurrenceLog::default(),
            spans: Vec::new(),
            paths: Paths::new(false),
        }
    }

    /// The value with the places of its text `source`, which are then no longer in the reading.
    pub(crate) fn take_parsed(&mut self, source: &str) -> Option<Parsed> {
        let value = self.value.take()?;
        let paths = std::mem::replace(&mut self.paths, Paths::new(false));
        let text = PrintedText::new(source.to_owned(), Lines::of(source), std::mem::take(&mut self.spans), paths);
        Some(Parsed { value, text })
    }
}

/// Reads `source`. The log of names is empty unless `has_log`.
pub(crate) fn read(source: &str, syntax: Syntax<'_>, has_log: bool) -> Read {
    let limits = syntax.limits;
    if let Err(error) = limits.check(Limit::Bytes, source.len() as u64) {
        return Read::refused(&error);
    }
    let tokens = Tokens::of(source, &syntax.grammar.literals, syntax.comment);
    if let Err(error) = limits.check(Limit::Nodes, tokens.all.len() as u64) {
        return Read::refused(&error);
    }
    let mut parser = Parser::new(source, syntax.grammar, &tokens.all, limits);
    let root = parser.run();
    let Parser { trees, mut errors, unread, elements, .. } = parser;
    let unread = Unread::new(source, &tokens.all, unread);
    let mut resolver = Resolver::new(syntax.grammar, &trees, &unread);
    resolver.has_free_variables = syntax.has_free_variables;
    resolver.locator = syntax.location.map(|(field, file)| Locator::new(source, file, field));
    resolver.log = OccurrenceLog::new(has_log);
    let value = resolver.run(root);
    let Resolver { errors: of_values, spans, paths, log, .. } = resolver;
    errors.extend(of_values);
    let value = value.filter(|_| errors.is_empty());
    Read { value, errors, tokens, trees, root, elements, log, spans, paths }
}

//! [`Language`]: reads and prints the texts of a language.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use object_core::limits::{Limit, Limits};
use object_core::object::{FieldType, TypeSchema};
use object_core::print::{Lines, PrintedText};
use object_core::registry::Types;
use object_core::verify::{Verifier, Violation};
use object_core::{Any, AsAnyView, ErrorKind, Result};
use pretty::Arena;

use crate::comments::{Comments, ElementTokens};
use crate::conflicts::check;
use crate::diagnostic::{Diagnostic, Errors};
use crate::ebnf::ebnf;
use crate::grammar::Grammar;
use crate::parse::Parser;
use crate::print::Printing;
use crate::resolve::Resolver;
use crate::text_writer::TextWriter;
use crate::token::{Token, Tokens};

/// The most violations that a reader reports, as of other mistakes.
const MAX_VIOLATIONS: usize = 100;

/// The texts of a language: the values of one type, and of all types below it.
///
/// It is cheap to clone.
#[derive(Clone, Debug)]
pub struct Language {
    grammar: Arc<Grammar>,
    options: LanguageOptions,
}

/// The parts of the syntax of a language that belong to no type.
#[derive(Clone, Debug)]
#[must_use]
pub struct LanguageOptions {
    types: Types,
    comment: String,
    brackets: (String, String),
    width: usize,
    has_free_variables: bool,
    verifies: bool,
    limits: Limits,
}

impl Default for LanguageOptions {
    fn default() -> Self {
        LanguageOptions {
            types: Types::linked(),
            comment: "//".to_owned(),
            brackets: ("(".to_owned(), ")".to_owned()),
            width: 100,
            has_free_variables: false,
            verifies: false,
            limits: Limits::new(),
        }
    }
}

impl LanguageOptions {
    /// Comments from `//` to the end of the line, operands in round brackets, lines of 100 characters, the types of all linked
    /// crates, and no free names.
    pub fn new() -> Self {
        LanguageOptions::default()
    }

    /// The types of the language, also types that a schema declares.
    pub fn types(mut self, types: Types) -> Self {
        self.types = types;
        self
    }

    /// The signs that begin a comment; an empty text for a language without comments.
    pub fn comment(mut self, start: &str) -> Self {
        start.clone_into(&mut self.comment);
        self
    }

    /// The brackets around an operand.
    pub fn brackets(mut self, open: &str, close: &str) -> Self {
        self.brackets = (open.to_owned(), close.to_owned());
        self
    }

    /// The most characters of a line of a printed text. A piece that does not fit into a line has a line for each part.
    pub fn width(mut self, characters: usize) -> Self {
        self.width = characters;
        self
    }

    /// Whether a name that nothing binds means a free variable, the same one everywhere in the text. Otherwise it is an error.
    pub fn free_variables(mut self, yes: bool) -> Self {
        self.has_free_variables = yes;
        self
    }

    /// Whether a reader runs the verifiers of all types on a text without other mistakes, and reports each violation at its place.
    /// Otherwise a text with violations is read, so that a tool shows and repairs it. The words of fields about values need no option.
    pub fn verify(mut self, yes: bool) -> Self {
        self.verifies = yes;
        self
    }

    /// The largest text, the deepest tree, and the most values that a reader accepts.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The language of the values of the type `T`: a handle, or a container of handles.
    ///
    /// # Errors
    /// As [`language_of`](Self::language_of).
    pub fn language<T: FieldType>(self) -> Result<Language> {
        self.language_of(&T::schema())
    }

    /// The language of the values of the type `root`.
    ///
    /// # Errors
    /// [`Malformed`](object_core::ErrorKind::Malformed) for a format with a mistake that the macro of the type could not see, and
    /// for two formats between which a reader cannot choose; it names both types, and an example.
    /// [`NotSerializable`](object_core::ErrorKind::NotSerializable) for a field of a type without a text, such as a function.
    pub fn language_of(self, root: &TypeSchema) -> Result<Language> {
        let grammar = Grammar::new(root, &self.types, (&self.brackets.0, &self.brackets.1))?;
        check(&grammar)?;
        Ok(Language { grammar: Arc::new(grammar), options: self })
    }
}

/// A value that was read, and the text with the places of its parts.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The value.
    pub value: Any,
    /// The text, which finds the pieces of a path or an object, and underlines them.
    pub text: PrintedText,
}

impl Language {
    /// The language of the values of the type `T`, with the [usual options](LanguageOptions::new).
    ///
    /// # Errors
    /// As [`LanguageOptions::language_of`].
    pub fn of<T: FieldType>() -> Result<Self> {
        LanguageOptions::new().language::<T>()
    }

    /// Reads `source`.
    ///
    /// # Errors
    /// All mistakes of the text, up to 100.
    pub fn parse(&self, source: &str) -> Result<Parsed, Errors> {
        self.parse_file(source, "text")
    }

    /// Reads `source`, the text of a file with this name, which messages show.
    ///
    /// # Errors
    /// All mistakes of the text, up to 100.
    pub fn parse_file(&self, source: &str, name: &str) -> Result<Parsed, Errors> {
        self.read(source, name).map(|(parsed, ..)| parsed)
    }

    /// The text `source` in the usual form: as [`print`](Self::print) writes its value, with its own names and its comments.
    /// Elements of lists that stand on lines of their own keep the blank lines between them, one at most. A comment inside of an
    /// element stands before it.
    ///
    /// # Errors
    /// All mistakes of the text, up to 100.
    pub fn format(&self, source: &str) -> Result<String, Errors> {
        let (parsed, tokens, elements) = self.read(source, "text")?;
        let mut comments = Comments::of(source, &tokens, &elements);
        let (first, last) = (std::mem::take(&mut comments.first), std::mem::take(&mut comments.last));
        let body = self.write(&parsed.value, Some(comments)).map_err(|error| {
            let diagnostic = Diagnostic::new(error.kind(), 0..source.len(), error.message());
            Errors::new(vec![diagnostic], source, "text")
        })?;
        let lines = first.into_iter().chain([body.into_text()]).chain(last);
        Ok(lines.map(|line| line + "\n").collect())
    }

    /// Reads `source`. The tokens and the elements on lines of their own have the places of its comments.
    fn read(&self, source: &str, name: &str) -> Result<(Parsed, Tokens, Vec<ElementTokens>), Errors> {
        let all_errors = |errors: Vec<Diagnostic>| Errors::new(errors, source, name);
        let limits = self.options.limits;
        if let Err(error) = limits.check(Limit::Bytes, source.len() as u64) {
            return Err(all_errors(vec![Diagnostic::new(error.kind(), 0..0, error.message())]));
        }
        let tokens = Tokens::of(source, &self.grammar.literals, &self.options.comment);
        if let Err(error) = limits.check(Limit::Nodes, tokens.all.len() as u64) {
            return Err(all_errors(vec![Diagnostic::new(error.kind(), 0..0, error.message())]));
        }
        let mut parser = Parser::new(source, &self.grammar, &tokens, limits);
        let root = parser.run();
        let Parser { trees, mut errors, unread, elements, .. } = parser;
        let mut resolver = Resolver::new(&self.grammar, &trees, self.options.has_free_variables);
        let value = resolver.run(root);
        let Resolver { errors: of_values, spans, paths, .. } = resolver;
        // A mistake in a piece that was not read as a whole follows from the mistake before it, and a name may be bound there.
        let is_unread = |range: &Range<usize>| unread.iter().any(|it| it.start <= range.start && range.end <= it.end);
        let unread_tokens = tokens.all.iter().map(Token::range).filter(is_unread);
        let names: HashSet<&str> = unread_tokens.map(|range| &source[range]).collect();
        let follows = |it: &Diagnostic| {
            is_unread(&it.range) || it.kind == ErrorKind::BadReference && names.contains(&source[it.range.clone()])
        };
        errors.extend(of_values.into_iter().filter(|it| unread.is_empty() || !follows(it)));
        match value.filter(|_| errors.is_empty()) {
            Some(value) => {
                let text = PrintedText::new(source.to_owned(), Lines::of(source), spans, paths);
                let violations = if self.options.verifies { self.violations(&value, &text) } else { Vec::new() };
                match violations.is_empty() {
                    true => Ok((Parsed { value, text }, tokens, elements)),
                    false => Err(all_errors(violations)),
                }
            }
            None => Err(all_errors(errors)),
        }
    }

    /// The violations of the checks in declarations, as mistakes of the text.
    fn violations(&self, value: &Any, text: &PrintedText) -> Vec<Diagnostic> {
        let found = match Verifier::new().limits(self.options.limits).verify(value) {
            Ok(found) => found,
            Err(error) => return vec![Diagnostic::new(error.kind(), 0..0, error.message())],
        };
        let diagnostic = |violation: &Violation| {
            let range = text.pieces_of(&violation.path()).into_iter().next().unwrap_or(0..0);
            Diagnostic::new(ErrorKind::CheckFailed, range, format!("{} [{}]", violation.message(), violation.rule()))
        };
        found.iter().take(MAX_VIOLATIONS).map(diagnostic).collect()
    }

    /// Prints `value`. The text knows the places of its pieces. A variable has another name than its own where that means
    /// another variable.
    ///
    /// # Errors
    /// [`NotSerializable`](object_core::ErrorKind::NotSerializable) for a value that is not of the language, or in a field of any
    /// type for a value with variables.
    pub fn print(&self, value: &impl AsAnyView) -> Result<PrintedText> {
        self.write(value, None)
    }

    /// Prints `value`, with the names that its variables have and `comments` if it is the value of a text.
    fn write(&self, value: &impl AsAnyView, comments: Option<Comments>) -> Result<PrintedText> {
        let arena = Arena::new();
        let options = (self.options.comment.as_str(), self.options.width);
        let mut printing = Printing::new(&arena, &self.grammar, options, value.as_any_view(), comments);
        let doc = printing.run(value.as_any_view())?;
        let mut writer = TextWriter::default();
        // Writing to memory does not fail.
        let _ = doc.render_raw(self.options.width, &mut writer);
        Ok(writer.finish(printing.paths))
    }

    /// The grammar as rules of EBNF, in the notation of the specification of XML.
    #[must_use]
    pub fn grammar(&self) -> String {
        ebnf(&self.grammar)
    }
}

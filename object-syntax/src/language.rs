//! [`Language`]: reads and prints the texts of a language.

use std::ops::Range;
use std::sync::Arc;

use object_core::diagnostic::{Diagnostic, Errors};
use object_core::limits::Limits;
use object_core::object::{FieldType, TypeSchema};
use object_core::print::PrintedText;
use object_core::registry::Types;
use object_core::verify::{Verifier, Violation};
use object_core::{Any, AsAnyView, ErrorKind, Result};
use pretty::Arena;

use crate::comments::Comments;
use crate::conflicts::check;
use crate::diagnostic::errors;
use crate::ebnf::ebnf;
use crate::editor::{Reading, Suggestion, check_name, suggestions};
use crate::grammar::Grammar;
use crate::location::{Location, LocationField};
use crate::print::Printing;
use crate::read::{Parsed, Syntax, read};
use crate::text_writer::TextWriter;
use crate::tree_sitter::tree_sitter;

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
    location: Option<LocationField>,
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
            location: None,
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

    /// Each object that is read gets the place of its text: the value of `make` is the value of its field `field`. This holds for
    /// all types with a field of this name that is marked `ignore`, so that equality ignores the places. Where a format shows the
    /// field, the text says the value. The field stands in no list of fields by name.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_syntax::LanguageOptions;
    ///
    /// #[derive(Object)]
    /// #[object(type_key = "placed.Sum", format = "sum [$($numbers), *]")]
    /// #[structural_eq(tree)]
    /// pub struct SumNode {
    ///     pub numbers: Array<i64>,
    ///     #[field(ignore, default)]
    ///     pub place: Str,
    /// }
    ///
    /// let options = LanguageOptions::new().location("place", |it| Str::from(format!("{}:{}:{}", it.file, it.line, it.column)));
    /// let sum: Sum = options.language::<Sum>()?.parse_file("\n  sum [1, 2]", "sums.txt")?.value.cast()?;
    /// assert_eq!(sum.place, "sums.txt:2:3");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn location<T: Into<Any>>(
        mut self,
        field: &str,
        make: impl Fn(&Location<'_>) -> T + Send + Sync + 'static,
    ) -> Self {
        self.location = Some(LocationField { name: field.to_owned(), make: Arc::new(move |it| make(it).into()) });
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
    /// [`UnknownField`](object_core::ErrorKind::UnknownField) if no type has the field for [locations](Self::location).
    pub fn language_of(self, root: &TypeSchema) -> Result<Language> {
        let location = self.location.as_ref().map(|field| field.name.as_str());
        let grammar = Grammar::new(root, &self.types, (&self.brackets.0, &self.brackets.1), location)?;
        check(&grammar)?;
        Ok(Language { grammar: Arc::new(grammar), options: self })
    }
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
        let syntax = Syntax { location: self.options.location.as_ref().map(|field| (field, name)), ..self.syntax() };
        let mut read = read(source, syntax, false);
        let Some(parsed) = read.take_parsed(source) else { return Err(errors(read.errors, source, name)) };
        let violations = if self.options.verifies { self.violations(&parsed) } else { Ok(Vec::new()) };
        let violation = |(range, it): (Range<usize>, Violation)| {
            Diagnostic::new(ErrorKind::CheckFailed, range, format!("{} [{}]", it.message(), it.rule()))
        };
        let diagnostics = match violations {
            Ok(found) if found.is_empty() => return Ok(parsed),
            Ok(found) => found.into_iter().map(violation).collect(),
            Err(error) => vec![Diagnostic::of_error(&error, 0..0)],
        };
        Err(errors(diagnostics, source, name))
    }

    /// Reads `source` as an editor needs it: names, outline and places are known also where the text has mistakes.
    #[must_use]
    pub fn reading(&self, source: &str) -> Reading {
        let syntax = Syntax { location: self.options.location.as_ref().map(|field| (field, "text")), ..self.syntax() };
        Reading::new(source, syntax, Arc::clone(&self.grammar))
    }

    /// The words, names and fields that can stand at the byte `offset` of `source`. The characters of a name before it count as
    /// typed so far. The texts are in alphabetical order, each once; none in a comment or a text in quotes, and none after a mistake
    /// that the reader cannot leave.
    #[must_use]
    pub fn suggestions(&self, source: &str, offset: usize) -> Vec<Suggestion> {
        suggestions(source, offset, self.syntax())
    }

    /// Whether `word` can stand in a text as the name of a variable.
    ///
    /// # Errors
    /// [`Malformed`](object_core::ErrorKind::Malformed) with the reason.
    pub fn check_name(&self, word: &str) -> Result<()> {
        check_name(word, self.syntax())
    }

    fn syntax(&self) -> Syntax<'_> {
        Syntax {
            grammar: &self.grammar,
            comment: &self.options.comment,
            has_free_variables: self.options.has_free_variables,
            location: None,
            limits: self.options.limits,
        }
    }

    /// The text `source` in the usual form: as [`print`](Self::print) writes its value, with its own names and its comments.
    /// Elements of lists that stand on lines of their own keep the blank lines between them, one at most. A comment inside of an
    /// element stands before it.
    ///
    /// # Errors
    /// All mistakes of the text, up to 100.
    pub fn format(&self, source: &str) -> Result<String, Errors> {
        let mut read = read(source, self.syntax(), false);
        let Some(parsed) = read.take_parsed(source) else { return Err(errors(read.errors, source, "text")) };
        let mut comments = Comments::of(source, &read.tokens, &read.elements);
        let (first, last) = (std::mem::take(&mut comments.first), std::mem::take(&mut comments.last));
        let body = self
            .write(&parsed.value, Some(comments))
            .map_err(|error| errors(vec![Diagnostic::of_error(&error, 0..source.len())], source, "text"))?;
        let lines = first.into_iter().chain([body.into_text()]).chain(last);
        Ok(lines.map(|line| line + "\n").collect())
    }

    /// The violations of the checks in declarations by a value that was read, each with the bytes of the text at its place.
    ///
    /// # Errors
    /// As [`Verifier::verify`], under the limits of the language.
    pub fn violations(&self, parsed: &Parsed) -> Result<Vec<(Range<usize>, Violation)>> {
        let found = Verifier::new().limits(self.options.limits).verify(&parsed.value)?;
        let piece = |it: &Violation| parsed.text.pieces_of(&it.path()).into_iter().next().unwrap_or(0..0);
        Ok(found.into_iter().map(|it| (piece(&it), it)).collect())
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

    /// The grammar for [tree-sitter](https://tree-sitter.github.io), the text of `grammar.json`: `tree-sitter generate grammar.json`
    /// makes a parser of it, with which editors colour and select. `name` is the name of the language in the functions of the
    /// parser: letters, digits and underscores.
    ///
    /// The parser accepts each text of the language, and some more: it knows no names, and asks for no brackets.
    #[must_use]
    pub fn tree_sitter(&self, name: &str) -> String {
        tree_sitter(&self.grammar, name, &self.options.comment).to_string()
    }
}

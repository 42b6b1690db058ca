//! [`Analysis`]: what an editor shows about a text; [`LanguageService`], which computes it.

use std::ops::Range;

/// The facts about one text that an editor shows. All ranges are bytes of the text.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    /// The mistakes of the text, and the violations of its rules.
    pub diagnostics: Vec<Diagnostic>,
    /// The outline of the text.
    pub symbols: Vec<Symbol>,
    /// Each name in the text that means something, in the order of the text. Names of one declaration have the same number.
    pub occurrences: Vec<Occurrence>,
    /// The pieces that an editor can fold.
    pub folds: Vec<Range<usize>>,
    /// Texts that an editor shows between the characters of the text, in its order.
    pub hints: Vec<Hint>,
}

/// A mistake in a text, or a violation of a rule of the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The bytes of the text.
    pub range: Range<usize>,
    /// How bad it is.
    pub severity: Severity,
    /// The name of the rule, if a rule has one.
    pub rule: Option<String>,
    /// The address of a page about the rule.
    pub page: Option<String>,
    /// The expected and the given text.
    pub message: String,
    /// Further places with a message each, such as the first of two definitions.
    pub related: Vec<(Range<usize>, String)>,
    /// Changes that mend the text.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// An error at a place, without a rule, other places and fixes.
    #[must_use]
    pub fn error(range: Range<usize>, message: impl Into<String>) -> Self {
        Diagnostic {
            range,
            severity: Severity::Error,
            rule: None,
            page: None,
            message: message.into(),
            related: Vec::new(),
            fixes: Vec::new(),
        }
    }
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The text has no meaning, or is not a valid program.
    Error,
    /// The text is probably not meant so.
    Warning,
    /// A note.
    Information,
}

/// A change of a text that mends a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The title in the menu of the editor.
    pub title: String,
    /// Pieces of the text with their replacements. They do not overlap.
    pub edits: Vec<(Range<usize>, String)>,
}

/// An entry of the outline of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name.
    pub name: String,
    /// The kind of the object.
    pub kind: SymbolKind,
    /// A short text after the name, such as a type.
    pub detail: Option<String>,
    /// The bytes of the whole construct.
    pub range: Range<usize>,
    /// The bytes of its name.
    pub name_range: Range<usize>,
    /// The entries inside of it.
    pub children: Vec<Symbol>,
}

/// The kind of an entry of the outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A module.
    Module,
    /// A function.
    Function,
    /// A variable.
    Variable,
    /// Any other object.
    Object,
}

/// A name at a place of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The bytes of the name.
    pub range: Range<usize>,
    /// The number of the declaration that the name means.
    pub declaration: usize,
    /// Whether the name is introduced here.
    pub role: Role,
}

/// The role of a name at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is introduced here.
    Definition,
    /// It is used here.
    Use,
}

/// A text that an editor shows between the characters of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// The byte before which the hint stands.
    pub at: usize,
    /// The text, such as `: R.Tensor((n, 4), "float32")`.
    pub text: String,
}

/// A text that an editor offers at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The text.
    pub text: String,
    /// The kind of the text.
    pub kind: CompletionKind,
    /// A short text beside it, such as a signature.
    pub detail: Option<String>,
    /// Its documentation, in Markdown.
    pub documentation: Option<String>,
}

/// The kind of a completion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A word of the syntax.
    Keyword,
    /// A name in scope.
    Name,
    /// A field of an object.
    Field,
    /// A function or an operator of the language.
    Operator,
}

/// A language as an editor sees it.
///
/// A service may keep the results of earlier texts of the same document, so that it computes only the changed pieces again. No
/// method panics for any text, and each is bounded in time and memory.
pub trait LanguageService: Send {
    /// The facts about `text`, the text of the file with this name.
    fn analyze(&mut self, name: &str, text: &str) -> Analysis;

    /// The documentation of the construct at a byte of the text, in Markdown, and the bytes that it is about.
    fn hover(&mut self, name: &str, text: &str, offset: usize) -> Option<(Range<usize>, String)>;

    /// The texts that can stand at a byte of the text, whose last characters may already stand before it.
    fn complete(&mut self, name: &str, text: &str, offset: usize) -> Vec<Completion>;

    /// The text in the usual form.
    ///
    /// # Errors
    /// The mistakes of the text.
    fn format(&mut self, name: &str, text: &str) -> Result<String, Vec<Diagnostic>>;

    /// Whether `word` can be the name of a variable; the answer says why not.
    ///
    /// # Errors
    /// A message for the user who wants the name.
    fn check_name(&self, word: &str) -> Result<(), String>;
}

//! The errors of a script: [`malformed`], and [`of_faults`] for the errors of the syntax.

use std::ops::Range;

use object_core::diagnostic::Diagnostic;
use object_core::{ErrorKind, nearest};
use object_python_syntax::SyntaxFault;
use ruff_text_size::TextRange;

use crate::lines::line_start;

/// The words with which statements begin.
const STATEMENTS: [&str; 12] =
    ["return", "with", "for", "while", "if", "elif", "else", "def", "class", "pass", "from", "import"];

/// The bytes of a range.
pub(crate) fn bytes(range: TextRange) -> Range<usize> {
    range.start().to_usize()..range.end().to_usize()
}

/// An error at a place of a script.
pub(crate) fn malformed(range: Range<usize>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(ErrorKind::Malformed, range, message)
}

/// The errors of the syntax of `source`.
pub(crate) fn of_faults(faults: Vec<SyntaxFault>, source: &str) -> Vec<Diagnostic> {
    let mut last_line = None;
    let diagnostic = |SyntaxFault { range, message }: SyntaxFault| {
        let line = line_start(source, range.start);
        let mut diagnostic = malformed(range, message);
        // Further errors of a line follow from the first one.
        if last_line != Some(line) {
            diagnostic.hint = statement_hint(&source[line..]);
        }
        last_line = Some(line);
        diagnostic
    };
    faults.into_iter().map(diagnostic).collect()
}

/// The statement that a line probably begins with: its first word is none, is near to one, and stands before another word.
fn statement_hint(line: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let line = line.trim_start_matches([' ', '\t']);
    let (word, rest) = line.split_at(line.find(|c| !is_word(c))?);
    let operand = rest.trim_start_matches([' ', '\t']);
    let has_operand = operand.len() < rest.len() && operand.starts_with(|c| is_word(c) || c == '"' || c == '\'');
    if !has_operand || STATEMENTS.contains(&word) {
        return None;
    }
    Some(format!("did you mean `{}`?", nearest(word, STATEMENTS)?))
}

//! [`show`]: an error of the macro as the compiler shows it, with the line of source that it points at.

use std::fmt::Write;

/// The text of one error in the file `path` with the text `source`.
///
/// ```text
/// error: the first line of the message
///        its other lines
///  --> path:5:23
///   |
/// 5 | #[structural_eq(tree, dag)]
///   |                       ^^^
/// ```
pub(super) fn show(error: &syn::Error, path: &str, source: &str) -> String {
    let (start, end) = (error.span().start(), error.span().end());
    assert!(
        start.line == end.line && start.column < end.column,
        "{path}:{}: a case has the tokens of a mistake on one line: {error}",
        start.line
    );
    let line = source.lines().nth(start.line - 1).unwrap_or_default();
    let number = start.line.to_string();
    let margin = " ".repeat(number.len());
    let message = error.to_string().replace('\n', "\n       ");
    let (indent, marks) = (" ".repeat(start.column), "^".repeat(end.column - start.column));
    let mut text = String::new();
    let _ = writeln!(text, "error: {message}\n{margin}--> {path}:{number}:{}", start.column + 1);
    let _ = writeln!(text, "{margin} |\n{number} | {line}\n{margin} | {indent}{marks}");
    text
}

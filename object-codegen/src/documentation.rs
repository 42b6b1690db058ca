//! Documentation as text of a comment or a docstring: no documentation ends the comment, or is code of the language.

use object_core::inert;

/// Whether the character ends a line for some language or editor, and so a comment of one line: the line breaks of
/// `str.splitlines` of Python, which contain the ones of Unicode.
fn is_line_break(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The lines of a documentation for comments that end with the line, without blank lines at its ends. Other characters
/// that act on an editor are escaped.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n");
    let text = text.trim_matches(|c: char| c.is_whitespace() || is_line_break(c));
    if text.is_empty() {
        return Vec::new();
    }
    text.split(is_line_break).map(|line| inert(line.trim_end()).to_string()).collect()
}

/// The lines for a comment between `/*` and `*/`, each after an asterisk or alone: no `*/` ends it, and `/*` gives no
/// warning. A line that ends in a backslash or its trigraph joins the next one, which begins with white space and an
/// asterisk, so no mark arises from two lines.
pub(crate) fn block_comment_lines(text: &str) -> Vec<String> {
    lines(text).into_iter().map(|line| line.replace("*/", "* /").replace("/*", "/ *")).collect()
}

/// The lines for a literal in three double quotes. No line is a marker of a region, which begins with `#`.
pub(crate) fn docstring_lines(text: &str) -> Vec<String> {
    lines(text).iter().map(|line| docstring_line(line)).collect()
}

fn docstring_line(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        let is_last_of_quotes = !rest.as_str().is_empty() && !rest.as_str().starts_with('"');
        match c {
            '\\' => escaped.push_str("\\\\"),
            // The closing quotes may follow the line at once.
            '"' if !is_last_of_quotes => escaped.push_str("\\\""),
            '#' if escaped.trim().is_empty() && rest.as_str().trim_start().starts_with("tschema:") => {
                escaped.push_str("\\x23");
            }
            c => escaped.push(c),
        }
    }
    escaped
}

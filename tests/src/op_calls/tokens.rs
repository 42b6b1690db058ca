//! Texts with nested brackets: [`split`] and [`strip_call`].

/// The parts of `text` between separators that are outside of brackets and quotes.
pub(super) fn split<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut parts, mut depth, mut start, mut quoted) = (Vec::new(), 0_i32, 0, false);
    for (at, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 && !quoted && at >= start && text[at..].starts_with(separator) {
            parts.push(text[start..at].trim());
            start = at + separator.len();
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// The text between the brackets of `name(...)`.
pub(super) fn strip_call<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(')')
}

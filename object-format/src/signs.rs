//! The characters of words and signs.

/// Whether a token is a word: a name, or names with dots between them.
#[must_use]
pub fn is_word(token: &str) -> bool {
    token.split('.').all(|part| {
        let mut chars = part.chars();
        chars.next().is_some_and(is_name_start) && chars.all(is_name_part)
    })
}

/// Whether a name can begin with `c`.
#[must_use]
pub fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Whether a name can go on with `c`.
#[must_use]
pub fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether `c` is always a token of its own.
#[must_use]
pub fn stands_alone(c: char) -> bool {
    matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';')
}

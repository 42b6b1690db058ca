//! The syntax of names and labels in a schema.

/// Letters, digits and `_`, without a digit in front.
pub(super) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first == '_' || first.is_ascii_alphabetic())
        && chars.all(|char| char == '_' || char.is_ascii_alphanumeric())
}

/// The names of the fields in a label, or what is wrong with it.
pub(super) fn placeholders(label: &str) -> Result<Vec<&str>, String> {
    let mut names = Vec::new();
    let mut rest = label;
    while let Some(at) = rest.find(['{', '}']) {
        let open = rest[at..].strip_prefix('{').ok_or("there is a `}` without a `{`")?;
        let (inside, after) = open.split_once('}').ok_or("there is a `{` without a `}`")?;
        let name = inside.strip_suffix(":?").unwrap_or(inside);
        if !is_name(name) {
            return Err(format!("`{{{inside}}}` is not the name of a field"));
        }
        names.push(name);
        rest = after;
    }
    Ok(names)
}

//! The parts of a label such as `{name}: {value:?}`, the text that stands for an object as a map key in paths.

/// A part of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelPart<'l> {
    /// Text that is written as it is.
    Text(&'l str),
    /// `{path}`: the value of the field, text without quotes. `{path:?}`: the value of the field, text in quotes.
    Field {
        /// The name of the field, or the names of fields that lead to it, with dots between them.
        path: &'l str,
        /// Whether text is written in quotes.
        is_quoted: bool,
    },
}

/// Splits a label into its parts.
///
/// # Errors
/// A message about a brace without its counterpart.
pub(crate) fn label_parts(label: &str) -> Result<Vec<LabelPart<'_>>, &'static str> {
    let mut parts = Vec::new();
    let mut rest = label;
    while let Some(at) = rest.find(['{', '}']) {
        let (text, from_brace) = rest.split_at(at);
        let open = from_brace.strip_prefix('{').ok_or("there is a `}` without a `{`")?;
        let (inside, after) = open.split_once('}').ok_or("there is a `{` without a `}`")?;
        let without_suffix = inside.strip_suffix(":?");
        parts.push(LabelPart::Text(text));
        parts.push(LabelPart::Field { path: without_suffix.unwrap_or(inside), is_quoted: without_suffix.is_some() });
        rest = after;
    }
    parts.push(LabelPart::Text(rest));
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_labels() {
        let field = |path, is_quoted| LabelPart::Field { path, is_quoted };
        let parts =
            [LabelPart::Text("a "), field("x", false), LabelPart::Text(": "), field("y", true), LabelPart::Text("")];
        assert_eq!(label_parts("a {x}: {y:?}").as_deref(), Ok(&parts[..]));
        assert!(label_parts("{x").is_err() && label_parts("x}").is_err());
    }
}

//! The parts of a label such as `{name}: {value:?}`, the text that stands for an object as a map key in paths.

/// A part of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelPart<'l> {
    /// Text that is written as it is.
    Text(&'l str),
    /// The value of a field.
    Field {
        /// The name of the field, or the names of fields that lead to it, with dots between them.
        path: &'l str,
        /// The form of text.
        form: TextForm,
    },
}

/// The form of a text in a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// `{path}`: as it is.
    Plain,
    /// `{path:?}`: in quotes.
    Quoted,
    /// `{path:word}`: a name of a script, see [`write_word`](super::quote::write_word).
    Word,
}

impl TextForm {
    /// The text between the path and the brace.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            TextForm::Plain => "",
            TextForm::Quoted => ":?",
            TextForm::Word => ":word",
        }
    }
}

/// The name of a field, and the form after it.
fn field_part(inside: &str) -> LabelPart<'_> {
    let found = [TextForm::Quoted, TextForm::Word].into_iter().find(|form| inside.ends_with(form.suffix()));
    let form = found.unwrap_or(TextForm::Plain);
    LabelPart::Field { path: inside.strip_suffix(form.suffix()).unwrap_or(inside), form }
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
        parts.push(LabelPart::Text(text));
        parts.push(field_part(inside));
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
        let field = |path, form| LabelPart::Field { path, form };
        let text = LabelPart::Text;
        let parts = [text("a "), field("x", TextForm::Plain), text(": "), field("y", TextForm::Quoted), text("")];
        assert_eq!(label_parts("a {x}: {y:?}").as_deref(), Ok(&parts[..]));
        assert_eq!(label_parts("{z.w:word}").as_deref(), Ok(&[text(""), field("z.w", TextForm::Word), text("")][..]));
        assert!(label_parts("{x").is_err() && label_parts("x}").is_err());
    }
}

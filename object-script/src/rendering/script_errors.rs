//! [`ScriptErrors`]: the errors of a script as text with underlined places.

use std::fmt::Write;

use annotate_snippets::{AnnotationKind, Level, Renderer};
use object_core::inert;

use super::Excerpt;
use crate::parse::Errors;

/// The characters of a message that are left for the names around it.
const ROOM_FOR_NAMES: usize = 300;

/// The errors of a script with its text.
pub struct ScriptErrors<'a> {
    /// The name of the file.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
    /// The errors.
    pub errors: &'a Errors,
    /// The largest number of characters of a message.
    pub max_message: usize,
}

impl ScriptErrors<'_> {
    /// The errors, each with its place in the text, as far as a message has room for them.
    #[must_use]
    pub fn rendered(&self, renderer: &Renderer) -> String {
        let ScriptErrors { name, text, errors, max_message } = self;
        let errors = errors.diagnostics();
        let mut result = format!("the script has {} error{}", errors.len(), if errors.len() == 1 { "" } else { "s" });
        let mut room = max_message.saturating_sub(result.len() + ROOM_FOR_NAMES);
        for (index, it) in errors.iter().enumerate() {
            let end = it.range.end.min(text.len());
            let start = it.range.start.min(end);
            let excerpt = Excerpt { text, place: start..end, context: 0, file: (*name).to_owned() };
            let snippet = excerpt.snippet(AnnotationKind::Primary, None);
            let mut group = Level::ERROR.primary_title(inert(&it.message).to_string()).element(snippet);
            if let Some(hint) = &it.hint {
                group = group.element(Level::HELP.message(inert(hint).to_string()));
            }
            let shown = renderer.render(&[group]).to_string();
            // The first error has a place in any case.
            let rest = errors.len() - index;
            room = match room.checked_sub(shown.chars().count() + 2) {
                Some(room) => room,
                None if index == 0 => 0,
                None => {
                    let _ = write!(result, "\n\n{rest} more; a higher limit of messages makes room for them");
                    break;
                }
            };
            let _ = write!(result, "\n\n{shown}");
        }
        result
    }
}

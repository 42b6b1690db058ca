//! The mistakes of a text, as lines of it with the places underlined.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use object_core::diagnostic::{Diagnostic, Errors};

/// The mistakes of `source`, the text of a file with this name. They display as the lines of the text with the places underlined.
pub(crate) fn errors(diagnostics: Vec<Diagnostic>, source: &str, name: &str) -> Errors {
    Errors::new(diagnostics, source).shown_by(underlined, source, name)
}

/// With the hint that the user probably means the text `replacement`.
pub(crate) fn or_replace_with(mut diagnostic: Diagnostic, replacement: Option<String>) -> Diagnostic {
    diagnostic.hint = replacement.as_ref().map(|near| match near.contains('`') {
        true => format!("did you mean {near}?"),
        false => format!("did you mean `{near}`?"),
    });
    diagnostic.replacement = replacement;
    diagnostic
}

fn underlined(diagnostics: &[Diagnostic], source: &str, name: &str) -> String {
    let renderer = Renderer::plain();
    let shown = |it: &Diagnostic| {
        let annotation = AnnotationKind::Primary.span(it.range.clone());
        let snippet = Snippet::source(source).path(name).annotation(annotation);
        let mut report = vec![Level::ERROR.primary_title(it.message.as_str()).element(snippet)];
        report.extend(it.hint.as_deref().map(|hint| Group::with_title(Level::HELP.secondary_title(hint))));
        renderer.render(&report)
    };
    diagnostics.iter().map(shown).collect::<Vec<_>>().join("\n")
}

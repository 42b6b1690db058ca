//! Places of a script as underlined lines of a diagnostic.

use std::io::IsTerminal;

use annotate_snippets::{Annotation, AnnotationKind, Renderer, Snippet};
use object_core::access_path::AccessPath;
use object_ir::script::print::Script;

/// The number of lines around the underlined one.
const CONTEXT: usize = 1;

/// The renderer of diagnostics on `stream`: with colours on a terminal, unless the environment sets `NO_COLOR`.
pub(crate) fn renderer(stream: &impl IsTerminal) -> Renderer {
    let has_colours = stream.is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if has_colours { Renderer::styled() } else { Renderer::plain() }
}

/// The lines of `script` around the place `path`, which is underlined. Of a place with several lines, the first one is.
/// `None` if the script shows neither the place nor a place around it.
pub(crate) fn snippet<'s>(
    script: &'s Script,
    file: &str,
    path: &AccessPath,
    kind: AnnotationKind,
    label: Option<String>,
) -> Option<Snippet<'s, Annotation<'s>>> {
    let place = script.pieces_of(path).into_iter().next()?;
    let text = script.text();
    let line_start = |offset: usize| text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let line_end = |offset: usize| text[offset..].find('\n').map_or(text.len(), |end| offset + end);
    let (mut start, mut end) = (line_start(place.start), line_end(place.start));
    let place = place.start..place.end.min(end);
    for _ in 0..CONTEXT {
        start = line_start(start.saturating_sub(1));
        end = line_end((end + 1).min(text.len()));
    }
    let number = 1 + text[..start].matches('\n').count();
    let annotation = kind.span(place.start - start..place.end - start).label(label);
    Some(Snippet::source(&text[start..end]).path(file.to_owned()).line_start(number).fold(false).annotation(annotation))
}

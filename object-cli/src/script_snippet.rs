//! Places of a script as underlined lines of a diagnostic.

use std::io::IsTerminal;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Renderer, Snippet};
use object_core::access_path::AccessPath;
use object_ir::script::SourcePlaces;
use object_ir::script::print::Script;

use crate::source::Source;

/// The number of lines around the underlined one.
const CONTEXT: usize = 1;

/// The renderer of diagnostics on `stream`: with colours on a terminal, unless the environment sets `NO_COLOR`.
pub(crate) fn renderer(stream: &impl IsTerminal) -> Renderer {
    let has_colours = stream.is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if has_colours { Renderer::styled() } else { Renderer::plain() }
}

/// The text that shows the places of a program: the script in its file, or the program as the printer writes it.
pub(crate) struct ShownScript<'a> {
    source: &'a Source,
    script: &'a Script,
    given: Option<SourcePlaces<'a>>,
}

impl<'a> ShownScript<'a> {
    /// The text for the program of `source`, which is `script` as the printer writes it; `given` is the text of the file if it
    /// is a script.
    pub(crate) fn new(source: &'a Source, script: &'a Script, given: Option<&'a str>) -> Self {
        // The file was read before, so its syntax has no errors.
        ShownScript { source, script, given: given.and_then(|given| SourcePlaces::new(given, script).ok()) }
    }

    /// The line and the column in the file, if it is a script.
    pub(crate) fn line_column_of(&self, path: &AccessPath) -> Option<(usize, usize)> {
        self.given.as_ref()?.line_column_of(path)
    }

    /// The lines around the place `path`, which is underlined, with the name of the file and the path.
    pub(crate) fn snippet(
        &self,
        path: &AccessPath,
        kind: AnnotationKind,
        label: Option<String>,
    ) -> Option<Snippet<'a, Annotation<'a>>> {
        if let Some(given) = &self.given
            && let Some(place) = given.piece_of(path)
        {
            return Some(lines(given.source(), place, format!("{} {path}", self.source), kind, label));
        }
        snippet(self.script, format!("script of {} {path}", self.source), path, kind, label)
    }
}

/// The lines of `script` around the place `path`, which is underlined. `None` if the script shows neither the place nor a place
/// around it.
pub(crate) fn snippet<'s>(
    script: &'s Script,
    file: String,
    path: &AccessPath,
    kind: AnnotationKind,
    label: Option<String>,
) -> Option<Snippet<'s, Annotation<'s>>> {
    let place = script.pieces_of(path).into_iter().next()?;
    Some(lines(script.text(), place, file, kind, label))
}

/// The lines of `text` around `place`, which is underlined. Of a place with several lines, the first one is.
fn lines(
    text: &str,
    place: Range<usize>,
    file: String,
    kind: AnnotationKind,
    label: Option<String>,
) -> Snippet<'_, Annotation<'_>> {
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
    Snippet::source(&text[start..end]).path(file).line_start(number).fold(false).annotation(annotation)
}

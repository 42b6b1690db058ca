//! Places of a script as underlined lines of a diagnostic.

use std::io::IsTerminal;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Renderer, Snippet};
use object_core::access_path::AccessPath;
use object_core::{brief_to, inert};
use object_script::SourcePlaces;
use object_script::print::Script;

use crate::source::Source;

/// The number of lines around the underlined one.
const CONTEXT: usize = 1;

/// The number of characters of the longest part of a line in an excerpt.
const MAX_LINE: usize = 300;

/// Whether diagnostics on `stream` have colours: on a terminal, unless the environment sets `NO_COLOR`.
pub(crate) fn has_colours(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// The renderer of diagnostics on `stream`.
pub(crate) fn renderer(stream: &impl IsTerminal) -> Renderer {
    if has_colours(stream) { Renderer::styled() } else { Renderer::plain() }
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
    ) -> Option<Snippet<'static, Annotation<'static>>> {
        if let Some(given) = &self.given
            && let Some(place) = given.piece_of(path)
        {
            let file = format!("{} {path}", self.source);
            return Some(Excerpt { text: given.source(), place, context: CONTEXT, file }.snippet(kind, label));
        }
        snippet(self.script, format!("script of {} {path}", self.source), path, kind, label)
    }
}

/// The lines of `script` around the place `path`, which is underlined. `None` if the script shows neither the place nor a place
/// around it.
pub(crate) fn snippet(
    script: &Script,
    file: String,
    path: &AccessPath,
    kind: AnnotationKind,
    label: Option<String>,
) -> Option<Snippet<'static, Annotation<'static>>> {
    let place = script.pieces_of(path).into_iter().next()?;
    Some(Excerpt { text: script.text(), place, context: CONTEXT, file }.snippet(kind, label))
}

/// A place of a text for an excerpt.
pub(crate) struct Excerpt<'t> {
    pub(crate) text: &'t str,
    pub(crate) place: Range<usize>,
    /// The number of lines around the underlined one.
    pub(crate) context: usize,
    pub(crate) file: String,
}

impl Excerpt<'_> {
    /// The lines around the place, which is underlined. Of a place with several lines, the first one is. Long lines lose
    /// their middle, and the lines are [inert].
    pub(crate) fn snippet(self, kind: AnnotationKind, label: Option<String>) -> Snippet<'static, Annotation<'static>> {
        let Excerpt { text, place, context, file } = self;
        let line_start = |offset: usize| text[..offset].rfind('\n').map_or(0, |end| end + 1);
        let line_end = |offset: usize| text[offset..].find('\n').map_or(text.len(), |end| offset + end);
        let (mut start, mut end) = (line_start(place.start), line_end(place.start));
        let place = place.start..place.end.min(end);
        for _ in 0..context {
            start = line_start(start.saturating_sub(1));
            end = line_end((end + 1).min(text.len()));
        }
        let number = 1 + text[..start].matches('\n').count();
        let [before, marked, after] =
            [start..place.start, place.clone(), place.end..end].map(|part| shown(&text[part]));
        let marks = before.len()..before.len() + marked.len();
        let annotation = kind.span(marks).label(label.map(|label| inert(&label).to_string()));
        let file = inert(&file).to_string();
        Snippet::source(before + &marked + &after).path(file).line_start(number).fold(false).annotation(annotation)
    }
}

/// Lines or a part of a line, as an excerpt shows them.
fn shown(part: &str) -> String {
    let line = |line: &str| inert(&brief_to(line, MAX_LINE).to_string()).to_string();
    part.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

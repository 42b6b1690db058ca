//! Places of a script as underlined lines of a diagnostic.

use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Snippet};
use object_core::access_path::AccessPath;
use object_core::{brief_to, inert};

use crate::SourcePlaces;
use crate::lines::line_start;
use crate::print::Script;

/// The number of lines around the underlined one.
const CONTEXT: usize = 1;

/// The number of characters of the longest part of a line in an excerpt.
const MAX_LINE: usize = 300;

/// The text that shows the places of a program: the script in its file, or the program as the printer writes it.
pub struct ShownScript<'a> {
    name: &'a str,
    script: &'a Script,
    given: Option<SourcePlaces<'a>>,
}

impl<'a> ShownScript<'a> {
    /// The text for the program in the file `name`, which is `script` as the printer writes it; `given` is the text of the file
    /// if it is a script.
    #[must_use]
    pub fn new(name: &'a str, script: &'a Script, given: Option<&'a str>) -> Self {
        // The file was read before, so its syntax has no errors.
        ShownScript { name, script, given: given.and_then(|given| SourcePlaces::new(given, script).ok()) }
    }

    /// The line and the column in the file, if it is a script.
    #[must_use]
    pub fn line_column_of(&self, path: &AccessPath) -> Option<(usize, usize)> {
        self.given.as_ref()?.line_column_of(path)
    }

    /// The lines around the place `path`, which is underlined, with the name of the file and the path.
    #[must_use]
    pub fn snippet(
        &self,
        path: &AccessPath,
        kind: AnnotationKind,
        label: Option<String>,
    ) -> Option<Snippet<'static, Annotation<'static>>> {
        if let Some(given) = &self.given
            && let Some(place) = given.piece_of(path)
        {
            let file = format!("{} {path}", self.name);
            return Some(Excerpt { text: given.source(), place, context: CONTEXT, file }.snippet(kind, label));
        }
        snippet(self.script, format!("script of {} {path}", self.name), path, kind, label)
    }
}

/// The lines of `script` around the place `path`, which is underlined. `None` if the script shows neither the place nor a place
/// around it.
pub(super) fn snippet(
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
pub struct Excerpt<'t> {
    /// The text.
    pub text: &'t str,
    /// The bytes of the place.
    pub place: Range<usize>,
    /// The number of lines around the underlined one.
    pub context: usize,
    /// The name of the file.
    pub file: String,
}

impl Excerpt<'_> {
    /// The lines around the place, which is underlined. Of a place with several lines, the first one is. Long lines lose
    /// their middle, and the lines are [inert].
    #[must_use]
    pub fn snippet(self, kind: AnnotationKind, label: Option<String>) -> Snippet<'static, Annotation<'static>> {
        let Excerpt { text, place, context, file } = self;
        let line_end = |offset: usize| text[offset..].find('\n').map_or(text.len(), |end| offset + end);
        let (mut start, mut end) = (line_start(text, place.start), line_end(place.start));
        let place = place.start..place.end.min(end);
        for _ in 0..context {
            start = line_start(text, start.saturating_sub(1));
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

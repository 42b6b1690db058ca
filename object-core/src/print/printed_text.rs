//! [`PrintedText`]: a printed text with the places that it shows.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use crate::access_path::{AccessPath, AccessStep};
use crate::object::{AsAnyView, ObjectHandle};
use crate::print::paths::{Path, PathIndex, Paths};
use crate::table::Table;

/// A printed text. It displays as the text.
///
/// Each piece of the text that shows an object or a field knows the [`AccessPath`] of it, and an object can have several
/// pieces. Offsets are in bytes. A [`Printer`](crate::print::Printer) makes it.
#[derive(Clone, Debug)]
pub struct PrintedText {
    text: String,
    spans: Vec<(Range<usize>, Path)>,
    paths: Paths,
    pub(super) lines: Lines,
    /// The pieces by place, once something asks for them.
    places: OnceLock<Places>,
}

/// The lines of a printed text.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The start of the first line. The text before it shows no places and has no numbers.
    pub body: usize,
    /// The starts of the lines.
    pub starts: Vec<usize>,
    /// The pieces that are never underlined, in order: indentation and comments.
    pub exempt: Vec<Range<usize>>,
}

impl Lines {
    /// The lines of `text`. A line break at its end starts no line. Line breaks and the spaces after them are never underlined.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let breaks = text.match_indices('\n').map(|(end, _)| end);
        let spaces = |end: usize| text.len() - text[end..].trim_start().len();
        Lines {
            body: 0,
            starts: std::iter::once(0)
                .chain(breaks.clone().map(|end| end + 1).filter(|start| *start < text.len()))
                .collect(),
            exempt: breaks.map(|end| end..spaces(end)).collect(),
        }
    }

    /// The lines of the first `end` bytes of the text.
    fn truncate(&mut self, end: usize) {
        self.starts.iter_mut().for_each(|offset| *offset = (*offset).min(end));
        self.exempt.iter_mut().for_each(|range| *range = range.start.min(end)..range.end.min(end));
    }
}

/// The pieces of a text by their places.
#[derive(Clone, Debug)]
struct Places {
    index: PathIndex,
    /// The pieces by the id of the place.
    pieces: Table<u32, Vec<Range<usize>>>,
}

impl PrintedText {
    /// The text with the paths of its pieces, inner pieces before those around them. The pieces and lines may end after the text.
    #[must_use]
    pub fn new(text: String, mut lines: Lines, mut spans: Vec<(Range<usize>, Path)>, paths: Paths) -> Self {
        let end = text.len();
        spans.iter_mut().for_each(|(range, _)| *range = range.start.min(end)..range.end.min(end));
        lines.truncate(end);
        PrintedText { text, spans, paths, lines, places: OnceLock::new() }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text, without the places.
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }

    /// The pieces of the text with their places, inner pieces before those around them.
    pub fn spans(&self) -> impl Iterator<Item = (Range<usize>, AccessPath)> {
        self.spans.iter().map(|(range, path)| (range.clone(), self.paths.access_path(*path)))
    }

    /// The pieces of the text with their places as numbers of [`paths`](Self::paths).
    #[must_use]
    pub(crate) fn numbered_spans(&self) -> &[(Range<usize>, Path)] {
        &self.spans
    }

    /// The paths of the pieces.
    #[must_use]
    pub fn paths(&self) -> &Paths {
        &self.paths
    }

    /// The pieces that show the place `path`. If there are none, the pieces of the innermost place around it; and if the
    /// text shows no such place either, nothing.
    #[must_use]
    pub fn pieces_of(&self, path: &AccessPath) -> Vec<Range<usize>> {
        let places = self.places();
        let around = places.index.ids_to(path);
        around.iter().rev().find_map(|id| places.pieces.get(id).cloned()).unwrap_or_default()
    }

    /// The pieces that show `object`, in their order in the text. `root` is the value that the text shows.
    #[must_use]
    pub fn pieces_of_object(&self, root: &impl AsAnyView, object: &impl ObjectHandle) -> Vec<Range<usize>> {
        let values = self.paths.values(root.as_any_view());
        let object = Some(object.as_object().view().address());
        let shows = |path: &Path| values[path.index()].and_then(|value| Some(value.as_object()?.address())) == object;
        let mut pieces: Vec<_> =
            self.spans.iter().filter(|(_, path)| shows(path)).map(|(range, _)| range.clone()).collect();
        pieces.sort_by_key(|range| (range.start, range.end));
        pieces.dedup();
        pieces
    }

    /// Whether some piece of the text shows exactly the place `path`.
    #[must_use]
    pub fn shows(&self, path: &AccessPath) -> bool {
        let places = self.places();
        let around = places.index.ids_to(path);
        around.len() == path.steps().len() + 1 && around.last().is_some_and(|id| places.pieces.contains_key(id))
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| {
            let index = self.paths.index();
            let mut pieces: Table<u32, Vec<Range<usize>>> = Table::default();
            for (range, path) in &self.spans {
                pieces.entry(index.id(*path)).or_default().push(range.clone());
            }
            Places { index, pieces }
        })
    }

    /// The index of the paths of the text.
    #[must_use]
    pub(crate) fn path_index(&self) -> &PathIndex {
        &self.places().index
    }

    /// The steps from the place `around` to the place `path`, if `path` is in `around`.
    #[must_use]
    pub(crate) fn steps_below(&self, around: Path, path: Path) -> Option<Vec<AccessStep>> {
        let index = self.path_index();
        self.paths.steps_from(|it| index.id(it) == index.id(around), path)
    }

    /// The place that the innermost piece around the byte `offset` shows, the deepest place if there are several. `None`
    /// between the pieces.
    #[must_use]
    pub fn path_at(&self, offset: usize) -> Option<AccessPath> {
        let around = self.spans.iter().filter(|(range, _)| range.contains(&offset));
        let length = around.clone().map(|(range, _)| range.len()).min()?;
        let innermost = around.filter(|(range, _)| range.len() == length);
        innermost.map(|(_, path)| self.paths.access_path(*path)).max_by_key(|path| path.steps().len())
    }
}

impl fmt::Display for PrintedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

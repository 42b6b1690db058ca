//! [`Script`]: a printed text with the places that it shows.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use crate::print::doc::path::{Path, PathIndex, Paths};
use crate::print::doc::rendered::Rendered;
use object_core::access_path::{AccessPath, AccessStep};
use object_core::meter::{Charge, Meter};
use rustc_hash::FxHashMap;

/// A printed text. It displays as the text.
///
/// Each piece of the text that shows an object or a field knows the [`AccessPath`] of it, and an object can have several
/// pieces. Offsets are in bytes.
#[derive(Clone, Debug)]
pub struct Script {
    pub(crate) text: String,
    pub(crate) spans: Vec<(Range<usize>, Path)>,
    pub(crate) paths: Paths,
    /// The end of the metadata section.
    pub(crate) body: usize,
    /// The starts of lines after the section. An empty line between functions belongs to the line before it.
    pub(crate) line_starts: Vec<usize>,
    /// The pieces that are never underlined, in order: indentation and comments.
    pub(crate) exempt: Vec<Range<usize>>,
    /// The pieces by place, once something asks for them.
    places: OnceLock<Places>,
    /// The memory of the script.
    charge: Charge,
}

/// The pieces of a text by their places.
#[derive(Clone, Debug)]
struct Places {
    index: PathIndex,
    /// The pieces by the id of the place.
    pieces: FxHashMap<u32, Vec<Range<usize>>>,
}

impl Script {
    /// The rendered text, which may end before its last places. The metadata section ends at `body`.
    pub(crate) fn new(rendered: Rendered, body: usize, paths: Paths) -> Self {
        let Rendered { text, mut spans, mut line_starts, mut exempt, charge, .. } = rendered;
        let end = text.len();
        for range in spans.iter_mut().map(|(range, _)| range).chain(&mut exempt) {
            *range = range.start.min(end)..range.end.min(end);
        }
        line_starts.iter_mut().for_each(|offset| *offset = (*offset).min(end));
        Script { text, spans, paths, body, line_starts, exempt, places: OnceLock::new(), charge }
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

    /// The pieces that show the place `path`. If there are none, the pieces of the innermost place around it; and if the
    /// text shows no such place either, nothing.
    #[must_use]
    pub fn pieces_of(&self, path: &AccessPath) -> Vec<Range<usize>> {
        let places = self.places();
        let around = places.index.ids_to(path);
        around.iter().rev().find_map(|id| places.pieces.get(id).cloned()).unwrap_or_default()
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
            let mut pieces: FxHashMap<u32, Vec<Range<usize>>> = FxHashMap::default();
            for (range, path) in &self.spans {
                pieces.entry(index.id(*path)).or_default().push(range.clone());
            }
            Places { index, pieces }
        })
    }

    /// The account of the memory of the script.
    pub(crate) fn meter(&self) -> &Meter {
        self.charge.meter()
    }

    /// The index of the paths of the text.
    pub(crate) fn path_index(&self) -> &PathIndex {
        &self.places().index
    }

    /// The steps from the place `around` to the place `path`, if `path` is in `around`.
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

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

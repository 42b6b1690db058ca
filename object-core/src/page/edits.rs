//! [`PageEdits`]: the edits that a page of two texts shows.

use crate::access_path::AccessPath;
use crate::edit::{Edit, EditGroup, EditKind, EditScript, PlaceStep, Slot};
use crate::page::words::{ADDED, CHANGED, MOVED, REMOVED, RENAMED, UNWRAPPED, WRAPPED};

/// The edits between the values of two texts, by function and in the order of [`EditScript::groups`].
///
/// ```
/// use object_core::page::PageEdits;
/// use object_core::{Array, edit::edits};
///
/// let script = edits(&Array::from([1, 2]), &Array::from([1, 3]))?;
/// let edits = PageEdits::new(&script, |_, edit| (format!("{:?}", edit.kind), Vec::new())).summary("one edit").limit(20);
/// assert_eq!(edits.count(), 1);
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PageEdits {
    pub(super) shown: Vec<PageEdit>,
    /// The number of all edits.
    count: usize,
    /// Whether the search for corresponding objects ended at the limit of steps.
    pub(super) search_ended: bool,
    pub(super) summary: Vec<String>,
    /// The places of the elements of arrays that the left side alone has, and the right side alone.
    pub(super) elements: [Vec<AccessPath>; 2],
    /// The places of entries of maps with another name on the right, and the places there.
    pub(super) renamed: Vec<[AccessPath; 2]>,
}

/// One edit of a page.
#[derive(Clone, Debug)]
pub(super) struct PageEdit {
    /// The class and the key of the words.
    pub(super) class: &'static str,
    pub(super) title: String,
    pub(super) details: Vec<String>,
    /// The place of the edited unit.
    pub(super) place: String,
    /// The places of the changed parts on each side that has them.
    pub(super) parts: [Vec<AccessPath>; 2],
}

impl PageEdits {
    /// All edits of a script, each with the title and the lines about its parts that `describe` returns.
    #[must_use]
    pub fn new(script: &EditScript, describe: impl Fn(&EditGroup, &Edit) -> (String, Vec<String>)) -> Self {
        let mut edits = PageEdits::default();
        for group in script.groups() {
            for edit in group.whole.iter().chain(&group.edits) {
                let (title, details) = describe(&group, edit);
                let (class, place) = (class_of(edit.kind), edit.place_text());
                edits.shown.push(PageEdit { class, title, details, place, parts: parts(script, edit) });
                if edit.kind == EditKind::Rename {
                    edits.renamed.push(edit.paths());
                }
            }
        }
        edits.count = edits.shown.len();
        edits.search_ended = script.search_ended();
        for change in script.changes() {
            match change.slots() {
                [Slot::Child(PlaceStep::Item(_)), Slot::Gap(_)] => {
                    edits.elements[0].push(script.place(change, 0).path());
                }
                [Slot::Gap(_), Slot::Child(PlaceStep::Item(_))] => {
                    edits.elements[1].push(script.place(change, 1).path());
                }
                _ => {}
            }
        }
        edits
    }

    /// The lines above the texts, such as the edits of each function in a few words. By default, there are none.
    #[must_use]
    pub fn summary(self, lines: &str) -> Self {
        let lines = lines.lines().filter(|line| !line.is_empty()).map(str::to_owned);
        PageEdits { summary: lines.collect(), ..self }
    }

    /// Shows the first `limit` edits. The page says that there are more.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.shown.truncate(limit);
        self
    }

    /// The number of all edits.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }
}

/// The edits with their kinds and names as titles.
impl From<&EditScript> for PageEdits {
    fn from(script: &EditScript) -> Self {
        PageEdits::new(script, |_, edit| {
            let names = edit.names.as_ref().map(|[old, new]| format!("{old} -> {new}"));
            (names.unwrap_or_else(|| edit.kind.word().to_owned()), Vec::new())
        })
    }
}

fn class_of(kind: EditKind) -> &'static str {
    match kind {
        EditKind::Insert => ADDED,
        EditKind::Delete => REMOVED,
        EditKind::Move => MOVED,
        EditKind::Rename => RENAMED,
        EditKind::Wrap => WRAPPED,
        EditKind::Unwrap => UNWRAPPED,
        EditKind::Change => CHANGED,
    }
}

/// The places of the changed parts on each side that has them.
fn parts(script: &EditScript, edit: &Edit) -> [Vec<AccessPath>; 2] {
    let changes = edit.changes.iter().filter_map(|index| script.changes().get(*index));
    let mut parts: [Vec<AccessPath>; 2] = Default::default();
    for change in changes {
        for (side, parts) in parts.iter_mut().enumerate() {
            if change.values()[side].is_some() && !matches!(change.slots()[side], Slot::Gap(_)) {
                parts.push(script.place(change, side).path());
            }
        }
    }
    parts
}

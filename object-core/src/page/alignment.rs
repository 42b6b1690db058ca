//! Which lines of two texts show the same place.

use crate::access_path::{AccessPath, AccessStep};
use crate::table::Table;

use crate::page::edits::PageEdits;
use crate::page::layout::{Layout, Line, Section};
use crate::page::options::NameOfSection;
use crate::pairing::{Row, align_keys};

/// A section of both texts, or of one.
pub(super) struct AlignedSection {
    pub(super) name: Option<String>,
    pub(super) rows: Vec<Row>,
}

impl AlignedSection {
    /// Whether the left side (0) or the right side (1) has lines.
    pub(super) fn is_on(&self, side: usize) -> bool {
        self.rows.iter().any(|(left, right)| [left, right][side].is_some())
    }
}

/// The sections of two texts with `edits` between their values. `name_of` has the names of sections.
pub(super) fn align(
    left: &Layout<'_>,
    right: &Layout<'_>,
    edits: &PageEdits,
    name_of: &NameOfSection<'_>,
) -> Vec<AlignedSection> {
    let translation = Translation::new(edits);
    let names = edits.renamed.iter().map(|paths| paths.each_ref().map(name_of));
    let renamed: Table<String, String> = names.filter_map(|[before, after]| Some((before?, after?))).collect();
    let new_name = |name: &Option<String>| name.as_ref().map(|name| renamed.get(name).unwrap_or(name).clone());
    let left_names = left.sections.iter().map(|section| Some(new_name(&section.name))).collect();
    let right_names = right.sections.iter().map(|section| Some(section.name.clone())).collect();
    let pairs = align_keys::<Option<String>>(left_names, right_names);
    let aligned = pairs.into_iter().map(|(l, r)| {
        let lines_of = |layout: &Layout<'_>, section: Option<usize>| {
            section.map_or(0..0, |section| layout.sections[section].lines.clone())
        };
        let (l_lines, r_lines) = (lines_of(left, l), lines_of(right, r));
        let l_keys = l_lines.clone().map(|line| key(left, &left.lines[line], |path| translation.translate(path)));
        let r_keys = r_lines.clone().map(|line| key(right, &right.lines[line], |path| Some(text(path))));
        let rows = align_keys(l_keys.collect(), r_keys.collect());
        let rows = rows.into_iter().map(|(l, r)| (l.map(|l| l + l_lines.start), r.map(|r| r + r_lines.start)));
        let name_in =
            |layout: &Layout<'_>, section: Option<usize>| section.and_then(|it| layout.sections[it].name.clone());
        let name = match (name_in(left, l), name_in(right, r)) {
            (Some(before), Some(after)) if before != after => Some(format!("{before} -> {after}")),
            (before, after) => before.or(after),
        };
        AlignedSection { name, rows: rows.collect() }
    });
    aligned.collect()
}

/// The sections of one text, as rows without a right side.
pub(super) fn alone(layout: &Layout<'_>) -> Vec<AlignedSection> {
    let rows = |section: &Section| section.lines.clone().map(|line| (Some(line), None)).collect();
    layout.sections.iter().map(|section| AlignedSection { name: section.name.clone(), rows: rows(section) }).collect()
}

/// The place that a line shows: the place of its outermost piece; for a line in which none begins, its text as well.
fn key(layout: &Layout<'_>, line: &Line, text_of: impl Fn(&AccessPath) -> Option<String>) -> Option<String> {
    let paths = layout.printed.paths();
    match layout.pieces_of(line).first() {
        Some(piece) => text_of(&paths.access_path(piece.path)),
        None => text_of(&paths.access_path(line.around)).map(|place| format!("{place} {}", layout.text(line))),
    }
}

fn text(path: &AccessPath) -> String {
    path.steps().iter().map(AccessStep::to_string).collect()
}

/// The indices of elements by the places of their arrays, in order.
fn indices(paths: &[AccessPath]) -> Table<String, Vec<usize>> {
    let mut indices: Table<String, Vec<usize>> = Table::default();
    for path in paths {
        if let Some((AccessStep::ArrayItem(index), array)) = path.steps().split_last() {
            indices.entry(array.iter().map(AccessStep::to_string).collect()).or_default().push(*index);
        }
    }
    indices.values_mut().for_each(|indices| indices.sort());
    indices
}

/// The places of the right value for the places of the left one: the index of an element changes with the elements that one
/// side alone has, and an entry of a map may have another name.
struct Translation {
    /// The indices of elements that the left side alone has, by the place of the array there.
    removed: Table<String, Vec<usize>>,
    /// The same for the right side.
    added: Table<String, Vec<usize>>,
    /// The step on the right for the place of an entry on the left.
    renamed: Table<String, String>,
}

impl Translation {
    fn new(edits: &PageEdits) -> Self {
        let renamed = edits.renamed.iter().filter_map(|[lhs, rhs]| Some((text(lhs), rhs.steps().last()?.to_string())));
        let [removed, added] = edits.elements.each_ref().map(|paths| indices(paths));
        Translation { removed, added, renamed: renamed.collect() }
    }

    /// The place on the right for a place on the left. `None` if the right side does not have it.
    fn translate(&self, path: &AccessPath) -> Option<String> {
        if self.removed.is_empty() && self.added.is_empty() && self.renamed.is_empty() {
            return Some(text(path));
        }
        let (mut left, mut right) = (String::new(), String::new());
        for step in path.steps() {
            let counterpart = match step {
                AccessStep::ArrayItem(index) => AccessStep::ArrayItem(self.index(&left, &right, *index)?).to_string(),
                step => step.to_string(),
            };
            left.push_str(&step.to_string());
            right.push_str(self.renamed.get(&left).unwrap_or(&counterpart));
        }
        Some(right)
    }

    /// The index on the right of the element with the index `index` on the left.
    fn index(&self, left: &str, right: &str, index: usize) -> Option<usize> {
        let removed = self.removed.get(left).map_or(&[][..], Vec::as_slice);
        let before = removed.partition_point(|it| *it < index);
        if removed.get(before) == Some(&index) {
            return None;
        }
        let mut counterpart = index - before;
        for added in self.added.get(right).into_iter().flatten() {
            if *added <= counterpart {
                counterpart += 1;
            }
        }
        Some(counterpart)
    }
}

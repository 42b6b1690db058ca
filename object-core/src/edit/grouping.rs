//! [`EditScript::groups`] and [`EditScript::details`]: the edits of a script by function, and the changes inside of an edit.

use crate::access_path::{AccessPath, AccessStep};
use crate::object::{Any, AnyView};
use crate::table::Table;

use super::listing::{Edit, EditKind};
use super::place::Place;
use super::script::{EditScript, Slot};

/// The edits of one entry of a map, such as a function of a module; or the edits outside of entries.
#[derive(Clone, Debug, Default)]
pub struct EditGroup {
    /// The path of the entry on the left; on the right if the left side does not have it. `None` for the edits outside of entries.
    pub entry: Option<AccessPath>,
    /// The edit of the whole entry: it comes, goes, moves, or has another name.
    pub whole: Option<Edit>,
    /// The edits inside, in the order of the script.
    pub edits: Vec<Edit>,
}

impl EditGroup {
    /// The number of edits, with the one of the whole entry.
    #[must_use]
    pub fn count(&self) -> usize {
        self.edits.len() + usize::from(self.whole.is_some())
    }
}

/// A changed part of an edited unit.
#[derive(Clone, Debug)]
pub struct EditDetail {
    /// The path from the root on each side; where a side does not have the part, the path of what is around it.
    pub paths: [AccessPath; 2],
    /// The path from the unit, on the side that has the part.
    pub inside: AccessPath,
    /// The part on each side, if the side has it.
    pub values: [Option<Any>; 2],
}

impl EditScript {
    /// The [`edits`](Self::edits) by the outermost entry of a map that contains them: by function in a module. First come the
    /// changed entries, in the order of the script, then what is outside of entries, then the entries that only the right side has,
    /// then the ones that only the left side has, both sorted by their paths.
    ///
    /// ```
    /// use object_core::{Array, Map, Str, edit::edits};
    /// let a = Map::from([(Str::from("f"), Array::from([1, 2])), (Str::from("g"), Array::from([3]))]);
    /// let b = Map::from([(Str::from("f"), Array::from([5, 2])), (Str::from("h"), Array::from([4]))]);
    /// let groups = edits(&a, &b)?.groups();
    /// let entries: Vec<String> = groups.iter().filter_map(|it| it.entry.as_ref()).map(ToString::to_string).collect();
    /// assert_eq!(entries, ["<root>[\"f\"]", "<root>[\"h\"]", "<root>[\"g\"]"]);
    /// assert_eq!(groups.iter().map(|group| group.count()).collect::<Vec<_>>(), [1, 1, 1]);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    #[must_use]
    pub fn groups(&self) -> Vec<EditGroup> {
        let mut groups: Vec<EditGroup> = Vec::new();
        let mut by_entry: Table<String, usize> = Table::default();
        for edit in self.edits() {
            let [lhs, rhs] = edit.paths();
            let path = if edit.kind == EditKind::Insert { rhs } else { lhs };
            let entry = entry_of(&path);
            let next = groups.len();
            let at = *by_entry.entry(entry.as_ref().map(ToString::to_string).unwrap_or_default()).or_insert(next);
            if at == next {
                groups.push(EditGroup { entry: entry.clone(), ..EditGroup::default() });
            }
            let group = &mut groups[at];
            let is_whole = entry.is_some_and(|entry| entry.steps().len() == path.steps().len());
            if is_whole && edit.kind != EditKind::Change && group.whole.is_none() {
                group.whole = Some(edit);
            } else {
                group.edits.push(edit);
            }
        }
        groups.sort_by_cached_key(|group| {
            let name = || group.entry.as_ref().map(ToString::to_string).unwrap_or_default();
            match group.whole.as_ref().map(|edit| edit.kind) {
                Some(EditKind::Insert) => (2, name()),
                Some(EditKind::Delete) => (3, name()),
                _ => (i32::from(group.entry.is_none()), String::new()),
            }
        });
        groups
    }

    /// The changes of an edit inside of its unit, such as the changed fields of a binding, with their values in `roots`: the value
    /// that the script applies to, and the one that it makes. A unit that comes, goes or has another name has none.
    ///
    /// ```
    /// use object_core::{Array, Any, edit::edits};
    /// let (a, b) = (Any::from(Array::from([1, 2])), Any::from(Array::from([1, 3])));
    /// let script = edits(&a, &b)?;
    /// let details = script.details(&script.edits()[0], [&a, &b]);
    /// assert_eq!(details[0].paths[0].to_string(), "<root>[1]");
    /// assert_eq!(details[0].values[1].as_ref().map(ToString::to_string).as_deref(), Some("3"));
    /// # Ok::<(), object_core::Error>(())
    /// ```
    #[must_use]
    pub fn details(&self, edit: &Edit, roots: [&Any; 2]) -> Vec<EditDetail> {
        if matches!(edit.kind, EditKind::Insert | EditKind::Delete | EditKind::Rename) {
            return Vec::new();
        }
        let changes = edit.changes.iter().filter_map(|index| self.changes.get(*index));
        let details = changes.filter_map(|change| {
            let places = [0, 1].map(|side| self.place(change, side));
            let values = [0, 1].map(|side| {
                let has_value = change.values[side].is_some() && !matches!(change.slots[side], Slot::Gap(_));
                let value = has_value.then(|| places[side].value(roots[side].view())).flatten();
                value.map(AnyView::to_any)
            });
            let side = usize::from(values[0].is_none());
            let inside = below(&places[side], &edit.places[side]);
            // The unit itself, which goes from one place and comes to another one.
            let is_moved_unit = edit.kind == EditKind::Move && inside.as_ref().is_none_or(|it| it.steps().is_empty());
            let inside = inside.unwrap_or_else(|| places[side].path());
            (!is_moved_unit).then(|| EditDetail { paths: places.each_ref().map(Place::path), inside, values })
        });
        details.collect()
    }
}

/// The outermost entry of a map on a path.
fn entry_of(path: &AccessPath) -> Option<AccessPath> {
    let is_entry = |step: &AccessStep| matches!(step, AccessStep::MapItem(_) | AccessStep::MapItemMissing(_));
    let last = path.steps().iter().position(is_entry)?;
    Some(AccessPath::from_steps(path.steps()[..=last].iter().cloned()))
}

/// The path from a place to one below it.
fn below(place: &Place, unit: &Place) -> Option<AccessPath> {
    let (path, unit) = (place.path(), unit.path());
    let rest = path.steps().strip_prefix(unit.steps())?;
    Some(AccessPath::from_steps(rest.iter().cloned()))
}

#[cfg(test)]
mod tests {
    use crate::access_path::{AccessPath, AccessStep, PathKey};
    use crate::edit::{EditKind, edits};
    use crate::{Array, Map, Str, structural_equal};

    type Entries = Map<Str, Array<i64>>;

    /// A map of arrays, each with its last element, with one object for equal values if `is_shared`.
    fn entries(values: &[(&str, i64)], is_shared: bool) -> Entries {
        let of = |last: i64| Array::from([1, 2, 3, last]);
        let mut objects: Vec<(i64, Array<i64>)> = Vec::new();
        let mut entries = Vec::new();
        for (name, last) in values {
            let known = objects.iter().find(|(value, _)| value == last && is_shared).map(|(_, it)| it.clone());
            let object = known.unwrap_or_else(|| of(*last));
            objects.push((*last, object.clone()));
            entries.push((Str::from(*name), object));
        }
        entries.into_iter().collect()
    }

    /// A group of edits has the name of an entry that differs, and the same entry on both sides, also if entries share a value.
    #[test]
    fn groups_of_entries_that_share_a_value_are_no_false_pairs() -> crate::Result<()> {
        let sides: [&[(&str, i64)]; 9] = [
            &[("x", 4), ("y", 4)],
            &[("x", 5), ("y", 5)],
            &[("x", 5), ("y", 4)],
            &[("x", 4), ("y", 5)],
            &[("x", 5), ("y", 6)],
            &[("x", 4), ("z", 4)],
            &[("x", 4), ("y", 4), ("z", 4)],
            &[("y", 5)],
            &[("y", 4)],
        ];
        for (left, right) in sides.iter().flat_map(|left| sides.iter().map(move |right| (left, right))) {
            for shared in [[true, true], [true, false], [false, true], [false, false]] {
                let [a, b] = [entries(left, shared[0]), entries(right, shared[1])];
                let case = format!("{left:?} {right:?} {shared:?}");
                let script = edits(&a, &b)?;
                assert!(structural_equal(&script.apply(&a)?, &b), "{case}");
                let value = |side: &[(&str, i64)], name: &str| side.iter().find(|it| it.0 == name).map(|it| it.1);
                for group in script.groups() {
                    let name = group.entry.as_ref().and_then(name_of).unwrap_or_default();
                    assert_ne!(value(left, &name), value(right, &name), "{case}: {name}");
                    for edit in group.whole.iter().chain(&group.edits).filter(|it| it.kind == EditKind::Change) {
                        let names = edit.paths().each_ref().map(name_of);
                        assert_eq!(names, [Some(name.clone()), Some(name.clone())], "{case}");
                    }
                }
            }
        }
        Ok(())
    }

    /// The entry of a map at the start of a path.
    fn name_of(path: &AccessPath) -> Option<String> {
        match path.steps().first()? {
            AccessStep::MapItem(PathKey::Str(name)) => Some(name.clone()),
            _ => None,
        }
    }
}

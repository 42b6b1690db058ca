//! [`EditScript::edits`]: the changes of a script as a reader counts them.

use crate::access_path::AccessPath;
use crate::object::{Any, AnyView};
use crate::table::{Set, Table};

use super::place::Place;
use super::place_step::PlaceStep;
use super::place_tree::{PlaceNumbers, ROOT};
use super::script::{Change, ChangeRole, EditScript, EditValue, ScriptPlaces, Slot};

/// The kind of an [`Edit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EditKind {
    /// The right side has the value, and the left side has not.
    Insert,
    /// The left side has the value, and the right side has not.
    Delete,
    /// The value is at another place.
    Move,
    /// A variable, or an entry of a map with the variable and the texts of its name, has another name.
    Rename,
    /// The value is a part of a new value in its place.
    Wrap,
    /// A part of the value takes its place.
    Unwrap,
    /// Parts of the value differ.
    Change,
}

impl EditKind {
    /// The kind in one word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            EditKind::Insert => "insert",
            EditKind::Delete => "delete",
            EditKind::Move => "move",
            EditKind::Rename => "rename",
            EditKind::Wrap => "wrap",
            EditKind::Unwrap => "unwrap",
            EditKind::Change => "change",
        }
    }
}

/// One edit of a program: a unit, such as a binding or a function, that comes, goes, moves, has another name, or has other parts.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The kind.
    pub kind: EditKind,
    /// The place on each side: of the unit, or of what is around it on a side that does not have it.
    pub places: [Place; 2],
    /// The old and the new name of a rename.
    pub names: Option<[String; 2]>,
    /// The indices of the changes in [`EditScript::changes`].
    pub changes: Vec<usize>,
}

impl Edit {
    /// The path on each side.
    #[must_use]
    pub fn paths(&self) -> [AccessPath; 2] {
        self.places.each_ref().map(Place::path)
    }

    /// The path on the sides that have the value, as text.
    #[must_use]
    pub fn place_text(&self) -> String {
        let [lhs, rhs] = self.paths().map(|path| path.to_string());
        match self.kind {
            EditKind::Insert => rhs,
            EditKind::Delete => lhs,
            _ if lhs == rhs => lhs,
            _ => format!("{lhs} on the left, {rhs} on the right"),
        }
    }
}

impl EditScript {
    /// The changes as edits, in the order of the script. The changes in one unit are one edit; so are the changes by which a
    /// value moves, and all that follows from one new name.
    ///
    /// ```
    /// use object_core::{Map, Str, edit::{EditKind, edits}};
    /// let of = |name: &str| Map::from([(Str::from("main"), 1), (Str::from(name), 2)]);
    /// let edits = edits(&of("f"), &of("g"))?.edits();
    /// assert_eq!(edits.iter().map(|edit| edit.kind).collect::<Vec<_>>(), [EditKind::Insert, EditKind::Delete]);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    #[must_use]
    pub fn edits(&self) -> Vec<Edit> {
        let mut numbers: [PlaceNumbers<'_>; 2] = Default::default();
        let [lhs, rhs] = &mut numbers;
        let places = [ScriptPlaces::of(self, 0, lhs), ScriptPlaces::of(self, 1, rhs)];
        Listing { script: self, places, edits: Vec::new(), by_key: Table::default() }.list()
    }
}

/// The key of the changes that are one edit.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Rename(String, String),
    /// The place on the left.
    Moved(u32),
    Entry(EntryKey),
    /// The place on the left.
    Unit(u32),
    Alone(usize),
}

struct Listing<'s> {
    script: &'s EditScript,
    /// The numbers of the places on each side.
    places: [ScriptPlaces; 2],
    edits: Vec<Edit>,
    by_key: Table<Key, usize>,
}

impl Listing<'_> {
    fn list(mut self) -> Vec<Edit> {
        let script = self.script;
        let changes = script.changes.iter().enumerate();
        let renames: Set<[String; 2]> = changes
            .clone()
            .filter(|(_, change)| change.role == ChangeRole::Name)
            .filter_map(|(_, change)| texts(change))
            .collect();
        let gone = changes.clone().filter(|(_, change)| is_gone(change, 0));
        let gone: Set<u32> = gone.map(|(index, _)| self.places[0].changes[index]).collect();
        let come = script.changes.iter().filter(|change| is_gone(change, 1));
        let moved: Set<u32> = come.filter_map(|it| self.origin(it, 1)).filter(|it| gone.contains(it)).collect();
        let definitions = self.new_keys();
        for (index, change) in changes {
            let key = match texts(change) {
                Some([old, new]) if renames.contains(&[old.clone(), new.clone()]) => Key::Rename(old, new),
                _ => self.key(index, change, &moved, &definitions),
            };
            self.add(index, change, key);
        }
        self.edits
    }

    fn key(&self, index: usize, change: &Change, moved: &Set<u32>, definitions: &Table<usize, EntryKey>) -> Key {
        for side in [0, 1] {
            if !is_gone(change, side) {
                continue;
            }
            let from = if side == 0 { Some(self.places[0].changes[index]) } else { self.origin(change, 1) };
            if let Some(from) = from.filter(|from| moved.contains(from)) {
                return Key::Moved(from);
            }
            if let Slot::Child(PlaceStep::Key(entry, _) | PlaceStep::Value(entry, _)) = &change.slots[side] {
                // An entry whose value is the key of another new entry comes with it.
                let defined = change.values[side].as_ref().and_then(identity).and_then(|it| definitions.get(&it));
                let own = EntryKey { side, owner: change.owners[side], entry: *entry };
                let of_value = self.value_of(index, side, *entry).and_then(|it| definitions.get(&it));
                return Key::Entry(*defined.or(of_value).unwrap_or(&own));
            }
        }
        match self.places[0].unit(change.owners[0]) {
            ROOT => Key::Alone(index),
            _ if change.role == ChangeRole::Unit => Key::Alone(index),
            unit if moved.contains(&unit) => Key::Moved(unit),
            unit => Key::Unit(unit),
        }
    }

    /// The object that is the value of the same entry as a change, if a change of the script adds it.
    fn value_of(&self, index: usize, side: usize, entry: usize) -> Option<usize> {
        let change = &self.script.changes[index];
        let is_value = |other: &&Change| {
            other.owners[side] == change.owners[side]
                && matches!(&other.slots[side], Slot::Child(PlaceStep::Value(index, _)) if *index == entry)
                && is_gone(other, side)
        };
        self.script.changes[index..].iter().take(2).find(is_value)?.values[side].as_ref().and_then(identity)
    }

    /// The keys of entries that only one side has, by the objects.
    fn new_keys(&self) -> Table<usize, EntryKey> {
        let mut keys = Table::default();
        for change in &self.script.changes {
            for side in [0, 1] {
                if let Slot::Child(PlaceStep::Key(entry, _)) = &change.slots[side]
                    && is_gone(change, side)
                    && let Some(identity) = change.values[side].as_ref().and_then(identity)
                {
                    keys.insert(identity, EntryKey { side, owner: change.owners[side], entry: *entry });
                }
            }
        }
        keys
    }

    fn add(&mut self, index: usize, change: &Change, key: Key) {
        let is_unit = matches!(key, Key::Unit(_));
        let names = if let Key::Rename(old, new) = &key { Some([old.clone(), new.clone()]) } else { None };
        let is_moved = matches!(key, Key::Moved(_));
        let kind = if is_moved { EditKind::Move } else { self.kind(index, change, names.is_some()) };
        let places = [0, 1].map(|side| {
            let place = self.script.place(change, side);
            if is_unit { place.unit() } else { place }
        });
        let next = self.edits.len();
        let at = *self.by_key.entry(key).or_insert(next);
        match self.edits.get_mut(at) {
            None => self.edits.push(Edit { kind, places, names, changes: vec![index] }),
            Some(edit) => {
                edit.changes.push(index);
                if is_moved {
                    let [from, to] = places;
                    if is_gone(change, 0) {
                        edit.places[0] = from;
                    } else if is_gone(change, 1) {
                        edit.places[1] = to;
                    }
                } else if edit.kind != kind && is_unit {
                    edit.kind = EditKind::Change;
                } else if matches!(
                    change.slots,
                    [Slot::Child(PlaceStep::Value(..)), _] | [_, Slot::Child(PlaceStep::Value(..))]
                ) && edit.changes.len() == 2
                    && matches!(kind, EditKind::Insert | EditKind::Delete)
                {
                    edit.places = places;
                }
            }
        }
    }

    fn kind(&self, index: usize, change: &Change, is_name: bool) -> EditKind {
        let part = |side: usize| {
            let place = self.places[1 - side].changes[index];
            change.values[side].as_ref().is_some_and(|value| self.contains(value, side, place))
        };
        match change.values {
            _ if is_name => EditKind::Rename,
            [None, _] => EditKind::Insert,
            [_, None] => EditKind::Delete,
            [_, Some(EditValue::New(_))] if part(1) => EditKind::Wrap,
            [Some(EditValue::New(_)), _] if part(0) => EditKind::Unwrap,
            _ => EditKind::Change,
        }
    }

    /// Whether a value refers to the object at a place of the other side.
    fn contains(&self, value: &EditValue, side: usize, place: u32) -> bool {
        let mut rest = vec![value];
        let mut seen: Set<usize> = Set::default();
        while let Some(value) = rest.pop() {
            match value {
                EditValue::At(index) if self.places[1 - side].object(*index) == Some(place) => return true,
                EditValue::New(object) if seen.insert(std::sync::Arc::as_ptr(object).addr()) => {
                    rest.extend(&object.children);
                }
                _ => {}
            }
        }
        false
    }

    /// The place from which the value of a change on a side comes.
    fn origin(&self, change: &Change, side: usize) -> Option<u32> {
        match &change.values[side] {
            Some(EditValue::At(index)) => self.places[1 - side].object(*index),
            _ => None,
        }
    }
}

/// The entry of a map on a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct EntryKey {
    side: usize,
    owner: u32,
    entry: usize,
}

/// Whether only one side has the child of a change.
fn is_gone(change: &Change, side: usize) -> bool {
    change.values[side].is_some() && change.values[1 - side].is_none()
}

/// The old and the new text of a change that replaces a text.
fn texts(change: &Change) -> Option<[String; 2]> {
    let text = |value: &Option<EditValue>| match value {
        Some(EditValue::Whole(value)) => value.view().as_str().map(str::to_owned),
        _ => None,
    };
    let [old, new] = &change.values;
    Some([text(old)?, text(new)?])
}

/// A number for the new object that a value is.
fn identity(value: &EditValue) -> Option<usize> {
    match value {
        EditValue::New(object) => Some(std::sync::Arc::as_ptr(object).addr()),
        EditValue::Whole(Any::Object(object)) if AnyView::Object(object.view()).as_str().is_none() => {
            Some(object.view().address())
        }
        _ => None,
    }
}

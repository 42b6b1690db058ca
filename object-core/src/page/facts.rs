//! [`Facts`]: the types of the objects that a text shows, and the notes about them.

use crate::object::{AnyView, ObjectView};
use crate::page::options::{MAX_NOTE, NoteOf};
use crate::print::{Path, PrintedText};
use crate::table::{AddressTable, Table};

/// Texts that each occur once, by number.
#[derive(Debug, Default)]
pub(super) struct Texts {
    numbers: Table<String, usize>,
    pub(super) texts: Vec<String>,
}

impl Texts {
    /// The number of a text.
    pub(super) fn number(&mut self, text: String) -> usize {
        let texts = &mut self.texts;
        *self.numbers.entry(text).or_insert_with_key(|text| {
            texts.push(text.clone());
            texts.len() - 1
        })
    }
}

/// The texts of a page: types and notes.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) types: Texts,
    pub(super) notes: Texts,
    /// The facts of the objects that have some, by address. The page borrows the objects, so no other object gets an address.
    by_object: AddressTable<Fact>,
}

/// The type of an object and the note about it, as numbers of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) type_key: usize,
    pub(super) note: Option<usize>,
}

/// The facts about the places of one text.
pub(super) struct Facts {
    facts: Vec<Option<Fact>>,
}

impl Facts {
    /// The facts about all places of `printed`, which shows `root`.
    pub(super) fn new(printed: &PrintedText, root: AnyView<'_>, note_of: &NoteOf<'_>, tables: &mut Tables) -> Self {
        // Some places of a text are not in the graph: the printer makes values of its own.
        let values = printed.paths().values(root);
        let facts = values.into_iter().map(|value| Some(tables.fact(value?.as_object()?, note_of)));
        Facts { facts: facts.collect() }
    }

    /// The facts about the object at `path`, if the place holds an object.
    pub(super) fn of(&self, path: Path) -> Option<Fact> {
        self.facts.get(path.index()).copied().flatten()
    }
}

impl Tables {
    fn fact(&mut self, object: ObjectView<'_>, note_of: &NoteOf<'_>) -> Fact {
        let Tables { types, notes, by_object } = self;
        *by_object.entry(object.address()).or_insert_with(|| Fact {
            type_key: types.number(object.type_key().to_owned()),
            note: note_of(object).map(|mut note| {
                if let Some((end, _)) = note.char_indices().nth(MAX_NOTE) {
                    note.truncate(end);
                    note.push_str("...");
                }
                notes.number(note)
            }),
        })
    }
}

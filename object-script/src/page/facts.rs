//! [`Facts`]: the types and the structural information of the objects that a script shows.

use crate::print::{Script, ScriptPrinter};
use object_core::print::Path;
use object_core::table::Table;
use object_core::{AnyView, ObjectRef};
use rustc_hash::FxHashMap;

/// The longest shown structural information, in characters.
const MAX_INFO: usize = 300;

/// Texts that each occur once, by number.
#[derive(Debug, Default)]
pub(super) struct Texts {
    numbers: Table<String, usize>,
    pub(super) texts: Vec<String>,
}

impl Texts {
    fn number(&mut self, text: String) -> usize {
        let texts = &mut self.texts;
        *self.numbers.entry(text).or_insert_with_key(|text| {
            texts.push(text.clone());
            texts.len() - 1
        })
    }
}

/// The texts of a page: types, and structural information.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) types: Texts,
    pub(super) infos: Texts,
    /// The numbers of the structural information that has a text.
    by_object: FxHashMap<ObjectRef, usize>,
}

/// The type of an object and its structural information, as numbers of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) type_key: usize,
    pub(super) info: Option<usize>,
}

/// The facts about the places of one script.
pub(super) struct Facts {
    facts: Vec<Option<Fact>>,
}

impl Facts {
    /// The facts about all places of `script`, which shows `root`.
    pub(super) fn new(script: &Script, root: AnyView<'_>, tables: &mut Tables) -> Self {
        // Some places of a text are not in the graph: the printer makes values of its own.
        let values = script.paths().values(root);
        Facts { facts: values.into_iter().map(|value| tables.fact(value?)).collect() }
    }

    /// The facts about the object at `path`, if the place holds an object.
    pub(super) fn of(&self, path: Path) -> Option<Fact> {
        self.facts.get(path.index()).copied().flatten()
    }
}

impl Tables {
    fn fact(&mut self, value: AnyView<'_>) -> Option<Fact> {
        let object = value.as_object()?;
        let type_key = self.types.number(object.type_key().to_owned());
        let info = object.get("struct_info_").and_then(|info| Some(info.as_object()?.to_object()));
        Some(Fact { type_key, info: info.map(|info| self.info(info)) })
    }

    fn info(&mut self, info: ObjectRef) -> usize {
        if let Some(number) = self.by_object.get(&info) {
            return *number;
        }
        // Each node has a character at least.
        let mut text = ScriptPrinter::new().max_nodes(4 * MAX_INFO).print_text(&info);
        if let Some((end, _)) = text.char_indices().nth(MAX_INFO) {
            text.truncate(end);
            text.push_str("...");
        }
        let number = self.infos.number(text);
        self.by_object.insert(info, number);
        number
    }
}

//! [`Names`]: the names in scope (TVM 0.25 `VarTable` in python/tvm/script/parser/core/parser.py).

use ruff_python_ast::name::Name;
use ruff_text_size::TextRange;
use rustc_hash::FxHashMap;

use crate::parse::value::Value;

/// The value of a name.
#[derive(Debug)]
struct Entry {
    /// The number of frames around it.
    depth: usize,
    value: Value,
    /// Where the text introduces the name.
    place: Option<TextRange>,
}

/// The names in scope, with their values. A frame hides names of outer frames until it ends.
#[derive(Debug, Default)]
pub(crate) struct Names {
    values: FxHashMap<Name, Vec<Entry>>,
    frames: Vec<Vec<Name>>,
}

impl Names {
    /// Begins a frame. The names that it gets end with it.
    pub(crate) fn begin(&mut self) {
        self.frames.push(Vec::new());
    }

    /// Ends the innermost frame.
    pub(crate) fn end(&mut self) {
        for name in self.frames.pop().unwrap_or_default() {
            if let Some(values) = self.values.get_mut(&name) {
                values.pop();
                if values.is_empty() {
                    self.values.remove(&name);
                }
            }
        }
    }

    /// Gives `name` a value in the innermost frame. The text introduces it where it introduces the name at hand.
    pub(crate) fn set(&mut self, name: &str, value: Value) {
        self.set_at(name, value, self.place(name));
    }

    /// Gives `name` a value in the innermost frame, with the place where the text introduces it.
    pub(crate) fn set_at(&mut self, name: &str, value: Value, place: Option<TextRange>) {
        let depth = self.frames.len();
        let entry = Entry { depth, value, place };
        if let Some(values) = self.values.get_mut(name) {
            match values.last_mut() {
                Some(old) if old.depth == depth => {
                    *old = entry;
                    return;
                }
                _ => values.push(entry),
            }
        } else {
            self.values.insert(Name::new(name), vec![entry]);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.push(Name::new(name));
        }
    }

    /// Gives a name that is not in scope a value in the outermost frame.
    pub(crate) fn set_outermost(&mut self, name: &str, value: Value) {
        self.values.insert(Name::new(name), vec![Entry { depth: 0, value, place: None }]);
    }

    /// The value of `name`, if the name is in scope.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name).and_then(|values| values.last()).map(|entry| &entry.value)
    }

    /// Where the text introduces `name`, as far as the parser records it.
    pub(crate) fn place(&self, name: &str) -> Option<TextRange> {
        self.values.get(name).and_then(|values| values.last()).and_then(|entry| entry.place)
    }

    /// The names of the innermost frame, with the places where the text introduces them.
    pub(crate) fn innermost_places(&self) -> Vec<(Name, TextRange)> {
        let names = self.frames.last().into_iter().flatten();
        names.filter_map(|name| Some((name.clone(), self.place(name)?))).collect()
    }

    /// The names in scope that are dimensions of signatures.
    pub(crate) fn type_vars(&self) -> Vec<String> {
        let is_type_var = |values: &Vec<Entry>| matches!(values.last(), Some(Entry { value: Value::TypeVar, .. }));
        let names = self.values.iter().filter(|(_, values)| is_type_var(values));
        names.map(|(name, _)| name.to_string()).collect()
    }

    /// The names in scope.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(Name::as_str)
    }
}

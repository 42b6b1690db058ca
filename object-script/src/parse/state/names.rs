//! [`Names`]: the names in scope (TVM 0.25 `VarTable` in python/tvm/script/parser/core/parser.py).

use ruff_python_ast::name::Name;
use rustc_hash::FxHashMap;

use crate::parse::value::Value;

/// The names in scope, with their values. A frame hides names of outer frames until it ends.
#[derive(Debug, Default)]
pub(crate) struct Names {
    values: FxHashMap<Name, Vec<(usize, Value)>>,
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

    /// Gives `name` a value in the innermost frame.
    pub(crate) fn set(&mut self, name: &str, value: Value) {
        let depth = self.frames.len();
        if let Some(values) = self.values.get_mut(name) {
            match values.last_mut() {
                Some((known, old)) if *known == depth => {
                    *old = value;
                    return;
                }
                _ => values.push((depth, value)),
            }
        } else {
            self.values.insert(Name::new(name), vec![(depth, value)]);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.push(Name::new(name));
        }
    }

    /// Gives a name that is not in scope a value in the outermost frame.
    pub(crate) fn set_outermost(&mut self, name: &str, value: Value) {
        self.values.insert(Name::new(name), vec![(0, value)]);
    }

    /// The value of `name`, if the name is in scope.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(name).and_then(|values| values.last()).map(|(_, value)| value)
    }

    /// The names in scope that are dimensions of signatures.
    pub(crate) fn type_vars(&self) -> Vec<String> {
        let is_type_var = |values: &Vec<(usize, Value)>| matches!(values.last(), Some((_, Value::TypeVar)));
        let names = self.values.iter().filter(|(_, values)| is_type_var(values));
        names.map(|(name, _)| name.to_string()).collect()
    }

    /// The names in scope.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(Name::as_str)
    }
}

//! [`Scope`]: the names that are bound at a place of a text.

use object_core::table::Table;

/// The names that are bound, with a value each. Inside of a scope that ends, names are bound again as before it.
#[derive(Debug)]
pub(crate) struct Scope<T> {
    bound: Table<String, T>,
    /// The names in the order of their bindings, with the values that they had before.
    changes: Vec<(String, Option<T>)>,
    /// The names that outlive the scope, with their values.
    exported: Vec<(String, T)>,
}

impl<T> Default for Scope<T> {
    fn default() -> Self {
        Scope { bound: Table::default(), changes: Vec::new(), exported: Vec::new() }
    }
}

/// The start of a scope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    changes: usize,
    exported: usize,
}

impl<T: Clone> Scope<T> {
    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.bound.get(name)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.bound.keys().map(String::as_str)
    }

    pub(crate) fn bindings(&self) -> impl Iterator<Item = (&str, &T)> {
        self.bound.iter().map(|(name, value)| (name.as_str(), value))
    }

    pub(crate) fn bind(&mut self, name: String, value: T) {
        let before = self.bound.insert(name.clone(), value);
        self.changes.push((name, before));
    }

    /// The number of bindings so far.
    pub(crate) fn count(&self) -> usize {
        self.changes.len()
    }

    /// Begins a scope.
    pub(crate) fn enter(&self) -> Mark {
        Mark { changes: self.changes.len(), exported: self.exported.len() }
    }

    /// The bindings since the number `before` of them outlive the innermost scope.
    pub(crate) fn export(&mut self, before: usize) {
        for (name, _) in &self.changes[before..] {
            let value = self.bound.get(name).cloned();
            self.exported.extend(value.map(|value| (name.clone(), value)));
        }
    }

    /// Ends the scope that began at `mark`.
    pub(crate) fn leave(&mut self, mark: Mark) {
        for (name, before) in self.changes.drain(mark.changes..).rev() {
            match before {
                Some(value) => drop(self.bound.insert(name, value)),
                None => drop(self.bound.remove(&name)),
            }
        }
        for (name, value) in self.exported.split_off(mark.exported) {
            self.bind(name, value);
        }
    }
}

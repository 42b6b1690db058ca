//! [`Names`]: a name for each variable of a printed text, so that each use means its variable.

use object_core::table::Table;

use object_core::object::ObjectView;

use crate::scope::Scope;

/// The names of the variables of a text.
#[derive(Default)]
pub(crate) struct Names {
    /// The names of the variables by their addresses.
    of: Table<usize, String>,
    /// The variables that names mean at the current place.
    pub(crate) scope: Scope<usize>,
    /// For each name that a variable has, the next number to try after it.
    next: Table<String, u32>,
}

impl Names {
    /// Whether `variable` has a name already.
    pub(crate) fn is_known(&self, variable: ObjectView<'_>) -> bool {
        self.of.contains_key(&variable.address())
    }

    /// The own name of `variable`, `name`.
    pub(crate) fn keep(&mut self, variable: ObjectView<'_>, name: &str) -> String {
        self.of.entry(variable.address()).or_insert_with(|| name.to_owned()).clone()
    }

    /// The name of `variable`, whose own name is `hint`: another one where that means another variable at this place.
    pub(crate) fn name(&mut self, variable: ObjectView<'_>, hint: &str) -> String {
        let address = variable.address();
        if let Some(name) = self.of.get(&address) {
            return name.clone();
        }
        let hint = if hint.is_empty() { "v" } else { hint };
        let mut name = hint.to_owned();
        let mut number = self.next.get(hint).copied().unwrap_or(1);
        while self.scope.get(&name).is_some() {
            name = format!("{hint}_{number}");
            number += 1;
        }
        if name != hint {
            self.next.insert(hint.to_owned(), number);
        }
        self.scope.bind(name.clone(), address);
        self.of.insert(address, name.clone());
        name
    }
}

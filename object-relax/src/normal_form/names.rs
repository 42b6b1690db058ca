//! [`Names`]: names of variables that differ from each other.

use std::collections::HashMap;

use object_core::AsAnyView;
use object_core::prelude::*;
use object_core::visit::walk;
use object_ir::ir::Id;

/// The names in use, each with the last number that was appended to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    used: HashMap<Str, u64>,
}

impl Names {
    /// The names of the variables of a program.
    pub(crate) fn of(program: &impl AsAnyView) -> Names {
        let mut names = Names::default();
        walk(program, |id: &Id, _| names.reserve(&id.name_hint));
        names
    }

    /// Marks a name as used.
    pub(crate) fn reserve(&mut self, name: &Str) {
        self.used.entry(name.clone()).or_default();
    }

    /// `hint` if it is not in use, or else `hint` with the next free number. Dots become underscores, so that the name can be
    /// printed (TVM 0.25 `src/ir/unique_name_supply.cc`).
    pub(crate) fn fresh(&mut self, hint: &str) -> Str {
        let hint = Str::from(hint.replace('.', "_"));
        let Some(number) = self.used.get(&hint) else {
            self.used.insert(hint.clone(), 0);
            return hint;
        };
        let mut number = *number;
        let name = loop {
            number += 1;
            let name = Str::from(format!("{hint}{number}"));
            if !self.used.contains_key(&name) {
                break name;
            }
        };
        self.used.insert(hint, number);
        self.used.insert(name.clone(), 0);
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_skip_names_in_use() {
        let mut names = Names::default();
        names.reserve(&"gv1".into());
        let fresh: Vec<_> = (0..4).map(|_| names.fresh("gv").to_string()).collect();
        assert_eq!(fresh, ["gv", "gv2", "gv3", "gv4"]);
        assert_eq!(names.fresh("gv1"), "gv11");
        assert_eq!(names.fresh("a.b"), "a_b");
    }
}

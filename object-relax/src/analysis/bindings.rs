//! The bindings of a program by their variables.

use object_core::{ObjectHandle, ObjectView, Str};
use object_ir::ir::{Binding, Function, RelaxExpr, Var, VarBindingNode};

use crate::analysis::identity_map::IdentityMap;
use crate::analysis::walk::{Observer, Region, view, walk};

/// All bindings, in the order of evaluation.
#[derive(Default)]
struct Bindings {
    found: Vec<Binding>,
    /// Whether the bindings in functions and sequences that are values count.
    skips_values: bool,
    depth: usize,
}

impl<'a> Observer<'a> for Bindings {
    const INFOS: bool = false;

    fn begin(&mut self, region: Region, object: ObjectView<'a>) {
        if region == Region::Binding {
            if self.depth == 0 || !self.skips_values {
                self.found.extend(object.to_handle::<Binding>());
            }
            self.depth += 1;
        }
    }

    fn end(&mut self, region: Region, _: ObjectView<'a>) {
        if region == Region::Binding {
            self.depth -= 1;
        }
    }
}

/// The value of each variable of a `VarBinding` in an expression, a function or a block, also in local functions. A
/// variable that is bound twice has its last value. A `MatchCast` checks its value, so its variable is not a second name
/// of the value, and does not count. (TVM 0.25 `relax.analysis.get_var2val`)
#[must_use]
pub fn var_values(root: &impl ObjectHandle) -> IdentityMap<Var, RelaxExpr> {
    let mut bindings = Bindings::default();
    walk(root, &mut bindings);
    let mut values = IdentityMap::default();
    for binding in &bindings.found {
        if let Some(node) = view(binding).node::<VarBindingNode>() {
            *values.entry(&node.var, || node.value.clone()) = node.value.clone();
        }
    }
    values
}

/// The bindings of a function by the names of their variables, sorted by name. Bindings of one name are in the order of
/// evaluation. The bindings in local functions and in branches do not count, because they are no bindings of the
/// function itself. (TVM 0.25 `relax.analysis.name_to_binding`)
#[must_use]
pub fn bindings_by_name(function: &Function) -> Vec<(Str, Vec<Binding>)> {
    let mut bindings = Bindings { skips_values: true, ..Bindings::default() };
    walk(function, &mut bindings);
    let mut groups: std::collections::BTreeMap<Str, Vec<Binding>> = std::collections::BTreeMap::new();
    for binding in bindings.found {
        groups.entry(binding.var.vid.name_hint.clone()).or_default().push(binding);
    }
    groups.into_iter().collect()
}

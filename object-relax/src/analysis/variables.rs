//! The variables of Relax that an expression binds and uses, and the global variables that it mentions.

use object_core::{ObjectHandle, ObjectView};
use object_ir::ir::{BindingNode, GlobalVar, RelaxExpr, Var};

use crate::analysis::identity_map::IdentitySet;
use crate::analysis::walk::{Observer, Region, walk};

/// The variables of an expression. A variable that several parts bind or use is there once, at its first occurrence in
/// the order of evaluation; the variable of a binding comes before the variables of its value.
#[derive(Default)]
struct Variables {
    all: IdentitySet<Var>,
    bound: IdentitySet<Var>,
    used: IdentitySet<Var>,
    globals: IdentitySet<GlobalVar>,
}

impl<'a> Observer<'a> for Variables {
    fn expr(&mut self, expr: ObjectView<'a>) -> bool {
        if let Some(var) = expr.to_handle::<GlobalVar>() {
            self.globals.insert(&var);
        }
        true
    }

    fn use_var(&mut self, var: ObjectView<'a>) {
        if let Some(var) = var.to_handle::<Var>() {
            self.all.insert(&var);
            self.used.insert(&var);
        }
    }

    fn begin(&mut self, region: Region, object: ObjectView<'a>) {
        if region == Region::Binding
            && let Some(binding) = object.node::<BindingNode>()
        {
            self.bind(&binding.var);
        }
    }

    fn bind_var(&mut self, var: ObjectView<'a>) {
        if let Some(var) = var.to_handle::<Var>() {
            self.bind(&var);
        }
    }
}

impl Variables {
    fn bind(&mut self, var: &Var) {
        self.all.insert(var);
        self.bound.insert(var);
    }

    fn of(root: &impl ObjectHandle) -> Self {
        let mut variables = Variables::default();
        walk(root, &mut variables);
        variables
    }
}

/// The variables that nothing in `expr` binds, in the order of their first use. A use before its binding does not count:
/// the checker reports it. (TVM 0.25 `relax.analysis.free_vars`)
///
/// ```
/// use object_relax::analysis::{bound_vars, free_vars};
/// use object_ir::ir::{BindingBlock, SeqExpr, Var, VarBinding};
///
/// let (x, y) = (Var::named("x"), Var::named("y"));
/// let sequence = SeqExpr::new([BindingBlock::new([VarBinding::new(&y, &x).into()])], &y).into();
/// assert!(free_vars(&sequence)[0].ptr_eq(&x));
/// assert!(bound_vars(&sequence)[0].ptr_eq(&y));
/// # use object_core::ObjectHandle;
/// ```
#[must_use]
pub fn free_vars(expr: &RelaxExpr) -> Vec<Var> {
    let Variables { used, bound, .. } = Variables::of(expr);
    used.into_keys().into_iter().filter(|var| !bound.contains(var)).collect()
}

/// The parameters of functions and the variables of bindings in `expr`, in the order in which they become visible. (TVM
/// 0.25 `relax.analysis.bound_vars`)
#[must_use]
pub fn bound_vars(expr: &RelaxExpr) -> Vec<Var> {
    Variables::of(expr).bound.into_keys()
}

/// The variables that `expr` binds or uses, in the order of their first occurrence. (TVM 0.25 `relax.analysis.all_vars`)
#[must_use]
pub fn all_vars(expr: &RelaxExpr) -> Vec<Var> {
    Variables::of(expr).all.into_keys()
}

/// The variables that `expr` uses, bound or not, in the order of their first use. (TVM 0.25
/// `relax.analysis.used_vars`, whose order is not defined)
#[must_use]
pub fn used_vars(expr: &RelaxExpr) -> Vec<Var> {
    Variables::of(expr).used.into_keys()
}

/// The global variables that `expr` mentions, in the order of their first occurrence. (TVM 0.25
/// `relax.analysis.all_global_vars`)
#[must_use]
pub fn all_global_vars(expr: &RelaxExpr) -> Vec<GlobalVar> {
    Variables::of(expr).globals.into_keys()
}

//! [`VarMap`]: the variables that are visible where structural information is used, with their values.

use object_core::ObjectHandle;
use object_core::visit::free_vars;
use object_ir::ir::{Id, PrimExpr, RelaxExpr, Var};
use object_ir::tir::Var as ShapeVar;
use rustc_hash::{FxHashMap, FxHashSet};

use super::written::variables_of_sum;
use crate::addresses::ById;

/// The meaning of variables at a place in a program.
pub trait Meaning {
    /// The value of a shape variable: the variable itself if it is visible, and `None` if nothing is known about it.
    fn shape_var(&self, var: &ShapeVar) -> Option<PrimExpr>;

    /// Whether a shape variable is its own value.
    fn keeps(&self, var: &ShapeVar) -> bool {
        self.shape_var(var).is_some_and(|value| value.ptr_eq(var))
    }

    /// The value of a variable of Relax.
    fn var(&self, var: &Var) -> Option<RelaxExpr>;

    /// Whether the value of another shape variable contains `var`.
    fn is_in_values(&self, var: &ShapeVar) -> bool;
}

/// Variables with values, and whether other variables are visible.
///
/// ```
/// use object_core::structural_equal;
/// use object_relax::arith::Analyzer;
/// use object_ir::ir::{ShapeStructInfo, StructInfo};
/// use object_relax::struct_info::{VarMap, erase_to_well_defined};
/// use object_ir::tir::Var;
///
/// let (n, m) = (Var::dim("n"), Var::dim("m"));
/// let info: StructInfo = ShapeStructInfo::of([&n * 2, &n + 1])?.into();
/// let substituted = erase_to_well_defined(&info, &VarMap::new().bind(&n, &m + 1), &Analyzer::for_shapes());
/// assert!(structural_equal(&substituted, &ShapeStructInfo::of([&m * 2 + 2, &m + 2])?));
///
/// let erased = erase_to_well_defined(&info, &VarMap::new().see(&m), &Analyzer::for_shapes());
/// assert!(structural_equal(&erased, &ShapeStructInfo::of_rank(2)));
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct VarMap {
    /// `None` for variables of unknown value.
    shape_vars: FxHashMap<ById<ShapeVar>, Option<PrimExpr>>,
    vars: FxHashMap<ById<Id>, RelaxExpr>,
    /// The variables in `shape_vars`' values that are not just visible.
    in_values: FxHashSet<ById<ShapeVar>>,
    keeps_others: bool,
}

impl VarMap {
    /// No variable is visible.
    #[must_use]
    pub fn new() -> Self {
        VarMap::default()
    }

    /// All variables are visible.
    #[must_use]
    pub fn keeping_others() -> Self {
        VarMap { keeps_others: true, ..VarMap::default() }
    }

    /// A shape variable is visible.
    #[must_use]
    pub fn see(mut self, var: &ShapeVar) -> Self {
        self.shape_vars.insert(ById(var.clone()), Some(var.into()));
        self
    }

    /// A shape variable has a value.
    #[must_use]
    pub fn bind(mut self, var: &ShapeVar, value: impl Into<PrimExpr>) -> Self {
        let value = value.into();
        self.in_values.extend(shape_vars(&value).into_iter().map(ById));
        self.shape_vars.insert(ById(var.clone()), Some(value));
        self
    }

    /// Nothing is known about a shape variable, even if other variables are visible.
    #[must_use]
    pub fn hide(mut self, var: &ShapeVar) -> Self {
        self.shape_vars.insert(ById(var.clone()), None);
        self
    }

    /// A variable of Relax is visible.
    #[must_use]
    pub fn see_var(self, var: &Var) -> Self {
        self.bind_var(var, var)
    }

    /// A variable of Relax has a value, which is a [`ShapeExpr`](object_ir::ir::ShapeExpr) or another variable.
    #[must_use]
    pub fn bind_var(mut self, var: &Var, value: impl Into<RelaxExpr>) -> Self {
        self.vars.insert(ById(var.vid.clone()), value.into());
        self
    }
}

impl Meaning for VarMap {
    fn shape_var(&self, var: &ShapeVar) -> Option<PrimExpr> {
        match self.shape_vars.get(var.as_object()) {
            Some(known) => known.clone(),
            None => self.keeps_others.then(|| var.into()),
        }
    }

    fn var(&self, var: &Var) -> Option<RelaxExpr> {
        let known = self.vars.get(var.vid.as_object()).cloned();
        known.or_else(|| self.keeps_others.then(|| var.into()))
    }

    fn is_in_values(&self, var: &ShapeVar) -> bool {
        self.in_values.contains(var.as_object())
    }
}

/// The variables in a scalar expression.
pub(crate) fn shape_vars(expr: &PrimExpr) -> Vec<ShapeVar> {
    let of_walk = || free_vars(expr).iter().filter_map(|var| ShapeVar::try_from(var.clone()).ok()).collect();
    variables_of_sum(expr).unwrap_or_else(of_walk)
}

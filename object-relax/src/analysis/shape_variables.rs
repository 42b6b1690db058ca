//! The shape variables that structural information and expressions bind and use.

use object_core::ObjectView;
use object_core::structural::StructuralSet;
use object_ir::distributed::DTensorStructInfoNode;
use object_ir::ir::{
    FuncStructInfoNode, IntImmNode, PrimExpr, RelaxExpr, ShapeExprNode, ShapeStructInfoNode, StructInfo,
    TensorStructInfoNode, TupleStructInfoNode,
};
use object_ir::tir::Var;
use rustc_hash::FxHashSet;

use crate::analysis::identity_map::IdentitySet;
use crate::analysis::walk::{Observer, Role, view, walk, walk_info};

/// The shape variables of a graph, each at its first occurrence.
#[derive(Default)]
struct ShapeVariables {
    defined: IdentitySet<Var>,
    used: IdentitySet<Var>,
    /// The variables that are used before their first binding.
    free: IdentitySet<Var>,
}

impl<'a> Observer<'a> for ShapeVariables {
    fn shape_var(&mut self, var: ObjectView<'a>, role: Role) {
        let Some(var) = var.to_handle::<Var>() else { return };
        match role {
            Role::Define => self.defined.insert(&var),
            Role::Mention => {
                if !self.defined.contains(&var) {
                    self.free.insert(&var);
                }
                self.used.insert(&var);
            }
        }
    }
}

fn of_info(info: &StructInfo, role: Role) -> ShapeVariables {
    let mut variables = ShapeVariables::default();
    walk_info(info, role, &mut variables);
    variables
}

fn of_expr(expr: &RelaxExpr) -> ShapeVariables {
    let mut variables = ShapeVariables::default();
    walk(expr, &mut variables);
    variables
}

/// The shape variables that structural information mentions, in the order of their first occurrence. (TVM 0.25
/// `relax.analysis.TIRVarsInStructInfo`)
///
/// ```
/// use object_relax::analysis::{definable_shape_vars, shape_vars};
/// use object_ir::ir::{StructInfo, TensorStructInfo};
/// use object_ir::tir::Var;
///
/// let (n, m) = (Var::dim("n"), Var::dim("m"));
/// let info: StructInfo = TensorStructInfo::of((&n, &n + &m), "float32")?.into();
/// assert_eq!(shape_vars(&info).len(), 2);
/// // The dimension `n + m` does not determine `m`.
/// assert_eq!(definable_shape_vars(&info).len(), 1);
/// # Ok::<(), object_core::Error>(())
/// ```
#[must_use]
pub fn shape_vars(info: &StructInfo) -> Vec<Var> {
    of_info(info, Role::Mention).used.into_keys()
}

/// The shape variables that a parameter with this structural information, or a match against it, binds: variables that
/// are a whole dimension of a tensor or shape, or a whole scalar, also in tuples. (TVM 0.25
/// `relax.analysis.DefinableTIRVarsInStructInfo`)
#[must_use]
pub fn definable_shape_vars(info: &StructInfo) -> Vec<Var> {
    of_info(info, Role::Define).defined.into_keys()
}

/// The shape variables that the parameters, the `MatchCast`s and the types of functions in `expr` bind, in the order of
/// the bindings. (TVM 0.25 `relax.analysis.DefinedSymbolicVars`, whose order is not defined)
#[must_use]
pub fn defined_shape_vars(expr: &RelaxExpr) -> Vec<Var> {
    of_expr(expr).defined.into_keys()
}

/// The shape variables that `expr` uses before it binds them, or without binding them, in the order of their first such
/// use. A binding counts to the end of `expr`. (TVM 0.25 `relax.analysis.FreeSymbolicVars`, whose order is not defined)
#[must_use]
pub fn free_shape_vars(expr: &RelaxExpr) -> Vec<Var> {
    of_expr(expr).free.into_keys()
}

/// The dimensions of the tensors and shapes in structural information, each once: expressions that are never negative.
/// Constants that are not negative are left out. (TVM 0.25 `relax.analysis.CollectNonNegativeExpressions`)
#[must_use]
pub fn non_negative_exprs(info: &StructInfo) -> Vec<PrimExpr> {
    let (mut found, mut open, mut seen) = (Vec::new(), vec![view(info)], FxHashSet::default());
    let mut distinct = StructuralSet::new();
    while let Some(info) = open.pop() {
        if info.use_count() > 1 && !seen.insert(info.address()) {
            continue;
        }
        let mut dims: &[PrimExpr] = &[];
        if let Some(info) = info.node::<TensorStructInfoNode>() {
            if let Some(shape) = &info.shape {
                match view(shape).node::<ShapeExprNode>() {
                    Some(shape) => dims = shape.values.as_slice(),
                    None => open.extend(shape.struct_info.iter().map(view)),
                }
            }
        } else if let Some(info) = info.node::<ShapeStructInfoNode>() {
            dims = info.values.as_ref().map_or(&[], |values| values.as_slice());
        } else if let Some(info) = info.node::<TupleStructInfoNode>() {
            open.extend(info.fields.as_slice().iter().rev().map(view));
        } else if let Some(info) = info.node::<DTensorStructInfoNode>() {
            open.push(view(&info.tensor_sinfo));
        } else if let Some(info) = info.node::<FuncStructInfoNode>() {
            open.push(view(&info.ret));
            open.extend(info.params.iter().flat_map(|params| params.as_slice()).rev().map(view));
        }
        for dim in dims {
            let is_trivial = view(dim).node::<IntImmNode>().is_some_and(|it| it.value >= 0);
            // A dimension without structural equality counts as distinct.
            if !is_trivial && distinct.insert(dim.clone()).unwrap_or(true) {
                found.push(dim.clone());
            }
        }
    }
    found
}

//! Functions of a module.

use object_core::prelude::*;

use crate::ir::attrs::DictAttrs;
use crate::ir::expr::{RelaxExprNode, StructInfo};
use crate::ir::seq::SeqExpr;
use crate::ir::var::Var;

/// Base of everything that a module can define under a global name.
///
/// TVM 0.25 `ir.BaseFunc`.
#[derive(Object)]
#[object(type_key = "ir.BaseFunc", files = tvm, parent = RelaxExprNode, base)]
#[structural_eq(tree)]
pub struct BaseFuncNode {
    /// The [`RelaxExprNode`] part.
    pub base: RelaxExprNode,
    /// Facts about the function: `global_symbol`, `Primitive`, and so on.
    pub attrs: DictAttrs,
}

/// A function over tensors and objects.
///
/// TVM 0.25 `relax.expr.Function`; spec: `Function`.
#[derive(Object)]
#[object(type_key = "relax.expr.Function", files = tvm, parent = BaseFuncNode, base_args(attrs: DictAttrs))]
#[structural_eq(dag, scope)]
pub struct FunctionNode {
    /// The [`BaseFuncNode`] part.
    pub base: BaseFuncNode,
    /// The parameters; their annotations bind shape variables.
    #[field(def)]
    pub params: Array<Var>,
    /// The body.
    pub body: SeqExpr,
    /// The structural information of the result, over the shape variables in scope.
    pub ret_struct_info: StructInfo,
    /// Whether a call has no visible side effect.
    pub is_pure: bool,
}

/// A reference to a function of the run-time registry by name.
///
/// TVM 0.25 `relax.expr.ExternFunc`; spec: `ExternFunc`.
#[derive(Object)]
#[object(type_key = "relax.expr.ExternFunc", files = tvm, parent = BaseFuncNode, base_args(attrs: DictAttrs))]
#[structural_eq(tree)]
pub struct ExternFuncNode {
    /// The [`BaseFuncNode`] part.
    pub base: BaseFuncNode,
    /// The name in the registry.
    pub global_symbol: Str,
}

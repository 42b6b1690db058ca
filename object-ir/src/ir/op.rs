//! Operators: the primitives that calls name.

use object_core::prelude::*;

use crate::ir::expr::RelaxExprNode;
use crate::ir::ty::FuncType;

/// The documentation of one argument of an operator.
///
/// TVM 0.25 `ir.ArgumentInfo`.
#[derive(Object)]
#[object(type_key = "ir.ArgumentInfo")]
#[structural_eq(tree)]
pub struct ArgumentInfoNode {
    /// The argument's name.
    pub name: Str,
    /// Its type in words, such as `Tensor`.
    pub type_info: Str,
    /// What it means.
    pub description: Str,
}

/// An operator. There is one object per name, and JSON holds the name alone; the rest comes from the
/// [table](crate::op).
///
/// TVM 0.25 `ir.Op`; spec: `Op`.
#[derive(Object)]
#[object(type_key = "ir.Op", parent = RelaxExprNode)]
#[structural_eq(singleton, key = name, table = crate::op::op_table)]
pub struct OpNode {
    /// The [`RelaxExprNode`] part.
    pub base: RelaxExprNode,
    /// The full name, such as `relax.nn.conv2d`.
    pub name: Str,
    /// The type of the operator as a function; the operators of TVM leave it out.
    #[field(ignore, default)]
    pub op_type: Option<FuncType>,
    /// What the operator does, in words.
    #[field(ignore, default)]
    pub description: Str,
    /// The arguments that are documented.
    #[field(ignore, default)]
    pub arguments: Array<ArgumentInfo>,
    /// The type key of the attributes that a call carries; empty where there are none or they vary.
    #[field(ignore, default)]
    pub attrs_type_key: Str,
    /// How many arguments a call has; -1 for any number.
    #[field(ignore, default)]
    pub num_inputs: i64,
    /// A rank of maturity, 1 best and 10 the default.
    #[field(ignore, default)]
    pub support_level: i64,
}

//! Structural information: types of values, with shapes (spec: Structural Information in Relax).

use object_core::prelude::*;

use crate::ir::env_func::EnvFunc;
use crate::ir::expr::{PrimExpr, RelaxExpr, StructInfo, StructInfoNode};
use crate::ir::global_info::VDevice;

/// Any value at all: the top of the order.
///
/// TVM 0.25 `relax.ObjectStructInfo`; spec: `ObjectStructInfo`.
#[derive(Object)]
#[object(type_key = "relax.ObjectStructInfo", files = tvm, parent = StructInfoNode)]
#[structural_eq(tree)]
pub struct ObjectStructInfoNode {
    /// The [`StructInfoNode`] part.
    pub base: StructInfoNode,
}

/// A scalar, whose value may be known as an expression.
///
/// TVM 0.25 `relax.PrimStructInfo`.
#[derive(Object)]
#[object(type_key = "relax.PrimStructInfo", files = tvm, parent = StructInfoNode)]
#[structural_eq(tree)]
pub struct PrimStructInfoNode {
    /// The [`StructInfoNode`] part.
    pub base: StructInfoNode,
    /// The value over shape variables, if known.
    pub value: Option<PrimExpr>,
    /// The data type, equal to the data type of `value` if there is one.
    pub dtype: DataType,
}

/// A shape, whose rank or dimensions may be known.
///
/// TVM 0.25 `relax.ShapeStructInfo`; spec: `ShapeStructInfo`.
#[derive(Object)]
#[object(type_key = "relax.ShapeStructInfo", files = tvm, parent = StructInfoNode)]
#[structural_eq(tree)]
pub struct ShapeStructInfoNode {
    /// The [`StructInfoNode`] part.
    pub base: StructInfoNode,
    /// One int64 expression per dimension, if known.
    pub values: Option<Array<PrimExpr>>,
    /// The number of dimensions, equal to the length of `values` if there is one; -1 if unknown.
    pub ndim: i64,
}

/// A tensor, whose shape, element type, device and rank may be known.
///
/// TVM 0.25 `relax.TensorStructInfo`; spec: `TensorStructInfo`.
#[derive(Object)]
#[object(type_key = "relax.TensorStructInfo", files = tvm, parent = StructInfoNode)]
#[structural_eq(tree)]
pub struct TensorStructInfoNode {
    /// The [`StructInfoNode`] part.
    pub base: StructInfoNode,
    /// A `ShapeExpr`, or a variable whose value is a shape.
    pub shape: Option<RelaxExpr>,
    /// The element type; void if unknown.
    pub dtype: DataType,
    /// The device of the data, if decided.
    pub vdevice: Option<VDevice>,
    /// The number of dimensions, equal to the rank of `shape` if there is one; -1 if unknown.
    pub ndim: i64,
}

/// A tuple, with structural information of each member.
///
/// TVM 0.25 `relax.TupleStructInfo`; spec: `TupleStructInfo`.
#[derive(Object)]
#[object(type_key = "relax.TupleStructInfo", files = tvm, parent = StructInfoNode)]
#[structural_eq(tree)]
pub struct TupleStructInfoNode {
    /// The [`StructInfoNode`] part.
    pub base: StructInfoNode,
    /// One per member.
    pub fields: Array<StructInfo>,
}

/// A function. Either `params` are known, and `ret` is the result in terms of them; or `derive_func` computes the
/// result of each call; or only `ret` is known.
///
/// TVM 0.25 `relax.FuncStructInfo`; spec: `FuncStructInfo`.
#[derive(Object)]
#[object(type_key = "relax.FuncStructInfo", files = tvm, parent = StructInfoNode)]
#[structural_eq(tree)]
pub struct FuncStructInfoNode {
    /// The [`StructInfoNode`] part.
    pub base: StructInfoNode,
    /// One per parameter. They bind shape variables that are the whole expression of a dimension.
    #[field(def)]
    pub params: Option<Array<StructInfo>>,
    /// The result, possibly over shape variables of `params`.
    pub ret: StructInfo,
    /// Computes the result of a call from the call, for functions without known parameters.
    pub derive_func: Option<EnvFunc>,
    /// Whether a call has no visible side effect.
    pub purity: bool,
}

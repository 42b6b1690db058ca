//! StructInfo: what is known about a value, with shapes (spec: Structural Information in Relax).

use object_core::prelude::*;

use crate::ir::env_func::EnvFunc;
use crate::ir::expr::{PrimExpr, RelaxExpr, StructInfo, StructInfoNode};
use crate::ir::global_info::VDevice;

/// Nothing is known: the top of the order.
///
/// TVM 0.25 `relax.ObjectStructInfo`; spec: `ObjectStructInfo`.
#[derive(Object)]
#[object(type_key = "relax.ObjectStructInfo", parent = StructInfoNode)]
#[structural_eq(tree)]
pub struct ObjectStructInfoNode {
    /// The [`StructInfoNode`] part.
    pub base: StructInfoNode,
}

/// A scalar, of which the value may be known as an expression.
///
/// TVM 0.25 `relax.PrimStructInfo`.
#[derive(Object)]
#[object(type_key = "relax.PrimStructInfo", parent = StructInfoNode)]
#[structural_eq(tree)]
pub struct PrimStructInfoNode {
    /// The [`StructInfoNode`] part.
    pub base: StructInfoNode,
    /// The value over shape variables, if known.
    pub value: Option<PrimExpr>,
    /// The data type; that of `value` if there is one.
    pub dtype: DataType,
}

/// A shape value, of which the rank or even each dimension may be known.
///
/// TVM 0.25 `relax.ShapeStructInfo`; spec: `ShapeStructInfo`.
#[derive(Object)]
#[object(type_key = "relax.ShapeStructInfo", parent = StructInfoNode)]
#[structural_eq(tree)]
pub struct ShapeStructInfoNode {
    /// The [`StructInfoNode`] part.
    pub base: StructInfoNode,
    /// One int64 expression per dimension, if known.
    pub values: Option<Array<PrimExpr>>,
    /// The number of dimensions, equal to the length of `values` if there is one; -1 when unknown.
    pub ndim: i64,
}

/// A tensor, of which shape, element type, device and rank may be known.
///
/// TVM 0.25 `relax.TensorStructInfo`; spec: `TensorStructInfo`.
#[derive(Object)]
#[object(type_key = "relax.TensorStructInfo", parent = StructInfoNode)]
#[structural_eq(tree)]
pub struct TensorStructInfoNode {
    /// The [`StructInfoNode`] part.
    pub base: StructInfoNode,
    /// A `ShapeExpr`, or a variable that holds a shape.
    pub shape: Option<RelaxExpr>,
    /// The element type; void when unknown.
    pub dtype: DataType,
    /// The device where the data lives, if decided.
    pub vdevice: Option<VDevice>,
    /// The number of dimensions, equal to that of `shape` if there is one; -1 when unknown.
    pub ndim: i64,
}

/// A tuple, with what is known about each member.
///
/// TVM 0.25 `relax.TupleStructInfo`; spec: `TupleStructInfo`.
#[derive(Object)]
#[object(type_key = "relax.TupleStructInfo", parent = StructInfoNode)]
#[structural_eq(tree)]
pub struct TupleStructInfoNode {
    /// The [`StructInfoNode`] part.
    pub base: StructInfoNode,
    /// One per member.
    pub fields: Array<StructInfo>,
}

/// A function. Either the parameters are known and `ret` is the result in terms of them, or calls are judged by
/// `derive_func`, or only `ret` is known.
///
/// TVM 0.25 `relax.FuncStructInfo`; spec: `FuncStructInfo`.
#[derive(Object)]
#[object(type_key = "relax.FuncStructInfo", parent = StructInfoNode)]
#[structural_eq(tree)]
pub struct FuncStructInfoNode {
    /// The [`StructInfoNode`] part.
    pub base: StructInfoNode,
    /// One per parameter; shape variables that stand alone in a dimension are bound here.
    #[field(def)]
    pub params: Option<Array<StructInfo>>,
    /// The result, possibly over shape variables of `params`.
    pub ret: StructInfo,
    /// Computes the result of a call from the call, for functions without known parameters.
    pub derive_func: Option<EnvFunc>,
    /// Whether a call has no visible side effect.
    pub purity: bool,
}

//! Types of values, without shapes (spec: Types in Relax).

use object_core::prelude::*;

use crate::ir::span::Span;

/// Base of all types.
///
/// TVM 0.25 `ir.Type`.
#[derive(Object)]
#[object(type_key = "ir.Type", files = tvm, base)]
#[structural_eq(tree)]
pub struct TypeNode {
    /// The place in the source text.
    #[field(ignore, default)]
    pub span: Option<Span>,
}

/// A scalar or vector of a machine data type; the type of a shape variable or of a `PrimFunc` parameter.
///
/// TVM 0.25 `ir.PrimType`.
#[derive(Object)]
#[object(type_key = "ir.PrimType", files = tvm, parent = TypeNode)]
#[structural_eq(tree)]
pub struct PrimTypeNode {
    /// The [`TypeNode`] part.
    pub base: TypeNode,
    /// The data type.
    pub dtype: DataType,
}

/// The address of elements of one type in one memory scope; the type of a buffer's data variable.
///
/// TVM 0.25 `ir.PointerType`.
#[derive(Object)]
#[object(type_key = "ir.PointerType", files = tvm, parent = TypeNode)]
#[structural_eq(tree)]
pub struct PointerTypeNode {
    /// The [`TypeNode`] part.
    pub base: TypeNode,
    /// The type of the elements.
    pub element_type: Type,
    /// The memory, such as `global` or `shared`; empty means `global`.
    pub storage_scope: Str,
}

/// A descriptor that the hardware uses to copy tiles of a tensor; opaque to the compiler.
///
/// TVM 0.25 `ir.TensorMapType`.
#[derive(Object)]
#[object(type_key = "ir.TensorMapType", files = tvm, parent = TypeNode)]
#[structural_eq(tree)]
pub struct TensorMapTypeNode {
    /// The [`TypeNode`] part.
    pub base: TypeNode,
}

/// A fixed number of values, each of its own type.
///
/// TVM 0.25 `ir.TupleType`.
#[derive(Object)]
#[object(type_key = "ir.TupleType", files = tvm, parent = TypeNode)]
#[structural_eq(tree)]
pub struct TupleTypeNode {
    /// The [`TypeNode`] part.
    pub base: TypeNode,
    /// The types of the members. The empty tuple is the type of "no value".
    pub fields: Array<Type>,
}

/// A function from argument types to a result type. Purity is not part of it.
///
/// TVM 0.25 `ir.FuncType`.
#[derive(Object)]
#[object(type_key = "ir.FuncType", files = tvm, parent = TypeNode)]
#[structural_eq(tree)]
pub struct FuncTypeNode {
    /// The [`TypeNode`] part.
    pub base: TypeNode,
    /// One type per parameter.
    pub arg_types: Array<Type>,
    /// The type of the result.
    pub ret_type: Type,
}

/// A tensor of known or unknown rank and element type.
///
/// TVM 0.25 `relax.DynTensorType`; spec: `DynTensorType`.
#[derive(Object)]
#[object(type_key = "relax.DynTensorType", files = tvm, parent = TypeNode)]
#[structural_eq(tree)]
pub struct DynTensorTypeNode {
    /// The [`TypeNode`] part.
    pub base: TypeNode,
    /// The number of dimensions; -1 if unknown.
    pub ndim: i64,
    /// The element type; void if unknown.
    pub dtype: DataType,
}

/// A shape value: a tuple of integers.
///
/// TVM 0.25 `relax.ShapeType`; spec: `ShapeType`.
#[derive(Object)]
#[object(type_key = "relax.ShapeType", files = tvm, parent = TypeNode)]
#[structural_eq(tree)]
pub struct ShapeTypeNode {
    /// The [`TypeNode`] part.
    pub base: TypeNode,
    /// The number of integers; -1 if unknown.
    pub ndim: i64,
}

/// Any value at all: the top of the types.
///
/// TVM 0.25 `relax.ObjectType`; spec: `ObjectType`.
#[derive(Object)]
#[object(type_key = "relax.ObjectType", files = tvm, parent = TypeNode)]
#[structural_eq(tree)]
pub struct ObjectTypeNode {
    /// The [`TypeNode`] part.
    pub base: TypeNode,
}

/// A function implemented outside of the IR, without known parameters and result.
///
/// TVM 0.25 `relax.PackedFuncType`; spec: `PackedFuncType`.
#[derive(Object)]
#[object(type_key = "relax.PackedFuncType", files = tvm, parent = TypeNode)]
#[structural_eq(tree)]
pub struct PackedFuncTypeNode {
    /// The [`TypeNode`] part.
    pub base: TypeNode,
}

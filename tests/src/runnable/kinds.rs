//! The types of the tensors of random programs.

use Dim::{Constant as K, Symbolic as N};
use object_core::prelude::*;
use object_ir::ir::{IntImm, PrimExpr, StructInfo, TensorStructInfo};
use object_ir::tir;

/// A dimension.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dim {
    /// The shape variable of the function.
    Symbolic,
    Constant(i64),
}

/// The element types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Float,
    Int,
    Bool,
}

impl Type {
    pub(super) fn name(self) -> &'static str {
        match self {
            Type::Float => "float32",
            Type::Int => "int32",
            Type::Bool => "bool",
        }
    }
}

/// The type of a tensor.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) dims: Vec<Dim>,
    pub(super) dtype: Type,
}

pub(super) fn kind(dtype: Type, dims: &[Dim]) -> Kind {
    Kind { dims: dims.to_vec(), dtype }
}

/// The parameters of `main`.
pub(super) fn parameters() -> Vec<(&'static str, Kind)> {
    vec![
        ("x", kind(Type::Float, &[N, K(4)])),
        ("y", kind(Type::Float, &[N, K(4)])),
        ("w", kind(Type::Float, &[K(4), K(4)])),
        ("v", kind(Type::Float, &[K(4)])),
        ("i", kind(Type::Int, &[N])),
        ("k", kind(Type::Int, &[])),
        ("c", kind(Type::Bool, &[])),
    ]
}

pub(super) fn info(kind: &Kind, extent: &tir::Var) -> StructInfo {
    let dims: Vec<PrimExpr> = kind.dims.iter().map(|dim| dim_expr(*dim, extent)).collect();
    TensorStructInfo::of(dims, kind.dtype.name()).expect("a data type").into()
}

pub(super) fn dim_expr(dim: Dim, extent: &tir::Var) -> PrimExpr {
    match dim {
        N => extent.into(),
        K(size) => IntImm::new(DataType::int(64), size).into(),
    }
}

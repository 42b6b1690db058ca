//! Functions over buffers, and maps of indices.

use object_core::prelude::*;

use crate::ir::attrs::DictAttrs;
use crate::ir::expr::PrimExpr;
use crate::ir::function::BaseFuncNode;
use crate::ir::ty::Type;
use crate::tir::buffer::Buffer;
use crate::tir::expr::Var;
use crate::tir::stmt::Stmt;

/// A function over scalars and memory, made of loops.
///
/// TVM 0.25 `tirx.PrimFunc`.
#[derive(Object)]
#[object(type_key = "tirx.PrimFunc", files = tvm, parent = BaseFuncNode, base_args(attrs: DictAttrs))]
#[structural_eq(tree, scope)]
pub struct PrimFuncNode {
    /// The [`BaseFuncNode`] part.
    pub base: BaseFuncNode,
    /// The parameters: scalars and addresses.
    #[field(def)]
    pub params: Array<Var>,
    /// The type of the result; the empty tuple for none.
    pub ret_type: Type,
    /// For parameters that are tensors, the buffer that the body accesses.
    pub buffer_map: Map<Var, Buffer>,
    /// The body.
    pub body: Stmt,
}

/// A mapping between index spaces, such as a change of layout.
///
/// TVM 0.25 `tirx.IndexMap`.
#[derive(Object)]
#[object(type_key = "tirx.IndexMap", files = tvm)]
#[structural_eq(tree)]
pub struct IndexMapNode {
    /// The variables of the source space, which this node defines.
    #[field(def)]
    pub initial_indices: Array<Var>,
    /// The indices in the destination space, over these variables.
    pub final_indices: Array<PrimExpr>,
    /// The inverse mapping, if the creator of the map gave it.
    #[field(ignore)]
    pub inverse_index_map: Option<IndexMap>,
}

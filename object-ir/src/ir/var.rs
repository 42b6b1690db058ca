//! Variables and global names (spec: Variable Scoping).

use object_core::prelude::*;

use crate::ir::expr::{LeafExprNode, RelaxExprNode};

/// The identity of a variable: two variables are the same if their ids are the same object.
///
/// TVM 0.25 `relax.Id`.
#[derive(Object)]
#[object(type_key = "relax.Id", files = tvm, label = "{name_hint}")]
#[structural_eq(var)]
pub struct IdNode {
    /// The name to print, not necessarily unique.
    #[field(ignore)]
    pub name_hint: Str,
}

/// A variable of a function or binding block. Its structural information is annotated or inferred, and
/// structural equality compares it.
///
/// TVM 0.25 `relax.expr.Var`; spec: `Var`.
#[derive(Object)]
#[object(type_key = "relax.expr.Var", files = tvm, parent = LeafExprNode, base, label = "{vid.name_hint:word}")]
#[structural_eq(dag, custom)]
pub struct VarNode {
    /// The [`LeafExprNode`] part.
    pub base: LeafExprNode,
    /// The identity.
    pub vid: Id,
}

/// Compares the structural information, although structural equality ignores the field in all other expressions.
impl StructuralHook for VarNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add("vid", &self.vid);
        contents.add("struct_info_", &self.struct_info);
    }
}

/// A variable whose scope ends with its dataflow block. As in TVM, structural equality ignores its structural
/// information.
///
/// TVM 0.25 `relax.expr.DataflowVar`; spec: `DataflowVar`.
#[derive(Object)]
#[object(type_key = "relax.expr.DataflowVar", files = tvm, parent = VarNode, base_args(vid: Id), label = "{vid.name_hint:word}")]
#[structural_eq(dag)]
pub struct DataflowVarNode {
    /// The [`VarNode`] part.
    pub base: VarNode,
}

/// The name of a function of the module.
///
/// TVM 0.25 `ir.GlobalVar`; spec: `GlobalVar`.
#[derive(Object)]
#[object(type_key = "ir.GlobalVar", files = tvm, parent = RelaxExprNode, label = "I.GlobalVar({name_hint:?})")]
#[structural_eq(var)]
pub struct GlobalVarNode {
    /// The [`RelaxExprNode`] part.
    pub base: RelaxExprNode,
    /// The name, unique within a module.
    pub name_hint: Str,
}

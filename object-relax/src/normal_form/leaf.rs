//! Facts about single expressions: leaf expressions, which are arguments in normal form, and missing annotations.

use object_core::object::MakeMut;
use object_core::{ObjectHandle, ObjectView};
use object_ir::ir::{
    DataflowVar, ExternFuncNode, Function, GlobalVarNode, LeafExprNode, ObjectStructInfo, OpNode, RelaxExpr,
    StructInfo, Tuple, TupleNode, TupleStructInfo, Var,
};

/// Whether an expression is an argument in normal form. A tuple is one, whatever its fields are (spec: Normal Form, 1, with
/// the operators and external functions that the specification leaves out).
#[must_use]
pub fn is_leaf(expr: ObjectView<'_>) -> bool {
    expr.node::<LeafExprNode>().is_some()
        || expr.node::<TupleNode>().is_some()
        || expr.node::<GlobalVarNode>().is_some()
        || expr.node::<ExternFuncNode>().is_some()
        || expr.node::<OpNode>().is_some()
}

/// Whether `expr` is a variable whose value is the empty tuple. In normal form, the empty tuple stands in its place (TVM
/// 0.25 `src/relax/ir/block_builder.cc`).
pub(super) fn is_void_var(expr: &RelaxExpr) -> bool {
    expr.struct_info.as_ref().is_some_and(is_void) && expr.is::<Var>() && !expr.is::<DataflowVar>()
}

/// The expression as an operand in normal form: the empty tuple in place of a variable whose value it is.
#[must_use]
pub fn without_void_var(expr: RelaxExpr) -> RelaxExpr {
    if !is_void_var(&expr) {
        return expr;
    }
    let mut nothing: RelaxExpr = Tuple::new([]).into();
    nothing.make_mut().struct_info.clone_from(&expr.struct_info);
    nothing
}

/// Whether a function with a body of this structural information lacks the annotation of its result. An
/// `ObjectStructInfo` counts as missing, because a function always has an annotation.
pub(super) fn lacks_result(function: &Function, body: &StructInfo) -> bool {
    function.ret_struct_info.is::<ObjectStructInfo>() && !body.is::<ObjectStructInfo>()
}

/// Whether this is the structural information of the empty tuple.
#[must_use]
pub fn is_void(info: &StructInfo) -> bool {
    info.downcast_ref::<TupleStructInfo>().is_some_and(|tuple| tuple.fields.is_empty())
}

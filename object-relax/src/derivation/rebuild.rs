//! Parts of a program with other contents. They are made from node structs, because the general copy of an object takes a
//! call for each field.

use object_core::prelude::*;
use object_ir::ir::{
    BaseExprNode, BindingNode, Call, CallNode, DataflowVar, DataflowVarNode, LeafExprNode, RelaxExpr, RelaxExprNode,
    Span, StructInfo, Tuple, TupleGetItem, TupleGetItemNode, TupleNode, Var, VarBinding, VarBindingNode, VarNode,
};

/// Whether an object has the type of a node struct, and not a type that extends it.
fn is_exactly<H: TypedHandle>(handle: &impl ObjectHandle) -> bool {
    std::ptr::eq(handle.as_object().view().type_info(), H::Node::TYPE_INFO)
}

fn base(span: Option<&Span>, info: StructInfo) -> RelaxExprNode {
    RelaxExprNode { base: BaseExprNode { span: span.cloned() }, struct_info: Some(info) }
}

/// The call with another callee, other arguments and other structural information.
pub(super) fn call_with(call: &Call, op: RelaxExpr, args: Array<RelaxExpr>, info: StructInfo) -> Call {
    if !is_exactly::<Call>(call) {
        return call.clone().with_changes(|node| (node.op, node.args, node.base.struct_info) = (op, args, Some(info)));
    }
    let (attrs, sinfo_args) = (call.attrs.clone(), call.sinfo_args.clone());
    CallNode { base: base(call.span.as_ref(), info), op, args, attrs, sinfo_args }.into()
}

/// The tuple with other members and other structural information.
pub(super) fn tuple_with(tuple: &Tuple, fields: Array<RelaxExpr>, info: StructInfo) -> Tuple {
    if !is_exactly::<Tuple>(tuple) {
        return tuple.clone().with_changes(|node| (node.fields, node.base.struct_info) = (fields, Some(info)));
    }
    TupleNode { base: base(tuple.span.as_ref(), info), fields }.into()
}

/// The member of another tuple with other structural information.
pub(super) fn member_with(member: &TupleGetItem, tuple: RelaxExpr, info: StructInfo) -> TupleGetItem {
    if !is_exactly::<TupleGetItem>(member) {
        return member.clone().with_changes(|node| (node.tuple_value, node.base.struct_info) = (tuple, Some(info)));
    }
    TupleGetItemNode { base: base(member.span.as_ref(), info), tuple_value: tuple, index: member.index }.into()
}

/// The variable with structural information.
pub(super) fn var_with_info(var: &Var, info: &StructInfo) -> Var {
    let is_dataflow = is_exactly::<DataflowVar>(var);
    if !is_dataflow && !is_exactly::<Var>(var) {
        return var.clone().with_changes(|node| node.base.base.struct_info = Some(info.clone()));
    }
    let base = LeafExprNode { base: base(var.span.as_ref(), info.clone()) };
    let node = VarNode { base, vid: var.vid.clone() };
    if is_dataflow { DataflowVar::from(DataflowVarNode { base: node }).into() } else { node.into() }
}

/// The binding with another value and variable.
pub(super) fn binding_with(binding: &VarBinding, value: RelaxExpr, var: Var) -> VarBinding {
    if !is_exactly::<VarBinding>(binding) {
        return binding.clone().with_changes(|node| (node.value, node.base.var) = (value, var));
    }
    VarBindingNode { base: BindingNode { span: binding.span.clone(), var }, value }.into()
}

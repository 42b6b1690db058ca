//! Parts of a program with other contents. They are made from node structs, because the general copy of an object takes a
//! call for each field.

use object_core::prelude::*;

use crate::ir::binding::{VarBinding, VarBindingNode};
use crate::ir::call::{Call, CallNode};
use crate::ir::expr::{BaseExprNode, LeafExprNode, RelaxExpr, RelaxExprNode, StructInfo};
use crate::ir::seq::BindingNode;
use crate::ir::var::{DataflowVar, DataflowVarNode, Var, VarNode};

/// Whether an object has the type of a node struct, and not a type that extends it.
fn is_exactly<H: TypedHandle>(handle: &impl ObjectHandle) -> bool {
    std::ptr::eq(handle.as_object().view().type_info(), H::Node::TYPE_INFO)
}

/// The call with other arguments and without structural information.
pub(super) fn call_with_args(call: &Call, args: Array<RelaxExpr>) -> Call {
    if !is_exactly::<Call>(call) {
        return call.clone().with_changes(|node| (node.args, node.base.struct_info) = (args, None));
    }
    let base = RelaxExprNode { base: BaseExprNode { span: call.span.clone() }, struct_info: None };
    let (op, attrs, sinfo_args) = (call.op.clone(), call.attrs.clone(), call.sinfo_args.clone());
    CallNode { base, op, args, attrs, sinfo_args }.into()
}

/// The variable with structural information.
pub(super) fn var_with_info(var: &Var, info: &StructInfo) -> Var {
    let is_dataflow = is_exactly::<DataflowVar>(var);
    if !is_dataflow && !is_exactly::<Var>(var) {
        return var.clone().with_changes(|node| node.base.base.struct_info = Some(info.clone()));
    }
    let base = RelaxExprNode { base: BaseExprNode { span: var.span.clone() }, struct_info: Some(info.clone()) };
    let node = VarNode { base: LeafExprNode { base }, vid: var.vid.clone() };
    if is_dataflow { DataflowVar::from(DataflowVarNode { base: node }).into() } else { node.into() }
}

/// The binding with another value and variable.
pub(super) fn binding_with(binding: &VarBinding, value: RelaxExpr, var: Var) -> VarBinding {
    if !is_exactly::<VarBinding>(binding) {
        return binding.clone().with_changes(|node| (node.value, node.base.var) = (value, var));
    }
    VarBindingNode { base: BindingNode { span: binding.span.clone(), var }, value }.into()
}

//! Expressions of TIR other than arithmetic (TVM 0.25 src/tirx/script/printer/expr.cc).

use object_core::{AnyView, ObjectHandle, ObjectView};
use object_ir::ir::PrimExpr;
use object_ir::tir::fold;
use object_ir::tir::{
    BroadcastNode, CastNode, CommReducer, IndexMap, IterVarNode, LetNode, Predicate, RampNode, ReduceNode, SelectNode,
    ShuffleNode, StringImmNode, Var,
};

use crate::print::doc::tree::{Doc, Node, Text};
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use crate::print::tir::vars::define_var;
use crate::words::{AXIS_KINDS, word};
use object_core::print::Path;

/// Whether the expression is the integer constant `value`.
pub(crate) fn is_int(expr: &PrimExpr, value: i64) -> bool {
    fold::int(expr) == Some(value)
}

/// A string. One of several lines is in the metadata.
pub(crate) fn string_imm(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    match object.node::<StringImmNode>() {
        Some(string) if !string.value.contains('\n') => p.string_field(path, "value", &string.value),
        _ => p.metadata_item(AnyView::Object(object)),
    }
}

/// A conversion.
pub(crate) fn cast(p: &mut Printer<'_>, cast: &CastNode, path: Path) -> Doc {
    let args = [p.dtype_field(path, "dtype", cast.dtype), p.field(path, "value", &cast.value)];
    p.dialect_call(Dialect::Tir, "Cast", &args, &[])
}

/// A choice whose operands are all computed.
pub(crate) fn select(p: &mut Printer<'_>, select: &SelectNode, path: Path) -> Doc {
    let args = [
        p.field(path, "condition", &select.condition),
        p.field(path, "true_value", &select.true_value),
        p.field(path, "false_value", &select.false_value),
    ];
    p.dialect_call(Dialect::Tir, "Select", &args, &[])
}

/// A vector of numbers with equal distances.
pub(crate) fn ramp(p: &mut Printer<'_>, ramp: &RampNode, path: Path) -> Doc {
    let args = [
        p.field(path, "base", &ramp.start),
        p.field(path, "stride", &ramp.stride),
        p.field(path, "lanes", &ramp.lanes),
    ];
    p.dialect_call(Dialect::Tir, "Ramp", &args, &[])
}

/// A vector of one value.
pub(crate) fn broadcast(p: &mut Printer<'_>, broadcast: &BroadcastNode, path: Path) -> Doc {
    let args = [p.field(path, "value", &broadcast.value), p.field(path, "lanes", &broadcast.lanes)];
    p.dialect_call(Dialect::Tir, "Broadcast", &args, &[])
}

/// A vector of elements of others.
pub(crate) fn shuffle(p: &mut Printer<'_>, shuffle: &ShuffleNode, path: Path) -> Doc {
    let args = [p.field(path, "vectors", &shuffle.vectors), p.field(path, "indices", &shuffle.indices)];
    p.dialect_call(Dialect::Tir, "Shuffle", &args, &[])
}

/// A local variable in an expression.
pub(crate) fn let_expr(p: &mut Printer<'_>, expr: &LetNode, path: Path) -> Doc {
    let value = p.field(path, "value", &expr.value);
    let var = p.field(path, "var", &expr.var);
    let bindings = p.dict(&[var, value]);
    let body = p.field(path, "body", &expr.body);
    p.dialect_call(Dialect::Tir, "Let", &[body], &[("where".into(), bindings)])
}

/// An axis of a loop.
pub(crate) fn iter_var(p: &mut Printer<'_>, var: &IterVarNode, path: Path) -> Doc {
    let kind = word(AXIS_KINDS, var.iter_type).unwrap_or("Unknown");
    let args = [
        p.field(path, "var", &var.var),
        p.field(path, "dom", &var.dom),
        p.string_field(path, "iter_type", kind),
        p.string_field(path, "thread_tag", &var.thread_tag),
    ];
    p.dialect_call(Dialect::Tir, "iter_var", &args, &[])
}

/// A reduction over axes.
pub(crate) fn reduce(p: &mut Printer<'_>, reduce: &ReduceNode, path: Path) -> Doc {
    let combiner = p.field(path, "combiner", &reduce.combiner);
    let source = p.field(path, "source", &reduce.source);
    let init = p.field(path, "init", &reduce.init);
    let axis = p.field(path, "axis", &reduce.axis);
    let condition = p.field(path, "condition", &reduce.condition);
    let index_path = p.paths.field(path, "value_index");
    let value_index = p.int(reduce.value_index, index_path);
    let keywords: [(Text, Doc); 5] = [
        ("source".into(), source),
        ("init".into(), init),
        ("axis".into(), axis),
        ("condition".into(), condition),
        ("value_index".into(), value_index),
    ];
    p.dialect_call(Dialect::Tir, "reduce", &[combiner], &keywords)
}

/// A lambda expression in a frame of its own, which defines its parameters.
fn lambda(
    p: &mut Printer<'_>,
    object: ObjectView<'_>,
    params: &[&Var],
    body: impl FnOnce(&mut Printer<'_>) -> Doc,
) -> Doc {
    let kind = Printer::tir_frame(Some(object.to_object()));
    let ((params, body), _) = p.in_frame(kind, None, |p| {
        let frame = p.innermost();
        let params: Vec<Doc> = params.iter().map(|var| define_var(p, var, frame)).collect();
        (params, body(p))
    });
    let params = p.tree.list(&params);
    p.tree.add(Node::Lambda { params, body })
}

/// The operation of a reduction.
pub(crate) fn comm_reducer(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(reducer) = object.to_handle::<CommReducer>() else { return p.metadata_item(AnyView::Object(object)) };
    let params: Vec<&Var> = reducer.lhs.as_slice().iter().chain(reducer.rhs.as_slice()).collect();
    let lambda = lambda(p, object, &params, |p| {
        let result_path = p.paths.field(path, "result");
        let results = p.items(reducer.result.as_slice(), result_path);
        match *results {
            [result] => result,
            _ => p.tuple(&results),
        }
    });
    let identity = p.field(path, "identity_element", &reducer.identity_element);
    p.dialect_call(Dialect::Tir, "comm_reducer", &[lambda, identity], &[])
}

/// A map of indices.
pub(crate) fn index_map(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(map) = object.to_handle::<IndexMap>() else { return p.metadata_item(AnyView::Object(object)) };
    let forward = index_lambda(p, &map, path);
    let inverse_path = p.paths.field(path, "inverse_index_map");
    let mut keywords: Vec<(Text, Doc)> = Vec::new();
    if let Some(inverse) = &map.inverse_index_map {
        keywords.push(("inverse_index_map".into(), index_lambda(p, inverse, inverse_path)));
    }
    p.dialect_call(Dialect::Tir, "index_map", &[forward], &keywords)
}

fn index_lambda(p: &mut Printer<'_>, map: &IndexMap, path: Path) -> Doc {
    let params: Vec<&Var> = map.initial_indices.as_slice().iter().collect();
    lambda(p, map.as_object().view(), &params, |p| {
        let path = p.paths.field(path, "final_indices");
        let results = p.items(map.final_indices.as_slice(), path);
        p.tuple(&results)
    })
}

/// A condition on indices.
pub(crate) fn predicate(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(predicate) = object.to_handle::<Predicate>() else { return p.metadata_item(AnyView::Object(object)) };
    let params: Vec<&Var> = predicate.vars.as_slice().iter().collect();
    lambda(p, object, &params, |p| p.field(path, "pred", &predicate.pred))
}

//! Bindings of Relax (TVM 0.25 src/relax/script/printer/binding.cc).

use std::rc::Rc;

use object_core::{DataType, ObjectHandle, structural_equal};
use object_ir::ir::{
    Call, CallNode, Function, IfNode, MatchCastNode, OpNode, RelaxExpr, ShapeExprNode, StructInfo,
    TensorStructInfoNode, TupleGetItemNode, TupleNode, TupleStructInfo, TupleStructInfoNode, Var, VarBindingNode,
    VarNode,
};
use object_ir::tir::fold::int;
use object_relax::arith::Analyzer;
use object_relax::normal_form::is_void;
use object_relax::op::{InferContext, infer};

use crate::print::doc::tree::{Doc, Node};
use crate::print::relax::region::sequence;
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use crate::print::state::references::dimension_of;
use object_core::print::Path;

/// `var: S = value`. Functions and branches have their own statements; a value without information, bound to a variable
/// without information, prints as a statement.
pub(crate) fn var_binding(p: &mut Printer<'_>, binding: &VarBindingNode, path: Path) -> Doc {
    let (var, value) = (&binding.base.var, &binding.value);
    let (var_path, value_path) = (p.paths.field(path, "var"), p.paths.field(path, "value"));
    let object = value.as_object().view();
    if let Some(branch) = object.node::<IfNode>() {
        let annotation = annotation(p, var, var_path, Some(value));
        let target = p.define_var(var);
        p.tree.mark(target, var_path);
        let doc = if_statement(p, branch, value_path, Some((target, annotation)));
        p.tree.mark(doc, value_path);
        return doc;
    }
    if object.to_handle::<Function>().is_some() {
        let name = p.define_var(var);
        return local_function(p, name, value, value_path);
    }
    let is_void = |info: &Option<StructInfo>| info.as_ref().is_some_and(is_void);
    let doc = p.expr(value, value_path);
    if p.options.syntax_sugar && is_void(&value.struct_info) && is_void(&var.struct_info) {
        return p.tree.add(Node::Expr(doc));
    }
    let annotation = annotation(p, var, var_path, Some(value));
    let target = p.define_var(var);
    p.tree.mark(target, var_path);
    p.assign(target, annotation, Some(doc))
}

/// The definition of a function that has the name of a variable.
pub(crate) fn local_function(p: &mut Printer<'_>, name: Doc, function: &RelaxExpr, path: Path) -> Doc {
    let name = match *p.tree.node(name) {
        Node::Name(text) => Rc::from(p.tree.text(text)),
        _ => Rc::from("f"),
    };
    p.binding_names.push(name);
    let doc = p.any(object_core::AsAnyView::as_any_view(function), path);
    p.binding_names.pop();
    doc
}

/// `var: S = R.match_cast(value, S)`.
///
/// A binding of a dimension is `var: T.int64 = value` where expressions of scalars are the same in all languages.
pub(crate) fn match_cast(p: &mut Printer<'_>, binding: &MatchCastNode, path: Path) -> Doc {
    let var_path = p.paths.field(path, "var");
    if p.words.has_one_scalar && dimension_of(&binding.base.var).is_some_and(|dimension| !p.is_defined(dimension)) {
        let value = p.field(path, "value", &binding.value);
        let annotation = annotation(p, &binding.base.var, var_path, Some(&binding.value));
        let target = p.define_var(&binding.base.var);
        p.tree.mark(target, var_path);
        return p.assign(target, annotation, Some(value));
    }
    let annotation = if p.options.show_all_struct_info {
        annotation(p, &binding.base.var, var_path, Some(&binding.value))
    } else {
        None
    };
    let value = p.field(path, "value", &binding.value);
    let info = p.field(path, "struct_info", &binding.struct_info);
    let call = p.dialect_call(Dialect::Relax, "match_cast", &[value, info], &[]);
    let target = p.define_var(&binding.base.var);
    p.tree.mark(target, var_path);
    p.assign(target, annotation, Some(call))
}

/// The structural information of a variable, unless the value determines it and the options leave it out then.
pub(crate) fn annotation(p: &mut Printer<'_>, var: &Var, path: Path, value: Option<&RelaxExpr>) -> Option<Doc> {
    let info = var.struct_info.as_ref()?;
    let call = value.and_then(|value| value.as_object().view().node::<CallNode>());
    let op = call.and_then(|call| call.op.as_object().view().node::<OpNode>()).map(|op| &*op.name);
    let has_output = matches!(op, Some("relax.call_tir" | "relax.call_dps_packed"));
    if (has_output || !p.options.show_all_struct_info)
        && value.and_then(|value| derived(p, value)).is_some_and(|derived| is_same(&derived, info))
    {
        return None;
    }
    Some(p.field(path, "struct_info_", info))
}

/// Whether both are the same information.
fn is_same(a: &StructInfo, b: &StructInfo) -> bool {
    // Tensors with constant shapes, the most common case, need no comparison of graphs.
    let constant = |info: &StructInfo| -> Option<Vec<(DataType, i64)>> {
        let tensor =
            info.as_object().view().node::<TensorStructInfoNode>().filter(|tensor| tensor.vdevice.is_none())?;
        let shape = tensor.shape.as_ref()?.as_object().view().node::<ShapeExprNode>()?;
        let dims = shape.values.as_slice().iter().map(|dim| Some((dim.dtype, int(dim)?)));
        dims.chain([Some((tensor.dtype, tensor.ndim))]).collect()
    };
    a.ptr_eq(b) || constant(a).is_some_and(|dims| Some(dims) == constant(b)) || structural_equal(a, b)
}

/// The structural information of an expression as an annotation.
pub(crate) fn annotation_of(p: &mut Printer<'_>, value: &RelaxExpr, path: Path) -> Option<Doc> {
    value.struct_info.as_ref().map(|info| p.field(path, "struct_info_", info))
}

/// The structural information that a reader derives from a value: TVM's printer knows some of it, and the readable text
/// leaves out all that the value has.
fn derived(p: &Printer<'_>, value: &RelaxExpr) -> Option<StructInfo> {
    determined(value).or_else(|| value.struct_info.clone().filter(|_| p.options.readable))
}

/// The structural information that a value determines, as far as TVM's printer knows.
fn determined(value: &RelaxExpr) -> Option<StructInfo> {
    let object = value.as_object().view();
    if let Some(call) = object.as_handle::<Call>() {
        let op = call.op.as_object().view().node::<OpNode>()?;
        let states_output = matches!(&*op.name, "relax.call_tir" | "relax.call_dps_packed" | "relax.call_tir_inplace");
        if states_output {
            return call.sinfo_args.first().filter(|_| call.sinfo_args.len() == 1);
        }
        let analyzer = Analyzer::for_shapes();
        return infer(call, &InferContext::new(&analyzer)).ok();
    }
    if let Some(tuple) = object.node::<TupleNode>() {
        let fields: Option<Vec<StructInfo>> =
            tuple.fields.as_slice().iter().map(|field| field.struct_info.clone()).collect();
        return Some(TupleStructInfo::new(fields?).into());
    }
    if let Some(item) = object.node::<TupleGetItemNode>() {
        let info = item.tuple_value.struct_info.as_ref()?.as_object().view();
        return info.node::<TupleStructInfoNode>()?.fields.get(usize::try_from(item.index).ok()?);
    }
    object.node::<VarNode>()?.struct_info.clone()
}

/// A branch. With a target, both sides end with an assignment to it.
pub(crate) fn if_statement(
    p: &mut Printer<'_>,
    branch: &IfNode,
    path: Path,
    target: Option<(Doc, Option<Doc>)>,
) -> Doc {
    let condition = p.field(path, "cond", &branch.cond);
    let spilled = std::mem::take(&mut p.spilled);
    let then_path = p.paths.field(path, "true_branch");
    let then = sequence(p, &branch.true_branch, then_path);
    let otherwise_path = p.paths.field(path, "false_branch");
    let otherwise = sequence(p, &branch.false_branch, otherwise_path);
    p.spilled = spilled;
    let [then, otherwise] = [then, otherwise].map(|(mut statements, result)| {
        statements.push(match target {
            Some((target, annotation)) => p.assign(target, annotation, Some(result)),
            None => p.tree.add(Node::Expr(result)),
        });
        p.tree.list(&statements)
    });
    p.tree.add(Node::If { condition, then, otherwise })
}

/// A branch that nothing binds.
pub(crate) fn if_alone(p: &mut Printer<'_>, branch: &IfNode, path: Path) -> Doc {
    if_statement(p, branch, path, None)
}

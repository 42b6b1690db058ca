//! Calls of Relax (TVM 0.25 src/relax/script/printer/call.cc).

use object_core::{AnyView, AsAnyView, ObjectHandle, ObjectView, structural_equal};
use object_ir::attrs::{CallTIRInplaceAttrsNode, CallTIRWithGradAttrsNode, HintOnDeviceAttrsNode, ToVDeviceAttrsNode};
use object_ir::distributed::DTensorStructInfoNode;
use object_ir::ir::{
    Attrs, CallNode, DictAttrsNode, ExternFuncNode, OpNode, ShapeExprNode, StructInfo, TupleNode, TupleStructInfoNode,
    calls_loop_program,
};
use object_relax::op::operator as operator_table;

use crate::print::doc::tree::{Doc, Docs, Keywords, Node};
use crate::print::ir::global::vdevice_reference;
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use object_core::print::Path;

/// Prints a call. The forms of some operators apply to the numbers of arguments that TVM accepts; other calls of them
/// print like calls of any operator.
pub(crate) fn call(p: &mut Printer<'_>, call: &CallNode, path: Path) -> Doc {
    let op = call.op.as_object().view();
    let Some(name) = op.node::<OpNode>().map(|op| &*op.name) else { return general(p, call, path) };
    let args = call.args.len();
    match name {
        "relax.call_tir"
        | "relax.call_dps_packed"
        | "relax.call_tir_inplace"
        | "relax.call_tir_with_grad"
        | "relax.dist.call_tir_local_view"
            if (args == 2 || args == 3) && call.sinfo_args.len() == 1 =>
        {
            call_with_output(p, call, name, path)
        }
        "relax.assert_op" if args >= 2 => with_format(p, call, "assert_op", 1, path),
        "relax.print" if args >= 1 => with_format(p, call, "print", 0, path),
        "relax.hint_on_device" if args >= 1 && call.attrs.is_some() => hint_on_device(p, call, path),
        "relax.to_vdevice" if args >= 1 && call.attrs.is_some() => to_vdevice(p, call, path),
        _ => general(p, call, path),
    }
}

/// The first argument: an external function prints as its name.
fn callee(p: &mut Printer<'_>, call: &CallNode, args_path: Path) -> Doc {
    let path = p.paths.item(args_path, 0);
    let Some(callee) = call.args.as_slice().first() else { return p.any(AnyView::None, path) };
    match callee.as_object().view().node::<ExternFuncNode>() {
        Some(function) => {
            let doc = p.string(&function.global_symbol);
            p.tree.mark(doc, path);
            doc
        }
        None => p.expr(callee, path),
    }
}

fn arg(p: &mut Printer<'_>, call: &CallNode, args_path: Path, index: usize) -> Doc {
    let path = p.paths.item(args_path, index);
    p.expr_of(call.args.as_slice().get(index).map_or(AnyView::None, AsAnyView::as_any_view), path)
}

/// The scalar arguments of a call of a loop program, if the text has them in the tuple of tensors.
fn scalars_in_tuple<'c>(p: &Printer<'_>, call: &'c CallNode, op: &str) -> Option<&'c ShapeExprNode> {
    let [_, tuple, scalars] = call.args.as_slice() else { return None };
    let is_tuple = tuple.as_object().view().node::<TupleNode>().is_some();
    let scalars = scalars.as_object().view().node::<ShapeExprNode>()?;
    (p.words.has_one_scalar && calls_loop_program(op) && is_tuple).then_some(scalars)
}

/// The arguments of a call that allocates its result: the second argument, with `scalars` at its end.
fn arguments(p: &mut Printer<'_>, call: &CallNode, args_path: Path, scalars: Option<&ShapeExprNode>) -> Doc {
    let tuple = call.args.as_slice().get(1).and_then(|tuple| tuple.as_object().view().node::<TupleNode>());
    let (Some(tuple), Some(scalars)) = (tuple, scalars) else { return arg(p, call, args_path, 1) };
    let tuple_path = p.paths.item(args_path, 1);
    let fields_path = p.paths.field(tuple_path, "fields");
    let mut docs = p.items(tuple.fields.as_slice(), fields_path);
    let scalars_path = p.paths.item(args_path, 2);
    let values_path = p.paths.field(scalars_path, "values");
    docs.extend(p.items(scalars.values.as_slice(), values_path));
    let doc = p.tuple(&docs);
    p.tree.mark(doc, tuple_path);
    doc
}

/// Calls that allocate their result: the structural information of the result is an argument.
fn call_with_output(p: &mut Printer<'_>, call: &CallNode, op: &str, path: Path) -> Doc {
    let args_path = p.paths.field(path, "args");
    let scalars = scalars_in_tuple(p, call, op);
    let args = [callee(p, call, args_path), arguments(p, call, args_path, scalars)];
    let mut keywords: Keywords = Keywords::new();
    let output_path = p.paths.field(path, "sinfo_args");
    let output_path = p.paths.item(output_path, 0);
    let output: &StructInfo = &call.sinfo_args.as_slice()[0];
    let is_dtensor = |info: &StructInfo| info.as_object().view().node::<DTensorStructInfoNode>().is_some();
    let mut has_dtensor = is_dtensor(output);
    let output = match output.as_object().view().node::<TupleStructInfoNode>() {
        Some(tuple) => {
            has_dtensor = tuple.fields.as_slice().iter().any(is_dtensor);
            let fields_path = p.paths.field(output_path, "fields");
            let fields = p.items(tuple.fields.as_slice(), fields_path);
            p.list(&fields)
        }
        None => p.expr(output, output_path),
    };
    keywords.push((p.words.output.into(), output));
    let attrs_path = p.paths.field(path, "attrs");
    let attrs = call.attrs.as_ref().map(|attrs| attrs.as_object().view());
    if op == "relax.call_tir_inplace" {
        let mut indices = Vec::new();
        let indices_path = p.paths.field(attrs_path, "inplace_indices");
        if let Some(attrs) = attrs.and_then(|attrs| attrs.node::<CallTIRInplaceAttrsNode>()) {
            indices = attrs.inplace_indices.iter().map(|index| p.int(index, indices_path)).collect();
        }
        keywords.push(("inplace_indices".into(), p.list(&indices)));
    }
    if let Some(attrs) = attrs.and_then(|attrs| attrs.node::<CallTIRWithGradAttrsNode>()) {
        let name = p.string_field(attrs_path, "te_grad_name", &attrs.te_grad_name);
        keywords.push(("te_grad_name".into(), name));
        if !attrs.te_grad_kwargs.is_empty() {
            keywords.push(("te_grad_kwargs".into(), p.field(attrs_path, "te_grad_kwargs", &attrs.te_grad_kwargs)));
        }
    }
    let takes_vars = !matches!(op, "relax.call_tir_with_grad" | "relax.call_dps_packed");
    if takes_vars && call.args.len() == 3 && scalars.is_none() {
        keywords.push(("tir_vars".into(), arg(p, call, args_path, 2)));
    }
    let name = match op {
        "relax.call_tir_with_grad" => "call_tir_with_grad",
        "relax.call_dps_packed" => "call_dps_packed",
        "relax.dist.call_tir_local_view" => "dist.call_tir_local_view",
        _ if has_dtensor => "dist.call_tir",
        "relax.call_tir_inplace" => "call_tir_inplace",
        _ => "call_tir",
    };
    p.dialect_call(Dialect::Relax, name, &args, &keywords)
}

/// Calls with a format string, which prints as a keyword, because it would be an argument of the format otherwise.
fn with_format(p: &mut Printer<'_>, call: &CallNode, name: &'static str, format: usize, path: Path) -> Doc {
    let args_path = p.paths.field(path, "args");
    let mut docs: Vec<Doc> = (0..=format).map(|index| arg(p, call, args_path, index)).collect();
    let format_doc = docs.remove(format);
    docs.extend((format + 1..call.args.len()).map(|index| arg(p, call, args_path, index)));
    p.dialect_call(Dialect::Relax, name, &docs, &[("format".into(), format_doc)])
}

fn hint_on_device(p: &mut Printer<'_>, call: &CallNode, path: Path) -> Doc {
    let args_path = p.paths.field(path, "args");
    let mut args = vec![callee(p, call, args_path)];
    if let Some(attrs) = &call.attrs
        && attrs.as_object().view().node::<HintOnDeviceAttrsNode>().is_some()
    {
        let attrs_path = p.paths.field(path, "attrs");
        let mut fields = attr_fields(p, attrs, attrs_path, None);
        let scope = fields.pop();
        args.push(p.dialect_call(Dialect::Relax, "device", &[], &fields));
        args.extend(scope.map(|(_, scope)| scope));
    }
    p.dialect_call(Dialect::Relax, "hint_on_device", &args, &[])
}

fn to_vdevice(p: &mut Printer<'_>, call: &CallNode, path: Path) -> Doc {
    let args_path = p.paths.field(path, "args");
    let args = [callee(p, call, args_path)];
    let mut keywords: Keywords = Keywords::new();
    let attrs = call.attrs.as_ref().and_then(|attrs| attrs.as_object().view().node::<ToVDeviceAttrsNode>());
    if let Some(attrs) = attrs {
        let attrs_path = p.paths.field(path, "attrs");
        keywords.push(("dst_vdevice".into(), vdevice_reference(p, &attrs.dst_vdevice, (attrs_path, "dst_vdevice"))));
    }
    p.dialect_call(Dialect::Relax, "to_vdevice", &args, &keywords)
}

fn general(p: &mut Printer<'_>, call: &CallNode, path: Path) -> Doc {
    let op = call.op.as_object().view();
    let op_path = p.paths.field(path, "op");
    let mut args = Docs::new();
    let external = op.node::<ExternFuncNode>();
    let prefix = match (external, op.node::<OpNode>()) {
        (Some(function), _) => {
            let symbol = p.string(&function.global_symbol);
            p.tree.mark(symbol, op_path);
            args.push(symbol);
            p.dialect_name(Dialect::Relax, "call_packed")
        }
        (None, Some(op)) => operator(p, op, op_path),
        (None, None) => p.expr(&call.op, op_path),
    };
    let args_path = p.paths.field(path, "args");
    if !call.args.is_empty() {
        args.push(callee(p, call, args_path));
    }
    for index in 1..call.args.len() {
        args.push(arg(p, call, args_path, index));
    }
    let mut keywords: Keywords = Keywords::new();
    if let Some(attrs) = &call.attrs {
        if external.is_some() {
            keywords.push((
                "attrs_type_key".into(),
                p.string_field(path, "attrs", attrs.as_object().type_info().type_key()),
            ));
        }
        let attrs_path = p.paths.field(path, "attrs");
        let defaults = hidden_defaults(p, op.node::<OpNode>(), attrs);
        keywords.extend(attr_fields(p, attrs, attrs_path, defaults.as_ref()));
    }
    let name = op.node::<OpNode>().and_then(|op| op.name.strip_prefix("relax."));
    for (_, attribute) in p.words.added_attributes.iter().filter(|(op, _)| Some(*op) == name) {
        keywords.push(((*attribute).into(), p.boolean(true)));
    }
    if !call.sinfo_args.is_empty() {
        let path = p.paths.field(path, "sinfo_args");
        let docs = p.items(call.sinfo_args.as_slice(), path);
        keywords.push((p.words.type_args.into(), p.tuple(&docs)));
    }
    p.call(prefix, &args, &keywords)
}

/// An operator: `R.add` for `relax.add`, and the name of an operator of another language.
fn operator(p: &mut Printer<'_>, op: &OpNode, path: Path) -> Doc {
    let doc = match op.name.strip_prefix("relax.") {
        Some(name) => {
            let name = p.tree.store(name);
            p.dialect_name(Dialect::Relax, name)
        }
        None => p.name(&op.name),
    };
    p.tree.mark(doc, path);
    doc
}

/// Whether two values of attributes are the same.
fn is_same(a: AnyView<'_>, b: AnyView<'_>) -> bool {
    structural_equal(&a.to_any(), &b.to_any())
}

/// The attributes that a call of the operator has by default, if the text leaves those out.
fn hidden_defaults(p: &Printer<'_>, op: Option<&OpNode>, attrs: &Attrs) -> Option<Attrs> {
    let op = op.filter(|_| p.options.readable)?;
    let defaults = operator_table(&op.name)?.signature.default_attributes()?;
    let is_same_type = defaults.as_object().type_info().type_key() == attrs.as_object().type_info().type_key();
    is_same_type.then_some(defaults)
}

/// The attributes of a call as keywords: all fields in order other than those with their defaults, or the entries of a
/// dict in the order of their names.
fn attr_fields(p: &mut Printer<'_>, attrs: &Attrs, path: Path, defaults: Option<&Attrs>) -> Keywords {
    let object: ObjectView<'_> = attrs.as_object().view();
    let mut keywords: Keywords = Keywords::new();
    if let Some(dict) = object.node::<DictAttrsNode>() {
        let path = p.paths.field(path, "__dict__");
        let mut entries: Vec<_> = dict.dict.data().iter().collect();
        entries.sort_by_key(|(name, _)| name.as_str());
        for (name, value) in entries {
            let path = p.paths.entry(path, name);
            let doc = p.expr_of(value, path);
            let name = p.tree.store(name.as_str().unwrap_or_default());
            keywords.push((name, doc));
        }
        return keywords;
    }
    for (index, (field, value)) in object.fields().enumerate() {
        if let Some(defaults) = defaults
            && defaults.as_object().view().fields().nth(index).is_some_and(|(_, default)| is_same(default, value))
        {
            continue;
        }
        if p.words.removed_attributes.contains(&field.name()) {
            continue;
        }
        let path = p.paths.field(path, field.name());
        let doc = match value {
            AnyView::DataType(dtype) if dtype.is_void() => {
                let doc = p.tree.add(Node::Literal(p.words.no_dtype.into()));
                p.tree.mark(doc, path);
                doc
            }
            value => p.expr_of(value, path),
        };
        keywords.push((field.name().into(), doc));
    }
    keywords
}

/// An external function as a value.
pub(crate) fn extern_func(p: &mut Printer<'_>, function: &ExternFuncNode, path: Path) -> Doc {
    let mut args = vec![p.string_field(path, "global_symbol", &function.global_symbol)];
    if !crate::print::relax::function::has_default_struct_info(function) {
        args.push(p.field(path, "struct_info_", &function.struct_info));
    }
    p.dialect_call(Dialect::Relax, "ExternFunc", &args, &[])
}

//! Functions of Relax (TVM 0.25 src/relax/script/printer/function.cc).

use object_core::{AsAnyView, ObjectHandle};
use object_ir::ir::{ExternFuncNode, FuncStructInfoNode, FunctionNode, ObjectStructInfo};
use rustc_hash::FxHashSet;

use crate::print::doc::tree::{Doc, FunctionDoc, Node, Text};
use crate::print::ir::functions::{GLOBAL_SYMBOL, attrs_without, function_name, global_symbol};
use crate::print::ir::header::with_header;
use crate::print::relax::binding::annotation;
use crate::print::relax::region::sequence;
use crate::print::state::frame::{Dialect, FrameKind, RelaxFrame};
use crate::print::state::printer::Printer;
use object_core::print::Path;

/// Whether the function at hand is in a module or alone, and not in another function.
fn is_at_top_level(p: &Printer<'_>) -> bool {
    match p.frames.first().map(|frame| &frame.kind) {
        Some(FrameKind::Relax(_)) => p.frames.len() == 2,
        _ => p.frames.len() == 3,
    }
}

/// A function with its header.
pub(crate) fn function(p: &mut Printer<'_>, function: &FunctionNode, path: Path) -> Doc {
    let name = function_name(p, &function.attrs);
    let frame = RelaxFrame { is_function: true, signature_vars: Some(FxHashSet::default()), ..RelaxFrame::default() };
    let ((params, result, decorator), statements) = p.in_frame(FrameKind::Relax(frame), Some(Dialect::Relax), |p| {
        p.type_vars.begin_relax();
        let (params, result) = signature(p, function, path);
        p.type_vars.end(&p.tree);
        let frame = p.innermost();
        if let Some(relax) = p.relax_frame(frame) {
            relax.signature_vars = None;
        }
        attributes(p, function, &name, path);
        let decorator = decorator(p, function);
        let body_path = p.paths.field(path, "body");
        let (mut body, value) = sequence(p, &function.body, body_path);
        body.push(p.tree.add(Node::Return(value)));
        let body = p.block(&body);
        p.push(body);
        (params, result, decorator)
    });
    let (params, body) = (p.tree.list(&params), p.tree.list(&statements));
    let name = p.name(&name);
    let function = p.tree.add_function(FunctionDoc { name, decorator, params, result, body });
    with_header(p, function)
}

/// The parameters and the structural information of the result. The variables of the result are named first, unless they
/// are type variables.
fn signature(p: &mut Printer<'_>, function: &FunctionNode, path: Path) -> (Vec<Doc>, Option<Doc>) {
    if p.words.has_type_vars {
        let params = parameters(p, function, path);
        return (params, Some(result(p, function, path)));
    }
    let result = result(p, function, path);
    (parameters(p, function, path), Some(result))
}

fn result(p: &mut Printer<'_>, function: &FunctionNode, path: Path) -> Doc {
    let info = function.struct_info.as_ref();
    let info = info.and_then(|info| info.as_object().view().node::<FuncStructInfoNode>());
    match info {
        Some(info) => {
            let path = p.paths.field(path, "struct_info_");
            p.field(path, "ret", &info.ret)
        }
        None => p.field(path, "ret_struct_info", &function.ret_struct_info),
    }
}

fn parameters(p: &mut Printer<'_>, function: &FunctionNode, path: Path) -> Vec<Doc> {
    let params_path = p.paths.field(path, "params");
    let mut params = Vec::new();
    for (index, param) in function.params.as_slice().iter().enumerate() {
        let path = p.paths.item(params_path, index);
        let annotation = annotation(p, param, path, None);
        let name = p.define_var(param);
        let doc = p.assign(name, annotation, None);
        p.tree.mark(doc, path);
        params.push(doc);
    }
    params
}

/// The attributes. A symbol that is the name of the function is not shown.
fn attributes(p: &mut Printer<'_>, function: &FunctionNode, name: &str, path: Path) {
    let has_symbol = is_at_top_level(p) && global_symbol(&function.attrs).is_some_and(|symbol| &*symbol == name);
    let hidden: &[&str] = if has_symbol { &[GLOBAL_SYMBOL] } else { &[] };
    let Some(attrs) = attrs_without(&function.attrs, hidden) else { return };
    let path = p.paths.field(path, "attrs");
    let attrs = p.expr_of(attrs.as_any_view(), path);
    let call = p.dialect_call(Dialect::Relax, "func_attr", &[attrs], &[]);
    let statement = p.tree.add(Node::Expr(call));
    p.push(statement);
}

fn decorator(p: &mut Printer<'_>, function: &FunctionNode) -> Doc {
    let mut keywords: Vec<(Text, Doc)> = Vec::new();
    if !function.is_pure {
        keywords.push(("pure".into(), p.boolean(false)));
    }
    if is_at_top_level(p) && !function.attrs.dict.contains_key(GLOBAL_SYMBOL) {
        keywords.push(("private".into(), p.boolean(true)));
    }
    let decorator = p.dialect_name(Dialect::Relax, "function");
    if keywords.is_empty() { decorator } else { p.call(decorator, &[], &keywords) }
}

/// Whether the structural information of the function is the one of all external functions, which the text leaves out.
pub(crate) fn has_default_struct_info(function: &ExternFuncNode) -> bool {
    let info = function.struct_info.as_ref();
    info.and_then(|info| info.as_object().view().node::<FuncStructInfoNode>()).is_some_and(|info| {
        info.params.is_none() && !info.purity && info.ret.as_object().view().to_handle::<ObjectStructInfo>().is_some()
    })
}

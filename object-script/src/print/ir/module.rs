//! Modules (TVM 0.25 src/script/printer/ir/ir.cc).

use std::rc::Rc;

use object_core::{ObjectHandle, ObjectView};
use object_ir::ir::{BaseFunc, ExternFunc, Function, GlobalVar, IRModule, IRModuleNode};
use object_ir::tir::PrimFunc;

use crate::print::doc::tree::{Doc, Node};
use crate::print::ir::header::with_header;
use crate::print::state::frame::{Dialect, FrameKind, Reference};
use crate::print::state::printer::Printer;
use object_core::print::Path;

/// Prints a module, or its name where it is already defined.
pub(crate) fn module(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    if p.is_defined(object) {
        return p.module_name();
    }
    let Some(module) = object.to_handle::<IRModule>() else {
        return p.metadata_item(object_core::AnyView::Object(object));
    };
    p.module = Some(module.clone());
    let ((name, decorator), statements) = p.in_frame(FrameKind::Ir, Some(Dialect::Ir), |p| {
        let hint = p.binding_names.last().cloned().unwrap_or_else(|| Rc::from("Module"));
        let name = p.define(object, p.innermost(), &hint);
        members(p, &module, path);
        (name, p.dialect_name(Dialect::Ir, "ir_module"))
    });
    let body = p.tree.list(&statements);
    let class = p.tree.add(Node::Class { name, decorator, body });
    with_header(p, class)
}

fn members(p: &mut Printer<'_>, module: &IRModuleNode, path: Path) {
    p.global_infos = Some(module.global_infos.clone());
    if !module.attrs.dict.is_empty() {
        let attrs = p.field(path, "attrs", &module.attrs);
        statement(p, "module_attrs", attrs);
    }
    if !module.global_infos.is_empty() {
        let infos = p.field(path, "global_infos", &module.global_infos);
        statement(p, "module_global_infos", infos);
    }
    let mut functions: Vec<(GlobalVar, BaseFunc)> = module.functions.iter().collect();
    functions.sort_by(|(a, f), (b, g)| (rank(a, f), &a.name_hint).cmp(&(rank(b, g), &b.name_hint)));
    for (var, _) in &functions {
        let reference = Reference::ModuleMember(p.tree.store(&var.name_hint));
        p.refer(var.as_object().view(), p.innermost(), reference);
        if p.options.readable {
            // Functions have their bare names, so variables take others.
            p.names.take(&var.name_hint);
        }
    }
    let functions_path = p.paths.field(path, "functions");
    for (var, function) in &functions {
        let function_path = p.paths.entry(functions_path, object_core::AsAnyView::as_any_view(var));
        p.binding_names.push(Rc::from(&*var.name_hint));
        let doc = p.any(object_core::AsAnyView::as_any_view(function), function_path);
        p.binding_names.pop();
        let statement = match *p.tree.node(doc) {
            // The module has one header for all functions.
            Node::Block(list) => {
                let last = p.tree.docs(list).last().copied().unwrap_or(doc);
                p.tree.mark(last, function_path);
                last
            }
            _ if p.tree.is_expr(doc) => {
                let name = p.name(&var.name_hint);
                p.assign(name, None, Some(doc))
            }
            _ => doc,
        };
        p.push(statement);
    }
}

/// The place of a function in the text: the kinds in order, and `main` last.
fn rank(var: &GlobalVar, function: &BaseFunc) -> u8 {
    match function.as_object().view() {
        _ if &*var.name_hint == "main" => u8::MAX,
        function if function.to_handle::<PrimFunc>().is_some() => 1,
        function if function.to_handle::<ExternFunc>().is_some() => 2,
        function if function.to_handle::<Function>().is_some() => 3,
        _ => 4,
    }
}

fn statement(p: &mut Printer<'_>, name: &'static str, arg: Doc) {
    let call = p.dialect_call(Dialect::Ir, name, &[arg], &[]);
    let statement = p.tree.add(Node::Expr(call));
    p.push(statement);
}

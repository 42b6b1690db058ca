//! Variables of TIR: their definitions and declarations (TVM 0.25 src/tirx/script/printer/utils.h and expr.cc,
//! src/relax/script/printer/tir.cc).

use object_core::{AnyView, DataType, ObjectHandle, ObjectView};
use object_ir::ir::{PointerTypeNode, PrimTypeNode, TensorMapTypeNode};
use object_ir::tir::{SizeVarNode, Var};

use crate::print::doc::tree::{Doc, Text};
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use object_core::print::Path;

/// Prints a variable. One that the text has not defined is declared: in Relax at the start of the outermost function, in
/// TIR in the innermost region with all its uses.
pub(crate) fn var(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    if let Some(name) = p.reference(object) {
        return name;
    }
    let Some(var) = object.to_handle::<Var>() else { return p.metadata_item(AnyView::Object(object)) };
    let mut is_in_signature = false;
    let frame = if p.dialect() == Dialect::Relax {
        let frame = if p.words.has_local_dims { p.inner_relax_frame() } else { p.outer_relax_frame() };
        if let Some(vars) = frame.and_then(|frame| p.relax_frame(frame)).and_then(|relax| relax.signature_vars.as_mut())
        {
            vars.insert(object.address());
            is_in_signature = true;
        }
        frame
    } else {
        p.common_prefix.lowest_frame(object, &p.frames)
    };
    // A variable outside of all regions, such as one in the attributes of a module, is declared in the region at hand.
    let frame = frame.unwrap_or_else(|| p.innermost());
    let name = define_var(p, &var, frame);
    p.tree.mark(name, path);
    let is_dimension = is_in_signature && var.dtype == DataType::int(64);
    if is_dimension && p.words.has_type_vars {
        p.type_vars.add(&p.tree, object.address(), name);
        return name;
    }
    if is_dimension && p.options.readable {
        return p.reference(object).unwrap_or(name);
    }
    let creation = creation(p, &var, path);
    let statement = p.assign(name, None, Some(creation));
    p.push_to(frame, statement);
    p.reference(object).unwrap_or(name)
}

/// Takes a name for a variable until the end of the frame, and returns the reference to it.
pub(crate) fn define_var(p: &mut Printer<'_>, var: &Var, frame: usize) -> Doc {
    let object = var.as_object().view();
    match p.reference(object) {
        Some(reference) => reference,
        None => p.define(object, frame, if var.name.is_empty() { "v" } else { &var.name }),
    }
}

/// The expression that makes a variable: `T.int64()`.
pub(crate) fn creation(p: &mut Printer<'_>, var: &Var, path: Path) -> Doc {
    let mut keywords: Vec<(Text, Doc)> = Vec::new();
    if var.as_object().view().node::<SizeVarNode>().is_some() {
        keywords.push(("is_size_var".into(), p.boolean(true)));
    }
    let type_path = p.paths.field(path, "type_annotation");
    let ty = var.type_annotation.as_object().view();
    let doc = match ty.node::<PointerTypeNode>() {
        Some(pointer) if pointer.element_type.as_object().view().node::<TensorMapTypeNode>().is_some() => {
            p.dialect_call(Dialect::Tir, "TensorMap", &[], &[])
        }
        Some(pointer) => {
            let element_path = p.paths.field(type_path, "element_type");
            let mut args = vec![match pointer.element_type.as_object().view().node::<PrimTypeNode>() {
                Some(prim) => p.dtype_field(element_path, "dtype", prim.dtype),
                None => p.expr(&pointer.element_type, element_path),
            }];
            if !pointer.storage_scope.is_empty() {
                args.push(p.string_field(type_path, "storage_scope", &pointer.storage_scope));
            }
            p.dialect_call(Dialect::Tir, "handle", &args, &keywords)
        }
        None => {
            let name = p.dtype_name(var.dtype);
            p.dialect_call(Dialect::Tir, name, &[], &keywords)
        }
    };
    p.tree.mark(doc, type_path);
    doc
}

//! Values without syntax of their own at the root: containers, and objects of types without syntax (the `ReprPrint` of
//! tvm-ffi 0.1, to which TVM 0.25's printer falls back).

use crate::print::doc::render::render;
use crate::print::doc::tree::{Doc, Node, Text};
use crate::print::state::common_prefix::CommonPrefix;
use crate::print::state::frame::{Dialect, FrameKind, RelaxFrame};
use crate::print::state::printer::Printer;
use crate::print::table;
use object_core::print::Path;
use object_core::value::TensorNode;
use object_core::{AnyView, ObjectView, Str};

/// Whether TVM's printer has no syntax for the value alone.
pub(crate) fn applies(value: AnyView<'_>) -> bool {
    value.as_object().is_some_and(|object| table::print_fn(object.type_info()).is_none())
}

/// Prints the value: an array as a tuple, a map as a dict, an object of a type without syntax by its fields, and other
/// objects as if each was printed alone.
pub(crate) fn outline(p: &mut Printer<'_>, value: AnyView<'_>, path: Path) -> Doc {
    let AnyView::Object(object) = value else {
        return match value {
            AnyView::DataType(dtype) => {
                let name = p.dtype_name(dtype);
                p.tree.add(Node::Name(name))
            }
            plain => p.any(plain, path),
        };
    };
    if let Some(text) = object.as_str() {
        return p.string(text);
    }
    let doc = p.nested(|p| of_object(p, object, path)).unwrap_or_else(|| p.tree.add(Node::Literal("...".into())));
    p.tree.mark(doc, path);
    doc
}

fn of_object(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    if let Some(items) = object.as_array() {
        let docs: Vec<Doc> = items
            .iter()
            .enumerate()
            .map(|(index, item)| {
                let path = p.paths.item(path, index);
                outline(p, item, path)
            })
            .collect();
        return p.tuple(&docs);
    }
    if let Some(map) = object.as_map() {
        let mut docs = Vec::new();
        for (key, value) in map.iter() {
            let path = p.paths.entry(path, key);
            docs.extend([outline(p, key, path), outline(p, value, path)]);
        }
        return p.dict(&docs);
    }
    if let Some(tensor) = object.node::<TensorNode>() {
        let extents: Vec<String> = tensor.shape.iter().map(i64::to_string).collect();
        return p.name(&format!("{}[{}]@{}", tensor.dtype, extents.join(", "), tensor.device));
    }
    if table::print_fn(object.type_info()).is_some() {
        return alone(p, object, path);
    }
    if object.type_info().fields().is_empty() {
        return p.any(AnyView::Object(object), path);
    }
    let mut keywords: Vec<(Text, Doc)> = Vec::new();
    for (field, value) in object.fields().filter(|(field, _)| field.name() != "span") {
        let path = p.paths.field(path, field.name());
        keywords.push((field.name().into(), outline(p, value, path)));
    }
    let callee = p.name(object.type_key());
    p.call(callee, &[], &keywords)
}

/// An object in a frame of its own. Statements print as their text.
fn alone(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let (dialect, common_prefix) = (dialect_of(object), std::mem::take(&mut p.common_prefix));
    let kind = frame_of(p, object);
    let (doc, mut statements) = p.in_frame(kind, Some(dialect), |p| p.any(AnyView::Object(object), path));
    p.common_prefix = common_prefix;
    if p.tree.is_expr(doc) {
        return doc;
    }
    p.push_statement(&mut statements, doc);
    let block = p.block(&statements);
    let rendered = render(&p.tree, block, p.options.indent_spaces, String::new(), p.account.meter().nothing());
    if let Some(error) = rendered.excess {
        p.account.end(error);
    }
    p.name(&Str::new(rendered.text.trim_end()))
}

/// The frame for an object alone.
pub(crate) fn frame_of(p: &mut Printer<'_>, object: ObjectView<'_>) -> FrameKind {
    match dialect_of(object) {
        Dialect::Ir => FrameKind::Ir,
        Dialect::Relax => FrameKind::Relax(RelaxFrame::default()),
        Dialect::Tir => {
            p.common_prefix = CommonPrefix::of(object, CommonPrefix::default());
            Printer::tir_frame(None)
        }
    }
}

/// The language that shows an object alone. It determines how integers and variables print.
pub(crate) fn dialect_of(object: ObjectView<'_>) -> Dialect {
    let key = object.type_key();
    match key {
        "ir.IntImm" | "ir.FloatImm" | "ir.PrimType" | "ir.PointerType" | "ir.TupleType" => Dialect::Tir,
        _ if key.starts_with("relax.") => Dialect::Relax,
        _ if key.starts_with("tirx.") => Dialect::Tir,
        _ => Dialect::Ir,
    }
}

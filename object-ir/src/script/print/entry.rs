//! Printing from the root (TVM 0.25 `Docsify` in src/script/printer/utils.h).

use object_core::{AnyView, ObjectView};

use super::common_prefix::CommonPrefix;
use super::doc::Node;
use super::frame::{Dialect, FrameKind, RelaxFrame};
use super::header::comment;
use super::options::ScriptPrinter;
use super::outline;
use super::path::Path;
use super::printer::Printer;
use super::render::render;
use super::script::Script;

/// Prints `root` with all options.
pub(super) fn print(options: &ScriptPrinter, root: AnyView<'_>) -> Script {
    let mut p = Printer::new(options);
    let dialect = root.as_object().map_or(Dialect::Ir, dialect_of);
    let kind = root.as_object().map_or(FrameKind::Ir, |root| frame_of(&mut p, root));
    let (doc, mut statements) = p.in_frame(kind, Some(dialect), |p| {
        let doc = if outline::applies(root) { outline::outline(p, root, Path::ROOT) } else { p.any(root, Path::ROOT) };
        if p.tree.is_expr(doc) && !options.verbose_expr {
            // The declarations of free variables.
            p.frames.iter_mut().for_each(|frame| frame.statements.clear());
        }
        p.push(doc);
        doc
    });
    let mut section = String::new();
    if !p.metadata.is_empty() {
        if options.show_meta {
            section = p.metadata.section();
        } else {
            let text = "Metadata omitted. Use show_meta=True in script() method to show it.";
            statements.push(comment(&mut p, text));
        }
    }
    let block = p.block(&statements);
    if matches!(p.tree.node(doc), Node::Block(_)) {
        p.tree.mark(block, Path::ROOT);
    }
    let rendered = render(&p.tree, block, options.indent_spaces);
    Script::new(section, rendered, p.paths)
}

/// The frame for an object alone.
pub(super) fn frame_of(p: &mut Printer<'_>, object: ObjectView<'_>) -> FrameKind {
    match dialect_of(object) {
        Dialect::Ir => FrameKind::Ir,
        Dialect::Relax => FrameKind::Relax(RelaxFrame::default()),
        Dialect::Tir => {
            p.common_prefix = CommonPrefix::of(object);
            Printer::tir_frame(None)
        }
    }
}

/// The language that shows an object alone. It determines how integers and variables print.
pub(super) fn dialect_of(object: ObjectView<'_>) -> Dialect {
    let key = object.type_key();
    match key {
        "ir.IntImm" | "ir.FloatImm" | "ir.PrimType" | "ir.PointerType" | "ir.TupleType" => Dialect::Tir,
        _ if key.starts_with("relax.") => Dialect::Relax,
        _ if key.starts_with("tirx.") => Dialect::Tir,
        _ => Dialect::Ir,
    }
}

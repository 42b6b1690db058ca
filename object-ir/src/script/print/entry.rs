//! Printing from the root (TVM 0.25 `Docsify` in src/script/printer/utils.h).

use object_core::{AnyView, AsAnyView};

use crate::script::print::doc::path::Path;
use crate::script::print::doc::render::render;
use crate::script::print::doc::tree::Node;
use crate::script::print::ir::header::comment;
use crate::script::print::state::frame::{Dialect, FrameKind};
use crate::script::print::state::options::ScriptPrinter;
use crate::script::print::state::printer::Printer;
use crate::script::print::text::script::Script;
use crate::script::print::{outline, table};

impl ScriptPrinter {
    /// Prints `value`. See [`print`](crate::script::print::print).
    #[must_use]
    pub fn print(&self, value: &impl AsAnyView) -> Script {
        print(self, value.as_any_view())
    }
}

/// Prints `root` with all options.
fn print(options: &ScriptPrinter, root: AnyView<'_>) -> Script {
    let mut p = Printer::new(options, &table::SYNTAX);
    let dialect = root.as_object().map_or(Dialect::Ir, outline::dialect_of);
    let kind = root.as_object().map_or(FrameKind::Ir, |root| outline::frame_of(&mut p, root));
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
        } else if !options.readable {
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

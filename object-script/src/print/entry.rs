//! Printing from the root (TVM 0.25 `Docsify` in src/script/printer/utils.h).

use object_core::{AnyView, AsAnyView};

use crate::memory::METADATA_OMITTED;
use crate::print::doc::path::{Path, Paths};
use crate::print::doc::render::{Rendered, render};
use crate::print::doc::tree::Node;
use crate::print::ir::header::comment;
use crate::print::state::frame::{Dialect, FrameKind};
use crate::print::state::options::ScriptPrinter;
use crate::print::state::printer::Printer;
use crate::print::text::script::Script;
use crate::print::{outline, table};

impl ScriptPrinter {
    /// Prints `value`. See [`print`](crate::print::print).
    #[must_use]
    pub fn print(&self, value: &impl AsAnyView) -> Script {
        let (rendered, body, paths) = print(self, value.as_any_view(), true);
        Script::new(rendered, body, paths)
    }

    /// Prints `value` as text that does not know the places that it shows. It is the text of [`print`](Self::print), for
    /// less time and memory.
    #[must_use]
    pub fn print_text(&self, value: &impl AsAnyView) -> String {
        print(self, value.as_any_view(), false).0.text
    }

    /// The text that refers to `value` in the metadata, with the script of `value` as comments.
    pub(crate) fn print_in_metadata(&self, value: &impl AsAnyView) -> String {
        let value = value.as_any_view();
        let options = self.clone().show_meta(false);
        let mut p = Printer::new(&options, &table::SYNTAX, false);
        let reference = p.metadata_item(value);
        let mut text = p.metadata.section();
        for line in options.print_text(&value).lines() {
            text.push_str(format!("# {line}").trim_end());
            text.push('\n');
        }
        render(&p.tree, reference, options.indent_spaces, text).text
    }
}

/// Prints `root` with all options. Returns the text without spaces at its end, the end of the metadata section in it, and the places in `root`.
fn print(options: &ScriptPrinter, root: AnyView<'_>, has_places: bool) -> (Rendered, usize, Paths) {
    // Comments find their statements by place.
    let mut p = Printer::new(options, &table::SYNTAX, has_places || !options.annotate.is_empty());
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
            statements.push(comment(&mut p, METADATA_OMITTED));
        }
    }
    let block = p.block(&statements);
    if matches!(*p.tree.node(doc), Node::Block(_)) {
        p.tree.mark(block, Path::ROOT);
    }
    let body = section.len();
    let mut rendered = render(&p.tree, block, options.indent_spaces, section);
    rendered.text.truncate(body + rendered.text[body..].trim_end().len());
    (rendered, body, p.paths)
}

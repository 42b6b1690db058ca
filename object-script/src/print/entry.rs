//! Printing from the root (TVM 0.25 `Docsify` in src/script/printer/utils.h).

use crate::memory::METADATA_OMITTED;
use crate::print::doc::render::render;
use crate::print::doc::rendered::Rendered;
use crate::print::doc::tree::Node;
use crate::print::ir::header::comment;
use crate::print::state::account::Excess;
use crate::print::state::frame::{Dialect, FrameKind};
use crate::print::state::options::ScriptPrinter;
use crate::print::state::printer::Printer;
use crate::print::text::script::Script;
use crate::print::{outline, table};
use crate::words::of_version;
use object_core::print::{Path, Paths};
use object_core::{Any, AnyView, AsAnyView, Result};
use object_ir::tvm::scalars_before_outputs;

impl ScriptPrinter {
    /// Prints `value`. See [`print`](crate::print::print).
    #[must_use]
    pub fn print(&self, value: &impl AsAnyView) -> Script {
        print(self, value.as_any_view(), true).script()
    }

    /// Prints `value` completely, as [`print`](Self::print) prints all or a part of it.
    ///
    /// # Errors
    /// [`LimitExceeded`](object_core::ErrorKind::LimitExceeded) if the text would show `...` for objects: beyond the memory of
    /// [`meter`](Self::meter), [`max_nesting`](Self::max_nesting) or [`max_nodes`](Self::max_nodes).
    pub fn try_print(&self, value: &impl AsAnyView) -> Result<Script> {
        print(self, value.as_any_view(), true).complete().map(Printed::script)
    }

    /// Prints `value` as text that does not know the places that it shows. It is the text of [`print`](Self::print), for
    /// less time and memory.
    #[must_use]
    pub fn print_text(&self, value: &impl AsAnyView) -> String {
        print(self, value.as_any_view(), false).rendered.text
    }

    /// Prints `value` completely, as [`print_text`](Self::print_text) prints all or a part of it.
    ///
    /// # Errors
    /// Like [`try_print`](Self::try_print).
    pub fn try_print_text(&self, value: &impl AsAnyView) -> Result<String> {
        print(self, value.as_any_view(), false).complete().map(|printed| printed.rendered.text)
    }

    /// As [`print_text`](Self::print_text).
    ///
    /// # Errors
    /// [`LimitExceeded`](object_core::ErrorKind::LimitExceeded) beyond the memory.
    pub(crate) fn print_within_memory(&self, value: &impl AsAnyView) -> Result<String> {
        let printed = print(self, value.as_any_view(), false);
        match printed.excess {
            Some(excess @ Excess::Memory(_)) => Err(excess.into_error()),
            _ => Ok(printed.rendered.text),
        }
    }

    /// The text that refers to `value` in the metadata, with the script of `value` as comments.
    ///
    /// # Errors
    /// Like [`print_within_memory`](Self::print_within_memory).
    pub(crate) fn print_in_metadata(&self, value: &impl AsAnyView) -> Result<String> {
        let value = value.as_any_view();
        let options = self.clone().show_meta(false);
        let mut p = Printer::new(&options, &table::SYNTAX, false);
        let reference = p.metadata_item(value);
        let mut text = p.metadata.section();
        for line in options.print_within_memory(&value)?.lines() {
            text.push_str(format!("# {line}").trim_end());
            text.push('\n');
        }
        Ok(render(&p.tree, reference, options.indent_spaces, text, options.meter.nothing()).text)
    }
}

/// A printed value.
struct Printed {
    /// The text without spaces at its end.
    rendered: Rendered,
    /// The end of the metadata section in the text.
    body: usize,
    /// The places in the value.
    paths: Paths,
    /// The reason why the text is incomplete.
    excess: Option<Excess>,
}

impl Printed {
    fn complete(self) -> Result<Self> {
        match self.excess {
            Some(excess) => Err(excess.into_error()),
            None => Ok(self),
        }
    }

    fn script(self) -> Script {
        Script::new(self.rendered, self.body, self.paths)
    }
}

/// Prints `root` with all options.
fn print(options: &ScriptPrinter, root: AnyView<'_>, has_places: bool) -> Printed {
    // In the words of TVM 0.27, scalars come before the outputs of loop programs.
    let ordered =
        of_version(options.version).has_one_scalar.then(|| scalars_before_outputs(&root.to_any()).ok()).flatten();
    let root = ordered.as_ref().map_or(root, Any::view);
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
    let mut rendered = render(&p.tree, block, options.indent_spaces, section, options.meter.nothing());
    rendered.text.truncate(body.max(rendered.text.trim_end().len()));
    let Printer { paths, account, .. } = p;
    let mut excess = account.excess.or(rendered.excess.take().map(Excess::Memory));
    // The script keeps the paths, which the account of the tree counts until here.
    let kept = rendered.bytes() + paths.bytes();
    if let Err(error) = rendered.charge.cover(kept as u64) {
        excess = excess.or(Some(Excess::Memory(error)));
    }
    Printed { rendered, body, paths, excess }
}

//! [`Printer`]: the state of printing, and the entry for values of any kind.

use std::rc::Rc;

use crate::print::doc::tree::{Doc, DocTree, Docs, Node, Text};
use crate::print::state::account::{Account, Excess};
use crate::print::state::common_prefix::CommonPrefix;
use crate::print::state::frame::{Dialect, Frame, FrameKind, Reference, RelaxFrame};
use crate::print::state::metadata::Metadata;
use crate::print::state::names::Names;
use crate::print::state::options::ScriptPrinter;
use crate::print::state::type_vars::TypeVars;
use crate::words::{VersionWords, of_version};
use object_core::print::{Path, Paths};
use object_core::stack_budget::with_stack;
use object_core::{AnyView, AsAnyView, DataType, Object, ObjectRef, ObjectView};
use object_ir::ir::{GlobalInfo, IRModule, IntImmNode, RelaxExprNode};
use rustc_hash::FxHashMap;

/// The forms of all values, which the printer gets from above, because they use the printer.
pub(crate) struct Syntax {
    /// Prints any object that is not a text.
    pub(crate) object: fn(&mut Printer<'_>, ObjectView<'_>, Path) -> Doc,
    /// Prints an expression of Relax that is a statement in the place of an expression. `None` for others.
    pub(crate) spilled: fn(&mut Printer<'_>, ObjectView<'_>, Path) -> Option<Doc>,
}

/// The state of printing one value.
pub(crate) struct Printer<'o> {
    pub(crate) options: &'o ScriptPrinter,
    /// The words of the version of TVM.
    pub(crate) words: &'static VersionWords,
    pub(crate) type_vars: TypeVars,
    syntax: &'static Syntax,
    pub(crate) tree: DocTree,
    pub(crate) paths: Paths,
    pub(crate) frames: Vec<Frame>,
    dialects: Vec<Dialect>,
    pub(crate) references: FxHashMap<usize, Reference>,
    pub(crate) names: Names,
    pub(crate) metadata: Metadata,
    /// The virtual devices of the module, in the order of their declaration.
    pub(crate) vdevices: Vec<object_ir::ir::VDevice>,
    /// The global infos of the module around the text.
    pub(crate) global_infos: Option<object_core::Map<object_core::Str, object_core::Array<GlobalInfo>>>,
    /// The module around the text.
    pub(crate) module: Option<IRModule>,
    /// The dialects whose names occur in the text, as ir, TIR and Relax.
    pub(crate) used: [bool; 3],
    /// The names of the functions around the text, of those that know their names.
    pub(crate) binding_names: Vec<Rc<str>>,
    pub(crate) common_prefix: CommonPrefix,
    /// The buffers that the text has defined, also those whose names have ended.
    pub(crate) buffers: Vec<object_ir::tir::Buffer>,
    /// Statements that the statement at hand needs before it.
    pub(crate) spilled: Vec<Doc>,
    /// The data types in the text, with the name and the name as a string constant.
    pub(crate) dtypes: Vec<(DataType, [Text; 2])>,
    nesting: usize,
    pub(crate) account: Account,
}

impl<'o> Printer<'o> {
    /// The state before printing. Without `has_places`, the text does not know the places that it shows.
    pub(crate) fn new(options: &'o ScriptPrinter, syntax: &'static Syntax, has_places: bool) -> Self {
        let mut names = Names::default();
        // In the order of `Dialect`.
        let prefixes = [&options.ir_prefix, &options.tir_prefix, &options.relax_prefix];
        for prefix in prefixes {
            names.take(prefix);
        }
        if !options.module_alias.is_empty() {
            names.take(&options.module_alias);
        }
        Printer {
            options,
            words: of_version(options.version),
            type_vars: TypeVars::default(),
            syntax,
            tree: DocTree::new(has_places, prefixes.map(Clone::clone)),
            paths: Paths::new(has_places),
            frames: Vec::new(),
            dialects: Vec::new(),
            references: FxHashMap::default(),
            names,
            metadata: Metadata::of(options.version),
            vdevices: Vec::new(),
            global_infos: None,
            module: None,
            used: [false; 3],
            binding_names: options.name.iter().map(|name| Rc::from(&**name)).collect(),
            common_prefix: CommonPrefix::default(),
            buffers: Vec::new(),
            spilled: Vec::new(),
            dtypes: Vec::new(),
            nesting: 0,
            account: Account::new(&options.meter),
        }
    }

    /// Prints any value, which is at `path`.
    pub(crate) fn any(&mut self, value: AnyView<'_>, path: Path) -> Doc {
        let doc = match value {
            AnyView::None => self.tree.add(Node::Literal("None".into())),
            AnyView::Bool(value) => self.boolean(value),
            AnyView::Int(value) => self.tree.add(Node::Int(value)),
            AnyView::Float(value) => self.float(value),
            AnyView::DataType(dtype) => self.dtype(dtype),
            AnyView::Device(device) => self.string(&device.to_string()),
            AnyView::Object(object) => match object.as_str() {
                Some(text) if text.contains('\n') => self.metadata_item(value),
                Some(text) => self.string(text),
                None => return self.object(object, path),
            },
        };
        self.tree.mark(doc, path);
        doc
    }

    /// Prints any object, which is at `path`. An object deeper than the allowed nesting prints as `...`.
    fn object(&mut self, object: ObjectView<'_>, path: Path) -> Doc {
        let print = self.syntax.object;
        let doc = if object.node::<IntImmNode>().is_some() && self.has_room() {
            // A constant needs no more stack.
            Some(print(self, object, path))
        } else {
            self.nested(|p| print(p, object, path))
        };
        let doc = doc.unwrap_or_else(|| self.tree.add(Node::Literal("...".into())));
        self.tree.mark(doc, path);
        if !self.options.annotate.is_empty() && !self.tree.is_expr(doc) {
            let place = self.paths.access_path(path);
            for (_, comment) in self.options.annotate.iter().filter(|(path, _)| *path == place) {
                self.tree.comment(doc, comment);
            }
        }
        doc
    }

    /// Whether the text may have one more level, and more nodes.
    fn has_room(&mut self) -> bool {
        let ScriptPrinter { max_nesting, max_nodes, .. } = *self.options;
        let excess = if self.nesting >= max_nesting {
            Excess::Nesting(max_nesting)
        } else if self.tree.len() >= max_nodes {
            Excess::Nodes(max_nodes)
        } else {
            return self.account.has_room(&self.tree, &self.paths);
        };
        self.account.excess.get_or_insert(excess);
        false
    }

    /// Runs `print` one level deeper, with enough stack; `None` if the nesting is too deep, or the text too long.
    pub(crate) fn nested<R>(&mut self, print: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if !self.has_room() {
            return None;
        }
        self.nesting += 1;
        let result = with_stack(|| print(self));
        self.nesting -= 1;
        Some(result)
    }

    /// Prints the field `name` of the object at `path` as an expression.
    pub(crate) fn field(&mut self, path: Path, name: &'static str, value: &impl AsAnyView) -> Doc {
        let path = self.paths.field(path, name);
        self.expr(value, path)
    }

    /// Prints a value as an expression. If it prints as statements, these come before the statement at hand, and the
    /// expression is a name that they define.
    pub(crate) fn expr(&mut self, value: &impl AsAnyView, path: Path) -> Doc {
        self.expr_of(value.as_any_view(), path)
    }

    /// As [`expr`](Self::expr).
    pub(crate) fn expr_of(&mut self, value: AnyView<'_>, path: Path) -> Doc {
        if let AnyView::Object(object) = value
            && object.is_instance(RelaxExprNode::TYPE_INFO)
            && let Some(doc) = (self.syntax.spilled)(self, object, path)
        {
            return doc;
        }
        let doc = self.any(value, path);
        if self.tree.is_expr(doc) {
            return doc;
        }
        // TVMScript does not have a syntax for a statement of TIR among expressions.
        self.spill(doc);
        let doc = self.tree.add(Node::Literal("...".into()));
        self.tree.mark(doc, path);
        doc
    }

    /// Prints the elements of an array at `path`.
    pub(crate) fn items<'a, T: AsAnyView + 'a>(&mut self, values: impl IntoIterator<Item = &'a T>, path: Path) -> Docs {
        values
            .into_iter()
            .enumerate()
            .map(|(index, value)| {
                let path = self.paths.item(path, index);
                self.expr(value, path)
            })
            .collect()
    }

    /// Puts statements before the statement at hand.
    pub(crate) fn spill(&mut self, statement: Doc) {
        self.spilled.push(statement);
    }

    /// Adds a statement of the region at hand, after those that it needs. A block adds its statements.
    pub(crate) fn push_statement(&mut self, statements: &mut Vec<Doc>, statement: Doc) {
        for spilled in std::mem::take(&mut self.spilled) {
            self.flatten(statements, spilled);
        }
        self.flatten(statements, statement);
    }

    fn flatten(&mut self, statements: &mut Vec<Doc>, statement: Doc) {
        match *self.tree.node(statement) {
            Node::Block(list) => statements.extend_from_slice(self.tree.docs(list)),
            _ if self.tree.is_expr(statement) => statements.push(self.tree.add(Node::Expr(statement))),
            _ => statements.push(statement),
        }
    }

    /// The dialect of the text at hand.
    pub(crate) fn dialect(&self) -> Dialect {
        self.dialects.last().copied().unwrap_or(Dialect::Ir)
    }

    /// Runs `print` in a new frame, and returns its result and the statements of the frame. The names that the frame
    /// defines end with it.
    pub(crate) fn in_frame<R>(
        &mut self,
        kind: FrameKind,
        dialect: Option<Dialect>,
        print: impl FnOnce(&mut Self) -> R,
    ) -> (R, Vec<Doc>) {
        self.dialects.extend(dialect);
        let frame = Frame { kind, statements: Vec::new(), defined: Vec::new(), has_dialect: dialect.is_some() };
        self.frames.push(frame);
        let result = print(self);
        let Some(frame) = self.frames.pop() else { return (result, Vec::new()) };
        for object in frame.defined {
            if let Some(Reference::Name(name)) = self.references.remove(&object) {
                self.names.release(self.tree.text(name));
            }
        }
        if frame.has_dialect {
            self.dialects.pop();
        }
        (result, frame.statements)
    }

    /// The number of the innermost frame.
    pub(crate) fn innermost(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// Adds a statement to a frame.
    pub(crate) fn push_to(&mut self, frame: usize, statement: Doc) {
        if let Some(frame) = self.frames.get_mut(frame) {
            frame.statements.push(statement);
        }
    }

    /// Adds a statement to the innermost frame, after those that it needs.
    pub(crate) fn push(&mut self, statement: Doc) {
        let frame = self.innermost();
        let mut statements = std::mem::take(&mut self.frames[frame].statements);
        self.push_statement(&mut statements, statement);
        self.frames[frame].statements = statements;
    }

    /// The number of the outermost frame of a Relax function; if there is none, of the outermost frame of Relax.
    pub(crate) fn outer_relax_frame(&self) -> Option<usize> {
        let is = |function: bool| move |frame: &Frame| matches!(&frame.kind, FrameKind::Relax(relax) if relax.is_function || !function);
        self.frames.iter().position(is(true)).or_else(|| self.frames.iter().position(is(false)))
    }

    /// The frame of the innermost function of Relax.
    pub(crate) fn inner_relax_frame(&self) -> Option<usize> {
        let is_function = |frame: &Frame| matches!(&frame.kind, FrameKind::Relax(relax) if relax.is_function);
        self.frames.iter().rposition(is_function).or_else(|| self.outer_relax_frame())
    }

    /// The part of a frame that only frames of Relax have.
    pub(crate) fn relax_frame(&mut self, frame: usize) -> Option<&mut RelaxFrame> {
        match &mut self.frames.get_mut(frame)?.kind {
            FrameKind::Relax(relax) => Some(relax),
            _ => None,
        }
    }

    /// A new frame kind for an object of TIR.
    pub(crate) fn tir_frame(object: Option<ObjectRef>) -> FrameKind {
        FrameKind::Tir { object, is_last: false }
    }
}

//! [`Printer`]: the state of printing, and the entry for values of any kind.

use std::rc::Rc;

use object_core::{AnyView, AsAnyView, DataType, ObjectRef, ObjectView};
use rustc_hash::FxHashMap;

use super::common_prefix::CommonPrefix;
use super::doc::{Doc, DocTree, Node, Text};
use super::frame::{BufferPart, Dialect, Frame, FrameKind, Reference, RelaxFrame};
use super::metadata::Metadata;
use super::names::Names;
use super::operator::Operator;
use super::options::ScriptPrinter;
use super::path::{Path, Paths};
use super::quote;
use super::table;
use crate::ir::{GlobalInfo, IRModule, Var};

/// The stack that one level of nesting may use.
const STACK_OF_LEVEL: usize = 64 * 1024;

/// The size of a new piece of stack.
const STACK_PIECE: usize = 1024 * 1024;

/// The state of printing one value.
pub(super) struct Printer<'o> {
    pub(super) options: &'o ScriptPrinter,
    pub(super) tree: DocTree,
    pub(super) paths: Paths,
    pub(super) frames: Vec<Frame>,
    dialects: Vec<Dialect>,
    references: FxHashMap<usize, Reference>,
    names: Names,
    pub(super) metadata: Metadata,
    /// The virtual devices of the module, in the order of their declaration.
    pub(super) vdevices: Vec<crate::ir::VDevice>,
    /// The global infos of the module around the text.
    pub(super) global_infos: Option<object_core::Map<object_core::Str, object_core::Array<GlobalInfo>>>,
    /// The module around the text.
    pub(super) module: Option<IRModule>,
    /// The dialects whose names occur in the text, as ir, TIR and Relax.
    pub(super) used: [bool; 3],
    /// The names of the functions around the text, of those that know their names.
    pub(super) binding_names: Vec<Rc<str>>,
    pub(super) common_prefix: CommonPrefix,
    /// The buffers that the text has defined, also those whose names have ended.
    pub(super) buffers: Vec<crate::tir::Buffer>,
    /// Statements that the statement at hand needs before it.
    pub(super) spilled: Vec<Doc>,
    nesting: usize,
}

impl<'o> Printer<'o> {
    pub(super) fn new(options: &'o ScriptPrinter) -> Self {
        let mut names = Names::default();
        for prefix in [&options.ir_prefix, &options.tir_prefix, &options.relax_prefix] {
            names.take(prefix);
        }
        if !options.module_alias.is_empty() {
            names.take(&options.module_alias);
        }
        Printer {
            options,
            tree: DocTree::default(),
            paths: Paths::default(),
            frames: Vec::new(),
            dialects: Vec::new(),
            references: FxHashMap::default(),
            names,
            metadata: Metadata::default(),
            vdevices: Vec::new(),
            global_infos: None,
            module: None,
            used: [false; 3],
            binding_names: options.name.iter().map(|name| Rc::from(&**name)).collect(),
            common_prefix: CommonPrefix::default(),
            buffers: Vec::new(),
            spilled: Vec::new(),
            nesting: 0,
        }
    }

    /// Prints any value, which is at `path`.
    pub(super) fn any(&mut self, value: AnyView<'_>, path: Path) -> Doc {
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
        let doc = self.nested(|p| {
            if let Some(items) = object.as_array() {
                super::global::array(p, items, path)
            } else if let Some(map) = object.as_map() {
                super::global::map(p, map, path)
            } else if let Some(extents) = object.as_shape() {
                super::global::shape(p, extents, path)
            } else {
                match table::print_fn(object.type_info()) {
                    Some(print) => print(p, object, path),
                    None => p.metadata_item(AnyView::Object(object)),
                }
            }
        });
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

    /// Runs `print` one level deeper, with enough stack; `None` if the nesting is too deep, or the text too long.
    pub(super) fn nested<R>(&mut self, print: impl FnOnce(&mut Self) -> R) -> Option<R> {
        if self.nesting >= self.options.max_nesting || self.tree.len() >= self.options.max_nodes {
            return None;
        }
        self.nesting += 1;
        let result = stacker::maybe_grow(STACK_OF_LEVEL, STACK_PIECE, || print(self));
        self.nesting -= 1;
        Some(result)
    }

    /// Prints the field `name` of the object at `path` as an expression.
    pub(super) fn field(&mut self, path: Path, name: &'static str, value: &impl AsAnyView) -> Doc {
        let path = self.paths.field(path, name);
        self.expr(value, path)
    }

    /// Prints a value as an expression. If it prints as statements, these come before the statement at hand, and the
    /// expression is a name that they define.
    pub(super) fn expr(&mut self, value: &impl AsAnyView, path: Path) -> Doc {
        self.expr_of(value.as_any_view(), path)
    }

    /// As [`expr`](Self::expr).
    pub(super) fn expr_of(&mut self, value: AnyView<'_>, path: Path) -> Doc {
        if let Some(doc) = super::region::spilled_expr(self, value, path) {
            return doc;
        }
        let doc = self.any(value, path);
        if self.tree.is_expr(doc) {
            return doc;
        }
        // A statement of TIR among expressions: there is no syntax for it.
        self.spill(doc);
        let doc = self.tree.add(Node::Literal("...".into()));
        self.tree.mark(doc, path);
        doc
    }

    /// Prints the elements of an array at `path`.
    pub(super) fn items<'a, T: AsAnyView + 'a>(
        &mut self,
        values: impl IntoIterator<Item = &'a T>,
        path: Path,
    ) -> Vec<Doc> {
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
    pub(super) fn spill(&mut self, statement: Doc) {
        self.spilled.push(statement);
    }

    /// Adds a statement of the region at hand, after those that it needs. A block adds its statements.
    pub(super) fn push_statement(&mut self, statements: &mut Vec<Doc>, statement: Doc) {
        for spilled in std::mem::take(&mut self.spilled) {
            self.flatten(statements, spilled);
        }
        self.flatten(statements, statement);
    }

    fn flatten(&mut self, statements: &mut Vec<Doc>, statement: Doc) {
        match self.tree.node(statement) {
            Node::Block(list) => statements.extend_from_slice(self.tree.docs(list)),
            _ if self.tree.is_expr(statement) => statements.push(self.tree.add(Node::Expr(statement))),
            _ => statements.push(statement),
        }
    }

    // Leaves.

    /// The constant `True` or `False`.
    pub(super) fn boolean(&mut self, value: bool) -> Doc {
        self.tree.add(Node::Literal(if value { "True" } else { "False" }.into()))
    }

    /// An integer constant.
    pub(super) fn int(&mut self, value: i64, path: Path) -> Doc {
        let doc = self.tree.add(Node::Int(value));
        self.tree.mark(doc, path);
        doc
    }

    /// A floating-point constant.
    pub(super) fn float(&mut self, value: f64) -> Doc {
        let text = self.tree.store(&quote::float(value));
        self.tree.add(Node::Literal(text))
    }

    /// A string constant.
    pub(super) fn string(&mut self, text: &str) -> Doc {
        let mut quoted = String::with_capacity(text.len() + 2);
        quote::quote(&mut quoted, text);
        let text = self.tree.store(&quoted);
        self.tree.add(Node::Literal(text))
    }

    /// A string constant, which is the field `name` of the object at `path`.
    pub(super) fn string_field(&mut self, path: Path, name: &'static str, text: &str) -> Doc {
        let doc = self.string(text);
        let path = self.paths.field(path, name);
        self.tree.mark(doc, path);
        doc
    }

    /// A data type as a string constant.
    pub(super) fn dtype(&mut self, dtype: DataType) -> Doc {
        self.string(&dtype_name(dtype))
    }

    /// A data type that is the field `name` of the object at `path`.
    pub(super) fn dtype_field(&mut self, path: Path, name: &'static str, dtype: DataType) -> Doc {
        let doc = self.dtype(dtype);
        let path = self.paths.field(path, name);
        self.tree.mark(doc, path);
        doc
    }

    /// A reference to a value in the metadata: `metadata["relax.expr.Constant"][0]`. All values without syntax print so.
    pub(super) fn metadata_item(&mut self, value: AnyView<'_>) -> Doc {
        let number = self.metadata.number(value);
        let text = self.tree.store(&format!("metadata[\"{}\"][{number}]", value.type_key()));
        self.tree.add(Node::Literal(text))
    }

    // Composed expressions.

    /// `prefix.name`, with the prefix of the dialect, which then occurs in the header.
    pub(super) fn dialect_name(&mut self, dialect: Dialect, name: impl Into<Text>) -> Doc {
        let (index, prefix) = match dialect {
            Dialect::Ir => (0, &self.options.ir_prefix),
            Dialect::Tir => (1, &self.options.tir_prefix),
            Dialect::Relax => (2, &self.options.relax_prefix),
        };
        self.used[index] = true;
        let prefix = match &**prefix {
            "I" => "I".into(),
            "T" => "T".into(),
            "R" => "R".into(),
            other => self.tree.store(other),
        };
        self.tree.add(Node::Qualified { prefix, name: name.into() })
    }

    /// `R.name(args, keywords)`, and accordingly for other dialects.
    pub(super) fn dialect_call(
        &mut self,
        dialect: Dialect,
        name: impl Into<Text>,
        args: &[Doc],
        keywords: &[(Text, Doc)],
    ) -> Doc {
        let callee = self.dialect_name(dialect, name);
        self.call(callee, args, keywords)
    }

    /// `callee(args, keywords)`.
    pub(super) fn call(&mut self, callee: Doc, args: &[Doc], keywords: &[(Text, Doc)]) -> Doc {
        let (args, keywords) = (self.tree.list(args), self.tree.keyword_list(keywords));
        self.tree.add(Node::Call { callee, args, keywords })
    }

    /// A unary or binary operation.
    pub(super) fn operation(&mut self, operator: Operator, operands: &[Doc]) -> Doc {
        let operands = self.tree.list(operands);
        self.tree.add(Node::Operation { operator, operands })
    }

    /// `(items)`.
    pub(super) fn tuple(&mut self, items: &[Doc]) -> Doc {
        let items = self.tree.list(items);
        self.tree.add(Node::Tuple(items))
    }

    /// `[items]`.
    pub(super) fn list(&mut self, items: &[Doc]) -> Doc {
        let items = self.tree.list(items);
        self.tree.add(Node::List(items))
    }

    /// `{key: value}`, of keys and values in turns.
    pub(super) fn dict(&mut self, entries: &[Doc]) -> Doc {
        let entries = self.tree.list(entries);
        self.tree.add(Node::Dict(entries))
    }

    /// `value[indices]`.
    pub(super) fn index(&mut self, value: Doc, indices: &[Doc]) -> Doc {
        let indices = self.tree.list(indices);
        self.tree.add(Node::Index { value, indices })
    }

    /// `value.name`.
    pub(super) fn member(&mut self, value: Doc, name: impl Into<Text>) -> Doc {
        let name = name.into();
        self.tree.add(Node::Member { value, name })
    }

    /// A name.
    pub(super) fn name(&mut self, name: &str) -> Doc {
        let name = self.tree.store(name);
        self.tree.add(Node::Name(name))
    }

    /// `target: annotation = value`.
    pub(super) fn assign(&mut self, target: Doc, annotation: Option<Doc>, value: Option<Doc>) -> Doc {
        self.tree.add(Node::Assign { target, annotation, value })
    }

    /// Several statements.
    pub(super) fn block(&mut self, statements: &[Doc]) -> Doc {
        let statements = self.tree.list(statements);
        self.tree.add(Node::Block(statements))
    }

    // Frames and names.

    /// The dialect of the text at hand.
    pub(super) fn dialect(&self) -> Dialect {
        self.dialects.last().copied().unwrap_or(Dialect::Ir)
    }

    /// Runs `print` in a new frame, and returns its result and the statements of the frame. The names that the frame
    /// defines end with it.
    pub(super) fn in_frame<R>(
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
                self.names.release(&name);
            }
        }
        if frame.has_dialect {
            self.dialects.pop();
        }
        (result, frame.statements)
    }

    /// The number of the innermost frame.
    pub(super) fn innermost(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// Adds a statement to a frame.
    pub(super) fn push_to(&mut self, frame: usize, statement: Doc) {
        if let Some(frame) = self.frames.get_mut(frame) {
            frame.statements.push(statement);
        }
    }

    /// Adds a statement to the innermost frame, after those that it needs.
    pub(super) fn push(&mut self, statement: Doc) {
        let frame = self.innermost();
        let mut statements = std::mem::take(&mut self.frames[frame].statements);
        self.push_statement(&mut statements, statement);
        self.frames[frame].statements = statements;
    }

    /// Takes a name for `object`, which ends with the frame, and returns it. An object that has a name keeps it: the text
    /// of an ill-formed graph defines the name twice.
    pub(super) fn define(&mut self, object: ObjectView<'_>, frame: usize, hint: &str) -> Doc {
        if let Some(Reference::Name(name)) = self.references.get(&object.address()) {
            let name = Rc::clone(name);
            return self.name(&name);
        }
        let name = if self.options.show_object_address {
            self.names.take(&format!("{hint}_{:#x}", object.address()))
        } else {
            self.names.take(hint)
        };
        let doc = self.name(&name);
        self.refer(object, frame, Reference::Name(name));
        doc
    }

    /// Says how the text refers to `object` until the end of the frame.
    pub(super) fn refer(&mut self, object: ObjectView<'_>, frame: usize, reference: Reference) {
        if self.references.insert(object.address(), reference).is_none()
            && let Some(frame) = self.frames.get_mut(frame)
        {
            frame.defined.push(object.address());
        }
    }

    /// Whether the text has defined `object`.
    pub(super) fn is_defined(&self, object: ObjectView<'_>) -> bool {
        self.references.contains_key(&object.address())
    }

    /// The reference to `object`, if the text has defined it.
    pub(super) fn reference(&mut self, object: ObjectView<'_>) -> Option<Doc> {
        self.reference_at(object.address())
    }

    fn reference_at(&mut self, address: usize) -> Option<Doc> {
        match self.references.get(&address)?.clone() {
            Reference::Name(name) => Some(self.name(&name)),
            Reference::ModuleMember(name) => {
                let module = super::module::module_reference(self);
                let name = self.tree.store(&name);
                Some(self.member(module, name))
            }
            Reference::BufferPart { buffer, is_scalar, part } => {
                let mut buffer = self.reference_at(buffer)?;
                if is_scalar {
                    buffer = self.member(buffer, "buffer");
                }
                Some(match part {
                    BufferPart::Data => self.member(buffer, "data"),
                    BufferPart::ElemOffset => self.member(buffer, "elem_offset"),
                    BufferPart::Stride(index) => {
                        let strides = self.member(buffer, "strides");
                        let index = self.tree.add(Node::Int(i64::try_from(index).unwrap_or(i64::MAX)));
                        self.index(strides, &[index])
                    }
                })
            }
        }
    }

    /// Takes a name for a variable of Relax, until the end of the innermost frame.
    pub(super) fn define_var(&mut self, var: &Var) -> Doc {
        let hint = var.vid.name_hint.as_str();
        self.define(
            object_core::ObjectHandle::as_object(var).view(),
            self.innermost(),
            if hint.is_empty() { "v" } else { hint },
        )
    }

    /// The number of the outermost frame of a Relax function; if there is none, of the outermost frame of Relax.
    pub(super) fn outer_relax_frame(&self) -> Option<usize> {
        let is = |function: bool| move |frame: &Frame| matches!(&frame.kind, FrameKind::Relax(relax) if relax.is_function || !function);
        self.frames.iter().position(is(true)).or_else(|| self.frames.iter().position(is(false)))
    }

    /// The part of a frame that only frames of Relax have.
    pub(super) fn relax_frame(&mut self, frame: usize) -> Option<&mut RelaxFrame> {
        match &mut self.frames.get_mut(frame)?.kind {
            FrameKind::Relax(relax) => Some(relax),
            _ => None,
        }
    }

    /// A new frame kind for an object of TIR.
    pub(super) fn tir_frame(object: Option<ObjectRef>) -> FrameKind {
        FrameKind::Tir { object, is_last: false }
    }
}

/// The name of a data type.
pub(super) fn dtype_name(dtype: DataType) -> String {
    if dtype.is_void() { "void".to_owned() } else { dtype.to_string() }
}

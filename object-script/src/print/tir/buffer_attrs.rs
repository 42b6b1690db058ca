//! Declarations of buffers: their arguments, and the variables that they define (TVM 0.25
//! src/tirx/script/printer/buffer.cc).

use object_core::{AsAnyView, DataType, ObjectHandle, ObjectView};
use object_ir::ir::PrimExpr;
use object_ir::tir::{Buffer, BufferLoadNode, BufferNode, PrimFuncNode, Var, VarNode, buffer_type};
use rustc_hash::FxHashMap;

use crate::memory::{DEFAULT_ALIGNMENT, is_default};
use crate::print::doc::tree::{Doc, Node, Text};
use crate::print::state::frame::{BufferPart, Dialect, FrameKind, Reference};
use crate::print::state::printer::Printer;
use crate::print::state::walk::{any_object, is_constant};
use crate::print::tir::buffer_facts::{int_constant, is_scalar, scope};
use crate::print::tir::vars::{creation, define_var};
use crate::words::BUFFER_ARGUMENTS;
use object_core::print::Path;

/// Which variables a declaration defines, if the text has not defined them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum VarDefinitions {
    /// None; the text declares them before.
    None,
    /// The address of the memory.
    Data,
    /// The address, and the variables that are a stride or the offset.
    All,
    /// All of these, and the variables of the shape, for a parameter.
    Param,
}

/// The arguments of a declaration by name.
type Attrs = Vec<(&'static str, Doc)>;

/// The number of arguments without keywords.
const POSITIONAL: usize = 2;

/// Writes the arguments of one declaration.
struct Writer<'p, 'o> {
    p: &'p mut Printer<'o>,
    buffer: &'p Buffer,
    path: Path,
    frame: usize,
    /// How often each variable occurs in the buffer.
    uses: FxHashMap<usize, usize>,
    /// Variables that the text has to declare before, with the expressions that make them.
    declared: Vec<(Doc, Doc)>,
    attrs: Attrs,
}

/// The variable, if the expression is one that the text has not defined.
fn new_var(p: &Printer<'_>, expr: &PrimExpr) -> Option<Var> {
    let object = expr.as_object().view();
    object.to_handle::<Var>().filter(|_| !p.is_defined(object))
}

impl Writer<'_, '_> {
    fn count_uses(&mut self) {
        let buffer = self.buffer;
        let exprs = buffer.strides.as_slice().iter().chain(buffer.shape.as_slice());
        let objects = exprs.chain([&buffer.elem_offset]).map(|expr| expr.as_object().view());
        for object in objects.chain([buffer.data.as_object().view()]) {
            if is_constant(object) {
                continue;
            }
            let mut counted: Vec<usize> = Vec::new();
            any_object(object, |object| {
                if object.node::<VarNode>().is_some() && !counted.contains(&object.address()) {
                    counted.push(object.address());
                }
                false
            });
            for var in counted {
                *self.uses.entry(var).or_default() += 1;
            }
        }
    }

    /// Declares a variable before the buffer.
    fn declare(&mut self, var: &Var, path: Path) {
        let name = define_var(self.p, var, self.frame);
        self.p.tree.mark(name, path);
        let value = creation(self.p, var, path);
        self.declared.push((name, value));
    }

    /// Lets the buffer define a variable that occurs once in it; otherwise declares the variable.
    fn define_by(&mut self, var: &Var, part: BufferPart, path: Path) -> bool {
        let object: ObjectView<'_> = var.as_object().view();
        if self.uses.get(&object.address()) == Some(&1) {
            let buffer = self.buffer.as_object().view().address();
            let reference = Reference::BufferPart { buffer, is_scalar: is_scalar(self.buffer, true), part };
            self.p.refer(object, self.frame, reference);
            return true;
        }
        self.declare(var, path);
        false
    }

    fn set(&mut self, name: &'static str, doc: Doc) {
        self.attrs.push((name, doc));
    }

    fn set_field(&mut self, name: &'static str, field: &'static str, value: &impl AsAnyView) {
        let doc = self.p.field(self.path, field, value);
        self.set(name, doc);
    }

    fn shape(&mut self, is_param: bool) {
        let path = self.p.paths.field(self.path, "shape");
        let mut docs = Vec::new();
        for (index, extent) in self.buffer.shape.as_slice().iter().enumerate() {
            let path = self.p.paths.item(path, index);
            if is_param && self.p.words.has_buffer_params {
                docs.push(self.matched(extent, path));
                continue;
            }
            if let Some(var) = new_var(self.p, extent) {
                self.declare(&var, path);
            }
            docs.push(self.p.expr(extent, path));
        }
        let shape = self.p.tuple(&docs);
        self.set("shape", shape);
    }

    /// An extent of a parameter. An expression whose variables it defines, or that the text before the function defines, is a
    /// string; but such a variable of the text before stands as it is.
    fn matched(&mut self, extent: &PrimExpr, path: Path) -> Doc {
        let mut vars: Vec<Var> = Vec::new();
        any_object(extent.as_object().view(), |object| {
            vars.extend(object.to_handle::<Var>());
            false
        });
        let is_var = extent.as_object().view().node::<VarNode>().is_some();
        let mut is_quoted = false;
        for var in vars {
            let object: ObjectView<'_> = var.as_object().view();
            let is_new = !self.p.is_defined(object);
            let is_scalar = self.p.type_vars.is_scalar(object.address());
            if is_new {
                is_quoted = true;
                let name = define_var(self.p, &var, self.frame);
                if !is_scalar {
                    let value = creation(self.p, &var, path);
                    self.declared.push((name, value));
                }
            }
            is_quoted |= !is_var && self.p.type_vars.has(object.address());
        }
        let doc = self.p.expr(extent, path);
        if !is_quoted {
            return doc;
        }
        let quoted = self.p.tree.add(Node::Quoted(doc));
        self.p.tree.mark(quoted, path);
        quoted
    }

    fn data(&mut self, definitions: VarDefinitions) {
        // Buffers in tensor memory make their address themselves.
        if scope(self.buffer) == "tmem" {
            return;
        }
        let path = self.p.paths.field(self.path, "data");
        let data = &self.buffer.data;
        if !self.p.is_defined(data.as_object().view()) {
            if definitions >= VarDefinitions::Data {
                if self.define_by(data, BufferPart::Data, path) {
                    return;
                }
            } else {
                self.declare(data, path);
            }
        }
        let doc = self.p.expr(data, path);
        self.set("data", doc);
    }

    fn strides(&mut self) {
        if self.buffer.strides.is_empty() {
            return;
        }
        let path = self.p.paths.field(self.path, "strides");
        let mut docs = Vec::new();
        for (index, stride) in self.buffer.strides.as_slice().iter().enumerate() {
            let path = self.p.paths.item(path, index);
            if let Some(var) = new_var(self.p, stride)
                && self.define_by(&var, BufferPart::Stride(index), path)
            {
                let name = self.p.string(&var.name);
                self.p.tree.mark(name, path);
                docs.push(name);
                continue;
            }
            docs.push(self.p.expr(stride, path));
        }
        let strides = self.p.tuple(&docs);
        self.set("strides", strides);
    }

    /// The offset; returns whether the declaration has to show the factor of the offset.
    fn elem_offset(&mut self) -> bool {
        let offset = &self.buffer.elem_offset;
        if let Some((base, value)) = int_constant(offset) {
            let index_dtype = self.buffer.shape.first().map_or(DataType::int(64), |extent| extent.dtype);
            if value != 0 || base.dtype != index_dtype {
                self.set_field("elem_offset", "elem_offset", offset);
            }
        } else if let Some(var) = new_var(self.p, offset) {
            let path = self.p.paths.field(self.path, "elem_offset");
            self.define_by(&var, BufferPart::ElemOffset, path);
            return true;
        } else {
            self.set_field("elem_offset", "elem_offset", offset);
        }
        false
    }

    fn layout(&mut self) {
        let buffer = self.buffer;
        match &buffer.layout {
            Some(layout) if is_default(layout, buffer.shape.as_slice()) => {}
            Some(layout) => self.set_field("layout", "layout", layout),
            None if is_in_s_tir(self.p) => {}
            None => self.set_field("layout", "layout", &buffer.layout),
        }
    }

    fn allocated_addr(&mut self) {
        let path = self.p.paths.field(self.path, "allocated_addr");
        let doc = match self.buffer.allocated_addr.as_slice() {
            [] => return,
            [address] => {
                let path = self.p.paths.item(path, 0);
                self.address(address, path)
            }
            _ => self.p.expr(&self.buffer.allocated_addr, path),
        };
        self.set("allocated_addr", doc);
    }

    /// An address. Access to a scalar buffer shows its index here, because its name would stand for the buffer.
    fn address(&mut self, address: &PrimExpr, path: Path) -> Doc {
        let Some(load) = address.as_object().view().node::<BufferLoadNode>() else { return self.p.expr(address, path) };
        let buffer = self.p.field(path, "buffer", &load.buffer);
        let name = self.p.reference(load.buffer.as_object().view()).unwrap_or(buffer);
        let indices_path = self.p.paths.field(path, "indices");
        let indices = self.p.items(load.indices.as_slice(), indices_path);
        self.p.index(name, &indices)
    }

    fn write(&mut self, definitions: VarDefinitions) {
        let buffer = self.buffer;
        self.count_uses();
        self.shape(definitions == VarDefinitions::Param);
        if buffer.dtype != self.p.options.buffer_dtype {
            self.set_field("dtype", "dtype", &buffer.dtype);
        }
        self.data(definitions);
        self.strides();
        let shows_factor = self.elem_offset();
        if scope(buffer) != "global" {
            let doc = self.p.string(scope(buffer));
            self.set("scope", doc);
        }
        if buffer.data_alignment != DEFAULT_ALIGNMENT {
            self.set_field("align", "data_alignment", &buffer.data_alignment);
        }
        if shows_factor || buffer.offset_factor != 1 {
            self.set_field("offset_factor", "offset_factor", &buffer.offset_factor);
        }
        if buffer.buffer_type != buffer_type::DEFAULT {
            let doc = self.p.string_field(self.path, "buffer_type", "auto");
            self.set("buffer_type", doc);
        }
        if !buffer.axis_separators.is_empty() {
            self.set_field("axis_separators", "axis_separators", &buffer.axis_separators);
        }
        self.layout();
        self.allocated_addr();
        self.push_declared();
    }

    fn push_declared(&mut self) {
        let (names, values): (Vec<Doc>, Vec<Doc>) = self.declared.drain(..).unzip();
        let (target, value) = match (&*names, &*values) {
            ([], _) => return,
            ([name], [value]) => (*name, *value),
            _ => (self.p.tuple(&names), self.p.tuple(&values)),
        };
        let statement = self.p.assign(target, None, Some(value));
        self.p.push_to(self.frame, statement);
    }
}

/// Whether the text is in a function of the scheduler's language, where buffers have no layout by default.
fn is_in_s_tir(p: &Printer<'_>) -> bool {
    p.frames
        .iter()
        .find_map(|frame| match &frame.kind {
            FrameKind::Tir { object: Some(object), .. } => object.view().node::<PrimFuncNode>(),
            _ => None,
        })
        .is_some_and(crate::print::tir::buffer_facts::is_s_tir)
}

fn attrs(p: &mut Printer<'_>, buffer: &Buffer, path: Path, frame: usize, definitions: VarDefinitions) -> Attrs {
    let mut writer =
        Writer { p, buffer, path, frame, uses: FxHashMap::default(), declared: Vec::new(), attrs: Vec::new() };
    writer.write(definitions);
    writer.attrs
}

/// The declaration of a buffer by the function `method`.
pub(crate) fn declaration(
    p: &mut Printer<'_>,
    buffer: &Buffer,
    method: &'static str,
    args: &[Doc],
    path: Path,
    frame: usize,
    definitions: VarDefinitions,
) -> Doc {
    let mut attrs = attrs(p, buffer, path, frame, definitions);
    let name = short_form(p, buffer, method, path, &mut attrs);
    let get = |name: &str| attrs.iter().find(|(known, _)| *known == name).map(|(_, doc)| *doc);
    let mut args = args.to_vec();
    args.extend(BUFFER_ARGUMENTS[..POSITIONAL].iter().filter_map(|name| get(name)));
    let keywords = keywords(&attrs);
    p.dialect_call(Dialect::Tir, name, &args, &keywords)
}

/// The arguments with keywords, in order.
fn keywords(attrs: &Attrs) -> Vec<(Text, Doc)> {
    let get = |name: &str| attrs.iter().find(|(known, _)| *known == name).map(|(_, doc)| *doc);
    BUFFER_ARGUMENTS[POSITIONAL..].iter().filter_map(|name| Some(((*name).into(), get(name)?))).collect()
}

/// The shorter name of a declaration, whose arguments are then fewer.
fn short_form(
    p: &mut Printer<'_>,
    buffer: &BufferNode,
    method: &'static str,
    path: Path,
    attrs: &mut Attrs,
) -> &'static str {
    let scope = scope(buffer);
    match method {
        "alloc_buffer" if is_scalar(buffer, true) => {
            *attrs = vec![("dtype", p.dtype_field(path, "dtype", buffer.dtype))];
            match scope {
                "shared" => "shared_scalar",
                "local" => "local_scalar",
                _ => {
                    attrs.push(("scope", p.string(scope)));
                    "alloc_scalar"
                }
            }
        }
        "alloc_buffer" if scope == "shared" || scope == "local" => {
            attrs.retain(|(name, _)| *name != "scope");
            if scope == "shared" { "alloc_shared" } else { "alloc_local" }
        }
        "decl_buffer" if is_scalar(buffer, false) => {
            *attrs = vec![
                ("dtype", p.dtype_field(path, "dtype", buffer.dtype)),
                ("scope", p.string(scope)),
                ("elem_offset", p.field(path, "elem_offset", &buffer.elem_offset)),
                ("data", p.field(path, "data", &buffer.data)),
            ];
            "decl_scalar"
        }
        other => other,
    }
}

/// A buffer as the annotation of a parameter: `T.Buffer((n,), "float32")`.
pub(crate) fn annotation(p: &mut Printer<'_>, buffer: &Buffer, path: Path, frame: usize) -> Doc {
    let attrs = attrs(p, buffer, path, frame, VarDefinitions::Param);
    let shape = attrs.iter().find(|(name, _)| *name == "shape").map(|(_, doc)| *doc);
    let dtype = p.dtype_field(path, "dtype", buffer.dtype);
    let args: Vec<Doc> = shape.into_iter().chain([dtype]).collect();
    let keywords = if p.words.has_buffer_params { keywords(&attrs) } else { Vec::new() };
    p.dialect_call(Dialect::Tir, "Buffer", &args, &keywords)
}

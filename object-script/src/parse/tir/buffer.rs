//! Declarations of buffers (TVM 0.25 src/tirx/script/builder/ir.cc and python/tvm/tirx/script/builder/ir.py).

use object_core::value::Str;
use object_core::{Any, DataType, Map, ObjectHandle};
use object_ir::ir::{FloatImm, IntImm, PointerType, PrimExpr, PrimType};
use object_ir::tir::fold::{self, BinaryOp};
use object_ir::tir::{AllocBuffer, Buffer, DeclBuffer, Layout, MatchBufferRegion, Var, buffer_type};

use ruff_text_size::{TextRange, TextSize};

use crate::memory::{DEFAULT_ALIGNMENT, default_layout};
use crate::parse::expr::string_dim;
use crate::parse::ir::functions::attributes;
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::log::content_range;
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::state::tir_frames::RegionKind;
use crate::parse::tir::access::region;
use crate::parse::tir::scalar::{int32, load, prim, prims};
use crate::parse::value::Value;
use crate::words::{BUFFER_ARGUMENTS, BYTE_OFFSET};

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("T.Buffer", buffer),
    ("T.buffer", buffer),
    ("T.buffer_decl", buffer),
    ("T.match_buffer", match_buffer),
    ("T.alloc_buffer", alloc_buffer),
    ("T.alloc_shared", alloc_buffer),
    ("T.smem", alloc_buffer),
    ("T.alloc_local", alloc_buffer),
    ("T.tmem", alloc_buffer),
    ("T.sblock_alloc_buffer", sblock_alloc_buffer),
    ("T.decl_buffer", decl_buffer),
    ("T.alloc_scalar", alloc_scalar),
    ("T.shared_scalar", alloc_scalar),
    ("T.local_scalar", alloc_scalar),
    ("T.decl_scalar", decl_scalar),
];

/// Whether a declaration accepts an offset in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByteOffset {
    Accepted,
    /// As in `T.match_buffer` and `T.sblock_alloc_buffer`.
    Rejected,
}

/// The layout of a buffer in the text.
#[derive(Clone, Debug, Default)]
pub(crate) enum LayoutChoice {
    /// The text leaves it out.
    #[default]
    Default,
    /// The text states it, or that there is none.
    Stated(Option<Layout>),
}

/// A declaration of a buffer.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) shape: Vec<PrimExpr>,
    pub(crate) dtype: DataType,
    pub(crate) data: Option<Var>,
    pub(crate) strides: Vec<PrimExpr>,
    pub(crate) elem_offset: Option<PrimExpr>,
    pub(crate) scope: Str,
    pub(crate) align: i64,
    pub(crate) offset_factor: i64,
    pub(crate) is_auto: bool,
    pub(crate) axis_separators: Vec<IntImm>,
    pub(crate) layout: LayoutChoice,
    pub(crate) allocated_addr: Vec<PrimExpr>,
}

impl Default for Declaration {
    fn default() -> Self {
        Declaration {
            shape: Vec::new(),
            dtype: DataType::float(32),
            data: None,
            strides: Vec::new(),
            elem_offset: None,
            scope: Str::from("global"),
            align: 0,
            offset_factor: 0,
            is_auto: false,
            axis_separators: Vec::new(),
            layout: LayoutChoice::Default,
            allocated_addr: Vec::new(),
        }
    }
}

impl Declaration {
    /// The type of indices: of the first dimension, else `int32`.
    fn index_type(&self) -> DataType {
        self.shape.first().map_or(DataType::int(32), |extent| extent.dtype)
    }

    /// The buffer with this name.
    pub(crate) fn build(self, name: &str, is_s_tir: bool) -> Buffer {
        let index_type = self.index_type();
        let data = self.data.unwrap_or_else(|| {
            let element = if self.dtype == DataType::boolean() { DataType::int(8) } else { self.dtype };
            let ty = PointerType::new(PrimType::new(element), self.scope.clone());
            let name = if name.is_empty() { String::new() } else { format!("{name}_ptr") };
            Var::new(DataType::handle(), name.as_str(), ty)
        });
        let elem_offset = self.elem_offset.unwrap_or_else(|| {
            if self.offset_factor == 0 {
                let dtype = self.shape.first().map_or(DataType::int(64), |extent| extent.dtype);
                IntImm::new(dtype, 0).into()
            } else {
                let name = if name.is_empty() { "elem_offset".to_owned() } else { format!("{name}_elem_offset") };
                Var::new(index_type, name.as_str(), PrimType::new(index_type)).into()
            }
        });
        let layout = match self.layout {
            LayoutChoice::Stated(layout) => layout,
            LayoutChoice::Default if is_s_tir || self.scope.starts_with("trn.") => None,
            LayoutChoice::Default => Some(default_layout(&self.shape)),
        };
        let mut strides = self.strides;
        if self.is_auto && strides.is_empty() {
            let stride = |extent: &PrimExpr| Var::new(extent.dtype, "stride", PrimType::new(extent.dtype)).into();
            strides = self.shape.iter().map(stride).collect();
        }
        Buffer::new(
            data,
            self.dtype,
            self.shape,
            strides,
            self.axis_separators,
            elem_offset,
            name,
            if self.align <= 0 { DEFAULT_ALIGNMENT } else { self.align },
            if self.offset_factor == 0 { 1 } else { self.offset_factor },
            if self.is_auto { buffer_type::AUTO_BROADCAST } else { buffer_type::DEFAULT },
            None,
            layout,
            self.allocated_addr,
        )
    }
}

/// Takes the arguments of a declaration. `scope` is the memory by default.
fn declaration(p: &mut Parser<'_>, call: &Call, byte_offset: ByteOffset, scope: &str) -> Eval<Declaration> {
    let mut made = Declaration { scope: Str::from(scope), ..Declaration::default() };
    for name in BUFFER_ARGUMENTS {
        if *name == BYTE_OFFSET && byte_offset == ByteOffset::Rejected {
            continue;
        }
        let Some(argument) = call.take(name).cloned() else {
            if *name == "shape" && call.name != "T.match_buffer" {
                return Err(p.error(call.range, format!("`{}` lacks the argument `shape`", call.name)));
            }
            continue;
        };
        if *name == "layout" {
            made.layout = layout(p, &argument)?;
        } else if !matches!(argument.value, Value::None) {
            set(p, &mut made, name, &argument)?;
        }
    }
    Ok(made)
}

fn set(p: &mut Parser<'_>, made: &mut Declaration, name: &str, argument: &Argument) -> Eval<()> {
    match name {
        "shape" if p.tir.matched.is_open => made.shape = extents(p, argument)?,
        "shape" => made.shape = prims(p, argument)?,
        "dtype" => made.dtype = argument.dtype(p)?,
        "data" => made.data = Some(argument.object(p, "the address of a buffer, such as `A.data`")?),
        "strides" => made.strides = strides(p, made, argument)?,
        "elem_offset" => made.elem_offset = Some(prim(p, argument)?),
        BYTE_OFFSET => {
            let bits = int32(i64::from(made.dtype.bits));
            let offset = prim(p, argument)?;
            let offset = fold::binary(BinaryOp::Mul, &offset, &int32(8))
                .and_then(|offset| fold::binary(BinaryOp::FloorDiv, &offset, &bits));
            made.elem_offset = Some(offset.map_err(|error| p.object_error(argument.range, &error))?);
        }
        "scope" => made.scope = Str::from(argument.str(p)?),
        "align" => made.align = argument.int(p)?,
        "offset_factor" => made.offset_factor = argument.int(p)?,
        "buffer_type" => match argument.str(p)? {
            "auto" => made.is_auto = true,
            "default" | "" => {}
            _ => return Err(argument.expected(p, "\"auto\" or \"default\"")),
        },
        "axis_separators" => {
            for separator in prims(p, argument)? {
                match fold::int(&separator) {
                    Some(value) => made.axis_separators.push(IntImm::new(separator.dtype, value)),
                    None => return Err(argument.expected(p, "a list of integers")),
                }
            }
        }
        _ => made.allocated_addr = prims(p, argument)?,
    }
    Ok(())
}

/// The extents of a parameter. A string is an expression, whose variables [`define_matched`] has defined.
fn extents(p: &mut Parser<'_>, argument: &Argument) -> Eval<Vec<PrimExpr>> {
    let Some(items) = argument.value.items() else { return Ok(vec![prim(p, argument)?]) };
    let mut extents = Vec::with_capacity(items.len());
    for item in items.iter() {
        let value = match item {
            Value::Str(text) => string_dim::evaluate(p, text, argument.range)?,
            item => item.clone(),
        };
        extents.push(prim(p, &Argument { value, range: argument.range })?);
    }
    Ok(extents)
}

/// Defines the names in the text of an extent that the signature has not defined.
pub(crate) fn define_matched(p: &mut Parser<'_>, text: &str, literal: TextRange) {
    let content = content_range(p.source, text, literal);
    let is_word = |char: char| char.is_alphanumeric() || char == '_' || char == '.';
    for word in text.split(|char| !is_word(char)).filter(|word| string_dim::is_name(word)) {
        // A scalar parameter hides a type variable of the same name.
        if !matches!(p.names.get(word), None | Some(Value::TypeVar)) {
            continue;
        }
        let scalar = p.tir.matched.scalars.iter().find(|(name, _)| name == word);
        let dtype = scalar.map_or(DataType::int(32), |(_, dtype)| *dtype);
        let var = Var::new(dtype, word, PrimType::new(dtype));
        p.tir.matched.vars.push(var.clone());
        let start = TextSize::try_from(word.as_ptr().addr() - text.as_ptr().addr()).unwrap_or_default();
        match content {
            Some(content) => {
                p.define(word, Value::object(var), TextRange::at(content.start() + start, TextSize::of(word)));
            }
            None => p.names.set_at(word, Value::object(var), None),
        }
    }
}

/// The strides; a string is a new variable.
fn strides(p: &mut Parser<'_>, made: &Declaration, argument: &Argument) -> Eval<Vec<PrimExpr>> {
    let Some(items) = argument.value.items() else { return Err(argument.expected(p, "a tuple or a list of strides")) };
    let dtype = made.index_type();
    items
        .iter()
        .map(|item| match item {
            Value::Str(name) => Ok(Var::new(dtype, name.clone(), PrimType::new(dtype)).into()),
            item => prim(p, &Argument { value: item.clone(), range: argument.range }),
        })
        .collect()
}

/// The layout in the text: `"default"`, `None`, or a layout.
fn layout(p: &mut Parser<'_>, argument: &Argument) -> Eval<LayoutChoice> {
    match &argument.value {
        Value::None => Ok(LayoutChoice::Stated(None)),
        Value::Str(name) if name.as_str() == "default" => Ok(LayoutChoice::Default),
        _ => {
            let layout = argument.object::<Layout>(p, "a layout such as `T.TileLayout(T.S[(4, 4):(4, 1)])`")?;
            Ok(LayoutChoice::Stated(Some(layout)))
        }
    }
}

/// The buffer of a declaration, with the name that the statement at hand gives.
fn build(p: &Parser<'_>, made: Declaration) -> Buffer {
    made.build(p.tir.target(0), p.tir.is_s_tir)
}

/// `T.Buffer(shape, dtype)`.
fn buffer(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let made = declaration(p, call, ByteOffset::Accepted, "global")?;
    call.finish(p)?;
    Ok(Value::object(build(p, made)))
}

/// `T.match_buffer(param, shape)`, and `T.match_buffer(A[0:4], shape)` in a block.
fn match_buffer(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let source = call.required(p, "param")?.clone();
    let mut made = declaration(p, call, ByteOffset::Rejected, "global")?;
    call.finish(p)?;
    if let Some(param) = source.value.to::<Var>() {
        let function = p.innermost_function("T.match_buffer", call.range)?;
        let is_same = |var: &Var| var.as_object().ptr_eq(param.as_object());
        let is_param = function.params.iter().any(is_same);
        if !is_param {
            return Err(source.expected(p, "a parameter of the function"));
        }
        let buffer = build(p, made);
        if let Some(function) = p.tir.function() {
            function.buffers.retain(|(known, _)| !is_same(known));
            function.buffers.push((param.clone(), buffer.clone()));
        }
        return Ok(Value::object(buffer));
    }
    let source = region(p, &source)?;
    if made.shape.is_empty() && call.args.len() == 1 {
        made.dtype = source.buffer.dtype;
        made.shape = source.region.as_slice().iter().map(|range| range.extent.clone()).collect();
    }
    let buffer = build(p, made);
    let matched = MatchBufferRegion::new(buffer.clone(), source);
    p.innermost_block("T.match_buffer", call.range)?.matches.push(matched);
    Ok(Value::object(buffer))
}

/// `T.alloc_buffer(shape, dtype, scope=...)`, and the forms for one memory.
fn alloc_buffer(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let scope = match call.name.as_str() {
        "T.alloc_shared" | "T.smem" => "shared",
        "T.alloc_local" => "local",
        "T.tmem" => "tmem",
        _ => "global",
    };
    let made = declaration(p, call, ByteOffset::Accepted, scope)?;
    let annotations = match call.optional("annotations").cloned() {
        Some(argument) => annotations(p, &argument)?,
        None => Map::default(),
    };
    call.finish(p)?;
    let buffer = build(p, made);
    p.tir.push(AllocBuffer::new(buffer.clone(), annotations));
    Ok(Value::object(buffer))
}

/// Hints for an allocation. Numbers become constants of the IR.
fn annotations(p: &mut Parser<'_>, argument: &Argument) -> Eval<Map<Str, Any>> {
    let entries = attributes(p, argument)?.into_iter().map(|(name, value)| {
        let value = match value {
            Any::Bool(value) => Any::from(IntImm::new(DataType::boolean(), i64::from(value))),
            Any::Int(value) => Any::from(IntImm::new(DataType::int(32), value)),
            Any::Float(value) => Any::from(FloatImm::new(DataType::float(32), value)),
            other => other,
        };
        (Str::from(name.as_str()), value)
    });
    Ok(Map::new(entries.collect::<Vec<_>>()))
}

/// `T.sblock_alloc_buffer(shape, dtype)`: the innermost block allocates the buffer, or the root block.
fn sblock_alloc_buffer(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let made = declaration(p, call, ByteOffset::Rejected, "global")?;
    call.finish(p)?;
    let has_function = matches!(p.tir.regions.first().map(|region| &region.kind), Some(RegionKind::Function(_)));
    if has_function && !p.tir.has_root {
        let hint = Some("use `T.alloc_buffer`, or `@T.prim_func(s_tir=True)`".to_owned());
        return Err(p.error_with_hint(
            call.range,
            "only functions with `s_tir=True` have `T.sblock_alloc_buffer`",
            hint,
        ));
    }
    let buffer = build(p, made);
    if let Some(block) = p.tir.block() {
        block.allocations.push(buffer.clone());
    } else if let Some(function) = p.tir.function() {
        function.allocations.push(buffer.clone());
    }
    Ok(Value::object(buffer))
}

/// `T.decl_buffer(shape, dtype, data=...)`. Without memory, it allocates some.
fn decl_buffer(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let made = declaration(p, call, ByteOffset::Accepted, "global")?;
    call.finish(p)?;
    Ok(Value::object(declare(p, made)))
}

/// Adds the declaration of a buffer to the statements.
pub(crate) fn declare(p: &mut Parser<'_>, made: Declaration) -> Buffer {
    let has_memory = made.data.is_some() || &*made.scope == "tmem";
    let buffer = build(p, made);
    if has_memory {
        p.tir.push(DeclBuffer::new(buffer.clone()));
    } else {
        p.tir.push(AllocBuffer::new(buffer.clone(), Map::<Str, Any>::default()));
    }
    buffer
}

/// The declaration of a scalar.
fn scalar_declaration(dtype: DataType, scope: &str) -> Declaration {
    let one = int32(1);
    let layout = LayoutChoice::Stated(Some(default_layout(std::slice::from_ref(&one))));
    Declaration { shape: vec![one], dtype, scope: Str::from(scope), layout, ..Declaration::default() }
}

/// The value of the element of a buffer with one.
pub(crate) fn only_element(buffer: &Buffer) -> Value {
    Value::object(load(buffer, vec![int32(0)], None))
}

/// Allocates a scalar in local memory, with the name that the statement at hand gives, and returns its buffer.
pub(crate) fn local_scalar(p: &mut Parser<'_>, dtype: DataType) -> Buffer {
    let buffer = build(p, scalar_declaration(dtype, "local"));
    p.tir.push(AllocBuffer::new(buffer.clone(), Map::<Str, Any>::default()));
    buffer
}

/// `T.alloc_scalar(dtype, scope)`, `T.local_scalar(dtype)`, `T.shared_scalar(dtype)`.
fn alloc_scalar(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let dtype = call.optional("dtype").cloned().map_or(Ok(DataType::float(32)), |dtype| dtype.dtype(p))?;
    let scope = match call.name.as_str() {
        "T.shared_scalar" => Str::from("shared"),
        "T.local_scalar" => Str::from("local"),
        _ => match call.optional("scope").cloned() {
            Some(scope) => Str::from(scope.str(p)?),
            None => Str::from("global"),
        },
    };
    call.finish(p)?;
    let buffer = build(p, scalar_declaration(dtype, &scope));
    p.tir.push(AllocBuffer::new(buffer.clone(), Map::<Str, Any>::default()));
    Ok(only_element(&buffer))
}

/// `T.decl_scalar(dtype, data, scope, elem_offset)`.
fn decl_scalar(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let mut made = scalar_declaration(DataType::float(32), "global");
    for name in ["dtype", "data", "scope", "elem_offset", BYTE_OFFSET] {
        if let Some(argument) = call.optional(name).cloned() {
            set(p, &mut made, name, &argument)?;
        }
    }
    call.finish(p)?;
    Ok(only_element(&declare(p, made)))
}

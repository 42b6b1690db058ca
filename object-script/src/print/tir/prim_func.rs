//! Functions of TIR (TVM 0.25 src/tirx/script/printer/function.cc).

use object_core::{AnyView, AsAnyView, DataType, ObjectHandle, ObjectView};
use object_ir::ir::{PrimExpr, TupleTypeNode};
use object_ir::tir::{BufferNode, PrimFunc, PrimFuncNode, SBlock, SBlockRealizeNode, Var, VarNode, buffer_type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::memory::{DEFAULT_ALIGNMENT, PERSISTENT, S_TIR, is_default};
use crate::print::doc::tree::{Doc, FunctionDoc, Node, Text};
use crate::print::ir::functions::{GLOBAL_SYMBOL, attrs_without, function_name, global_symbol};
use crate::print::ir::header::{comment, with_header};
use crate::print::state::common_prefix::CommonPrefix;
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use crate::print::state::walk::any_object;
use crate::print::tir::block::allocations;
use crate::print::tir::buffer::define_buffer;
use crate::print::tir::buffer_attrs::{VarDefinitions, annotation, declaration};
use crate::print::tir::buffer_facts::{int_constant, is_s_tir, scope};
use crate::print::tir::expr::is_int;
use crate::print::tir::stmt::body;
use crate::print::tir::vars::define_var;
use object_core::print::Path;

/// Prints a function with its header.
pub(crate) fn prim_func(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(func) = object.to_handle::<PrimFunc>() else { return p.metadata_item(AnyView::Object(object)) };
    let name = function_name(p, &func.attrs);
    p.common_prefix = CommonPrefix::of(object, std::mem::take(&mut p.common_prefix));
    let kind = Printer::tir_frame(Some(object.to_object()));
    let ((params, result), statements) = p.in_frame(kind, Some(Dialect::Tir), |p| {
        p.type_vars.begin(scalar_params(&func));
        define_type_vars(p, &func);
        let params = params(p, &func, path);
        p.type_vars.end(&p.tree);
        attributes(p, &func, &name, path);
        buffers(p, &func, &params, path);
        function_body(p, &func, path);
        let is_void =
            func.ret_type.as_object().view().node::<TupleTypeNode>().is_some_and(|tuple| tuple.fields.is_empty());
        let result = (!is_void).then(|| p.field(path, "ret_type", &func.ret_type));
        (params, result)
    });
    let decorator = decorator(p, &func);
    let params: Vec<Doc> = params.into_iter().map(|param| param.doc).collect();
    let (params, body) = (p.tree.list(&params), p.tree.list(&statements));
    let name = p.name(&name);
    let function = p.tree.add_function(FunctionDoc { name, decorator, params, result, body });
    with_header(p, function)
}

/// A printed parameter.
struct Param {
    doc: Doc,
    /// The name; none if a buffer stands for the parameter.
    name: Option<Doc>,
}

/// The parameters. A buffer stands for the parameter of its address, if nothing else uses the parameter.
fn params(p: &mut Printer<'_>, func: &PrimFuncNode, path: Path) -> Vec<Param> {
    let frame = p.innermost();
    let mut data_uses: FxHashMap<usize, usize> = FxHashMap::default();
    for buffer in func.buffer_map.values() {
        *data_uses.entry(buffer.data.as_object().view().address()).or_default() += 1;
    }
    let params_path = p.paths.field(path, "params");
    let buffers_path = p.paths.field(path, "buffer_map");
    let mut params = Vec::new();
    for (index, var) in func.params.as_slice().iter().enumerate() {
        let var_path = p.paths.item(params_path, index);
        let object = var.as_object().view();
        let buffer = func.buffer_map.get(var).filter(|buffer| {
            p.options.syntax_sugar
                // The parameter and the key of the buffer.
                && p.common_prefix.has_only(2, object)
                && (p.words.has_buffer_params
                    || (is_simple(buffer, is_s_tir(func))
                        && data_uses.get(&buffer.data.as_object().view().address()) == Some(&1)))
        });
        let (doc, name) = match buffer {
            Some(buffer) => {
                let buffer_path = p.paths.entry(buffers_path, var.as_any_view());
                let target = define_buffer(p, &buffer, frame);
                let annotation = annotation(p, &buffer, buffer_path, frame);
                let doc = p.assign(target, Some(annotation), None);
                p.tree.mark(doc, buffer_path);
                (doc, None)
            }
            None => {
                let ty = p.field(var_path, "type_annotation", &var.type_annotation);
                let name = define_var(p, var, frame);
                (p.assign(name, Some(ty), None), Some(name))
            }
        };
        p.tree.mark(doc, var_path);
        params.push(Param { doc, name });
    }
    params
}

/// The addresses of the parameters that are no buffers.
fn scalar_params(func: &PrimFuncNode) -> FxHashSet<usize> {
    let scalars = func.params.as_slice().iter().filter(|param| func.buffer_map.get(*param).is_none());
    scalars.map(|param| param.as_object().view().address()).collect()
}

/// Names the integers of 64 bits in the buffers of parameters that are no parameters themselves, if they stand before the
/// text. As in TVM, the last one has its name first.
fn define_type_vars(p: &mut Printer<'_>, func: &PrimFuncNode) {
    if !p.words.has_type_vars {
        return;
    }
    let mut vars: Vec<Var> = Vec::new();
    for buffer in func.params.as_slice().iter().filter_map(|param| func.buffer_map.get(param)) {
        let exprs = buffer.shape.as_slice().iter().chain(buffer.strides.as_slice()).chain([&buffer.elem_offset]);
        for expr in exprs {
            any_object(expr.as_object().view(), |object| {
                vars.extend(object.to_handle::<Var>());
                false
            });
        }
    }
    let frame = p.innermost();
    vars.retain(|var| var.dtype == DataType::int(64) && !p.type_vars.is_scalar(var.as_object().view().address()));
    let mut seen = FxHashSet::default();
    vars.retain(|var| seen.insert(var.as_object().view().address()));
    for var in vars.iter().rev() {
        let name = define_var(p, var, frame);
        p.type_vars.add(&p.tree, var.as_object().view().address(), name);
    }
}

/// Whether an annotation with shape and data type describes the whole buffer.
fn is_simple(buffer: &BufferNode, is_s_tir: bool) -> bool {
    let has_var = |expr: &PrimExpr| any_object(expr.as_object().view(), |object| object.node::<VarNode>().is_some());
    let has_layout = match &buffer.layout {
        Some(layout) => is_default(layout, buffer.shape.as_slice()),
        None => is_s_tir,
    };
    buffer.strides.is_empty()
        && !buffer.shape.as_slice().iter().any(has_var)
        && !has_var(&buffer.elem_offset)
        && int_constant(&buffer.elem_offset).is_none_or(|(_, value)| value == 0)
        && has_layout
        && buffer.allocated_addr.is_empty()
        && scope(buffer) == "global"
        && buffer.data_alignment == DEFAULT_ALIGNMENT
        && buffer.offset_factor == 1
        && buffer.buffer_type == buffer_type::DEFAULT
        && buffer.axis_separators.is_empty()
}

/// The attributes that neither the name nor the decorator shows.
fn attributes(p: &mut Printer<'_>, func: &PrimFuncNode, name: &str, path: Path) {
    let mut hidden = vec![S_TIR, PERSISTENT];
    if global_symbol(&func.attrs).is_some_and(|symbol| &*symbol == name) {
        hidden.push(GLOBAL_SYMBOL);
    }
    let Some(attrs) = attrs_without(&func.attrs, &hidden) else { return };
    let path = p.paths.field(path, "attrs");
    let attrs = p.expr_of(attrs.as_any_view(), path);
    let call = p.dialect_call(Dialect::Tir, "func_attr", &[attrs], &[]);
    let statement = p.tree.add(Node::Expr(call));
    p.push(statement);
}

/// The declarations of the buffers of parameters, for those that are not parameters themselves.
fn buffers(p: &mut Printer<'_>, func: &PrimFuncNode, params: &[Param], path: Path) {
    let frame = p.innermost();
    let path = p.paths.field(path, "buffer_map");
    for (var, param) in func.params.as_slice().iter().zip(params) {
        let (Some(name), Some(buffer)) = (param.name, func.buffer_map.get(var)) else { continue };
        let path = p.paths.entry(path, var.as_any_view());
        let target = define_buffer(p, &buffer, frame);
        let value = declaration(p, &buffer, "match_buffer", &[name], path, frame, VarDefinitions::All);
        let statement = p.assign(target, None, Some(value));
        p.tree.mark(statement, path);
        p.push(statement);
    }
}

/// The block around the body that the text leaves out: it only allocates buffers, or only surrounds blocks.
fn implicit_root(func: &PrimFuncNode) -> Option<&SBlock> {
    let realize = func.body.as_object().view().node::<SBlockRealizeNode>()?;
    let block = &realize.block;
    let is_bare = realize.iter_values.is_empty()
        && is_int(&realize.predicate, 1)
        && block.annotations.is_empty()
        && block.match_buffers.is_empty()
        && block.reads.is_empty()
        && block.writes.is_empty()
        && block.init.is_none();
    let inner = block.body.as_object().view();
    let surrounds_blocks = match inner.node::<SBlockRealizeNode>() {
        Some(inner) => !inner.block.iter_vars.is_empty(),
        None => any_object(inner, |object| object.node::<SBlockRealizeNode>().is_some()),
    };
    (is_bare && (!block.alloc_buffers.is_empty() || surrounds_blocks)).then_some(block)
}

fn function_body(p: &mut Printer<'_>, func: &PrimFuncNode, path: Path) {
    let body_path = p.paths.field(path, "body");
    let Some(block) = implicit_root(func).filter(|_| p.options.syntax_sugar) else {
        return body(p, &func.body, body_path);
    };
    let block_path = p.paths.field(body_path, "block");
    if !p.options.readable {
        let line = comment(p, "with T.sblock(\"root\"):");
        p.push(line);
    }
    allocations(p, block.alloc_buffers.as_slice(), block_path);
    let body_path = p.paths.field(block_path, "body");
    body(p, &block.body, body_path);
}

fn decorator(p: &mut Printer<'_>, func: &PrimFuncNode) -> Doc {
    let shown = [
        ("private", !func.attrs.dict.contains_key(GLOBAL_SYMBOL)),
        ("s_tir", is_s_tir(func)),
        ("persistent", func.attrs.dict.contains_key(PERSISTENT)),
    ];
    let mut keywords: Vec<(Text, Doc)> = Vec::new();
    for (name, _) in shown.into_iter().filter(|(_, is_shown)| *is_shown) {
        keywords.push((name.into(), p.boolean(true)));
    }
    let decorator = p.dialect_name(Dialect::Tir, "prim_func");
    if keywords.is_empty() { decorator } else { p.call(decorator, &[], &keywords) }
}

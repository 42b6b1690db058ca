//! Structural information (TVM 0.25 src/relax/script/printer/struct_info.cc).

use object_core::ObjectHandle;
use object_ir::ir::{
    FuncStructInfoNode, ObjectStructInfo, ObjectStructInfoNode, PrimExpr, PrimStructInfoNode, RelaxExpr, ShapeExprNode,
    ShapeStructInfoNode, TensorStructInfoNode, TupleStructInfoNode,
};
use object_ir::tir::VarNode;
use rustc_hash::FxHashSet;

use crate::print::doc::tree::{Doc, Docs, Keywords, Node, Text};
use crate::print::ir::types::named_tuple;
use crate::print::state::frame::{Dialect, FrameKind};
use crate::print::state::printer::Printer;
use object_core::print::Path;

/// A scalar of a shape. In the signature of a function, a scalar with a variable that the signature defines prints as a
/// string, but in the readable text.
pub(crate) fn dimension(p: &mut Printer<'_>, value: &PrimExpr, path: Path) -> Doc {
    let doc = p.expr(value, path);
    if p.options.readable || (p.words.has_type_vars && value.as_object().view().node::<VarNode>().is_some()) {
        return doc;
    }
    let Some(vars) = signature_vars(p) else { return doc };
    let uses_var = !vars.is_empty()
        && crate::print::state::walk::any_object(value.as_object().view(), |object| {
            object.node::<VarNode>().is_some() && vars.contains(&object.address())
        });
    if !uses_var {
        return doc;
    }
    let quoted = p.tree.add(Node::Quoted(doc));
    p.tree.mark(quoted, path);
    quoted
}

/// The addresses of the variables that the signature at hand defines.
fn signature_vars<'p>(p: &'p Printer<'_>) -> Option<&'p FxHashSet<usize>> {
    p.frames.iter().find_map(|frame| match &frame.kind {
        FrameKind::Relax(relax) => relax.signature_vars.as_ref(),
        _ => None,
    })
}

/// The scalars of a shape.
fn dimensions(p: &mut Printer<'_>, values: &[PrimExpr], path: Path) -> Docs {
    if signature_vars(p).is_none() {
        return p.items(values, path);
    }
    values
        .iter()
        .enumerate()
        .map(|(index, value)| {
            let path = p.paths.item(path, index);
            dimension(p, value, path)
        })
        .collect()
}

/// The shape of a tensor: a tuple of scalars, or an expression such as a variable.
pub(crate) fn tensor_shape(p: &mut Printer<'_>, shape: &RelaxExpr, path: Path) -> Doc {
    let path = p.paths.field(path, "shape");
    let Some(shape) = shape.as_object().view().node::<ShapeExprNode>() else { return p.expr(shape, path) };
    let path = p.paths.field(path, "values");
    let docs = dimensions(p, shape.values.as_slice(), path);
    p.tuple(&docs)
}

/// A shape as an expression: `R.shape([n])`.
pub(crate) fn shape_expr(p: &mut Printer<'_>, shape: &ShapeExprNode, path: Path) -> Doc {
    let path = p.paths.field(path, "values");
    let docs = dimensions(p, shape.values.as_slice(), path);
    let list = p.list(&docs);
    p.dialect_call(Dialect::Relax, "shape", &[list], &[])
}

/// Any value.
pub(crate) fn object(p: &mut Printer<'_>, _: &ObjectStructInfoNode, _: Path) -> Doc {
    let name = p.words.any;
    p.dialect_name(Dialect::Relax, name)
}

/// A scalar.
pub(crate) fn prim(p: &mut Printer<'_>, info: &PrimStructInfoNode, path: Path) -> Doc {
    if p.words.has_one_scalar {
        let name = p.dtype_name(info.dtype);
        return p.dialect_name(Dialect::Tir, name);
    }
    match &info.value {
        Some(value) => {
            let path = p.paths.field(path, "value");
            let value = dimension(p, value, path);
            p.dialect_call(Dialect::Relax, "Prim", &[], &[("value".into(), value)])
        }
        None => {
            let dtype = p.dtype_field(path, "dtype", info.dtype);
            p.dialect_call(Dialect::Relax, "Prim", &[dtype], &[])
        }
    }
}

/// A shape.
pub(crate) fn shape(p: &mut Printer<'_>, info: &ShapeStructInfoNode, path: Path) -> Doc {
    match &info.values {
        Some(values) => {
            let path = p.paths.field(path, "values");
            let docs = dimensions(p, values.as_slice(), path);
            let list = p.list(&docs);
            p.dialect_call(Dialect::Relax, "Shape", &[list], &[])
        }
        None => {
            let path = p.paths.field(path, "ndim");
            let ndim = p.int(info.ndim, path);
            p.dialect_call(Dialect::Relax, "Shape", &[], &[("ndim".into(), ndim)])
        }
    }
}

/// A tensor.
pub(crate) fn tensor(p: &mut Printer<'_>, info: &TensorStructInfoNode, path: Path) -> Doc {
    let mut args = Docs::new();
    let mut keywords = Keywords::new();
    if let Some(shape) = &info.shape {
        args.push(tensor_shape(p, shape, path));
    }
    if !info.dtype.is_void() {
        keywords.push(("dtype".into(), p.dtype_field(path, "dtype", info.dtype)));
    }
    if info.shape.is_none() && info.ndim != -1 {
        let path = p.paths.field(path, "ndim");
        keywords.push(("ndim".into(), p.int(info.ndim, path)));
    }
    if let Some(vdevice) = info.vdevice.as_ref().filter(|vdevice| p.options.exact || vdevice.target.is_some()) {
        let device = crate::print::ir::global::vdevice_reference(p, vdevice, (path, "vdevice"));
        keywords.push(("vdevice".into(), device));
    }
    if args.is_empty() && keywords.is_empty() {
        return p.dialect_name(Dialect::Relax, "Tensor");
    }
    p.dialect_call(Dialect::Relax, "Tensor", &args, &keywords)
}

/// A tuple.
pub(crate) fn tuple(p: &mut Printer<'_>, info: &TupleStructInfoNode, path: Path) -> Doc {
    named_tuple(p, &info.fields, path)
}

/// A function.
pub(crate) fn func(p: &mut Printer<'_>, info: &FuncStructInfoNode, path: Path) -> Doc {
    let ret = p.field(path, "ret", &info.ret);
    let purity = p.boolean(info.purity);
    let purity_path = p.paths.field(path, "purity");
    p.tree.mark(purity, purity_path);
    let Some(params) = &info.params else {
        let mut keywords: Vec<(Text, Doc)> = Vec::new();
        if info.ret.as_object().view().to_handle::<ObjectStructInfo>().is_none() {
            keywords.push(("ret".into(), ret));
        }
        if info.purity {
            keywords.push(("purity".into(), purity));
        }
        if keywords.is_empty() {
            return p.dialect_name(Dialect::Relax, "Callable");
        }
        return p.dialect_call(Dialect::Relax, "Callable", &[], &keywords);
    };
    let params_path = p.paths.field(path, "params");
    let params = p.items(params.as_slice(), params_path);
    let params = p.tuple(&params);
    p.dialect_call(Dialect::Relax, "Callable", &[params, ret, purity], &[])
}

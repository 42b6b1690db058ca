//! Short texts of structural information and of scalar expressions, for messages.

use std::fmt::{self, Write};

use object_core::prelude::*;
use object_ir::ir::{
    FloatImm, FuncStructInfo, IntImm, ObjectStructInfo, PrimExpr, PrimStructInfo, RelaxExpr, ShapeExpr,
    ShapeStructInfo, StructInfo, TensorStructInfo, TupleStructInfo, Var,
};
use object_ir::tir;

/// The levels below which a text has `...`.
const DEPTH: usize = 5;
/// The elements of a list after which a text has `...`.
const LENGTH: usize = 10;

/// A text such as `Tensor((n, 4), float32)`.
#[must_use]
pub fn describe(info: &StructInfo) -> String {
    text(|out| write_info(out, info, DEPTH))
}

/// A text such as `(n, 4)`.
#[must_use]
pub fn describe_dims(dims: &[PrimExpr]) -> String {
    text(|out| write_dims(out, dims, DEPTH))
}

/// A text such as `n * 2`.
#[must_use]
pub fn describe_expr(expr: &PrimExpr) -> String {
    text(|out| write_expr(out, expr, DEPTH))
}

fn text(write: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut out = String::new();
    // Writing into a string does not fail.
    let _ = write(&mut out);
    out
}

/// `None` at the end of `depth`.
fn below(depth: usize) -> Option<usize> {
    depth.checked_sub(1)
}

fn write_info(out: &mut String, info: &StructInfo, depth: usize) -> fmt::Result {
    let Some(depth) = below(depth) else { return out.write_str("...") };
    if let Some(tensor) = info.downcast_ref::<TensorStructInfo>() {
        write_tensor(out, tensor, depth)
    } else if let Some(shape) = info.downcast_ref::<ShapeStructInfo>() {
        out.write_str("Shape")?;
        match &shape.values {
            Some(values) => write_dims(out, values, depth),
            None => write!(out, "(ndim={})", shape.ndim),
        }
    } else if let Some(prim) = info.downcast_ref::<PrimStructInfo>() {
        write!(out, "Prim({:?}", prim.dtype)?;
        if let Some(value) = &prim.value {
            out.write_str(", ")?;
            write_expr(out, value, depth)?;
        }
        out.write_char(')')
    } else if let Some(tuple) = info.downcast_ref::<TupleStructInfo>() {
        out.write_str("Tuple(")?;
        write_list(out, &tuple.fields, |out, field| write_info(out, field, depth))?;
        out.write_char(')')
    } else if let Some(function) = info.downcast_ref::<FuncStructInfo>() {
        out.write_str("Callable((")?;
        match &function.params {
            Some(params) => write_list(out, params, |out, param| write_info(out, param, depth))?,
            None => out.write_str("...")?,
        }
        out.write_str("), ")?;
        write_info(out, &function.ret, depth)?;
        out.write_char(')')
    } else if info.is::<ObjectStructInfo>() {
        out.write_str("Object")
    } else {
        out.write_str(info.as_object().view().type_key())
    }
}

fn write_tensor(out: &mut String, tensor: &TensorStructInfo, depth: usize) -> fmt::Result {
    let mut parts = Vec::new();
    match &tensor.shape {
        None if tensor.ndim < 0 => {}
        None => parts.push(format!("ndim={}", tensor.ndim)),
        Some(shape) => parts.push(text(|out| write_shape(out, shape, depth))),
    }
    if !tensor.dtype.is_void() {
        parts.push(tensor.dtype.to_string());
    }
    parts.extend(tensor.vdevice.as_ref().map(|vdevice| format!("vdevice {}", vdevice.vdevice_id)));
    write!(out, "Tensor({})", parts.join(", "))
}

fn write_shape(out: &mut String, shape: &RelaxExpr, depth: usize) -> fmt::Result {
    if let Some(shape) = shape.downcast_ref::<ShapeExpr>() {
        write_dims(out, &shape.values, depth)
    } else if let Some(var) = shape.downcast_ref::<Var>() {
        out.write_str(&var.vid.name_hint)
    } else {
        out.write_str("...")
    }
}

fn write_dims(out: &mut String, dims: &[PrimExpr], depth: usize) -> fmt::Result {
    out.write_char('(')?;
    write_list(out, dims, |out, dim| write_expr(out, dim, depth))?;
    out.write_str(if dims.len() == 1 { ",)" } else { ")" })
}

fn write_list<T>(out: &mut String, items: &[T], mut write: impl FnMut(&mut String, &T) -> fmt::Result) -> fmt::Result {
    for (index, item) in items.iter().take(LENGTH).enumerate() {
        if index > 0 {
            out.write_str(", ")?;
        }
        write(out, item)?;
    }
    if items.len() > LENGTH { write!(out, ", ... {} more", items.len() - LENGTH) } else { Ok(()) }
}

fn write_expr(out: &mut String, expr: &PrimExpr, depth: usize) -> fmt::Result {
    let Some(depth) = below(depth) else { return out.write_str("...") };
    macro_rules! binary {
        ($($node:ident $sign:literal),*) => {
            $(if let Some(it) = expr.downcast_ref::<tir::$node>() {
                write_operand(out, &it.a, depth)?;
                out.write_str($sign)?;
                return write_operand(out, &it.b, depth);
            })*
        };
    }
    binary!(Add " + ", Sub " - ", Mul " * ", FloorDiv " // ", FloorMod " % ");
    if let Some(int) = expr.downcast_ref::<IntImm>() {
        write!(out, "{}", int.value)
    } else if let Some(float) = expr.downcast_ref::<FloatImm>() {
        write!(out, "{}", float.value)
    } else if let Some(var) = expr.downcast_ref::<tir::Var>() {
        out.write_str(&var.name)
    } else {
        write!(out, "<{}>", expr.as_object().view().type_key())
    }
}

fn write_operand(out: &mut String, expr: &PrimExpr, depth: usize) -> fmt::Result {
    let is_leaf = expr.is::<IntImm>() || expr.is::<tir::Var>();
    if is_leaf {
        return write_expr(out, expr, depth);
    }
    out.write_char('(')?;
    write_expr(out, expr, depth)?;
    out.write_char(')')
}

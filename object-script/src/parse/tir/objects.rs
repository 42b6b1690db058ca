//! Operations on objects in statements of TIR: operators, elements, members and methods of buffers, calls of functions of
//! the module.

use object_core::value::Str;
use object_core::{DataType, ObjectHandle};
use object_ir::ir::{FuncStructInfoNode, GlobalVar, PrimExpr, PrimStructInfoNode, RelaxExpr, TensorStructInfoNode};
use object_ir::tir::{self, Buffer, BufferLoad, BufferRegion, IterVar, Layout, Var};
use ruff_python_ast::{CmpOp, Operator, UnaryOp};
use ruff_text_size::TextRange;

use crate::parse::expr::operator;
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Eval, ObjectOperations, Parser};
use crate::parse::tir::access::{buffer_of, element, indices, store};
use crate::parse::tir::scalar::{self, has_one_element, intrinsic, prim, to_prim};
use crate::parse::tir::{bits, layout, types, views};
use crate::parse::value::Value;

/// The operations.
pub(crate) const OPERATIONS: ObjectOperations = ObjectOperations { binary, compare, unary, subscript, attribute, call };

/// The argument as a scalar expression, if it is an object of another type that stands for one.
fn converted(argument: &Argument) -> Option<Argument> {
    let value = to_prim(&argument.value)?;
    Some(Argument { value: Value::object(value), range: argument.range })
}

/// Both arguments as scalar expressions, if at least one was not.
fn both(a: &Argument, b: &Argument) -> Option<(Argument, Argument)> {
    let is_scalar = |argument: &Argument| argument.value.is::<PrimExpr>();
    if is_scalar(a) && is_scalar(b) {
        return None;
    }
    Some((converted(a)?, converted(b)?))
}

fn binary(p: &mut Parser<'_>, op: Operator, a: &Argument, b: &Argument) -> Eval<Value> {
    let range = TextRange::new(a.range.start(), b.range.end().max(a.range.start()));
    if let Some(value) = layout::operation(p, op, a, b)? {
        return Ok(value);
    }
    if let Some(name) = bits::operator(op) {
        return bits::binary(p, name, a, b);
    }
    match both(a, b) {
        Some((a, b)) => operator::binary(p, op, &a, &b, range),
        None => {
            let (left, right) = (a.value.describe(), b.value.describe());
            Err(p.error(range, format!("`{}` does not take {left} and {right}", op.as_str())))
        }
    }
}

fn compare(p: &mut Parser<'_>, op: CmpOp, a: &Argument, b: &Argument) -> Eval<Value> {
    let range = TextRange::new(a.range.start(), b.range.end().max(a.range.start()));
    match both(a, b) {
        Some((a, b)) => operator::compare(p, op, &a, &b, range),
        None => {
            let (left, right) = (a.value.describe(), b.value.describe());
            Err(p.error(range, format!("`{}` does not take {left} and {right}", op.as_str())))
        }
    }
}

fn unary(p: &mut Parser<'_>, op: UnaryOp, a: &Argument) -> Eval<Value> {
    if op == UnaryOp::Invert {
        return bits::not(p, a);
    }
    match converted(a).filter(|_| !a.value.is::<PrimExpr>()) {
        Some(a) => operator::unary(p, op, &a, a.range),
        None => Err(p.error(a.range, format!("`{}` does not take {}", op.as_str(), a.value.describe()))),
    }
}

fn subscript(p: &mut Parser<'_>, a: &Argument, index: &Argument) -> Eval<Value> {
    if let Value::Path(head) = &a.value
        && matches!(&**head, "T.S" | "T.R")
    {
        return layout::element(p, head, index);
    }
    if let Some(buffer) = a.value.to::<Buffer>() {
        return element(p, &buffer, index);
    }
    match a.value.to::<BufferLoad>().filter(|load| has_one_element(&load.buffer)) {
        Some(load) => element(p, &load.buffer, index),
        None => Err(a.expected(p, "a buffer")),
    }
}

/// The names of the methods of buffers.
const METHODS: &[&str] = &["vload", "vstore", "scope", "view", "local", "permute", "partition", "ptr_to", "access_ptr"];

/// The names of the fields of buffers.
const FIELDS: &[&str] = &[
    "data",
    "shape",
    "strides",
    "elem_offset",
    "dtype",
    "name",
    "layout",
    "allocated_addr",
    "buffer",
    "data_alignment",
];

fn exprs(values: &[PrimExpr]) -> Value {
    Value::Tuple(values.iter().map(|value| Value::object(value.clone())).collect())
}

fn dtype_text(dtype: DataType) -> Value {
    Value::Str(Str::from(if dtype.is_void() { "void".to_owned() } else { dtype.to_string() }.as_str()))
}

fn attribute(p: &mut Parser<'_>, a: &Argument, name: &str, range: TextRange) -> Eval<Value> {
    if let Some(buffer) = a.value.to::<Buffer>() {
        return buffer_attribute(p, &buffer, &a.value, name, range);
    }
    if let Some(region) = a.value.to::<BufferRegion>()
        && name == "buffer"
    {
        return Ok(Value::object(region.buffer.clone()));
    }
    if let Some(load) = a.value.to::<BufferLoad>() {
        if name == "buffer" {
            return Ok(Value::object(load.buffer.clone()));
        }
        if name != "dtype" && has_one_element(&load.buffer) && (FIELDS.contains(&name) || METHODS.contains(&name)) {
            return buffer_attribute(p, &load.buffer, &Value::object(load.buffer.clone()), name, range);
        }
    }
    if let Some(axis) = a.value.to::<IterVar>() {
        match (name, &axis.dom) {
            ("var", _) => return Ok(Value::object(axis.var.clone())),
            ("dom", Some(domain)) => return Ok(Value::object(domain.clone())),
            _ => {}
        }
    }
    if let Some(expr) = to_prim(&a.value) {
        match name {
            "dtype" => return Ok(dtype_text(expr.dtype)),
            "astype" => return Ok(Value::Method(std::rc::Rc::new((Value::object(expr), name.to_owned())))),
            "name" => {
                if let Some(var) = a.value.to::<Var>() {
                    return Ok(Value::Str(var.name.clone()));
                }
            }
            "ty" => {
                if let Some(var) = a.value.to::<Var>() {
                    return Ok(Value::object(var.type_annotation.clone()));
                }
            }
            _ => {}
        }
    }
    Err(p.error(range, format!("{} does not have the member `{name}`", a.value.describe())))
}

/// The names of the members of buffers.
pub(crate) fn members_of_buffers() -> Vec<&'static str> {
    FIELDS.iter().chain(METHODS).copied().collect()
}

fn buffer_attribute(p: &mut Parser<'_>, buffer: &Buffer, value: &Value, name: &str, range: TextRange) -> Eval<Value> {
    Ok(match name {
        "data" => Value::object(buffer.data.clone()),
        "shape" => exprs(buffer.shape.as_slice()),
        "strides" => exprs(buffer.strides.as_slice()),
        "allocated_addr" => exprs(buffer.allocated_addr.as_slice()),
        "elem_offset" => Value::object(buffer.elem_offset.clone()),
        "dtype" => dtype_text(buffer.dtype),
        "name" => Value::Str(buffer.name.clone()),
        "data_alignment" => Value::Int(buffer.data_alignment),
        "layout" => buffer.layout.as_ref().map_or(Value::None, |layout: &Layout| Value::object(layout.clone())),
        "buffer" => value.clone(),
        name if METHODS.contains(&name) => Value::Method(std::rc::Rc::new((value.clone(), name.to_owned()))),
        _ => {
            let known = FIELDS.iter().chain(METHODS).copied();
            let hint = p.near(name, known);
            return Err(p.error_with_hint(range, format!("buffers do not have the member `{name}`"), hint));
        }
    })
}

fn call(p: &mut Parser<'_>, callee: &Value, call: &Call) -> Eval<Value> {
    if let Some(function) = callee.to::<GlobalVar>() {
        return function_call(p, &function, call);
    }
    let Value::Method(method) = callee else {
        return Err(p.error(call.range, format!("{} is not a function", callee.describe())));
    };
    let (object, name) = &**method;
    if name == "astype" {
        let dtype = call.required(p, "dtype")?.clone();
        call.finish(p)?;
        let dtype = dtype.dtype(p)?;
        let expr = prim(p, &Argument { value: object.clone(), range: call.range })?;
        return Ok(Value::object(types::cast(&expr, dtype)));
    }
    let Some(buffer) = buffer_of(object) else { return Err(p.expected(call.range, "a buffer", object)) };
    method_call(p, &buffer, name, call)
}

fn method_call(p: &mut Parser<'_>, buffer: &Buffer, name: &str, call: &Call) -> Eval<Value> {
    match name {
        "scope" => {
            call.finish(p)?;
            Ok(Value::Str(views::scope(buffer).into()))
        }
        "vload" => {
            let begin = call.required(p, "begin")?.clone();
            let dtype = call.optional("dtype").cloned().map_or(Ok(buffer.dtype), |it| it.dtype(p))?;
            let predicate = call.optional("predicate").cloned();
            call.finish(p)?;
            let indices = widened(indices(p, buffer, &begin)?, buffer, dtype);
            let predicate = predicate.map(|predicate| prim(p, &predicate)).transpose()?;
            Ok(Value::object(scalar::load(buffer, indices, predicate)))
        }
        "vstore" => {
            let begin = call.required(p, "begin")?.clone();
            let value = call.required(p, "value")?.clone();
            let predicate = call.optional("predicate").cloned();
            call.finish(p)?;
            let expr = prim(p, &value)?;
            let indices = widened(indices(p, buffer, &begin)?, buffer, expr.dtype);
            let predicate = predicate.map(|predicate| prim(p, &predicate)).transpose()?;
            store(p, buffer, indices, &value, predicate)?;
            Ok(Value::None)
        }
        "ptr_to" => {
            let index = call.required(p, "indices")?.clone();
            call.finish(p)?;
            let indices = indices(p, buffer, &index)?;
            let load = scalar::load(buffer, indices, None);
            let address = intrinsic(DataType::handle(), "tirx.address_of", vec![load]);
            address.map(Value::object).ok_or_else(|| p.error(call.range, "the operator is not known"))
        }
        "access_ptr" => access_ptr(p, buffer, call),
        "view" => views::view(p, buffer, call),
        "local" => views::local(p, buffer, call),
        "permute" => views::permute(p, buffer, call),
        _ => views::partition(p, buffer, call),
    }
}

/// The indices of an access to values of the type `dtype`: consecutive elements from the indices, if the type has more
/// lanes than one element.
fn widened(mut indices: Vec<PrimExpr>, buffer: &Buffer, dtype: DataType) -> Vec<PrimExpr> {
    let (own, lanes) = (buffer.dtype.lanes(), dtype.lanes());
    if let Some(last) = indices.last_mut()
        && own > 0
        && lanes > own
        && last.dtype.lanes() == 1
    {
        let one = object_ir::ir::IntImm::new(last.dtype, 1).into();
        if let Some(vector) = scalar::ramp(last, &one, &scalar::int32((lanes / own).into())) {
            *last = vector;
        }
    }
    indices
}

/// `A.access_ptr("rw")` (TVM 0.25 `Buffer::access_ptr` in src/tirx/ir/buffer.cc), for elements of one lane.
fn access_ptr(p: &mut Parser<'_>, buffer: &Buffer, call: &Call) -> Eval<Value> {
    use object_ir::tir::fold::{self, BinaryOp};
    let mask = call.required(p, "access_mask")?.clone();
    let ptr_type = call.optional("ptr_type").cloned().map_or(Ok(DataType::handle()), |it| it.dtype(p))?;
    let lanes = call.optional("content_lanes").cloned().map_or(Ok(1), |it| it.int(p))?;
    let offset = call.optional("offset").cloned();
    let extent = call.optional("extent").cloned();
    call.finish(p)?;
    let mask = match &mask.value {
        Value::Str(text) => i64::from(text.contains('r')) + 2 * i64::from(text.contains('w')),
        _ => mask.int(p)?,
    };
    if lanes != 1 {
        return Err(p.error(call.range, "`content_lanes` other than 1 is not supported"));
    }
    let offset = offset.map(|offset| prim(p, &offset)).transpose()?.unwrap_or_else(|| scalar::int32(0));
    let operation = |p: &mut Parser<'_>, op: BinaryOp, a: &PrimExpr, b: &PrimExpr| {
        fold::binary(op, a, b).map_err(|error| p.object_error(call.range, &error))
    };
    let extent = match extent {
        Some(extent) => prim(p, &extent)?,
        None => {
            let mut total = scalar::int32(1);
            if let (Some(stride), Some(first)) = (buffer.strides.first(), buffer.shape.first()) {
                total = operation(p, BinaryOp::Mul, &stride, &first)?;
            } else {
                for extent in buffer.shape.as_slice() {
                    total = operation(p, BinaryOp::Mul, &total, extent)?;
                }
            }
            operation(p, BinaryOp::Sub, &total, &offset)?
        }
    };
    let start = operation(p, BinaryOp::Add, &buffer.elem_offset, &offset)?;
    let annotation = intrinsic(buffer.dtype, "tirx.type_annotation", Vec::new());
    let pointer = annotation.and_then(|annotation| {
        let args = vec![annotation, buffer.data.clone().into(), start, extent, scalar::int32(mask)];
        intrinsic(ptr_type, "tirx.tvm_access_ptr", args)
    });
    pointer.map(Value::object).ok_or_else(|| p.error(call.range, "the operator is not known"))
}

/// A call of a function of the module. Its type is the one of the result that the function declares.
fn function_call(p: &mut Parser<'_>, function: &GlobalVar, call: &Call) -> Eval<Value> {
    let mut args = Vec::new();
    for argument in call.rest().to_vec() {
        args.push(prim(p, &argument)?);
    }
    call.finish(p)?;
    let info = function.struct_info.as_ref().and_then(|info| info.as_object().view().node::<FuncStructInfoNode>());
    let dtype = info.map_or(DataType::void(), |info| {
        let ret = info.ret.as_object().view();
        let prim = ret.node::<PrimStructInfoNode>().map(|info| info.dtype);
        prim.or_else(|| ret.node::<TensorStructInfoNode>().map(|info| info.dtype)).unwrap_or(DataType::void())
    });
    Ok(Value::object(tir::Call::new(dtype, RelaxExpr::from(function.clone()), args, None)))
}

//! Assignments in loop programs: new names, stores to buffers, scalars (TVM 0.25
//! python/tvm/tirx/script/parser/parser.py).

use object_core::value::Str;
use object_core::{DataType, ObjectHandle};
use object_ir::ir::{PrimExpr, PrimType};
use object_ir::tir::{Bind, Buffer, BufferLoad, BufferRegion, StringImm, Var};
use ruff_python_ast::{Expr, ExprName, ExprSubscript, StmtAnnAssign, StmtAssign, StmtAugAssign};
use ruff_text_size::{Ranged, TextRange};

use crate::parse::expr::{eval, operator};
use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::tir::access::{buffer_of, indices, store};
use crate::parse::tir::buffer::{local_scalar, only_element};
use crate::parse::tir::loops::target_names;
use crate::parse::tir::scalar::{has_one_element, int32, prim, prims, to_prim};
use crate::parse::tir::types::{dtype_of, dtype_of_path, type_of};
use crate::parse::tir::{context, views};
use crate::parse::value::Value;

/// Evaluates the value of a statement that gives it these names.
fn named(p: &mut Parser<'_>, targets: Vec<String>, value: &Expr) -> Eval<Argument> {
    p.tir.context = None;
    p.tir.targets = targets;
    let result = eval::argument(p, value);
    p.tir.targets.clear();
    result
}

/// `target = value`.
pub(crate) fn assign(p: &mut Parser<'_>, stmt: &StmtAssign) -> Eval<()> {
    let [target] = &*stmt.targets else {
        return Err(p.error(stmt.range, "expected one target, got several"));
    };
    let result = assign_to(p, target, &stmt.value);
    if result.is_err() {
        poison(p, target);
    }
    result
}

/// Marks the names of a target whose value has an error.
fn poison(p: &mut Parser<'_>, target: &Expr) {
    match target {
        Expr::Name(name) if p.names.get(name.id.as_str()).is_none() => {
            p.define(name.id.as_str(), Value::Unknown, name.range);
        }
        Expr::Tuple(tuple) => tuple.elts.iter().for_each(|target| poison(p, target)),
        _ => {}
    }
}

fn assign_to(p: &mut Parser<'_>, target: &Expr, value: &Expr) -> Eval<()> {
    match target {
        Expr::Subscript(element) => {
            let value = eval::argument(p, value)?;
            store_element(p, element, &value)
        }
        Expr::Name(name) => {
            let value_argument = named(p, vec![name.id.to_string()], value)?;
            if let Some(context) = p.tir.context.take()
                && !context::open(p, context)
            {
                return Err(p.error(value.range(), "a block needs `with`"));
            }
            assign_name(p, name, &value_argument, is_new(value))
        }
        Expr::Tuple(targets) => assign_several(p, target, &targets.elts, value),
        Expr::List(targets) => assign_several(p, target, &targets.elts, value),
        Expr::Attribute(member) => {
            // `s.buffer` stands for the buffer of a scalar.
            let target = eval::argument(p, &member.value)?;
            let value = eval::argument(p, value)?;
            match buffer_of(&target.value).filter(|buffer| has_one_element(buffer)) {
                Some(buffer) => store(p, &buffer, vec![int32(0)], &value, None),
                None => Err(target.expected(p, "a scalar")),
            }
        }
        other => Err(p.error(other.range(), "expected a name, or an element of a buffer")),
    }
}

/// Whether the value of the expression is not one that has a name.
fn is_new(value: &Expr) -> bool {
    !matches!(value, Expr::Name(_) | Expr::Attribute(_))
}

/// `A[i, j] = value`.
fn store_element(p: &mut Parser<'_>, element: &ExprSubscript, value: &Argument) -> Eval<()> {
    let target = eval::argument(p, &element.value)?;
    let index = eval::argument(p, &element.slice)?;
    let Some(buffer) = buffer_of(&target.value) else { return Err(target.expected(p, "a buffer")) };
    let indices = indices(p, &buffer, &index)?;
    store(p, &buffer, indices, value, None)
}

/// `i, j = value`, where the value may be a tuple too.
fn assign_several(p: &mut Parser<'_>, target: &Expr, targets: &[Expr], value: &Expr) -> Eval<()> {
    if let Expr::Tuple(values) = value
        && values.elts.len() == targets.len()
        && !values.elts.iter().any(Expr::is_starred_expr)
    {
        let mut result = Ok(());
        for (target, value) in targets.iter().zip(&values.elts) {
            if let Err(reported) = assign_to(p, target, value) {
                poison(p, target);
                result = Err(reported);
            }
        }
        return result;
    }
    let names = target_names(p, target)?;
    let value_argument = named(p, names.iter().map(|name| name.id.to_string()).collect(), value)?;
    let Some(items) = value_argument.value.items() else {
        return Err(value_argument.expected(p, "a tuple or a list"));
    };
    let starred = targets.iter().position(Expr::is_starred_expr);
    let is_enough = if starred.is_some() { items.len() + 1 >= names.len() } else { items.len() == names.len() };
    if !is_enough {
        let message = format!("expected {} values, got {}", names.len(), items.len());
        return Err(p.error(value.range(), message));
    }
    let extra = items.len() + 1 - names.len();
    let mut rest = &*items;
    for (index, name) in names.iter().enumerate() {
        let count = if starred == Some(index) { extra } else { 1 };
        let (own, others) = rest.split_at(count.min(rest.len()));
        rest = others;
        match (starred == Some(index), own) {
            (false, [own]) => {
                assign_name(p, name, &Argument { value: own.clone(), range: value.range() }, true)?;
            }
            _ => p.define(name.id.as_str(), Value::List(own.into()), name.range),
        }
    }
    Ok(())
}

/// Gives `name` a value. A scalar that has the name gets the value; a new name for an expression is a new scalar.
fn assign_name(p: &mut Parser<'_>, target: &ExprName, value: &Argument, is_new: bool) -> Eval<()> {
    let name = target.id.as_str();
    let scalar = p.names.get(name).and_then(scalar_buffer);
    if let Some(buffer) = scalar
        && to_prim(&value.value).is_some()
        && !(is_new && is_definition(&value.value))
    {
        p.log_use(name, target.range);
        return store(p, &buffer, vec![int32(0)], value, None);
    }
    if let Some(var) = p.names.get(name).and_then(Value::to::<Var>)
        && !(is_new && is_definition(&value.value))
        && let Some(expr) = to_prim(&value.value)
    {
        // The printer shows a further definition of a variable so. TVM does not read it.
        p.log_use(name, target.range);
        p.tir.push(Bind::new(var, expr));
        return Ok(());
    }
    let bound = match &value.value {
        Value::Unknown => return Err(p.follow_up()),
        Value::Object(object) => {
            let object = object.view();
            if let Some(region) = object.to_handle::<BufferRegion>() {
                views::slice(p, name, &region, value.range)?
            } else if let Some(var) = object.to_handle::<Var>() {
                if is_new { Value::object(var) } else { new_scalar(p, name, value)? }
            } else if object.to_handle::<StringImm>().is_some() {
                bind_text(p, name, value)?
            } else if let Some(load) = object.to_handle::<BufferLoad>().filter(|load| is_new && is_declared(p, load)) {
                Value::object(load)
            } else if object.to_handle::<PrimExpr>().is_some() {
                new_scalar(p, name, value)?
            } else {
                value.value.clone()
            }
        }
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => new_scalar(p, name, value)?,
        Value::Str(_) => bind_text(p, name, value)?,
        other => other.clone(),
    };
    p.define(name, bound, target.range);
    Ok(())
}

/// Whether a value of a new name defines the name again instead of storing a value.
fn is_definition(value: &Value) -> bool {
    value.is::<Buffer>() || value.is::<Var>()
}

/// Whether the last statement declares the buffer of the read access, as `T.alloc_scalar` does.
fn is_declared(p: &Parser<'_>, load: &BufferLoad) -> bool {
    let last = p.tir.regions.last().and_then(|region| region.stmts.last());
    let object = last.map(|stmt| stmt.as_object().view());
    let declared = object.and_then(|object| {
        object
            .node::<object_ir::tir::AllocBufferNode>()
            .map(|stmt| &stmt.buffer)
            .or_else(|| object.node::<object_ir::tir::DeclBufferNode>().map(|stmt| &stmt.buffer))
    });
    declared.is_some_and(|buffer| buffer.as_object().ptr_eq(load.buffer.as_object()))
}

/// The buffer with one element that a name stands for.
fn scalar_buffer(value: &Value) -> Option<Buffer> {
    buffer_of(value).filter(|buffer| has_one_element(buffer))
}

/// A new scalar with a first value.
fn new_scalar(p: &mut Parser<'_>, name: &str, value: &Argument) -> Eval<Value> {
    let dtype = prim(p, value)?.dtype;
    p.tir.targets = vec![name.to_owned()];
    let buffer = local_scalar(p, dtype);
    p.tir.targets.clear();
    store(p, &buffer, vec![int32(0)], value, None)?;
    Ok(only_element(&buffer))
}

/// A variable for a text.
fn bind_text(p: &mut Parser<'_>, name: &str, value: &Argument) -> Eval<Value> {
    let text = prim(p, value)?;
    let var = Var::new(text.dtype, name, PrimType::new(text.dtype));
    p.tir.push(Bind::new(var.clone(), text));
    Ok(Value::object(var))
}

/// The meaning of an annotation.
enum Annotation {
    /// `T.let`, with the type if there is one.
    Let(Option<Argument>),
    /// `T.float32[4]`.
    Vector(DataType, Argument),
    /// Another annotation: the type of a scalar.
    Scalar(Argument),
}

fn annotation(p: &mut Parser<'_>, expr: &Expr) -> Eval<Annotation> {
    if let Expr::Subscript(element) = expr {
        let callee = eval::eval(p, &element.value)?;
        if let Some(path) = callee.as_path() {
            if path == "T.let" {
                return Ok(Annotation::Let(Some(eval::argument(p, &element.slice)?)));
            }
            if let Some(dtype) = dtype_of_path(path) {
                return Ok(Annotation::Vector(dtype, eval::argument(p, &element.slice)?));
            }
        }
    }
    let value = eval::argument(p, expr)?;
    Ok(if value.value.as_path() == Some("T.let") { Annotation::Let(None) } else { Annotation::Scalar(value) })
}

/// `x: T.int32`, `x: T.int32 = value`, `x: T.let[T.int32] = value`, `x: T.float32[4]`.
pub(crate) fn annotated(p: &mut Parser<'_>, stmt: &StmtAnnAssign) -> Eval<()> {
    let Expr::Name(name) = &*stmt.target else {
        return Err(p.error(stmt.target.range(), "expected a name before the annotation"));
    };
    let result = annotated_name(p, name, stmt);
    if result.is_err() {
        p.define(name.id.as_str(), Value::Unknown, name.range);
    }
    result
}

fn annotated_name(p: &mut Parser<'_>, target: &ExprName, stmt: &StmtAnnAssign) -> Eval<()> {
    let name = target.id.as_str();
    let value = stmt.value.as_ref().map(|value| eval::argument(p, value));
    let annotation = annotation(p, &stmt.annotation);
    let value = value.transpose()?;
    match annotation? {
        Annotation::Let(ty) => {
            let Some(value) = value else { return Err(p.error(stmt.range, "`T.let` needs a value")) };
            let expr = prim(p, &value)?;
            let ty = match ty {
                Some(ty) => type_of(p, &ty)?,
                None => PrimType::new(expr.dtype).into(),
            };
            let var = Var::new(dtype_of(&ty), Str::from(name), ty);
            p.define(name, Value::object(var.clone()), target.range);
            p.tir.push(Bind::new(var, expr));
            Ok(())
        }
        Annotation::Vector(dtype, shape) => {
            if let Some(value) = value {
                return Err(p.error(value.range, "a vector with an annotation does not have a first value"));
            }
            let shape = prims(p, &shape)?;
            let made = crate::parse::tir::buffer::Declaration {
                shape,
                dtype,
                scope: Str::from("local"),
                ..Default::default()
            };
            let buffer = made.build(name, p.tir.is_s_tir);
            p.tir.push(object_ir::tir::AllocBuffer::new(buffer.clone(), object_core::Map::default()));
            p.define(name, Value::object(buffer), target.range);
            Ok(())
        }
        Annotation::Scalar(ty) => {
            let range = ty.range;
            let ty = type_of(p, &ty)?;
            scalar(p, target, dtype_of(&ty), range)?;
            match (value, p.names.get(name).and_then(scalar_buffer)) {
                (Some(value), Some(buffer)) => store(p, &buffer, vec![int32(0)], &value, None),
                _ => Ok(()),
            }
        }
    }
}

/// A new scalar of a type of numbers.
fn scalar(p: &mut Parser<'_>, target: &ExprName, dtype: DataType, range: TextRange) -> Eval<()> {
    let name = target.id.as_str();
    if dtype.is_void() || dtype == DataType::handle() {
        let hint = Some("use `T.let[T.handle]` and a value".to_owned());
        return Err(p.error_with_hint(range, format!("a scalar has a type of numbers, got `{dtype}`"), hint));
    }
    p.tir.targets = vec![name.to_owned()];
    let buffer = local_scalar(p, dtype);
    p.tir.targets.clear();
    p.define(name, only_element(&buffer), target.range);
    Ok(())
}

/// `target += value`.
pub(crate) fn augmented(p: &mut Parser<'_>, stmt: &StmtAugAssign) -> Eval<()> {
    let old = eval::argument(p, &stmt.target)?;
    let value = eval::argument(p, &stmt.value)?;
    let value = operator::binary(p, stmt.op, &old, &value, stmt.range)?;
    let value = Argument { value, range: stmt.range };
    match &*stmt.target {
        Expr::Subscript(element) => store_element(p, element, &value),
        Expr::Name(name) => assign_name(p, name, &value, true),
        other => Err(p.error(other.range(), "expected a name, or an element of a buffer")),
    }
}

//! Contexts: `with T.attr(...)`, `T.launch_thread` and so on (TVM 0.25 src/tirx/script/builder/ir.cc).

use object_core::value::Str;
use object_core::{Any, DataType, ObjectHandle, structural_equal};
use object_ir::ir::{IntImm, PrimExpr, PrimType};
use object_ir::tir::{IterVar, REDUCE_SCOPE, Var, iter_var_type, null_address};

use crate::parse::state::call::{Argument, Call};
use crate::parse::state::parser::{Builtin, Eval, Parser};
use crate::parse::state::tir_frames::{BlockFacts, Context, RegionKind};
use crate::parse::tir::block;
use crate::parse::tir::loops::from_zero;
use crate::parse::tir::region::{self, finish, open_region, wrapped};
use crate::parse::tir::scalar::{int32, prim, to_prim};
use crate::parse::value::Value;

/// The functions by name.
pub(crate) static FUNCTIONS: &[(&str, Builtin)] = &[
    ("T.attr", attr),
    ("T.hint", hint),
    ("T.launch_thread", launch_thread),
    ("T.env_thread", env_thread),
    ("T.device_entry", device_entry),
];

/// `T.attr(node, key, value)`, `T.attr({key: value})`.
fn attr(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let node = call.required(p, "node_or_dict")?.clone();
    if let Value::Dict(entries) = &node.value {
        call.finish(p)?;
        let mut contexts = Vec::new();
        for (key, value) in entries.iter() {
            let Some(key) = key.as_str() else { return Err(p.expected(node.range, "the name of an attribute", key)) };
            let value = fact(p, key, &Argument { value: value.clone(), range: node.range })?;
            let node = if p.words.has_one_scalar { Any::Int(0) } else { Any::from(int32(0)) };
            contexts.push(Context::Attr { node, key: Str::from(key), value });
        }
        p.tir.context = Some(Context::Nested(contexts));
        return Ok(Value::None);
    }
    let key = call.required(p, "attr_key")?.clone();
    let value = call.required(p, "value")?.clone();
    call.finish(p)?;
    let key = Str::from(key.str(p)?);
    let value = fact(p, &key, &value)?;
    let object = match &node.value {
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => to_prim(&node.value).map(Any::from),
        other => other.to_any(),
    };
    let Some(object) = object else { return Err(node.expected(p, "an object of the IR")) };
    p.tir.context = Some(Context::Attr { node: object, key, value });
    Ok(Value::None)
}

/// The value of the attribute `key`.
fn fact(p: &mut Parser<'_>, key: &str, value: &Argument) -> Eval<PrimExpr> {
    let value = prim(p, value)?;
    let is_number = p.words.has_reduction_number && key == REDUCE_SCOPE && structural_equal(&value, &int32(0));
    Ok(if is_number { null_address() } else { value })
}

/// `T.hint("text", key=value)`.
fn hint(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let mut entries = Vec::new();
    if let Some(message) = call.optional("message").cloned() {
        let text = message.str(p)?;
        if !text.is_empty() {
            entries.push((Str::from("message"), Any::from(Str::from(text))));
        }
    }
    for (name, argument) in call.rest_keywords() {
        let Some(value) = argument.value.to_any() else { return Err(argument.expected(p, "a value of an attribute")) };
        entries.push((Str::from(name.as_str()), value));
    }
    call.finish(p)?;
    p.tir.context = Some(region::hint(entries));
    Ok(Value::None)
}

/// A new axis of threads without extent.
fn new_thread(p: &mut Parser<'_>, tag: &str, dtype: DataType) -> Var {
    let var = Var::new(dtype, p.tir.target(0), PrimType::new(dtype));
    let axis = IterVar::new(None, var.clone(), iter_var_type::THREAD_INDEX, tag);
    p.tir.threads.insert(var.as_object().view().address(), axis);
    var
}

/// `T.env_thread("threadIdx.x")`.
fn env_thread(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let tag = call.required(p, "thread_tag")?.clone();
    let dtype = call.optional("dtype").cloned().map_or(Ok(DataType::int(32)), |it| it.dtype(p))?;
    call.finish(p)?;
    let tag = tag.str(p)?.to_owned();
    Ok(Value::object(new_thread(p, &tag, dtype)))
}

/// `T.launch_thread("threadIdx.x", n)`; the first argument may be the result of `T.env_thread`.
fn launch_thread(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    let thread = call.required(p, "thread")?.clone();
    let extent = call.required(p, "extent")?.clone();
    call.finish(p)?;
    let extent = prim(p, &extent)?;
    let var = match &thread.value {
        Value::Str(tag) => new_thread(p, tag.as_str(), extent.dtype),
        _ => thread.object(p, "the name of an axis such as \"threadIdx.x\", or the result of `T.env_thread`")?,
    };
    let address = var.as_object().view().address();
    let Some(axis) = p.tir.threads.get(&address).cloned() else {
        return Err(thread.expected(p, "the result of `T.env_thread`"));
    };
    let axis = match &axis.dom {
        Some(_) => axis,
        None => {
            let domain = from_zero(extent.clone());
            let axis = IterVar::new(Some(domain), var.clone(), axis.iter_type, axis.thread_tag.clone());
            p.tir.threads.insert(address, axis.clone());
            axis
        }
    };
    let key = if &*axis.thread_tag == "vthread" { "virtual_thread" } else { "thread_extent" };
    p.tir.context = Some(Context::Attr { node: Any::from(axis), key: Str::from(key), value: extent });
    Ok(Value::object(var))
}

/// `T.device_entry()`: the rest of the function runs on the device.
fn device_entry(p: &mut Parser<'_>, call: &Call) -> Eval<Value> {
    call.finish(p)?;
    let value: PrimExpr = IntImm::new(DataType::boolean(), 1).into();
    let context = Context::Attr { node: Any::from(int32(0)), key: Str::from("tirx.device_entry"), value };
    p.tir.context = Some(context);
    Ok(Value::None)
}

/// Adds the statement of a context around the statements `body`.
pub(crate) fn within(
    p: &mut Parser<'_>,
    context: Context,
    body: &[ruff_python_ast::Stmt],
    begin: impl FnOnce(&mut Parser<'_>),
) {
    let kind = match &context {
        Context::Block { name, has_realize } => RegionKind::Block(Box::new(BlockFacts {
            name: name.clone(),
            has_realize: *has_realize,
            ..Default::default()
        })),
        _ => RegionKind::Other,
    };
    let region = open_region(p, kind, body, begin);
    match (context, region.kind) {
        (_, RegionKind::Block(facts)) => {
            let body = finish(region.stmts, region.open);
            block::add(p, *facts, body);
        }
        (Context::Init, _) => {
            let body = finish(region.stmts, region.open);
            if let Some(block) = p.tir.block() {
                block.init = Some(body);
            }
        }
        (context @ Context::Group { .. }, _) => {
            let stmt = wrapped(&context, region.stmts);
            p.tir.push(stmt);
        }
        (context, _) => {
            let body = finish(region.stmts, region.open);
            let stmt = wrapped(&context, vec![body]);
            p.tir.push(stmt);
        }
    }
}

/// Opens a context that holds until the end of the region at hand.
pub(crate) fn open(p: &mut Parser<'_>, context: Context) -> bool {
    if matches!(context, Context::Block { .. } | Context::Init | Context::Group { .. }) {
        return false;
    }
    if let Some(region) = p.tir.regions.last_mut() {
        region.open.push((region.stmts.len(), context));
    }
    true
}

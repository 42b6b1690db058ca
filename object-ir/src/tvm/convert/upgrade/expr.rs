//! Expressions, and the choice of the conversion of an object.

use object_core::{Any, AnyView, Array, DataType, ObjectView, Result, Str, structural_equal};

use crate::tir::{CallNode, REDUCE_SCOPE, large_uint_value, null_address};
use crate::tvm::convert::converter::{empty_array, text, unsupported};
use crate::tvm::convert::names;
use crate::tvm::convert::upgrade::step::{Up, Upgrade};
use crate::tvm::convert::upgrade::types::{prim_type, type_of};
use crate::tvm::convert::upgrade::{buffers, calls, results, types};
use crate::tvm::version::TvmVersion;

/// The conversion of `object`.
pub(super) fn convert<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Any> {
    if let Some(ty) = types::convert(converter, object)? {
        return Ok(ty);
    }
    match object.type_key() {
        "relax.expr.Var" | "relax.expr.DataflowVar" => relax_var(converter, object),
        "tirx.Var" => scalar_var(converter, object),
        "tirx.Call" => scalar_call(converter, object),
        "relax.expr.Call" => calls::call(converter, object),
        "relax.expr.PrimValue" => converter.field(object, "value", ()),
        "relax.expr.Constant" => constant(converter, object, "data"),
        "relax.expr.DataTypeImm" => constant(converter, object, "value"),
        "relax.expr.StringImm" | "tirx.StringImm" => string(converter, object),
        "relax.expr.MatchCast" => match_cast(converter, object),
        "ir.Op" => converter.operator(object),
        "ir.EnvFunc" => {
            let name = names::function(TvmVersion::V0_27, text(object, "name"));
            converter.object("ir.EnvFunc", &[("name", name.into())])
        }
        "target.TargetKind" => converter.singleton("target.TargetKind", text(object, "name")),
        "tirx.Buffer" => buffers::buffer(converter, object),
        "tirx.PrimFunc" => buffers::prim_func(converter, object),
        "tirx.DeclBuffer" => buffers::declaration(converter, object),
        "tirx.Evaluate" => evaluate(converter, object),
        "tirx.AttrStmt" if text(object, "attr_key") == REDUCE_SCOPE => reduction(converter, object),
        // Types that a value has without structural information; TVM 0.27 has structural information with these keys.
        "relax.ShapeType" | "relax.PackedFuncType" => Err(unsupported::<Upgrade<'_>>(object)),
        _ => converter.by_fields(object),
    }
}

/// A variable of Relax. A variable whose value is a dimension that it defines is the dimension.
fn relax_var<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Any> {
    let defined = converter.step.facts.defined_var(object);
    if !defined.ptr_eq(object) {
        return converter.get(AnyView::Object(defined), ());
    }
    if let Some(dimension) = converter.step.facts.dimensions.get(&object.address()).copied() {
        return converter.get(AnyView::Object(dimension), ());
    }
    let id = object.get("vid").and_then(AnyView::as_object);
    let name = id.and_then(|id| id.get("name_hint")).unwrap_or_default().to_any();
    let key = if object.type_key() == "relax.expr.Var" { "ir.Var" } else { "relax.expr.DataflowVar" };
    let fields = [("span", converter.field(object, "span", ())?), ("ty", type_of(converter, object)?), ("name", name)];
    converter.object(key, &fields)
}

/// A scalar variable. The variable with the address of a buffer is an expression in TVM 0.27.
fn scalar_var<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Any> {
    if let Some(buffer) = converter.step.facts.buffers.get(&object.address()).copied() {
        return buffers::address(converter, buffer, object);
    }
    let fields = [
        ("span", converter.field(object, "span", ())?),
        ("ty", converter.field(object, "type_annotation", ())?),
        ("name", converter.field(object, "name", ())?),
    ];
    converter.object("ir.Var", &fields)
}

/// A call of an intrinsic or a function of loop programs. Operations on bits are expressions in TVM 0.27.
fn scalar_call<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Any> {
    let op = object.get("op").and_then(AnyView::as_object);
    let name = op.filter(|op| op.type_key() == "ir.Op").map_or("", |op| text(op, "name"));
    if let Some(value) = object.node::<CallNode>().and_then(large_uint_value) {
        return large_uint(converter, value);
    }
    let args = converter.field(object, "args", ())?;
    let ty = match results::call_type(converter, object, name, &args)? {
        Some(ty) => ty,
        None => type_of(converter, object)?,
    };
    if let Some(key) = names::bit_operation(name) {
        let args: Array<Any> = args.cast()?;
        let operands = ["a", "b"].into_iter().zip(args.iter());
        return converter.object(key, &operands.chain([("ty", ty)]).collect::<Vec<_>>());
    }
    let fields = [
        ("span", converter.field(object, "span", ())?),
        ("ty", ty),
        ("op", converter.field(object, "op", ())?),
        ("args", args),
        ("attrs", converter.field(object, "attrs", ())?),
        ("ty_args", empty_array()),
    ];
    converter.object("ir.Call", &fields)
}

/// A constant of type `uint64`. TVM 0.27 has no call for large ones.
fn large_uint(converter: &mut Up<'_>, value: u64) -> Result<Any> {
    let ty = prim_type(converter, DataType::uint(64))?;
    let value = match i64::try_from(value) {
        Ok(value) => value.into(),
        Err(_) => converter.object("ffi.BigInt", &[("value", Str::from(value.to_string()).into())])?,
    };
    converter.object("ir.IntImm", &[("ty", ty), ("value", value)])
}

/// A constant of Relax with the value in the field `field`.
fn constant<'a>(converter: &mut Up<'a>, object: ObjectView<'a>, field: &str) -> Result<Any> {
    let fields = [
        ("span", converter.field(object, "span", ())?),
        ("ty", type_of(converter, object)?),
        ("value", converter.field(object, field, ())?),
    ];
    converter.object("ir.GenericConst", &fields)
}

/// A text as an expression.
fn string<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Any> {
    let ty = converter.object("ir.StringType", &[])?;
    let fields = [("span", converter.field(object, "span", ())?), ("ty", ty), ("value", text(object, "value").into())];
    converter.object("ir.StringImm", &fields)
}

/// A binding that states the structural information of its value. For a dimension, it is a binding of the dimension.
fn match_cast<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Any> {
    let var = object.get("var").and_then(AnyView::as_object);
    if !var.is_some_and(|var| converter.step.facts.dimensions.contains_key(&var.address())) {
        return converter.by_fields(object);
    }
    let fields = [
        ("span", converter.field(object, "span", ())?),
        ("var", converter.field(object, "var", ())?),
        ("value", converter.field(object, "value", ())?),
    ];
    converter.object("relax.expr.VarBinding", &fields)
}

/// A statement that evaluates an expression. A call that ends the function with a value is a statement of its own.
fn evaluate<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Any> {
    let value = object.get("value").and_then(AnyView::as_object);
    let op = value.and_then(|value| value.get("op")).and_then(AnyView::as_object);
    let Some(call) = value.filter(|_| op.is_some_and(|op| text(op, "name") == "tirx.ret")) else {
        return converter.by_fields(object);
    };
    let args = call.get("args").and_then(AnyView::as_object).and_then(ObjectView::as_array);
    let result = args.and_then(|args| args.get(0)).unwrap_or_default();
    let fields = [("span", converter.field(object, "span", ())?), ("value", converter.get(result, ())?)];
    converter.object("tirx.Return", &fields)
}

/// The statement of a reduction over threads. Its value, which has no meaning, is a null address in TVM 0.25.
fn reduction<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Any> {
    if !object.get("value").is_some_and(|value| structural_equal(&value, &null_address())) {
        return converter.by_fields(object);
    }
    let ty = prim_type(converter, DataType::int(32))?;
    let zero = converter.object("ir.IntImm", &[("ty", ty), ("value", 0.into())])?;
    converter.by_fields_with(object, vec![("value", zero)])
}

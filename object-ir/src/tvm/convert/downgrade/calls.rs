//! Calls of loop programs with scalar arguments. They are the last fields of the tuple of tensors in TVM 0.27. In TVM 0.25, they
//! are so too if the program takes outputs after them, and a shape after the tuple if they are its last parameters.

use std::ops::Range;

use object_core::{Any, AnyView, Array, AsAnyView, DataType, ObjectView, Result, Str};

use crate::ir::{PrimExpr, ShapeExpr};
use crate::tvm::convert::converter::items;
use crate::tvm::convert::downgrade::form::Form;
use crate::tvm::convert::downgrade::scalar_type::dtype_of;
use crate::tvm::convert::downgrade::step::Down;
use crate::tvm::convert::downgrade::types::prim_value;
use crate::tvm::convert::names::{self, AFFINE_GRID};
use crate::tvm::convert::scalar_order::MOVED_SCALARS;

/// A call in Relax.
pub(super) fn call<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let args: Vec<_> = items(object, "args").filter_map(AnyView::as_object).collect();
    let op = object.get("op").and_then(AnyView::as_object);
    let attrs = object.get("attrs").and_then(AnyView::as_object).filter(|attrs| attrs.type_key() == AFFINE_GRID.1);
    if attrs.and_then(|attrs| attrs.get(AFFINE_GRID.2)).is_some_and(|value| matches!(value, AnyView::Bool(true))) {
        return converter.by_fields_with(object, vec![("attrs", Any::None)]);
    }
    let [function, tuple] = args[..] else { return converter.by_fields(object) };
    let fields: Vec<_> = items(tuple, "fields").filter_map(AnyView::as_object).collect();
    if tuple.type_key() != "ir.Tuple" || !op.is_some_and(names::calls_loop_program) {
        return converter.by_fields(object);
    }
    if let Some(scalars) = moved_scalars(converter, function) {
        return call_with_scalars(converter, object, &fields, scalars);
    }
    let tensors = fields.len() - fields.iter().rev().take_while(|field| is_dimension(**field)).count();
    if tensors == fields.len() || has_outputs_last(function) {
        return converter.by_fields(object);
    }
    let mut values: Vec<PrimExpr> = Vec::new();
    for field in &fields[tensors..] {
        values.push(converter.get(AnyView::Object(*field), Form::Scalar)?.cast()?);
    }
    let function = converter.get(AnyView::Object(function), Form::Relax)?;
    let tensors = fields[..tensors].iter().map(|tensor| converter.get(AnyView::Object(*tensor), Form::Relax));
    let tensors = tensors.collect::<Result<Vec<_>>>()?;
    let tuple = tuple_of(converter, tuple, tensors)?;
    let shape = ShapeExpr::of_values(Array::from(values)).into();
    let args = Array::<Any>::from_anys(vec![function, tuple, shape]);
    converter.by_fields_with(object, vec![("args", args.into())])
}

/// Whether the function is known to have another last parameter than a scalar.
fn has_outputs_last(function: ObjectView<'_>) -> bool {
    let ty = function.get("ty").and_then(AnyView::as_object);
    let last = ty.and_then(|ty| items(ty, "params").last()).and_then(AnyView::as_object);
    last.is_some_and(|param| param.type_key() != "ir.PrimType")
}

/// Whether the argument is an integer of 64 bits, which a shape can hold.
fn is_dimension(argument: ObjectView<'_>) -> bool {
    let ty = argument.get("ty").and_then(AnyView::as_object);
    ty.is_some_and(|ty| ty.type_key() == "ir.PrimType" && dtype_of(AnyView::Object(ty)) == DataType::int(64))
}

/// The arguments of the function that are scalars, if an upgrade moved them before its outputs.
fn moved_scalars(converter: &Down<'_>, function: ObjectView<'_>) -> Option<Range<usize>> {
    let ty = function.get("ty").and_then(AnyView::as_object)?;
    let program = converter.step.facts.functions.get(&ty.address())?;
    let attrs = program.get("attrs").and_then(AnyView::as_object)?;
    let attrs = attrs.get("__dict__").and_then(AnyView::as_object).and_then(ObjectView::as_map)?;
    let mut numbers = attrs.get(Str::from(MOVED_SCALARS).as_any_view())?.as_object()?.as_array()?.iter();
    let mut number = || usize::try_from(numbers.next()?.cast::<i64>().ok()?).ok();
    let (inputs, scalars) = (number()?, number()?);
    Some(inputs..inputs.saturating_add(scalars))
}

/// A call with such arguments: they are scalar expressions, which the last part of the downgrade puts into a shape.
fn call_with_scalars<'a>(
    converter: &mut Down<'a>,
    object: ObjectView<'a>,
    fields: &[ObjectView<'a>],
    scalars: Range<usize>,
) -> Result<Any> {
    let mut args = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        args.push(match scalars.contains(&index) {
            true => prim_value(converter, *field)?,
            false => converter.get(AnyView::Object(*field), Form::Relax)?,
        });
    }
    let mut call = items(object, "args");
    let function = converter.get(call.next().unwrap_or_default(), Form::Relax)?;
    let tuple = call.next().and_then(AnyView::as_object).map(|tuple| tuple_of(converter, tuple, args)).transpose()?;
    let args = Array::<Any>::from_anys(vec![function, tuple.unwrap_or_default()]);
    converter.by_fields_with(object, vec![("args", args.into())])
}

/// The tuple of these fields, in the place of `tuple`.
fn tuple_of<'a>(converter: &mut Down<'a>, tuple: ObjectView<'a>, fields: Vec<Any>) -> Result<Any> {
    let info =
        |field: &Any| field.view().as_object().and_then(|field| field.get("struct_info_")).unwrap_or_default().to_any();
    let infos: Vec<Any> = fields.iter().map(info).collect();
    let is_known = infos.iter().all(|info| !matches!(info, Any::None));
    let info = match is_known {
        true => converter.object("relax.TupleStructInfo", &[("fields", Array::<Any>::from_anys(infos).into())])?,
        false => Any::None,
    };
    let span = converter.field(tuple, "span", Form::Own)?;
    let fields = Array::<Any>::from_anys(fields).into();
    converter.object("relax.expr.Tuple", &[("span", span), ("struct_info_", info), ("fields", fields)])
}

//! Calls of loop programs with scalar arguments. They are the last fields of the tuple of tensors in TVM 0.27. In TVM 0.25, they
//! are so too if the program takes outputs after them, and a shape after the tuple if they are its last parameters.

use object_core::{Any, AnyView, Array, AsAnyView, DataType, ObjectView, Result};

use crate::ir::{PrimExpr, ShapeExpr};
use crate::tvm::convert::converter::items;
use crate::tvm::convert::downgrade::form::Form;
use crate::tvm::convert::downgrade::scalar_type::dtype_of;
use crate::tvm::convert::downgrade::step::Down;
use crate::tvm::convert::names;

/// A call in Relax.
pub(super) fn call<'a>(converter: &mut Down<'a>, object: ObjectView<'a>) -> Result<Any> {
    let args: Vec<_> = items(object, "args").filter_map(AnyView::as_object).collect();
    let op = object.get("op").and_then(AnyView::as_object);
    let [function, tuple] = args[..] else { return converter.by_fields(object) };
    let fields: Vec<_> = items(tuple, "fields").filter_map(AnyView::as_object).collect();
    let tensors = fields.len() - fields.iter().rev().take_while(|field| is_dimension(**field)).count();
    if tensors == fields.len()
        || tuple.type_key() != "ir.Tuple"
        || !op.is_some_and(names::calls_loop_program)
        || has_outputs_last(function)
    {
        return converter.by_fields(object);
    }
    let mut values: Vec<PrimExpr> = Vec::new();
    for field in &fields[tensors..] {
        values.push(converter.get(AnyView::Object(*field), Form::Scalar)?.cast()?);
    }
    let function = converter.get(AnyView::Object(function), Form::Relax)?;
    let tuple = tensors_of(converter, tuple, &fields[..tensors])?;
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

/// The tuple of the first fields of `tuple`.
fn tensors_of<'a>(converter: &mut Down<'a>, tuple: ObjectView<'a>, tensors: &[ObjectView<'a>]) -> Result<Any> {
    let (mut fields, mut infos) = (Vec::new(), Vec::new());
    for tensor in tensors {
        let field = converter.get(AnyView::Object(*tensor), Form::Relax)?;
        let info = field.as_any_view().as_object().and_then(|field| field.get("struct_info_"));
        infos.push(info.unwrap_or_default().to_any());
        fields.push(field);
    }
    let is_known = infos.iter().all(|info| !matches!(info, Any::None));
    let info = match is_known {
        true => converter.object("relax.TupleStructInfo", &[("fields", Array::<Any>::from_anys(infos).into())])?,
        false => Any::None,
    };
    let span = converter.field(tuple, "span", Form::Own)?;
    let fields = Array::<Any>::from_anys(fields).into();
    converter.object("relax.expr.Tuple", &[("span", span), ("struct_info_", info), ("fields", fields)])
}

//! The step from TVM 0.25 to TVM 0.27.
//!
//! Each object has one conversion, but what it becomes may depend on the graph (`facts.rs`): the variable of an address on the
//! buffer that it belongs to, and a variable of Relax on whether it is a dimension.

mod buffers;
mod calls;
mod expr;
mod facts;
mod results;
mod scalar_values;
mod step;
mod types;

pub(super) use scalar_values::check as check_scalar_values;

use object_core::object::FieldInfo;
use object_core::{Any, AnyView, DataType, ObjectView, Result};

use crate::tvm::convert::converter::{Converter, FieldValue, Rules};
use crate::tvm::convert::upgrade::facts::Facts;
use crate::tvm::convert::upgrade::step::{Up, Upgrade};

/// The value of TVM 0.27 with the meaning of `value`, a value of TVM 0.25.
///
/// # Errors
/// As [`Converter::run`].
pub(super) fn run(value: &Any) -> Result<Any> {
    let Some(root) = value.view().as_object() else { return Ok(value.clone()) };
    let rules = Rules { convert: |converter, object, ()| expr::convert(converter, object), field_value };
    Ok(Converter::run(Upgrade { facts: Facts::of(root) }, rules, root, ())?.0)
}

/// The function for the value of a field of TVM 0.27 whose source has another form.
fn field_value<'a>(
    field: &'static FieldInfo,
    source: Option<&'static FieldInfo>,
) -> Option<FieldValue<'a, Upgrade<'a>>> {
    let schema = field.schema();
    match (source, field.name()) {
        (None, "ty") => Some(|converter, object, _, _| types::type_of(converter, object).map(Some)),
        (Some(_), _) if schema.name == "Optional" || schema.name == "ir.PrimType" => Some(data_type),
        _ => None,
    }
}

/// The value of a field that may hold a data type in TVM 0.25. TVM 0.27 has types of scalars in some fields, and no value for void
/// in others.
fn data_type<'a>(
    converter: &mut Up<'a>,
    _: ObjectView<'a>,
    field: &'static FieldInfo,
    source: Option<AnyView<'a>>,
) -> Result<Option<Any>> {
    let Some(AnyView::DataType(dtype)) = source else { return Ok(None) };
    let schema = field.schema();
    let is_optional = schema.name == "Optional";
    let name = schema.args.first().filter(|_| is_optional).map_or(schema.name, |inner| inner.name);
    Ok(match name {
        _ if is_optional && dtype == DataType::void() => Some(Any::None),
        "ir.PrimType" => Some(types::prim_type(converter, dtype)?),
        _ => None,
    })
}

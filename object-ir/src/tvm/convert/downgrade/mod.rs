//! The step from TVM 0.27 to TVM 0.25.
//!
//! TVM 0.27 has one kind of expression and one kind of type where TVM 0.25 has expressions of Relax and scalar expressions,
//! structural information and types. So the field that holds an object selects its form (`form.rs`), and an object can have
//! several. Variables, calls, constants and buffers have functions of their own.

mod buffers;
mod calls;
mod expr;
mod facts;
mod form;
mod scalar_type;
mod step;
mod types;

use std::collections::HashSet;

use object_core::object::{FieldInfo, FieldRole};
use object_core::{Any, AnyView, DataType, ObjectView, Result};

use crate::tvm::convert::converter::{Converter, Rules, empty_array};
use crate::tvm::convert::downgrade::facts::Facts;
use crate::tvm::convert::downgrade::form::Form;
use crate::tvm::convert::downgrade::scalar_type::dtype_of;
use crate::tvm::convert::downgrade::step::{Down, Downgrade};

/// The value of TVM 0.25 with the meaning of `value`, a value of TVM 0.27.
///
/// # Errors
/// As [`Converter::run`].
pub(super) fn run(value: &Any) -> Result<Any> {
    let Some(root) = value.view().as_object() else { return Ok(value.clone()) };
    let (mut facts, mut dims) = (Facts::of(root), HashSet::new());
    loop {
        let step = Downgrade { facts, dims: dims.clone(), used_dims: HashSet::new() };
        let rules = Rules { convert: expr::convert, field_value };
        let (result, step) = Converter::run(step, rules, root, Form::Own)?;
        if step.used_dims.is_subset(&dims) {
            return Ok(result);
        }
        dims.extend(step.used_dims);
        facts = step.facts;
    }
}

/// The value of a field of TVM 0.25 whose source has another form.
fn field_value<'a>(
    converter: &mut Down<'a>,
    object: ObjectView<'a>,
    field: &'static FieldInfo,
    source: Option<AnyView<'a>>,
) -> Result<Option<Any>> {
    Ok(match (source, field.name()) {
        (None, "struct_info_") => Some(converter.field(object, "ty", Form::StructInfo)?),
        (None, "dtype") => Some(dtype_of(object.get("ty").unwrap_or_default()).into()),
        // TVM 0.25 makes these attributes with an empty list.
        (None, "axis_separators" | "input_axis_separators") => Some(empty_array()),
        // TVM 0.25 compares the places of statements, and its parser leaves them out.
        (Some(_), "span") if field.meta().role != FieldRole::Ignore => Some(Any::None),
        (Some(AnyView::DataType(dtype)), _) => Some(dtype.into()),
        (Some(value), _) if field.is_of::<DataType>() => Some(dtype_of(value).into()),
        _ => None,
    })
}

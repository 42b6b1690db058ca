//! The step from TVM 0.27 to TVM 0.25.
//!
//! TVM 0.27 has one kind of expression and one kind of type where TVM 0.25 has expressions of Relax and scalar expressions,
//! structural information and types. So the field that holds an object selects its form (`form.rs`), and an object can have
//! several. Variables, calls, constants and buffers have functions of their own.

mod buffers;
mod calls;
mod class;
mod expr;
mod facts;
mod form;
mod scalar_type;
mod step;
mod types;

use object_core::object::{FieldInfo, FieldRole};
use object_core::table::{Set, Table};
use object_core::{Any, AnyView, DataType, Result};

use crate::tvm::convert::converter::{Converter, FieldValue, Rules, empty_array};
use crate::tvm::convert::downgrade::facts::Facts;
use crate::tvm::convert::downgrade::form::Form;
use crate::tvm::convert::downgrade::scalar_type::dtype_of;
use crate::tvm::convert::downgrade::step::Downgrade;
use crate::tvm::convert::scalar_order::scalars_after_outputs;

/// The value of TVM 0.25 with the meaning of `value`, a value of TVM 0.27.
///
/// # Errors
/// As [`Converter::run`] and [`scalars_after_outputs`].
pub(super) fn run(value: &Any) -> Result<Any> {
    let Some(root) = value.view().as_object() else { return Ok(value.clone()) };
    let (mut facts, mut dims) = (Facts::of(root), Set::default());
    loop {
        let step = Downgrade { facts, dims: dims.clone(), used_dims: Set::default(), classes: Table::default() };
        let rules = Rules { convert: expr::convert, field_value };
        let (result, step) = Converter::run(step, rules, root, Form::Own)?;
        if step.used_dims.is_subset(&dims) {
            return if step.facts.has_moved_scalars { scalars_after_outputs(&result) } else { Ok(result) };
        }
        dims.extend(step.used_dims);
        facts = step.facts;
    }
}

/// The function for the value of a field of TVM 0.25 whose source has another form.
fn field_value<'a>(
    field: &'static FieldInfo,
    source: Option<&'static FieldInfo>,
) -> Option<FieldValue<'a, Downgrade<'a>>> {
    Some(match (source, field.name()) {
        (None, "struct_info_") => |converter, object, _, _| converter.field(object, "ty", Form::StructInfo).map(Some),
        (None, "dtype") => |_, object, _, _| Ok(Some(dtype_of(object.get("ty").unwrap_or_default()).into())),
        // TVM 0.25 makes these attributes with an empty list.
        (None, "axis_separators" | "input_axis_separators") => |_, _, _, _| Ok(Some(empty_array())),
        // TVM 0.25 compares the places of statements, and its parser leaves them out.
        (Some(_), "span") if field.meta().role != FieldRole::Ignore => |_, _, _, _| Ok(Some(Any::None)),
        (Some(_), _) if field.is_of::<DataType>() => |_, _, _, source| {
            Ok(source.map(|source| match source {
                AnyView::DataType(dtype) => dtype.into(),
                ty => dtype_of(ty).into(),
            }))
        },
        _ => return None,
    })
}

//! The step from TVM 0.25 to TVM 0.27.
//!
//! Each object has one conversion, but what it becomes may depend on the graph (`facts.rs`): the variable of an address on the
//! buffer that it belongs to, and a variable of Relax on whether it is a dimension.

mod buffers;
mod calls;
mod expr;
mod facts;
mod types;

use object_core::object::FieldInfo;
use object_core::registry::Types;
use object_core::{Any, AnyView, DataType, ObjectView, Result};

use crate::tvm::convert::converter::{Converter, Step};
use crate::tvm::convert::upgrade::facts::Facts;
use crate::tvm::version::TvmVersion;

/// The value of TVM 0.27 with the meaning of `value`, a value of TVM 0.25.
///
/// # Errors
/// As [`Converter::run`].
pub(super) fn run(value: &Any) -> Result<Any> {
    let Some(root) = value.view().as_object() else { return Ok(value.clone()) };
    Ok(Converter::run(Upgrade { facts: Facts::of(root) }, root, ())?.0)
}

/// The step, with what it knows about the graph.
struct Upgrade<'a> {
    facts: Facts<'a>,
}

type Up<'a> = Converter<'a, Upgrade<'a>>;

impl<'a> Step<'a> for Upgrade<'a> {
    const FROM: TvmVersion = TvmVersion::V0_25;
    const TO: TvmVersion = TvmVersion::V0_27;
    type Form = ();

    fn convert(converter: &mut Up<'a>, object: ObjectView<'a>, (): ()) -> Result<Any> {
        expr::convert(converter, object)
    }

    fn form_of(_: &FieldInfo, _: &Types) -> Result<()> {
        Ok(())
    }

    fn field_value(
        converter: &mut Up<'a>,
        object: ObjectView<'a>,
        field: &'static FieldInfo,
        source: Option<AnyView<'a>>,
    ) -> Result<Option<Any>> {
        Ok(match (source, field.name()) {
            (None, "ty") => Some(types::type_of(converter, object)?),
            (Some(AnyView::DataType(dtype)), _) => data_type(converter, field, dtype)?,
            _ => None,
        })
    }
}

/// The value of a field that holds a data type in TVM 0.25. TVM 0.27 has types of scalars in some fields, and no value for void
/// in others.
fn data_type<'a>(converter: &Up<'a>, field: &FieldInfo, dtype: DataType) -> Result<Option<Any>> {
    let schema = field.schema();
    let is_optional = schema.name == "Optional";
    let name = schema.args.first().filter(|_| is_optional).map_or(schema.name, |inner| inner.name);
    Ok(match name {
        _ if is_optional && dtype == DataType::void() => Some(Any::None),
        "ir.PrimType" => Some(types::prim_type(converter, dtype)?),
        _ => None,
    })
}

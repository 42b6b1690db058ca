//! [`Form`]: the kind of object of TVM 0.25 that a field holds, where TVM 0.27 has one kind for several.

use object_core::Result;
use object_core::object::{FieldInfo, TypeSchema};
use object_core::registry::Types;

/// The kind of object that a field of TVM 0.25 holds. TVM 0.27 has one kind of expression, and one kind of type, so an object
/// can have several forms: a constant is an operand of scalar arithmetic, and an argument of a call in Relax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// An expression of Relax.
    Relax,
    /// A scalar expression.
    Scalar,
    /// The structural information of a value of Relax.
    StructInfo,
    /// The type of a scalar or an address.
    Type,
    /// A buffer; TVM 0.27 has variables whose type is a type of buffers.
    Buffer,
    /// The one that the object determines.
    Own,
}

/// The types whose descendants have a form.
const BASES: [(&str, Form); 5] = [
    ("ir.RelaxExpr", Form::Relax),
    ("ir.PrimExpr", Form::Scalar),
    ("ir.StructInfo", Form::StructInfo),
    ("ir.Type", Form::Type),
    ("tirx.Buffer", Form::Buffer),
];

impl Form {
    /// The form of the objects that `field`, a field of TVM 0.25, holds itself or in a container.
    ///
    /// # Errors
    /// The errors of the registry.
    pub(super) fn of_field(field: &FieldInfo, types: &Types) -> Result<Form> {
        Form::of_schema(&field.schema(), types)
    }

    fn of_schema(schema: &TypeSchema, types: &Types) -> Result<Form> {
        for arg in &schema.args {
            let form = Form::of_schema(arg, types)?;
            if form != Form::Own {
                return Ok(form);
            }
        }
        if !schema.args.is_empty() || !types.has(schema.name)? {
            return Ok(Form::Own);
        }
        let info = types.get(schema.name)?;
        for (base, form) in BASES {
            if info.is_or_extends(types.get(base)?) {
                return Ok(form);
            }
        }
        Ok(Form::Own)
    }
}

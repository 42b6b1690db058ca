//! Calls of loop programs with scalar arguments. They are a shape after the tuple of tensors in TVM 0.25, and the last fields of
//! the tuple in TVM 0.27.

use object_core::{Any, AnyView, Array, AsAnyView, DataType, ObjectView, Result};

use crate::tvm::convert::converter::{empty_array, items, text};
use crate::tvm::convert::names::{self, AFFINE_GRID};
use crate::tvm::convert::upgrade::step::Up;
use crate::tvm::convert::upgrade::types::prim_type;

/// A call in Relax.
pub(super) fn call<'a>(converter: &mut Up<'a>, object: ObjectView<'a>) -> Result<Any> {
    let args: Vec<_> = items(object, "args").filter_map(AnyView::as_object).collect();
    let op = object.get("op").and_then(AnyView::as_object);
    match args[..] {
        [function, tuple, shape]
            if op.is_some_and(names::calls_loop_program)
                && tuple.type_key() == "relax.expr.Tuple"
                && shape.type_key() == "relax.expr.ShapeExpr" =>
        {
            let function = converter.get(AnyView::Object(function), ())?;
            let args = Array::<Any>::from_anys(vec![function, arguments(converter, tuple, shape)?]);
            converter.by_fields_with(object, vec![("args", args.into())])
        }
        _ if op.is_some_and(|op| text(op, "name") == AFFINE_GRID.0)
            && matches!(object.get("attrs"), Some(AnyView::None)) =>
        {
            let attrs = converter.object(AFFINE_GRID.1, &[(AFFINE_GRID.2, true.into())])?;
            converter.by_fields_with(object, vec![("attrs", attrs)])
        }
        _ => converter.by_fields(object),
    }
}

/// The tuple of the tensors in `tuple` and the scalars in `shape`.
fn arguments<'a>(converter: &mut Up<'a>, tuple: ObjectView<'a>, shape: ObjectView<'a>) -> Result<Any> {
    let (mut fields, mut types) = (Vec::new(), Vec::new());
    for field in items(tuple, "fields") {
        let field = converter.get(field, ())?;
        types.push(field.as_any_view().as_object().and_then(|field| field.get("ty")).unwrap_or_default().to_any());
        fields.push(field);
    }
    for value in items(shape, "values") {
        fields.push(converter.get(value, ())?);
        types.push(prim_type(converter, DataType::int(64))?);
    }
    let ty = converter.object("ir.TupleType", &[("fields", Array::<Any>::from_anys(types).into())])?;
    let span = converter.field(tuple, "span", ())?;
    let fields = Array::<Any>::from_anys(fields).into();
    converter.object("ir.Tuple", &[("span", span), ("ty", ty), ("fields", fields)])
}

/// A call of the operator `name` of TVM 0.27.
pub(super) fn operator_call(converter: &Up<'_>, name: &str, args: Vec<Any>, ty: Any) -> Result<Any> {
    let op = converter.singleton("ir.Op", name)?;
    let args = Array::<Any>::from_anys(args).into();
    converter.object("ir.Call", &[("ty", ty), ("op", op), ("args", args), ("ty_args", empty_array())])
}

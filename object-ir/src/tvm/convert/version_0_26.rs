//! The steps between TVM 0.26 and TVM 0.27. Beside names (`names.rs`), they differ in operations on bits, constants and texts.
//!
//! TVM 0.26 has two types of texts, one for loop programs and one for Relax, so the object that holds a text selects its [`Form`].

use object_core::object::FieldInfo;
use object_core::registry::Types;
use object_core::{Any, AnyView, Array, DataType, Error, ErrorKind, Map, ObjectView, Result};

use crate::tvm::convert::converter::{Converter, FieldValue, Rules, Step, empty_array, text, unsupported};
use crate::tvm::convert::names;
use crate::tvm::version::TvmVersion;

/// The step from TVM 0.26 to TVM 0.27.
struct Upgrade;

/// The step from TVM 0.27 to TVM 0.26.
struct Downgrade;

/// The form of the texts of TVM 0.26 that an object of TVM 0.27 holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    /// A text of Relax, or an object other than a text.
    Relax,
    /// A text of loop programs.
    Loops,
}

impl Step<'_> for Upgrade {
    const FROM: TvmVersion = TvmVersion::V0_26;
    const TO: TvmVersion = TvmVersion::V0_27;
    type Form = Form;

    fn form_of(_: &FieldInfo, _: &Types) -> Result<Form> {
        Ok(Form::Relax)
    }
}

impl Step<'_> for Downgrade {
    const FROM: TvmVersion = TvmVersion::V0_27;
    const TO: TvmVersion = TvmVersion::V0_26;
    type Form = Form;

    fn form_of(_: &FieldInfo, _: &Types) -> Result<Form> {
        Ok(Form::Relax)
    }
}

/// The value of TVM 0.27 with the meaning of `value`, a value of TVM 0.26.
///
/// # Errors
/// As [`Converter::run`].
pub(super) fn upgrade(value: &Any) -> Result<Any> {
    let Some(root) = value.view().as_object() else { return Ok(value.clone()) };
    let rules = Rules { convert: |converter, object, _| upgraded(converter, object), field_value: |_, _| None };
    Ok(Converter::run(Upgrade, rules, root, Form::Relax)?.0)
}

/// The value of TVM 0.26 with the meaning of `value`, a value of TVM 0.27.
///
/// # Errors
/// As [`Converter::run`].
pub(super) fn downgrade(value: &Any) -> Result<Any> {
    let Some(root) = value.view().as_object() else { return Ok(value.clone()) };
    let rules = Rules { convert: downgraded, field_value: |_, source| source.map(|_| text_value as FieldValue<'_, _>) };
    Ok(Converter::run(Downgrade, rules, root, Form::Relax)?.0)
}

fn upgraded<'a>(converter: &mut Converter<'a, Upgrade>, object: ObjectView<'a>) -> Result<Any> {
    match object.type_key() {
        "ir.Call" => match names::bit_operation(operator_name(object)) {
            Some(key) => {
                let args: Array<Any> = converter.field(object, "args", Form::Relax)?.cast()?;
                let operands = ["a", "b"].into_iter().zip(args.iter());
                let rest = with_type(converter, object)?;
                converter.object(key, &operands.chain(rest).collect::<Vec<_>>())
            }
            None => converter.by_fields(object),
        },
        "ir.Op" => converter.operator(object),
        "relax.expr.Constant" => constant(converter, object, "ir.GenericConst", ("data", "value")),
        "relax.expr.DataTypeImm" => constant(converter, object, "ir.GenericConst", ("value", "value")),
        "relax.expr.StringImm" | "tirx.StringImm" => {
            let ty = converter.object("ir.StringType", &[])?;
            let fields = [
                ("span", converter.field(object, "span", Form::Relax)?),
                ("ty", ty),
                ("value", text(object, "value").into()),
            ];
            converter.object("ir.StringImm", &fields)
        }
        "target.TargetKind" => converter.singleton("target.TargetKind", text(object, "name")),
        "tirx.BufferRegion" => {
            let ty = converter.object("tirx.BufferRegionType", &[])?;
            converter.by_fields_with(object, vec![("ty", ty)])
        }
        _ => converter.by_fields(object),
    }
}

fn downgraded<'a>(converter: &mut Converter<'a, Downgrade>, object: ObjectView<'a>, form: Form) -> Result<Any> {
    let key = object.type_key();
    if let Some(operator) = names::bit_operator(key) {
        let operands = object.fields().filter(|(field, _)| matches!(field.name(), "a" | "b"));
        let operands = operands.map(|(_, operand)| converter.get(operand, Form::Relax)).collect::<Result<Vec<_>>>()?;
        let op = converter.singleton("ir.Op", operator)?;
        let call = [("op", op), ("args", Array::<Any>::from_anys(operands).into()), ("ty_args", empty_array())];
        let rest = with_type(converter, object)?;
        return converter.object("ir.Call", &call.into_iter().chain(rest).collect::<Vec<_>>());
    }
    match key {
        "ir.Op" => converter.operator(object),
        "ir.GenericConst" => match object.get("value").unwrap_or_default() {
            AnyView::DataType(_) => constant(converter, object, "relax.expr.DataTypeImm", ("value", "value")),
            AnyView::Object(tensor) if tensor.type_key() == "ffi.Tensor" => {
                constant(converter, object, "relax.expr.Constant", ("value", "data"))
            }
            _ => Err(unsupported::<Downgrade>(object)),
        },
        "ir.StringImm" => {
            let (key, ty) = match form {
                Form::Relax => ("relax.expr.StringImm", converter.object("relax.AnyType", &[])?),
                Form::Loops => {
                    ("tirx.StringImm", converter.object("ir.PrimType", &[("dtype", DataType::void().into())])?)
                }
            };
            let span = converter.field(object, "span", Form::Relax)?;
            converter.object(key, &[("span", span), ("ty", ty), ("value", text(object, "value").into())])
        }
        "target.TargetKind" => converter.singleton("target.TargetKind", text(object, "name")),
        "tirx.AttrStmt" if has_address(object) => {
            let message = "TVM 0.26 has no addresses as values of attributes of statements";
            Err(Error::new(ErrorKind::TypeMismatch, message))
        }
        "ir.TensorRegion" => {
            let ty = converter.object("ir.Type", &[])?;
            converter.by_fields_with(object, vec![("ty", ty)])
        }
        _ => converter.by_fields(object),
    }
}

/// Whether the value of the attribute is an address.
fn has_address(attribute: ObjectView<'_>) -> bool {
    let value = attribute.get("value").and_then(AnyView::as_object);
    let ty = value.and_then(|value| value.get("ty")).and_then(AnyView::as_object);
    ty.is_some_and(|ty| ty.type_key() == "ir.PointerType")
}

/// The value of a field of an object of loop programs, which may be a text, or a list or map with texts.
fn text_value<'a>(
    converter: &mut Converter<'a, Downgrade>,
    object: ObjectView<'a>,
    _: &'static FieldInfo,
    source: Option<AnyView<'a>>,
) -> Result<Option<Any>> {
    let key = match object.type_key() {
        "ir.Call" => operator_name(object),
        key => key,
    };
    let is_of_loops = ["tirx.", "s_tir.", "te.", "prim."].iter().any(|namespace| key.starts_with(namespace));
    let Some(value) = source.and_then(AnyView::as_object).filter(|_| is_of_loops) else { return Ok(None) };
    let mut item = |item: AnyView<'a>| {
        let is_text = item.as_object().is_some_and(|item| item.type_key() == "ir.StringImm");
        converter.get(item, if is_text { Form::Loops } else { Form::Relax })
    };
    if let Some(array) = value.as_array() {
        return Ok(Some(Array::<Any>::from_anys(array.iter().map(item).collect::<Result<_>>()?).into()));
    }
    if let Some(map) = value.as_map() {
        let entries = map.iter().map(|(key, value)| Ok((item(key)?, item(value)?)));
        return Ok(Some(Map::<Any, Any>::new(entries.collect::<Result<Vec<_>>>()?).into()));
    }
    item(AnyView::Object(value)).map(Some)
}

/// A constant: the value of the field `from` is in the field `to` of the result.
fn constant<'a, S: Step<'a, Form = Form>>(
    converter: &mut Converter<'a, S>,
    object: ObjectView<'a>,
    key: &str,
    (from, to): (&str, &'static str),
) -> Result<Any> {
    let value = object.get(from).unwrap_or_default().to_any();
    let rest = with_type(converter, object)?;
    converter.object(key, &[(to, value)].into_iter().chain(rest).collect::<Vec<_>>())
}

/// The place and the type of an expression.
fn with_type<'a, S: Step<'a, Form = Form>>(
    converter: &mut Converter<'a, S>,
    object: ObjectView<'a>,
) -> Result<[(&'static str, Any); 2]> {
    let span = converter.field(object, "span", Form::Relax)?;
    Ok([("span", span), ("ty", converter.field(object, "ty", Form::Relax)?)])
}

/// The name of the operator that an expression calls.
fn operator_name<'a>(call: ObjectView<'a>) -> &'a str {
    let op = call.get("op").and_then(AnyView::as_object).filter(|op| op.type_key() == "ir.Op");
    op.map_or("", |op| text(op, "name"))
}

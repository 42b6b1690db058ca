//! Checks a default against the type of its field, and converts it.

use object_core::dynamic::{NumberWidth, TypeText};
use object_core::object::{Any, AnyView};
use object_core::{Array, DataType, Map, Shape};

use crate::python_input::constant::{mutable, shown};

/// `value` as a value of the type `ty`, whose numbers have the width `width`.
///
/// # Errors
/// A message with the expected and the given value.
pub(super) fn converted(value: &Any, ty: &TypeText, width: Option<NumberWidth>) -> Result<Any, String> {
    let arg = |index: usize| ty.args.get(index).cloned().unwrap_or_else(|| TypeText::leaf("Any"));
    let refused = || Err(format!("the default `{}` is not a value of the type `{ty}`", shown(value)));
    let object = |key: &str| match value {
        Any::Object(object) => object.type_info().type_key() == key,
        _ => false,
    };
    match (ty.name.as_str(), value) {
        ("Any", _) | ("Optional", Any::None) => Ok(value.clone()),
        ("Optional", _) => converted(value, &arg(0), width),
        ("Variant", _) => {
            let found = ty.args.iter().find_map(|ty| converted(value, ty, width).ok());
            found.map_or_else(refused, Ok)
        }
        ("bool", Any::Bool(_)) | ("DataType", Any::DataType(_)) | ("Device", Any::Device(_)) => Ok(value.clone()),
        ("int", Any::Int(number)) => match width.map(range) {
            Some((least, most, word)) if !(least..=most).contains(&i128::from(*number)) => {
                Err(format!("the default {number} does not fit `{word}`, whose values are {least} to {most}"))
            }
            _ => Ok(value.clone()),
        },
        ("float", Any::Float(number)) if width == Some(NumberWidth::Float32) => {
            #[allow(clippy::cast_possible_truncation, reason = "the test is whether the narrower number is the same")]
            let narrow = f64::from(*number as f32);
            if narrow == *number || number.is_nan() {
                return Ok(value.clone());
            }
            Err(format!("the default {number} is not a number of 32 bits; the nearest one is {narrow}"))
        }
        ("float", Any::Float(_)) => Ok(value.clone()),
        #[allow(clippy::cast_precision_loss, reason = "as Python converts an integer to a number")]
        ("float", Any::Int(number)) => converted(&Any::Float(*number as f64), ty, width),
        ("DataType", _) => match value.view().as_str() {
            Some(text) => text.parse::<DataType>().map(Any::DataType).map_err(|error| error.message().to_owned()),
            None => refused(),
        },
        ("ffi.String", _) if value.view().as_str().is_some() => Ok(value.clone()),
        ("ffi.Bytes", _) if object("ffi.Bytes") => Ok(value.clone()),
        ("ffi.Shape", _) if object("ffi.Shape") => Ok(value.clone()),
        ("ffi.Shape", _) => match Array::<i64>::try_from(value.clone()) {
            Ok(extents) => Ok(Shape::new(&extents.iter().collect::<Vec<i64>>()).into()),
            Err(_) => refused(),
        },
        ("ffi.Array" | "ffi.List", _) => match value.view().as_object().and_then(|object| object.as_array()) {
            Some(items) => {
                let items = items.iter().map(|item: AnyView<'_>| converted(&item.to_any(), &arg(0), None));
                let array: Any = items.collect::<Result<Array<Any>, _>>()?.into();
                if ty.name == "ffi.List" { mutable(&array).map_or_else(refused, Ok) } else { Ok(array) }
            }
            None => refused(),
        },
        ("ffi.Map" | "ffi.Dict", _) => match value.view().as_object().and_then(|object| object.as_map()) {
            Some(entries) => {
                let entry = |(key, value): (AnyView<'_>, AnyView<'_>)| {
                    Ok::<_, String>((
                        converted(&key.to_any(), &arg(0), None)?,
                        converted(&value.to_any(), &arg(1), None)?,
                    ))
                };
                let map: Any = entries.iter().map(entry).collect::<Result<Map<Any, Any>, _>>()?.into();
                if ty.name == "ffi.Dict" { mutable(&map).map_or_else(refused, Ok) } else { Ok(map) }
            }
            None => refused(),
        },
        (_, Any::None) => {
            Err(format!("the default `None` is not a value of the type `{ty}`; write `Optional` around the type"))
        }
        ("ffi.Object", Any::Object(_)) => Ok(value.clone()),
        _ => refused(),
    }
}

/// The least and the greatest number of a width, and its word.
fn range(width: NumberWidth) -> (i128, i128, &'static str) {
    let (least, most) = match width {
        NumberWidth::Int8 => (i128::from(i8::MIN), i128::from(i8::MAX)),
        NumberWidth::Int16 => (i128::from(i16::MIN), i128::from(i16::MAX)),
        NumberWidth::Int32 => (i128::from(i32::MIN), i128::from(i32::MAX)),
        NumberWidth::UInt8 => (0, i128::from(u8::MAX)),
        NumberWidth::UInt16 => (0, i128::from(u16::MAX)),
        NumberWidth::UInt32 => (0, i128::from(u32::MAX)),
        // Values of fields are integers of 64 bits with a sign.
        NumberWidth::UInt64 => (0, i128::from(i64::MAX)),
        _ => (i128::from(i64::MIN), i128::from(i64::MAX)),
    };
    (least, most, width.word())
}

//! Attributes of calls from values of a script.

use object_core::object::{ObjectBuilder, TypeInfo};
use object_core::{Any, Array, DataType, Map};
use object_ir::ir::{Attrs, FloatImm, IntImm};
use ruff_text_size::TextRange;

use crate::parse::relax::distributed;
use crate::parse::relax::integers::integer;
use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// The attributes of a type, of fields by name.
///
/// # Errors
/// Reports values that a field does not take, and missing fields.
pub(crate) fn build(
    p: &mut Parser<'_>,
    info: &'static TypeInfo,
    fields: &[(&str, Argument)],
    range: TextRange,
) -> Eval<Attrs> {
    let mut builder = match ObjectBuilder::new(info) {
        Ok(builder) => builder,
        Err(error) => return Err(p.object_error(range, &error)),
    };
    for (name, argument) in fields {
        if matches!(argument.value, Value::Unknown) {
            return Err(p.follow_up());
        }
        let mut message = None;
        let mut is_set = false;
        for candidate in candidates(p, argument) {
            match builder.set(name, candidate) {
                Ok(_) => {
                    is_set = true;
                    break;
                }
                Err(error) => message = message.or(Some(error.message().to_owned())),
            }
        }
        if !is_set {
            let reason = message.map_or(String::new(), |message| format!(": {message}"));
            let given = argument.value.describe();
            return Err(p.error(argument.range, format!("the attribute `{name}` does not take {given}{reason}")));
        }
    }
    let object = builder.build().map_err(|error| p.object_error(range, &error))?;
    object.view().to_handle::<Attrs>().ok_or_else(|| p.error(range, "expected attributes"))
}

/// The forms that a value may have in a field, the likeliest first.
fn candidates(p: &Parser<'_>, argument: &Argument) -> Vec<Any> {
    let mut result: Vec<Any> = argument.value.to_any().into_iter().collect();
    match &argument.value {
        Value::None => result.extend([
            Any::DataType(DataType::void()),
            Any::from(Map::<Any, Any>::new(Vec::new())),
            Any::from(Array::<Any>::new(Vec::new())),
        ]),
        Value::Bool(value) => result.extend([Any::Int(i64::from(*value)), boolean(*value)]),
        Value::Int(value) => {
            let bits = if i32::try_from(*value).is_ok() { 32 } else { 64 };
            result.push(Any::Float(*value as f64));
            result.push(Any::from(Array::<i64>::new([*value])));
            result.push(Any::from(IntImm::new(DataType::int(bits), *value)));
            result.push(float(*value as f64));
            result.push(Any::Bool(*value != 0));
        }
        Value::Float(value) => result.push(float(*value)),
        Value::Str(text) => {
            if let Ok(dtype) = text.parse::<DataType>() {
                result.push(Any::DataType(dtype));
            }
            result.extend(distributed::named(p, text));
        }
        Value::Path(path) => {
            let dtype = path.strip_prefix("T.").and_then(|name| name.parse::<DataType>().ok());
            result.extend(dtype.map(Any::DataType));
        }
        Value::Tuple(_) | Value::List(_) => {
            let items = argument.value.items().unwrap_or_default();
            let numbers: Option<Vec<f64>> = items.iter().map(number).collect();
            if let Some(numbers) = numbers {
                result.push(Any::from(Array::<f64>::new(numbers.iter().copied())));
                result.push(Any::from(Array::<Any>::new(numbers.into_iter().map(float))));
            }
            let integers: Option<Vec<i64>> = items.iter().map(integer).collect();
            if let Some(integers) = integers {
                result.push(Any::from(Array::<i64>::new(integers.iter().copied())));
                let imms = integers.into_iter().map(|value| Any::from(IntImm::new(DataType::int(32), value)));
                result.push(Any::from(Array::<Any>::new(imms)));
            }
        }
        Value::Object(_) => {
            result.extend(integer(&argument.value).map(Any::Int));
            result.extend(number(&argument.value).map(Any::Float));
        }
        _ => {}
    }
    result
}

fn boolean(value: bool) -> Any {
    Any::from(IntImm::new(DataType::boolean(), i64::from(value)))
}

fn float(value: f64) -> Any {
    Any::from(FloatImm::new(DataType::float(32), value))
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Float(value) => Some(*value),
        Value::Int(value) => Some(*value as f64),
        value => value.to::<FloatImm>().map(|imm| imm.value),
    }
}

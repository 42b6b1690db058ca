//! The short text form of any value, for messages and `Debug`: `demo.Add(lhs=demo.Var(name="x"), rhs=...)`.

use std::fmt;

use crate::access_path::{PathKey, write_quoted};
use crate::object::{AnyView, Body, JsonForm, ObjectHandle, ObjectView};

/// How many values a repr shows before it stops with `...`: enough to read, and a bound on the cost for graphs with
/// heavy sharing.
const MAX_VALUES: usize = 1000;

/// What is still to be written.
enum Task<'a> {
    Text(&'static str),
    Value(AnyView<'a>),
}

/// Writes the repr of `value`, without recursion.
pub(crate) fn write_repr(f: &mut fmt::Formatter<'_>, value: AnyView<'_>) -> fmt::Result {
    let mut tasks = vec![Task::Value(value)];
    let mut values = 0;
    while let Some(task) = tasks.pop() {
        match task {
            Task::Text(text) => f.write_str(text)?,
            Task::Value(value) => {
                values += 1;
                if values > MAX_VALUES {
                    f.write_str("...")?;
                } else {
                    write_value(f, value, &mut tasks)?;
                }
            }
        }
    }
    Ok(())
}

fn write_value<'a>(f: &mut fmt::Formatter<'_>, value: AnyView<'a>, tasks: &mut Vec<Task<'a>>) -> fmt::Result {
    match value {
        AnyView::None => f.write_str("None"),
        AnyView::Bool(value) => write!(f, "{value}"),
        AnyView::Int(value) => write!(f, "{value}"),
        AnyView::Float(value) => write!(f, "{value:?}"),
        AnyView::DataType(value) => write!(f, "{value:?}"),
        AnyView::Device(value) => write!(f, "{value}"),
        AnyView::Object(object) => write_object(f, object, tasks),
    }
}

fn write_object<'a>(f: &mut fmt::Formatter<'_>, object: ObjectView<'a>, tasks: &mut Vec<Task<'a>>) -> fmt::Result {
    let info = object.type_info();
    match info.body {
        Body::Str => return write_quoted(f, object.as_str().unwrap_or_default()),
        Body::Bytes => {
            return write!(f, "b\"{}\"", object.as_bytes().unwrap_or_default().escape_ascii());
        }
        Body::Shape => return write!(f, "Shape{:?}", object.as_shape().unwrap_or_default()),
        Body::Tensor => {
            return match object.to_handle::<crate::value::Tensor>() {
                Some(tensor) => write!(f, "Tensor({:?}, {:?})", tensor.dtype, tensor.shape.as_slice()),
                None => Ok(()),
            };
        }
        Body::Opaque | Body::Function => return write!(f, "{}(...)", info.type_key),
        Body::Array | Body::Map | Body::Node => {}
    }
    // What stands for the whole object in JSON does so here.
    if let JsonForm::Field(index) = info.json
        && let Some(key) = info.fields().get(index).and_then(|field| field.get(object))
    {
        write!(f, "{}(", info.type_key)?;
        tasks.extend([Task::Text(")"), Task::Value(key)]);
        return Ok(());
    }
    let mut parts = Vec::new();
    let close = if let Some(array) = object.as_array() {
        f.write_str("[")?;
        for item in array.iter().take(MAX_VALUES + 1) {
            parts.extend([Task::Value(item), Task::Text(", ")]);
        }
        "]"
    } else if let Some(map) = object.as_map() {
        f.write_str("{")?;
        for (key, value) in map.iter().take(MAX_VALUES + 1) {
            parts.extend([Task::Value(key), Task::Text(": "), Task::Value(value), Task::Text(", ")]);
        }
        "}"
    } else {
        write!(f, "{}(", info.type_key)?;
        for (field, value) in object.fields() {
            parts.extend([Task::Text(field.name), Task::Text("="), Task::Value(value), Task::Text(", ")]);
        }
        ")"
    };
    // The separator behind the last part gives way to the end.
    parts.pop();
    parts.push(Task::Text(close));
    tasks.extend(parts.into_iter().rev());
    Ok(())
}

/// How `object` is written as a map key in an access path: by the `label` of its type, by the key of a singleton, or
/// by its repr.
fn label(object: ObjectView<'_>) -> String {
    let info = object.type_info();
    let Some(mut rest) = info.label else {
        return object.singleton_key().map_or_else(|| format!("{object:?}"), str::to_owned);
    };
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (name, tail) = after.split_once('}').unwrap_or((after, ""));
        let (name, quoted) = name.strip_suffix(":?").map_or((name, false), |name| (name, true));
        match object.get(name).unwrap_or_default() {
            value if quoted => text.push_str(&format!("{value:?}")),
            value => text.push_str(&value.as_str().map_or_else(|| format!("{value:?}"), str::to_owned)),
        }
        rest = tail;
    }
    text + rest
}

/// How a key is written in a path.
pub(crate) fn path_key(key: AnyView<'_>) -> PathKey {
    match key {
        AnyView::Int(value) => PathKey::Int(value),
        AnyView::Object(object) => match object.as_str() {
            Some(text) => PathKey::Str(text.to_owned()),
            None => PathKey::Other { type_key: object.type_key(), label: label(object) },
        },
        other => PathKey::Other { type_key: other.type_key(), label: format!("{other:?}") },
    }
}

/// `Debug` and `Display` of a handle.
///
/// # Errors
/// As the formatter.
pub fn fmt_debug<H: ObjectHandle>(handle: &H, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write_repr(f, AnyView::Object(handle.as_object().view()))
}

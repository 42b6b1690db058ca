//! [`parameters`]: the parameters of the functions that make calls of operators, with their default values, as TVM's
//! functions of Python have them (`data/script_calls.txt`).

use std::sync::OnceLock;

use object_core::value::Str;
use object_ir::table::rows;
use rustc_hash::FxHashMap;

use crate::parse::value::Value;

/// A parameter of a function.
#[derive(Debug)]
pub(crate) struct Parameter {
    /// The name, without `*`.
    pub(crate) name: &'static str,
    /// Whether the parameter takes all further arguments by position.
    pub(crate) is_variadic: bool,
    /// The default value; `None` for an argument that every call has.
    pub(crate) default: Option<&'static str>,
}

/// The parameters of the function `R.name`; `None` for an operator without such a function.
pub(crate) fn parameters(name: &str) -> Option<&'static [Parameter]> {
    static BY_NAME: OnceLock<FxHashMap<&'static str, Vec<Parameter>>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| {
        let table = rows::<2>(include_str!("../../../data/script_calls.txt"));
        let parameters = |text: &'static str| text.split('\t').filter(|it| !it.is_empty()).map(parameter).collect();
        table.map(|[name, text]| (name, parameters(text))).collect()
    });
    by_name.get(name).map(Vec::as_slice)
}

/// The names of the functions.
pub(crate) fn names() -> Vec<&'static str> {
    rows::<1>(include_str!("../../../data/script_calls.txt"))
        .map(|[line]| line.split('\t').next().unwrap_or(line))
        .collect()
}

fn parameter(text: &'static str) -> Parameter {
    let (name, default) = match text.split_once('=') {
        Some((name, default)) => (name, Some(default)),
        None => (text, None),
    };
    Parameter { name: name.trim_start_matches('*'), is_variadic: name.starts_with('*'), default }
}

/// The value of a default in the table: a number, a string, a truth value, `None`, or a tuple of numbers.
pub(crate) fn default_value(text: &str) -> Value {
    match text {
        "None" => return Value::None,
        "True" => return Value::Bool(true),
        "False" => return Value::Bool(false),
        _ => {}
    }
    if let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        let items = inner.split(',').map(str::trim).filter(|item| !item.is_empty());
        return Value::Tuple(items.map(default_value).collect());
    }
    if let Some(inner) = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        return Value::Str(Str::from(inner));
    }
    match (text.parse::<i64>(), text.parse::<f64>()) {
        (Ok(value), _) => Value::Int(value),
        (_, Ok(value)) => Value::Float(value),
        _ => Value::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_have_their_values() {
        let conv = parameters("nn.conv2d").unwrap();
        assert_eq!(conv[2].name, "strides");
        assert_eq!(default_value(conv[2].default.unwrap()).items().unwrap().len(), 2);
        assert!(matches!(default_value("'NCHW'"), Value::Str(text) if &*text == "NCHW"));
        assert!(matches!(default_value("-0.75"), Value::Float(value) if value == -0.75));
        assert!(parameters("print").unwrap()[0].is_variadic);
        assert!(names().contains(&"add"));
    }
}

//! Members: names of languages such as `T.int64`, functions of the module, members of objects.

use ruff_text_size::TextRange;

use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// `value.name`.
pub(crate) fn attribute(p: &mut Parser<'_>, value: &Argument, name: &str, range: TextRange) -> Eval<Value> {
    match &value.value {
        Value::Path(path) => Ok(Value::Path(format!("{path}.{name}").into())),
        Value::Module => match p.global_vars.get(name) {
            Some(var) => Ok(Value::object(var.clone())),
            None => {
                // Of several near names, the hint has the first one.
                let mut known: Vec<&str> = p.global_vars.keys().map(String::as_str).collect();
                known.sort_unstable();
                let hint = p.near(name, known);
                Err(p.error_with_hint(range, format!("the module does not have the function `{name}`"), hint))
            }
        },
        Value::Object(_) => {
            let attribute = p.languages.operations(p.language).attribute;
            attribute(p, value, name, range)
        }
        Value::Unknown => Err(p.follow_up()),
        other => Err(p.error(range, format!("{} does not have the member `{name}`", other.describe()))),
    }
}

//! Members: names of languages such as `T.int64`, functions of the module, members of objects.

use ruff_text_size::{TextRange, TextSize};

use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// `value.name`.
pub(crate) fn attribute(p: &mut Parser<'_>, value: &Argument, name: &str, range: TextRange) -> Eval<Value> {
    match &value.value {
        Value::Path(path) => {
            let path = format!("{path}.{name}");
            if p.place.is_none()
                && let Some(log) = &mut p.log
            {
                log.current.paths.push((range, path.as_str().into()));
            }
            Ok(Value::Path(path.into()))
        }
        Value::Module => {
            log_global(p, name, range);
            match p.global_vars.get(name) {
                Some(var) => Ok(Value::object(var.clone())),
                None => {
                    // Of several near names, the hint has the first one.
                    let mut known: Vec<&str> = p.global_vars.keys().map(String::as_str).collect();
                    known.sort_unstable();
                    let hint = p.near(name, known);
                    Err(p.error_with_hint(range, format!("the module does not have the function `{name}`"), hint))
                }
            }
        }
        Value::Object(_) => {
            let attribute = p.languages.operations(p.language).attribute;
            attribute(p, value, name, range)
        }
        Value::Unknown => Err(p.follow_up()),
        other => Err(p.error(range, format!("{} does not have the member `{name}`", other.describe()))),
    }
}

/// Records a use of a function of the module, whose name ends `range`.
fn log_global(p: &mut Parser<'_>, name: &str, range: TextRange) {
    if p.place.is_none()
        && let Some(log) = &mut p.log
    {
        log.current.globals.push(name.to_owned());
        let length = TextSize::of(name);
        if let Some(definition) = log.globals.get(name).copied()
            && range.len() >= length
        {
            let value = p.global_vars.get(name).map_or(Value::Unknown, |var| Value::object(var.clone()));
            log.current.add(TextRange::at(range.end() - length, length), definition, &value);
        }
    }
}

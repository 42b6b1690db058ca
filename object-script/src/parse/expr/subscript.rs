//! Elements of tuples, lists and dicts of Python and of containers of the IR.

use object_core::{AnyView, ObjectView};
use object_ir::ir::RelaxExpr;
use ruff_text_size::TextRange;

use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Language, Parser};
use crate::parse::value::Value;

/// `value[index]`.
pub(crate) fn subscript(p: &mut Parser<'_>, value: &Argument, index: &Argument, range: TextRange) -> Eval<Value> {
    match &value.value {
        // In TVM, this is the member itself, so a printed `TupleGetItem` of a `Tuple` does not come back.
        Value::Tuple(items) if p.language != Language::Tir && items.iter().any(Value::is::<RelaxExpr>) => {
            let subscript = p.languages.operations(p.language).subscript;
            subscript(p, value, index)
        }
        Value::Tuple(items) | Value::List(items) => element(p, items, index),
        Value::Dict(items) => {
            let found = items.iter().find(|(key, _)| match (key, &index.value) {
                (Value::Str(a), Value::Str(b)) => a == b,
                (a, b) => a.as_int().is_some() && a.as_int() == b.as_int(),
            });
            match found {
                Some((_, value)) => Ok(value.clone()),
                None => Err(p.error(range, format!("the dict does not have {}", index.value.describe()))),
            }
        }
        Value::Object(object) if object.view().as_map().is_some() || object.view().as_array().is_some() => {
            match of_container(object.view(), &index.value) {
                Some(value) => Ok(value),
                None => Err(p.error(range, format!("the container does not have {}", index.value.describe()))),
            }
        }
        Value::Unknown => Err(p.follow_up()),
        Value::Path(path) if path.starts_with("T.") => {
            let subscript = p.languages.tir.subscript;
            subscript(p, value, index)
        }
        Value::Object(_) => {
            let subscript = p.languages.operations(p.language).subscript;
            subscript(p, value, index)
        }
        other => Err(p.error(range, format!("{} does not have elements", other.describe()))),
    }
}

fn element(p: &mut Parser<'_>, items: &[Value], index: &Argument) -> Eval<Value> {
    let Some(at) = index.value.as_int() else { return Err(index.expected(p, "an integer")) };
    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
    let at = if at < 0 { at.saturating_add(length) } else { at };
    match usize::try_from(at).ok().and_then(|at| items.get(at)) {
        Some(item) => Ok(item.clone()),
        None => Err(p.error(index.range, format!("expected an index below {length}, got {at}"))),
    }
}

fn of_container(object: ObjectView<'_>, index: &Value) -> Option<Value> {
    if let Some(map) = object.as_map() {
        let found = map.iter().find(|(key, _)| match (key, index) {
            (AnyView::Int(key), Value::Int(index)) => key == index,
            (key, Value::Str(index)) => key.as_str() == Some(index.as_str()),
            _ => false,
        });
        return found.map(|(_, value)| Value::from_any(value));
    }
    let array = object.as_array()?;
    let index = usize::try_from(index.as_int()?).ok()?;
    array.iter().nth(index).map(Value::from_any)
}

//! Dimensions in strings, such as `"n * 2"`.

use object_python_syntax::with_expression;
use ruff_text_size::TextRange;

use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// The value of the expression in a string constant at `range`.
///
/// # Errors
/// Reports errors of the expression at the place of the string.
pub(crate) fn evaluate(p: &mut Parser<'_>, text: &str, range: TextRange) -> Eval<Value> {
    let written = p.log.as_ref().and_then(|log| log.current.place_of_string(text));
    if let Some(value) = p.names.get(text).cloned() {
        if let Some(written) = written {
            p.log_use(text, written);
        }
        return Ok(value);
    }
    let evaluate = p.languages.evaluate;
    let outer = p.place.replace(p.place.unwrap_or(range));
    let outer_base = p.log.as_mut().and_then(|log| std::mem::replace(&mut log.base, written.map(TextRange::start)));
    let result = with_expression(text, |expr| evaluate(p, expr));
    p.place = outer;
    if let Some(log) = &mut p.log {
        log.base = outer_base;
    }
    match result {
        Ok(value) => value,
        Err(message) => Err(p.error(range, format!("the dimension {text:?}: {message}"))),
    }
}

/// Whether a string is a name, which declares a shape variable in an annotation of a parameter.
pub(crate) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && chars.all(|char| char.is_alphanumeric() || char == '_')
}

//! Constants of Python.

use object_core::value::Str;
use ruff_python_ast::{ExprNumberLiteral, ExprStringLiteral, Number};
use ruff_text_size::Ranged;

use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// A number.
pub(crate) fn number(p: &mut Parser<'_>, literal: &ExprNumberLiteral) -> Eval<Value> {
    match &literal.value {
        Number::Int(int) => match int.as_i64() {
            Some(value) => Ok(Value::Int(value)),
            None => match int.as_u64() {
                Some(value) => Ok(Value::LargeUint(value)),
                None => Err(p.error(literal.range(), "expected an integer of at most 64 bits")),
            },
        },
        Number::Float(value) => Ok(Value::Float(*value)),
        Number::Complex { .. } => Err(p.error(literal.range(), "complex numbers are not values of scripts")),
    }
}

/// A string. The printer writes each byte outside of ASCII as an escape sequence of its own, so a string of such
/// sequences that is UTF-8 is read as UTF-8. Python reads it as one character for each byte.
pub(crate) fn string(p: &mut Parser<'_>, literal: &ExprStringLiteral) -> Value {
    let text = decoded(p, literal);
    if p.place.is_none()
        && let Some(log) = &mut p.log
    {
        log.current.string(p.source, &text, literal.range());
    }
    Value::Str(text)
}

fn decoded(p: &Parser<'_>, literal: &ExprStringLiteral) -> Str {
    let text = literal.value.to_str();
    if text.is_ascii() || p.place.is_some() {
        return Str::from(text);
    }
    let range = std::ops::Range::<usize>::from(literal.range());
    let is_escaped = p.source.get(range).is_some_and(str::is_ascii);
    let bytes: Option<Vec<u8>> = text.chars().map(|char| u8::try_from(u32::from(char)).ok()).collect();
    match bytes.filter(|_| is_escaped).and_then(|bytes| String::from_utf8(bytes).ok()) {
        Some(text) => Str::from(text.as_str()),
        None => Str::from(text),
    }
}

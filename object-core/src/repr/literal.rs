//! The values of built-in types that a repr writes as a word: [`plain_in`] alone, and [`literal`] with brackets.

use crate::error::{Error, ErrorKind, Result};
use crate::limits::Budget;
use crate::object::{Any, FieldInfo};
use crate::repr::token::{Token, Tokens, malformed, unexpected};
use crate::scalar::{DataType, Device};
use crate::text::brief::brief;
use crate::value::{Shape, Tensor};

/// The value that begins with `word` and a bracket: `Shape[2, 3]`, `NaN(0x7ff8000000000001)` or
/// `Tensor(int8, [2], b"\x01\x02")`. `None` if `word` begins no such value; then the position stays. Each extent spends one of
/// `budget`.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for other text in the brackets; [`NotConstructible`](ErrorKind::NotConstructible) for a
/// tensor without its data; the errors of [`Tensor::new`] and of the budget.
pub(crate) fn literal(tokens: &mut Tokens<'_>, word: &str, budget: &mut Budget) -> Result<Option<Any>> {
    Ok(Some(match word {
        "Shape" if tokens.take('[') => Shape::from(extents(tokens, budget)?).into(),
        "NaN" if tokens.take('(') => nan(tokens)?,
        "Tensor" if tokens.take('(') => tensor(tokens, budget)?.into(),
        _ => return Ok(None),
    }))
}

/// Reads the bits of a NaN, after the bracket.
fn nan(tokens: &mut Tokens<'_>) -> Result<Any> {
    let bits = match tokens.next()? {
        Token::Word(word) => word.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok()),
        _ => None,
    };
    match bits.map(f64::from_bits) {
        Some(value) if value.is_nan() => tokens.sign(')').map(|()| Any::Float(value)),
        _ => Err(malformed("expected the bits of a 64-bit NaN, such as `0x7ff8000000000001`")),
    }
}

/// Reads the extents of a shape, after the bracket.
fn extents(tokens: &mut Tokens<'_>, budget: &mut Budget) -> Result<Vec<i64>> {
    let mut extents = Vec::new();
    if tokens.take(']') {
        return Ok(extents);
    }
    loop {
        let extent = match tokens.next()? {
            Token::Word(word) => number(word)?,
            other => return Err(unexpected("an extent", &other)),
        };
        budget.spend(1)?;
        extents.push(extent.cast()?);
        match tokens.next()? {
            Token::Sign(',') => {}
            Token::Sign(']') => return Ok(extents),
            other => return Err(unexpected("`,` or `]`", &other)),
        }
    }
}

/// Reads the rest of a tensor, after the bracket.
fn tensor(tokens: &mut Tokens<'_>, budget: &mut Budget) -> Result<Tensor> {
    let start = tokens.start();
    let dtype: DataType = match tokens.next()? {
        Token::Word(word) => word.parse()?,
        other => return Err(unexpected("a data type", &other)),
    };
    tokens.sign(',')?;
    tokens.sign('[')?;
    let extents = extents(tokens, budget)?;
    if tokens.take(')') {
        let message = "the data of the tensor is not here; `Repr::tensor_data` writes it";
        return Err(Error::new(ErrorKind::NotConstructible, message));
    }
    tokens.sign(',')?;
    let data = match tokens.next()? {
        Token::Bytes(data) => data,
        other => return Err(unexpected("bytes", &other)),
    };
    tokens.sign(')')?;
    Tensor::new(dtype, extents, data).inspect_err(|_| tokens.point_at(start))
}

/// The plain value that is written as `word` in this field.
pub(crate) fn plain_in(field: Option<&FieldInfo>, word: &str) -> Result<Any> {
    let Some(it) = field.and_then(FieldInfo::enumeration) else { return plain(word) };
    match it.number_of(word) {
        Some(number) => Ok(Any::Int(number)),
        None if word != "None" && word.starts_with(char::is_alphabetic) => {
            Err(Error::unknown_variant(it.name, it.variants.iter().copied(), format_args!("`{}`", brief(word))))
        }
        None => plain(word),
    }
}

/// The plain value that is written as `word`.
fn plain(word: &str) -> Result<Any> {
    Ok(match word {
        "None" => Any::None,
        "true" => Any::Bool(true),
        "false" => Any::Bool(false),
        "inf" => Any::Float(f64::INFINITY),
        "-inf" => Any::Float(f64::NEG_INFINITY),
        "NaN" => Any::Float(f64::NAN),
        "-NaN" => Any::Float(-f64::NAN),
        _ if word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) => return number(word),
        _ if word.contains(':') => Any::Device(word.parse::<Device>()?),
        _ => Any::DataType(word.parse::<DataType>().map_err(|error| error.context("expected a value"))?),
    })
}

/// The number that is written as `word`: an integer, if it has digits alone.
fn number(word: &str) -> Result<Any> {
    let out_of_range = |what: &str| Error::new(ErrorKind::OutOfRange, format!("`{}` does not fit {what}", brief(word)));
    let digits = word.strip_prefix('-').unwrap_or(word);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return word.parse().map(Any::Int).map_err(|_| out_of_range("an integer of 64 bits"));
    }
    match word.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Any::Float(value)),
        Ok(_) => Err(out_of_range("a floating point number of 64 bits; infinity is written `inf`")),
        Err(_) => Err(malformed(format!("expected a number, got `{}`", brief(word)))),
    }
}

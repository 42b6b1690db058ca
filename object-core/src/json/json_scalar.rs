//! [`JsonScalar`]: a JSON value other than a list or a map, and the values of each type that it stands for.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};

use super::odd_numbers;
use super::source::Source;
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Any, AnyView, Enumeration, FieldInfo, Storage};
use crate::scalar::DataType;
use crate::text::brief::brief;
use crate::text::did_you_mean::{backticked, did_you_mean_or};
use crate::value::Str;

/// A JSON value other than a list or a map, or the like in another format.
pub(crate) enum JsonScalar<'de> {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer above the range of `i64`.
    Large(u64),
    Float(f64),
    Text(Cow<'de, str>),
    /// Bytes, which formats other than JSON have.
    Bytes(Cow<'de, [u8]>),
    /// A list, which no type has for a scalar. The reader of JSON text reports lists itself.
    List,
    /// A map, in the same way.
    Map,
}

impl<'de> JsonScalar<'de> {
    /// The scalar for a text in `source`.
    pub(crate) fn of_text(text: Cow<'de, str>, source: Source) -> Self {
        if source == Source::AnyFormat || !text.starts_with('\0') {
            return JsonScalar::Text(text);
        }
        match odd_numbers::number(&text) {
            Some(number) => number.into(),
            None => JsonScalar::Text(odd_numbers::unfiltered(&text).unwrap_or(&text).to_owned().into()),
        }
    }

    /// The bytes of the text.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            JsonScalar::Text(text) => text.len(),
            JsonScalar::Bytes(bytes) => bytes.len(),
            _ => 0,
        }
    }
}

impl JsonScalar<'_> {
    /// The kind of the value, for messages.
    fn kind(&self) -> &'static str {
        match self {
            JsonScalar::Null => "null",
            JsonScalar::Bool(_) => "bool",
            JsonScalar::Int(_) => "int",
            JsonScalar::Large(_) => "an int of more than 64 bits",
            JsonScalar::Float(_) => "float",
            JsonScalar::Text(_) => "string",
            JsonScalar::Bytes(_) => "bytes",
            JsonScalar::List => "a list",
            JsonScalar::Map => "a map",
        }
    }

    fn mismatch(&self, expected: &str) -> Error {
        Error::type_mismatch(expected, self.kind())
    }

    /// The value as the index of a node.
    pub(crate) fn index(&self) -> Result<u32> {
        match self {
            JsonScalar::Int(value) => u32::try_from(*value)
                .map_err(|_| Error::new(ErrorKind::BadReference, format!("{value} is not the index of a node"))),
            other => Err(other.mismatch("the index of a node")),
        }
    }

    /// The value as an integer. A truth value is 0 or 1.
    pub(crate) fn int(&self) -> Result<i64> {
        match self {
            JsonScalar::Int(value) => Ok(*value),
            JsonScalar::Bool(value) => Ok(i64::from(*value)),
            JsonScalar::Large(value) => {
                Err(Error::new(ErrorKind::OutOfRange, format!("{value} does not fit 64 bits with a sign")))
            }
            other => Err(other.mismatch("int")),
        }
    }

    /// The value as a truth value. 0 and 1 are truth values.
    pub(crate) fn bool(&self) -> Result<bool> {
        match self {
            JsonScalar::Bool(value) => Ok(*value),
            JsonScalar::Int(value @ (0 | 1)) => Ok(*value == 1),
            other => Err(other.mismatch("bool")),
        }
    }

    /// The value as a floating point number.
    #[allow(clippy::cast_precision_loss, reason = "rounding is the meaning")]
    pub(crate) fn float(&self) -> Result<f64> {
        match self {
            JsonScalar::Float(value) => Ok(*value),
            JsonScalar::Int(value) => Ok(*value as f64),
            JsonScalar::Large(value) => Ok(*value as f64),
            JsonScalar::Text(text) => named_float(text).ok_or_else(|| self.mismatch("float")),
            other => Err(other.mismatch("float")),
        }
    }

    /// The value as text.
    pub(crate) fn text(&self) -> Result<&str> {
        match self {
            JsonScalar::Text(text) => Ok(text),
            other => Err(other.mismatch("string")),
        }
    }

    /// The value of an inline field.
    pub(crate) fn inline(&self, field: &FieldInfo) -> Result<Any> {
        match field.storage() {
            Storage::Int => match self {
                JsonScalar::Text(_) if field.enumeration().is_some() => self.of_field(field),
                _ => self.int().map(Any::Int),
            },
            Storage::Bool => self.bool().map(Any::Bool),
            Storage::Float => self.float().map(Any::Float),
            Storage::DataType => match self {
                JsonScalar::Text(_) => self.text()?.parse::<DataType>().map(Any::DataType),
                other => Err(other.mismatch("DataType")),
            },
            _ => self.of_field(field),
        }
    }

    /// The value of a field by the form of the value. The name of a variant is its number where the field holds an enum.
    pub(crate) fn of_field(&self, field: &FieldInfo) -> Result<Any> {
        if let JsonScalar::Text(_) = self
            && !field.may_hold_objects()
        {
            let text = self.text()?;
            if let Some(enumeration) = field.enumeration() {
                let number = enumeration.number_of_name(text);
                return number.map(Any::Int).ok_or_else(|| unknown_name(enumeration, text));
            }
            if let Some(float) = named_float(text).filter(|float| field.accepts(AnyView::Float(*float))) {
                return Ok(Any::Float(float));
            }
        }
        self.any()
    }

    /// The value without a given type.
    pub(crate) fn any(&self) -> Result<Any> {
        match self {
            JsonScalar::Null => Ok(Any::None),
            JsonScalar::Bool(value) => Ok(Any::Bool(*value)),
            JsonScalar::Int(_) | JsonScalar::Large(_) => self.int().map(Any::Int),
            JsonScalar::Float(value) => Ok(Any::Float(*value)),
            JsonScalar::Text(text) => Ok(Str::new(text).into()),
            JsonScalar::Bytes(_) | JsonScalar::List | JsonScalar::Map => Err(self.mismatch("a single value")),
        }
    }
}

/// The error for a name that no variant of an enum has.
fn unknown_name(enumeration: Enumeration, name: &str) -> Error {
    let names = || enumeration.variants.iter().map(|(name, _)| *name);
    let hint = did_you_mean_or(name, names(), || format!("its variants are {}", backticked(names())));
    let message = format!(
        "the enum `{}` has no variant `{}`; {hint}; a variant that had another name has `#[object(alias = \"...\")]`",
        enumeration.name,
        brief(name)
    );
    Error::new(ErrorKind::OutOfRange, message)
}

/// The texts of numbers that JSON does not have.
const NAMED_FLOATS: [(&str, f64); 3] =
    [("NaN", f64::NAN), ("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)];

/// The text of a number that JSON does not have.
pub(crate) fn float_name(number: f64) -> &'static str {
    let is_same = |it: f64| it == number || (it.is_nan() && number.is_nan());
    NAMED_FLOATS.iter().find(|(_, it)| is_same(*it)).map_or("NaN", |(name, _)| *name)
}

fn named_float(text: &str) -> Option<f64> {
    NAMED_FLOATS.iter().find(|(name, _)| *name == text).map(|(_, number)| *number)
}

impl From<u64> for JsonScalar<'_> {
    fn from(value: u64) -> Self {
        i64::try_from(value).map_or(JsonScalar::Large(value), JsonScalar::Int)
    }
}

impl From<odd_numbers::Number> for JsonScalar<'_> {
    fn from(number: odd_numbers::Number) -> Self {
        match number {
            odd_numbers::Number::Int(value) => JsonScalar::Int(value),
            odd_numbers::Number::Float(value) => JsonScalar::Float(value),
        }
    }
}

/// The methods of a visitor for scalars. Each calls the method `visit_scalar` of the visitor, and `source` for its source.
macro_rules! visit_scalars {
    ($value:ty) => {
        fn visit_unit<E: serde::de::Error>(self) -> Result<$value, E> {
            self.visit_scalar($crate::json::json_scalar::JsonScalar::Null)
        }

        fn visit_none<E: serde::de::Error>(self) -> Result<$value, E> {
            self.visit_scalar($crate::json::json_scalar::JsonScalar::Null)
        }

        fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<$value, E> {
            self.visit_scalar($crate::json::json_scalar::JsonScalar::Bool(value))
        }

        fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<$value, E> {
            self.visit_scalar($crate::json::json_scalar::JsonScalar::Int(value))
        }

        fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<$value, E> {
            self.visit_scalar(value.into())
        }

        fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<$value, E> {
            self.visit_scalar($crate::json::json_scalar::JsonScalar::Float(value))
        }

        fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<$value, E> {
            let source = self.source();
            self.visit_scalar($crate::json::json_scalar::JsonScalar::of_text(std::borrow::Cow::Borrowed(text), source))
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$value, E> {
            self.visit_string(text.to_owned())
        }

        fn visit_string<E: serde::de::Error>(self, text: String) -> Result<$value, E> {
            let source = self.source();
            self.visit_scalar($crate::json::json_scalar::JsonScalar::of_text(std::borrow::Cow::Owned(text), source))
        }

        fn visit_borrowed_bytes<E: serde::de::Error>(self, bytes: &'de [u8]) -> Result<$value, E> {
            self.visit_scalar($crate::json::json_scalar::JsonScalar::Bytes(std::borrow::Cow::Borrowed(bytes)))
        }

        fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<$value, E> {
            self.visit_byte_buf(bytes.to_owned())
        }

        fn visit_byte_buf<E: serde::de::Error>(self, bytes: Vec<u8>) -> Result<$value, E> {
            self.visit_scalar($crate::json::json_scalar::JsonScalar::Bytes(std::borrow::Cow::Owned(bytes)))
        }
    };
}
pub(crate) use visit_scalars;

/// Reads a [`JsonScalar`] from a source.
pub(crate) struct JsonScalarSeed(pub(crate) Source);

impl<'de> DeserializeSeed<'de> for JsonScalarSeed {
    type Value = JsonScalar<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<JsonScalar<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonScalarSeed {
    type Value = JsonScalar<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that is not a list and not a map")
    }

    visit_scalars!(JsonScalar<'de>);

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<JsonScalar<'de>, A::Error> {
        if self.0 == Source::JsonText {
            return Err(A::Error::invalid_type(Unexpected::Seq, &self));
        }
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(JsonScalar::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonScalar<'de>, A::Error> {
        if self.0 == Source::JsonText {
            return Err(A::Error::invalid_type(Unexpected::Map, &self));
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(JsonScalar::Map)
    }
}

impl JsonScalarSeed {
    fn source(&self) -> Source {
        self.0
    }

    fn visit_scalar<E>(self, scalar: JsonScalar<'_>) -> Result<JsonScalar<'_>, E> {
        Ok(scalar)
    }
}

//! [`PlainValue`]: the defaults of fields that every language can write.

use object_core::AnyView;
use object_core::dynamic::TypeText;
use object_core::scalar::{DataType, Device};

/// A default value without identity: a scalar, a text, or a container of such values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PlainValue {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    DataType(DataType),
    Device(Device),
    Shape(Vec<i64>),
    /// An immutable array, or with `true` a mutable list.
    Array(bool, Vec<PlainValue>),
    /// An immutable map, or with `true` a mutable dictionary.
    Map(bool, Vec<(PlainValue, PlainValue)>),
}

impl PlainValue {
    /// The number, if the value is an integer.
    pub(crate) fn number(&self) -> Option<i64> {
        if let PlainValue::Int(number) = self { Some(*number) } else { None }
    }

    /// The value; `None` if an object is in it.
    pub(crate) fn of(value: AnyView<'_>) -> Option<Self> {
        Some(match value {
            AnyView::None => PlainValue::None,
            AnyView::Bool(value) => PlainValue::Bool(value),
            AnyView::Int(value) => PlainValue::Int(value),
            AnyView::Float(value) => PlainValue::Float(value),
            AnyView::DataType(value) => PlainValue::DataType(value),
            AnyView::Device(value) => PlainValue::Device(value),
            AnyView::Object(object) => {
                if let Some(text) = value.as_str() {
                    return Some(PlainValue::Text(text.to_owned()));
                }
                let key = object.type_key();
                match key {
                    "ffi.Bytes" => PlainValue::Bytes(object.as_bytes()?.to_vec()),
                    "ffi.Shape" => PlainValue::Shape(object.as_shape()?.to_vec()),
                    "ffi.Array" | "ffi.List" => {
                        let items = object.as_array()?.iter().map(PlainValue::of).collect::<Option<_>>()?;
                        PlainValue::Array(key == "ffi.List", items)
                    }
                    "ffi.Map" | "ffi.Dict" => {
                        let entry = |(key, value)| Some((PlainValue::of(key)?, PlainValue::of(value)?));
                        let entries = object.as_map()?.iter().map(entry).collect::<Option<_>>()?;
                        PlainValue::Map(key == "ffi.Dict", entries)
                    }
                    _ => return None,
                }
            }
        })
    }

    /// The value as a value of the type `ty`. Schemas write data types and numbers that JSON does not have as texts.
    pub(crate) fn fit(self, ty: &TypeText) -> Self {
        let any = TypeText::leaf("Any");
        let arg = |index: usize| ty.args.get(index).unwrap_or(&any);
        match (ty.name.as_str(), self) {
            ("Optional", PlainValue::None) => PlainValue::None,
            ("Optional", value) => value.fit(arg(0)),
            ("float", PlainValue::Int(value)) => PlainValue::Float(value as f64),
            ("float", PlainValue::Text(text)) => text.parse().map_or(PlainValue::Text(text), PlainValue::Float),
            ("int", PlainValue::Bool(value)) => PlainValue::Int(value.into()),
            ("DataType", PlainValue::Text(text)) => text.parse().map_or(PlainValue::Text(text), PlainValue::DataType),
            ("ffi.Array" | "ffi.List", PlainValue::Array(is_list, items)) => {
                PlainValue::Array(is_list, items.into_iter().map(|item| item.fit(arg(0))).collect())
            }
            ("ffi.Map" | "ffi.Dict", PlainValue::Map(is_dict, entries)) => {
                let fit = |(key, value): (PlainValue, PlainValue)| (key.fit(arg(0)), value.fit(arg(1)));
                PlainValue::Map(is_dict, entries.into_iter().map(fit).collect())
            }
            (_, value) => value,
        }
    }

    /// Whether each object needs its own copy of the value: JSON graphs show whether two objects share it.
    pub(crate) fn has_identity(&self) -> bool {
        matches!(self, PlainValue::Array(..) | PlainValue::Map(..) | PlainValue::Shape(..))
    }
}

//! [`Kind`]: the values that can stand at a place of a text, from the schema of a field.

use object_core::container::{ArrayView, MapData};
use object_core::object::{Body, Enumeration, TypeInfo, TypeSchema};
use object_core::registry::Types;
use object_core::{AnyView, Error, ErrorKind, Result};

/// The values that can stand at a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Bool,
    Int,
    Float,
    /// A text in quotes.
    Text,
    /// A text without quotes.
    Word,
    Enum(Enumeration),
    /// Any value without variables, or a value of another built-in type, as its repr.
    Plain,
    Optional(Box<Kind>),
    Array(Box<Kind>),
    Map(Box<(Kind, Kind)>),
    /// One entry of a map, in a list of a format.
    Entry(Box<(Kind, Kind)>),
    /// An object of a category.
    Object(CategoryId),
    /// A value of one of several kinds.
    OneOf(Vec<Kind>),
}

impl Kind {
    /// The values of a field with the type `schema`.
    ///
    /// # Errors
    /// [`NotSerializable`](ErrorKind::NotSerializable) for functions and other types without a text, and the errors of
    /// unknown types.
    pub(crate) fn of(schema: &TypeSchema, categories: &mut Categories) -> Result<Self> {
        if let Some(enumeration) = schema.enumeration {
            return Ok(Kind::Enum(enumeration));
        }
        let mut arg = |index: usize| match schema.args.get(index) {
            Some(arg) => Kind::of(arg, categories),
            None => Ok(Kind::Plain),
        };
        Ok(match schema.name {
            "bool" => Kind::Bool,
            "int" => Kind::Int,
            "float" => Kind::Float,
            "ffi.String" => Kind::Text,
            "Any" | "ffi.Object" | "DataType" | "Device" | "ffi.Bytes" | "ffi.Shape" | "ffi.Tensor" => Kind::Plain,
            "Optional" => Kind::Optional(Box::new(arg(0)?)),
            "ffi.Array" => Kind::Array(Box::new(arg(0)?)),
            "ffi.Map" => Kind::Map(Box::new((arg(0)?, arg(1)?))),
            "Variant" => {
                let kinds = schema.args.iter().map(|arg| Kind::of(arg, categories));
                Kind::OneOf(kinds.collect::<Result<_>>()?)
            }
            key => {
                let info = categories.types.get(key)?;
                if info.body() != Body::Node {
                    let message = format!("values of the type `{key}` have no text");
                    return Err(Error::new(ErrorKind::NotSerializable, message));
                }
                Kind::Object(categories.id(info))
            }
        })
    }

    /// The kind of a value that is present.
    pub(crate) fn present(&self) -> &Kind {
        match self {
            Kind::Optional(kind) => kind,
            kind => kind,
        }
    }
}

/// The number of a [`Category`](crate::grammar::Category).
pub(crate) type CategoryId = usize;

/// The types of objects that stand at places of a text.
pub(crate) struct Categories {
    pub(crate) types: Types,
    /// The type of each category: objects of it, and of types that extend it.
    pub(crate) infos: Vec<&'static TypeInfo>,
}

impl Categories {
    fn id(&mut self, info: &'static TypeInfo) -> CategoryId {
        let known = self.infos.iter().position(|it| std::ptr::eq(*it, info));
        known.unwrap_or_else(|| {
            self.infos.push(info);
            self.infos.len() - 1
        })
    }
}

/// The last part of the key of a type.
pub(crate) fn short_name(info: &TypeInfo) -> &'static str {
    info.type_key().rsplit('.').next().unwrap_or(info.type_key())
}

/// The elements of `value`, if it is an array.
pub(crate) fn array_of(value: AnyView<'_>) -> Option<ArrayView<'_>> {
    value.as_object()?.as_array()
}

/// The entries of `value`, if it is a map.
pub(crate) fn map_of(value: AnyView<'_>) -> Option<&MapData> {
    value.as_object()?.as_map()
}

//! [`ValueType`]: the type of a dynamic field, which checks and converts its values.

use std::sync::{Arc, OnceLock};

use crate::container::{Array, ElementRule, Map, is_map_of, is_sequence_of};
use crate::dynamic::enum_decl::EnumDecl;
use crate::dynamic::number_width::NumberWidth;
use crate::dynamic::type_text::TypeText;
use crate::error::{Error, Result};
use crate::object::model::runtime_field::FieldRule;
use crate::object::runtime::runtime_type::RuntimeStorage;
use crate::object::{Any, AnyView, FieldType, ObjectView, Storage, TypeInfo, mismatch};
use crate::scalar::{DataType, Device};
use crate::text::brief::brief;
use crate::value::Str;

/// A cell for a type that the loader may not have made yet: types of one schema refer to each other.
#[derive(Clone)]
pub(super) struct TypeCell(Arc<OnceLock<&'static TypeInfo>>);

impl TypeCell {
    /// A cell for a type that the loader makes later.
    pub(super) fn open() -> Self {
        TypeCell(Arc::default())
    }

    /// A cell with an existing type.
    pub(super) fn known(info: &'static TypeInfo) -> Self {
        let open = Self::open();
        open.set(info);
        open
    }

    /// Fills the cell.
    pub(super) fn set(&self, info: &'static TypeInfo) {
        // The loader makes each type once.
        let _ = self.0.set(info);
    }

    /// The type, if the loader has made it.
    pub(super) fn get(&self) -> Option<&'static TypeInfo> {
        self.0.get().copied()
    }
}

/// The meaning of a name in the type of a field.
pub(super) enum NamedType {
    /// A type of objects.
    Type(TypeCell),
    /// Any object.
    AnyObject,
    /// Anything.
    Any,
}

/// The type of a dynamic field.
pub(super) struct ValueType {
    /// The text of the type, for messages.
    text: TypeText,
    kind: ValueKind,
    /// The numbers that the field holds.
    numbers: Numbers,
}

/// The numbers that a field holds.
#[derive(Clone, Debug, Default)]
pub(super) enum Numbers {
    /// All numbers of 64 bits.
    #[default]
    All,
    /// The numbers of a width.
    Width(NumberWidth),
    /// The numbers of the variants of an enum.
    Of(EnumDecl),
}

/// The values of a [`ValueType`].
enum ValueKind {
    Any,
    Bool,
    Int,
    Float,
    DataType,
    Device,
    AnyObject,
    Object(TypeCell),
    Sequence(&'static TypeInfo, Box<ValueType>),
    Entries(&'static TypeInfo, Box<[ValueType; 2]>),
    Optional(Box<ValueType>),
    /// A value of any of these types.
    Variant(Vec<ValueType>),
}

impl ValueType {
    /// The type in `text`. `find` resolves the names of object types.
    ///
    /// # Errors
    /// The errors of `find`, and [`Malformed`](crate::ErrorKind::Malformed) for a wrong number of arguments.
    pub(super) fn new(text: &TypeText, find: &impl Fn(&TypeText) -> Result<NamedType>) -> Result<Self> {
        let arg = |index| match text.args.get(index) {
            Some(text) => ValueType::new(text, find).map(Box::new),
            None => {
                Ok(Box::new(ValueType { text: TypeText::leaf("Any"), kind: ValueKind::Any, numbers: Numbers::All }))
            }
        };
        let (most, kind) = match text.name.as_str() {
            "Any" => (0, ValueKind::Any),
            "bool" => (0, ValueKind::Bool),
            "int" => (0, ValueKind::Int),
            "float" => (0, ValueKind::Float),
            "DataType" => (0, ValueKind::DataType),
            "Device" => (0, ValueKind::Device),
            "ffi.Object" => (0, ValueKind::AnyObject),
            "Optional" if text.args.is_empty() => return Err(arguments(text, "has one argument")),
            "Variant" if text.args.is_empty() => return Err(arguments(text, "has at least one argument")),
            "Variant" => {
                let types = text.args.iter().map(|text| ValueType::new(text, find)).collect::<Result<_>>()?;
                (text.args.len(), ValueKind::Variant(types))
            }
            "Optional" => (1, ValueKind::Optional(arg(0)?)),
            "ffi.Array" => (1, ValueKind::Sequence(&crate::container::ARRAY, arg(0)?)),
            "ffi.List" => (1, ValueKind::Sequence(&crate::container::LIST, arg(0)?)),
            "ffi.Map" => (2, ValueKind::Entries(&crate::container::MAP, Box::new([*arg(0)?, *arg(1)?]))),
            "ffi.Dict" => (2, ValueKind::Entries(&crate::container::DICT, Box::new([*arg(0)?, *arg(1)?]))),
            // A function checks its arguments at each call.
            "ffi.Function" => (text.args.len(), ValueKind::Object(TypeCell::known(&crate::value::function::FUNCTION))),
            _ => match find(text)? {
                NamedType::Type(found) => (0, ValueKind::Object(found)),
                NamedType::AnyObject => (0, ValueKind::AnyObject),
                NamedType::Any => (text.args.len(), ValueKind::Any),
            },
        };
        match text.args.len() {
            count if count <= most => Ok(ValueType { text: text.clone(), kind, numbers: Numbers::All }),
            _ if most == 0 => Err(arguments(text, "has no arguments")),
            _ => Err(arguments(text, &format!("has at most {most} arguments"))),
        }
    }

    /// The type, for fewer numbers.
    pub(super) fn with_numbers(self, numbers: Numbers) -> Self {
        ValueType { numbers, ..self }
    }

    /// The enum whose numbers the field holds.
    pub(super) fn enumeration(&self) -> Option<&EnumDecl> {
        match &self.numbers {
            Numbers::Of(it) => Some(it),
            Numbers::All | Numbers::Width(_) => None,
        }
    }

    /// Checks that the field holds the number `value`.
    fn check_number(&self, value: AnyView<'_>) -> Result<()> {
        let range = |message: String| Err(Error::new(crate::ErrorKind::OutOfRange, message));
        match &self.numbers {
            Numbers::Width(width) if !width.holds(value) => {
                range(format!("{} does not fit `{}`", value.to_any(), width.word()))
            }
            Numbers::Of(it) => match value {
                AnyView::Int(number) if it.variants.iter().all(|known| known.number != number) => {
                    let variants = it.variants.iter().map(|known| (&known.name, known.number));
                    Err(Error::unknown_variant(&it.name, variants, number))
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Whether a value of the type may contain a node.
    pub(super) fn may_hold_nodes(&self) -> bool {
        match &self.kind {
            ValueKind::Bool | ValueKind::Int | ValueKind::Float | ValueKind::DataType | ValueKind::Device => false,
            ValueKind::Any | ValueKind::AnyObject => true,
            ValueKind::Object(ty) => ty.get().is_none_or(|info| info.body == crate::object::Body::Node),
            ValueKind::Sequence(_, item) | ValueKind::Optional(item) => item.may_hold_nodes(),
            ValueKind::Entries(_, entry) => entry.iter().any(ValueType::may_hold_nodes),
            ValueKind::Variant(types) => types.iter().any(ValueType::may_hold_nodes),
        }
    }

    /// Whether values of the type are texts.
    pub(super) fn is_text(&self) -> bool {
        matches!(&self.kind, ValueKind::Object(ty) if ty.get().is_some_and(|info| std::ptr::eq(info, &crate::value::STR)))
    }

    /// Whether the values are arrays or maps.
    pub(super) fn is_container(&self) -> bool {
        matches!(self.kind, ValueKind::Sequence(..) | ValueKind::Entries(..))
    }

    /// Whether a value of the type is one scalar in JSON: a text, a plain value, or `None`.
    pub(super) fn is_one_scalar(&self) -> bool {
        match &self.kind {
            ValueKind::Bool | ValueKind::Int | ValueKind::Float | ValueKind::DataType => true,
            ValueKind::Optional(inner) => inner.is_one_scalar(),
            ValueKind::Variant(types) => types.iter().all(ValueType::is_one_scalar),
            _ => self.is_text(),
        }
    }

    /// Whether the type accepts `None`.
    pub(super) fn is_optional(&self) -> bool {
        match &self.kind {
            ValueKind::Optional(_) | ValueKind::Any => true,
            ValueKind::Variant(types) => types.iter().any(ValueType::is_optional),
            _ => false,
        }
    }

    /// Whether values of the type are floating-point numbers.
    pub(super) fn is_float(&self) -> bool {
        matches!(self.kind, ValueKind::Float)
    }

    /// The empty value of the type, if there is one: zero, an empty text or an empty container.
    pub(super) fn empty(&self) -> Option<Any> {
        Some(match &self.kind {
            ValueKind::Any | ValueKind::Optional(_) => Any::None,
            ValueKind::Bool => Any::Bool(false),
            ValueKind::Int => Any::Int(0),
            ValueKind::Float => Any::Float(0.0),
            ValueKind::DataType => Any::DataType(DataType::void()),
            ValueKind::Sequence(info, _) if std::ptr::eq(*info, &crate::container::ARRAY) => {
                Array::<Any>::default().into()
            }
            ValueKind::Entries(info, _) if std::ptr::eq(*info, &crate::container::MAP) => {
                Map::<Any, Any>::default().into()
            }
            ValueKind::Object(_) if self.is_text() => Str::default().into(),
            _ => return None,
        })
    }

    fn accepts_object(&self, object: ObjectView<'_>) -> bool {
        match &self.kind {
            ValueKind::AnyObject => true,
            ValueKind::Object(ty) => ty.get().is_some_and(|info| object.is_instance(info)),
            ValueKind::Sequence(info, item) => is_sequence_of(object, info, &**item),
            ValueKind::Entries(info, entry) => is_map_of(object, info, &entry[0], &entry[1]),
            _ => false,
        }
    }

    /// The error for a value that the type does not accept.
    fn rejected(&self, value: AnyView<'_>) -> Error {
        let items = match &self.kind {
            ValueKind::Sequence(info, item) => value
                .as_object()
                .filter(|object| std::ptr::eq(object.type_info(), *info))
                .and_then(|object| object.as_array())
                .map(|array| (array, item)),
            _ => None,
        };
        let wrong = items.and_then(|(array, item)| {
            let (index, value) = array.iter().enumerate().find(|(_, value)| !item.is(*value))?;
            Some(mismatch(&item.text.to_string(), value).context(format_args!("element {index} of a `{}`", self.text)))
        });
        wrong.unwrap_or_else(|| mismatch(&self.text.to_string(), value))
    }

    fn is(&self, value: AnyView<'_>) -> bool {
        match (&self.kind, value) {
            (ValueKind::Any, _)
            | (ValueKind::Bool, AnyView::Bool(_))
            | (ValueKind::Int, AnyView::Int(_))
            | (ValueKind::Float, AnyView::Float(_))
            | (ValueKind::DataType, AnyView::DataType(_))
            | (ValueKind::Device, AnyView::Device(_))
            | (ValueKind::Optional(_), AnyView::None) => true,
            (ValueKind::Optional(inner), value) => inner.is(value),
            (ValueKind::Variant(types), value) => types.iter().any(|ty| ty.is(value)),
            (_, AnyView::Object(object)) => self.accepts_object(object),
            _ => false,
        }
    }
}

fn arguments(text: &TypeText, rule: &str) -> Error {
    Error::new(crate::ErrorKind::Malformed, format!("`{}`: `{}` {rule}", brief(&text.to_string()), brief(&text.name)))
}

impl ValueType {
    /// The storage of a field of this type.
    pub(super) fn runtime_storage(&self) -> RuntimeStorage {
        match &self.kind {
            ValueKind::Any => RuntimeStorage::Any,
            ValueKind::Bool => RuntimeStorage::Bool,
            ValueKind::Int => RuntimeStorage::Int,
            ValueKind::Float => RuntimeStorage::Float,
            ValueKind::DataType => RuntimeStorage::DataType,
            ValueKind::Device => RuntimeStorage::Device,
            ValueKind::AnyObject | ValueKind::Object(_) | ValueKind::Sequence(..) | ValueKind::Entries(..) => {
                RuntimeStorage::Object
            }
            ValueKind::Optional(inner) if inner.runtime_storage() == RuntimeStorage::Object => {
                RuntimeStorage::OptionalObject
            }
            ValueKind::Optional(_) | ValueKind::Variant(_) => RuntimeStorage::Any,
        }
    }
}

impl FieldRule for ValueType {
    fn accepts(&self, value: AnyView<'_>) -> bool {
        self.is(value) && self.check_number(value).is_ok()
    }

    fn convert(&self, value: Any) -> Result<Any> {
        let value = self.converted(value)?;
        self.check_number(value.view()).map(|()| value)
    }
}

impl ValueType {
    /// The value as a value of the type, whatever its size.
    fn converted(&self, value: Any) -> Result<Any> {
        match (&self.kind, value) {
            (ValueKind::Bool, value) => bool::from_any(value).map(Any::new),
            (ValueKind::Int, value) => i64::from_any(value).map(Any::new),
            (ValueKind::Float, value) => f64::from_any(value).map(Any::new),
            (ValueKind::DataType, value) => DataType::from_any(value).map(Any::new),
            (ValueKind::Device, value) => Device::from_any(value).map(Any::new),
            (ValueKind::Optional(_), Any::None) => Ok(Any::None),
            (ValueKind::Optional(inner), value) => inner.convert(value),
            (_, value) if self.is(value.view()) => Ok(value),
            (_, value) => Err(self.rejected(value.view())),
        }
    }
}

impl ElementRule for ValueType {
    fn storage(&self) -> Storage {
        match self.kind {
            ValueKind::Any => Storage::Any,
            ValueKind::Int => Storage::Int,
            _ => Storage::Other,
        }
    }

    fn accepts(&self, value: AnyView<'_>) -> bool {
        self.is(value)
    }

    fn accepts_type(&self, info: &TypeInfo) -> bool {
        match &self.kind {
            ValueKind::Any | ValueKind::AnyObject => true,
            ValueKind::Object(ty) => ty.get().is_some_and(|expected| info.is_or_extends(expected)),
            ValueKind::Optional(inner) => inner.accepts_type(info),
            ValueKind::Variant(types) => types.iter().any(|ty| ty.accepts_type(info)),
            _ => false,
        }
    }
}

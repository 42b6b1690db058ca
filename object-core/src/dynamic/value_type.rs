//! [`ValueType`]: the type of a field as a schema says it, and what it asks of values.

use std::sync::{Arc, OnceLock};

use crate::container::{Array, ElementRule, Map, is_map_of, is_sequence_of};
use crate::dynamic::decl::TypeText;
use crate::error::{Error, Result};
use crate::object::model::runtime_field::FieldRule;
use crate::object::runtime::runtime_type::RuntimeStorage;
use crate::object::{Any, AnyView, FieldType, ObjectView, Storage, TypeInfo, mismatch};
use crate::scalar::{DataType, Device};
use crate::value::Str;

/// A type that may still be in the making: types of one schema refer to each other.
#[derive(Clone)]
pub(super) struct TypeRef(Arc<OnceLock<&'static TypeInfo>>);

impl TypeRef {
    /// A type that is to be made.
    pub(super) fn open() -> Self {
        TypeRef(Arc::default())
    }

    /// A type that is there.
    pub(super) fn known(info: &'static TypeInfo) -> Self {
        let open = Self::open();
        open.set(info);
        open
    }

    /// The type has been made.
    pub(super) fn set(&self, info: &'static TypeInfo) {
        // It is made once, and an earlier one is this one.
        let _ = self.0.set(info);
    }

    /// The type, once it is there.
    pub(super) fn get(&self) -> Option<&'static TypeInfo> {
        self.0.get().copied()
    }
}

/// What a name in a type stands for.
pub(super) enum Named {
    /// A type of objects.
    Type(TypeRef),
    /// Any object.
    AnyObject,
    /// Anything.
    Any,
}

/// The type of a field.
pub(super) struct ValueType {
    /// For messages.
    text: TypeText,
    form: Form,
}

enum Form {
    Any,
    Bool,
    Int,
    Float,
    DataType,
    Device,
    AnyObject,
    Object(TypeRef),
    Sequence(&'static TypeInfo, Box<ValueType>),
    Entries(&'static TypeInfo, Box<[ValueType; 2]>),
    Optional(Box<ValueType>),
}

impl ValueType {
    /// The type in `text`, where `find` knows the types of objects.
    ///
    /// # Errors
    /// What `find` says, and a message for arguments that do not fit.
    pub(super) fn new(text: &TypeText, find: &impl Fn(&TypeText) -> Result<Named>) -> Result<Self> {
        let arg = |index| match text.args.get(index) {
            Some(text) => ValueType::new(text, find).map(Box::new),
            None => Ok(Box::new(ValueType { text: TypeText::leaf("Any"), form: Form::Any })),
        };
        let (most, form) = match text.name.as_str() {
            "Any" => (0, Form::Any),
            "bool" => (0, Form::Bool),
            "int" => (0, Form::Int),
            "float" => (0, Form::Float),
            "DataType" => (0, Form::DataType),
            "Device" => (0, Form::Device),
            "ffi.Object" => (0, Form::AnyObject),
            "Optional" if text.args.is_empty() => return Err(arguments(text, "has one argument")),
            "Optional" => (1, Form::Optional(arg(0)?)),
            "ffi.Array" => (1, Form::Sequence(&crate::container::ARRAY, arg(0)?)),
            "ffi.List" => (1, Form::Sequence(&crate::container::LIST, arg(0)?)),
            "ffi.Map" => (2, Form::Entries(&crate::container::MAP, Box::new([*arg(0)?, *arg(1)?]))),
            "ffi.Dict" => (2, Form::Entries(&crate::container::DICT, Box::new([*arg(0)?, *arg(1)?]))),
            // What arguments a function takes is found out when it is called.
            "ffi.Function" => (text.args.len(), Form::Object(TypeRef::known(&crate::value::function::FUNCTION))),
            _ => match find(text)? {
                Named::Type(found) => (0, Form::Object(found)),
                Named::AnyObject => (0, Form::AnyObject),
                Named::Any => (text.args.len(), Form::Any),
            },
        };
        match text.args.len() {
            count if count <= most => Ok(ValueType { text: text.clone(), form }),
            _ if most == 0 => Err(arguments(text, "has no arguments")),
            _ => Err(arguments(text, &format!("has at most {most} arguments"))),
        }
    }

    /// Whether a node may be in such a value.
    pub(super) fn may_hold_nodes(&self) -> bool {
        match &self.form {
            Form::Bool | Form::Int | Form::Float | Form::DataType | Form::Device => false,
            Form::Any | Form::AnyObject => true,
            Form::Object(ty) => ty.get().is_none_or(|info| info.body == crate::object::Body::Node),
            Form::Sequence(_, item) | Form::Optional(item) => item.may_hold_nodes(),
            Form::Entries(_, entry) => entry.iter().any(ValueType::may_hold_nodes),
        }
    }

    /// Whether the value is a text.
    pub(super) fn is_text(&self) -> bool {
        matches!(&self.form, Form::Object(ty) if ty.get().is_some_and(|info| std::ptr::eq(info, &crate::value::STR)))
    }

    /// Whether the value is a text or has no parts, or is either or missing.
    pub(super) fn is_one_scalar(&self) -> bool {
        match &self.form {
            Form::Bool | Form::Int | Form::Float | Form::DataType => true,
            Form::Optional(inner) => inner.is_one_scalar(),
            _ => self.is_text(),
        }
    }

    /// Whether the value may be missing.
    pub(super) fn is_optional(&self) -> bool {
        matches!(self.form, Form::Optional(_) | Form::Any)
    }

    /// Whether the value is a floating point number.
    pub(super) fn is_float(&self) -> bool {
        matches!(self.form, Form::Float)
    }

    /// The value that stands for nothing, if there is one: zero, an empty text or container.
    pub(super) fn empty(&self) -> Option<Any> {
        Some(match &self.form {
            Form::Any | Form::Optional(_) => Any::None,
            Form::Bool => Any::Bool(false),
            Form::Int => Any::Int(0),
            Form::Float => Any::Float(0.0),
            Form::DataType => Any::DataType(DataType::void()),
            Form::Sequence(info, _) if std::ptr::eq(*info, &crate::container::ARRAY) => Array::<Any>::default().into(),
            Form::Entries(info, _) if std::ptr::eq(*info, &crate::container::MAP) => Map::<Any, Any>::default().into(),
            Form::Object(_) if self.is_text() => Str::default().into(),
            _ => return None,
        })
    }

    fn accepts_object(&self, object: ObjectView<'_>) -> bool {
        match &self.form {
            Form::AnyObject => true,
            Form::Object(ty) => ty.get().is_some_and(|info| object.is_instance(info)),
            Form::Sequence(info, item) => is_sequence_of(object, info, &**item),
            Form::Entries(info, entry) => is_map_of(object, info, &entry[0], &entry[1]),
            _ => false,
        }
    }

    /// The error for a value that is not accepted.
    fn rejected(&self, value: AnyView<'_>) -> Error {
        let items = match &self.form {
            Form::Sequence(info, item) => value
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
        match (&self.form, value) {
            (Form::Any, _)
            | (Form::Bool, AnyView::Bool(_))
            | (Form::Int, AnyView::Int(_))
            | (Form::Float, AnyView::Float(_))
            | (Form::DataType, AnyView::DataType(_))
            | (Form::Device, AnyView::Device(_))
            | (Form::Optional(_), AnyView::None) => true,
            (Form::Optional(inner), value) => inner.is(value),
            (_, AnyView::Object(object)) => self.accepts_object(object),
            _ => false,
        }
    }
}

fn arguments(text: &TypeText, rule: &str) -> Error {
    Error::new(crate::ErrorKind::Malformed, format!("`{text}`: `{}` {rule}", text.name))
}

impl ValueType {
    /// The storage of a field of this type.
    pub(super) fn runtime_storage(&self) -> RuntimeStorage {
        match &self.form {
            Form::Any => RuntimeStorage::Any,
            Form::Bool => RuntimeStorage::Bool,
            Form::Int => RuntimeStorage::Int,
            Form::Float => RuntimeStorage::Float,
            Form::DataType => RuntimeStorage::DataType,
            Form::Device => RuntimeStorage::Device,
            Form::AnyObject | Form::Object(_) | Form::Sequence(..) | Form::Entries(..) => RuntimeStorage::Object,
            Form::Optional(inner) if inner.runtime_storage() == RuntimeStorage::Object => {
                RuntimeStorage::OptionalObject
            }
            Form::Optional(_) => RuntimeStorage::Any,
        }
    }
}

impl FieldRule for ValueType {
    fn accepts(&self, value: AnyView<'_>) -> bool {
        self.is(value)
    }

    fn convert(&self, value: Any) -> Result<Any> {
        match (&self.form, value) {
            (Form::Bool, value) => bool::from_any(value).map(Any::new),
            (Form::Int, value) => i64::from_any(value).map(Any::new),
            (Form::Float, value) => f64::from_any(value).map(Any::new),
            (Form::DataType, value) => DataType::from_any(value).map(Any::new),
            (Form::Device, value) => Device::from_any(value).map(Any::new),
            (Form::Optional(_), Any::None) => Ok(Any::None),
            (Form::Optional(inner), value) => inner.convert(value),
            (_, value) if self.is(value.view()) => Ok(value),
            (_, value) => Err(self.rejected(value.view())),
        }
    }
}

impl ElementRule for ValueType {
    fn storage(&self) -> Storage {
        match self.form {
            Form::Any => Storage::Any,
            Form::Int => Storage::Int,
            _ => Storage::Other,
        }
    }

    fn accepts(&self, value: AnyView<'_>) -> bool {
        self.is(value)
    }

    fn accepts_type(&self, info: &TypeInfo) -> bool {
        match &self.form {
            Form::Any | Form::AnyObject => true,
            Form::Object(ty) => ty.get().is_some_and(|expected| info.is_or_extends(expected)),
            Form::Optional(inner) => inner.accepts_type(info),
            _ => false,
        }
    }
}

//! [`RuntimeField`]: the additional description of a field of a type that a program makes at run time.

use crate::error::Result;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::enumeration::Enumeration;
use crate::object::model::type_schema::TypeSchema;

/// The values that a field accepts, among the values that its storage can hold.
pub(crate) trait FieldRule: Send + Sync + 'static {
    /// Whether the field accepts `value` without a conversion.
    fn accepts(&self, value: AnyView<'_>) -> bool;

    /// Converts `value` to the type of the field.
    ///
    /// # Errors
    /// A type mismatch.
    fn convert(&self, value: Any) -> Result<Any>;
}

/// The part of a field's description that comes from a schema, because no Rust type describes the field.
pub(crate) struct RuntimeField {
    /// The values that the field accepts.
    pub(crate) rule: Box<dyn FieldRule>,
    /// The type as schemas write it.
    pub(crate) schema: TypeSchema,
    /// The enum whose numbers the field holds.
    pub(crate) enumeration: Option<Enumeration>,
    /// Makes the default, if the field has one.
    pub(crate) default: Option<MakeDefault>,
}

/// Makes a new value at each call, so that two objects with defaults share nothing.
pub(crate) type MakeDefault = Box<dyn Fn() -> Any + Send + Sync>;

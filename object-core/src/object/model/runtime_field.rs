//! [`RuntimeField`]: what a field of a type that a program makes while it runs has beside its operations.

use crate::error::Result;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::type_schema::TypeSchema;

/// The values that a field takes, among all that its storage can hold.
pub(crate) trait FieldRule: Send + Sync + 'static {
    /// Whether the field takes `value` without a conversion.
    fn accepts(&self, value: AnyView<'_>) -> bool;

    /// Converts `value` to the type of the field.
    ///
    /// # Errors
    /// A type mismatch.
    fn convert(&self, value: Any) -> Result<Any>;
}

/// The part of a field's description that its operations do not know, because no Rust type describes the field.
pub(crate) struct RuntimeField {
    /// The values that the field takes.
    pub(crate) rule: Box<dyn FieldRule>,
    /// The type in schema words.
    pub(crate) schema: TypeSchema,
    /// Makes the default.
    pub(crate) default: Option<MakeDefault>,
}

/// Makes a value, a new one each time: two objects with defaulted fields share nothing.
pub(crate) type MakeDefault = Box<dyn Fn() -> Any + Send + Sync>;

//! [`Accepted`]: the values that a field type accepts, as far as types tell. Only the rules about enums and lists of
//! handles, which the compiler evaluates, read it.

use crate::object::model::contents::TableAddress;

/// The values that a field type accepts without a conversion.
///
/// Generated code and the field types of this crate fill it in; a hand-written [`FieldType`](crate::FieldType) keeps the
/// default.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub enum Accepted {
    /// Nothing is known about the values, so rules are silent.
    Unknown,
    /// `None`.
    None,
    /// Booleans.
    Bool,
    /// The integers in a range, with both of its ends.
    Int(i64, i64),
    /// Floats; only the ones that an `f32` represents if `single` is set.
    Float {
        /// Whether an `f32` represents all values.
        single: bool,
    },
    /// Values of [`DataType`](crate::DataType).
    DataType,
    /// Values of [`Device`](crate::Device).
    Device,
    /// Objects of one type and of the types that extend it.
    Objects(TableAddress),
    /// Arrays or maps, with the values that their elements, or their keys and values, accept.
    Container(TableAddress, &'static [Accepted]),
    /// Every object.
    AnyObject,
    /// Every value.
    Anything,
    /// The values of several types.
    OneOf(&'static [Accepted]),
}

//! `Debug` and `Display` of values and handles: the repr of the value.

use std::fmt;

use super::write::Repr;
use crate::object::{Any, AnyView, AsAnyView, ObjectHandle, ObjectRef, ObjectView};

/// Writes the repr of `value`.
fn write_repr(value: &impl AsAnyView, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    fmt::Display::fmt(&Repr::new(value), f)
}

/// `Debug` and `Display` of a handle, for generated code.
///
/// # Errors
/// As the formatter.
pub fn fmt_debug<H: ObjectHandle>(handle: &H, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write_repr(&handle.as_object().view(), f)
}

/// `Display` of a handle as the `Display` of the handle `A` of an ancestor, for generated code.
///
/// # Errors
/// As the formatter.
pub fn fmt_as<A: ObjectHandle + fmt::Display, H: ObjectHandle>(handle: &H, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match handle.downcast_ref::<A>() {
        Some(ancestor) => ancestor.fmt(f),
        None => fmt_debug(handle, f),
    }
}

macro_rules! debug_is_repr {
    ($($ty:ty),*) => {
        $(impl fmt::Debug for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_repr(self, f)
            }
        })*
    };
}

macro_rules! display_is_repr {
    ($($ty:ty),*) => {
        $(impl fmt::Display for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_repr(self, f)
            }
        })*
    };
}

debug_is_repr!(Any, AnyView<'_>, ObjectRef, ObjectView<'_>);
display_is_repr!(Any, ObjectRef);

//! Lists of handles: `variants_of!` and `visitor!`.

pub use crate::object::annotations::accepted_values::*;
pub use crate::object::model::accepted::Accepted;
pub use object_derive::{variants_of, visitor};

use std::fmt;

use crate::object::ObjectHandle;
use crate::repr::debug::fmt_debug;

/// A listed handle. For a type that is not a handle, the constant and the function of [`NotAHandle`] take the place of the
/// inherent ones, so that one place of the generated code reports the type.
pub struct ListedHandle<'a, H>(pub &'a H);

impl<H: ObjectHandle> ListedHandle<'_, H> {
    /// The objects that the handle accepts.
    pub const ACCEPTED: Accepted = H::ACCEPTED;

    /// Writes the variant `name` with the handle.
    ///
    /// # Errors
    /// The errors of the formatter.
    pub fn fmt_variant(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple(name).field(&Debugged(self.0)).finish()
    }
}

/// The constant and the function of [`ListedHandle`] for types that are not handles.
pub trait NotAHandle {
    /// Nothing is known, so rules are silent.
    const ACCEPTED: Accepted = Accepted::Unknown;

    /// Never called.
    ///
    /// # Errors
    /// Always.
    fn fmt_variant(&self, _name: &str, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Err(fmt::Error)
    }
}

impl<H> NotAHandle for ListedHandle<'_, H> {}

/// The text of a handle.
struct Debugged<'a, H>(&'a H);

impl<H: ObjectHandle> fmt::Debug for Debugged<'_, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt_debug(self.0, f)
    }
}

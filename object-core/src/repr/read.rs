//! [`ReprReader`]: the options of reading a repr.

use super::parse::Parser;
use crate::error::Result;
use crate::limits::{Limit, Limits};
use crate::object::Any;
use crate::registry::Types;

/// Reads a value from its repr, as [`Repr`](super::Repr) writes it, with the types of the registry.
///
/// A number (`%0 = ...`) stands for one object at all its occurrences. Fields with a default may be left out, and white
/// space is free. To write a value in full, lift the limit of
/// [`max_values`](super::Repr::max_values) and ask for [`tensor_data`](super::Repr::tensor_data).
///
/// ```
/// use object_core::{Any, Array, repr};
/// let value = repr::parse(r#"[%0 = {"a": 1, "b": Shape[2, 3]}, %0, float32]"#)?;
/// assert_eq!(value.to_string(), r#"[%0 = {"a": 1, "b": Shape[2, 3]}, %0, float32]"#);
/// let error = repr::parse("[1,\n {2: ...}]").unwrap_err();
/// assert!(error.to_string().starts_with("line 2, column 6: the text was cut here"), "{error}");
/// # Ok::<(), object_core::Error>(())
/// ```
///
/// # Errors
/// As [`ReprReader::read`].
pub fn parse(text: &str) -> Result<Any> {
    ReprReader::new().read(text)
}

/// Reads values from their repr with options.
///
/// ```
/// use object_core::{ErrorKind, limits::Limits, repr::ReprReader};
/// let error = ReprReader::new().limits(Limits::new().max_depth(2)).read("[[[]]]").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::LimitExceeded);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReprReader<'t> {
    types: Option<&'t Types>,
    limits: Limits,
}

impl<'t> ReprReader<'t> {
    /// A reader that looks types up in the registry.
    #[must_use]
    pub fn new() -> Self {
        ReprReader::default()
    }

    /// Looks types up in `types`.
    #[must_use]
    pub fn types(self, types: &'t Types) -> Self {
        ReprReader { types: Some(types), ..self }
    }

    /// Sets the limits of bytes, nodes, depth and messages.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        ReprReader { limits, ..self }
    }

    /// The value whose repr is `text`.
    ///
    /// # Errors
    /// With line, column and path: [`Malformed`](crate::ErrorKind::Malformed) for text that is not a repr, or that a limit
    /// has cut (`...`); [`NotConstructible`](crate::ErrorKind::NotConstructible) for functions, opaque and abstract types,
    /// and tensors without their data; [`BadReference`](crate::ErrorKind::BadReference) and
    /// [`Cycle`](crate::ErrorKind::Cycle) for numbers of no object, or of an object that is not complete;
    /// [`DuplicateKey`](crate::ErrorKind::DuplicateKey) for duplicate numbers, fields and keys;
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) for numbers that do not fit;
    /// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) for text that exceeds the [limits](Self::limits); and the errors
    /// of [`registry::type_info`](crate::registry::type_info) and [`ObjectBuilder`](crate::ObjectBuilder) for types, fields
    /// and values.
    pub fn read(self, text: &str) -> Result<Any> {
        let linked = Types::linked();
        let types = self.types.unwrap_or(&linked);
        let checked = self.limits.check(Limit::Bytes, text.len() as u64);
        let read = checked.and_then(|()| Parser::new(text, types, self.limits).parse());
        read.map_err(|error| error.shorten(self.limits.max_message))
    }
}

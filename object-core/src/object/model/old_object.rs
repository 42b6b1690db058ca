//! [`OldObject`]: the fields of an object as an earlier declaration of its type wrote them.

use crate::error::{Error, ErrorKind, Result};
use crate::object::model::any::Any;
use crate::text::brief::brief;
use crate::text::did_you_mean::{backticked, did_you_mean};

/// The fields of an object as an earlier declaration of its type wrote them, by name.
///
/// A migration changes the fields to the fields of the next version. A variant of an enum is its name, as a text.
///
/// ```
/// use object_core::prelude::*;
/// use object_core::evolution::OldObject;
///
/// // Version 1 had a width and a height, version 2 has an area.
/// fn area(old: &mut OldObject) -> Result<(), Error> {
///     let (width, height): (i64, i64) = (old.take("width")?.cast()?, old.take("height")?.cast()?);
///     old.set("area", width * height);
///     Ok(())
/// }
///
/// let mut old = OldObject::new("demo.Room", 1, [("width", Any::from(2)), ("height", Any::from(3))]);
/// area(&mut old)?;
/// assert_eq!(old.get("area").cloned().unwrap().cast::<i64>()?, 6);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct OldObject {
    type_key: String,
    version: u32,
    fields: Vec<OldField>,
}

/// A field of an [`OldObject`].
#[derive(Clone, Debug)]
pub(crate) struct OldField {
    /// The name.
    pub(crate) name: String,
    /// The value.
    pub(crate) value: Any,
    /// The index of the field in the recorded declaration; `None` for a field that a migration has set.
    pub(crate) recorded: Option<usize>,
}

impl OldObject {
    /// An object of version `version` of the type `type_key`, with these fields.
    #[must_use]
    pub fn new(
        type_key: impl Into<String>,
        version: u32,
        fields: impl IntoIterator<Item = (impl Into<String>, Any)>,
    ) -> Self {
        let field = |(name, value): (_, Any)| OldField { name: Into::into(name), value, recorded: None };
        OldObject { type_key: type_key.into(), version, fields: fields.into_iter().map(field).collect() }
    }

    /// An object with fields of a recorded declaration.
    pub(crate) fn of_fields(type_key: String, version: u32, fields: Vec<OldField>) -> Self {
        OldObject { type_key, version, fields }
    }

    /// The key of the type, as the file has it.
    #[must_use]
    pub fn type_key(&self) -> &str {
        &self.type_key
    }

    /// The version of the declaration that wrote the fields.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The names of the fields.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|field| field.name.as_str())
    }

    /// The value of a field, if there is a field with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Any> {
        self.fields.iter().find(|field| field.name == name).map(|field| &field.value)
    }

    /// Takes a field away and returns its value.
    ///
    /// # Errors
    /// [`MissingField`](ErrorKind::MissingField), which suggests the most similar name, if there is no field with this name.
    pub fn take(&mut self, name: &str) -> Result<Any> {
        Ok(self.remove(name)?.value)
    }

    fn remove(&mut self, name: &str) -> Result<OldField> {
        match self.fields.iter().position(|field| field.name == name) {
            Some(at) => Ok(self.fields.remove(at)),
            None => {
                let hint = match did_you_mean(name, self.names()) {
                    hint if hint.is_empty() => format!("; its fields are {}", backticked(self.names())),
                    hint => hint,
                };
                let (key, version) = (brief(&self.type_key), self.version);
                let message = format!("version {version} of `{key}` has no field `{}`{hint}", brief(name));
                Err(Error::new(ErrorKind::MissingField, message))
            }
        }
    }

    /// Sets a field, and replaces the value that it had. The value has the type of the field in the next version; a variant of an
    /// enum is its name, as a text.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<Any>) {
        let (name, value) = (name.into(), value.into());
        self.fields.retain(|field| field.name != name);
        self.fields.push(OldField { name, value, recorded: None });
    }

    /// Gives a field another name, and replaces a field that had this name.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub fn rename(&mut self, old: &str, new: impl Into<String>) -> Result<()> {
        let (field, name) = (self.remove(old)?, new.into());
        self.fields.retain(|field| field.name != name);
        self.fields.push(OldField { name, ..field });
        Ok(())
    }

    /// The fields.
    pub(crate) fn into_fields(self) -> Vec<OldField> {
        self.fields
    }
}

//! [`Types`]: the types that a reader accepts: the registry with additions and replacements, or a set of its own.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::object::TypeInfo;
use crate::registry::linked::{
    self, BUILTIN, TypesByKey, builtin, duplicate, linked, linked_types, renamed, unknown, unknown_among,
};
use crate::text::brief::brief;

/// Types by key: the types of the registry, or of this crate alone, and further types that only the readers with this value
/// accept.
#[derive(Clone, Default)]
pub struct Types {
    own: TypesByKey,
    /// Whether the types of linked crates do not belong to the set; the types of this crate do.
    is_standalone: bool,
    /// The reason for each key that is missing although callers may expect it.
    left_out: Arc<BTreeMap<String, String>>,
}

impl fmt::Debug for Types {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.own().iter().map(|info| info.type_key)).finish()
    }
}

impl Types {
    /// The types of the registry alone, also those that are registered later.
    #[must_use]
    pub fn linked() -> Self {
        Types::default()
    }

    /// The types of this crate alone: texts, bytes, shapes, tensors, functions and containers.
    #[must_use]
    pub fn builtin() -> Self {
        Types { is_standalone: true, ..Types::default() }
    }

    /// Adds a type.
    ///
    /// # Errors
    /// [`DuplicateKey`](ErrorKind::DuplicateKey), naming both declarations, if another type has the same key, here or in
    /// the registry.
    pub fn insert(&mut self, info: &'static TypeInfo) -> Result<()> {
        match self.find(info.type_key)? {
            Some(old) if !std::ptr::eq(old, info) => Err(duplicate(old, info.location)),
            _ => {
                self.own.insert(info.type_key, info);
                Ok(())
            }
        }
    }

    /// Adds a type, in place of the type with the same key if there is one.
    pub(crate) fn replace(&mut self, info: &'static TypeInfo) {
        self.own.insert(info.type_key, info);
    }

    /// Sets the reasons why keys are missing.
    pub(crate) fn explain(&mut self, left_out: BTreeMap<String, String>) {
        self.left_out = Arc::new(left_out);
    }

    /// The keys that are missing although callers may expect them, each with the reason.
    pub fn left_out(&self) -> impl Iterator<Item = (&str, &str)> {
        self.left_out.iter().map(|(key, reason)| (key.as_str(), reason.as_str()))
    }

    /// The type with the given key, if there is one.
    pub(crate) fn find(&self, type_key: &str) -> Result<Option<&'static TypeInfo>> {
        match self.own.get(type_key) {
            Some(info) => Ok(Some(*info)),
            None if self.is_standalone => Ok(builtin(type_key)),
            None => linked(type_key),
        }
    }

    /// The type that has or had the given key. A key that a type has counts first.
    ///
    /// # Errors
    /// As [`registry::type_info`](super::type_info). For a key in [`left_out`](Self::left_out), the error gives the reason.
    pub fn get(&self, type_key: &str) -> Result<&'static TypeInfo> {
        if let Some(info) = self.find(type_key)? {
            return Ok(info);
        }
        let others = if self.is_standalone { Vec::new() } else { linked_types()? };
        let is_replaced = |info: &&TypeInfo| self.own.contains_key(info.type_key);
        let others = others.into_iter().filter(|info| !is_replaced(info));
        renamed(type_key, self.own.values().copied().chain(others))?.ok_or_else(|| match self.left_out.get(type_key) {
            Some(reason) => {
                let message = format!("no type has the type key `{}`: {}", brief(type_key), brief(reason));
                Error::new(ErrorKind::UnknownType, message)
            }
            None if self.is_standalone => unknown_among(type_key, &self.own),
            None => unknown(type_key, &self.own),
        })
    }

    /// Whether a type has the given key.
    ///
    /// # Errors
    /// [`DuplicateKey`](ErrorKind::DuplicateKey) if two linked types have this key.
    pub fn has(&self, type_key: &str) -> Result<bool> {
        Ok(self.find(type_key)?.is_some())
    }

    /// The further types, without the types of the registry and of this crate, sorted by key.
    #[must_use]
    pub fn own(&self) -> Vec<&'static TypeInfo> {
        let mut own: Vec<_> = self.own.values().copied().collect();
        own.sort_by_key(|info| info.type_key);
        own
    }

    /// All types, sorted by key.
    ///
    /// # Errors
    /// As [`registry::types`](super::types).
    pub fn all(&self) -> Result<Vec<&'static TypeInfo>> {
        let mut all = if self.is_standalone { BUILTIN.to_vec() } else { linked::types()? };
        all.retain(|info| !self.own.contains_key(info.type_key));
        all.extend(self.own.values());
        all.sort_by_key(|info| info.type_key);
        Ok(all)
    }
}

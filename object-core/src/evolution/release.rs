//! [`Release`]: the declarations of a release of the program, which say how to read its files without declarations.

use std::collections::HashMap;

use crate::error::Result;
use crate::evolution::recorded_type::{RecordedType, fingerprint};
use crate::evolution::upgrade::Upgrade;
use crate::object::TypeInfo;

/// The declarations of the types of a release. [`Schema::release`](crate::dynamic::Schema::release) makes them.
#[derive(Clone, Debug, Default)]
pub struct Release {
    types: HashMap<String, RecordedType>,
}

impl Release {
    /// The declarations of these types, by key.
    pub(crate) fn new(types: HashMap<String, RecordedType>) -> Self {
        Release { types }
    }

    /// The declaration of the type with this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&RecordedType> {
        self.types.get(key)
    }

    /// The conversion from the declaration of the release to the declaration of `info`, for objects with the key `key` in the file. `None`
    /// if the declarations are the same, or the release has none.
    ///
    /// # Errors
    /// As [`Upgrade::new`].
    pub(crate) fn upgrade(&self, info: &'static TypeInfo, key: &str) -> Result<Option<Upgrade>> {
        match self.get(key).filter(|_| RecordedType::is_in_files(info)) {
            Some(record) if record.fingerprint() != fingerprint(info) => {
                Upgrade::new(info, key, record.clone()).map(Some)
            }
            _ => Ok(None),
        }
    }
}

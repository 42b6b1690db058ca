//! The keys of JSON maps, and values that a reader skips.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::source::Source;

/// Reads a value and drops it. JSON is read as text, because that is checked to be UTF-8, from a stream as from memory.
/// `IgnoredAny` does not check.
pub(crate) fn skip_value<'de, A: MapAccess<'de>>(map: &mut A, source: Source) -> Result<(), A::Error> {
    match source {
        Source::JsonText => map.next_value::<Box<RawValue>>().map(drop),
        Source::AnyFormat => map.next_value::<IgnoredAny>().map(drop),
    }
}

/// A key of a JSON map.
pub(crate) struct Key<'de>(pub(crate) Cow<'de, str>);

/// Reads a [`Key`].
pub(crate) struct KeySeed;

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = Key<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key<'de>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for KeySeed {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Borrowed(key)))
    }

    fn visit_str<E>(self, key: &str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Owned(key.to_owned())))
    }
}

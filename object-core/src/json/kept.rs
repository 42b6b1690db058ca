//! Objects of types that the program does not know, kept with the text of their data
//! ([`JsonReader::keep_unknown_types`](crate::json::JsonReader::keep_unknown_types)).
//!
//! A number in the text is the index of a node or a value, and only the type says which. So the object keeps the text, and
//! the node of each number that can be an index. The writer checks that these nodes get the same numbers again.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::container::{MAP, Map};
use crate::error::{Error, ErrorKind, Result};
use crate::graph::{bytes_of, list_bytes};
use crate::json::json_scalar::JsonScalarSeed;
use crate::json::map_key::{Key, KeySeed};
use crate::json::odd_numbers::unfilter;
use crate::json::options::JsonReader;
use crate::json::source::Source;
use crate::object::{Any, Buildable, FieldInfo, ObjectRef, TypeInfo, kept_declaration, kept_type};
use crate::value::Str;

impl JsonReader<'_> {
    /// The type of an object with a key that leads to `error`, if the reader keeps such objects. `declaration` is the filtered
    /// text of the declaration in the file, or empty.
    pub(crate) fn kept_type(self, type_key: &str, declaration: &str, error: Error) -> Result<&'static TypeInfo> {
        match error.kind() {
            ErrorKind::UnknownType if self.keeps_unknown_types => kept_type(type_key, &unfilter(declaration), None),
            _ => Err(error),
        }
    }
}

/// An object of an unknown type that is not made.
pub(crate) struct KeptParts {
    info: &'static TypeInfo,
    /// The index of the node.
    index: usize,
    /// The filtered text of the data.
    data: Box<RawValue>,
    /// The numbers in the data that can be indices of nodes, each of which comes before the node.
    numbers: Vec<u32>,
}

impl KeptParts {
    /// The data of a node with the type `info`.
    pub(crate) fn new(info: &'static TypeInfo, data: Box<RawValue>) -> Self {
        KeptParts { info, index: 0, data, numbers: Vec::new() }
    }

    /// Sets the index of the node.
    pub(crate) fn set_index(&mut self, index: usize) {
        self.index = index;
        self.find_numbers();
    }

    fn find_numbers(&mut self) {
        let is_value = |key: &str| self.info.field(key).is_some_and(|(_, field)| field.is_inline());
        // JSON graphs have references in fields only.
        let numbers = fields_of(&self.data)
            .into_iter()
            .filter(|(key, _)| !is_value(key))
            .filter_map(|(_, value)| value.get().parse().ok());
        self.numbers = numbers.filter(|number: &u32| (*number as usize) < self.index).collect();
        self.numbers.sort_unstable();
        self.numbers.dedup();
    }

    /// The type key.
    pub(crate) fn type_key(&self) -> &'static str {
        self.info.type_key
    }

    /// The numbers in the data that can be indices of nodes, in ascending order before [`visit_first`](Self::visit_first).
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// An upper bound of the bytes of the object, without its base, and of the parts themselves.
    pub(crate) fn bytes(&self) -> usize {
        bytes_of(self.info, 0) + 2 * self.data.get().len() + list_bytes(&MAP, 2 * self.numbers.len())
    }

    /// Makes the type of the object extend `base`.
    ///
    /// # Errors
    /// As [`kept_type`].
    pub(crate) fn extend(&mut self, base: &'static TypeInfo) -> Result<()> {
        self.info = kept_type(self.info.type_key, kept_declaration(self.info), Some(base))?;
        self.find_numbers();
        Ok(())
    }

    /// Moves `visits` before the other numbers.
    pub(crate) fn visit_first(&mut self, visits: &[u32]) {
        self.numbers.retain(|number| visits.binary_search(number).is_err());
        self.numbers.splice(0..0, visits.iter().copied());
    }

    /// Makes the object. `value` gives the values of nodes.
    ///
    /// # Errors
    /// The errors of the fields of the base.
    pub(crate) fn make(&self, value: impl Fn(u32) -> Any) -> Result<ObjectRef> {
        let mut builder = Buildable::new_instance(self.info)?.builder();
        let inherited = self.info.parent().map_or(&[][..], TypeInfo::fields);
        for (key, data) in fields_of(&self.data) {
            if let Some(index) = inherited.iter().position(|field| field.name == key) {
                let field = &inherited[index];
                let read = self.inherited_value(field, data, &value);
                let set = read.and_then(|value| builder.set_index(index, value));
                set.map_err(|error| error.context(format_args!("`{}`: field `{key}`", self.info.type_key)))?;
            }
        }
        let nodes = Map::<i64, Any>::new(self.numbers.iter().map(|number| (i64::from(*number), value(*number))));
        builder.set_index(inherited.len(), Str::new(&unfilter(self.data.get())).into())?;
        builder.set_index(inherited.len() + 1, nodes.into())?;
        builder.build()
    }

    /// The value of a field of the base.
    fn inherited_value(&self, field: &FieldInfo, data: &RawValue, value: impl Fn(u32) -> Any) -> Result<Any> {
        let scalar = JsonScalarSeed(Source::JsonText).deserialize(&mut serde_json::Deserializer::from_str(data.get()));
        let scalar = scalar.map_err(|error| Error::new(ErrorKind::Malformed, error.to_string()))?;
        if field.is_inline() {
            return scalar.inline(field);
        }
        let index = scalar.index()?;
        if self.numbers.contains(&index) {
            return Ok(value(index));
        }
        let message = format!("node {index} does not come before the node, as a child of an unknown type has to");
        Err(Error::new(ErrorKind::BadReference, message))
    }
}

/// The fields of the data of a node; none if the data is not a map.
fn fields_of(data: &RawValue) -> Vec<(Cow<'_, str>, &RawValue)> {
    serde_json::Deserializer::from_str(data.get()).deserialize_map(FieldsVisitor).unwrap_or_default()
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(Key(key)) = map.next_key_seed(KeySeed)? {
            fields.push((key, map.next_value()?));
        }
        Ok(fields)
    }
}

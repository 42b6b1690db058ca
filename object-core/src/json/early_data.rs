//! [`EarlyData`]: the data of a node that stands before the type of the node, in a format other than JSON text.
//!
//! The keys of sorted maps, as of `serde_json::Value`, are in this order. JSON text keeps such data as text.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::source::Source;
use crate::error::{Error, Result};
use crate::json::json_scalar::{JsonScalar, JsonScalarSeed, visit_scalars};
use crate::json::map_key::{Key, KeySeed};
use crate::limits::{Budget, Limit, Limits};
use crate::meter::Charge;

/// The data of a node, before the reader knows its meaning.
pub(crate) enum EarlyData<'de> {
    Scalar(JsonScalar<'de>),
    List(Vec<JsonScalar<'de>>),
    Map(Vec<(Key<'de>, JsonScalar<'de>)>),
}

/// Reads [`EarlyData`].
pub(crate) struct EarlyDataSeed<'r> {
    budget: Budget,
    memory: &'r mut Charge,
    /// The error, if a limit ends the reading.
    excess: &'r mut Option<Error>,
}

impl<'r> EarlyDataSeed<'r> {
    /// Reads data within the limit of nodes. Counts its memory in `memory`.
    pub(crate) fn new(limits: &Limits, memory: &'r mut Charge, excess: &'r mut Option<Error>) -> Self {
        EarlyDataSeed { budget: Budget::new(limits, Limit::Nodes), memory, excess }
    }

    /// Counts an element with texts of so many bytes.
    fn count<E: de::Error>(&mut self, bytes: usize) -> Result<(), E> {
        let bytes = (size_of::<(Key<'_>, JsonScalar<'_>)>() + bytes) as u64;
        self.budget.spend(1).and_then(|()| self.memory.grow(bytes)).map_err(|error| {
            self.excess.get_or_insert(error);
            E::custom("")
        })
    }

    fn source(&self) -> Source {
        Source::AnyFormat
    }

    fn visit_scalar<E: de::Error>(mut self, scalar: JsonScalar<'_>) -> Result<EarlyData<'_>, E> {
        self.count(scalar.bytes())?;
        Ok(EarlyData::Scalar(scalar))
    }
}

impl<'de> DeserializeSeed<'de> for EarlyDataSeed<'_> {
    type Value = EarlyData<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<EarlyData<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for EarlyDataSeed<'_> {
    type Value = EarlyData<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the data of a node")
    }

    visit_scalars!(EarlyData<'de>);

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<EarlyData<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(scalar) = seq.next_element_seed(JsonScalarSeed(Source::AnyFormat))? {
            self.count(scalar.bytes())?;
            list.push(scalar);
        }
        Ok(EarlyData::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<EarlyData<'de>, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key_seed(KeySeed)? {
            let scalar = map.next_value_seed(JsonScalarSeed(Source::AnyFormat))?;
            self.count(key.0.len() + scalar.bytes())?;
            entries.push((key, scalar));
        }
        Ok(EarlyData::Map(entries))
    }
}

/// Gives a value that is read already to a visitor.
pub(crate) struct EarlyDeserializer<T, E>(T, PhantomData<E>);

impl<'de, E: de::Error> IntoDeserializer<'de, E> for EarlyData<'de> {
    type Deserializer = EarlyDeserializer<Self, E>;

    fn into_deserializer(self) -> Self::Deserializer {
        EarlyDeserializer(self, PhantomData)
    }
}

impl<'de, E: de::Error> IntoDeserializer<'de, E> for JsonScalar<'de> {
    type Deserializer = EarlyDeserializer<Self, E>;

    fn into_deserializer(self) -> Self::Deserializer {
        EarlyDeserializer(self, PhantomData)
    }
}

impl<'de, E: de::Error> IntoDeserializer<'de, E> for Key<'de> {
    type Deserializer = de::value::CowStrDeserializer<'de, E>;

    fn into_deserializer(self) -> Self::Deserializer {
        self.0.into_deserializer()
    }
}

impl<'de, E: de::Error> Deserializer<'de> for EarlyDeserializer<EarlyData<'de>, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            EarlyData::Scalar(scalar) => scalar.into_deserializer().deserialize_any(visitor),
            EarlyData::List(list) => SeqDeserializer::new(list.into_iter()).deserialize_any(visitor),
            EarlyData::Map(entries) => MapDeserializer::new(entries.into_iter()).deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de, E: de::Error> Deserializer<'de> for EarlyDeserializer<JsonScalar<'de>, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            JsonScalar::Null => visitor.visit_unit(),
            JsonScalar::Bool(value) => visitor.visit_bool(value),
            JsonScalar::Int(value) => visitor.visit_i64(value),
            JsonScalar::Large(value) => visitor.visit_u64(value),
            JsonScalar::Float(value) => visitor.visit_f64(value),
            JsonScalar::Text(text) => text.into_deserializer().deserialize_any(visitor),
            JsonScalar::Bytes(bytes) => visitor.visit_byte_buf(bytes.into_owned()),
            // The reader reports that it is not a single value, or skips it.
            JsonScalar::List => SeqDeserializer::new(std::iter::empty::<JsonScalar<'de>>()).deserialize_any(visitor),
            JsonScalar::Map => {
                let entries = std::iter::empty::<(Key<'de>, JsonScalar<'de>)>();
                MapDeserializer::new(entries).deserialize_any(visitor)
            }
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

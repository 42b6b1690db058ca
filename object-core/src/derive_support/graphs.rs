//! `serde::Serialize` and `serde::Deserialize` of handles, and of the values of this crate.

pub use crate::json::{deserialize_graph, serialize_graph};
pub use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::container::{Array, Map};
use crate::object::{Any, ObjectRef};
use crate::value::{Bytes, Shape, Str, Tensor};

crate::serde_graph!([] Any);
crate::serde_graph!([] ObjectRef);
crate::serde_graph!([] Str);
crate::serde_graph!([] Bytes);
crate::serde_graph!([] Shape);
crate::serde_graph!([] Tensor);
crate::serde_graph!([T] Array<T>);
crate::serde_graph!([K, V] Map<K, V>);

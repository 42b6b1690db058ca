//! JSON graphs, the format of `tvm.ir.save_json` in TVM 0.25: a list of nodes that refer to each other by index, so
//! sharing is kept and depth costs nothing.
//!
//! ```
//! use object_core::{Array, json};
//! let text = json::to_string(&Array::from([1, 2]))?;
//! assert_eq!(text, r#"{"root_index":2,"nodes":[{"type":"int","data":1},{"type":"int","data":2},{"type":"ffi.Array","data":[0,1]}]}"#);
//! let back: Array<i64> = json::from_slice(text.as_bytes())?;
//! assert_eq!(back.len(), 2);
//! # Ok::<(), object_core::Error>(())
//! ```
//!
//! [`JsonReader`] and [`JsonWriter`] have the options: types of a schema, and metadata beside the nodes.
//!
//! A graph with objects of types that are not in the form of TVM begins with the entry `declarations`: for each of these types the
//! `fingerprint` of its declaration, the `version` if it is not 1, the versions of its `ancestors` in the same way, the field that
//! stands in `json` for the object, and the types of all `fields`, with the default in a list where it is a plain value or a text.
//! The word `ref` before a type says that the value has a node of its own. Such a graph has variants of enums by name, and the texts
//! `"NaN"`, `"Infinity"` and `"-Infinity"` for numbers that JSON lacks. The module [`evolution`](crate::evolution) says how readers use it.
//!
//! # Other formats
//!
//! With the feature `serde`, handles, [`Any`](crate::Any), [`ObjectRef`](crate::ObjectRef), arrays, maps, texts, bytes, shapes and
//! tensors implement `serde::Serialize` and `serde::Deserialize`, so an object is a field of a struct of serde, and a graph is a value
//! of each format that describes itself: JSON, CBOR, MessagePack, YAML. The value is the data of a JSON graph, with the
//! declarations. It keeps the sharing inside one value; two fields of a struct share nothing.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use object_core::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Object)]
//! #[object(type_key = "doc.serde.Plan")]
//! #[structural_eq(tree)]
//! pub struct PlanNode { steps: Array<i64> }
//!
//! #[derive(Serialize, Deserialize)]
//! struct Request { user: String, plan: Plan, fallback: Option<Plan> }
//!
//! let request = Request { user: "ada".to_owned(), plan: Plan::new([1, 2]), fallback: None };
//! let mut cbor = Vec::new();
//! ciborium::into_writer(&request, &mut cbor)?;
//! let back: Request = ciborium::from_reader(&cbor[..])?;
//! assert!(structural_equal(&back.plan, &request.plan));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Formats for people have bytes and tensors in base64, and texts for `NaN` and infinities; the others have them as they are.
//! `Deserialize` has [the limits for strangers](crate::Limits::untrusted); `JsonReader` is a
//! `serde::de::DeserializeSeed` with its options. Maps may have any order, except that declarations that differ from the ones
//! of the program stand before the nodes, as all writers and sorted maps put them. A format that does not describe itself, such as
//! postcard, is an error of this format.
//!
//! # How it works
//!
//! `read` tries the `fast` reader, which knows the form that TVM and this crate write, and else takes the `general`
//! reader, which accepts every form, also of other formats, and reports what is wrong. Both leave the meaning of a node's data to `node_type` and
//! `json_scalar`. `declarations` compares the declarations of a file with the program; if they differ, the general reader makes the
//! objects by an `Upgrade`. `write` asks `node_order` for the nodes, each after its children.

mod account;
mod assemble;
mod declarations;
mod direct_mapped;
mod early_data;
mod fast;
mod float_text;
mod general;
mod general_node;
mod graph;
mod json_buf;
mod json_scalar;
mod kept;
mod kept_bases;
mod kept_order;
mod map_key;
mod node_order;
mod node_plan;
mod node_starts;
mod node_type;
mod odd_numbers;
mod options;
mod read;
#[cfg(all(test, feature = "inventory"))]
mod reader_agreement;
mod scan;
#[cfg(feature = "serde")]
mod serde_form;
mod source;
mod swar;
mod tensor_blob;
mod tensor_store;
mod write;

#[cfg(feature = "binary")]
pub(crate) use crate::json::account::Account;
pub use crate::json::float_text::general_float;
pub use crate::json::graph::{Graph, Metadata};
#[cfg(feature = "binary")]
pub(crate) use crate::json::node_order::{NodeOrder, order_nodes};
pub use crate::json::options::{JsonReader, JsonWriter};
pub use crate::json::read::{from_reader, from_slice, from_str};
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use crate::json::serde_form::{deserialize_graph, serialize_graph};
pub use crate::json::tensor_store::TensorStore;
pub use crate::json::write::{to_string, to_writer};

//! JSON graphs, the format of `tvm.ir.save_json` in TVM 0.25: a list of nodes that refer to each other by index, so
//! that sharing is kept and depth costs nothing.
//!
//! ```
//! use object_core::{Array, Any, json::{read_json, to_json}};
//! let text = to_json(Any::from(Array::from([1, 2])).view(), None)?;
//! assert_eq!(text, r#"{"root_index":2,"nodes":[{"type":"int","data":1},{"type":"int","data":2},{"type":"ffi.Array","data":[0,1]}]}"#);
//! assert_eq!(read_json(text.as_bytes())?.root.cast::<Array<i64>>()?.len(), 2);
//! # Ok::<(), object_core::Error>(())
//! ```

mod assemble;
mod canonical;
mod non_finite;
mod metadata;
mod node;
mod node_type;
mod number;
mod order;
mod reader;
mod direct_mapped;
mod scalar;
mod scan;
mod tensor_blob;
mod json_buf;
mod swar;
mod writer;

pub use crate::json::metadata::Metadata;
pub use crate::json::reader::{Graph, JsonReader, read_json, read_json_from};
pub use crate::json::writer::{to_json, write_json};

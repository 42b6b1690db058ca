//! Binary graphs: a compact form of the graphs of [`json`](crate::json), which loads several times as fast, by parts, and
//! whose tensors a program maps instead of copying them.
//!
//! ```
//! use object_core::{Array, Bytes, binary, json::JsonReader};
//! let bytes = Bytes::from_owner(binary::to_vec(&Array::from([1, 2, 3]), None)?);
//! assert!(binary::is_binary(&bytes));
//! let graph = JsonReader::new().read_binary(&bytes)?;
//! assert_eq!(graph.root.cast::<Array<i64>>()?, [1, 2, 3]);
//! # Ok::<(), object_core::Error>(())
//! ```
//!
//! [`BinaryFile`] opens a file and leads to its nodes, so that a program loads one function of a large module:
//!
//! ```
//! use object_core::binary::{self, BinaryFile};
//! use object_core::json::JsonReader;
//! use object_core::{Array, Bytes, structural_hash};
//!
//! let parts = Array::from([Array::from([1, 2]), Array::from([3, 4])]);
//! let bytes = Bytes::from_owner(binary::to_vec(&parts, None)?);
//! let file = BinaryFile::open(&bytes, JsonReader::new())?;
//! let second = file.root().elements().nth(1).expect("the array has two elements").load()?;
//! assert_eq!(structural_hash(&second), structural_hash(&parts[1]));
//! # Ok::<(), object_core::Error>(())
//! ```
//!
//! # The format, version 2
//!
//! All numbers are little-endian. A file is a file of [safetensors](https://huggingface.co/docs/safetensors), so that the tools of
//! this format see the tensors of a graph: 8 bytes with the length of the header, the header, which is JSON, and the data of the
//! entries. Spaces after the header make its end a multiple of 64.
//!
//! | key of the header | value |
//! |---|---|
//! | `__metadata__` | `object_graph`, the first key: the version of the format; `directory`: see below; `metadata`: the JSON text beside the graph, if there is one |
//! | `columns` | the entry with all columns, as bytes |
//! | `tensor.N` | the entry of the tensor with index N, counted from 0; its data begins at a multiple of 64 in the file. An element type that safetensors does not have is `U8` here |
//! | `gap.N` | zeros between two entries, for their alignment |
//!
//! The directory is JSON: `{"root":R,"groups":[{"type":KEY,"declaration":RECORD,"rows":COUNT,"columns":[[NAME,HOLDS,WIDTH,BASE,LENGTH],...]},...],"order":COLUMN}`. A group
//! has all nodes of one type. The nodes of the first group have the numbers from 0 on, the nodes of the next group the following
//! ones. RECORD, which types of TVM lack, is the declaration of the type as in the entry `declarations` of [`json`](crate::json), so
//! files of earlier declarations are [upgraded](crate::evolution) as files in JSON are. `R` is the number of the root.
//!
//! The column `order`, of the meaning `int`, follows the columns of all groups. It has a number for each node that is not a plain value: the
//! index of the group of the node. Each node stands there after the nodes to which it refers, and the nodes of a group stand in
//! the order of their numbers. So a reader makes plain values first, and then one node after the other.
//!
//! A column has LENGTH numbers of WIDTH bytes, 0 to 8. BASE, an unsigned number of 64 bits, is added to each of them, modulo 2^64. So a
//! column of equal numbers takes no bytes. The columns follow each other in the entry `columns`, in the order of the directory, and 8
//! bytes of any value follow the last one. HOLDS says the meaning of a number: `node` is the number of a node, `none` is 0, `bool` is 0
//! or 1, `int` is an integer of 64 bits in two's complement, `float` the bits of a number of 64 bits, `dtype` the code, the bits and the
//! lanes of a data type in 8, 8 and 16 bits from the lowest on, `device` type and number of a device in 32 bits each, `byte` a byte.
//!
//! | type of the group | columns |
//! |---|---|
//! | `None`, `bool`, `int`, `float`, `DataType`, `Device` | `value` |
//! | a type with fields | a column for each field, by its name: `node` if the field can hold objects or its values have several kinds |
//! | a type that one field stands for, such as an operator by its name | that field; or `ends` and `bytes` for texts, which have a group of their own if the graph has both |
//! | arrays and maps | `ends`: for each row, the number of elements in it and all rows before; `elements`: nodes, for a map keys and values in turn |
//! | `ffi.String`, `ffi.Bytes` | `ends`, `bytes` |
//! | `ffi.Shape` | `ends`, `extents` |
//! | `ffi.Tensor` | `dtype`; `ends` and `extents` of the shapes; `entry`: 1 more than the index of the entry, or 0; `ends` and `bytes`: the data of tensors without entry |
//!
//! Elements, extents and bytes take at least one byte each. A tensor of at least 4096 bytes has an entry.
//!
//! # Files from strangers
//!
//! The reader checks each number when it uses it. Its memory is in proportion to the file, within the limits and the meter of the
//! [`JsonReader`](crate::json::JsonReader). Numbers and references have types in the file, so a changed declaration never makes a
//! number a reference.
//!
//! # How it works
//!
//! `groups` sorts the nodes of a graph by type, and `write` encodes their columns. `container` reads and writes the header, `file` opens
//! a file, `node` walks in it, and `load` makes values.

mod column;
mod container;
mod directory;
mod file;
mod groups;
mod load;
mod node;
mod read;
mod write;

pub use container::{START, is_binary};
pub use file::{BinaryFile, BinaryParts};
pub use node::BinaryNode;
pub use write::{to_vec, to_writer};

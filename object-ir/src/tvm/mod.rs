//! The versions of TVM whose files this crate reads.
//!
//! The Rust types of this crate are the types of TVM 0.25. The types of later versions are data: a schema and a table of
//! hooks, which make [dynamic types](object_core::dynamic). All operations of `object-core` work on both. The checker, the
//! normalizer, the printer of scripts and all other code that knows the meaning of Relax work on the Rust types alone;
//! [`TvmVersion::to_rust_types`] makes the module with Rust types of a module of a later version, and
//! [`TvmVersion::convert`] converts in both directions.
//!
//! | version | types | works |
//! |---|---|---|
//! | 0.25 | Rust types | everything |
//! | 0.27 | dynamic types | reading, writing, equality, hashing, diffs, rewriting, statistics, pictures; everything else with Rust types |
//!
//! [`GraphReader`] recognizes the version of a file:
//!
//! ```
//! use object_core::structural_equal;
//! use object_ir::tvm::{GraphReader, TvmVersion};
//!
//! let text = br#"{"root_index":1,"nodes":[{"type":"None"},
//!     {"type":"relax.ShapeType","data":{"span":0,"values":0,"ndim":2}}],"metadata":{"tvm_version":"0.27.0"}}"#;
//! let file = GraphReader::new().read(text)?;
//! assert_eq!(file.version.version, TvmVersion::V0_27);
//! assert!(structural_equal(&file.graph.root, &GraphReader::new().read(text)?.graph.root));
//! # Ok::<(), object_core::Error>(())
//! ```
//!
//! `data/tvm_0_27.json` has the types of TVM 0.27; `data/make_tvm_types.py` writes it from the registry of a running
//! TVM. [`TvmVersion`] makes the types at their first use, with the hooks of `hooks.rs`, which share their rules with
//! the hooks of the Rust types (`ir/hooks.rs`). [`FileVersion`] recognizes the version of a file by the last
//! `tvm_version` in its text, or else by the first type key that only one version has. A further version needs a
//! schema, a table of hooks, a line in [`TvmVersion`], a step of conversion from and to its neighbour (`convert`), and tests with
//! modules that it saved; "Add a version of TVM" in `CONTRIBUTING.md` lists the files. `data/ops_0_27.txt` has the names of the operators of TVM 0.27, `tvm.ir.Op.list_op_names()`.

mod convert;
mod file_version;
mod hooks;
mod reader;
mod version;

pub use convert::{scalars_after_outputs, scalars_before_outputs};
pub use file_version::FileVersion;
pub use reader::{GraphReader, VersionedGraph};
pub use version::TvmVersion;

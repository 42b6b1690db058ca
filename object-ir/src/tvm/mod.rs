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
//! `data/tvm_0_26.json` and `data/tvm_0_27.json` have the types of these versions, and `data/ops_0_26.txt` and `data/ops_0_27.txt` the
//! names of their operators; `data/make_tvm_types.py` writes them from the registry of a running TVM. [`TvmVersion`] makes the types at
//! their first use, with the hooks of `hooks.rs`, which share their rules with the hooks of the Rust types (`ir/hooks.rs`).
//! [`FileVersion`] recognizes the version of a file by the last `tvm_version` in its text, or else by the first type keys that only one
//! version has. "Add a version of TVM" in `CONTRIBUTING.md` lists what a further version needs.

mod convert;
mod file_version;
mod hooks;
mod reader;
mod version;

pub use convert::{MOVED_SCALARS, scalars_after_outputs, scalars_before_outputs};
pub use file_version::FileVersion;
pub use reader::{GraphReader, VersionedGraph};
pub use version::TvmVersion;

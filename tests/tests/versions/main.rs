//! Versions of TVM: files, types and scalars of each.

#[path = "../common/mod.rs"]
mod common;

mod tvm26;
mod tvm27;
mod version_scalars;

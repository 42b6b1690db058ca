//! Types and functions of a crate in a process with [tvm-ffi](https://tvm.apache.org/ffi): one line makes a library whose
//! objects Python reads, builds, compares and passes back.
//!
//! ```
//! use object_core::prelude::*;
//!
//! #[derive(Object)]
//! #[object(type_key = "doc.ffi.Add")]
//! #[structural_eq(tree)]
//! struct AddNode {
//!     lhs: i64,
//!     rhs: i64,
//! }
//!
//! object_ffi::export!();
//! # fn main() {}
//! ```
//!
//! The crate is a `cdylib`. Its load in Python registers every linked type and every function of the registry:
//!
//! ```python
//! import tvm_ffi
//!
//! module = tvm_ffi.load_module("libmycrate.so")
//!
//! @tvm_ffi.register_object("doc.ffi.Add")
//! class Add(tvm_ffi.Object): ...
//!
//! assert Add(1, 2).lhs == 1
//! ```
//!
//! An object that Python sees is a *proxy*: an object of tvm-ffi that owns a reference to the object of Rust. An object has at
//! most one proxy at a time, so that `same_as` holds. Text, numbers, shapes, lists and maps are converted, and arrays once
//! while tvm-ffi holds them. Tensors of Rust share their memory with Python. A function of Rust gets a copy of a tensor of Python, or its memory if the argument
//! is a [`TensorView`]. `docs/13_live_objects.md`
//! in the repository is the guide.
//!
//! The crate uses the C ABI of tvm-ffi 0.1.12 to 0.1.16, which it finds in the process; it needs neither Python nor C++ to
//! build. It supports Linux.

// The modules are in the order of their layers, the lowest first; `tests/data/layers.md` has the table.
mod abi;
mod runtime;
mod handle;
mod errors;
mod value;
mod foreign;

mod memory;
mod identity;
mod release;
mod tensor_view;
mod proxy;
mod schema;

mod exchange;

mod load;
mod start;
// Tests of the workspace run its examples.
#[cfg(all(doc, not(doctest)))]
pub mod guide;

pub use errors::{INTERRUPTED, PeerError, check_signals};
pub use exchange::attributes::type_attribute;
pub use foreign::{Conversions, Foreign, ForeignTypes, ModuleParts};
pub use tensor_view::{TensorView, TensorViewNode};

/// The number of objects of this library that tvm-ffi holds: proxies, arrays and functions.
///
/// Global functions, methods and constructors stay for the rest of the process, so their number is the least.
#[must_use]
pub fn live_objects() -> usize {
    identity::live()
}

/// Exports the types and the functions of all linked crates when a process with tvm-ffi loads the library.
///
/// A crate whose `crate-type` is `cdylib` writes this line once.
///
/// `object_ffi::export!(FOREIGN)` names a static [`Foreign`]: types that another library of the process owns, of which the
/// crate has counterparts.
#[macro_export]
macro_rules! export {
    () => {
        $crate::__private::inventory::submit! { $crate::__private::Export { foreign: ::core::option::Option::None } }
    };
    ($foreign:path) => {
        $crate::__private::inventory::submit! {
            $crate::__private::Export { foreign: ::core::option::Option::Some(&$foreign) }
        }
    };
}

#[doc(hidden)]
pub mod __private {
    pub use crate::foreign::Export;
    pub use inventory;
}

/// The chapter of the guide, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../docs/13_live_objects.md")]
pub struct LiveObjects;

//! The second stage, loop programs: `@T.prim_func`.
//!
//! Loop programs are read by the inverse of their forms. A statement adds nodes to the region at hand; a context that
//! holds until the end of a region, such as `T.attr(...)`, waits in the region until it ends. Functions that make
//! variables and buffers take their names from the statement at hand, because nodes do not change later. Where TVM
//! folds, casts or detects something when it reads a text, such as the parts of buffers that a block accesses
//! (`detect`), the result is the same. Operations by name, such as `T.Add(n, 0)`, make their nodes without folding.

mod innermost;
pub(crate) mod scalar;
pub(crate) mod access;
pub(crate) mod types;
pub(crate) mod buffer;
pub(crate) mod views;
pub(crate) mod bits;
pub(crate) mod layout;
pub(crate) mod functions;
pub(crate) mod lambdas;
pub(crate) mod intrinsic;
pub(crate) mod objects;
pub(crate) mod region;
pub(crate) mod loops;
pub(crate) mod detect;
pub(crate) mod block;
pub(crate) mod context;
pub(crate) mod exec;
pub(crate) mod assign;
pub(crate) mod stmt;
pub(crate) mod prim_func;
pub(crate) mod alone;

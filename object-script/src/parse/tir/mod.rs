//! The second stage, loop programs: `@T.prim_func`.

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
mod walk;
mod intervals;
pub(crate) mod detect;
pub(crate) mod block;
pub(crate) mod context;
pub(crate) mod exec;
pub(crate) mod assign;
pub(crate) mod stmt;
pub(crate) mod prim_func;
pub(crate) mod alone;

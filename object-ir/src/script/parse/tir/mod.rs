//! The second stage, loop programs: `@T.prim_func`.

pub(crate) mod functions;
pub(crate) mod objects;
pub(crate) mod prim_func;

//! Facts about integer expressions, as TVM's analyses return them. No node of a module contains one: programs save them
//! as graphs of their own.

pub(crate) mod constraints;
pub(crate) mod int_set;
pub(crate) mod iter_map;

pub use self::constraints::*;
pub use self::int_set::*;
pub use self::iter_map::*;

//! Loop programs over buffers: the language of `PrimFunc`, and of the scalars in shapes.

pub(crate) mod expr;
pub(crate) mod arith;
pub(crate) mod compare;
pub(crate) mod buffer;
pub(crate) mod reduce;
pub(crate) mod stmt;
pub(crate) mod block;
pub(crate) mod function;
pub(crate) mod layout;
pub(crate) mod exec;
pub(crate) mod operand;
pub mod fold;
mod large_uint;
pub(crate) mod operations;
mod operators;

pub use large_uint::{large_uint, large_uint_value};
pub use operand::{IntoPrimExpr, cast, constant, with_common_type};
pub use operations::{
    add, and, ceil_div, div, equal, floor_div, floor_mod, greater, greater_equal, less, less_equal, max, min, mul, neg,
    not, not_equal, or, select, sub, trunc_mod,
};

pub use self::arith::*;
pub use self::block::*;
pub use self::buffer::*;
pub use self::compare::*;
pub use self::exec::*;
pub use self::expr::*;
pub use self::function::*;
pub use self::layout::*;
pub use self::reduce::*;
pub use self::stmt::*;

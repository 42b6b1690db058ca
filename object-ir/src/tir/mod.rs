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
pub(crate) mod operations;
mod operators;

pub use self::{
    arith::*, block::*, buffer::*, compare::*, exec::*, expr::*, function::*, layout::*, reduce::*, stmt::*,
};
pub use operand::{IntoPrimExpr, cast, constant};
pub use operations::{
    add, and, ceil_div, div, equal, floor_div, floor_mod, greater, greater_equal, less, less_equal, max, min, mul, neg,
    not, not_equal, or, select, sub, trunc_mod,
};

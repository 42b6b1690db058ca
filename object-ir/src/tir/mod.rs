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

pub use self::{
    arith::*, block::*, buffer::*, compare::*, exec::*, expr::*, function::*, layout::*, reduce::*, stmt::*,
};

//! The nodes of a module and of Relax, a file per family, simplest first.

pub(crate) mod span;
pub(crate) mod source;
pub(crate) mod expr;
pub(crate) mod ty;
pub(crate) mod struct_info;
pub(crate) mod env_func;
pub(crate) mod attrs;
pub(crate) mod op;
pub(crate) mod var;
pub(crate) mod constant;
pub(crate) mod tuple;
pub(crate) mod shape;
pub(crate) mod call;
pub(crate) mod if_;
pub(crate) mod seq;
pub(crate) mod hooks;
pub(crate) mod binding;
pub(crate) mod function;
pub(crate) mod global_info;
pub(crate) mod module;

pub use self::{
    attrs::*, binding::*, call::*, constant::*, env_func::*, expr::*, function::*, global_info::*, if_::*, module::*,
    op::*, seq::*, shape::*, source::*, span::*, struct_info::*, tuple::*, ty::*, var::*,
};

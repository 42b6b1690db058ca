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
pub(crate) mod data_type_arg;
pub(crate) mod dims;
pub(crate) mod construct;
pub(crate) mod hooks;
pub(crate) mod binding;
pub(crate) mod function;
pub(crate) mod global_info;
pub(crate) mod module;

pub use data_type_arg::IntoDataType;
pub use dims::IntoDims;

pub use self::attrs::*;
pub use self::binding::*;
pub use self::call::*;
pub use self::constant::*;
pub use self::env_func::*;
pub use self::expr::*;
pub use self::function::*;
pub use self::global_info::*;
pub use self::if_::*;
pub use self::module::*;
pub use self::op::*;
pub use self::seq::*;
pub use self::shape::*;
pub use self::source::*;
pub use self::span::*;
pub use self::struct_info::*;
pub use self::tuple::*;
pub use self::ty::*;
pub use self::var::*;

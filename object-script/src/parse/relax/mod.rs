//! The second stage, Relax: `@R.function`.

pub(crate) mod adjust;
pub(crate) mod attributes;
pub(crate) mod binding;
pub(crate) mod branch;
pub(crate) mod called;
pub(crate) mod calls;
pub(crate) mod constant;
pub(crate) mod distributed;
pub(crate) mod function;
pub(crate) mod functions;
pub(crate) mod integers;
pub(crate) mod normalize;
pub(crate) mod objects;
pub(crate) mod operator_call;
pub(crate) mod parts;
pub(crate) mod signature;
pub(crate) mod signatures;
pub(crate) mod statement;
pub(crate) mod struct_info;
pub(crate) mod values;

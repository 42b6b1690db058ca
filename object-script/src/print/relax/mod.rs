//! The nodes of Relax.

pub(crate) mod struct_info;
pub(crate) mod constant;
pub(crate) mod call;
pub(crate) mod region;
pub(crate) mod binding;
pub(crate) mod function;
pub(crate) mod distributed;
pub(crate) mod operand;

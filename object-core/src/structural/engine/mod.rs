//! Comparing and hashing graphs.

pub(crate) mod attempt;
pub(crate) mod comparison;
pub(crate) mod dispatch;
pub(crate) mod equal;
pub(crate) mod equal_classes;
pub(crate) mod equal_stack;
pub(crate) mod hash;
pub(crate) mod hash_leaves;
pub(crate) mod hash_stack;
pub(crate) mod hasher;
pub(crate) mod leaves;
pub(crate) mod sharing;

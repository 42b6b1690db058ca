//! The second stage, expressions: evaluation, which Relax and TIR share.

pub(crate) mod attribute;
pub(crate) mod convert;
pub(crate) mod eval;
pub(crate) mod literal;
pub(crate) mod operator;
pub(crate) mod signature_scalar;
pub(crate) mod string_dim;
pub(crate) mod subscript;

//! Normal forms of integer expressions: polynomials over atoms.

pub(in crate::arith) mod interval;
pub(in crate::arith) mod polynomial;
pub(in crate::arith) mod operation;
pub(in crate::arith) mod arena;
pub(in crate::arith) mod sample;
pub(in crate::arith) mod bounds;
pub(in crate::arith) mod fold;
pub(in crate::arith) mod division;
pub(in crate::arith) mod extremum;
pub(in crate::arith) mod condition;
pub(in crate::arith) mod expand;

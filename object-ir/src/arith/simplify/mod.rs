//! The simplifier: the shorter one of two forms of an expression.

pub(in crate::arith) mod size;
pub(in crate::arith) mod emit;
pub(in crate::arith) mod quotient;
pub(in crate::arith) mod compare;
pub(in crate::arith) mod factor;

//! The simplifier: the shortest of a few forms of an expression that overflow as seldom as the expression.

pub(in crate::arith) mod size;
pub(in crate::arith) mod emit;
pub(in crate::arith) mod quotient;
pub(in crate::arith) mod compare;
pub(in crate::arith) mod factor;
pub(in crate::arith) mod overflow;
pub(in crate::arith) mod rounds;

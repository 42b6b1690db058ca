//! The prover: whether a polynomial is never negative, under facts about its atoms.

pub(in crate::arith) mod linear;
pub(in crate::arith) mod differences;
pub(in crate::arith) mod facts;
pub(in crate::arith) mod search;

//! The simplifier: the shortest of a few forms of an expression that overflow as seldom as the expression.
//!
//! A simplified expression has the same value wherever the expression has one (`rounds`). Small and unsigned integers
//! wrap around, so a form is taken only if the operands of quotients, comparisons and other operations that do not
//! commute with wrapping stay in their types. For `int32` and `int64`, `overflow` assumes that no value of the
//! expression overflows, and takes a form only if the prover shows the same for these operands in the form. So `-3 <=
//! n` does not become `0 <= n + 3`, but `(n + 1) * 2` becomes `n * 2 + 2`, as in TVM: a sum has the right value even if
//! a part of it has wrapped around. Otherwise the simplifier tries a form that keeps the order of sums, and then the
//! operands one by one. It takes no form that is longer.

pub(in crate::arith) mod size;
pub(in crate::arith) mod emit;
pub(in crate::arith) mod quotient;
pub(in crate::arith) mod compare;
pub(in crate::arith) mod factor;
pub(in crate::arith) mod overflow;
pub(in crate::arith) mod rounds;

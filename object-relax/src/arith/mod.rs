//! Arithmetic of scalar expressions: the [`Analyzer`] simplifies them and proves relations between them.
//!
//! The types with node structs are results of TVM's analyses. No node of a module contains one. Programs save them as
//! graphs of their own.
//!
//! # How it works
//!
//! [`Analyzer`] answers each question in an arena of its own, so answers do not depend on earlier questions. A normal
//! form is a polynomial over atoms (`normal`). Atoms are variables, quotients, maxima and conditions, and hold
//! polynomials in turn. Proofs use the expanded form: products are multiplied out, `a % b` is `a - b * (a // b)`, a
//! minimum is a negative maximum, and a condition is a number that is 0 or 1. So equal expressions have equal
//! polynomials in most cases, and a difference of polynomials decides. The prover (`prover`) then looks for a sum of
//! known non-negative polynomials (a linear program over the products, with exact integers), and splits the cases of
//! maxima and conditions. Simplified expressions come from the factored form (`simplify`), which keeps products of sums
//! and remainders, and prints terms as TVM does.
//!
//! Numbers of `int32` and `int64` have no bounds in normal forms, because TVM leaves overflow undefined; an answer that
//! depends on a value out of range is unknown. Coefficients are checked `i128`. A step visits about one term, each
//! question has a limit of steps, and nothing recurses on the machine stack.

mod proof;
mod normal;
mod prover;
mod simplify;
mod context;
pub(crate) mod form;
mod affine;
mod memo;
mod query;
mod analyzer;
mod int_set;

pub use analyzer::{Analyzer, ConstraintScope};
pub use int_set::{Domains, IntSet};
pub use proof::Proof;

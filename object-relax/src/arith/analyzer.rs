//! [`Analyzer`]: questions about shape expressions under known facts.

use std::ops::{Deref, DerefMut};

use object_core::prelude::*;
use object_ir::arith::{ConstIntBound, ModularSet, const_int_bound};
use object_ir::ir::{IntImm, PrimExpr, Range};
use object_ir::tir::{LT, Var};

use super::affine;
use super::context::Context;
use super::form::are_same;
use super::memo::Memo;
use super::normal::arena::Steps;
use super::normal::interval::Interval;
use super::proof::Proof;
use super::query::Query;
use super::simplify::rounds::simplest;

/// The default of [`Analyzer::max_steps`].
const MAX_STEPS: usize = 400_000;

/// Proves relations between scalar expressions, such as the dimensions of shapes, and computes bounds of them.
///
/// ```
/// use object_core::DataType;
/// use object_relax::arith::{Analyzer, Proof};
/// use object_ir::ir::{IntImm, PrimExpr, PrimType};
/// use object_ir::tir::{Add, FloorDiv, Mul, Var};
///
/// let int64 = DataType::int(64);
/// let [n, m] = ["n", "m"].map(|name| Var::new(int64, name, PrimType::new(int64)));
/// let two = IntImm::new(int64, 2);
/// let product = |a: &Var, b: &Var| -> PrimExpr { Mul::new(int64, a.clone(), b.clone()).into() };
///
/// let analyzer = Analyzer::for_shapes();
/// assert_eq!(analyzer.prove_equal(&product(&n, &m), &product(&m, &n)), Proof::True);
/// let next: PrimExpr = Add::new(int64, n.clone(), two.clone()).into();
/// assert_eq!(analyzer.prove_equal(&n.clone().into(), &next), Proof::False);
/// assert_eq!(analyzer.prove_equal(&n.clone().into(), &m.into()), Proof::Unknown);
///
/// let half: PrimExpr = FloorDiv::new(int64, Mul::new(int64, n.clone(), two.clone()), two).into();
/// assert_eq!(analyzer.prove_equal(&half, &n.into()), Proof::True);
/// ```
///
/// # Meaning of numbers
/// Expressions of `int32` and `int64` are integers without bounds, and an answer covers the assignments for which no
/// operation overflows, because an overflow is undefined in TVM. Other integer types wrap around, so the analyzer uses
/// the laws of integers only where no operand leaves the range of its type. A divisor is not 0. Calls of functions that
/// may have effects have no known value.
///
/// # Bounded work
/// A question takes at most [`max_steps`](Self::max_steps) steps, and no expression overflows the stack. An expression
/// that is too large or has too large numbers gives [`Proof::Unknown`].
#[derive(Clone, Debug)]
pub struct Analyzer {
    context: Context,
    max_steps: usize,
    memo: Memo,
}

impl Default for Analyzer {
    fn default() -> Self {
        Analyzer::new()
    }
}

impl Analyzer {
    /// An analyzer without facts: a [`SizeVar`](object_ir::tir::SizeVar) is not negative, other variables have all values
    /// of their types.
    #[must_use]
    pub fn new() -> Self {
        Analyzer { context: Context::default(), max_steps: MAX_STEPS, memo: Memo::default() }
    }

    /// An analyzer for expressions over dimensions: no variable is negative, unless facts about it say so.
    #[must_use]
    pub fn for_shapes() -> Self {
        let mut analyzer = Analyzer::new();
        analyzer.context.shape_variables = true;
        analyzer
    }

    /// Sets the most steps of one question; a step visits one term of a normal form. The default is 400,000.
    #[must_use]
    pub fn max_steps(mut self, steps: usize) -> Self {
        self.max_steps = steps;
        self.memo = Memo::default();
        self
    }

    /// The facts, to be changed: the answers so far do not hold anymore.
    fn context_mut(&mut self) -> &mut Context {
        self.memo = Memo::default();
        &mut self.context
    }

    /// Replaces the bounds of a variable: it is not negative.
    pub fn mark_non_negative(&mut self, var: &Var) {
        self.context_mut().set_interval(var, Interval::at_least(0));
    }

    /// Replaces the bounds of a variable.
    pub fn bind_bound(&mut self, var: &Var, bound: &ConstIntBound) {
        let lo = (bound.min_value != const_int_bound::NEG_INF).then_some(bound.min_value.into());
        let hi = (bound.max_value != const_int_bound::POS_INF).then_some(bound.max_value.into());
        self.context_mut().set_interval(var, Interval { lo, hi });
    }

    /// Adds the fact that a variable is in a range, such as the variable of a loop.
    pub fn bind_range(&mut self, var: &Var, range: &Range) {
        let dtype = var.dtype;
        let below = object_ir::tir::Sub::new(dtype, var.clone(), range.min.clone());
        self.assume(LT::new(DataType::boolean(), below.clone(), range.extent.clone()));
        self.assume(LT::new(DataType::boolean(), IntImm::new(dtype, -1), below));
    }

    /// Gives a variable a value, which replaces it in all expressions. An expression with a variable whose value contains
    /// the variable itself has no answer.
    pub fn bind(&mut self, var: &Var, value: impl Into<PrimExpr>) {
        self.context_mut().bind(var, value.into());
    }

    /// Adds the fact that a condition is true.
    pub fn assume(&mut self, condition: impl Into<PrimExpr>) {
        self.context_mut().constraints.push(condition.into());
    }

    /// Adds the fact that a condition is true, until the result is dropped. The scope also ends other facts that
    /// [`assume`](Self::assume) adds in it.
    ///
    /// ```
    /// use object_core::DataType;
    /// use object_relax::arith::{Analyzer, Proof};
    /// use object_ir::ir::{IntImm, PrimExpr, PrimType};
    /// use object_ir::tir::{LT, Max, Var};
    ///
    /// let int64 = DataType::int(64);
    /// let n = Var::new(int64, "n", PrimType::new(int64));
    /// let four = IntImm::new(int64, 4);
    /// let at_least_four: PrimExpr = Max::new(int64, n.clone(), four.clone()).into();
    ///
    /// let mut analyzer = Analyzer::new();
    /// let scope = analyzer.constraint_scope(LT::new(DataType::boolean(), four, n.clone()));
    /// assert_eq!(scope.prove_equal(&at_least_four, &n.clone().into()), Proof::True);
    /// drop(scope);
    /// assert_eq!(analyzer.prove_equal(&at_least_four, &n.into()), Proof::Unknown);
    /// ```
    pub fn constraint_scope(&mut self, condition: impl Into<PrimExpr>) -> ConstraintScope<'_> {
        let outside = self.context.constraints.len();
        self.assume(condition);
        ConstraintScope { analyzer: self, outside }
    }

    /// Whether two expressions have the same value. Expressions of different types are compared as integers.
    #[must_use]
    pub fn prove_equal(&self, a: &PrimExpr, b: &PrimExpr) -> Proof {
        if let (Some(a), Some(b)) = (a.downcast_ref::<IntImm>(), b.downcast_ref::<IntImm>()) {
            return Proof::from(a.value == b.value);
        }
        if a.ptr_eq(b) && are_same(a, b) {
            return Proof::True;
        }
        if let Some(known) = affine::equal(a, b, &self.context) {
            return known;
        }
        if are_same(a, b) {
            return Proof::True;
        }
        self.memo.equality(a, b, || self.ask(|query| query.equal(a, b)).unwrap_or(Proof::Unknown))
    }

    /// Whether two lists of dimensions are equal: `False` if their lengths differ, or one pair of dimensions is never
    /// equal.
    #[must_use]
    pub fn prove_shape_equal(&self, a: &[PrimExpr], b: &[PrimExpr]) -> Proof {
        if a.len() != b.len() {
            return Proof::False;
        }
        let mut all = Proof::True;
        for (a, b) in a.iter().zip(b) {
            match self.prove_equal(a, b) {
                Proof::True => {}
                Proof::False => return Proof::False,
                Proof::Unknown => all = Proof::Unknown,
            }
        }
        all
    }

    /// Whether two lists of dimensions have the same product for a simple reason: the same factors, or constants with the
    /// same product. [`prove_equal`](Self::prove_equal) of the products knows more.
    pub(crate) fn have_equal_products(&self, a: &[PrimExpr], b: &[PrimExpr]) -> bool {
        affine::have_equal_factors(a, b)
    }

    /// Whether a condition is true, such as an [`LE`](object_ir::tir::LE).
    #[must_use]
    pub fn prove(&self, condition: &PrimExpr) -> Proof {
        self.ask(|query| query.holds(condition)).unwrap_or(Proof::Unknown)
    }

    /// A simpler expression with the same value: like terms are united, constants folded, and conditions decided. The
    /// result is the same for each call, and does not depend on addresses. An expression that is too large, has
    /// effects or has too large numbers stays as it is.
    ///
    /// The result has the value of `expr` wherever that divides by 0 and overflows nowhere, if sums and products of the result
    /// wrap around. The analyzer of [shapes](Self::for_shapes) takes dimensions for at most 2^47. The result is not longer, and
    /// simplifying it again does not change it.
    ///
    /// ```
    /// use object_core::DataType;
    /// use object_core::structural_equal;
    /// use object_relax::arith::Analyzer;
    /// use object_ir::ir::{IntImm, PrimExpr, PrimType};
    /// use object_ir::tir::{Add, Mul, Var};
    ///
    /// let int64 = DataType::int(64);
    /// let n = Var::new(int64, "n", PrimType::new(int64));
    /// let sum: PrimExpr = Add::new(int64, n.clone(), n.clone()).into();
    /// let twice = Mul::new(int64, n, IntImm::new(int64, 2));
    /// assert!(structural_equal(&Analyzer::new().simplify(&sum), &twice));
    /// ```
    #[must_use]
    pub fn simplify(&self, expr: &PrimExpr) -> PrimExpr {
        if expr.is::<IntImm>() || self.is_free(expr) {
            return expr.clone();
        }
        self.memo.simplified(expr, || simplest(&self.context, self.max_steps, expr))
    }

    /// As [`simplify`](Self::simplify), where a further condition is true.
    pub(crate) fn simplify_under(&self, condition: &PrimExpr, expr: &PrimExpr) -> PrimExpr {
        self.memo.simplified_under(condition, expr, || {
            let mut inside = self.clone();
            inside.assume(condition.clone());
            inside.simplify(expr)
        })
    }

    /// Whether `expr` is a variable about which no fact is known.
    pub(crate) fn is_free(&self, expr: &PrimExpr) -> bool {
        expr.downcast_ref::<Var>().is_some_and(|var| self.context.knows_nothing_about(var))
    }

    /// The constant that `a` is greater than `b`, if both are sums of a few variables that differ by a constant.
    pub(crate) fn constant_difference(&self, a: &PrimExpr, b: &PrimExpr) -> Option<i64> {
        affine::constant_difference(a, b)
    }

    /// Constants between which all values of an integer expression are.
    ///
    /// ```
    /// use object_core::DataType;
    /// use object_relax::arith::Analyzer;
    /// use object_ir::arith::const_int_bound;
    /// use object_ir::ir::{IntImm, PrimType};
    /// use object_ir::tir::{Add, FloorMod, Var};
    ///
    /// let int64 = DataType::int(64);
    /// let n = Var::new(int64, "n", PrimType::new(int64));
    /// let analyzer = Analyzer::for_shapes();
    /// let bound = analyzer.const_int_bound(&Add::new(int64, n.clone(), IntImm::new(int64, 2)).into());
    /// assert_eq!((bound.min_value, bound.max_value), (2, const_int_bound::POS_INF));
    /// let bound = analyzer.const_int_bound(&FloorMod::new(int64, n, IntImm::new(int64, 4)).into());
    /// assert_eq!((bound.min_value, bound.max_value), (0, 3));
    /// ```
    #[must_use]
    pub fn const_int_bound(&self, expr: &PrimExpr) -> ConstIntBound {
        let interval = self.ask(|query| query.proven_bounds(expr)).unwrap_or(Interval::ALL);
        let interval = interval.intersect(Interval::of_dtype(expr.dtype).unwrap_or(Interval::ALL));
        let end = |bound: Option<i128>, open: i64| {
            let bound =
                bound.map(|bound| bound.clamp(const_int_bound::NEG_INF.into(), const_int_bound::POS_INF.into()));
            bound.and_then(|bound| i64::try_from(bound).ok()).unwrap_or(open)
        };
        ConstIntBound::new(end(interval.lo, const_int_bound::NEG_INF), end(interval.hi, const_int_bound::POS_INF))
    }

    /// An arithmetic progression that contains all values of an integer expression. The result with `coeff` 1 says
    /// nothing.
    #[must_use]
    pub fn modular_set(&self, expr: &PrimExpr) -> ModularSet {
        let (coeff, base) = self.ask(|query| query.progression(expr)).unwrap_or((1, 0));
        ModularSet::new(coeff, base)
    }

    /// Asks a question, with all steps and facts.
    fn ask<'a, T>(&'a self, question: impl FnOnce(&mut Query<'a, '_>) -> Option<T>) -> Option<T> {
        let mut steps = Steps { left: self.max_steps };
        question(&mut Query::new(&self.context, &mut steps))
    }
}

/// An [`Analyzer`] in which a condition is true. Dropping it removes the condition.
#[derive(Debug)]
pub struct ConstraintScope<'a> {
    analyzer: &'a mut Analyzer,
    /// The number of constraints outside of the scope.
    outside: usize,
}

impl Deref for ConstraintScope<'_> {
    type Target = Analyzer;

    fn deref(&self) -> &Analyzer {
        self.analyzer
    }
}

impl DerefMut for ConstraintScope<'_> {
    fn deref_mut(&mut self) -> &mut Analyzer {
        self.analyzer
    }
}

impl Drop for ConstraintScope<'_> {
    fn drop(&mut self) {
        self.analyzer.context_mut().constraints.truncate(self.outside);
    }
}

#[cfg(test)]
mod tests {
    use object_ir::tir::{less_equal, max};

    use super::*;

    #[test]
    fn an_answer_under_a_condition_holds_there_only() {
        let (analyzer, n) = (Analyzer::for_shapes(), Var::dim("n"));
        let (condition, least) = (less_equal(4, &n).unwrap(), max(&n, 4).unwrap());
        for _ in 0..2 {
            assert!(analyzer.simplify_under(&condition, &least).ptr_eq(&n), "the condition decides");
            assert!(structural_equal(&analyzer.simplify(&least), &least), "no condition is true");
        }
    }
}

//! [`Affine`]: sums of a few variables with factors, which most dimensions are, compared without normal forms.

use object_core::prelude::*;
use object_ir::ir::{IntImm, PrimExpr};
use object_ir::tir::{Add, Mul, Sub, Var};
use smallvec::SmallVec;

use super::context::Context;
use super::proof::Proof;

/// The levels of nested operations that are looked at, apart from the sums that begin with a sum.
const DEPTH: usize = 6;

/// The most operations, variables and constants of one expression that are looked at.
const TERMS: usize = 1 << 12;

/// The most variables of a sum.
const VARIABLES: usize = 4;

/// A sum of variables with factors and a constant, of type `int64`.
#[derive(Clone, Copy, Debug, Default)]
struct Affine<'e> {
    /// Each variable occurs once. A factor may be 0.
    terms: [Option<(&'e Var, i64)>; VARIABLES],
    constant: i64,
}

impl<'e> Affine<'e> {
    /// The form of `expr`; `None` if it has another one, too many terms, or numbers that are too large.
    fn of(expr: &'e PrimExpr) -> Option<Self> {
        Affine::of_sum(expr, DEPTH, &mut { TERMS })
    }

    /// The form of `expr`, of which `left` more terms may be looked at.
    fn of_sum(mut expr: &'e PrimExpr, depth: usize, left: &mut usize) -> Option<Self> {
        let mut last_terms = Affine::default();
        while expr.dtype == DataType::int(64) {
            *left = left.checked_sub(1)?;
            let (first, last, sign) = if let Some(sum) = expr.downcast_ref::<Add>() {
                (&sum.a, &sum.b, 1)
            } else if let Some(difference) = expr.downcast_ref::<Sub>() {
                (&difference.a, &difference.b, -1)
            } else {
                return Affine::of_term(expr, depth, left)?.add(&last_terms);
            };
            let last = Affine::of_sum(last, depth.checked_sub(1)?, left)?;
            last_terms = last_terms.add(&last.scale(sign)?)?;
            expr = first;
        }
        None
    }

    /// The form of an expression other than a sum.
    fn of_term(expr: &'e PrimExpr, depth: usize, left: &mut usize) -> Option<Self> {
        if let Some(int) = expr.downcast_ref::<IntImm>() {
            return Some(Affine { constant: int.value, ..Affine::default() });
        }
        if let Some(variable) = expr.downcast_ref::<Var>() {
            return Some(Affine { terms: [Some((variable, 1)), None, None, None], constant: 0 });
        }
        let product = expr.downcast_ref::<Mul>()?;
        let depth = depth.checked_sub(1)?;
        let (a, b) = (Affine::of_sum(&product.a, depth, left)?, Affine::of_sum(&product.b, depth, left)?);
        match (a.terms[0], b.terms[0]) {
            (None, _) => b.scale(a.constant),
            (_, None) => a.scale(b.constant),
            _ => None,
        }
    }

    /// The variables with factors other than 0.
    fn terms(&self) -> impl Iterator<Item = (&'e Var, i64)> + Clone {
        self.terms.into_iter().flatten().filter(|(_, factor)| *factor != 0)
    }

    fn add(mut self, other: &Self) -> Option<Self> {
        self.constant = self.constant.checked_add(other.constant)?;
        for (variable, factor) in other.terms.into_iter().flatten() {
            let is_place = |term: &&mut Option<(&Var, i64)>| term.is_none_or(|(it, _)| it.ptr_eq(variable));
            let place = self.terms.iter_mut().find(is_place)?;
            let sum = place.map_or(0, |(_, factor)| factor).checked_add(factor)?;
            *place = Some((variable, sum));
        }
        Some(self)
    }

    fn scale(mut self, by: i64) -> Option<Self> {
        self.constant = self.constant.checked_mul(by)?;
        for (_, factor) in self.terms.iter_mut().flatten() {
            *factor = factor.checked_mul(by)?;
        }
        Some(self)
    }
}

/// Whether two expressions have the same value, if both are affine and this alone decides the question.
pub(in crate::arith) fn equal(a: &PrimExpr, b: &PrimExpr, context: &Context) -> Option<Proof> {
    let difference = Affine::of(a)?.add(&Affine::of(b)?.scale(-1)?)?;
    let terms = difference.terms();
    let divisor = terms.clone().try_fold(0_i64, |divisor, (_, factor)| gcd(divisor, factor.checked_abs()?))?;
    if divisor == 0 {
        return Some(Proof::from(difference.constant == 0));
    }
    if difference.constant.checked_rem(divisor)? != 0 {
        return Some(Proof::False);
    }
    if !context.shape_variables || !terms.clone().all(|(variable, _)| context.knows_nothing_about(variable)) {
        return None;
    }
    // The variables have all values that are not negative. The sum of the terms has to be `rest`.
    let rest = difference.constant.checked_neg()?;
    let is_positive = |(_, factor): (&Var, i64)| factor > 0;
    if terms.clone().any(is_positive) && !terms.clone().all(is_positive) {
        return Some(Proof::Unknown);
    }
    let rest = if terms.clone().all(is_positive) { rest } else { rest.checked_neg()? };
    match rest {
        ..0 => Some(Proof::False),
        0 => Some(Proof::Unknown),
        _ => terms.clone().any(|(_, factor)| factor.abs() == 1).then_some(Proof::Unknown),
    }
}

/// The constant that `a` is greater than `b`, if both are affine and differ by a constant.
pub(in crate::arith) fn constant_difference(a: &PrimExpr, b: &PrimExpr) -> Option<i64> {
    let difference = Affine::of(a)?.add(&Affine::of(b)?.scale(-1)?)?;
    difference.terms().next().is_none().then_some(difference.constant)
}

/// The greatest common divisor of two numbers that are not negative.
fn gcd(mut a: i64, mut b: i64) -> Option<i64> {
    while b != 0 {
        (a, b) = (b, a.checked_rem(b)?);
    }
    Some(a)
}

/// The most factors of a product that are compared.
const FACTORS: usize = 24;

/// A product of variables and a constant.
struct Factors<'e> {
    variables: SmallVec<[&'e Var; 8]>,
    constant: i64,
}

impl<'e> Factors<'e> {
    /// The factors of all `dims`; `None` if one of them is not a product of variables and constants of type `int64`, or if
    /// there are too many.
    fn of(dims: &'e [PrimExpr]) -> Option<Self> {
        let mut factors = Factors { variables: SmallVec::new(), constant: 1 };
        dims.iter().try_for_each(|dim| factors.multiply(dim, DEPTH))?;
        Some(factors)
    }

    fn multiply(&mut self, dim: &'e PrimExpr, depth: usize) -> Option<()> {
        if let Some(int) = dim.downcast_ref::<IntImm>() {
            self.constant = self.constant.checked_mul(int.value)?;
            return Some(());
        }
        if dim.dtype != DataType::int(64) {
            return None;
        }
        if let Some(variable) = dim.downcast_ref::<Var>() {
            self.variables.push(variable);
            return (self.variables.len() <= FACTORS).then_some(());
        }
        let product = dim.downcast_ref::<Mul>()?;
        let depth = depth.checked_sub(1)?;
        self.multiply(&product.a, depth)?;
        self.multiply(&product.b, depth)
    }
}

/// Whether two lists of numbers have the same product because their factors are the same up to the order, apart from
/// constants with the same product.
pub(in crate::arith) fn have_equal_factors(a: &[PrimExpr], b: &[PrimExpr]) -> bool {
    let (Some(a), Some(mut b)) = (Factors::of(a), Factors::of(b)) else { return false };
    if a.variables.len() != b.variables.len() || a.constant != b.constant {
        return false;
    }
    a.variables.iter().all(|variable| {
        let found = b.variables.iter().position(|other| other.ptr_eq(*variable));
        found.map(|place| b.variables.swap_remove(place)).is_some()
    })
}

#[cfg(test)]
mod tests {
    use object_ir::tir::less_equal;

    use super::*;
    use crate::arith::Analyzer;

    #[test]
    fn sums_are_compared_without_normal_forms() {
        let [n, m, k] = ["n", "m", "k"].map(Var::dim);
        let one: PrimExpr = IntImm::new(DataType::int(64), 1).into();
        let cases: [(PrimExpr, PrimExpr, Option<Proof>); 10] = [
            (&n * 2 + &m, &m + &n + &n, Some(Proof::True)),
            (&n + &m, &n + &m + 1, Some(Proof::False)),
            (&n * 4 + 1, &m * 2, Some(Proof::False)),
            (&n + 0, &m + 3, Some(Proof::Unknown)),
            (&n + &m, &n + 0, Some(Proof::Unknown)),
            (&n + 2, one.clone(), Some(Proof::False)),
            (&n * 2 + &m * 3, one.clone(), None),
            (&n * &m, &m * &n, None),
            (&n - 2, &n + (i64::MAX), None),
            (&n + &m + &k + Var::dim("a") + Var::dim("b"), one, None),
        ];
        let mut context = Context::default();
        context.shape_variables = true;
        for (a, b, expected) in cases {
            assert_eq!(equal(&a, &b, &context), expected, "{a} == {b}");
            // The normal forms give the same answer.
            let mut with_fact = Analyzer::for_shapes();
            with_fact.assume(less_equal(0, Var::dim("other")).unwrap());
            assert!(expected.is_none_or(|expected| with_fact.prove_equal(&a, &b) == expected), "{a} == {b}");
        }
    }

    #[test]
    fn sums_may_differ_by_a_constant() {
        let [n, m] = ["n", "m"].map(Var::dim);
        assert_eq!(constant_difference(&(&n * 2 + &m), &(&m + &n + &n - 3)), Some(3));
        assert_eq!(constant_difference(&(&n + 0), &(&m + 0)), None);
        let long = |last: i64| (0..1000).fold(PrimExpr::from(&n), |sum, _| sum + &m) + last;
        assert_eq!(constant_difference(&long(5), &long(2)), Some(3), "a sum has many terms");
        let wide = (0..64).fold(PrimExpr::from(&n), |sum, _| sum.clone() + sum);
        assert_eq!(constant_difference(&wide, &wide), None, "the work has a bound");
        assert_eq!(constant_difference(&(&n + i64::MIN), &(&n + 1)), None, "too large");
    }

    #[test]
    fn products_are_compared_by_their_factors() {
        let [n, m] = ["n", "m"].map(Var::dim);
        let dims = |dims: &[PrimExpr]| dims.to_vec();
        let number = |value| PrimExpr::from(IntImm::new(DataType::int(64), value));
        let (x, y) = (PrimExpr::from(&n), PrimExpr::from(&m));
        let a = dims(&[x.clone(), number(4), y.clone(), number(6)]);
        assert!(have_equal_factors(&a, &dims(&[number(24), y.clone(), x.clone()])));
        assert!(!have_equal_factors(&a, &dims(&[number(24), y.clone(), y.clone()])));
        assert!(!have_equal_factors(&a, &dims(&[number(25), y.clone(), x.clone()])));
        assert!(have_equal_factors(&a, &dims(&[&n * &m * 24])) && have_equal_factors(&a, &dims(&[&m * 8, &n * 3])));
        assert!(!have_equal_factors(&a, &dims(&[&n * &n * 24])) && !have_equal_factors(&a, &dims(&[&n * &m])));
        let many = vec![x.clone(); FACTORS + 1];
        assert!(!have_equal_factors(&many, &many), "long products are not compared");
        assert!(!have_equal_factors(&[number(i64::MAX), number(2)], &[number(-2)]));
    }
}

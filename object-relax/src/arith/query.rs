//! [`Query`]: one question to the prover, with the constraints of the context as facts.

use object_core::DataType;
use object_ir::ir::PrimExpr;
use rustc_hash::FxHashMap;

use super::context::Context;
use super::normal::arena::{Arena, Atom, Steps};
use super::normal::bounds::bounds;
use super::normal::condition::zero;
use super::normal::expand::{Expansion, Variables, difference, truth_value};
use super::normal::interval::Interval;
use super::normal::polynomial::{AtomId, Monomial, Polynomial};
use super::normal::sample::Samples;
use super::proof::Proof;
use super::prover::facts::Facts;
use super::prover::search::Search;

/// A question about expressions under the facts of a context.
pub(in crate::arith) struct Query<'a, 's> {
    expansion: Expansion<'a, 's>,
    facts: Facts,
    /// The facts do not change anymore when the first search begins.
    samples: Samples,
}

impl<'a, 's> Query<'a, 's> {
    /// A query whose facts are the constraints of `context`. Constraints without a normal form are left out.
    pub(in crate::arith) fn new(context: &'a Context, steps: &'s mut Steps) -> Self {
        Query::under(&context.constraints, Expansion::new(context, steps))
    }

    /// A query about forms of an expression, whose sums and products may overflow where the expression does not.
    pub(in crate::arith) fn about_forms(
        variables: &'a dyn Variables,
        constraints: &'a [PrimExpr],
        steps: &'s mut Steps,
    ) -> Self {
        let mut expansion = Expansion::new(variables, steps);
        expansion.arena.may_overflow = true;
        Query::under(constraints, expansion)
    }

    fn under(constraints: &'a [PrimExpr], expansion: Expansion<'a, 's>) -> Self {
        let mut query = Query { expansion, facts: Facts::default(), samples: Samples::default() };
        for constraint in constraints {
            if let Some(condition) = query.condition(constraint) {
                // A constraint with large numbers does not help, and does not harm either.
                let _ = query.assume(&condition);
            }
        }
        query
    }

    pub(in crate::arith) fn arena(&mut self) -> &mut Arena<'s> {
        &mut self.expansion.arena
    }

    /// The normal form of `expr`; `None` if it has effects or no steps are left.
    pub(in crate::arith) fn expand(&mut self, expr: &'a PrimExpr) -> Option<Polynomial> {
        self.expansion.expand(expr)
    }

    /// Computes the normal form of `expr`, and returns the normal forms of its [parts](Expansion::parts) so far.
    pub(in crate::arith) fn expand_parts(&mut self, expr: &'a PrimExpr) -> Option<&FxHashMap<usize, Polynomial>> {
        self.expansion.parts.get_or_insert_default();
        self.expansion.expand(expr)?;
        self.expansion.parts.as_ref()
    }

    /// Adds the fact that a value is in a range.
    pub(in crate::arith) fn assume_within(&mut self, value: &Polynomial, range: Interval) -> Option<()> {
        let (above, below) = distances(value, range)?;
        self.assume_non_negative(above)?;
        self.assume_non_negative(below)
    }

    /// Whether a proof that a value is in a range is found.
    pub(in crate::arith) fn is_within(&mut self, value: &Polynomial, range: Interval) -> Option<bool> {
        if bounds(self.arena(), value).is_within(range) {
            return Some(true);
        }
        let (above, below) = distances(value, range)?;
        Some(self.search().is_non_negative(above)? && self.search().is_non_negative(below)?)
    }

    /// The normal form of a condition: 1 if it is true, else 0. A number is true if it is not 0.
    fn condition(&mut self, expr: &'a PrimExpr) -> Option<Polynomial> {
        let value = self.expand(expr)?;
        if expr.dtype == DataType::boolean() { Some(value) } else { truth_value(self.arena(), value) }
    }

    /// Whether both expressions have the same value.
    pub(in crate::arith) fn equal(&mut self, a: &'a PrimExpr, b: &'a PrimExpr) -> Option<Proof> {
        let (left, right) = (self.expand(a)?, self.expand(b)?);
        let difference = difference(&self.expansion.arena, (left, a.dtype), (right, b.dtype))?;
        let condition = zero(&mut self.expansion.arena, difference)?;
        self.search().is_true(condition)
    }

    /// Whether the condition `condition` is true.
    pub(in crate::arith) fn holds(&mut self, condition: &'a PrimExpr) -> Option<Proof> {
        let condition = self.condition(condition)?;
        self.search().is_true(condition)
    }

    /// Bounds of the values of `expr`, and whether the prover knows that they are not negative.
    pub(in crate::arith) fn proven_bounds(&mut self, expr: &'a PrimExpr) -> Option<Interval> {
        let value = self.expand(expr)?;
        let interval = bounds(&mut self.expansion.arena, &value);
        if interval.is_non_negative() || interval.is_negative() || !self.search().is_non_negative(value)? {
            return Some(interval);
        }
        Some(interval.intersect(Interval::at_least(0)))
    }

    /// Bounds of the values of `expr`.
    pub(in crate::arith) fn bounds(&mut self, expr: &'a PrimExpr) -> Option<Interval> {
        let value = self.expand(expr)?;
        Some(bounds(&mut self.expansion.arena, &value))
    }

    /// The distance and a member of an arithmetic progression that contains all values of `expr`.
    pub(in crate::arith) fn progression(&mut self, expr: &'a PrimExpr) -> Option<(i64, i64)> {
        let value = self.expand(expr)?;
        let (distance, member) = (value.content(), value.constant_term());
        let member = if distance == 0 { member } else { member.rem_euclid(distance) };
        Some((i64::try_from(distance).ok()?, i64::try_from(member).ok()?))
    }

    /// Whether a proof that `a` is at most `b` is found.
    pub(in crate::arith) fn is_at_most(&mut self, a: &'a PrimExpr, b: &'a PrimExpr) -> bool {
        let difference = self.expand(b).and_then(|b| b.sub(self.expand(a)?));
        difference.and_then(|difference| self.search().is_non_negative(difference)).unwrap_or(false)
    }

    fn search(&mut self) -> Search<'_, 's> {
        Search { arena: &mut self.expansion.arena, samples: &mut self.samples, assumptions: &self.facts }
    }

    /// Adds the fact that a condition, a polynomial that is 0 or 1, is true.
    fn assume(&mut self, condition: &Polynomial) -> Option<()> {
        if let Some((monomial, 1)) = condition.as_term() {
            // A conjunction.
            return monomial.factors().iter().try_for_each(|&atom| self.assume_atom(atom, true));
        }
        let opposite = condition.clone().scale(-1)?.add_constant(1)?;
        if let Some(atom) = opposite.as_atom() {
            return self.assume_atom(atom, false);
        }
        self.assume_non_negative(condition.clone().add_constant(-1)?)
    }

    fn assume_atom(&mut self, id: AtomId, is_true: bool) -> Option<()> {
        match (&*self.arena().atom(id).clone(), is_true) {
            (Atom::NonNegative(polynomial), true) => self.assume_non_negative(polynomial.clone()),
            (Atom::NonNegative(polynomial), false) => {
                self.assume_non_negative(polynomial.clone().scale(-1)?.add_constant(-1)?)
            }
            (Atom::Zero(polynomial), true) => self.assume_zero(polynomial.clone()),
            (_, is_true) => {
                self.arena().narrow(id, Interval::point(is_true.into()));
                self.facts.add_zero(Polynomial::atom(id).add_constant(-i128::from(is_true))?)
            }
        }
    }

    /// Adds the fact, and narrows the bounds of its variable if it has only one.
    fn assume_non_negative(&mut self, fact: Polynomial) -> Option<()> {
        let only_product = |fact: &Polynomial| {
            let mut products = fact.products();
            let (monomial, coefficient) = products.next().filter(|_| products.next().is_none())?;
            Some((*monomial.factors().first().filter(|_| monomial.factors().len() == 1)?, coefficient))
        };
        if let Some((id, coefficient)) = only_product(&fact) {
            let constant = fact.constant_term();
            let interval = if coefficient > 0 {
                Interval::at_least(constant.checked_neg()?.checked_add(coefficient - 1)?.div_euclid(coefficient))
            } else {
                Interval { lo: None, hi: Some(constant.div_euclid(coefficient.checked_neg()?)) }
            };
            self.arena().narrow(id, interval);
        }
        self.facts.add(fact);
        Some(())
    }

    /// Adds the fact that a polynomial is 0. If a variable is the sum of the other terms, normal forms replace it.
    fn assume_zero(&mut self, fact: Polynomial) -> Option<()> {
        self.assume_non_negative(fact.clone())?;
        self.assume_non_negative(fact.clone().scale(-1)?)?;
        let is_variable = |monomial: &Monomial, arena: &Arena<'_>| match monomial.factors() {
            &[id] => matches!(**arena.atom(id), Atom::Leaf(_)),
            _ => false,
        };
        let arena = &self.expansion.arena;
        let variable = fact.products().rev().find_map(|(monomial, coefficient)| {
            let id = *monomial.factors().first()?;
            let occurs_once = fact.atoms().filter(|&other| other == id).count() == 1;
            (coefficient.abs() == 1 && occurs_once && is_variable(monomial, arena)).then_some((id, coefficient))
        });
        let Some((id, coefficient)) = variable else { return Some(()) };
        let value = Polynomial::atom(id).sub(fact.scale(coefficient)?)?;
        self.expansion.replace(id, &value)
    }
}

/// How far a value is above the least and below the greatest member of a range with two ends.
fn distances(value: &Polynomial, range: Interval) -> Option<(Polynomial, Polynomial)> {
    let above = value.clone().add_constant(range.lo?.checked_neg()?)?;
    Some((above, value.clone().scale(-1)?.add_constant(range.hi?)?))
}

//! [`Facts`]: polynomials that are never negative, given and derived from the meaning of atoms.

use std::collections::{BTreeSet, VecDeque};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::super::normal::arena::{Arena, Atom};
use super::super::normal::interval::Interval;
use super::super::normal::operation::Operation;
use super::super::normal::polynomial::{AtomId, Monomial, Polynomial};

/// The most facts about one goal.
const MAX_FACTS: usize = 128;

/// Bounds of other atoms than variables that are not less than this follow from the range of the data type.
const LARGE: u128 = 1 << 30;

/// Facts for one goal, each once, in the order of their addition.
#[derive(Clone, Debug, Default)]
pub(in crate::arith) struct Facts(pub(in crate::arith) IndexSet<Polynomial, FxBuildHasher>);

impl Facts {
    /// Adds a polynomial that is never negative.
    pub(in crate::arith) fn add(&mut self, fact: Polynomial) {
        self.0.insert(fact);
    }

    /// Adds a polynomial that is 0.
    pub(in crate::arith) fn add_zero(&mut self, fact: Polynomial) -> Option<()> {
        self.add(fact.clone().scale(-1)?);
        self.add(fact);
        Some(())
    }

    /// These facts and the facts about all atoms in them and in `goal`.
    pub(in crate::arith) fn derive(&self, arena: &mut Arena<'_>, goal: &Polynomial) -> Option<Facts> {
        let mut facts = self.clone();
        let mut seen = BTreeSet::new();
        let mut open: VecDeque<AtomId> = VecDeque::new();
        let mut visit = |polynomial: &Polynomial, open: &mut VecDeque<AtomId>| {
            open.extend(polynomial.atoms().filter(|&id| seen.insert(id)));
        };
        visit(goal, &mut open);
        self.0.iter().for_each(|fact| visit(fact, &mut open));
        while let Some(id) = open.pop_front().filter(|_| facts.0.len() < MAX_FACTS) {
            let known = facts.0.len();
            facts.about_atom(arena, id)?;
            facts.0[known..].iter().for_each(|fact| visit(fact, &mut open));
        }
        facts.about_products(arena, goal)?;
        arena.steps.spend(facts.0.iter().map(Polynomial::len).sum())?;
        Some(facts)
    }

    fn about_atom(&mut self, arena: &mut Arena<'_>, id: AtomId) -> Option<()> {
        let atom = arena.atom(id).clone();
        let value = Polynomial::atom(id);
        let range = match &*atom {
            Atom::Leaf(_) => Interval::of_dtype(arena.dtype(id)).unwrap_or(Interval::ALL),
            _ => Interval::ALL,
        };
        self.between(&value, arena.atom_interval(id), range)?;
        match &*atom {
            Atom::Operation(Operation::Max, None, operands) => {
                for operand in operands {
                    self.add(value.clone().sub(operand.clone())?);
                }
            }
            Atom::Operation(Operation::FloorDiv, None, operands) => {
                let (dividend, divisor) = (&operands[0], &operands[1]);
                let values = arena.interval(divisor);
                // A divisor in an operand that is not evaluated may be 0.
                let is_positive = values.is_positive() || (values.is_non_negative() && !arena.is_lazy);
                if is_positive && values.single() != Some(0) {
                    let product = arena.product(&value, divisor)?;
                    let remainder = dividend.clone().sub(product)?;
                    self.add(divisor.clone().sub(remainder.clone())?.add_constant(-1)?);
                    self.add(remainder);
                    if divisor.as_constant().is_none() {
                        self.add(divisor.clone().add_constant(-1)?);
                    }
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Adds the bounds of `value` that are neither large nor the bounds of its type.
    fn between(&mut self, value: &Polynomial, interval: Interval, range: Interval) -> Option<()> {
        let useful = |bound: Option<i128>, of_type: Option<i128>| {
            bound.filter(|it| it.unsigned_abs() < LARGE || (of_type.is_some() && bound != of_type))
        };
        if let Some(lo) = useful(interval.lo, range.lo) {
            self.add(value.clone().add_constant(lo.checked_neg()?)?);
        }
        if let Some(hi) = useful(interval.hi, range.hi) {
            self.add(value.clone().scale(-1)?.add_constant(hi)?);
        }
        Some(())
    }

    /// Adds facts about the products of several atoms: their bounds, and facts about one factor times another factor.
    fn about_products(&mut self, arena: &mut Arena<'_>, goal: &Polynomial) -> Option<()> {
        let monomials: BTreeSet<Monomial> = self
            .0
            .iter()
            .chain([goal])
            .flat_map(Polynomial::products)
            .filter(|(monomial, _)| monomial.factors().len() > 1)
            .map(|(monomial, _)| monomial.clone())
            .collect();
        let simple = self.0.clone();
        for monomial in monomials {
            let product = Polynomial::term(monomial.clone(), 1);
            let interval = arena.interval(&product);
            self.between(&product, interval, Interval::ALL)?;
            for (factor, _) in monomial.powers() {
                let Some(least) = arena.atom_interval(factor).lo.filter(|lo| lo.unsigned_abs() < LARGE) else {
                    continue;
                };
                let single = Monomial::atom(factor);
                let Some(rest) = monomial.divide(&single) else { continue };
                let above_least = Polynomial::atom(factor).add_constant(-least)?;
                for fact in &simple {
                    if fact.coefficient(&rest) != 0 && self.0.len() < MAX_FACTS {
                        let product = arena.product(fact, &above_least)?;
                        self.add(product);
                    }
                }
            }
        }
        Some(())
    }
}

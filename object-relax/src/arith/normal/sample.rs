//! Values of atoms for a few assignments of the variables. A statement that is false for one of them has no proof, so that
//! no search for a proof is necessary.

use super::arena::{Arena, Atom};
use super::interval::Interval;
use super::operation::Operation;
use super::polynomial::{AtomId, Polynomial};

/// The number of assignments.
const COUNT: usize = 6;

/// The values of an atom, one for each assignment; `None` if it is unknown or undefined.
type Values = [Option<i128>; COUNT];

/// The values of the atoms of an arena.
#[derive(Debug, Default)]
pub(in crate::arith) struct Samples {
    of_atoms: Vec<Values>,
    /// Whether an atom has a value outside of its bounds, so that the assignment contradicts the known facts.
    is_impossible: [bool; COUNT],
}

impl Samples {
    /// Notes the bounds of an atom.
    fn check(&mut self, id: AtomId, bounds: Interval) {
        let Some(values) = self.of_atoms.get(id as usize) else { return };
        for (value, is_impossible) in values.iter().zip(&mut self.is_impossible) {
            *is_impossible |= value.is_some_and(|value| bounds.is_disjoint(Interval::point(value)));
        }
    }

    /// The value of a polynomial for an assignment.
    fn value(&self, polynomial: &Polynomial, assignment: usize) -> Option<i128> {
        polynomial.terms().try_fold(0_i128, |sum, (monomial, coefficient)| {
            let value = |id: AtomId| self.of_atoms[id as usize][assignment];
            let factors = monomial.factors().iter();
            let product = factors.copied().try_fold(coefficient, |product, id| product.checked_mul(value(id)?))?;
            sum.checked_add(product)
        })
    }

    /// The value of an atom for an assignment. `id` is its number, `bounds` are the ones of its values.
    fn value_of_atom(&self, atom: &Atom, id: AtomId, bounds: Interval, assignment: usize) -> Option<i128> {
        let value = |polynomial| self.value(polynomial, assignment);
        match atom {
            Atom::Leaf(_) => Some(choose(id, bounds, assignment)),
            Atom::NonNegative(polynomial) => Some((value(polynomial)? >= 0).into()),
            Atom::Zero(polynomial) => Some((value(polynomial)? == 0).into()),
            Atom::Sum(polynomial) => value(polynomial),
            Atom::Operation(Operation::Max, None, operands) => {
                operands.iter().map(value).collect::<Option<Vec<_>>>()?.into_iter().max()
            }
            Atom::Operation(Operation::FloorDiv, None, operands) => {
                let [dividend, divisor] = &**operands else { return None };
                let (dividend, divisor) = (value(dividend)?, value(divisor)?);
                let rest = dividend.checked_rem_euclid(divisor)?;
                // The Euclidean remainder is not negative, the one of a floor division has the sign of the divisor.
                let rest = if rest != 0 && divisor < 0 { rest.checked_add(divisor)? } else { rest };
                dividend.checked_sub(rest)?.checked_div(divisor)
            }
            Atom::Operation(..) => None,
        }
    }
}

/// The value of a variable for an assignment: the least one, its neighbours, and different ones for different variables.
fn choose(id: AtomId, bounds: Interval, assignment: usize) -> i128 {
    let id = i128::from(id);
    let distance = match assignment {
        0..=2 => assignment.try_into().unwrap_or(0),
        3 => 3 + 5 * id,
        4 => 2 + (id * 7 + 11) % 31,
        _ => (id * 13 + 5) % 7 * ((id + 1) % 2),
    };
    match bounds {
        Interval { lo: Some(lo), hi } => {
            let value = lo.saturating_add(distance);
            hi.map_or(value, |hi| value.min(hi))
        }
        Interval { lo: None, hi: Some(hi) } => hi.saturating_sub(distance),
        Interval { lo: None, hi: None } if (id + distance) % 2 == 0 => distance,
        Interval { lo: None, hi: None } => -distance,
    }
}

/// Whether an assignment for which all `facts` are at least 0 makes `goal` negative.
pub(in crate::arith) fn is_refuted<'p>(
    samples: &mut Samples,
    arena: &Arena<'_>,
    facts: impl IntoIterator<Item = &'p Polynomial> + Copy,
    goal: &Polynomial,
) -> bool {
    // The atoms in an atom have smaller numbers.
    for id in samples.of_atoms.len()..arena.len() {
        let Ok(id) = AtomId::try_from(id) else { break };
        let (atom, bounds) = (arena.atom(id), arena.atom_interval(id));
        let values = std::array::from_fn(|assignment| samples.value_of_atom(atom, id, bounds, assignment));
        samples.of_atoms.push(values);
        samples.check(id, bounds);
    }
    let is_true = |fact, assignment| samples.value(fact, assignment).is_some_and(|value| value >= 0);
    let is_counterexample = |assignment: usize| {
        !samples.is_impossible[assignment]
            && samples.value(goal, assignment).is_some_and(|value| value < 0)
            && facts.into_iter().all(|fact| is_true(fact, assignment))
    };
    (0..COUNT).any(is_counterexample)
}

#[cfg(test)]
mod tests {
    use object_core::prelude::*;
    use object_ir::ir::{IntImm, PrimExpr};
    use object_ir::tir::Var;

    use super::super::arena::{Leaf, Steps};
    use super::super::extremum::maximum;
    use super::*;

    #[test]
    fn a_counterexample_has_all_facts() {
        let mut steps = Steps { left: 1000 };
        let mut arena = Arena::new(&mut steps);
        let mut leaf = |name: &str| {
            let var = PrimExpr::from(Var::dim(name));
            let leaf = Leaf::Variable(var.as_object().view().address());
            Polynomial::atom(arena.intern_leaf(leaf, &var, Interval::at_least(0)))
        };
        let (n, m) = (leaf("n"), leaf("m"));
        let mut samples = Samples::default();
        let difference = n.clone().sub(m.clone()).unwrap();
        assert!(is_refuted(&mut samples, &arena, &[], &difference));
        assert!(is_refuted(&mut samples, &arena, &[], &difference.clone().scale(-1).unwrap()));
        assert!(!is_refuted(&mut samples, &arena, std::slice::from_ref(&difference), &difference));
        assert!(!is_refuted(&mut samples, &arena, &[], &n));
        let int64 = IntImm::new(DataType::int(64), 1).dtype;
        let greatest = maximum(&mut arena, vec![n.clone(), m.clone()], int64).unwrap();
        assert!(!is_refuted(&mut samples, &arena, &[], &greatest.clone().sub(n.clone()).unwrap()));
        assert!(is_refuted(&mut samples, &arena, &[], &n.clone().sub(greatest).unwrap()));
    }

    #[test]
    fn quotients_are_rounded_down() {
        let samples = Samples::default();
        let quotient = |a: i128, b: i128| {
            let operands = [a, b].map(Polynomial::constant).to_vec();
            samples.value_of_atom(&Atom::Operation(Operation::FloorDiv, None, operands), 0, Interval::ALL, 0)
        };
        let cases = [(7, 2, 3), (-7, 2, -4), (7, -2, -4), (-7, -2, 3), (6, -2, -3), (-6, 2, -3)];
        for (a, b, expected) in cases {
            assert_eq!(quotient(a, b), Some(expected), "{a} // {b}");
        }
        assert_eq!(quotient(1, 0), None);
    }
}

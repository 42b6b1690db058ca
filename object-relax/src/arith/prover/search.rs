//! [`Search`]: proofs by bounds, by linear programming, and by cases of maxima and conditions.

use std::collections::{BTreeSet, VecDeque};

use super::super::normal::arena::{Arena, Atom};
use super::super::normal::bounds::{bounds, is_non_negative};
use super::super::normal::operation::Operation;
use super::super::normal::polynomial::{AtomId, Polynomial};
use super::super::normal::sample::{Samples, is_refuted};
use super::super::proof::Proof;
use super::facts::Facts;
use super::{differences, linear};

/// The most maxima and conditions that one proof decides.
const MAX_SPLITS: usize = 8;

/// The most cases of a proof without linear programs, and the most maxima and conditions that it decides.
const MAX_SIMPLE_CASES: usize = 32;
const MAX_SIMPLE_SPLITS: usize = 5;

/// A search for proofs under assumptions.
pub(in crate::arith) struct Search<'a, 's> {
    pub(in crate::arith) arena: &'a mut Arena<'s>,
    /// Values of the atoms of the arena, as far as a search needed them.
    pub(in crate::arith) samples: &'a mut Samples,
    /// Polynomials that are never negative.
    pub(in crate::arith) assumptions: &'a Facts,
}

/// A case of a proof: the assumptions in it, and the decided atoms with the values that they have in it. A value contains no
/// atom that is decided before.
#[derive(Clone)]
struct Case {
    assumptions: Facts,
    goal: Polynomial,
    decided: Vec<(AtomId, Polynomial)>,
}

impl Search<'_, '_> {
    /// Whether the polynomial is 0: always, never, or unknown.
    pub(in crate::arith) fn is_zero(&mut self, polynomial: &Polynomial) -> Option<Proof> {
        if polynomial.is_zero() {
            return Some(Proof::True);
        }
        let content = polynomial.content();
        if content > 0 && polynomial.constant_term() % content != 0 {
            return Some(Proof::False);
        }
        let negative = polynomial.clone().scale(-1)?;
        let (up, down) = (self.is_non_negative(polynomial.clone())?, self.is_non_negative(negative.clone())?);
        if up && down {
            return Some(Proof::True);
        }
        let excluded = (!down && self.is_non_negative(polynomial.clone().add_constant(-1)?)?)
            || (!up && self.is_non_negative(negative.add_constant(-1)?)?);
        Some(if excluded { Proof::False } else { Proof::Unknown })
    }

    /// Whether the polynomial is at least 0: always, never, or unknown.
    pub(in crate::arith) fn is_at_least_zero(&mut self, polynomial: Polynomial) -> Option<Proof> {
        if self.is_non_negative(polynomial.clone())? {
            return Some(Proof::True);
        }
        let opposite = polynomial.scale(-1)?.add_constant(-1)?;
        Some(if self.is_non_negative(opposite)? { Proof::False } else { Proof::Unknown })
    }

    /// Whether a condition, a polynomial that is 0 or 1, is true.
    pub(in crate::arith) fn is_true(&mut self, condition: Polynomial) -> Option<Proof> {
        if let Some((monomial, 1)) = condition.as_term() {
            // A conjunction.
            let mut proof = Proof::True;
            for &atom in monomial.factors() {
                match self.is_atom_true(atom)? {
                    Proof::True => {}
                    Proof::False => return Some(Proof::False),
                    Proof::Unknown => proof = Proof::Unknown,
                }
            }
            return Some(proof);
        }
        let opposite = condition.clone().scale(-1)?.add_constant(1)?;
        if let Some(atom) = opposite.as_atom() {
            return Some(!self.is_atom_true(atom)?);
        }
        self.is_at_least_zero(condition.add_constant(-1)?)
    }

    fn is_atom_true(&mut self, id: AtomId) -> Option<Proof> {
        if let Some(value) = self.arena.atom_interval(id).single() {
            return Some(Proof::from(value != 0));
        }
        match &*self.arena.atom(id).clone() {
            Atom::NonNegative(polynomial) => self.is_at_least_zero(polynomial.clone()),
            Atom::Zero(polynomial) => self.is_zero(polynomial),
            _ => self.is_at_least_zero(Polynomial::atom(id).add_constant(-1)?),
        }
    }

    /// Whether a proof that the polynomial is never negative is found.
    pub(in crate::arith) fn is_non_negative(&mut self, goal: Polynomial) -> Option<bool> {
        if is_refuted(self.samples, self.arena, &self.assumptions.0, &goal) {
            return Some(false);
        }
        let root = Case { assumptions: self.assumptions.clone(), goal, decided: Vec::new() };
        if self.holds_in_simple_cases(&root)? {
            return Some(true);
        }
        let mut open = vec![root];
        while let Some(case) = open.pop() {
            self.arena.steps.spend(case.goal.len() + 1)?;
            if is_non_negative(self.arena, &case.goal) {
                continue;
            }
            if case.goal.as_constant().is_some() && case.assumptions.0.is_empty() {
                return Some(false);
            }
            let facts = case.assumptions.derive(self.arena, &case.goal)?;
            if linear::implies(&facts, &case.goal, self.arena.steps)? {
                continue;
            }
            // Contradicting facts imply everything, also facts that are not a sum of them.
            let contradiction = Polynomial::constant(-1);
            if !case.assumptions.0.is_empty() && linear::implies(&facts, &contradiction, self.arena.steps)? {
                continue;
            }
            match self.undecided(&case) {
                Some(atom) if case.decided.len() < MAX_SPLITS => open.extend(self.split(&case, atom)?),
                _ => return Some(false),
            }
        }
        Some(true)
    }

    /// Whether the goal holds in each of a few cases by its bounds, by one assumption or by a chain of differences. This
    /// takes a small part of the steps of linear programs.
    fn holds_in_simple_cases(&mut self, root: &Case) -> Option<bool> {
        let mut open = vec![root.clone()];
        for _ in 0..MAX_SIMPLE_CASES {
            let Some(case) = open.pop() else { return Some(true) };
            self.arena.steps.spend(case.goal.len() + 1)?;
            if self.is_simple(&case) || differences::implies(self.arena, &case.assumptions, &case.goal)? {
                continue;
            }
            let atom = self.undecided(&case).filter(|_| case.decided.len() < MAX_SIMPLE_SPLITS);
            let Some(cases) = atom.and_then(|atom| self.split(&case, atom)) else { return Some(false) };
            open.extend(cases);
        }
        Some(false)
    }

    /// Whether the bounds of the goal, or of its difference to an assumption, show that it is not negative, or an assumption
    /// is never true.
    fn is_simple(&mut self, case: &Case) -> bool {
        is_non_negative(self.arena, &case.goal)
            || case.assumptions.0.iter().any(|fact| {
                let rest = case.goal.clone().sub(fact.clone());
                rest.is_some_and(|rest| is_non_negative(self.arena, &rest)) || bounds(self.arena, fact).is_negative()
            })
    }

    /// A maximum or a condition on which the goal or an assumption depends, the nearest one first.
    fn undecided(&self, case: &Case) -> Option<AtomId> {
        let mut seen = BTreeSet::new();
        let mut open: VecDeque<&Polynomial> = [&case.goal].into_iter().chain(&case.assumptions.0).collect();
        while let Some(polynomial) = open.pop_front() {
            for id in polynomial.atoms() {
                if !seen.insert(id) {
                    continue;
                }
                match &**self.arena.atom(id) {
                    Atom::NonNegative(_) | Atom::Zero(_) | Atom::Operation(Operation::Max, None, _)
                        if !case.is_decided(id) =>
                    {
                        return Some(id);
                    }
                    Atom::Operation(Operation::FloorDiv, None, operands) => open.extend(operands),
                    _ => {}
                }
            }
        }
        None
    }

    /// The cases for the value of an atom.
    fn split(&self, case: &Case, id: AtomId) -> Option<Vec<Case>> {
        let one = || Polynomial::constant(1);
        match &**self.arena.atom(id) {
            Atom::NonNegative(polynomial) => {
                let opposite = polynomial.clone().scale(-1)?.add_constant(-1)?;
                Some(vec![
                    case.with(id, &one(), std::slice::from_ref(polynomial))?,
                    case.with(id, &Polynomial::default(), &[opposite])?,
                ])
            }
            Atom::Zero(polynomial) => {
                let negative = polynomial.clone().scale(-1)?;
                let (above, below) = (polynomial.clone().add_constant(-1)?, negative.clone().add_constant(-1)?);
                Some(vec![
                    case.with(id, &one(), &[polynomial.clone(), negative])?,
                    case.with(id, &Polynomial::default(), &[above])?,
                    case.with(id, &Polynomial::default(), &[below])?,
                ])
            }
            Atom::Operation(_, _, operands) => {
                let case_of = |greatest: &Polynomial| {
                    let differences = operands.iter().filter(|&other| other != greatest);
                    let differences = differences.map(|other| greatest.clone().sub(other.clone()));
                    case.with(id, greatest, &differences.collect::<Option<Vec<_>>>()?)
                };
                operands.iter().map(case_of).collect()
            }
            _ => None,
        }
    }
}

impl Case {
    /// The case in which an atom has a value and further facts hold.
    fn with(&self, id: AtomId, value: &Polynomial, facts: &[Polynomial]) -> Option<Case> {
        let value = self.reduced(value)?;
        let mut assumptions = Facts::default();
        for fact in &self.assumptions.0 {
            assumptions.add(fact.substitute(id, &value)?);
        }
        for fact in facts {
            assumptions.add(self.reduced(fact)?);
        }
        // The atom may also occur in other atoms.
        assumptions.add_zero(Polynomial::atom(id).sub(value.clone())?)?;
        let goal = self.goal.substitute(id, &value)?;
        let decided = self.decided.iter().cloned().chain([(id, value)]).collect();
        Some(Case { assumptions, goal, decided })
    }

    /// The polynomial with the values of the decided atoms, which the values of later atoms and the facts about them may
    /// contain again.
    fn reduced(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        self.decided.iter().try_fold(polynomial.clone(), |reduced, (id, value)| reduced.substitute(*id, value))
    }

    fn is_decided(&self, id: AtomId) -> bool {
        self.decided.iter().any(|(decided, _)| *decided == id)
    }
}

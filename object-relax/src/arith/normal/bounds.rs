//! [`bounds`]: the values of a polynomial, more precisely than from the values of each atom alone.

use super::arena::{Arena, Atom};
use super::interval::Interval;
use super::operation::Operation;
use super::polynomial::{AtomId, Monomial, Polynomial};

/// Longer polynomials get the bounds that follow from the values of each atom.
const MAX_TERMS: usize = 24;

/// The most atoms whose meaning one computation uses.
const MAX_DEPTH: usize = 4;

/// Bounds of the values of `polynomial`, which use that `a - d * (a // d)` is a remainder, and that a maximum is one of
/// its operands.
pub(in crate::arith) fn bounds(arena: &mut Arena<'_>, polynomial: &Polynomial) -> Interval {
    refine(arena, polynomial, MAX_DEPTH)
}

/// Whether the polynomial is at least 0, by its bounds.
pub(in crate::arith) fn is_non_negative(arena: &mut Arena<'_>, polynomial: &Polynomial) -> bool {
    bounds(arena, polynomial).is_non_negative()
}

fn refine(arena: &mut Arena<'_>, polynomial: &Polynomial, depth: usize) -> Interval {
    let mut known = arena.interval(polynomial);
    if depth == 0 || polynomial.len() > MAX_TERMS || arena.steps.spend(4 * polynomial.len()).is_none() {
        return known;
    }
    // The atom with the greatest number is in no other one.
    let linear = polynomial.products().filter_map(|(monomial, coefficient)| match monomial.factors() {
        &[id] => Some((id, coefficient)),
        _ => None,
    });
    let mut linear: Vec<(AtomId, i128)> = linear.collect();
    linear.sort_unstable_by_key(|&(id, _)| std::cmp::Reverse(id));
    for (id, coefficient) in linear {
        let refined = match &*arena.atom(id).clone() {
            Atom::Operation(Operation::FloorDiv, None, operands) => {
                remainder(arena, polynomial, (id, coefficient), operands, depth)
            }
            Atom::Operation(Operation::Max, None, operands) => {
                choice(arena, polynomial, (id, coefficient), operands, depth)
            }
            _ => continue,
        };
        if let Some(refined) = refined {
            known = known.intersect(refined);
            break;
        }
    }
    known
}

/// The bounds of `polynomial` with the term `coefficient * (a // d)`, as a multiple of `a - d * (a // d)` plus a rest
/// that is not longer.
fn remainder(
    arena: &mut Arena<'_>,
    polynomial: &Polynomial,
    (id, coefficient): (AtomId, i128),
    operands: &[Polynomial],
    depth: usize,
) -> Option<Interval> {
    let divisor = operands[1].as_constant().filter(|&divisor| divisor > 0 && coefficient % divisor == 0)?;
    let factor = (coefficient / divisor).checked_neg()?;
    let quotient = Polynomial::term(Monomial::atom(id), coefficient);
    let rest = polynomial.clone().sub(quotient)?.sub(operands[0].clone().scale(factor)?)?;
    if rest.len() >= polynomial.len() {
        return None;
    }
    let remainders = Interval::new(0, divisor - 1).mul(Interval::point(factor));
    Some(refine(arena, &rest, depth - 1).add(remainders))
}

/// The bounds of `polynomial` with a multiple of a maximum: it is the greatest or the least of its values with the
/// operands in place of the maximum.
fn choice(
    arena: &mut Arena<'_>,
    polynomial: &Polynomial,
    (id, coefficient): (AtomId, i128),
    operands: &[Polynomial],
    depth: usize,
) -> Option<Interval> {
    let rest = polynomial.clone().sub(Polynomial::term(Monomial::atom(id), coefficient))?;
    if rest.atoms().any(|other| other == id) {
        return None;
    }
    let mut known: Option<Interval> = None;
    for operand in operands {
        let value = refine(arena, &rest.clone().add(operand.clone().scale(coefficient)?)?, depth - 1);
        known = Some(match known {
            None => value,
            Some(known) if coefficient > 0 => known.max(value),
            Some(known) => known.negate().max(value.negate()).negate(),
        });
    }
    known
}

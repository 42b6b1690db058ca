//! The maximum and the minimum of polynomials.

use std::collections::BTreeSet;

use object_core::DataType;

use super::arena::{Arena, Atom};
use super::bounds::{bounds, is_non_negative};
use super::interval::Interval;
use super::operation::Operation;
use super::polynomial::{Monomial, Polynomial, gcd};

/// The most operands of one maximum.
const MAX_OPERANDS: usize = 8;

/// The minimum, which is the negative maximum of the negatives.
pub(in crate::arith) fn minimum(
    arena: &mut Arena<'_>,
    operands: Vec<Polynomial>,
    dtype: DataType,
) -> Option<Polynomial> {
    let negatives: Option<Vec<_>> = operands.into_iter().map(|operand| operand.scale(-1)).collect();
    maximum(arena, negatives?, dtype)?.scale(-1)
}

/// The maximum. The operands of its atom have no part in common: the maximum of `a + c` and `b + c` is `c` plus the
/// maximum of `a` and `b`, so sums of the same maximum are equal.
pub(in crate::arith) fn maximum(
    arena: &mut Arena<'_>,
    operands: Vec<Polynomial>,
    dtype: DataType,
) -> Option<Polynomial> {
    let mut operands = flatten(arena, operands)?;
    let mut common = Polynomial::default();
    loop {
        operands.sort();
        operands.dedup();
        let count = operands.len();
        operands = without_dominated(arena, operands, 1)?;
        let (part, rest) = split_common(operands)?;
        (common, operands) = (common.add(part)?, rest);
        if operands.len() == count {
            break;
        }
    }
    if let [single] = &*operands {
        return common.add(single.clone());
    }
    let coefficients = operands.iter().flat_map(Polynomial::terms).map(|(_, coefficient)| coefficient);
    let scale = coefficients.fold(0, gcd).max(1);
    let mut operands: Vec<_> = operands.into_iter().map(|operand| operand.divide_exactly(scale)).collect();
    operands.sort();
    let interval = operands.iter().map(|operand| bounds(arena, operand)).reduce(Interval::max)?;
    common.add(arena.keep(Operation::Max, operands, interval, dtype).scale(scale)?)
}

/// Operands that contain a maximum with a positive coefficient become several operands.
fn flatten(arena: &Arena<'_>, operands: Vec<Polynomial>) -> Option<Vec<Polynomial>> {
    let (mut open, mut flat) = (operands, Vec::new());
    while let Some(operand) = open.pop() {
        let inner = operand.products().find_map(|(monomial, coefficient)| match monomial.factors() {
            &[id] if coefficient > 0 => match &**arena.atom(id) {
                Atom::Operation(Operation::Max, None, inner) => Some((id, coefficient, inner)),
                _ => None,
            },
            _ => None,
        });
        match inner {
            Some((id, coefficient, inner)) if open.len() + flat.len() + inner.len() <= MAX_OPERANDS => {
                let rest = operand.clone().sub(Polynomial::term(Monomial::atom(id), coefficient))?;
                for choice in inner {
                    open.push(rest.clone().add(choice.clone().scale(coefficient)?)?);
                }
            }
            _ => flat.push(operand),
        }
    }
    Some(flat)
}

/// The operands that are not known to be at most another one; with the sign -1, at least another one.
pub(in crate::arith) fn without_dominated(
    arena: &mut Arena<'_>,
    operands: Vec<Polynomial>,
    sign: i128,
) -> Option<Vec<Polynomial>> {
    let terms: usize = operands.iter().map(|operand| operand.len() + 1).sum();
    arena.steps.spend(8 * terms * operands.len())?;
    let mut kept: Vec<Polynomial> = Vec::new();
    for operand in operands {
        let mut rest = Vec::new();
        let mut is_dominated = false;
        for other in kept {
            let difference = other.clone().sub(operand.clone())?.scale(sign)?;
            is_dominated |= is_non_negative(arena, &difference);
            if is_dominated || !is_non_negative(arena, &difference.scale(-1)?) {
                rest.push(other);
            }
        }
        kept = rest;
        if !is_dominated {
            kept.push(operand);
        }
    }
    Some(kept)
}

/// The smallest coefficient of each product among the operands, and the operands without this part.
fn split_common(operands: Vec<Polynomial>) -> Option<(Polynomial, Vec<Polynomial>)> {
    let monomials: BTreeSet<&Monomial> = operands.iter().flat_map(Polynomial::terms).map(|(it, _)| it).collect();
    let mut common = Polynomial::default();
    for monomial in monomials {
        let least = operands.iter().map(|operand| operand.coefficient(monomial)).min()?;
        common = common.add(Polynomial::term(monomial.clone(), least))?;
    }
    let rest: Option<Vec<_>> = operands.into_iter().map(|operand| operand.sub(common.clone())).collect();
    Some((common, rest?))
}

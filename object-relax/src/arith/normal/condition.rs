//! Conditions as polynomials: 1 is true, 0 is false, so `not a` is `1 - a` and `a and b` is `a * b`.

use object_core::DataType;

use super::arena::{Arena, Atom};
use super::bounds::bounds;
use super::interval::Interval;
use super::polynomial::Polynomial;

/// 1 if the polynomial is not negative, else 0. `None` if the numbers are too large.
pub(in crate::arith) fn non_negative(arena: &mut Arena<'_>, polynomial: Polynomial) -> Option<Polynomial> {
    arena.steps.spend(4 * polynomial.len() + 4)?;
    let values = bounds(arena, &polynomial);
    if values.is_non_negative() || values.is_negative() {
        return Some(Polynomial::constant(i128::from(values.is_non_negative())));
    }
    if values.is_within(Interval::new(-1, 0)) {
        return polynomial.add_constant(1);
    }
    let content = polynomial.content();
    let reduced = if content > 1 { polynomial.divide_down(content)? } else { polynomial };
    // Of a condition and its opposite, `-p - 1 >= 0`, one is an atom.
    if first_coefficient(&reduced) < 0 {
        let opposite = reduced.scale(-1)?.add_constant(-1)?;
        return negation(truth(arena, Atom::NonNegative(opposite)));
    }
    Some(truth(arena, Atom::NonNegative(reduced)))
}

/// 1 if the polynomial is 0, else 0. `None` if the numbers are too large.
pub(in crate::arith) fn zero(arena: &mut Arena<'_>, polynomial: Polynomial) -> Option<Polynomial> {
    arena.steps.spend(4 * polynomial.len() + 4)?;
    let values = bounds(arena, &polynomial);
    if let Some(constant) = polynomial.as_constant() {
        return Some(Polynomial::constant(i128::from(constant == 0)));
    }
    if values.is_disjoint(Interval::point(0)) {
        return Some(Polynomial::default());
    }
    if values.is_within(Interval::new(-1, 0)) {
        return polynomial.add_constant(1);
    }
    if values.is_within(Interval::BOOL) {
        return negation(polynomial);
    }
    let content = polynomial.content();
    if polynomial.constant_term() % content != 0 {
        return Some(Polynomial::default());
    }
    let reduced = polynomial.divide_exactly(content);
    let reduced = if first_coefficient(&reduced) < 0 { reduced.scale(-1)? } else { reduced };
    Some(truth(arena, Atom::Zero(reduced)))
}

/// The opposite of a condition.
pub(in crate::arith) fn negation(condition: Polynomial) -> Option<Polynomial> {
    condition.scale(-1)?.add_constant(1)
}

/// Whether at least one condition is true.
pub(in crate::arith) fn disjunction(arena: &mut Arena<'_>, a: Polynomial, b: Polynomial) -> Option<Polynomial> {
    let both = arena.product(&a, &b)?;
    a.add(b)?.sub(both)
}

/// One of two values.
pub(in crate::arith) fn select(
    arena: &mut Arena<'_>,
    condition: &Polynomial,
    if_true: Polynomial,
    if_false: Polynomial,
) -> Option<Polynomial> {
    let difference = if_true.sub(if_false.clone())?;
    if_false.add(arena.product(condition, &difference)?)
}

fn truth(arena: &mut Arena<'_>, atom: Atom) -> Polynomial {
    Polynomial::atom(arena.intern(atom, Interval::BOOL, DataType::boolean()))
}

/// The coefficient of the first product, whose sign selects one of two opposite polynomials.
fn first_coefficient(polynomial: &Polynomial) -> i128 {
    polynomial.products().next().map_or(0, |(_, coefficient)| coefficient)
}

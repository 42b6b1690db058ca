//! Quotients and remainders that keep the form of the dividend; proofs do not keep it.

use object_core::DataType;

use super::super::normal::arena::{Arena, Atom};
use super::super::normal::bounds::{bounds, is_non_negative};
use super::super::normal::division::without_common_factor;
use super::super::normal::interval::Interval;
use super::super::normal::operation::Operation;
use super::super::normal::polynomial::{Polynomial, gcd};
use super::emit::Style;

/// The multiple of `divisor` in `dividend`, as the factor, and the rest. `None` if the rest is not zero and `operation` may
/// not round down.
fn split_by_rounding(
    arena: &mut Arena<'_>,
    operation: Operation,
    dividend: Polynomial,
    divisor: &Polynomial,
) -> Option<(Polynomial, Polynomial)> {
    arena.steps.spend(8 * (dividend.len() + divisor.len()))?;
    let (whole, rest) = split_multiples(dividend, divisor)?;
    (rest.is_zero() || rounds_down(arena, operation, &rest, &whole, divisor)).then_some((whole, rest))
}

/// The quotient of both roundings: `operation` is `FloorDiv` or `TruncDiv`. `None` if no rule applies.
pub(in crate::arith) fn quotient(
    arena: &mut Arena<'_>,
    (operation, style): (Operation, Style),
    dividend: Polynomial,
    divisor: Polynomial,
    dtype: DataType,
) -> Option<Polynomial> {
    let (whole, rest) = split_by_rounding(arena, operation, dividend, &divisor)?;
    if rest.is_zero() {
        return Some(whole);
    }
    let (rest, divisor) = match divisor.as_constant() {
        Some(_) => (rest, divisor),
        None => without_common_factor(rest, divisor)?,
    };
    let Some(constant) = divisor.as_constant() else {
        if is_fraction(arena, &rest, &divisor)? {
            return Some(whole);
        }
        let interval = bounds(arena, &rest);
        let interval = interval.hull(interval.negate()).hull(Interval::point(0));
        return arena.keep(operation, vec![rest, divisor], interval, dtype).add(whole);
    };
    // A quotient of negatives is the same; the rules are about positive divisors.
    let sign = constant.signum();
    let (rest, constant) = by_smaller_constant(arena, (operation, style), rest.scale(sign)?, constant.checked_abs()?)?;
    let values = bounds(arena, &rest).floor_div_positive(Interval::point(constant));
    if let Some(value) = values.single() {
        return whole.add_constant(value);
    }
    if constant == 1 {
        return rest.add(whole);
    }
    let operands = vec![rest.scale(sign)?, Polynomial::constant(constant * sign)];
    arena.keep(operation, operands, values, dtype).add(whole)
}

/// The remainder of both roundings: `operation` is `FloorMod` or `TruncMod`. `None` if no rule applies.
pub(in crate::arith) fn remainder(
    arena: &mut Arena<'_>,
    (operation, style): (Operation, Style),
    dividend: Polynomial,
    divisor: Polynomial,
    dtype: DataType,
) -> Option<Polynomial> {
    let (_, rest) = split_by_rounding(arena, operation, dividend, &divisor)?;
    if rest.is_zero() {
        return Some(rest);
    }
    if is_fraction(arena, &rest, &divisor)? {
        return Some(rest);
    }
    let Some(constant) = divisor.as_constant() else {
        let divisors = arena.interval(&divisor);
        let interval = if divisors.is_non_negative() {
            Interval { lo: Some(0), hi: divisors.hi.and_then(|hi| hi.checked_sub(1)) }
        } else {
            Interval::ALL
        };
        return Some(arena.keep(operation, vec![rest, divisor], interval, dtype));
    };
    if constant < 0 {
        return None;
    }
    let rest = without_remainders(arena, operation, rest, constant)?;
    // Truncation depends on the sign, so only a floored remainder may get other coefficients.
    let rest = if operation == Operation::FloorMod {
        rest.ordered_terms().into_iter().try_fold(Polynomial::default(), |sum, (monomial, coefficient)| {
            let coefficient = match style {
                Style::Usual => coefficient.rem_euclid(constant),
                Style::Cautious => coefficient % constant,
            };
            sum.add(Polynomial::term(monomial.clone(), coefficient))
        })?
    } else {
        rest
    };
    if let Some(value) = rest.as_constant() {
        return Some(Polynomial::constant(value.rem_euclid(constant)));
    }
    let common = rest.terms().fold(constant, |divisor, (_, coefficient)| gcd(divisor, coefficient));
    let operands = vec![rest.divide_exactly(common), Polynomial::constant(constant / common)];
    arena.keep(operation, operands, Interval::new(0, constant / common - 1), dtype).scale(common)
}

/// The sum of the terms that are multiples of the divisor, divided by it, and the sum of the other terms. Only a
/// divisor of one term divides others.
fn split_multiples(dividend: Polynomial, divisor: &Polynomial) -> Option<(Polynomial, Polynomial)> {
    let Some((of_divisor, factor)) = divisor.as_term().map(|(monomial, factor)| (monomial.clone(), factor)) else {
        return Some((Polynomial::default(), dividend));
    };
    let (multiples, rest) =
        dividend.partition(|monomial, coefficient| coefficient % factor == 0 && monomial.divide(&of_divisor).is_some());
    let mut whole = Polynomial::default();
    for (monomial, coefficient) in multiples.ordered_terms() {
        whole = whole.add(Polynomial::term(monomial.divide(&of_divisor)?, coefficient / factor))?;
    }
    Some((whole, rest))
}

/// Whether the operation rounds the quotient of the rest down. Truncation does so for positive numbers only.
fn rounds_down(
    arena: &mut Arena<'_>,
    operation: Operation,
    rest: &Polynomial,
    whole: &Polynomial,
    divisor: &Polynomial,
) -> bool {
    let is_floor = matches!(operation, Operation::FloorDiv | Operation::FloorMod);
    let divisors = bounds(arena, divisor);
    if is_floor {
        return true;
    }
    divisors.is_non_negative()
        && divisors.single() != Some(0)
        && is_non_negative(arena, rest)
        && is_non_negative(arena, whole)
}

/// Whether the dividend is in `0..divisor`.
fn is_fraction(arena: &mut Arena<'_>, dividend: &Polynomial, divisor: &Polynomial) -> Option<bool> {
    let below = divisor.clone().sub(dividend.clone())?.add_constant(-1)?;
    Some(is_non_negative(arena, dividend) && is_non_negative(arena, &below))
}

/// The dividend and a positive constant divisor without a common factor that is a coefficient, and `(x // a + c) // b` as
/// `(x + c * a) // (a * b)`.
fn by_smaller_constant(
    arena: &Arena<'_>,
    (operation, style): (Operation, Style),
    mut dividend: Polynomial,
    mut divisor: i128,
) -> Option<(Polynomial, i128)> {
    let common = gcd(dividend.content(), divisor);
    if common > 1 && dividend.products().any(|(_, coefficient)| coefficient.abs() == common) {
        dividend = dividend.divide_down(common)?;
        divisor /= common;
    }
    let constant = dividend.constant_term();
    let inner = dividend.clone().add_constant(constant.checked_neg()?)?.as_atom();
    if let Some(Atom::Operation(inner, None, operands)) = inner.map(|id| &**arena.atom(id))
        && *inner == operation
        && let Some(factor) = operands[1].as_constant().filter(|&factor| factor > 0)
        && ((operation, style) == (Operation::FloorDiv, Style::Usual) || constant == 0)
    {
        dividend = operands[0].clone().add_constant(constant.checked_mul(factor)?)?;
        divisor = divisor.checked_mul(factor)?;
    }
    Some((dividend, divisor))
}

/// The dividend with `x` in place of `x % (c * divisor)`, which has the same remainder.
fn without_remainders(
    arena: &Arena<'_>,
    operation: Operation,
    mut dividend: Polynomial,
    divisor: i128,
) -> Option<Polynomial> {
    if operation != Operation::FloorMod {
        return Some(dividend);
    }
    let atoms: Vec<_> = dividend.atoms().collect();
    for id in atoms {
        if let Atom::Operation(Operation::FloorMod, None, operands) = &**arena.atom(id)
            && operands[1].as_constant().is_some_and(|inner| inner > 0 && inner % divisor == 0)
        {
            dividend = dividend.substitute(id, &operands[0])?;
        }
    }
    Some(dividend)
}

//! The quotient of polynomials, rounded down, and the operations that follow from it.

use object_core::DataType;

use super::arena::{Arena, Atom};
use super::bounds::{bounds, is_non_negative};
use super::condition::non_negative;
use super::interval::Interval;
use super::operation::Operation;
use super::polynomial::{Monomial, Polynomial, gcd};

/// The most rounds of a rule that repeats.
const MAX_ROUNDS: usize = 64;

/// The quotient rounded down. `None` if the numbers are too large or no steps are left.
pub(in crate::arith) fn floor_div(
    arena: &mut Arena<'_>,
    dividend: Polynomial,
    divisor: Polynomial,
    dtype: DataType,
) -> Option<Polynomial> {
    arena.steps.spend(8 * (dividend.len() + divisor.len()))?;
    match divisor.as_constant() {
        Some(0) => None,
        Some(constant) if constant < 0 => by_constant(arena, dividend.scale(-1)?, constant.checked_neg()?, dtype),
        Some(constant) => by_constant(arena, dividend, constant, dtype),
        None => by_polynomial(arena, dividend, divisor, dtype),
    }
}

/// The remainder of [`floor_div`].
pub(in crate::arith) fn floor_mod(
    arena: &mut Arena<'_>,
    dividend: Polynomial,
    divisor: &Polynomial,
    dtype: DataType,
) -> Option<Polynomial> {
    let quotient = floor_div(arena, dividend.clone(), divisor.clone(), dtype)?;
    dividend.sub(arena.product(&quotient, divisor)?)
}

/// The quotient rounded towards zero.
pub(in crate::arith) fn trunc_div(
    arena: &mut Arena<'_>,
    dividend: Polynomial,
    divisor: Polynomial,
    dtype: DataType,
) -> Option<Polynomial> {
    if arena.interval(&divisor).is_negative() {
        return trunc_div(arena, dividend, divisor.scale(-1)?, dtype)?.scale(-1);
    }
    if divisor.as_constant() == Some(0) || !arena.interval(&divisor).is_non_negative() {
        return None;
    }
    let sign = non_negative(arena, dividend.clone())?;
    match sign.as_constant() {
        Some(1) => return floor_div(arena, dividend, divisor, dtype),
        Some(_) => return floor_div(arena, dividend.scale(-1)?, divisor, dtype)?.scale(-1),
        None => {}
    }
    let if_positive = floor_div(arena, dividend.clone(), divisor.clone(), dtype)?;
    let if_negative = floor_div(arena, dividend.scale(-1)?, divisor, dtype)?.scale(-1)?;
    let difference = if_positive.sub(if_negative.clone())?;
    if_negative.add(arena.product(&sign, &difference)?)
}

/// The remainder of [`trunc_div`].
pub(in crate::arith) fn trunc_mod(
    arena: &mut Arena<'_>,
    dividend: Polynomial,
    divisor: &Polynomial,
    dtype: DataType,
) -> Option<Polynomial> {
    let quotient = trunc_div(arena, dividend.clone(), divisor.clone(), dtype)?;
    dividend.sub(arena.product(&quotient, divisor)?)
}

/// The quotient by a positive constant. The dividend of the atom has coefficients in `0..divisor`, and no common
/// factor with the divisor, so equal quotients are equal atoms.
fn by_constant(
    arena: &mut Arena<'_>,
    mut dividend: Polynomial,
    mut divisor: i128,
    dtype: DataType,
) -> Option<Polynomial> {
    let mut quotient = Polynomial::default();
    for _ in 0..MAX_ROUNDS {
        arena.steps.spend(8 * dividend.len() + 8)?;
        // Remainders keep their bounds if negative coefficients stay negative.
        let (part, rest) = split_multiples(&dividend, |coefficient| coefficient / divisor, divisor)?;
        quotient = quotient.add(part)?;
        let values = bounds(arena, &rest).floor_div_positive(Interval::point(divisor));
        if let Some(value) = values.single() {
            return quotient.add_constant(value);
        }
        let (part, mut rest) = split_multiples(&rest, |coefficient| coefficient.div_euclid(divisor), divisor)?;
        quotient = quotient.add(part)?;
        let common = gcd(rest.content(), divisor);
        if rest.as_constant().is_some() {
            // The constant is less than the divisor.
            return Some(quotient);
        }
        if common > 1 {
            rest = rest.divide_down(common)?;
            divisor /= common;
        }
        let values = bounds(arena, &rest).floor_div_positive(Interval::point(divisor));
        if let Some(value) = values.single() {
            return quotient.add_constant(value);
        }
        match merge_quotients(arena, &rest, divisor) {
            Some((merged, product)) => (dividend, divisor) = (merged, product),
            None if common > 1 && divisor == 1 => return quotient.add(rest),
            None => {
                let operands = vec![rest, Polynomial::constant(divisor)];
                return quotient.add(arena.keep(Operation::FloorDiv, operands, values, dtype));
            }
        }
    }
    None
}

/// The sums of the quotients and of the remainders of all coefficients.
fn split_multiples(
    dividend: &Polynomial,
    quotient_of: impl Fn(i128) -> i128,
    divisor: i128,
) -> Option<(Polynomial, Polynomial)> {
    let (mut quotient, mut rest) = (Polynomial::default(), Polynomial::default());
    for (monomial, coefficient) in dividend.terms() {
        let part = quotient_of(coefficient);
        quotient = quotient.add(Polynomial::term(monomial.clone(), part))?;
        rest = rest.add(Polynomial::term(monomial.clone(), coefficient - part * divisor))?;
    }
    Some((quotient, rest))
}

/// `(x // e + y) // d` as `(x + y * e) // (e * d)`.
fn merge_quotients(arena: &Arena<'_>, dividend: &Polynomial, divisor: i128) -> Option<(Polynomial, i128)> {
    for (monomial, coefficient) in dividend.products() {
        let (&[id], 1) = (monomial.factors(), coefficient) else { continue };
        let Atom::Operation(Operation::FloorDiv, None, operands) = &**arena.atom(id) else { continue };
        let Some(inner) = operands[1].as_constant().filter(|&inner| inner > 0) else { continue };
        let rest = dividend.clone().sub(Polynomial::atom(id))?;
        return Some((operands[0].clone().add(rest.scale(inner)?)?, inner.checked_mul(divisor)?));
    }
    None
}

/// The quotient by a polynomial, which is assumed not to be 0.
fn by_polynomial(
    arena: &mut Arena<'_>,
    mut dividend: Polynomial,
    mut divisor: Polynomial,
    dtype: DataType,
) -> Option<Polynomial> {
    if leading(&divisor)?.1 < 0 {
        (dividend, divisor) = (dividend.scale(-1)?, divisor.scale(-1)?);
    }
    let mut quotient = Polynomial::default();
    let (lead, lead_coefficient) = leading(&divisor)?;
    for _ in 0..=MAX_ROUNDS {
        arena.steps.spend(4 * dividend.len())?;
        let next = dividend.terms().find_map(|(monomial, coefficient)| {
            let factor = coefficient.div_euclid(lead_coefficient);
            monomial.divide(&lead).filter(|_| factor != 0).map(|rest| Polynomial::term(rest, factor))
        });
        let Some(next) = next else { break };
        dividend = dividend.sub(arena.product(&next, &divisor)?)?;
        quotient = quotient.add(next)?;
    }
    if dividend.is_zero() {
        return Some(quotient);
    }
    let (dividend, divisor) = without_common_factor(dividend, divisor)?;
    if divisor.as_constant().is_some() {
        return quotient.add(floor_div(arena, dividend, divisor, dtype)?);
    }
    let values = bounds(arena, &dividend);
    let below = divisor.clone().sub(dividend.clone())?.add_constant(-1)?;
    if values.is_non_negative() && is_non_negative(arena, &below) {
        return Some(quotient);
    }
    let above = divisor.clone().add(dividend.clone())?;
    if values.is_negative() && is_non_negative(arena, &above) {
        return quotient.add_constant(-1);
    }
    let divisors = arena.interval(&divisor);
    let interval = if divisors.is_non_negative() {
        values.floor_div_positive(divisors)
    } else {
        // The absolute value of a divisor is at least 1.
        values.hull(values.negate()).hull(Interval::point(0))
    };
    quotient.add(arena.keep(Operation::FloorDiv, vec![dividend, divisor], interval, dtype))
}

/// The term with the most factors.
fn leading(polynomial: &Polynomial) -> Option<(Monomial, i128)> {
    let lead = polynomial.terms().max_by_key(|(monomial, _)| (monomial.factors().len(), (*monomial).clone()))?;
    Some((lead.0.clone(), lead.1))
}

/// Both polynomials divided by the atoms and the constant that divide all their terms.
pub(in crate::arith) fn without_common_factor(
    mut a: Polynomial,
    mut b: Polynomial,
) -> Option<(Polynomial, Polynomial)> {
    let constants = a.terms().chain(b.terms()).fold(0, |divisor, (_, coefficient)| gcd(divisor, coefficient));
    (a, b) = (a.divide_exactly(constants.max(1)), b.divide_exactly(constants.max(1)));
    let candidates: Vec<_> = a.terms().next()?.0.factors().to_vec();
    for atom in candidates {
        let single = Monomial::atom(atom);
        let divided = |polynomial: &Polynomial| {
            let terms =
                polynomial.terms().map(|(monomial, coefficient)| Some((monomial.divide(&single)?, coefficient)));
            let terms: Option<Vec<_>> = terms.collect();
            terms?.into_iter().try_fold(Polynomial::default(), |sum, (monomial, coefficient)| {
                sum.add(Polynomial::term(monomial, coefficient))
            })
        };
        if let (Some(smaller_a), Some(smaller_b)) = (divided(&a), divided(&b)) {
            (a, b) = (smaller_a, smaller_b);
        }
    }
    Some((a, b))
}

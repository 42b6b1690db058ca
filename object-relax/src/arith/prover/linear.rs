//! [`implies`]: linear programming with exact integers. A goal follows from facts if it is a sum of
//! non-negative multiples of facts and of a constant; products count as independent unknowns.

use std::collections::BTreeMap;

use super::super::normal::arena::Steps;
use super::super::normal::polynomial::{Monomial, Polynomial, gcd};
use super::facts::Facts;

/// The most entries of a tableau.
const MAX_ENTRIES: usize = 1 << 15;

/// The most pivots of one program.
const MAX_PIVOTS: usize = 200;

/// An equation `sum of coefficients * unknowns = value`, whose basic unknown has a positive coefficient.
struct Row {
    coefficients: Vec<i128>,
    value: i128,
    /// The unknown that the row determines; `None` for an artificial one, which has to become 0.
    basic: Option<usize>,
}

/// `scale * objective + sum of coefficients * unknowns = value`, to be minimised.
struct Objective {
    coefficients: Vec<i128>,
    value: i128,
    scale: i128,
}

/// Whether the facts, polynomials that are not negative, imply that `goal` is not negative. Also true if the facts
/// contradict each other. `None` if the numbers are too large or no steps are left.
///
/// Minimises `sum of factor_i * constant(fact_i)` over non-negative factors with `sum of factor_i * fact_i = goal` up to
/// the constants. The goal exceeds -1, and so is not negative, if the minimum is less than its constant plus 1.
pub(in crate::arith) fn implies(facts: &Facts, goal: &Polynomial, steps: &mut Steps) -> Option<bool> {
    let facts = &facts.0;
    let mut numbers: BTreeMap<&Monomial, usize> = BTreeMap::new();
    for (monomial, _) in facts.iter().chain([goal]).flat_map(Polynomial::products) {
        let next = numbers.len();
        numbers.entry(monomial).or_insert(next);
    }
    if numbers.len().checked_mul(facts.len() + 1).is_none_or(|entries| entries > MAX_ENTRIES) {
        return Some(false);
    }
    steps.spend(numbers.len() * (facts.len() + 1))?;
    let mut rows: Vec<Row> =
        numbers.iter().map(|_| Row { coefficients: vec![0; facts.len()], value: 0, basic: None }).collect();
    for (monomial, coefficient) in goal.products() {
        rows[numbers[monomial]].value = coefficient;
    }
    for (column, fact) in facts.iter().enumerate() {
        for (monomial, coefficient) in fact.products() {
            rows[numbers[monomial]].coefficients[column] = coefficient;
        }
    }
    for row in &mut rows {
        if row.value < 0 {
            row.negate()?;
        }
    }
    // The first phase minimises the sum of the artificial unknowns, the second one the constants.
    let mut errors = Objective { coefficients: vec![0; facts.len()], value: 0, scale: 1 };
    for row in &rows {
        for (sum, coefficient) in errors.coefficients.iter_mut().zip(&row.coefficients) {
            *sum = sum.checked_add(*coefficient)?;
        }
        errors.value = errors.value.checked_add(row.value)?;
    }
    let constants = facts.iter().map(|fact| fact.constant_term().checked_neg()).collect::<Option<Vec<_>>>()?;
    let mut bound = Objective { coefficients: constants, value: 0, scale: 1 };
    let enough = goal.constant_term().checked_add(1)?;

    for _ in 0..MAX_PIVOTS {
        let feasible = errors.value == 0;
        if feasible && bound.value < enough.checked_mul(bound.scale)? {
            return Some(true);
        }
        let objective = if feasible { &bound } else { &errors };
        let Some(column) = objective.coefficients.iter().position(|&coefficient| coefficient > 0) else {
            return Some(false);
        };
        let Some(pivot) = pivot_row(&mut rows, column, feasible)? else {
            // The minimum has no bound: the facts contradict each other.
            return Some(feasible);
        };
        steps.spend(4 * (rows.len() + 2) * facts.len().max(1))?;
        let (coefficients, value) = (rows[pivot].coefficients.clone(), rows[pivot].value);
        let (factor, pivot_value) = (coefficients[column], value);
        for (index, row) in rows.iter_mut().enumerate() {
            if index != pivot {
                eliminate(&mut row.coefficients, &mut row.value, None, &coefficients, pivot_value, column, factor)?;
            }
        }
        for objective in [&mut errors, &mut bound] {
            let Objective { coefficients: own, value, scale } = objective;
            eliminate(own, value, Some(scale), &coefficients, pivot_value, column, factor)?;
        }
        rows[pivot].basic = Some(column);
    }
    Some(false)
}

impl Row {
    fn negate(&mut self) -> Option<()> {
        for coefficient in &mut self.coefficients {
            *coefficient = coefficient.checked_neg()?;
        }
        self.value = self.value.checked_neg()?;
        Some(())
    }
}

/// The row whose basic unknown becomes 0 first when the unknown `column` grows: Bland's rule, which cannot cycle. In
/// the second phase, artificial unknowns leave as soon as they would change.
fn pivot_row(rows: &mut [Row], column: usize, second_phase: bool) -> Option<Option<usize>> {
    if second_phase && let Some(row) = rows.iter().position(|row| row.basic.is_none() && row.coefficients[column] != 0)
    {
        if rows[row].coefficients[column] < 0 {
            // The value of an artificial unknown is 0 in this phase.
            rows[row].negate()?;
        }
        return Some(Some(row));
    }
    let mut best: Option<usize> = None;
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.coefficients[column] > 0) {
        let Some(current) = best else {
            best = Some(index);
            continue;
        };
        let other = &rows[current];
        let left = row.value.checked_mul(other.coefficients[column])?;
        let right = other.value.checked_mul(row.coefficients[column])?;
        // `None`, an artificial unknown, is less than any other.
        if left < right || (left == right && row.basic < other.basic) {
            best = Some(index);
        }
    }
    Some(best)
}

/// Subtracts a multiple of the pivot row so that `column` becomes 0, and divides by common factors.
fn eliminate(
    coefficients: &mut [i128],
    value: &mut i128,
    mut scale: Option<&mut i128>,
    pivot: &[i128],
    pivot_value: i128,
    column: usize,
    factor: i128,
) -> Option<()> {
    let own = coefficients[column];
    if own == 0 {
        return Some(());
    }
    let common = gcd(own, factor).max(1);
    let (own, factor) = (own / common, factor / common);
    let combine = |a: i128, b: i128| a.checked_mul(factor)?.checked_sub(b.checked_mul(own)?);
    let mut divisor = 0;
    for (coefficient, pivot) in coefficients.iter_mut().zip(pivot) {
        *coefficient = combine(*coefficient, *pivot)?;
        divisor = gcd(divisor, *coefficient);
    }
    *value = combine(*value, pivot_value)?;
    divisor = gcd(divisor, *value);
    if let Some(scale) = &mut scale {
        **scale = scale.checked_mul(factor)?;
        divisor = gcd(divisor, **scale);
    }
    if divisor > 1 {
        coefficients.iter_mut().for_each(|coefficient| *coefficient /= divisor);
        *value /= divisor;
        if let Some(scale) = scale {
            *scale /= divisor;
        }
    }
    Some(())
}

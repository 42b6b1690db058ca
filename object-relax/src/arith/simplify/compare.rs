//! Comparisons with each term on the side where it is positive.

use object_core::DataType;

use super::super::normal::arena::Arena;
use super::super::normal::operation::Operation;
use super::super::normal::polynomial::{Monomial, Polynomial};

/// The comparison of two sums without common terms and factors.
pub(in crate::arith) fn compare(
    arena: &mut Arena<'_>,
    operation: Operation,
    a: Polynomial,
    b: Polynomial,
    dtype: DataType,
    source: DataType,
) -> Option<Polynomial> {
    let (operation, left, right) = match operation {
        Operation::Equal | Operation::NotEqual => {
            let difference = a.sub(b)?;
            let content = difference.content().max(1);
            if difference.constant_term() % content != 0 {
                return Some(Polynomial::constant(i128::from(operation == Operation::NotEqual)));
            }
            let (left, right) = sides(difference.divide_exactly(content))?;
            (operation, left, right)
        }
        _ => {
            let (operation, difference) = normal_inequality(operation, b.sub(a)?)?;
            let (right, left) = sides(difference)?;
            (operation, left, right)
        }
    };
    Some(arena.keep_from(operation, vec![left, right], dtype, source))
}

/// `0 < p` or `0 <= p` with a divided `p`, in the form without a constant if there is one.
fn normal_inequality(operation: Operation, difference: Polynomial) -> Option<(Operation, Polynomial)> {
    // From here on, `0 <= least`.
    let least = if operation == Operation::Less { difference.add_constant(-1)? } else { difference };
    let content = least.content().max(1);
    let least = least.divide_down(content)?;
    let constant = least.constant_term();
    // Only a comparison of two products can lose its constant.
    let is_strict = if least.products().count() > 1 {
        constant == -1 || (operation == Operation::Less && constant != 0)
    } else {
        operation == Operation::Less
    };
    let operation = if is_strict { Operation::Less } else { Operation::LessEqual };
    Some((operation, least.add_constant(i128::from(is_strict))?))
}

/// The terms with positive coefficients, and the other terms negated. The constant is on the side without the product
/// if there is only one, so that the product alone is compared.
fn sides(polynomial: Polynomial) -> Option<(Polynomial, Polynomial)> {
    let mut products = polynomial.products();
    let single = products.next().filter(|_| products.next().is_none()).map(|(_, coefficient)| coefficient > 0);
    let is_left = |monomial: &Monomial, coefficient| match single {
        Some(is_left) => monomial.is_one() != is_left,
        None => coefficient > 0,
    };
    drop(products);
    let (positive, negative) = polynomial.partition(is_left);
    Some((positive, negative.scale(-1)?))
}

/// The opposite of a comparison, with its operands.
pub(in crate::arith) fn opposite(
    operation: Operation,
    operands: &[Polynomial],
) -> Option<(Operation, Vec<Polynomial>)> {
    let swapped = || operands.iter().rev().cloned().collect();
    Some(match operation {
        Operation::Equal => (Operation::NotEqual, operands.to_vec()),
        Operation::NotEqual => (Operation::Equal, operands.to_vec()),
        Operation::Less => (Operation::LessEqual, swapped()),
        Operation::LessEqual => (Operation::Less, swapped()),
        _ => return None,
    })
}

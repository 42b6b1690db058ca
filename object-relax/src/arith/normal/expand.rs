//! [`Expansion`]: the normal form of proofs. Products are multiplied out, remainders and minima become quotients and
//! maxima, and conditions become numbers.

use std::collections::BTreeMap;

use object_core::scalar::TypeCode;
use object_core::structural::StructuralKey;
use object_core::{DataType, ObjectHandle};
use object_ir::ir::PrimExpr;
use rustc_hash::FxHashMap;

use super::arena::{Arena, Leaf, Steps};
use super::bounds::bounds;
use super::condition::{disjunction, negation, non_negative, select, zero};
use super::division::{floor_div, floor_mod, trunc_div, trunc_mod};
use super::extremum::{maximum, minimum};
use super::fold::{Rules, fold};
use super::interval::Interval;
use super::operation::{Operation, is_index, size_if_pure, wrap};
use super::polynomial::{AtomId, Polynomial};
use crate::addresses::address;

/// The facts about variables that a normal form needs.
pub(in crate::arith) trait Variables {
    /// The values that a variable can have.
    fn interval(&self, var: &PrimExpr) -> Interval;

    /// The value of a variable, if it is known.
    fn value(&self, var: &PrimExpr) -> Option<&PrimExpr>;
}

/// Computes expanded normal forms.
pub(in crate::arith) struct Expansion<'a, 's> {
    pub(in crate::arith) arena: Arena<'s>,
    variables: &'a dyn Variables,
    /// Leaves that are equal to polynomials without these leaves.
    replaced: BTreeMap<AtomId, Polynomial>,
    /// The normal forms of all operations of index types, by their addresses, if somebody needs them.
    pub(in crate::arith) parts: Option<FxHashMap<usize, Polynomial>>,
}

impl<'a, 's> Expansion<'a, 's> {
    pub(in crate::arith) fn new(variables: &'a dyn Variables, steps: &'s mut Steps) -> Self {
        Expansion { arena: Arena::new(steps), variables, replaced: BTreeMap::new(), parts: None }
    }

    /// The normal form of `expr`; `None` if it has effects or no steps are left.
    pub(in crate::arith) fn expand(&mut self, expr: &'a PrimExpr) -> Option<Polynomial> {
        fold(expr, self)
    }

    /// Replaces a leaf by a polynomial in all normal forms from now on.
    pub(in crate::arith) fn replace(&mut self, leaf: AtomId, value: &Polynomial) -> Option<()> {
        for known in self.replaced.values_mut() {
            *known = known.substitute(leaf, value)?;
        }
        self.replaced.insert(leaf, value.clone());
        Some(())
    }

    /// A leaf as a polynomial; a constant if its value is known.
    fn leaf(&mut self, expr: &PrimExpr, interval: Interval) -> Option<Polynomial> {
        let id = leaf(&mut self.arena, expr, interval)?;
        if let Some(value) = self.arena.atom_interval(id).single() {
            return Some(Polynomial::constant(value));
        }
        let Some(value) = self.replaced.get(&id) else { return Some(Polynomial::atom(id)) };
        self.arena.steps.spend(value.len())?;
        Some(value.clone())
    }
}

/// The number of a variable or of an expression of unknown meaning.
pub(in crate::arith) fn leaf(arena: &mut Arena<'_>, expr: &PrimExpr, interval: Interval) -> Option<AtomId> {
    let is_variable = Operation::of(expr).0 == Operation::Variable;
    let leaf = if is_variable {
        Leaf::Variable(expr.as_object().view().address())
    } else {
        arena.steps.spend(size_if_pure(expr)?)?;
        Leaf::Expression(StructuralKey::new(expr.clone()).ok()?)
    };
    Some(arena.intern_leaf(leaf, expr, interval))
}

/// All values of a type.
pub(in crate::arith) fn range(dtype: DataType) -> Interval {
    Interval::of_dtype(dtype).unwrap_or(Interval::ALL)
}

impl<'a> Rules<'a> for Expansion<'a, '_> {
    fn value(&self, var: &PrimExpr) -> Option<&'a PrimExpr> {
        self.variables.value(var)
    }

    fn steps(&mut self) -> &mut Steps {
        self.arena.steps
    }

    fn apply(&mut self, expr: &'a PrimExpr, operation: Operation, operands: Vec<Polynomial>) -> Option<Polynomial> {
        let is_part = self.parts.is_some() && is_index(expr.dtype) && !operands.is_empty();
        let form = self.form(expr, operation, operands)?;
        if is_part {
            self.arena.steps.spend(form.len())?;
            self.parts.get_or_insert_default().insert(address(expr), form.clone());
        }
        Some(form)
    }
}

impl Expansion<'_, '_> {
    /// The normal form of `expr`, which is `operation` on `operands`.
    fn form(&mut self, expr: &PrimExpr, operation: Operation, mut operands: Vec<Polynomial>) -> Option<Polynomial> {
        let (arena, dtype) = (&mut self.arena, expr.dtype);
        arena.is_lazy |= operation.is_lazy();
        arena.steps.spend(operation.steps(&operands))?;
        match operation {
            Operation::Constant(value) => return Some(Polynomial::constant(value.into())),
            Operation::Variable => return self.leaf(expr, self.variables.interval(expr)),
            Operation::Opaque => return self.leaf(expr, range(dtype)),
            Operation::Likely => return operands.pop(),
            _ => {}
        }
        if is_index(dtype) && matches!(operation, Operation::Add | Operation::Sub) {
            let b = operands.pop()?;
            let a = operands.pop()?;
            return if operation == Operation::Add { a.add(b) } else { a.sub(b) };
        }
        let result = match self.overflows(expr, operation, &operands) {
            true => None,
            false => self.result(expr, operation, operands.clone()),
        };
        let arena = &mut self.arena;
        if arena.steps.left == 0 {
            return None;
        }
        Some(arena.checked(result, operation, operands, dtype))
    }

    /// Whether an operand of an operation other than addition and multiplication is always out of the range of its
    /// type, so that nothing is known about the result.
    fn overflows(&self, expr: &PrimExpr, operation: Operation, operands: &[Polynomial]) -> bool {
        let is_checked_later =
            matches!(operation, Operation::Equal | Operation::NotEqual | Operation::Less | Operation::LessEqual);
        if is_checked_later || matches!(operation, Operation::Add | Operation::Sub | Operation::Mul) {
            return false;
        }
        let exprs = Operation::of(expr).1;
        let mut pairs = exprs.iter().zip(operands);
        pairs.any(|(expr, operand)| self.arena.interval(operand).is_disjoint(range(expr.dtype)))
    }

    /// The exact result of an operation; `None` if no rule covers it or the numbers are too large.
    fn result(&mut self, expr: &PrimExpr, operation: Operation, operands: Vec<Polynomial>) -> Option<Polynomial> {
        let (arena, dtype) = (&mut self.arena, expr.dtype);
        let mut operands = operands.into_iter();
        let (a, mut next) = (operands.next()?, || operands.next());
        match operation {
            Operation::Add => a.add(next()?),
            Operation::Sub => a.sub(next()?),
            Operation::Mul => {
                let b = next()?;
                match (a.as_constant(), b.as_constant()) {
                    (Some(factor), _) => b.scale(factor),
                    (_, Some(factor)) => a.scale(factor),
                    _ => arena.product(&a, &b),
                }
            }
            Operation::FloorDiv => floor_div(arena, a, next()?, dtype),
            Operation::FloorMod => floor_mod(arena, a, &next()?, dtype),
            Operation::TruncDiv => trunc_div(arena, a, next()?, dtype),
            Operation::TruncMod => trunc_mod(arena, a, &next()?, dtype),
            Operation::Min => minimum(arena, vec![a, next()?], dtype),
            Operation::Max => maximum(arena, vec![a, next()?], dtype),
            Operation::Equal | Operation::NotEqual | Operation::Less | Operation::LessEqual => {
                let [left, right] = Operation::of(expr).1[..] else { return None };
                let difference = difference(arena, (next()?, right.dtype), (a, left.dtype))?;
                match operation {
                    Operation::Equal => zero(arena, difference),
                    Operation::NotEqual => negation(zero(arena, difference)?),
                    Operation::Less => non_negative(arena, difference.add_constant(-1)?),
                    _ => non_negative(arena, difference),
                }
            }
            Operation::And => arena.product(&a, &next()?),
            Operation::Or => disjunction(arena, a, next()?),
            Operation::Not => negation(a),
            Operation::Select | Operation::IfThenElse => {
                let is_truth = Operation::of(expr).1.first()?.dtype.code == TypeCode::BOOL;
                let condition = if is_truth { a } else { truth_value(arena, a)? };
                select(arena, &condition, next()?, next()?)
            }
            Operation::Cast => cast(arena, expr, a),
            Operation::ShiftLeft => {
                let shifted = a.scale(power_of_two(&next()?, dtype)?)?;
                // A shift may drop bits, unlike a product.
                arena.interval(&shifted).is_within(range(dtype)).then_some(shifted)
            }
            Operation::ShiftRight => {
                let divisor = power_of_two(&next()?, dtype)?;
                floor_div(arena, a, Polynomial::constant(divisor), dtype)
            }
            Operation::BitwiseAnd => bitwise_and(arena, a, next()?, dtype),
            Operation::Constant(_) | Operation::Variable | Operation::Opaque | Operation::Likely => None,
        }
    }
}

/// The difference of two values of the types; `None` if one of them always overflows.
pub(in crate::arith) fn difference(
    arena: &Arena<'_>,
    (a, a_type): (Polynomial, DataType),
    (b, b_type): (Polynomial, DataType),
) -> Option<Polynomial> {
    let overflows = |value: &Polynomial, dtype| arena.interval(value).is_disjoint(range(dtype));
    let overflows = overflows(&a, a_type) || overflows(&b, b_type);
    let difference = a.sub(b)?;
    let possible = range(a_type).add(range(b_type).negate());
    let is_possible = !overflows && !arena.interval(&difference).is_disjoint(possible);
    // Equal polynomials are equal even if their values wrap around.
    (is_possible || difference.is_zero()).then_some(difference)
}

/// A number as a condition: whether it is not 0.
pub(in crate::arith) fn truth_value(arena: &mut Arena<'_>, value: Polynomial) -> Option<Polynomial> {
    if arena.interval(&value).is_within(Interval::BOOL) { Some(value) } else { negation(zero(arena, value)?) }
}

/// A value in another type. The value stays the same if the type can hold it.
fn cast(arena: &mut Arena<'_>, expr: &PrimExpr, value: Polynomial) -> Option<Polynomial> {
    let from = Operation::of(expr).1.first()?.dtype;
    let values = bounds(arena, &value).intersect(range(from));
    if values.is_within(range(expr.dtype)) {
        return Some(value);
    }
    if expr.dtype.code == TypeCode::BOOL {
        return truth_value(arena, value);
    }
    value.as_constant().and_then(|value| wrap(value, expr.dtype)).map(Polynomial::constant)
}

/// The power of two with a constant exponent that is less than the number of value bits of `dtype`.
fn power_of_two(exponent: &Polynomial, dtype: DataType) -> Option<i128> {
    let exponent = exponent.as_constant().filter(|exponent| (0..i128::from(dtype.bits) - 1).contains(exponent))?;
    Some(1 << exponent)
}

/// The bits that both have, if one is a mask of the lowest bits or both are truth values.
fn bitwise_and(arena: &mut Arena<'_>, a: Polynomial, b: Polynomial, dtype: DataType) -> Option<Polynomial> {
    if dtype.code == TypeCode::BOOL {
        return arena.product(&a, &b);
    }
    let (mask, value) = if a.as_constant().is_some() { (a.as_constant()?, b) } else { (b.as_constant()?, a) };
    let size = mask.checked_add(1).filter(|&size| size > 0 && size & mask == 0)?;
    floor_mod(arena, value, &Polynomial::constant(size), dtype)
}

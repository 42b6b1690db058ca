//! [`Factoring`]: the normal form of simplified expressions. Sums are merged, but products of sums are not multiplied
//! out, and remainders, minima and conditions stay as they are.

use object_core::DataType;
use object_ir::ir::PrimExpr;
use rustc_hash::FxHashSet;

use super::super::normal::arena::{Arena, Atom, Steps};
use super::super::normal::bounds::bounds;
use super::super::normal::expand::{Variables, leaf, range};
use super::super::normal::extremum::without_dominated;
use super::super::normal::fold::{Rules, fold};
use super::super::normal::operation::{Operation, is_index, wrap};
use super::super::normal::polynomial::{AtomId, Monomial, Polynomial, gcd};
use super::super::proof::Proof;
use super::super::query::Query;
use super::compare::{compare, opposite};
use super::emit::{Emitter, FactorOrder, Style};
use super::quotient::{quotient, remainder};
use crate::addresses::address;

/// Computes factored normal forms.
pub(in crate::arith) struct Factoring<'a, 's, 'q, 't> {
    arena: Arena<'s>,
    variables: &'a dyn Variables,
    /// Decides conditions.
    query: &'q mut Query<'a, 't>,
    order: FactorOrder,
    form: Form<'t>,
}

/// How expressions are simplified.
#[derive(Clone, Copy)]
pub(in crate::arith) struct Form<'t> {
    pub(in crate::arith) style: Style,
    /// The addresses of the expressions that stay as they are.
    pub(in crate::arith) kept: &'t FxHashSet<usize>,
}

impl<'a, 's, 'q, 't> Factoring<'a, 's, 'q, 't> {
    pub(in crate::arith) fn new(
        variables: &'a dyn Variables,
        query: &'q mut Query<'a, 't>,
        steps: &'s mut Steps,
        form: Form<'t>,
    ) -> Self {
        let mut arena = Arena::new(steps);
        arena.may_overflow = true;
        Factoring { arena, variables, query, order: FactorOrder::default(), form }
    }

    /// The simplified expression. `None` if it has effects, no steps are left, or a number does not fit in its type.
    pub(in crate::arith) fn simplify(mut self, expr: &'a PrimExpr) -> Option<PrimExpr> {
        let value = fold(expr, &mut self)?;
        let value = self.tidy(value)?;
        Emitter::new(&self.arena, &self.order, self.form.style).emit(&value, expr.dtype)
    }

    /// The polynomial as one product: a term, or a factor of its own.
    fn as_product(&mut self, polynomial: Polynomial, dtype: DataType) -> Option<(Monomial, i128)> {
        if let Some((monomial, coefficient)) = polynomial.as_term() {
            return Some((monomial.clone(), coefficient));
        }
        let sum = self.tidy(polynomial)?;
        let interval = bounds(&mut self.arena, &sum);
        Some((Monomial::atom(self.arena.intern(Atom::Sum(sum), interval, dtype)), 1))
    }

    fn product(&mut self, a: Polynomial, b: Polynomial, dtype: DataType) -> Option<Polynomial> {
        let can_scale = |value: &Polynomial| self.form.style == Style::Usual || value.as_term().is_some();
        match (a.as_constant(), b.as_constant()) {
            (Some(factor), _) if can_scale(&b) => return b.scale(factor),
            (_, Some(factor)) if can_scale(&a) => return a.scale(factor),
            _ => {}
        }
        let ((a, left), (b, right)) = (self.as_product(a, dtype)?, self.as_product(b, dtype)?);
        let product = a.mul(&b)?;
        let order_of = |monomial: &Monomial| {
            self.order.get(monomial).map_or_else(|| monomial.factors().to_vec(), |order: &Vec<AtomId>| order.clone())
        };
        let order = [order_of(&a), order_of(&b)].concat();
        self.order.entry(product.clone()).or_insert(order);
        Some(Polynomial::term(product, left.checked_mul(right)?))
    }

    /// Unites quotients with remainders: `x // d * d + x % d` is `x`, and `x - x // d * d` is `x % d`.
    fn tidy(&mut self, mut sum: Polynomial) -> Option<Polynomial> {
        let quotients: Vec<_> = sum
            .products()
            .filter_map(|(monomial, coefficient)| Some((*monomial.factors().first()?, monomial.clone(), coefficient)))
            .filter(|(id, monomial, _)| {
                monomial.factors().len() == 1
                    && matches!(**self.arena.atom(*id), Atom::Operation(Operation::FloorDiv, None, _))
            })
            .collect();
        for (id, monomial, coefficient) in quotients {
            let Atom::Operation(_, _, operands) = &*self.arena.atom(id).clone() else { continue };
            let [dividend, divisor] = &**operands else { continue };
            let Some(constant) = divisor.as_constant().filter(|&constant| constant > 0 && coefficient % constant == 0)
            else {
                continue;
            };
            self.arena.steps.spend(sum.len())?;
            let count = coefficient / constant;
            let dtype = self.arena.dtype(id);
            let operation = (Operation::FloorMod, self.form.style);
            let rest = remainder(&mut self.arena, operation, dividend.clone(), divisor.clone(), dtype)?.scale(count)?;
            // `count * (x - x % d)` in place of `coefficient * (x // d)`, if it is shorter.
            let other = sum.clone().sub(Polynomial::term(monomial, coefficient))?;
            let other = other.add(dividend.clone().scale(count)?)?.sub(rest)?;
            if other.len() < sum.len() {
                sum = other;
            }
        }
        Some(sum)
    }

    /// The minimum or the maximum of two operands.
    fn extremum(&mut self, expr: &'a PrimExpr, operation: Operation, operands: Vec<Polynomial>) -> Option<Polynomial> {
        let sign = if operation == Operation::Max { 1 } else { -1 };
        let mut flat: Vec<Polynomial> = Vec::new();
        for operand in operands {
            let inner = operand.as_atom().map(|id| self.arena.atom(id).clone());
            match inner.as_deref() {
                Some(Atom::Operation(inner, None, operands)) if *inner == operation => flat.extend_from_slice(operands),
                _ => flat.push(operand),
            }
        }
        let is_nested = flat.len() > 2;
        let kept = without_dominated(&mut self.arena, flat, sign)?;
        // The prover knows more than the bounds, but only about the operands of the expression.
        if let [a, b] = &*kept
            && !is_nested
            && let [first, second] = &*Operation::of(expr).1
        {
            for (small, large, below, above) in [(first, second, a, b), (second, first, b, a)] {
                if self.query.is_at_most(small, large) {
                    return Some(if sign > 0 { above.clone() } else { below.clone() });
                }
            }
        }
        let (common, kept) = split_equal(&kept)?;
        if let [single] = &*kept {
            return common.add(single.clone());
        }
        let scale = kept.iter().flat_map(Polynomial::terms).fold(0, |divisor, (_, it)| gcd(divisor, it)).max(1);
        let kept: Vec<_> = kept.into_iter().map(|operand| operand.divide_exactly(scale)).collect();
        let intervals: Vec<_> = kept.iter().map(|operand| bounds(&mut self.arena, operand)).collect();
        let interval = intervals.into_iter().reduce(|a, b| match operation {
            Operation::Max => a.max(b),
            _ => a.negate().max(b.negate()).negate(),
        })?;
        common.add(self.arena.keep(operation, kept, interval, expr.dtype).scale(scale)?)
    }

    fn negation(&mut self, condition: &Polynomial, dtype: DataType) -> Option<Polynomial> {
        if let Some(value) = condition.as_constant() {
            return Some(Polynomial::constant(i128::from(value == 0)));
        }
        if let Some(id) = condition.as_atom()
            && let Atom::Operation(operation, _, operands) = &*self.arena.atom(id).clone()
        {
            if *operation == Operation::Not {
                return operands.first().cloned();
            }
            if let Some((operation, operands)) = opposite(*operation, operands) {
                let source = self.arena.source(id);
                return Some(self.arena.keep_from(operation, operands, dtype, source));
            }
        }
        Some(self.arena.keep_from(Operation::Not, vec![condition.clone()], dtype, dtype))
    }

    /// The result of an operation on operands without sums of quotients and remainders. `None` if no rule applies.
    fn result(&mut self, expr: &'a PrimExpr, operation: Operation, operands: &[Polynomial]) -> Option<Polynomial> {
        let dtype = expr.dtype;
        let source = Operation::of(expr).1.first().map_or(dtype, |operand| operand.dtype);
        let (a, b) = (operands.first()?.clone(), operands.get(1).cloned());
        match operation {
            Operation::Add => a.add(b?),
            Operation::Sub => a.sub(b?),
            Operation::Mul => self.product(a, b?, dtype),
            Operation::FloorDiv | Operation::TruncDiv => {
                let divisor = self.divisor(b?, dtype)?;
                quotient(&mut self.arena, (operation, self.form.style), a, divisor, dtype)
            }
            Operation::FloorMod | Operation::TruncMod => {
                let divisor = self.divisor(b?, dtype)?;
                remainder(&mut self.arena, (operation, self.form.style), a, divisor, dtype)
            }
            Operation::Min | Operation::Max => self.extremum(expr, operation, operands.to_vec()),
            Operation::Equal | Operation::NotEqual | Operation::Less | Operation::LessEqual => {
                match self.query.holds(expr).unwrap_or(Proof::Unknown) {
                    Proof::Unknown if is_index(source) && self.form.style == Style::Usual => {
                        compare(&mut self.arena, operation, a, b?, dtype, source)
                    }
                    Proof::Unknown if is_index(source) => {
                        let (_, operands) = split_equal(operands)?;
                        Some(self.arena.keep_from(operation, operands, dtype, source))
                    }
                    Proof::Unknown => Some(self.arena.keep_from(operation, operands.to_vec(), dtype, source)),
                    known => Some(Polynomial::constant(known.is_true().into())),
                }
            }
            Operation::And | Operation::Or => {
                let (b, absorbing) = (b?, i128::from(operation == Operation::Or));
                match (a.as_constant(), b.as_constant()) {
                    (Some(value), _) => Some(if value == absorbing { a } else { b }),
                    (_, Some(value)) => Some(if value == absorbing { b } else { a }),
                    _ if a == b => Some(a),
                    _ => None,
                }
            }
            Operation::Not => self.negation(&a, dtype),
            Operation::Select | Operation::IfThenElse => match a.as_constant() {
                Some(0) => operands.get(2).cloned(),
                Some(_) => b,
                None => b.filter(|b| operands.get(2) == Some(b)),
            },
            Operation::Cast if source == dtype => Some(a),
            Operation::Cast => match a.as_constant().and_then(|value| wrap(value, dtype)) {
                Some(value) => Some(Polynomial::constant(value)),
                None => Some(self.arena.keep_from(operation, operands.to_vec(), dtype, source)),
            },
            Operation::Likely => a.as_constant().is_some().then_some(a),
            _ => None,
        }
    }

    /// A divisor as one term, so that multiples of it can be found; 0 has no quotients.
    fn divisor(&mut self, divisor: Polynomial, dtype: DataType) -> Option<Polynomial> {
        if divisor.as_constant().is_some() {
            return Some(divisor).filter(|divisor| !divisor.is_zero());
        }
        let (monomial, coefficient) = self.as_product(divisor, dtype)?;
        Some(Polynomial::term(monomial, coefficient))
    }
}

/// The terms that all operands have, and the operands without them.
fn split_equal(operands: &[Polynomial]) -> Option<(Polynomial, Vec<Polynomial>)> {
    let (first, others) = operands.split_first()?;
    let (common, _) = first
        .clone()
        .partition(|monomial, coefficient| others.iter().all(|other| other.coefficient(monomial) == coefficient));
    let rest: Option<Vec<_>> = operands.iter().map(|operand| operand.clone().sub(common.clone())).collect();
    Some((common, rest?))
}

impl<'a> Rules<'a> for Factoring<'a, '_, '_, '_> {
    fn steps(&mut self) -> &mut Steps {
        self.arena.steps
    }

    fn value(&self, var: &PrimExpr) -> Option<&'a PrimExpr> {
        self.variables.value(var)
    }

    fn is_opaque(&self, expr: &PrimExpr) -> bool {
        self.form.kept.contains(&address(expr))
    }

    fn apply(&mut self, expr: &'a PrimExpr, operation: Operation, mut operands: Vec<Polynomial>) -> Option<Polynomial> {
        let dtype = expr.dtype;
        self.arena.steps.spend(operation.steps(&operands))?;
        let interval = match operation {
            Operation::Constant(value) => return Some(Polynomial::constant(value.into())),
            Operation::Variable => self.variables.interval(expr),
            // A part that stays as it is may be a sum that overflows.
            Operation::Opaque if is_index(dtype) => Operation::of(expr).0.exact_values(range(dtype)),
            Operation::Opaque => range(dtype),
            Operation::Add | Operation::Sub if is_index(dtype) => {
                let b = operands.pop()?;
                let a = operands.pop()?;
                return if operation == Operation::Add { a.add(b) } else { a.sub(b) };
            }
            _ => {
                let operands = operands.into_iter().map(|operand| self.tidy(operand)).collect::<Option<Vec<_>>>()?;
                let result = self.result(expr, operation, &operands);
                if self.arena.steps.left == 0 {
                    return None;
                }
                return Some(self.arena.checked(result, operation, operands, dtype));
            }
        };
        let interval = self.query.bounds(expr).map_or(interval, |bounds| interval.intersect(bounds));
        let id = leaf(&mut self.arena, expr, interval)?;
        Some(interval.single().map_or_else(|| Polynomial::atom(id), Polynomial::constant))
    }
}

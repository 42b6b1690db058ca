//! [`Emitter`]: expressions from polynomials. In the usual style, terms with greater coefficients come first, subtracted
//! terms last, and a coefficient follows its product: `n * 2 + m + 1 - k`.

use std::collections::BTreeSet;

use object_core::prelude::*;
use object_ir::ir::{IntImm, Op, PrimExpr};
use object_ir::tir::{
    Add, And, Call, Cast, Div, EQ, FloorDiv, FloorMod, LE, LT, Max, Min, Mod, Mul, NE, Not, Or, Select, Sub,
};
use rustc_hash::FxHashMap;

use super::super::normal::arena::{Arena, Atom};
use super::super::normal::interval::Interval;
use super::super::normal::operation::{Operation, is_index};
use super::super::normal::polynomial::{AtomId, Monomial, Polynomial};

/// The order in which products print their factors, for those with another order than the numbers of the atoms.
pub(in crate::arith) type FactorOrder = FxHashMap<Monomial, Vec<AtomId>>;

/// The form of a simplified expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::arith) enum Style {
    /// As TVM prints it.
    Usual,
    /// Sums keep their order and are not multiplied by constants, and no rule makes a constant greater or moves a term to
    /// the other side of a comparison. So the parts of an expression are seldom larger than before.
    Cautious,
}

/// Writes polynomials over the atoms of an arena as expressions.
pub(in crate::arith) struct Emitter<'a, 's> {
    arena: &'a Arena<'s>,
    order: &'a FactorOrder,
    style: Style,
    atoms: FxHashMap<AtomId, PrimExpr>,
}

impl<'a, 's> Emitter<'a, 's> {
    pub(in crate::arith) fn new(arena: &'a Arena<'s>, order: &'a FactorOrder, style: Style) -> Self {
        Emitter { arena, order, style, atoms: FxHashMap::default() }
    }

    /// The polynomial as an expression of type `dtype`. `None` if a number does not fit in the type, or an atom has no
    /// expression of this type.
    pub(in crate::arith) fn emit(mut self, polynomial: &Polynomial, dtype: DataType) -> Option<PrimExpr> {
        let mut needed: BTreeSet<AtomId> = BTreeSet::new();
        let mut open: Vec<AtomId> = polynomial.atoms().collect();
        while let Some(id) = open.pop() {
            if needed.insert(id)
                && let Atom::Operation(_, _, operands) = &**self.arena.atom(id)
            {
                open.extend(operands.iter().flat_map(Polynomial::atoms));
            } else if let Atom::Sum(sum) = &**self.arena.atom(id) {
                open.extend(sum.atoms());
            }
        }
        // The atoms in an atom have smaller numbers.
        for id in needed {
            let expr = self.emit_atom(id)?;
            self.atoms.insert(id, expr);
        }
        self.sum(polynomial, dtype)
    }

    fn emit_atom(&self, id: AtomId) -> Option<PrimExpr> {
        match &**self.arena.atom(id) {
            Atom::Leaf(_) => self.arena.leaf_expr(id).cloned(),
            Atom::Sum(sum) => self.sum(sum, self.arena.dtype(id)),
            Atom::Operation(operation, _, operands) => self.operation(id, *operation, operands),
            Atom::NonNegative(_) | Atom::Zero(_) => None,
        }
    }

    fn operation(&self, id: AtomId, operation: Operation, operands: &[Polynomial]) -> Option<PrimExpr> {
        let (dtype, source) = (self.arena.dtype(id), self.arena.source(id));
        let is_selection = matches!(operation, Operation::Select | Operation::IfThenElse);
        let operand = |(index, operand): (usize, &Polynomial)| {
            let dtype = if is_selection && index == 0 { DataType::boolean() } else { source };
            // A sum that leaves its type wraps around, and then the operation has another result.
            let is_exact = is_index(dtype) || self.arena.interval(operand).is_within(Interval::of_dtype(dtype)?);
            self.sum(operand, dtype).filter(|_| is_exact)
        };
        build(operation, dtype, operands.iter().enumerate().map(operand).collect::<Option<Vec<_>>>()?)
    }

    /// The sum of all terms. `None` for a sum of truth values, which is not a number.
    fn sum(&self, polynomial: &Polynomial, dtype: DataType) -> Option<PrimExpr> {
        let is_truth_value =
            polynomial.is_zero() || polynomial.as_term().is_some_and(|(_, coefficient)| coefficient == 1);
        if let Some(constant) = polynomial.as_constant() {
            return number(constant, dtype);
        }
        if dtype == DataType::boolean() && !is_truth_value {
            return None;
        }
        let mut terms = self.in_order(polynomial).into_iter().peekable();
        let first = terms.next_if(|&(_, coefficient)| coefficient > 0);
        let first = first.map_or_else(|| number(0, dtype), |(monomial, factor)| self.term(monomial, factor, dtype))?;
        terms.try_fold(first, |sum, (monomial, coefficient)| {
            let term = self.term(monomial, coefficient.checked_abs()?, dtype)?;
            Some(if coefficient > 0 { Add::new(dtype, sum, term).into() } else { Sub::new(dtype, sum, term).into() })
        })
    }

    /// The terms in the order in which they print.
    fn in_order<'p>(&self, polynomial: &'p Polynomial) -> Vec<(&'p Monomial, i128)> {
        let mut terms = match self.style {
            Style::Usual => polynomial.printed_terms(),
            Style::Cautious => polynomial.ordered_terms(),
        };
        match self.style {
            // The constant is the last added or the last subtracted term.
            Style::Usual => terms.sort_by_key(|&(monomial, coefficient)| (coefficient < 0, monomial.is_one())),
            Style::Cautious => {
                let first = terms.iter().position(|&(_, coefficient)| coefficient > 0).unwrap_or(0);
                terms[..=first].rotate_right(1);
            }
        }
        terms
    }

    /// A product with its coefficient; the empty product is the coefficient.
    fn term(&self, monomial: &Monomial, coefficient: i128, dtype: DataType) -> Option<PrimExpr> {
        if monomial.is_one() {
            return number(coefficient, dtype);
        }
        let factors = self.order.get(monomial).map_or(monomial.factors(), |order| order);
        let mut factors = factors.iter().map(|id| self.atoms.get(id).filter(|atom| atom.dtype == dtype));
        let first = factors.next()??.clone();
        let product = factors.try_fold(first, |a, b| Some(Mul::new(dtype, a, b?.clone()).into()))?;
        if coefficient == 1 {
            return Some(product);
        }
        Some(Mul::new(dtype, product, number(coefficient, dtype)?).into())
    }
}

/// The expression of type `dtype` that is `operation` on `operands`. `None` if the operation has no operands.
pub(in crate::arith) fn build(operation: Operation, dtype: DataType, operands: Vec<PrimExpr>) -> Option<PrimExpr> {
    let mut operands = operands.into_iter();
    let a = operands.next()?;
    let mut next = || operands.next();
    Some(match operation {
        Operation::Add => Add::new(dtype, a, next()?).into(),
        Operation::Sub => Sub::new(dtype, a, next()?).into(),
        Operation::Mul => Mul::new(dtype, a, next()?).into(),
        Operation::FloorDiv => FloorDiv::new(dtype, a, next()?).into(),
        Operation::FloorMod => FloorMod::new(dtype, a, next()?).into(),
        Operation::TruncDiv => Div::new(dtype, a, next()?).into(),
        Operation::TruncMod => Mod::new(dtype, a, next()?).into(),
        Operation::Min => operands.fold(a, |a, b| Min::new(dtype, a, b).into()),
        Operation::Max => operands.fold(a, |a, b| Max::new(dtype, a, b).into()),
        Operation::Equal => EQ::new(dtype, a, next()?).into(),
        Operation::NotEqual => NE::new(dtype, a, next()?).into(),
        Operation::Less => LT::new(dtype, a, next()?).into(),
        Operation::LessEqual => LE::new(dtype, a, next()?).into(),
        Operation::And => And::new(dtype, a, next()?).into(),
        Operation::Or => Or::new(dtype, a, next()?).into(),
        Operation::Not => Not::new(dtype, a).into(),
        Operation::Select => Select::new(dtype, a, next()?, next()?).into(),
        Operation::Cast => Cast::new(dtype, a).into(),
        Operation::IfThenElse => call("tirx.if_then_else", dtype, vec![a, next()?, next()?])?,
        Operation::Likely => call("tirx.likely", dtype, vec![a])?,
        Operation::ShiftLeft => call("tirx.shift_left", dtype, vec![a, next()?])?,
        Operation::ShiftRight => call("tirx.shift_right", dtype, vec![a, next()?])?,
        Operation::BitwiseAnd => call("tirx.bitwise_and", dtype, vec![a, next()?])?,
        Operation::Constant(_) | Operation::Variable | Operation::Opaque => return None,
    })
}

/// A constant, if it is a value of the type.
pub(in crate::arith) fn number(value: i128, dtype: DataType) -> Option<PrimExpr> {
    let is_value = Interval::point(value).is_within(Interval::of_dtype(dtype)?);
    Some(IntImm::new(dtype, i64::try_from(value).ok().filter(|_| is_value)?).into())
}

fn call(name: &str, dtype: DataType, args: Vec<PrimExpr>) -> Option<PrimExpr> {
    Some(Call::new(dtype, Op::get(name).ok()?, args, None).into())
}

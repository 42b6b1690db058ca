//! [`Arena`]: the atoms of one query, each stored once, with the bounds of their values and the work that is left.

use std::rc::Rc;

use object_core::prelude::*;
use object_core::structural::StructuralKey;
use object_ir::ir::PrimExpr;
use rustc_hash::FxHashMap;

use super::interval::Interval;
use super::operation::{Operation, is_index, wrap};
use super::polynomial::{AtomId, Monomial, Polynomial};

/// The most terms of a product.
const MAX_TERMS: usize = 2048;

/// An integer that polynomials are made of. Atoms are equal if they are the same function of the same polynomials.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(in crate::arith) enum Atom {
    /// A variable, or an expression of unknown meaning.
    Leaf(Leaf),
    /// An operation that no rule resolves. The data type is there if the result depends on it: the operation wraps
    /// around, or is a conversion.
    Operation(Operation, Option<DataType>, Vec<Polynomial>),
    /// 1 if the polynomial is not negative, else 0.
    NonNegative(Polynomial),
    /// 1 if the polynomial is 0, else 0.
    Zero(Polynomial),
    /// A factor of a product that is not multiplied out.
    Sum(Polynomial),
}

/// The identity of a leaf: a variable by its address, other expressions by structure.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::arith) enum Leaf {
    Variable(usize),
    Expression(StructuralKey),
}

/// An atom with the facts about it.
#[derive(Clone, Debug)]
struct Entry {
    atom: Rc<Atom>,
    /// The expression of a leaf.
    leaf: Option<PrimExpr>,
    /// All values of the atom are in it.
    interval: Interval,
    dtype: DataType,
    /// The type of the operands of a comparison or conversion; otherwise `dtype`.
    source: DataType,
}

/// The work that a query may still do, in visited terms.
#[derive(Debug)]
pub(in crate::arith) struct Steps {
    pub(in crate::arith) left: usize,
}

impl Steps {
    /// Takes away `count` steps; `None` if fewer are left.
    pub(in crate::arith) fn spend(&mut self, count: usize) -> Option<()> {
        let left = self.left.checked_sub(count);
        self.left = left.unwrap_or(0);
        left.map(|_| ())
    }
}

/// The atoms of one query.
#[derive(Debug)]
pub(in crate::arith) struct Arena<'s> {
    entries: Vec<Entry>,
    numbers: FxHashMap<Rc<Atom>, AtomId>,
    pub(in crate::arith) steps: &'s mut Steps,
    /// Whether some operands may be unevaluated, so that their divisors may be 0.
    pub(in crate::arith) is_lazy: bool,
    /// Whether a sum, product or quotient may leave its type, as in the forms of an expression that does not overflow itself.
    pub(in crate::arith) may_overflow: bool,
}

impl<'s> Arena<'s> {
    pub(in crate::arith) fn new(steps: &'s mut Steps) -> Self {
        Arena { entries: Vec::new(), numbers: FxHashMap::default(), steps, is_lazy: false, may_overflow: false }
    }

    /// The number of atoms.
    pub(in crate::arith) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(in crate::arith) fn atom(&self, id: AtomId) -> &Rc<Atom> {
        &self.entries[id as usize].atom
    }

    /// The expression of a leaf.
    pub(in crate::arith) fn leaf_expr(&self, id: AtomId) -> Option<&PrimExpr> {
        self.entries[id as usize].leaf.as_ref()
    }

    pub(in crate::arith) fn dtype(&self, id: AtomId) -> DataType {
        self.entries[id as usize].dtype
    }

    /// The type of the operands of an atom; of a selection, the type of its values.
    pub(in crate::arith) fn source(&self, id: AtomId) -> DataType {
        self.entries[id as usize].source
    }

    pub(in crate::arith) fn atom_interval(&self, id: AtomId) -> Interval {
        self.entries[id as usize].interval
    }

    /// Narrows the values of an atom to members of `interval`.
    pub(in crate::arith) fn narrow(&mut self, id: AtomId, interval: Interval) {
        let entry = &mut self.entries[id as usize];
        entry.interval = entry.interval.intersect(interval);
    }

    /// The values of a polynomial, from the values of its atoms.
    pub(in crate::arith) fn interval(&self, polynomial: &Polynomial) -> Interval {
        polynomial.interval(|id| self.atom_interval(id))
    }

    /// The number of an atom, which is new if no equal one exists.
    pub(in crate::arith) fn intern(&mut self, atom: Atom, interval: Interval, dtype: DataType) -> AtomId {
        self.intern_with(atom, None, interval, dtype)
    }

    /// The number of a leaf.
    pub(in crate::arith) fn intern_leaf(&mut self, leaf: Leaf, expr: &PrimExpr, interval: Interval) -> AtomId {
        self.intern_with(Atom::Leaf(leaf), Some(expr), interval, expr.dtype)
    }

    fn intern_with(&mut self, atom: Atom, leaf: Option<&PrimExpr>, interval: Interval, dtype: DataType) -> AtomId {
        self.intern_from(atom, leaf, interval, dtype, dtype)
    }

    fn intern_from(
        &mut self,
        atom: Atom,
        leaf: Option<&PrimExpr>,
        interval: Interval,
        dtype: DataType,
        source: DataType,
    ) -> AtomId {
        // A query without steps ends soon after.
        let _ = self.steps.spend(4);
        let atom = Rc::new(atom);
        // Hostile input has fewer than `u32::MAX` atoms, because each takes a step.
        let next = AtomId::try_from(self.entries.len()).unwrap_or(AtomId::MAX);
        let id = *self.numbers.entry(Rc::clone(&atom)).or_insert(next);
        if id == next {
            self.entries.push(Entry { atom, leaf: leaf.cloned(), interval, dtype, source });
        }
        id
    }

    /// An operation that stays as it is, as a polynomial.
    pub(in crate::arith) fn keep(
        &mut self,
        operation: Operation,
        operands: Vec<Polynomial>,
        interval: Interval,
        dtype: DataType,
    ) -> Polynomial {
        Polynomial::atom(self.intern(Atom::Operation(operation, None, operands), interval, dtype))
    }

    /// Like [`keep`](Self::keep), for a comparison or conversion of operands of type `source`.
    pub(in crate::arith) fn keep_from(
        &mut self,
        operation: Operation,
        operands: Vec<Polynomial>,
        dtype: DataType,
        source: DataType,
    ) -> Polynomial {
        let interval = Interval::of_dtype(dtype).unwrap_or(Interval::ALL);
        let atom = Atom::Operation(operation, Some(dtype), operands);
        Polynomial::atom(self.intern_from(atom, None, interval, dtype, source))
    }

    /// The product, multiplied out; `None` if it is too large. A square of a truth value is the value itself.
    pub(in crate::arith) fn product(&mut self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        let terms = a.len().checked_mul(b.len()).filter(|&terms| terms <= MAX_TERMS)?;
        self.steps.spend(terms)?;
        self.reduce_truth_values(a.mul(b)?)
    }

    /// Replaces powers of truth values by the values themselves.
    fn reduce_truth_values(&self, product: Polynomial) -> Option<Polynomial> {
        let is_truth = |id: AtomId| self.atom_interval(id).is_within(Interval::BOOL);
        let has_square = |monomial: &Monomial| monomial.powers().any(|(id, power)| power > 1 && is_truth(id));
        if !product.products().any(|(monomial, _)| has_square(monomial)) {
            return Some(product);
        }
        let mut reduced = Polynomial::default();
        for (monomial, coefficient) in product.terms() {
            let mut term = Monomial::default();
            for (id, power) in monomial.powers() {
                for _ in 0..if is_truth(id) { 1 } else { power } {
                    term = term.mul(&Monomial::atom(id))?;
                }
            }
            reduced = reduced.add(Polynomial::term(term, coefficient))?;
        }
        Some(reduced)
    }

    /// The value of an operation of type `dtype` whose exact result is `result`, if it could be computed. Operations
    /// that may wrap around, and results that are too large, stay as they are.
    pub(in crate::arith) fn checked(
        &mut self,
        result: Option<Polynomial>,
        operation: Operation,
        mut operands: Vec<Polynomial>,
        dtype: DataType,
    ) -> Polynomial {
        let range = Interval::of_dtype(dtype).unwrap_or(Interval::ALL);
        if let Some(result) = result {
            if is_index(dtype) || operation.is_logic() || self.interval(&result).is_within(range) {
                return result;
            }
            if let Some(wrapped) = result.as_constant().and_then(|value| wrap(value, dtype)) {
                return Polynomial::constant(wrapped);
            }
        }
        if operation.is_commutative() {
            // Constants print last.
            operands.sort_by(|a, b| (a.as_constant().is_some(), a).cmp(&(b.as_constant().is_some(), b)));
        }
        let depends_on_dtype = !is_index(dtype) || operation == Operation::Cast;
        let values = if self.may_overflow && is_index(dtype) { operation.exact_values(range) } else { range };
        let atom = Atom::Operation(operation, depends_on_dtype.then_some(dtype), operands);
        Polynomial::atom(self.intern(atom, values, dtype))
    }
}

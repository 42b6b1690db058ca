//! [`IntSet`]: the values of an index over the iterations of loops, with expressions as bounds (TVM 0.25
//! src/arith/int_set.cc). The bounds are the expressions that TVM makes, because scripts leave them out.

use object_core::prelude::*;
use object_core::rewrite::substitute;
use object_core::visit::walk;
use object_ir::ir::{IntImm, PrimExpr, Range};
use object_ir::tir::fold::{self, BinaryOp, int};
use object_ir::tir::{Add, Cast, FloorDiv, FloorMod, Max, Min, Mul, Ramp, SizeVar, Sub, Var};

use super::analyzer::Analyzer;

/// The largest depth of expressions that are evaluated; deeper ones have any value.
const MAX_DEPTH: usize = 64;

/// The values of an index.
#[derive(Clone, Debug)]
pub enum IntSet {
    /// From the first to the second value, both of which occur.
    Bounds(PrimExpr, PrimExpr),
    /// Any value.
    All,
}

/// The variables that have several values or stand for other expressions.
#[derive(Debug, Default)]
pub struct Domains {
    /// The variables of loops, with their first and last values.
    pub loops: Vec<(Var, PrimExpr, PrimExpr)>,
    /// The variables that stand for values. A value may use variables that were bound before it.
    pub values: Vec<(Var, PrimExpr)>,
}

object_core::variants_of! {
    /// The nodes whose values follow from the values of their operands.
    enum Node of PrimExpr { Var, Add, Sub, Mul, FloorDiv, FloorMod, Cast, Min, Max, Ramp }
}

/// The first and the last value.
type Bounds = (PrimExpr, PrimExpr);

impl Domains {
    /// Adds the variable of a loop.
    pub fn enter(&mut self, var: &Var, min: &PrimExpr, extent: &PrimExpr) {
        let last = operation(BinaryOp::Add, min, extent).and_then(|end| operation(BinaryOp::Sub, &end, &one_of(&end)));
        let last = last.unwrap_or_else(|| min.clone());
        self.loops.push((var.clone(), min.clone(), simplified(last)));
    }

    /// The values of an index.
    #[must_use]
    pub fn evaluate(&self, index: &PrimExpr) -> IntSet {
        let replace = |index: PrimExpr, (var, value): &(Var, PrimExpr)| {
            substitute(index.clone(), [(var.clone(), value.clone())]).unwrap_or(index)
        };
        self.set(&self.values.iter().rev().fold(index.clone(), replace), 0)
    }

    fn is_constant(&self, expr: &PrimExpr) -> bool {
        let mut is_constant = true;
        walk(expr, |var: &Var, _| is_constant &= !self.loops.iter().any(|(known, ..)| known.ptr_eq(var)));
        is_constant
    }

    fn set(&self, expr: &PrimExpr, depth: usize) -> IntSet {
        self.bounds(expr, depth).map_or(IntSet::All, |(min, max)| IntSet::Bounds(min, max))
    }

    fn bounds(&self, expr: &PrimExpr, depth: usize) -> Option<Bounds> {
        if depth > MAX_DEPTH {
            return None;
        }
        if !expr.is::<Ramp>() && self.is_constant(expr) {
            return Some((expr.clone(), expr.clone()));
        }
        let bounds = |operand: &PrimExpr| self.bounds(operand, depth + 1);
        match Node::of(expr) {
            Node::Var(it) => {
                let known = self.loops.iter().rev().find(|(var, ..)| var.ptr_eq(it));
                known.map(|(_, min, max)| (min.clone(), max.clone()))
            }
            Node::Add(it) => {
                let (a, b) = (bounds(&it.a)?, bounds(&it.b)?);
                Some((operation(BinaryOp::Add, &a.0, &b.0)?, operation(BinaryOp::Add, &a.1, &b.1)?))
            }
            Node::Sub(it) => {
                let (a, b) = (bounds(&it.a)?, bounds(&it.b)?);
                Some((operation(BinaryOp::Sub, &a.0, &b.1)?, operation(BinaryOp::Sub, &a.1, &b.0)?))
            }
            Node::Mul(it) => {
                let (a, factor) = if int(&it.a).is_some() { (&it.b, &it.a) } else { (&it.a, &it.b) };
                let (min, max) = bounds(a)?;
                let is_size = || self.is_constant(factor) && factor.is::<SizeVar>();
                let is_negative = int(factor).map_or_else(|| is_size().then_some(false), |value| Some(value < 0))?;
                let (min, max) = both(BinaryOp::Mul, &min, &max, factor)?;
                Some(if is_negative { (max, min) } else { (min, max) })
            }
            Node::FloorDiv(it) => {
                int(&it.b).filter(|divisor| *divisor > 0)?;
                let (min, max) = bounds(&it.a)?;
                both(BinaryOp::FloorDiv, &min, &max, &it.b)
            }
            Node::FloorMod(it) => {
                let divisor = int(&it.b).filter(|divisor| *divisor > 0)?;
                let (min, max) = bounds(&it.a)?;
                Some(remainders(&min, &max, divisor, expr.dtype))
            }
            Node::Cast(it) => {
                let (min, max) = bounds(&it.value)?;
                Some((fold::cast(expr.dtype, &min), fold::cast(expr.dtype, &max)))
            }
            Node::Min(it) => {
                let (a, b) = (bounds(&it.a)?, bounds(&it.b)?);
                Some((smaller(&a.0, &b.0), smaller(&a.1, &b.1)))
            }
            Node::Max(it) => {
                let (a, b) = (bounds(&it.a)?, bounds(&it.b)?);
                Some((larger(&a.0, &b.0), larger(&a.1, &b.1)))
            }
            Node::Ramp(it) => {
                let (min, max) = bounds(&it.start)?;
                let stride = int(&it.stride).filter(|stride| *stride > 0)?;
                let length = int(&it.lanes)?.checked_sub(1)?.checked_mul(stride)?;
                let last = operation(BinaryOp::Add, &max, &IntImm::new(max.dtype, length).into())?;
                Some((min, last))
            }
            Node::Other(_) => None,
        }
    }
}

/// The remainders of the values from `min` to `max`.
fn remainders(min: &PrimExpr, max: &PrimExpr, divisor: i64, dtype: DataType) -> Bounds {
    let constant = |value: i64| PrimExpr::from(IntImm::new(dtype, value));
    match int(min).zip(int(max)) {
        Some((min, max)) if min.div_euclid(divisor) == max.div_euclid(divisor) => {
            (constant(min.rem_euclid(divisor)), constant(max.rem_euclid(divisor)))
        }
        _ => (constant(0), constant(divisor - 1)),
    }
}

fn operation(op: BinaryOp, a: &PrimExpr, b: &PrimExpr) -> Option<PrimExpr> {
    fold::binary(op, a, b).ok()
}

fn both(op: BinaryOp, min: &PrimExpr, max: &PrimExpr, operand: &PrimExpr) -> Option<Bounds> {
    Some((operation(op, min, operand)?, operation(op, max, operand)?))
}

fn one_of(expr: &PrimExpr) -> PrimExpr {
    IntImm::new(expr.dtype, 1).into()
}

fn simplified(expr: impl Into<PrimExpr>) -> PrimExpr {
    Analyzer::new().simplify(&expr.into())
}

fn smaller(a: &PrimExpr, b: &PrimExpr) -> PrimExpr {
    if structural_equal(a, b) { a.clone() } else { simplified(Min::new(a.dtype, a, b)) }
}

fn larger(a: &PrimExpr, b: &PrimExpr) -> PrimExpr {
    if structural_equal(a, b) { a.clone() } else { simplified(Max::new(a.dtype, a, b)) }
}

impl IntSet {
    /// The values from `min` to the number before `end`.
    #[must_use]
    pub fn until(min: PrimExpr, end: &PrimExpr) -> Self {
        let Some(last) = operation(BinaryOp::Sub, end, &one_of(end)).map(simplified) else { return IntSet::All };
        let is_point = structural_equal(&last, &simplified(&min));
        if is_point { IntSet::Bounds(min.clone(), min) } else { IntSet::Bounds(min, last) }
    }

    /// The set that has the values of both.
    #[must_use]
    pub fn union(&self, other: &IntSet) -> IntSet {
        match (self, other) {
            (IntSet::Bounds(a, b), IntSet::Bounds(c, d)) if a.dtype == c.dtype && b.dtype == d.dtype => {
                IntSet::Bounds(smaller(a, c), larger(b, d))
            }
            _ => IntSet::All,
        }
    }

    /// The values as a range, over a dimension of the length `whole`.
    #[must_use]
    pub fn range(&self, whole: &PrimExpr) -> Range {
        let covering = match self {
            IntSet::Bounds(min, max) if structural_equal(min, max) => {
                return Range::new(min.clone(), one_of(min), None);
            }
            IntSet::Bounds(min, max) => operation(BinaryOp::Add, max, &one_of(max))
                .and_then(|end| operation(BinaryOp::Sub, &end, min))
                .map(|length| Range::new(min.clone(), simplified(length), None)),
            IntSet::All => None,
        };
        covering.unwrap_or_else(|| Range::new(IntImm::new(whole.dtype, 0), whole.clone(), None))
    }
}

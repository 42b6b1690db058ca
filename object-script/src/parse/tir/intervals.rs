//! Intervals of indices over the values of loop variables (TVM 0.25 src/arith/int_set.cc).

use object_core::rewrite::substitute;
use object_core::{ObjectHandle, structural_equal};
use object_ir::ir::{IntImm, PrimExpr, Range};
use object_ir::tir::fold::{self, BinaryOp, int};
use object_ir::tir::{
    AddNode, CastNode, FloorDivNode, FloorModNode, Max, MaxNode, Min, MinNode, MulNode, RampNode, SubNode, Var, VarNode,
};
use object_relax::arith::Analyzer;

use crate::parse::tir::walk::any_object;

/// The values of an index.
#[derive(Clone, Debug)]
pub(super) enum Interval {
    /// From the first to the second value, both of which occur.
    Bounds(PrimExpr, PrimExpr),
    /// Any value.
    All,
}

/// The variables that have several values or stand for other expressions.
#[derive(Debug, Default)]
pub(super) struct Domains {
    /// The variables of loops, with their first and last values.
    pub(super) loops: Vec<(Var, PrimExpr, PrimExpr)>,
    /// The variables that stand for values.
    pub(super) values: Vec<(Var, PrimExpr)>,
}

fn operation(op: BinaryOp, a: &PrimExpr, b: &PrimExpr) -> Option<PrimExpr> {
    fold::binary(op, a, b).ok()
}

fn one_of(dtype: object_core::DataType) -> PrimExpr {
    IntImm::new(dtype, 1).into()
}

/// The largest depth of expressions that are evaluated; deeper ones have any value.
const MAX_DEPTH: usize = 64;

impl Domains {
    /// Adds the variable of a loop.
    pub(super) fn enter(&mut self, var: &Var, min: &PrimExpr, extent: &PrimExpr) {
        let last = operation(BinaryOp::Add, min, extent)
            .and_then(|end| operation(BinaryOp::Sub, &end, &one_of(min.dtype)))
            .unwrap_or_else(|| min.clone());
        self.loops.push((var.clone(), min.clone(), Analyzer::new().simplify(&last)));
    }

    /// The values of an index.
    pub(super) fn evaluate(&self, index: &PrimExpr) -> Interval {
        let index = if self.values.is_empty() {
            index.clone()
        } else {
            let mut index = index.clone();
            // A value may use variables that were bound before it.
            for (var, value) in self.values.iter().rev() {
                if let Ok(replaced) = substitute(index.clone(), [(var.clone(), value.clone())]) {
                    index = replaced;
                }
            }
            index
        };
        self.interval(&index, 0)
    }

    fn is_constant(&self, expr: &PrimExpr) -> bool {
        !any_object(expr.as_object().view(), &mut |object| {
            object.node::<VarNode>().is_some()
                && self.loops.iter().any(|(var, ..)| var.as_object().view().address() == object.address())
        })
    }

    fn interval(&self, expr: &PrimExpr, depth: usize) -> Interval {
        if depth > MAX_DEPTH {
            return Interval::All;
        }
        if self.is_constant(expr) && expr.as_object().view().node::<RampNode>().is_none() {
            return Interval::Bounds(expr.clone(), expr.clone());
        }
        self.compound(expr, depth + 1).unwrap_or(Interval::All)
    }

    fn bounds(&self, expr: &PrimExpr, depth: usize) -> Option<(PrimExpr, PrimExpr)> {
        match self.interval(expr, depth) {
            Interval::Bounds(min, max) => Some((min, max)),
            Interval::All => None,
        }
    }

    fn compound(&self, expr: &PrimExpr, depth: usize) -> Option<Interval> {
        let object = expr.as_object().view();
        if object.node::<VarNode>().is_some() {
            let known = self.loops.iter().rev().find(|(var, ..)| var.as_object().view().address() == object.address());
            return known.map(|(_, min, max)| Interval::Bounds(min.clone(), max.clone()));
        }
        if let Some(node) = object.node::<AddNode>() {
            let (a, b) = (self.bounds(&node.a, depth)?, self.bounds(&node.b, depth)?);
            return Some(Interval::Bounds(
                operation(BinaryOp::Add, &a.0, &b.0)?,
                operation(BinaryOp::Add, &a.1, &b.1)?,
            ));
        }
        if let Some(node) = object.node::<SubNode>() {
            let (a, b) = (self.bounds(&node.a, depth)?, self.bounds(&node.b, depth)?);
            return Some(Interval::Bounds(
                operation(BinaryOp::Sub, &a.0, &b.1)?,
                operation(BinaryOp::Sub, &a.1, &b.0)?,
            ));
        }
        if let Some(node) = object.node::<MulNode>() {
            let (a, b) = if int(&node.a).is_some() { (&node.b, &node.a) } else { (&node.a, &node.b) };
            let factor = int(b);
            let (min, max) = self.bounds(a, depth)?;
            let is_negative = match factor {
                Some(factor) => factor < 0,
                None if self.is_constant(b) => !is_never_negative(b),
                None => return None,
            };
            if factor.is_none() && is_negative {
                return None;
            }
            let (min, max) = (operation(BinaryOp::Mul, &min, b)?, operation(BinaryOp::Mul, &max, b)?);
            return Some(if is_negative { Interval::Bounds(max, min) } else { Interval::Bounds(min, max) });
        }
        if let Some(node) = object.node::<FloorDivNode>() {
            int(&node.b).filter(|divisor| *divisor > 0)?;
            let (min, max) = self.bounds(&node.a, depth)?;
            return Some(Interval::Bounds(
                operation(BinaryOp::FloorDiv, &min, &node.b)?,
                operation(BinaryOp::FloorDiv, &max, &node.b)?,
            ));
        }
        if let Some(node) = object.node::<FloorModNode>() {
            let divisor = int(&node.b).filter(|divisor| *divisor > 0)?;
            let (min, max) = self.bounds(&node.a, depth)?;
            if let (Some(min), Some(max)) = (int(&min), int(&max))
                && min.div_euclid(divisor) == max.div_euclid(divisor)
            {
                let constant = |value: i64| PrimExpr::from(IntImm::new(expr.dtype, value.rem_euclid(divisor)));
                return Some(Interval::Bounds(constant(min), constant(max)));
            }
            let zero = IntImm::new(expr.dtype, 0);
            return Some(Interval::Bounds(zero.into(), IntImm::new(expr.dtype, divisor - 1).into()));
        }
        if let Some(node) = object.node::<CastNode>() {
            let (min, max) = self.bounds(&node.value, depth)?;
            return Some(Interval::Bounds(fold::cast(expr.dtype, &min), fold::cast(expr.dtype, &max)));
        }
        if let Some(node) = object.node::<MinNode>() {
            let (a, b) = (self.bounds(&node.a, depth)?, self.bounds(&node.b, depth)?);
            return Some(Interval::Bounds(smaller(&a.0, &b.0), smaller(&a.1, &b.1)));
        }
        if let Some(node) = object.node::<MaxNode>() {
            let (a, b) = (self.bounds(&node.a, depth)?, self.bounds(&node.b, depth)?);
            return Some(Interval::Bounds(larger(&a.0, &b.0), larger(&a.1, &b.1)));
        }
        let ramp = object.node::<RampNode>()?;
        let (min, max) = self.bounds(&ramp.start, depth)?;
        let stride = int(&ramp.stride).filter(|stride| *stride > 0)?;
        let length = int(&ramp.lanes)?.checked_sub(1)?.checked_mul(stride)?;
        let last = operation(BinaryOp::Add, &max, &IntImm::new(max.dtype, length).into())?;
        Some(Interval::Bounds(min, last))
    }
}

/// Whether the value is a variable of a size, which is never negative.
fn is_never_negative(expr: &PrimExpr) -> bool {
    expr.as_object().view().node::<object_ir::tir::SizeVarNode>().is_some()
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

impl Interval {
    /// The interval that has the values of both.
    pub(super) fn union(&self, other: &Interval) -> Interval {
        match (self, other) {
            (Interval::Bounds(a, b), Interval::Bounds(c, d)) if a.dtype == c.dtype && b.dtype == d.dtype => {
                Interval::Bounds(smaller(a, c), larger(b, d))
            }
            _ => Interval::All,
        }
    }

    /// The interval as a range, over a dimension of the length `whole`.
    pub(super) fn range(&self, whole: &PrimExpr) -> Range {
        let covering = match self {
            Interval::Bounds(min, max) if structural_equal(min, max) => {
                return Range::new(min.clone(), one_of(min.dtype), None);
            }
            Interval::Bounds(min, max) => operation(BinaryOp::Add, max, &one_of(max.dtype))
                .and_then(|end| operation(BinaryOp::Sub, &end, min))
                .map(|length| Range::new(min.clone(), simplified(length), None)),
            Interval::All => None,
        };
        covering.unwrap_or_else(|| Range::new(IntImm::new(whole.dtype, 0), whole.clone(), None))
    }
}

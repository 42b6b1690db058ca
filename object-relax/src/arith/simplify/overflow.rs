//! [`overflow_keeps_value`]: whether the overflow of an expression changes its value only where another one overflows too.

use object_core::ObjectHandle;
use object_ir::ir::{IntImm, PrimExpr};
use rustc_hash::FxHashSet;

use super::super::context::Context;
use super::super::normal::arena::Steps;
use super::super::normal::expand::{Variables, range};
use super::super::normal::interval::Interval;
use super::super::normal::operation::{Operation, is_index};
use super::super::query::Query;
use crate::addresses::address;

/// The most operations of each expression that a proof looks at.
const MAX_OPERATIONS: usize = 64;

/// The largest dimension that a shape is assumed to have: no machine addresses as many bytes.
const MAX_DIMENSION: i128 = 1 << 47;

/// The facts of a context, and that a variable has a value of its type.
struct Typed<'a>(&'a Context);

impl Variables for Typed<'_> {
    fn interval(&self, var: &PrimExpr) -> Interval {
        let typed = self.0.interval(var).intersect(range(var.dtype));
        if self.0.shape_variables { typed.intersect(Interval { lo: None, hi: Some(MAX_DIMENSION) }) } else { typed }
    }

    fn value(&self, var: &PrimExpr) -> Option<&PrimExpr> {
        self.0.value(var)
    }
}

/// Whether a proof is found that overflow on `int32` or `int64` does not change the value of `result` where no operation in
/// `original` overflows. The expressions have the same value without overflow.
///
/// A sum or product that wraps has the right value if only sums and products use it, as `n * 2` in `n * 2 + 2`, which TVM
/// writes for `(n + 1) * 2`. So the proof shows that the operands of all other operations are in the ranges of their types. It
/// assumes the same of `original`, that the value of `original` is if `is_in_range`, and that the dimensions of a shape are at most [`MAX_DIMENSION`]. It does not assume that
/// parts of a sum are in the range, because `original` may be a form of another expression whose parts wrap.
pub(in crate::arith) fn overflow_keeps_value(
    context: &Context,
    (original, is_in_range): (&PrimExpr, bool),
    result: &PrimExpr,
    steps: &mut Steps,
) -> Option<bool> {
    let can_change = |expr: &PrimExpr| is_index(expr.dtype) && can_overflow(expr, Operation::of(expr).0);
    let others = operations(result, |_, operation| (!is_ring(operation), true))?;
    let mut new: Vec<&PrimExpr> = others.into_iter().flat_map(|expr| Operation::of(expr).1).collect();
    new.retain(|operand| can_change(operand));
    if new.len() > MAX_OPERATIONS {
        return None;
    }
    if new.is_empty() {
        return Some(true);
    }
    // A value that is not always computed says nothing about its overflow.
    let others = operations(original, |_, operation| (!is_ring(operation), !operation.is_lazy()))?;
    let operands = others.into_iter().flat_map(|expr| {
        let (operation, operands) = Operation::of(expr);
        operands.into_iter().take(if operation.is_lazy() { 1 } else { usize::MAX })
    });
    let is_known = |expr: &PrimExpr| is_index(expr.dtype) && !Operation::of(expr).1.is_empty();
    let known: Vec<&PrimExpr> = operands.chain(is_in_range.then_some(original)).filter(|expr| is_known(expr)).collect();
    let variables = Typed(context);
    let mut query = Query::about_forms(&variables, &context.constraints, steps);
    let parts = query.expand_parts(original)?;
    let known: Vec<_> =
        known.iter().filter_map(|expr| Some((parts.get(&address(*expr))?.clone(), expr.dtype))).collect();
    let parts = query.expand_parts(result)?;
    let new: Option<Vec<_>> = new.iter().map(|expr| Some((parts.get(&address(*expr))?.clone(), expr.dtype))).collect();
    for (value, dtype) in known {
        query.assume_within(&value, range(dtype))?;
    }
    new?.iter().try_fold(true, |all, (value, dtype)| Some(all && query.is_within(value, range(*dtype))?))
}

/// The operations in `root`, outer ones first. `choose` says whether an operation is chosen, and whether all its operands are
/// looked at or the first one alone. `None` if there are too many.
fn operations(root: &PrimExpr, choose: impl Fn(&PrimExpr, Operation) -> (bool, bool)) -> Option<Vec<&PrimExpr>> {
    let (mut seen, mut open, mut chosen) = (FxHashSet::default(), vec![root], Vec::new());
    while let Some(expr) = open.pop() {
        let (operation, operands) = Operation::of(expr);
        if operands.is_empty() || !seen.insert(address(expr)) {
            continue;
        }
        let (is_chosen, all_operands) = choose(expr, operation);
        if is_chosen {
            chosen.push(expr);
        }
        open.extend(operands.into_iter().take(if all_operands { usize::MAX } else { 1 }));
        if chosen.len() > MAX_OPERATIONS {
            return None;
        }
    }
    Some(chosen)
}

/// Whether the operation has the right result for operands that have wrapped around.
pub(super) fn is_ring(operation: Operation) -> bool {
    matches!(operation, Operation::Add | Operation::Sub | Operation::Mul)
}

/// Whether the operation has a result out of its type for some operands. Quotients by positive constants are smaller than
/// the dividend.
fn can_overflow(expr: &PrimExpr, operation: Operation) -> bool {
    match operation {
        Operation::Add | Operation::Sub | Operation::Mul | Operation::ShiftLeft => true,
        Operation::FloorDiv | Operation::TruncDiv => {
            let divisor = Operation::of(expr).1.get(1).and_then(|divisor| divisor.downcast_ref::<IntImm>());
            divisor.is_none_or(|divisor| divisor.value <= 0)
        }
        _ => false,
    }
}

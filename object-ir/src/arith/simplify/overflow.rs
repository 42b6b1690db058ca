//! [`overflows_less`]: whether an expression overflows only where another one overflows too.

use object_core::ObjectHandle;
use rustc_hash::FxHashSet;

use super::super::context::Context;
use super::super::normal::arena::Steps;
use super::super::normal::expand::{Variables, range};
use super::super::normal::interval::Interval;
use super::super::normal::operation::{Operation, is_index};
use super::super::query::Query;
use crate::addresses::address;
use crate::ir::expr::{IntImm, PrimExpr};

/// The most operations of each expression that a proof looks at.
const MAX_OPERATIONS: usize = 64;

/// The facts of a context, and that a variable has a value of its type.
struct Typed<'a>(&'a Context);

impl Variables for Typed<'_> {
    fn interval(&self, var: &PrimExpr) -> Interval {
        self.0.interval(var).intersect(range(var.dtype))
    }

    fn value(&self, var: &PrimExpr) -> Option<&PrimExpr> {
        self.0.value(var)
    }
}

/// Whether a proof is found that no operation on `int32` or `int64` in `result` overflows where none in `original`
/// overflows. The expressions have the same value. The proof adds the facts that all values in `original` are in the ranges
/// of their types, and shows the same for the values in `result`.
pub(in crate::arith) fn overflows_less(
    context: &Context,
    original: &PrimExpr,
    result: &PrimExpr,
    steps: &mut Steps,
) -> Option<bool> {
    let new = operations(result, |expr, operation| {
        let can_overflow = is_index(expr.dtype) && can_overflow(expr, operation) && !expr.ptr_eq(result);
        (can_overflow, true)
    })?;
    if new.is_empty() {
        return Some(true);
    }
    // A value that is not always computed says nothing about its overflow.
    let known = operations(original, |expr, operation| (is_index(expr.dtype), !operation.is_lazy()))?;
    let variables = Typed(context);
    let mut query = Query::about(&variables, &context.constraints, steps);
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

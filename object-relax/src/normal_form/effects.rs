//! [`Effects`]: which expressions may have visible side effects.

use object_core::prelude::*;
use object_ir::ir::{Call, If, MatchCast, Op, RelaxExpr, SeqExpr, Tuple, TupleGetItem, VarBinding};
use rustc_hash::FxHashSet;

use crate::derivation::is_pure_callee;
use crate::recursive_rule::ById;

/// The operator that writes into its arguments, although TVM counts it as pure (spec: Notable Operators).
const WRITES_ARGUMENTS: &str = "relax.call_dps_packed";

/// The expressions that are known to have no side effects.
#[derive(Debug, Default)]
pub(super) struct Effects {
    pure: FxHashSet<ById<RelaxExpr>>,
}

impl Effects {
    /// Whether the evaluation of `expr` may have visible side effects, so that it matters how often it takes place. Adds the
    /// number of visited expressions to `steps`.
    pub(super) fn has(&mut self, expr: &RelaxExpr, steps: &mut u64) -> bool {
        let mut visited: FxHashSet<ById<RelaxExpr>> = FxHashSet::default();
        let mut pending = vec![expr.clone()];
        while let Some(expr) = pending.pop() {
            *steps += 1;
            if self.pure.contains(expr.as_object()) || !visited.insert(ById(expr.clone())) {
                continue;
            }
            if is_call_with_effects(&expr) {
                return true;
            }
            push_evaluated(&expr, &mut pending);
        }
        self.pure.extend(visited);
        false
    }
}

fn is_call_with_effects(expr: &RelaxExpr) -> bool {
    let Some(call) = expr.downcast_ref::<Call>() else { return false };
    let writes = call.op.downcast_ref::<Op>().is_some_and(|op| op.name == WRITES_ARGUMENTS);
    writes || !is_pure_callee(&call.op)
}

/// The expressions that the evaluation of `expr` evaluates. The body of a function is evaluated by calls.
fn push_evaluated(expr: &RelaxExpr, pending: &mut Vec<RelaxExpr>) {
    if let Some(call) = expr.downcast_ref::<Call>() {
        pending.push(call.op.clone());
        pending.extend(call.args.iter());
    } else if let Some(tuple) = expr.downcast_ref::<Tuple>() {
        pending.extend(tuple.fields.iter());
    } else if let Some(member) = expr.downcast_ref::<TupleGetItem>() {
        pending.push(member.tuple_value.clone());
    } else if let Some(it) = expr.downcast_ref::<If>() {
        pending.extend([it.cond.clone(), (&it.true_branch).into(), (&it.false_branch).into()]);
    } else if let Some(seq) = expr.downcast_ref::<SeqExpr>() {
        for binding in seq.blocks.as_slice().iter().flat_map(|block| block.bindings.as_slice()) {
            if let Some(binding) = binding.downcast_ref::<VarBinding>() {
                pending.push(binding.value.clone());
            } else if let Some(binding) = binding.downcast_ref::<MatchCast>() {
                pending.push(binding.value.clone());
            }
        }
        pending.push(seq.body.clone());
    }
}

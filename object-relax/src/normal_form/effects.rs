//! [`Effects`]: which expressions may have visible side effects.

use object_core::prelude::*;
use object_ir::ir::{Call, Op, RelaxExpr};
use object_ir::kind::{BindingKind, RelaxExprKind};
use rustc_hash::FxHashSet;

use crate::addresses::ById;
use crate::derivation::is_pure_callee;

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
    match RelaxExprKind::of(expr) {
        RelaxExprKind::Call(call) => {
            pending.push(call.op.clone());
            pending.extend(call.args.iter());
        }
        RelaxExprKind::Tuple(tuple) => pending.extend(tuple.fields.iter()),
        RelaxExprKind::TupleGetItem(member) => pending.push(member.tuple_value.clone()),
        RelaxExprKind::If(it) => {
            pending.extend([it.cond.clone(), (&it.true_branch).into(), (&it.false_branch).into()]);
        }
        RelaxExprKind::SeqExpr(seq) => {
            for binding in seq.blocks.as_slice().iter().flat_map(|block| block.bindings.as_slice()) {
                match BindingKind::of(binding) {
                    BindingKind::VarBinding(binding) => pending.push(binding.value.clone()),
                    BindingKind::MatchCast(binding) => pending.push(binding.value.clone()),
                    BindingKind::Other(_) => {}
                }
            }
            pending.push(seq.body.clone());
        }
        RelaxExprKind::Function(_)
        | RelaxExprKind::Var(_)
        | RelaxExprKind::Constant(_)
        | RelaxExprKind::ShapeExpr(_)
        | RelaxExprKind::PrimValue(_)
        | RelaxExprKind::GlobalVar(_)
        | RelaxExprKind::Op(_)
        | RelaxExprKind::ExternFunc(_)
        | RelaxExprKind::StringImm(_)
        | RelaxExprKind::DataTypeImm(_)
        | RelaxExprKind::PrimFunc(_)
        | RelaxExprKind::Other(_) => {}
    }
}

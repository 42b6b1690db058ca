//! The walk of a derivation through a program, in the order of evaluation: each part is derived once.

use object_core::prelude::*;
use object_core::stack_budget::with_stack;
use object_ir::ir::{BindingBlock, Call, Function, If, Op, RelaxExpr, SeqExpr, Tuple, TupleGetItem, Var};
use object_ir::kind::{BindingKind, RelaxExprKind};

use super::bindings::params_of;
use super::finding::{Located, located};
use super::state::State;
use crate::addresses::address;

impl<'e> State<'e> {
    /// The expression with structural information in all its parts.
    pub(super) fn expr(&mut self, expr: &'e RelaxExpr) -> Result<RelaxExpr, Located> {
        match RelaxExprKind::of(expr) {
            RelaxExprKind::Var(var) => self.variable(var),
            RelaxExprKind::Call(call) => self.once(expr, |state| state.call(call)),
            RelaxExprKind::Tuple(tuple) => self.once(expr, |state| state.tuple(tuple)),
            RelaxExprKind::TupleGetItem(member) => self.once(expr, |state| state.member(member)),
            RelaxExprKind::If(it) => self.once(expr, |state| state.branches(it)),
            RelaxExprKind::SeqExpr(seq) => self.once(expr, |state| state.sequence(seq)),
            RelaxExprKind::Function(function) => self.once(expr, |state| state.function(function)),
            RelaxExprKind::GlobalVar(_) | RelaxExprKind::Op(_) => Ok(expr.clone()),
            RelaxExprKind::Constant(_)
            | RelaxExprKind::ShapeExpr(_)
            | RelaxExprKind::PrimValue(_)
            | RelaxExprKind::StringImm(_)
            | RelaxExprKind::DataTypeImm(_)
            | RelaxExprKind::ExternFunc(_)
            | RelaxExprKind::PrimFunc(_)
            | RelaxExprKind::Other(_) => {
                if expr.struct_info.is_some() {
                    return Ok(expr.clone());
                }
                self.once(expr, |state| located(expr, state.leaf(expr)))
            }
        }
    }

    fn variable(&self, var: &'e Var) -> Result<RelaxExpr, Located> {
        let seen = self.scope.get(var).unwrap_or(var);
        if seen.struct_info.is_some() {
            return Ok(seen.into());
        }
        let message = format!(
            "the variable `{}` has no structural information here: bind it before its use, or annotate it",
            var.vid.name_hint
        );
        located(var, Err(Error::new(ErrorKind::MissingField, message)))
    }

    /// The result of `derive` for an expression: the expression itself if it stays as it is, and the known result if it
    /// occurred before.
    fn once(
        &mut self,
        expr: &'e RelaxExpr,
        derive: impl FnOnce(&mut Self) -> Result<RelaxExpr, Located>,
    ) -> Result<RelaxExpr, Located> {
        if self.keeps_known && expr.struct_info.is_some() {
            return Ok(expr.clone());
        }
        // The parent has the only other handle.
        if expr.as_object().use_count() <= 1 {
            return with_stack(|| derive(self));
        }
        if let Some((result, has_effects)) = self.remembered.get(&address(expr)).cloned() {
            *self.effects() += usize::from(has_effects);
            return Ok(result);
        }
        let before = *self.effects();
        let result = with_stack(|| derive(self))?;
        let has_effects = *self.effects() > before;
        self.remembered.insert(address(expr), (result.clone(), has_effects));
        Ok(result)
    }

    /// Puts the results for parts on the stack.
    fn push_all(&mut self, parts: &'e Array<RelaxExpr>) -> Result<(), Located> {
        for part in parts.as_slice() {
            let derived = self.expr(part)?;
            self.exprs.push(derived);
        }
        Ok(())
    }

    fn call(&mut self, call: &'e Call) -> Result<RelaxExpr, Located> {
        if let Some(op) = call.op.downcast_ref::<Op>() {
            self.push_all(&call.args)?;
            return located(call, self.operator_call(call, op));
        }
        let callee = self.expr(&call.op)?;
        self.push_all(&call.args)?;
        located(call, self.function_call(call, callee))
    }

    fn tuple(&mut self, tuple: &'e Tuple) -> Result<RelaxExpr, Located> {
        self.push_all(&tuple.fields)?;
        Ok(self.derived_tuple(tuple))
    }

    fn member(&mut self, member: &'e TupleGetItem) -> Result<RelaxExpr, Located> {
        let value = self.expr(&member.tuple_value)?;
        located(member, self.derived_member(member, value))
    }

    fn branches(&mut self, it: &'e If) -> Result<RelaxExpr, Located> {
        let cond = self.expr(&it.cond)?;
        let if_true = self.expr(it.true_branch.as_ref())?;
        let if_false = self.expr(it.false_branch.as_ref())?;
        located(it, self.derived_branches(it, cond, (if_true, if_false)))
    }

    fn sequence(&mut self, seq: &'e SeqExpr) -> Result<RelaxExpr, Located> {
        let outside = self.scope.mark();
        seq.blocks.as_slice().iter().try_for_each(|block| self.block(block))?;
        let body = self.expr(&seq.body)?;
        located(seq, self.derived_sequence(seq, body, outside))
    }

    fn block(&mut self, block: &'e BindingBlock) -> Result<(), Located> {
        let bindings = block.bindings.as_slice();
        self.scope.reserve(bindings.len());
        let outside = self.scope.mark();
        for binding in bindings {
            match BindingKind::of(binding) {
                BindingKind::VarBinding(binding) => {
                    let value = self.expr(&binding.value)?;
                    located(binding, self.bind(binding, value))?;
                }
                BindingKind::MatchCast(binding) => {
                    let value = self.expr(&binding.value)?;
                    located(binding, self.match_cast(binding, value))?;
                }
                BindingKind::Other(binding) => {
                    let key = binding.as_object().view().type_key();
                    return located(block, Err(Error::type_mismatch("relax.expr.VarBinding", key)));
                }
            }
        }
        self.end_block(block, outside);
        Ok(())
    }

    fn function(&mut self, function: &'e Function) -> Result<RelaxExpr, Located> {
        let outside = self.scope.mark();
        self.scope.see_binders(located(function, params_of(function))?);
        self.scope.reserve(function.params.len());
        function.params.as_slice().iter().for_each(|param| self.scope.add(param));
        self.effects.push(0);
        let body = self.expr(function.body.as_ref())?;
        located(function, self.derived_function(function, body, outside))
    }
}

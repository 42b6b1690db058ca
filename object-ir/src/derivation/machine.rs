//! [`Machine`]: goes through an expression with a stack of its own, and derives each part.

use object_core::prelude::*;

use super::bindings::params_of;
use super::state::State;
use super::task::Task;
use crate::ir::binding::{MatchCast, VarBinding};
use crate::ir::call::Call;
use crate::ir::expr::RelaxExpr;
use crate::ir::function::Function;
use crate::ir::if_::If;
use crate::ir::op::Op;
use crate::ir::seq::SeqExpr;
use crate::ir::tuple::{Tuple, TupleGetItem};
use crate::ir::var::{GlobalVar, Var};
use crate::op::InferContext;
use crate::recursive_rule::ById;
use crate::struct_info::mapping::binders;

/// A derivation under way.
pub(super) struct Machine<'a> {
    pub(super) state: State<'a>,
    tasks: Vec<Task>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(context: InferContext<'a>) -> Self {
        Machine::of(State::new(context))
    }

    /// A derivation in a state.
    pub(super) fn of(state: State<'a>) -> Self {
        Machine { state, tasks: Vec::new() }
    }

    /// The expression with structural information in all its parts. An error comes with the object to which the error and
    /// its path belong.
    pub(super) fn run(&mut self, root: &RelaxExpr) -> Result<RelaxExpr, (Error, ObjectRef)> {
        self.tasks.push(Task::Enter(root.clone()));
        while let Some(task) = self.tasks.pop() {
            let place = task.place();
            self.step(task).map_err(|error| (error, place))?;
        }
        Ok(self.state.pop())
    }

    fn step(&mut self, task: Task) -> Result<(), Error> {
        let state = &mut self.state;
        match task {
            Task::Enter(expr) => return self.enter(expr),
            Task::Tuple(tuple) => state.tuple(tuple),
            Task::Member(member) => return state.member(member),
            Task::Call(call) => return state.call(call),
            Task::If(it) => return state.branches(it),
            Task::Bind(binding) => return state.bind(binding),
            Task::Match(binding) => return state.match_cast(binding),
            Task::Block(block) => state.block(block),
            Task::Seq(seq, outside) => return state.seq(seq, outside),
            Task::Function(function, outside) => return state.function(function, outside),
            Task::Remember(expr, before) => {
                let has_effects = *state.effects() > before;
                let result = state.exprs.last().cloned();
                state.remembered.extend(result.map(|result| (ById(expr), (result, has_effects))));
            }
        }
        Ok(())
    }

    fn enter(&mut self, expr: RelaxExpr) -> Result<(), Error> {
        if let Some(var) = expr.downcast_ref::<Var>() {
            let var = self.state.scope.get(var).unwrap_or(var);
            if var.struct_info.is_none() {
                let message = format!(
                    "the variable `{}` has no structural information here: bind it before its use, or annotate it",
                    var.vid.name_hint
                );
                return Err(Error::new(ErrorKind::MissingField, message));
            }
            self.state.exprs.push(var.into());
            return Ok(());
        }
        let is_known = self.state.keeps_known && expr.struct_info.is_some();
        if is_known || expr.is::<GlobalVar>() || expr.is::<Op>() {
            self.state.exprs.push(expr);
            return Ok(());
        }
        // The handles are the one in the parent, and this one.
        if expr.as_object().use_count() > 2 {
            let known = self.state.remembered.get(&ById(expr.clone())).cloned();
            if let Some((result, has_effects)) = known {
                *self.state.effects() += usize::from(has_effects);
                self.state.exprs.push(result);
                return Ok(());
            }
            let before = *self.state.effects();
            self.tasks.push(Task::Remember(expr.clone(), before));
        }
        if let Some(tuple) = expr.downcast_ref::<Tuple>() {
            self.tasks.push(Task::Tuple(tuple.clone()));
            self.enter_all(&tuple.fields);
        } else if let Some(call) = expr.downcast_ref::<Call>() {
            self.tasks.push(Task::Call(call.clone()));
            self.enter_all(&call.args);
            self.tasks.push(Task::Enter(call.op.clone()));
        } else if let Some(member) = expr.downcast_ref::<TupleGetItem>() {
            self.tasks.push(Task::Member(member.clone()));
            self.tasks.push(Task::Enter(member.tuple_value.clone()));
        } else if let Some(it) = expr.downcast_ref::<If>() {
            self.tasks.push(Task::If(it.clone()));
            let parts: [RelaxExpr; 3] = [(&it.false_branch).into(), (&it.true_branch).into(), it.cond.clone()];
            self.tasks.extend(parts.map(Task::Enter));
        } else if let Some(seq) = expr.downcast_ref::<SeqExpr>() {
            return self.enter_seq(seq);
        } else if let Some(function) = expr.downcast_ref::<Function>() {
            return self.enter_function(function);
        } else {
            let derived = self.state.leaf(expr)?;
            self.state.exprs.push(derived);
        }
        Ok(())
    }

    fn enter_all(&mut self, exprs: &Array<RelaxExpr>) {
        self.tasks.extend(exprs.as_slice().iter().rev().cloned().map(Task::Enter));
    }

    fn enter_seq(&mut self, seq: &SeqExpr) -> Result<(), Error> {
        self.tasks.push(Task::Seq(seq.clone(), self.state.scope.mark()));
        self.tasks.push(Task::Enter(seq.body.clone()));
        for block in seq.blocks.as_slice().iter().rev() {
            self.tasks.push(Task::Block(block.clone()));
            for binding in block.bindings.as_slice().iter().rev() {
                if let Some(binding) = binding.downcast_ref::<VarBinding>() {
                    self.tasks.push(Task::Bind(binding.clone()));
                    self.tasks.push(Task::Enter(binding.value.clone()));
                } else if let Some(binding) = binding.downcast_ref::<MatchCast>() {
                    self.tasks.push(Task::Match(binding.clone()));
                    self.tasks.push(Task::Enter(binding.value.clone()));
                } else {
                    let key = binding.as_object().view().type_key();
                    return Err(Error::type_mismatch("relax.expr.VarBinding", key));
                }
            }
        }
        Ok(())
    }

    fn enter_function(&mut self, function: &Function) -> Result<(), Error> {
        self.tasks.push(Task::Function(function.clone(), self.state.scope.mark()));
        for var in binders(&params_of(function)?) {
            self.state.scope.add_shape_var(&var);
        }
        function.params.iter().for_each(|param| self.state.scope.add(&param));
        self.state.effects.push(0);
        self.tasks.push(Task::Enter((&function.body).into()));
        Ok(())
    }
}

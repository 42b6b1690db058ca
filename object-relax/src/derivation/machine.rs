//! [`Machine`]: goes through an expression with a stack of its own, and derives each part.

use object_core::prelude::*;
use object_ir::ir::{
    BindingBlock, Call, Function, If, MatchCast, Op, RelaxExpr, SeqExpr, Tuple, TupleGetItem, Var, VarBinding,
};

use super::bindings::params_of;
use super::scope::Mark;
use super::state::State;
use super::task::Task;
use crate::addresses::address;
use crate::op::InferContext;

/// A derivation under way.
pub(super) struct Machine<'e> {
    pub(super) state: State<'e>,
    tasks: Vec<Task<'e>>,
    /// The step under way, for errors.
    current: Option<Task<'e>>,
}

impl<'e> Machine<'e> {
    pub(super) fn new(context: InferContext<'e>) -> Self {
        Machine::of(State::new(context))
    }

    /// A derivation in a state.
    pub(super) fn of(state: State<'e>) -> Self {
        Machine { state, tasks: Vec::with_capacity(16), current: None }
    }

    /// The expression with structural information in all its parts. An error comes with the object to which the error and
    /// its path belong.
    pub(super) fn run(&mut self, root: &'e RelaxExpr) -> Result<RelaxExpr, (Error, ObjectRef)> {
        self.tasks.push(Task::Enter(root));
        while let Some(task) = self.tasks.pop() {
            self.current = Some(task);
            self.step(task).map_err(|error| (error, self.current.unwrap_or(task).place()))?;
        }
        Ok(self.state.pop())
    }

    fn step(&mut self, task: Task<'e>) -> Result<(), Error> {
        let state = &mut self.state;
        match task {
            Task::Enter(expr) => return self.enter(expr),
            Task::Tuple(tuple) => state.tuple(tuple),
            Task::Member(member) => return state.member(member),
            Task::Call(call) => {
                let derived = state.derived_call(call)?;
                state.exprs.push(derived);
            }
            Task::If(it) => return state.branches(it),
            Task::Bind(binding) => {
                let value = state.pop();
                return state.bind(binding, value);
            }
            Task::Match(binding) => return state.match_cast(binding),
            Task::Block(block, next, outside) => return self.block(block, next, outside),
            Task::Seq(seq, outside) => return state.seq(seq, outside),
            Task::Function(function, outside) => return state.function(function, outside),
            Task::Remember(expr, before) => {
                let has_effects = *state.effects() > before;
                let result = state.exprs.last().cloned();
                state.remembered.extend(result.map(|result| (address(expr), (result, has_effects))));
            }
        }
        Ok(())
    }

    fn enter(&mut self, expr: &'e RelaxExpr) -> Result<(), Error> {
        if let Some(known) = self.state.known(expr) {
            let known = known.clone();
            self.state.exprs.push(known);
            return Ok(());
        }
        if let Some(var) = expr.downcast_ref::<Var>() {
            let message = format!(
                "the variable `{}` has no structural information here: bind it before its use, or annotate it",
                var.vid.name_hint
            );
            return Err(Error::new(ErrorKind::MissingField, message));
        }
        // The parent has the only other handle.
        if expr.as_object().use_count() > 1 {
            let known = self.state.remembered.get(&address(expr)).cloned();
            if let Some((result, has_effects)) = known {
                *self.state.effects() += usize::from(has_effects);
                self.state.exprs.push(result);
                return Ok(());
            }
            let before = *self.state.effects();
            self.tasks.push(Task::Remember(expr, before));
        }
        if let Some(call) = expr.downcast_ref::<Call>() {
            if self.state.push_known_parts(call) {
                let derived = self.state.derived_call(call)?;
                self.state.exprs.push(derived);
                return Ok(());
            }
            self.tasks.push(Task::Call(call));
            self.enter_all(&call.args);
            if !call.op.is::<Op>() {
                self.tasks.push(Task::Enter(&call.op));
            }
        } else if let Some(tuple) = expr.downcast_ref::<Tuple>() {
            if self.state.push_known(&tuple.fields) {
                self.state.tuple(tuple);
                return Ok(());
            }
            self.tasks.push(Task::Tuple(tuple));
            self.enter_all(&tuple.fields);
        } else if let Some(member) = expr.downcast_ref::<TupleGetItem>() {
            if let Some(tuple) = self.state.known(&member.tuple_value).cloned() {
                self.state.exprs.push(tuple);
                return self.state.member(member);
            }
            self.tasks.push(Task::Member(member));
            self.tasks.push(Task::Enter(&member.tuple_value));
        } else if let Some(it) = expr.downcast_ref::<If>() {
            self.tasks.push(Task::If(it));
            self.tasks.extend([it.false_branch.as_ref(), it.true_branch.as_ref(), &it.cond].map(Task::Enter));
        } else if let Some(seq) = expr.downcast_ref::<SeqExpr>() {
            self.enter_seq(seq);
        } else if let Some(function) = expr.downcast_ref::<Function>() {
            return self.enter_function(function);
        } else {
            let derived = self.state.leaf(expr)?;
            self.state.exprs.push(derived);
        }
        Ok(())
    }

    fn enter_all(&mut self, exprs: &'e Array<RelaxExpr>) {
        self.tasks.extend(exprs.as_slice().iter().rev().map(Task::Enter));
    }

    fn enter_seq(&mut self, seq: &'e SeqExpr) {
        let outside = self.state.scope.mark();
        self.tasks.push(Task::Seq(seq, outside));
        self.tasks.push(Task::Enter(&seq.body));
        self.tasks.extend(seq.blocks.as_slice().iter().rev().map(|block| Task::Block(block, 0, outside)));
    }

    /// Derives the bindings of a block from the place `next` on, until one has nested expressions: then tasks derive it
    /// and the others.
    fn block(&mut self, block: &'e BindingBlock, next: usize, outside: Mark) -> Result<(), Error> {
        let bindings = block.bindings.as_slice();
        let outside = if next == 0 {
            self.state.scope.reserve(bindings.len());
            self.state.scope.mark()
        } else {
            outside
        };
        for (place, binding) in bindings.iter().enumerate().skip(next) {
            let (finish, value) = if let Some(binding) = binding.downcast_ref::<VarBinding>() {
                let value = &binding.value;
                if let Some(call) = value.downcast_ref::<Call>()
                    && value.as_object().use_count() <= 1
                    && !self.state.keeps(value)
                    && self.state.push_known_parts(call)
                {
                    self.current = Some(Task::Enter(value));
                    let value = self.state.derived_call(call)?;
                    self.current = Some(Task::Bind(binding));
                    self.state.bind(binding, value)?;
                    continue;
                }
                (Task::Bind(binding), value)
            } else if let Some(binding) = binding.downcast_ref::<MatchCast>() {
                (Task::Match(binding), &binding.value)
            } else {
                let key = binding.as_object().view().type_key();
                return Err(Error::type_mismatch("relax.expr.VarBinding", key));
            };
            let open = self.tasks.len();
            self.tasks.extend([Task::Block(block, place + 1, outside), finish]);
            self.current = Some(Task::Enter(value));
            self.enter(value)?;
            if self.tasks.len() > open + 2 {
                return Ok(());
            }
            self.tasks.truncate(open);
            self.current = Some(finish);
            self.step(finish)?;
        }
        self.state.block(block, outside);
        Ok(())
    }

    fn enter_function(&mut self, function: &'e Function) -> Result<(), Error> {
        self.tasks.push(Task::Function(function, self.state.scope.mark()));
        self.state.scope.see_binders(params_of(function)?);
        self.state.scope.reserve(function.params.len());
        function.params.as_slice().iter().for_each(|param| self.state.scope.add(param));
        self.state.effects.push(0);
        self.tasks.push(Task::Enter(function.body.as_ref()));
        Ok(())
    }
}

//! [`Machine`]: goes through a program in the order of evaluation, with a stack of its own, and puts it into normal form.

use object_core::access_path::AccessPath;
use object_core::prelude::*;
use object_core::stats::GraphStats;
use object_ir::ir::{Call, Function, If, MatchCast, RelaxExpr, SeqExpr, Tuple, TupleGetItem, VarBinding};

use super::leaf::is_leaf;
use super::operator_form::{has_operator_form, operator_form};
use super::sequence::OpenSequence;
use super::state::{Checkpoint, State, is_shared};
use super::task::Task;
use crate::derivation::{below, find_path};
use crate::op::InferContext;
use crate::recursive_rule::ById;

/// The number of steps that every program may take.
const ANY_STEPS: u64 = 1 << 20;

/// The number of steps for each object and reference that a program may take beyond [`ANY_STEPS`]. The normalization of a
/// program without shared parts takes less than 4.
const STEPS_PER_NODE: u64 = 16;

/// An error with the object to which the error and its path belong.
pub(crate) type Located = (Error, ObjectRef);

/// The error with its path from `root`. The path of an error in a part that the normalization made is the root.
pub(crate) fn at(root: &RelaxExpr, (error, place): Located) -> Error {
    match find_path(root, &place) {
        Some(path) => below(path, error),
        None => error.at(AccessPath::root()),
    }
}

/// A normalization under way.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    pub(crate) state: State,
    tasks: Vec<Task>,
    /// The largest number of steps, if the program took more than [`ANY_STEPS`].
    max_steps: Option<u64>,
}

impl Machine {
    /// A machine for a program, whose names are in use.
    pub(crate) fn of(program: &RelaxExpr) -> Self {
        let mut machine = Machine::default();
        machine.state.program = Some(program.as_object().clone());
        machine
    }

    /// An expression in normal form. The bindings of its parts are in the innermost sequence; the result of a function or a
    /// sequence has its own.
    pub(crate) fn root(&mut self, root: &RelaxExpr, context: InferContext<'_>) -> Result<RelaxExpr, Located> {
        if let Some(seq) = root.downcast_ref::<SeqExpr>() {
            self.tasks.push(Task::Open(seq.clone()));
            return self.run(context);
        }
        let outside = self.state.begin_sequence();
        let value = self.value(root, context)?;
        if self.state.sequence().is_empty() {
            self.state.sequences.pop();
            return Ok(value);
        }
        let in_sequence = |state: &mut State| {
            let body = if is_leaf(value.as_object().view()) { value } else { state.name(&value, "", false)?.into() };
            state.end_body(body, outside, context)
        };
        let seq = in_sequence(&mut self.state).map_err(|error| (error, root.as_object().clone()))?;
        Ok(seq.into())
    }

    /// The present state, for [`restore`](Self::restore).
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        self.state.checkpoint()
    }

    /// Undoes what happened after a checkpoint.
    pub(crate) fn restore(&mut self, before: Checkpoint) {
        self.tasks.clear();
        self.state.restore(before);
    }

    /// The expression as the value of a binding. The bindings of its parts are in the innermost sequence.
    pub(crate) fn value(&mut self, expr: &RelaxExpr, context: InferContext<'_>) -> Result<RelaxExpr, Located> {
        self.tasks.push(Task::Value(expr.clone()));
        self.run(context)
    }

    /// The expression as an argument. The bindings of its parts are in the innermost sequence.
    pub(crate) fn operand(&mut self, expr: &RelaxExpr, context: InferContext<'_>) -> Result<RelaxExpr, Located> {
        self.tasks.push(Task::Operand(expr.clone()));
        self.run(context)
    }

    fn run(&mut self, context: InferContext<'_>) -> Result<RelaxExpr, Located> {
        while let Some(task) = self.tasks.pop() {
            self.state.steps += 1;
            let done = if self.state.steps > ANY_STEPS { self.check_steps(task.place()) } else { Ok(()) };
            if let Err(error) = done.and_then(|()| self.step(&task, context)) {
                self.tasks.clear();
                self.state.values.clear();
                return Err((error, task.place().clone()));
            }
        }
        Ok(self.state.pop())
    }

    /// Checks that the steps are not many more than the parts of the program.
    #[cold]
    fn check_steps(&mut self, place: &ObjectRef) -> Result<(), Error> {
        let program = self.state.program.as_ref().unwrap_or(place);
        let max_steps = *self.max_steps.get_or_insert_with(|| {
            let stats = GraphStats::of(program);
            (stats.nodes as u64 + stats.edges as u64).saturating_mul(STEPS_PER_NODE).saturating_add(ANY_STEPS)
        });
        if self.state.steps <= max_steps {
            return Ok(());
        }
        let message = format!(
            "the program shares parts that are evaluated again at each occurrence, and its normal form takes more than \
             {max_steps} steps; bind the shared parts to variables"
        );
        Err(Error::new(ErrorKind::LimitExceeded, message))
    }

    fn step(&mut self, task: &Task, context: InferContext<'_>) -> Result<(), Error> {
        let state = &mut self.state;
        match task {
            Task::Value(expr) => return self.enter(expr, is_shared(expr), context),
            Task::Operand(expr) => {
                let is_shared = is_shared(expr);
                if !is_leaf(expr.as_object().view()) {
                    if is_shared && let Some(known) = state.recall(expr).filter(|it| !it.ptr_eq(expr)) {
                        state.values.push(known);
                        return Ok(());
                    }
                    self.tasks.push(Task::Name(expr.clone()));
                }
                return self.enter(expr, is_shared, context);
            }
            Task::Name(expr) => {
                let (value, is_dataflow) = (state.pop(), state.sequence().is_in_dataflow());
                let var: RelaxExpr = state.name(&value, "", is_dataflow)?.into();
                if is_shared(expr) {
                    state.keep(expr.clone(), var.clone());
                }
                state.values.push(var);
            }
            Task::Tuple(tuple) => return state.tuple(tuple.clone(), context),
            Task::Member(member) => return state.member(member.clone(), context),
            Task::Call(call) => {
                let call = state.call(call.clone(), context)?;
                if has_operator_form(&call) {
                    state.values.push(call.into());
                } else {
                    let is_in_dataflow = state.sequence().is_in_dataflow();
                    let form = operator_form(&call, &state.surroundings, is_in_dataflow)?;
                    self.tasks.push(Task::Value(form));
                }
            }
            Task::If(it) => return state.branches(it.clone(), context),
            Task::Function(function, outside) => return state.function(function.clone(), *outside, context),
            Task::Bind(binding) => return state.bind(binding.clone()),
            Task::Match(binding) => return state.match_cast(binding.clone()),
            Task::Open(seq) => return self.open(seq),
            Task::BeginBlock(block, is_in_dataflow) => {
                state.sequence().begin_block(block, *is_in_dataflow);
                state.frames.push(Default::default());
            }
            Task::BeginBody(_, is_dataflow) => {
                state.sequence().set_kind(*is_dataflow);
                state.frames.push(Default::default());
            }
            Task::Close(seq, outside) => {
                state.frames.pop();
                return state.close(seq.clone(), *outside, context);
            }
            Task::EndBlock(_) | Task::EndNested(_) => drop(state.frames.pop()),
            Task::Remember(expr) => {
                let result = state.pop();
                state.values.push(result.clone());
                if result.ptr_eq(expr) {
                    state.unchanged.insert(ById(result));
                } else if expr.is::<Tuple>() {
                    state.keep(expr.clone(), result);
                }
            }
        }
        Ok(())
    }

    /// Enters an expression, which may have several references.
    fn enter(&mut self, expr: &RelaxExpr, is_shared: bool, context: InferContext<'_>) -> Result<(), Error> {
        if let Some(seq) = expr.downcast_ref::<SeqExpr>() {
            return self.enter_nested(seq);
        }
        let is_composite = expr.is::<Call>()
            || expr.is::<Tuple>()
            || expr.is::<TupleGetItem>()
            || expr.is::<If>()
            || expr.is::<Function>();
        if !is_composite {
            let leaf = self.state.leaf(expr, context)?;
            self.state.values.push(leaf);
            return Ok(());
        }
        if is_shared {
            if let Some(known) = self.state.recall(expr) {
                self.state.values.push(known);
                return Ok(());
            }
            self.tasks.push(Task::Remember(expr.clone()));
        }
        if let Some(call) = expr.downcast_ref::<Call>() {
            self.tasks.push(Task::Call(call.clone()));
            self.push_operands(&call.args);
            self.tasks.push(Task::Operand(call.op.clone()));
        } else if let Some(tuple) = expr.downcast_ref::<Tuple>() {
            self.tasks.push(Task::Tuple(tuple.clone()));
            self.push_operands(&tuple.fields);
        } else if let Some(member) = expr.downcast_ref::<TupleGetItem>() {
            self.tasks.push(Task::Member(member.clone()));
            self.tasks.push(Task::Operand(member.tuple_value.clone()));
        } else if let Some(it) = expr.downcast_ref::<If>() {
            self.tasks.push(Task::If(it.clone()));
            self.tasks.push(Task::Open(it.false_branch.clone()));
            self.tasks.push(Task::Open(it.true_branch.clone()));
            self.tasks.push(Task::Operand(it.cond.clone()));
        } else if let Some(function) = expr.downcast_ref::<Function>() {
            let outside = self.state.see_params(function.params.as_slice());
            self.tasks.push(Task::Function(function.clone(), outside));
            self.tasks.push(Task::Open(function.body.clone()));
        }
        Ok(())
    }

    fn push_operands(&mut self, exprs: &Array<RelaxExpr>) {
        self.tasks.extend(exprs.as_slice().iter().rev().cloned().map(Task::Operand));
    }

    /// Enters the body of a function or a branch.
    fn open(&mut self, seq: &SeqExpr) -> Result<(), Error> {
        if is_shared(seq) {
            let expr: RelaxExpr = seq.into();
            if self.state.unchanged.contains(expr.as_object()) {
                self.state.values.push(expr);
                return Ok(());
            }
            self.tasks.push(Task::Remember(expr));
        }
        self.state.sequences.push(OpenSequence::default());
        self.tasks.push(Task::Close(seq.clone(), self.state.surroundings.mark()));
        self.push_parts(seq, false)
    }

    /// Enters a sequence whose bindings become bindings of the sequence around it.
    fn enter_nested(&mut self, seq: &SeqExpr) -> Result<(), Error> {
        let is_in_dataflow = self.state.sequence().is_in_dataflow();
        self.tasks.push(Task::EndNested(seq.clone()));
        self.push_parts(seq, is_in_dataflow)
    }

    fn push_parts(&mut self, seq: &SeqExpr, is_in_dataflow: bool) -> Result<(), Error> {
        self.tasks.push(Task::Operand(seq.body.clone()));
        self.tasks.push(Task::BeginBody(seq.clone(), is_in_dataflow));
        for block in seq.blocks.as_slice().iter().rev().filter(|block| !block.bindings.is_empty()) {
            self.tasks.push(Task::EndBlock(block.clone()));
            for binding in block.bindings.as_slice().iter().rev() {
                if let Some(binding) = binding.downcast_ref::<VarBinding>() {
                    self.tasks.push(Task::Bind(binding.clone()));
                    self.tasks.push(Task::Value(binding.value.clone()));
                } else if let Some(binding) = binding.downcast_ref::<MatchCast>() {
                    self.tasks.push(Task::Match(binding.clone()));
                    self.tasks.push(Task::Value(binding.value.clone()));
                } else {
                    let key = binding.as_object().view().type_key();
                    return Err(Error::type_mismatch("relax.expr.VarBinding", key));
                }
            }
            self.tasks.push(Task::BeginBlock(block.clone(), is_in_dataflow));
        }
        Ok(())
    }
}

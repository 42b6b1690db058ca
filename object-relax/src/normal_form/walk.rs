//! [`Walk`]: goes through a program in the order of evaluation, and puts it into normal form.

use object_core::access_path::AccessPath;
use object_core::prelude::*;
use object_core::stack_budget::with_stack;
use object_core::stats::GraphStats;
use object_ir::ir::{Binding, Call, Function, If, RelaxExpr, SeqExpr, Tuple, TupleGetItem};
use object_ir::kind::{BindingKind, RelaxExprKind};

use super::leaf::is_leaf;
use super::operator_form::{has_operator_form, operator_form};
use super::sequence::OpenSequence;
use super::state::{State, is_shared};
use crate::addresses::ById;
use crate::derivation::{Located, below, find_path, located};
use crate::op::InferContext;

/// The number of steps that every program may take.
const ANY_STEPS: u64 = 1 << 20;

/// The number of steps for each object and reference that a program may take beyond [`ANY_STEPS`]. The normalization of a
/// program without shared parts takes less than 4.
const STEPS_PER_NODE: u64 = 16;

/// The error with its path from `root`. The path of an error in a part that the normalization made is the root.
pub(crate) fn at(root: &RelaxExpr, (error, place): Located) -> Error {
    match find_path(root, &place) {
        Some(path) => below(path, error),
        None => error.at(AccessPath::root()),
    }
}

/// A walk over a program or a part of one.
pub(crate) struct Walk<'w> {
    state: &'w mut State,
    context: InferContext<'w>,
}

impl<'w> Walk<'w> {
    pub(crate) fn new(state: &'w mut State, context: InferContext<'w>) -> Self {
        Walk { state, context }
    }

    /// An expression in normal form. The bindings of its parts are in the innermost sequence; the result of a function or a
    /// sequence has its own.
    pub(crate) fn root(&mut self, root: &RelaxExpr) -> Result<RelaxExpr, Located> {
        if let Some(seq) = root.downcast_ref::<SeqExpr>() {
            return Ok(self.body(seq)?.into());
        }
        let outside = self.state.begin_sequence();
        let value = self.value(root)?;
        if self.state.sequence().is_empty() {
            self.state.sequences.pop();
            return Ok(value);
        }
        let in_sequence = |state: &mut State| {
            let body = if is_leaf(value.as_object().view()) { value } else { state.name(&value, "", false)?.into() };
            state.end_body(body, outside, self.context)
        };
        Ok(located(root, in_sequence(self.state))?.into())
    }

    /// The expression as an argument. The bindings of its parts are in the innermost sequence.
    pub(crate) fn operand(&mut self, expr: &RelaxExpr) -> Result<RelaxExpr, Located> {
        if is_leaf(expr.as_object().view()) {
            return self.value(expr);
        }
        let is_shared = is_shared(expr);
        if is_shared && let Some(known) = self.state.recall(expr).filter(|it| !it.ptr_eq(expr)) {
            return Ok(known);
        }
        let value = self.value(expr)?;
        self.name(expr, &value, is_shared)
    }

    /// Binds the value of an expression to a new variable.
    #[inline(never)]
    fn name(&mut self, expr: &RelaxExpr, value: &RelaxExpr, is_shared: bool) -> Result<RelaxExpr, Located> {
        self.step(expr)?;
        let is_dataflow = self.state.sequence().is_in_dataflow();
        let var: RelaxExpr = located(expr, self.state.name(value, "", is_dataflow))?.into();
        if is_shared {
            self.state.keep(expr.clone(), var.clone());
        }
        Ok(var)
    }

    fn operands(&mut self, exprs: &Array<RelaxExpr>) -> Result<Vec<RelaxExpr>, Located> {
        exprs.as_slice().iter().map(|expr| self.operand(expr)).collect()
    }

    /// The expression as the value of a binding. The bindings of its parts are in the innermost sequence.
    pub(crate) fn value(&mut self, expr: &RelaxExpr) -> Result<RelaxExpr, Located> {
        self.step(expr)?;
        match RelaxExprKind::of(expr) {
            RelaxExprKind::Call(call) => self.once(expr, |walk| walk.call(call)),
            RelaxExprKind::Tuple(tuple) => self.once(expr, |walk| walk.tuple(tuple)),
            RelaxExprKind::TupleGetItem(member) => self.once(expr, |walk| walk.member(member)),
            RelaxExprKind::If(it) => self.once(expr, |walk| walk.branches(it)),
            RelaxExprKind::Function(function) => self.once(expr, |walk| walk.function(function)),
            RelaxExprKind::SeqExpr(seq) => {
                let is_in_dataflow = self.state.sequence().is_in_dataflow();
                with_stack(|| self.parts(seq, is_in_dataflow))
            }
            RelaxExprKind::Var(_)
            | RelaxExprKind::Constant(_)
            | RelaxExprKind::ShapeExpr(_)
            | RelaxExprKind::PrimValue(_)
            | RelaxExprKind::GlobalVar(_)
            | RelaxExprKind::Op(_)
            | RelaxExprKind::ExternFunc(_)
            | RelaxExprKind::StringImm(_)
            | RelaxExprKind::DataTypeImm(_)
            | RelaxExprKind::PrimFunc(_)
            | RelaxExprKind::Other(_) => located(expr, self.state.leaf(expr, self.context)),
        }
    }

    /// The result of `normalize` for an expression with parts, or the one that an earlier occurrence has in the block.
    fn once(
        &mut self,
        expr: &RelaxExpr,
        normalize: impl FnOnce(&mut Self) -> Result<RelaxExpr, Located>,
    ) -> Result<RelaxExpr, Located> {
        let is_shared = is_shared(expr);
        if is_shared && let Some(known) = self.state.recall(expr) {
            return Ok(known);
        }
        let result = with_stack(|| normalize(self))?;
        if is_shared {
            self.remember(expr, &result);
        }
        Ok(result)
    }

    fn tuple(&mut self, tuple: &Tuple) -> Result<RelaxExpr, Located> {
        let fields = self.operands(&tuple.fields)?;
        located(tuple, self.state.tuple(tuple, fields, self.context))
    }

    fn member(&mut self, member: &TupleGetItem) -> Result<RelaxExpr, Located> {
        let value = self.operand(&member.tuple_value)?;
        located(member, self.state.member(member, value, self.context))
    }

    fn call(&mut self, call: &Call) -> Result<RelaxExpr, Located> {
        let op = self.operand(&call.op)?;
        let args = self.operands(&call.args)?;
        match self.finished_call(call, op, args)? {
            Ok(call) => Ok(call),
            Err(form) => self.value(&form),
        }
    }

    /// The call with normalized parts, or the form that its operator demands instead, which is not normalized.
    #[inline(never)]
    fn finished_call(
        &mut self,
        call: &Call,
        op: RelaxExpr,
        args: Vec<RelaxExpr>,
    ) -> Result<Result<RelaxExpr, RelaxExpr>, Located> {
        let finished = located(call, self.state.call(call, op, args, self.context))?;
        if has_operator_form(&finished) {
            return Ok(Ok(finished.into()));
        }
        let is_in_dataflow = self.state.sequence().is_in_dataflow();
        Ok(Err(located(call, operator_form(&finished, &self.state.surroundings, is_in_dataflow))?))
    }

    fn branches(&mut self, it: &If) -> Result<RelaxExpr, Located> {
        let cond = self.operand(&it.cond)?;
        let if_true = self.body(&it.true_branch)?;
        let if_false = self.body(&it.false_branch)?;
        located(it, self.state.branches(it, (cond, if_true, if_false), self.context))
    }

    fn function(&mut self, function: &Function) -> Result<RelaxExpr, Located> {
        let outside = self.state.see_params(function.params.as_slice());
        let body = self.body(&function.body)?;
        Ok(located(function, self.state.end_function(function.clone(), body, outside, self.context))?.into())
    }

    /// The body of a function or a branch, which has blocks of its own.
    fn body(&mut self, seq: &SeqExpr) -> Result<SeqExpr, Located> {
        let is_shared = is_shared(seq);
        if is_shared && self.state.unchanged.contains(seq.as_object()) {
            return Ok(seq.clone());
        }
        self.step(seq)?;
        self.state.sequences.push(OpenSequence::default());
        let outside = self.state.surroundings.mark();
        let result = with_stack(|| self.parts(seq, false))?;
        let closed = located(seq, self.state.close(seq.clone(), result, outside, self.context))?;
        if is_shared {
            self.remember(seq.as_ref(), closed.as_ref());
        }
        Ok(closed)
    }

    /// Goes through the blocks of a sequence, whose bindings become bindings of the innermost body. The result is the
    /// result of the sequence as an argument.
    fn parts(&mut self, seq: &SeqExpr, is_in_dataflow: bool) -> Result<RelaxExpr, Located> {
        for block in seq.blocks.as_slice().iter().filter(|block| !block.bindings.is_empty()) {
            self.state.sequence().begin_block(block, is_in_dataflow);
            self.state.frames.push(Default::default());
            block.bindings.as_slice().iter().try_for_each(|binding| self.binding(binding))?;
            self.state.frames.pop();
        }
        self.state.sequence().set_kind(is_in_dataflow);
        self.state.frames.push(Default::default());
        let body = self.operand(&seq.body)?;
        self.state.frames.pop();
        Ok(body)
    }

    fn binding(&mut self, binding: &Binding) -> Result<(), Located> {
        match BindingKind::of(binding) {
            BindingKind::VarBinding(binding) => {
                let value = self.value(&binding.value)?;
                located(binding, self.state.bind(binding, &value))
            }
            BindingKind::MatchCast(binding) => {
                let value = self.value(&binding.value)?;
                located(binding, self.state.match_cast(binding, value))
            }
            BindingKind::Other(binding) => {
                let key = binding.as_object().view().type_key();
                located(binding, Err(Error::type_mismatch("relax.expr.VarBinding", key)))
            }
        }
    }

    /// Keeps the result for an expression with several references.
    fn remember(&mut self, expr: &RelaxExpr, result: &RelaxExpr) {
        if result.ptr_eq(expr) {
            self.state.unchanged.insert(ById(expr.clone()));
        } else if matches!(RelaxExprKind::of(expr), RelaxExprKind::Tuple(_)) {
            self.state.keep(expr.clone(), result.clone());
        }
    }

    /// Counts a step.
    fn step(&mut self, place: &impl ObjectHandle) -> Result<(), Located> {
        self.state.steps += 1;
        if self.state.steps > ANY_STEPS { located(place, self.check_steps(place.as_object())) } else { Ok(()) }
    }

    /// Checks that the steps are not many more than the parts of the program.
    #[cold]
    fn check_steps(&mut self, place: &ObjectRef) -> Result<(), Error> {
        let program = self.state.program.as_ref().unwrap_or(place);
        let max_steps = *self.state.max_steps.get_or_insert_with(|| {
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
}

//! [`State`]: the parts of a program that a normalization has finished, and the steps that finish an expression.

use object_core::prelude::*;
use object_ir::ir::{
    Binding, BindingBlock, Call, DataflowVar, Function, If, MatchCast, RelaxExpr, SeqExpr, StructInfo, Tuple,
    TupleGetItem, Var, VarBinding,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::effects::Effects;
use super::leaf::{lacks_result, without_void_var};
use super::names::Names;
use super::sequence::{OpenSequence, SequenceMark};
use crate::addresses::ById;
use crate::derivation::{Mark, Surroundings, known_info, same_parts};
use crate::op::InferContext;
use crate::struct_info::is_at_least_as_specific;

/// The results for expressions of a block that have several references, and how many dataflow blocks had been ended early
/// before.
type Frame = FxHashMap<ById<RelaxExpr>, (RelaxExpr, usize)>;

/// The state of a normalization, with the steps that finish an expression from its normalized parts.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) surroundings: Surroundings,
    /// The open bodies and branches.
    pub(crate) sequences: Vec<OpenSequence>,
    /// For each open block the results that stand for shared expressions.
    pub(super) frames: Vec<Frame>,
    /// The names in use; `None` if nobody has asked for one.
    names: Option<Names>,
    /// The program, whose names are in use.
    pub(super) program: Option<ObjectRef>,
    pub(super) effects: Effects,
    /// The expressions with several references that are in normal form.
    pub(super) unchanged: FxHashSet<ById<RelaxExpr>>,
    /// The number of steps.
    pub(super) steps: u64,
    /// The largest number of steps, if the program takes more than all programs may.
    pub(super) max_steps: Option<u64>,
}

/// Whether an expression has more references than the one in its parent.
pub(super) fn is_shared(expr: &impl ObjectHandle) -> bool {
    expr.as_object().use_count() > 1
}

impl State {
    /// The state before the normalization of a program, whose names are in use.
    pub(crate) fn of(program: &RelaxExpr) -> Self {
        State { program: Some(program.as_object().clone()), ..State::default() }
    }

    /// The innermost open body or branch.
    pub(super) fn sequence(&mut self) -> &mut OpenSequence {
        self.sequences.last_mut().unwrap_or_else(|| unreachable!("expressions are in a sequence"))
    }

    /// The result for an expression that occurred in the block before. An expression with side effects is evaluated at each
    /// occurrence.
    pub(super) fn recall(&mut self, expr: &RelaxExpr) -> Option<RelaxExpr> {
        let key = ById(expr.clone());
        if self.unchanged.contains(&key) {
            return Some(expr.clone());
        }
        let splits = self.sequences.last()?.splits();
        let (result, before) = self.frames.last()?.get(&key)?;
        let result = (*before == splits).then(|| result.clone())?;
        (!self.effects.has(expr, &mut self.steps)).then_some(result)
    }

    /// Keeps the result for an expression in the present block.
    pub(super) fn keep(&mut self, expr: RelaxExpr, result: RelaxExpr) {
        let splits = self.sequence().splits();
        if let Some(frame) = self.frames.last_mut() {
            frame.insert(ById(expr), (result, splits));
        }
    }

    /// A variable, a constant or another expression without parts, as an operand.
    pub(super) fn leaf(&mut self, expr: &RelaxExpr, context: InferContext<'_>) -> Result<RelaxExpr, Error> {
        let leaf = if expr.struct_info.is_some() { expr.clone() } else { self.surroundings.derive(expr, context)? };
        Ok(without_void_var(leaf))
    }

    /// Binds a normalized value to a new variable with a name of this kind, or of the kind that TVM chooses.
    pub(crate) fn name(&mut self, value: &RelaxExpr, hint: &str, is_dataflow: bool) -> Result<Var, Error> {
        let info = known_info(value)?;
        let var = self.new_var(hint, is_dataflow, info.clone());
        self.surroundings.bind(&var, value);
        self.emit(VarBinding::new(&var, value).into())?;
        Ok(var)
    }

    /// A variable with a new name of this kind, or of the kind that TVM chooses.
    pub(crate) fn new_var(&mut self, hint: &str, is_dataflow: bool, info: StructInfo) -> Var {
        let hint = match (hint, is_dataflow) {
            ("", true) => "lv",
            ("", false) => "gv",
            (hint, _) => hint,
        };
        let name = self.names().fresh(hint);
        if is_dataflow { DataflowVar::of(name, info).into() } else { Var::of(name, info) }
    }

    /// The names in use.
    pub(crate) fn names(&mut self) -> &mut Names {
        let program = &self.program;
        self.names.get_or_insert_with(|| program.as_ref().map_or_else(Names::default, Names::of))
    }

    /// Appends a binding to the innermost sequence.
    pub(crate) fn emit(&mut self, binding: Binding) -> Result<(), Error> {
        let sequence = self.sequences.last_mut().unwrap_or_else(|| unreachable!("bindings are in a sequence"));
        sequence.push(binding, &mut self.surroundings)
    }

    /// The expression with structural information.
    fn finish(&mut self, expr: RelaxExpr, context: InferContext<'_>) -> Result<RelaxExpr, Error> {
        if expr.struct_info.is_some() { Ok(expr) } else { self.surroundings.derive(&expr, context) }
    }

    pub(super) fn tuple(
        &mut self,
        tuple: &Tuple,
        fields: Vec<RelaxExpr>,
        context: InferContext<'_>,
    ) -> Result<RelaxExpr, Error> {
        let mut tuple = tuple.clone();
        if !same_parts(&fields, &tuple.fields) {
            tuple.make_mut().fields = fields.into();
        }
        self.finish(tuple.into(), context)
    }

    pub(super) fn member(
        &mut self,
        member: &TupleGetItem,
        value: RelaxExpr,
        context: InferContext<'_>,
    ) -> Result<RelaxExpr, Error> {
        let mut member = member.clone();
        if !value.ptr_eq(&member.tuple_value) {
            member.make_mut().tuple_value = value;
        }
        self.finish(member.into(), context)
    }

    /// The call with normalized parts and structural information.
    pub(super) fn call(
        &mut self,
        call: &Call,
        op: RelaxExpr,
        args: Vec<RelaxExpr>,
        context: InferContext<'_>,
    ) -> Result<Call, Error> {
        let mut call = call.clone();
        if !op.ptr_eq(&call.op) || !same_parts(&args, &call.args) {
            let node = call.make_mut();
            node.op = op;
            node.args = args.into();
        }
        Any::from(self.finish(call.into(), context)?).cast()
    }

    pub(super) fn branches(
        &mut self,
        it: &If,
        (cond, if_true, if_false): (RelaxExpr, SeqExpr, SeqExpr),
        context: InferContext<'_>,
    ) -> Result<RelaxExpr, Error> {
        let mut it = it.clone();
        if !cond.ptr_eq(&it.cond) || !if_true.ptr_eq(&it.true_branch) || !if_false.ptr_eq(&it.false_branch) {
            let node = it.make_mut();
            (node.cond, node.true_branch, node.false_branch) = (cond, if_true, if_false);
        }
        self.finish(it.into(), context)
    }

    /// Finishes a function. If it has no annotation of its result, it gets the structural information of its body, and a
    /// function with a new body also gets it in place of a less specific annotation (TVM 0.25 does it in the constructor
    /// of `Function`). Its parameters became visible by [`see_params`](Self::see_params).
    pub(crate) fn end_function(
        &mut self,
        mut function: Function,
        body: SeqExpr,
        outside: Mark,
        context: InferContext<'_>,
    ) -> Result<Function, Error> {
        let has_new_body = !body.ptr_eq(&function.body);
        let mut has_new_signature = function.struct_info.is_none();
        let info = known_info(body.as_ref())?;
        if has_new_body || lacks_result(&function, info) {
            let result = self.surroundings.erase(info, context);
            let stated = &function.ret_struct_info;
            if is_at_least_as_specific(&result, stated, context.analyzer()) && !structural_equal(&result, stated) {
                function.make_mut().ret_struct_info = result;
                has_new_signature = true;
            }
        }
        if has_new_body {
            function.make_mut().body = body;
        }
        self.surroundings.end(outside);
        if has_new_signature {
            let info = self.surroundings.signature(&function, context)?;
            function.make_mut().struct_info = Some(info.into());
        }
        Ok(function)
    }

    pub(super) fn bind(&mut self, binding: &VarBinding, value: &RelaxExpr) -> Result<(), Error> {
        let mut binding = binding.clone();
        if binding.var.struct_info.is_none() {
            let info = known_info(value)?.clone();
            binding.make_mut().base.var.make_mut().base.base.struct_info = Some(info);
        }
        if !value.ptr_eq(&binding.value) {
            binding.make_mut().value.clone_from(value);
        }
        self.surroundings.bind(&binding.var, value);
        self.emit(binding.into())
    }

    pub(super) fn match_cast(&mut self, binding: &MatchCast, value: RelaxExpr) -> Result<(), Error> {
        let mut binding = binding.clone();
        if binding.var.struct_info.is_none() {
            let info = binding.struct_info.clone();
            binding.make_mut().base.var.make_mut().base.base.struct_info = Some(info);
        }
        if !value.ptr_eq(&binding.value) {
            binding.make_mut().value = value;
        }
        self.surroundings.see_binders(std::slice::from_ref(&binding.struct_info));
        self.surroundings.add(&binding.var);
        self.emit(binding.into())
    }

    /// Finishes the innermost body or branch: the given sequence, or a new one.
    pub(super) fn close(
        &mut self,
        mut seq: SeqExpr,
        body: RelaxExpr,
        outside: Mark,
        context: InferContext<'_>,
    ) -> Result<SeqExpr, Error> {
        self.sequence().check_operands(&body)?;
        let blocks = self.end_sequence();
        self.surroundings.end(outside);
        if seq.struct_info.is_none() {
            let info = self.surroundings.erase(known_info(&body)?, context);
            seq.make_mut().struct_info = Some(info);
        }
        if !body.ptr_eq(&seq.body) || !same_parts(&blocks, &seq.blocks) {
            let node = seq.make_mut();
            node.body = body;
            node.blocks = blocks.into();
        }
        Ok(seq)
    }

    /// The blocks of the innermost body or branch, which ends.
    fn end_sequence(&mut self) -> Vec<BindingBlock> {
        self.sequences.pop().map_or_else(Vec::new, |sequence| sequence.finish(&mut self.surroundings))
    }

    /// Makes parameters visible. The result is the scope around them.
    pub(crate) fn see_params(&mut self, params: &[Var]) -> Mark {
        let outside = self.surroundings.mark();
        let infos: Vec<StructInfo> = params.iter().filter_map(|param| param.struct_info.clone()).collect();
        self.surroundings.see_binders(&infos);
        params.iter().for_each(|param| self.surroundings.add(param));
        outside
    }

    /// Begins a body or a branch. The result is the scope around it.
    pub(crate) fn begin_sequence(&mut self) -> Mark {
        self.sequences.push(OpenSequence::default());
        self.frames.push(Frame::default());
        self.surroundings.mark()
    }

    /// Ends a body or a branch with an argument as its result.
    pub(crate) fn end_body(
        &mut self,
        result: RelaxExpr,
        outside: Mark,
        context: InferContext<'_>,
    ) -> Result<SeqExpr, Error> {
        self.frames.pop();
        self.close(SeqExpr::new([], &result), result, outside, context)
    }

    /// Begins a dataflow block.
    pub(crate) fn begin_dataflow(&mut self) {
        self.sequence().set_kind(true);
        self.frames.push(Frame::default());
    }

    /// Ends a dataflow block, after which its dataflow variables are not used.
    pub(crate) fn end_dataflow(&mut self) {
        self.sequence().end_dataflow();
        self.frames.pop();
    }

    /// The present state, for [`restore`](Self::restore).
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            sequences: self.sequences.len(),
            frames: self.frames.len(),
            scope: self.surroundings.mark(),
            sequence: self.sequences.last().map(OpenSequence::mark),
        }
    }

    /// Undoes what happened after a checkpoint.
    pub(crate) fn restore(&mut self, before: Checkpoint) {
        self.sequences.truncate(before.sequences);
        self.frames.truncate(before.frames);
        // The results in it may be variables that are gone.
        self.frames.last_mut().map(Frame::clear);
        self.surroundings.end(before.scope);
        if let (Some(sequence), Some(mark)) = (self.sequences.last_mut(), before.sequence) {
            sequence.restore(&mark, &mut self.surroundings);
        }
    }
}

/// The state of a normalization before a step that may fail.
#[derive(Debug)]
pub(crate) struct Checkpoint {
    sequences: usize,
    frames: usize,
    scope: Mark,
    sequence: Option<SequenceMark>,
}

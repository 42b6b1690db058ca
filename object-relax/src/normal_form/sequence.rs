//! [`OpenSequence`]: the blocks of a sequence under construction.

use object_core::prelude::*;
use object_ir::ir::{Binding, BindingBlock, DataflowBlock, DataflowVar, Id, MatchCast, RelaxExpr, Var, VarBinding};
use object_ir::kind::RelaxExprKind;
use rustc_hash::FxHashSet;

use crate::addresses::ById;
use crate::derivation::{Surroundings, same_parts};

/// Bindings in order, in blocks: consecutive bindings of one kind are in one block, and no block is empty.
#[derive(Debug, Default)]
pub(crate) struct OpenSequence {
    blocks: Vec<BindingBlock>,
    /// The bindings of the last block.
    bindings: Vec<Binding>,
    /// Whether `bindings` are the bindings of a dataflow block.
    is_dataflow: bool,
    /// Whether the next binding belongs in a dataflow block.
    next_is_dataflow: bool,
    /// The given block from which `bindings` come, or begin with.
    source: Option<BindingBlock>,
    /// The given block from which the next binding comes.
    next_source: Option<BindingBlock>,
    /// Whether the next binding belongs in an ordinary block inside of a dataflow block.
    next_splits: bool,
    /// The dataflow variables of a given block that an ordinary block inside of it has ended.
    ended: FxHashSet<ById<Id>>,
    /// The number of bindings in `bindings` whose dataflow variables have ended.
    ended_bindings: usize,
    /// The number of dataflow blocks that an ordinary block inside of them has ended.
    splits: usize,
}

impl OpenSequence {
    /// Whether the next binding belongs in a dataflow block.
    pub(crate) fn is_in_dataflow(&self) -> bool {
        self.next_is_dataflow
    }

    /// A number that changes when dataflow variables end.
    pub(super) fn splits(&self) -> usize {
        self.splits
    }

    /// The next bindings belong in a block of this kind.
    pub(super) fn set_kind(&mut self, is_dataflow: bool) {
        self.next_is_dataflow = is_dataflow;
        self.next_source = None;
        self.next_splits = false;
    }

    /// The next bindings come from a given block, which has bindings. If it is an ordinary block inside of a dataflow block,
    /// it ends the latter.
    pub(super) fn begin_block(&mut self, block: &BindingBlock, is_in_dataflow: bool) {
        self.next_is_dataflow = block.is::<DataflowBlock>();
        self.next_source = Some(block.clone());
        self.next_splits = is_in_dataflow && !self.next_is_dataflow;
    }

    /// Ends a dataflow block. The next dataflow block continues it, but does not use its dataflow variables.
    pub(super) fn end_dataflow(&mut self) {
        if self.is_dataflow {
            let ended = self.bindings.get(self.ended_bindings..).unwrap_or_default();
            self.ended.extend(dataflow_vars(ended).map(|var| ById(var.vid.clone())));
            self.ended_bindings = self.bindings.len();
        }
        self.set_kind(false);
    }

    /// The present bindings, for [`restore`](Self::restore).
    pub(super) fn mark(&self) -> SequenceMark {
        SequenceMark {
            blocks: self.blocks.len(),
            bindings: self.bindings.len(),
            is_dataflow: self.is_dataflow,
            next_is_dataflow: self.next_is_dataflow,
        }
    }

    /// Removes the bindings after `mark`.
    pub(super) fn restore(&mut self, mark: &SequenceMark, surroundings: &mut Surroundings) {
        if let Some(block) = self.blocks.get(mark.blocks) {
            // The block that was open has been closed since.
            self.bindings = block.bindings.to_vec();
            self.blocks.truncate(mark.blocks);
            self.bindings.truncate(mark.bindings);
            dataflow_vars(&self.bindings).for_each(|var| surroundings.add(var));
        }
        self.bindings.truncate(mark.bindings);
        self.ended_bindings = self.ended_bindings.min(mark.bindings);
        (self.is_dataflow, self.next_is_dataflow) = (mark.is_dataflow, mark.next_is_dataflow);
    }

    /// Appends a binding.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for a dataflow variable that is bound or used outside of its block.
    pub(super) fn push(&mut self, binding: Binding, surroundings: &mut Surroundings) -> Result<(), Error> {
        if !self.next_is_dataflow && binding.var.is::<DataflowVar>() {
            let message =
                format!("the dataflow variable `{}` is bound outside of a dataflow block", binding.var.vid.name_hint);
            return Err(Error::new(ErrorKind::Malformed, message));
        }
        if !self.bindings.is_empty() && self.is_dataflow != self.next_is_dataflow {
            if self.is_dataflow && self.next_splits {
                self.splits += 1;
                self.ended.extend(dataflow_vars(&self.bindings).map(|var| ById(var.vid.clone())));
            }
            self.close(surroundings);
        }
        self.check_use(&binding)?;
        if self.bindings.is_empty() {
            self.is_dataflow = self.next_is_dataflow;
            self.source = self.next_source.take();
        }
        self.bindings.push(binding);
        Ok(())
    }

    /// Whether there are no bindings.
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.bindings.is_empty()
    }

    /// The blocks.
    pub(super) fn finish(mut self, surroundings: &mut Surroundings) -> Vec<BindingBlock> {
        if !self.bindings.is_empty() {
            self.close(surroundings);
        }
        self.blocks
    }

    /// Ends the last block, which has bindings.
    fn close(&mut self, surroundings: &mut Surroundings) {
        let bindings = std::mem::take(&mut self.bindings);
        self.ended_bindings = 0;
        dataflow_vars(&bindings).for_each(|var| surroundings.remove(var));
        let source = self.source.take().filter(|source| source.is::<DataflowBlock>() == self.is_dataflow);
        self.blocks.push(match source {
            Some(source) if same_parts(&bindings, &source.bindings) => source,
            Some(mut source) => {
                source.make_mut().bindings = bindings.into();
                source
            }
            None if self.is_dataflow => DataflowBlock::new(bindings).into(),
            None => BindingBlock::new(bindings),
        });
    }

    fn check_use(&self, binding: &Binding) -> Result<(), Error> {
        if self.ended.is_empty() {
            return Ok(());
        }
        if let Some(binding) = binding.downcast_ref::<VarBinding>() {
            return self.check_operands(&binding.value);
        }
        binding.downcast_ref::<MatchCast>().map_or(Ok(()), |binding| self.check_operands(&binding.value))
    }

    /// Checks that an expression whose parts are leaf expressions uses no dataflow variable that has ended.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for such a variable.
    pub(super) fn check_operands(&self, value: &RelaxExpr) -> Result<(), Error> {
        if self.ended.is_empty() {
            return Ok(());
        }
        let mut seen = FxHashSet::default();
        let mut pending = vec![value.clone()];
        while let Some(expr) = pending.pop() {
            match RelaxExprKind::of(&expr) {
                RelaxExprKind::Var(var) if self.ended.contains(var.vid.as_object()) => {
                    let message = format!(
                        "the dataflow variable `{}` is used after its dataflow block; bind a `Var` in the block for it",
                        var.vid.name_hint
                    );
                    return Err(Error::new(ErrorKind::Malformed, message));
                }
                RelaxExprKind::Tuple(tuple) => {
                    if seen.insert(ById(expr.clone())) {
                        pending.extend(tuple.fields.iter());
                    }
                }
                RelaxExprKind::Call(call) => {
                    pending.push(call.op.clone());
                    pending.extend(call.args.iter());
                }
                RelaxExprKind::TupleGetItem(member) => pending.push(member.tuple_value.clone()),
                RelaxExprKind::If(it) => pending.push(it.cond.clone()),
                // The parts of functions and sequences are not leaf expressions.
                RelaxExprKind::Function(_)
                | RelaxExprKind::SeqExpr(_)
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
        Ok(())
    }
}

/// The bindings of a sequence at some time.
#[derive(Debug)]
pub(super) struct SequenceMark {
    /// The number of closed blocks.
    blocks: usize,
    /// The number of bindings of the last block.
    bindings: usize,
    is_dataflow: bool,
    next_is_dataflow: bool,
}

/// The dataflow variables that bindings bind.
fn dataflow_vars(bindings: &[Binding]) -> impl Iterator<Item = &Var> {
    bindings.iter().map(|binding| &binding.var).filter(|var| var.is::<DataflowVar>())
}

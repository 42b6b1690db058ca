//! The parts of a sequence: its blocks after bindings were removed, and the values of bindings.

use object_core::prelude::*;
use object_core::rewrite::Mutation;
use object_ir::ir::{Binding, BindingBlock, DataflowBlock, MatchCast, RelaxExpr, SeqExpr, VarBinding};

/// The sequence without empty blocks, and with adjacent blocks of one kind merged, as the normal form demands. `None` if
/// no block is empty, so that sequences without removed blocks stay as they are.
pub(crate) fn tidy(sequence: &SeqExpr) -> Option<SeqExpr> {
    if sequence.blocks.iter().all(|block| !block.bindings.is_empty()) {
        return None;
    }
    let mut groups: Vec<(bool, Vec<BindingBlock>)> = Vec::new();
    for block in sequence.blocks.iter().filter(|block| !block.bindings.is_empty()) {
        let is_dataflow = block.downcast_ref::<DataflowBlock>().is_some();
        match groups.last_mut() {
            Some((kind, blocks)) if *kind == is_dataflow => blocks.push(block),
            _ => groups.push((is_dataflow, vec![block])),
        }
    }
    let merged = groups.into_iter().map(|(is_dataflow, mut blocks)| match blocks.len() {
        1 => blocks.remove(0),
        _ => block_of(is_dataflow, blocks.iter().flat_map(|block| block.bindings.iter().collect::<Vec<_>>()).collect()),
    });
    let merged: Vec<BindingBlock> = merged.collect();
    let mut sequence = sequence.clone();
    sequence.make_mut().blocks = Array::new(merged);
    Some(sequence)
}

fn block_of(is_dataflow: bool, bindings: Vec<Binding>) -> BindingBlock {
    if is_dataflow { DataflowBlock::new(bindings).into() } else { BindingBlock::new(bindings) }
}

/// The block without some bindings, whose others change next.
pub(crate) fn remove(block: &BindingBlock, is_removed: impl Fn(&Binding) -> bool) -> Mutation {
    let kept: Vec<Binding> = block.bindings.iter().filter(|binding| !is_removed(binding)).collect();
    if kept.len() == block.bindings.len() {
        return Mutation::Keep;
    }
    let mut block = block.clone();
    block.make_mut().bindings = Array::new(kept);
    Mutation::ReplaceInto(block.into())
}

/// The value of a binding of either kind.
pub(crate) fn value_of(binding: &Binding) -> RelaxExpr {
    match binding.downcast_ref::<VarBinding>() {
        Some(binding) => binding.value.clone(),
        None => binding.downcast_ref::<MatchCast>().map_or_else(|| binding.var.clone().into(), |it| it.value.clone()),
    }
}

/// The binding with another value.
pub(super) fn with_value(binding: &Binding, value: RelaxExpr) -> Binding {
    if let Some(cast) = binding.downcast_ref::<MatchCast>() {
        let mut cast = cast.clone();
        cast.make_mut().value = value;
        return cast.into();
    }
    let Some(mut binding) = binding.downcast_ref::<VarBinding>().cloned() else { return binding.clone() };
    binding.make_mut().value = value;
    binding.into()
}

//! Rules about the normal form.

use object_core::{ObjectHandle, ObjectView};
use object_ir::ir::{DataflowBlockNode, SeqExprNode};

use crate::normal_form::is_leaf;
use crate::well_formed::context::Context;
use crate::well_formed::names::name_of;
use crate::well_formed::place::Place;
use crate::well_formed::rule::{Phase, Rule};

pub(super) const RULES: &[&Rule] = &[&NESTED_EXPRESSION, &SEQUENCE_AS_VALUE, &UNMERGED_BLOCKS, &EMPTY_BLOCK];

static NESTED_EXPRESSION: Rule = Rule {
    name: "nested-expression",
    phase: Phase::Normal,
    criteria: &["NF1"],
    text: "The callee and the arguments of a call, the fields of a tuple, the tuple of a `TupleGetItem`, the condition of \
           an `If` and the result of a `SeqExpr` are leaf expressions: variables, global variables, constants, shapes, \
           scalars, texts, data types, external functions, operators and tuples.",
    source: "specification, normal form 1; erratum: operators and external functions are leaf expressions",
    failing: "fn main(x: T[2]) { y: T[2] = relax.add(relax.exp(x), x); return y }",
    passing: "fn main(x: T[2]) { z: T[2] = relax.exp(x); y: T[2] = relax.add(z, x); return y }",
};

static SEQUENCE_AS_VALUE: Rule = Rule {
    name: "sequence-as-value",
    phase: Phase::Normal,
    criteria: &["NF2"],
    text: "A `SeqExpr` is the body of a function or a branch of an `If`, and nothing else.",
    source: "specification, normal form 2",
    failing: "fn main(x: T[2]) { y: T[2] = { z: T[2] = relax.exp(x); return z }; return y }",
    passing: "fn main(x: T[2]) { z: T[2] = relax.exp(x); y: T[2] = z; return y }",
};

static UNMERGED_BLOCKS: Rule = Rule {
    name: "unmerged-blocks",
    phase: Phase::Normal,
    criteria: &["NF4"],
    text: "No two consecutive blocks of a `SeqExpr` are both binding blocks or both dataflow blocks.",
    source: "specification, normal form 4",
    failing: "fn main(x: T[2]) { block { y: T[2] = relax.exp(x) } block { z: T[2] = relax.exp(y) } return z }",
    passing: "fn main(x: T[2]) { block { y: T[2] = relax.exp(x); z: T[2] = relax.exp(y) } return z }",
};

static EMPTY_BLOCK: Rule = Rule {
    name: "empty-block",
    phase: Phase::Normal,
    criteria: &["NF4"],
    text: "Every block has a binding.",
    source: "specification, normal form 4",
    failing: "fn main(x: T[2]) { block {} return x }",
    passing: "fn main(x: T[2]) { return x }",
};

/// The slot of an expression in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::well_formed) enum Slot {
    /// The value of a binding, or the whole program.
    Value,
    /// The callee of a call.
    Callee,
    /// The body of a function or a branch.
    Body,
    /// An argument of a call.
    Argument,
    /// A field of a tuple.
    Field,
    /// The tuple of a `TupleGetItem`.
    Tuple,
    /// The condition of an `If`.
    Condition,
    /// The result of a `SeqExpr`.
    Result,
}

/// Checks the expression in a slot.
pub(in crate::well_formed) fn check_slot<'a>(cx: &mut Context<'a>, expr: ObjectView<'a>, place: Place, slot: Slot) {
    let what = match slot {
        Slot::Body => return,
        _ if expr.node::<SeqExprNode>().is_some() => {
            let message = || "a `SeqExpr` is neither the body of a function nor a branch".to_owned();
            return cx.report(&SEQUENCE_AS_VALUE, place, expr, message, |draft| {
                draft.fix("move the bindings of the sequence before this binding, and use its result here")
            });
        }
        Slot::Value => return,
        Slot::Callee => "the callee of a call",
        Slot::Argument => "an argument of a call",
        Slot::Field => "a field of a tuple",
        Slot::Tuple => "the tuple of a `TupleGetItem`",
        Slot::Condition => "the condition of an `If`",
        Slot::Result => "the result of a `SeqExpr`",
    };
    if !is_leaf(expr) {
        let message = || format!("{what} is not a leaf expression");
        cx.report(&NESTED_EXPRESSION, place, expr, message, |draft| {
            draft.expected("a variable or another leaf", name_of(expr)).fix("bind the expression to a variable first")
        });
    }
}

/// Checks the blocks of a sequence, whose array is at `place`.
pub(in crate::well_formed) fn check_blocks<'a>(cx: &mut Context<'a>, sequence: &'a SeqExprNode, place: Place) {
    let mut previous: Option<(usize, ObjectView<'a>, bool)> = None;
    for (index, block) in sequence.blocks.as_slice().iter().enumerate() {
        let object = block.as_object().view();
        let at = |cx: &mut Context<'a>, index| cx.places.item(place, index);
        if block.bindings.view().is_empty() {
            let message = || "a block has no bindings".to_owned();
            let at = at(cx, index);
            cx.report(&EMPTY_BLOCK, at, object, message, |draft| draft.fix("remove the block"));
            continue;
        }
        let is_dataflow = object.node::<DataflowBlockNode>().is_some();
        if let Some((before, other, was_dataflow)) = previous
            && was_dataflow == is_dataflow
        {
            let kind = if is_dataflow { "dataflow" } else { "binding" };
            let message = || format!("two consecutive {kind} blocks are not merged");
            let (before, at) = (at(cx, before), at(cx, index));
            cx.report(&UNMERGED_BLOCKS, at, object, message, |draft| {
                draft.related(before, other, "the block before").fix("merge the blocks")
            });
        }
        previous = Some((index, object, is_dataflow));
    }
}

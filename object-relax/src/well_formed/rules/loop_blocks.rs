//! Rules about the blocks of loop programs, which the scheduler of TVM works with.

use object_core::ObjectView;
use object_ir::tir::SBlockRealizeNode;
use object_ir::tir::fold::is_integer;

use crate::well_formed::context::Context;
use crate::well_formed::loop_scopes::Defined;
use crate::well_formed::names::{name_of, quoted};
use crate::well_formed::place::Place;
use crate::well_formed::rule::{Phase, Rule};
use crate::well_formed::rules::loop_bodies::SOURCE;

pub(super) const RULES: &[&Rule] =
    &[&TIR_BLOCK_OUTSIDE_S_TIR, &TIR_BLOCK_BINDINGS, &TIR_BLOCK_BINDING_TYPE, &TIR_LOOP_VAR_IN_BLOCK];

static TIR_BLOCK_OUTSIDE_S_TIR: Rule = Rule {
    name: "tir-block-outside-s-tir",
    phase: Phase::Ast,
    criteria: &[],
    text: "Only a loop program with the attribute `s_tir` has blocks.",
    source: "TVM 0.25 `tirx.analysis.verify_tirx_well_formed`",
    failing: "prim fn f() { for i < 4 { block(v < 4 = i) { eval v } } }",
    passing: "prim fn f() tir { for i < 4 { block(v < 4 = i) { eval v } } }",
};

static TIR_BLOCK_BINDINGS: Rule = Rule {
    name: "tir-block-bindings",
    phase: Phase::Ast,
    criteria: &[],
    text: "A block has a value for each of its iterators, and each iterator has a domain.",
    source: "TVM 0.25, the constructor of `tirx.SBlockRealize`",
    failing: "prim fn f() tir { for i < 4 { block(v < 4 = i, w < 4) { eval v } } }",
    passing: "prim fn f() tir { for i < 4 { block(v < 4 = i, w < 4 = 0) { eval v } } }",
};

static TIR_BLOCK_BINDING_TYPE: Rule = Rule {
    name: "tir-block-binding-type",
    phase: Phase::Ast,
    criteria: &[],
    text: "The iterators of a block and their values are integers.",
    source: "TVM 0.25 include/tvm/tirx/stmt.h, `SBlockRealizeNode`: iterators range over integers",
    failing: "prim fn f(A[4]) tir { for i < 4 { block(v < 4 = A[i]) { eval v } } }",
    passing: "prim fn f(A[4]) tir { for i < 4 { block(v < 4 = i) { eval A[v] } } }",
};

static TIR_LOOP_VAR_IN_BLOCK: Rule = Rule {
    name: "tir-loop-var-in-block",
    phase: Phase::Ast,
    criteria: &[],
    text: "A block with iterators uses the variables of loops around it only in the values of its iterators.",
    source: SOURCE,
    failing: "prim fn f() tir { for i < 4 { block(v < 4 = i) { eval i } } }",
    passing: "prim fn f() tir { for i < 4 { block(v < 4 = i) { eval v } } for j < 4 { block() { eval j } } }",
};

/// Reports a block in a loop program without the attribute.
pub(in crate::well_formed) fn outside_s_tir<'a>(cx: &mut Context<'a>, block: ObjectView<'a>, place: Place) {
    let message = || "a loop program without the attribute `s_tir` has a block".to_owned();
    cx.report(&TIR_BLOCK_OUTSIDE_S_TIR, place, block, message, |draft| {
        draft.fix("declare the function with `@T.prim_func(s_tir=True)`, or write the loops without blocks")
    });
}

/// Checks the iterators of a block and their values.
pub(in crate::well_formed) fn check_bindings<'a>(
    cx: &mut Context<'a>,
    realize: &'a SBlockRealizeNode,
    object: ObjectView<'a>,
    place: Place,
) {
    let (iterators, values) = (realize.block.iter_vars.as_slice(), realize.iter_values.as_slice());
    let name = || quoted(&realize.block.name_hint);
    if iterators.len() != values.len() {
        let message = || format!("the block {} has another number of values than of iterators", name());
        cx.report(&TIR_BLOCK_BINDINGS, place, object, message, |draft| {
            draft.expected(iterators.len().to_string(), values.len().to_string())
        });
    } else if let Some(iterator) = iterators.iter().find(|it| it.dom.is_none()) {
        let message = || format!("the iterator {} of the block {} has no domain", quoted(&iterator.var.name), name());
        cx.report(&TIR_BLOCK_BINDINGS, place, object, message, |draft| draft);
    }
    let wrong = iterators
        .iter()
        .zip(values)
        .find(|(iterator, value)| !is_integer(iterator.var.dtype) || !is_integer(value.dtype));
    if let Some((iterator, value)) = wrong {
        let message = || format!("the iterator {} of the block {} is no integer", quoted(&iterator.var.name), name());
        let given = if is_integer(iterator.var.dtype) { value.dtype } else { iterator.var.dtype };
        cx.report(&TIR_BLOCK_BINDING_TYPE, place, object, message, |draft| {
            draft.expected("an integer", given.to_string())
        });
    }
}

/// Reports the use of the variable of an outer loop in a block with iterators, once for each variable of a function.
pub(in crate::well_formed) fn outer_loop<'a>(
    cx: &mut Context<'a>,
    variable: ObjectView<'a>,
    place: Place,
    defined: Defined,
) {
    let message = || format!("a block with iterators uses the variable {} of a loop around it", name_of(variable));
    cx.report(&TIR_LOOP_VAR_IN_BLOCK, place, variable, message, |draft| {
        draft.related(defined.place, variable, "defined here").fix("add an iterator with this variable as its value")
    });
}

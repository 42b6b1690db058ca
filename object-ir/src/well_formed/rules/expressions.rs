//! Rules about single expressions.

use object_core::{ObjectHandle, ObjectView};

use crate::ir::{CallNode, OpNode, TupleNode};
use crate::well_formed::context::Context;
use crate::well_formed::names::name_of;
use crate::well_formed::place::Place;
use crate::well_formed::rule::{Level, Phase, Rule};

pub(super) const RULES: &[&Rule] = &[&OP_NOT_CALLEE, &INLINE_PRIM_FUNC, &MISSING_STRUCT_INFO, &CALL_TIR_ARGUMENTS];

static OP_NOT_CALLEE: Rule = Rule {
    name: "op-not-callee",
    phase: Phase::Ast,
    level: Level::Deny,
    criteria: &["8"],
    text: "An operator is the callee of a call, and nothing else.",
    source: "specification, well-formedness criterion 8",
    failing: "fn main(x: T[2]) { f: Obj = relax.add; return x }",
    passing: "fn main(x: T[2]) { f: T[2] = relax.add(x, x); return x }",
};

static INLINE_PRIM_FUNC: Rule = Rule {
    name: "inline-prim-func",
    phase: Phase::Ast,
    level: Level::Deny,
    criteria: &[],
    text: "A loop program is a global function, and not an expression in another function.",
    source: "TVM 0.25 src/relax/analysis/well_formed.cc",
    failing: "fn main(x: T[2]) { f: Obj = prim_func; return x }",
    passing: "fn main(x: T[2]) { return x } prim fn f",
};

static MISSING_STRUCT_INFO: Rule = Rule {
    name: "missing-struct-info",
    phase: Phase::Normal,
    level: Level::Allow,
    criteria: &[],
    text: "Every expression except an operator has structural information.",
    source: "TVM 0.25 src/relax/analysis/well_formed.cc; the specification infers it after normalization",
    failing: "fn main(x: T[2]) { y: T[2] = relax.add(x, x); return y }",
    passing: "fn main(x: T[2]) { y: T[2] = relax.add(x, x): T[2]; return y }",
};

static CALL_TIR_ARGUMENTS: Rule = Rule {
    name: "call-tir-arguments",
    phase: Phase::Normal,
    level: Level::Allow,
    criteria: &[],
    text: "The arguments for a loop program or a destination-passing function are a literal tuple: the second argument \
           of `call_tir`, `call_tir_inplace`, `call_tir_with_grad` and `call_dps_packed`.",
    source: "TVM 0.25 src/relax/op/op.cc, the normalization of these operators",
    failing: "fn main(x: T[2]) { y: T[2] = relax.call_tir(@f, x)<T[2]>: T[2]; return y } prim fn f",
    passing: "fn main(x: T[2]) { y: T[2] = relax.call_tir(@f, (x): Tup(T[2]))<T[2]>: T[2]; return y } prim fn f",
};

/// Checks an operator that is not the callee of a call.
pub(in crate::well_formed) fn check_op<'a>(cx: &mut Context<'a>, op: ObjectView<'a>, place: Place) {
    let message = || format!("operator {} is not the callee of a call", name_of(op));
    cx.report(&OP_NOT_CALLEE, place, op, message, |draft| {
        draft.fix("call the operator, or bind a function that calls it")
    });
}

/// Reports a loop program in an expression.
pub(in crate::well_formed) fn check_prim_func<'a>(cx: &mut Context<'a>, function: ObjectView<'a>, place: Place) {
    let message = || "a loop program is in an expression".to_owned();
    cx.report(&INLINE_PRIM_FUNC, place, function, message, |draft| {
        draft.fix("add the loop program to the module, and use its global variable")
    });
}

/// Reports an expression without structural information.
pub(in crate::well_formed) fn check_missing<'a>(cx: &mut Context<'a>, expr: ObjectView<'a>, place: Place) {
    if cx.is_first(&MISSING_STRUCT_INFO, expr) {
        let message = || format!("an expression has no structural information: {}", name_of(expr));
        cx.report(&MISSING_STRUCT_INFO, place, expr, message, |draft| draft.fix("normalize the program"));
    }
}

/// Checks the arguments of the calls that pass them to loop programs.
pub(in crate::well_formed) fn check_call<'a>(
    cx: &mut Context<'a>,
    call: &'a CallNode,
    object: ObjectView<'a>,
    place: Place,
) {
    let Some(op) = call.op.as_object().view().node::<OpNode>() else { return };
    let passes_tuple = matches!(
        op.name.as_str(),
        "relax.call_tir" | "relax.call_tir_inplace" | "relax.call_tir_with_grad" | "relax.call_dps_packed"
    );
    let is_tuple = call.args.as_slice().get(1).is_some_and(|it| it.as_object().view().node::<TupleNode>().is_some());
    if passes_tuple && !is_tuple {
        let given = call.args.as_slice().get(1).map(|it| it.as_object().view());
        let message = || format!("the second argument of {} is not a tuple", name_of(call.op.as_object().view()));
        cx.report(&CALL_TIR_ARGUMENTS, place, object, message, |draft| {
            draft.expected("a `Tuple`", given.map_or_else(|| "nothing".to_owned(), name_of))
        });
    }
}

//! Rules about single expressions.

use object_core::ObjectView;

use crate::well_formed::context::Context;
use crate::well_formed::names::name_of;
use crate::well_formed::place::Place;
use crate::well_formed::rule::{Phase, Rule};

pub(super) const RULES: &[&Rule] =
    &[&OP_NOT_CALLEE, &INLINE_PRIM_FUNC, &MISSING_STRUCT_INFO, &MISSING_INNER_STRUCT_INFO];

static OP_NOT_CALLEE: Rule = Rule {
    name: "op-not-callee",
    phase: Phase::Ast,
    criteria: &["8"],
    text: "An operator is the callee of a call, and nothing else.",
    source: "specification, well-formedness criterion 8",
    failing: "fn main(x: T[2]) { f: Obj = relax.add; return x }",
    passing: "fn main(x: T[2]) { f: T[2] = relax.add(x, x); return x }",
};

static INLINE_PRIM_FUNC: Rule = Rule {
    name: "inline-prim-func",
    phase: Phase::Ast,
    criteria: &[],
    text: "A loop program is a global function, and not an expression in another function.",
    source: "TVM 0.25 src/relax/analysis/well_formed.cc",
    failing: "fn main(x: T[2]) { f: Obj = prim_func; return x }",
    passing: "fn main(x: T[2]) { return x } prim fn f",
};

static MISSING_STRUCT_INFO: Rule = Rule {
    name: "missing-struct-info",
    phase: Phase::Normal,
    criteria: &[],
    text: "Every expression except an operator has structural information.",
    source: "TVM 0.25 src/relax/analysis/well_formed.cc; the specification infers it after normalization",
    failing: "fn main(x: T[2]) { y: T[2] = relax.add(x, x); return y }",
    passing: "fn main(x: T[2]) { y: T[2] = relax.add(x, x): T[2]; return y }",
};

static MISSING_INNER_STRUCT_INFO: Rule = Rule {
    name: "missing-inner-struct-info",
    phase: Phase::Normal,
    criteria: &[],
    text: "Bound variables, sequences, and the shapes in structural information have structural information.",
    source: "TVM 0.25 src/relax/analysis/well_formed.cc, with `check_struct_info`",
    failing: "fn main(x: T[2]) { y = x; return x }",
    passing: "fn main(x: T[2]) { y: T[2] = x; return x }",
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
    missing(cx, &MISSING_STRUCT_INFO, expr, place);
}

/// Reports a bound variable, a sequence or a shape in an annotation without structural information.
pub(in crate::well_formed) fn check_missing_inner<'a>(cx: &mut Context<'a>, expr: ObjectView<'a>, place: Place) {
    missing(cx, &MISSING_INNER_STRUCT_INFO, expr, place);
}

fn missing<'a>(cx: &mut Context<'a>, rule: &'static Rule, expr: ObjectView<'a>, place: Place) {
    if cx.is_first_of("missing", rule, expr) {
        let message = || format!("{} has no structural information", name_of(expr));
        cx.report(rule, place, expr, message, |draft| draft.fix("normalize the program"));
    }
}

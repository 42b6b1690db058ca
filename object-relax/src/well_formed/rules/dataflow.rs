//! Rules about dataflow blocks and their variables.

use object_core::ObjectView;
use rustc_hash::FxHashMap;

use crate::well_formed::call_graph::CallGraph;
use crate::well_formed::context::Context;
use crate::well_formed::names::name_of;
use crate::well_formed::place::Place;
use crate::well_formed::rule::{Phase, Rule};
use crate::well_formed::rules::variables;
use crate::well_formed::scopes::{Found, ScopeKind};

pub(super) const RULES: &[&Rule] = &[
    &DATAFLOW_VAR_BOUND_OUTSIDE,
    &DATAFLOW_VAR_USED_OUTSIDE,
    &DATAFLOW_VAR_CAPTURED,
    &DATAFLOW_VAR_IN_ANNOTATION,
    &RECURSION_IN_DATAFLOW,
    &IF_IN_DATAFLOW,
];

static DATAFLOW_VAR_BOUND_OUTSIDE: Rule = Rule {
    name: "dataflow-var-bound-outside",
    phase: Phase::Ast,
    criteria: &["1"],
    text: "Only the bindings of a dataflow block bind dataflow variables; parameters and other blocks do not.",
    source: "specification, well-formedness criterion 1",
    failing: "fn main(x: T[2]) { a$: T[2] = relax.add(x, x); return x }",
    passing: "fn main(x: T[2]) { dataflow { a$: T[2] = relax.add(x, x) } return x }",
};

static DATAFLOW_VAR_USED_OUTSIDE: Rule = Rule {
    name: "dataflow-var-used-outside",
    phase: Phase::Ast,
    criteria: &["1"],
    text: "A dataflow variable is used only in the dataflow block that binds it.",
    source: "specification, well-formedness criterion 1",
    failing: "fn main(x: T[2]) { dataflow { a$: T[2] = relax.add(x, x) } return a$ }",
    passing: "fn main(x: T[2]) { dataflow { a$: T[2] = relax.add(x, x); b: T[2] = relax.exp(a$) } return b }",
};

static DATAFLOW_VAR_CAPTURED: Rule = Rule {
    name: "dataflow-var-captured",
    phase: Phase::Ast,
    criteria: &["10"],
    text: "A function in a dataflow block does not use the dataflow variables of the block.",
    source: "specification, well-formedness criterion 10",
    failing: "fn main(x: T[2]) {
        dataflow { a$: T[2] = relax.add(x, x); f: Fn(T[2]) -> T[2] = fn(y: T[2]) -> T[2] { return a$ } }
        return x
    }",
    passing: "fn main(x: T[2]) {
        dataflow { a$: T[2] = relax.add(x, x); f: Fn(T[2]) -> T[2] = fn(y: T[2]) -> T[2] { return x } }
        return x
    }",
};

static DATAFLOW_VAR_IN_ANNOTATION: Rule = Rule {
    name: "dataflow-var-in-annotation",
    phase: Phase::Ast,
    criteria: &[],
    text: "The `shape` of a `TensorStructInfo` does not use a dataflow variable.",
    source: "TVM 0.27 src/relax/analysis/well_formed.cc",
    failing: "fn main(x: T[1], t: S(1)) {
        dataflow { s$: S(1) = t; a$: T{s$}#1 = relax.broadcast_to(x, s$); b: T[1] = relax.exp(x) }
        return b
    }",
    passing: "fn main(x: T[1], t: S(1)) {
        dataflow { s: S(1) = t; a$: T{s}#1 = relax.broadcast_to(x, s); b: T[1] = relax.exp(x) }
        return b
    }",
};

static RECURSION_IN_DATAFLOW: Rule = Rule {
    name: "recursion-in-dataflow",
    phase: Phase::Ast,
    criteria: &["6"],
    text: "A dataflow block calls neither the function around it nor a global function that calls the function around \
           it, directly or through other functions.",
    source: "specification, well-formedness criteria 6.1 and 6.2",
    failing: "fn f(x: T[2]) -> T[2] { dataflow { y: T[2] = @g(x) } return y }
        fn g(z: T[2]) -> T[2] { w: T[2] = @f(z); return w }",
    passing: "fn f(x: T[2]) -> T[2] { y: T[2] = @g(x); return y }
        fn g(z: T[2]) -> T[2] { w: T[2] = @f(z); return w }",
};

static IF_IN_DATAFLOW: Rule = Rule {
    name: "if-in-dataflow",
    phase: Phase::Ast,
    criteria: &["6"],
    text: "A dataflow block contains no `If`.",
    source: "specification, well-formedness criterion 6.3",
    failing: "fn main(x: T[2], c: T[; bool]) {
        dataflow { v: T[2] = if c { return x } else { return x } }
        return v
    }",
    passing: "fn main(x: T[2], c: T[; bool]) { v: T[2] = if c { return x } else { return x }; return v }",
};

/// Checks the place of the binding of a dataflow variable.
pub(in crate::well_formed) fn check_binding<'a>(cx: &mut Context<'a>, variable: ObjectView<'a>, place: Place) {
    if !cx.scopes.is_in(ScopeKind::Dataflow) && cx.is_first(&DATAFLOW_VAR_BOUND_OUTSIDE, variable) {
        cx.report(
            &DATAFLOW_VAR_BOUND_OUTSIDE,
            place,
            variable,
            || format!("dataflow variable {} is bound outside of a dataflow block", name_of(variable)),
            |draft| draft.fix("make the variable a `Var`, or move its binding into a dataflow block"),
        );
    }
}

/// Resolves the use of a dataflow variable.
pub(in crate::well_formed) fn resolve<'a>(cx: &mut Context<'a>, variable: ObjectView<'a>, place: Place) {
    let (rule, problem, bound) = match cx.scopes.find(variable) {
        Found::Open(bound) => {
            cx.memo.uses(bound.scope.depth);
            let is_in_block = cx.scopes.kind(bound.scope) == Some(ScopeKind::Dataflow);
            if !is_in_block || bound.scope.depth >= cx.scopes.function().depth {
                return;
            }
            (&DATAFLOW_VAR_CAPTURED, "is used in a function inside of its dataflow block", bound)
        }
        Found::Closed(bound) => (&DATAFLOW_VAR_USED_OUTSIDE, "is used outside of its dataflow block", bound),
        Found::Nowhere => {
            variables::resolve(cx, variable, place);
            return;
        }
    };
    if cx.is_first(rule, variable) {
        let message = || format!("dataflow variable {} {problem}", name_of(variable));
        let fix = "bind a `Var` in the block, and use it here";
        cx.report(rule, place, variable, message, |draft| draft.related(bound.place, variable, "bound here").fix(fix));
    }
}

/// Checks a dataflow variable that is the shape of a tensor in a dataflow block. Elsewhere, its use is wrong by another rule.
pub(in crate::well_formed) fn check_in_annotation<'a>(cx: &mut Context<'a>, variable: ObjectView<'a>, place: Place) {
    if cx.scopes.dataflow().is_some() && cx.is_first(&DATAFLOW_VAR_IN_ANNOTATION, variable) {
        let message = || format!("structural information contains the dataflow variable {}", name_of(variable));
        cx.report(&DATAFLOW_VAR_IN_ANNOTATION, place, variable, message, |draft| {
            draft.fix("make the variable a `Var`, an output of the block")
        });
    }
}

/// Checks the place of an `If`.
pub(in crate::well_formed) fn check_if<'a>(cx: &mut Context<'a>, object: ObjectView<'a>, place: Place) {
    if cx.scopes.dataflow().is_some() {
        let message = || "an `If` is in a dataflow block".to_owned();
        cx.report(&IF_IN_DATAFLOW, place, object, message, |draft| {
            draft.fix("end the dataflow block before this binding, and begin a new one after it")
        });
    }
}

/// Checks the calls in dataflow blocks, at the end of the walk.
pub(in crate::well_formed) fn check_recursion(cx: &mut Context<'_>, graph: &CallGraph) {
    let mut reports = Vec::new();
    for call in cx.calls.iter().filter(|call| call.is_in_dataflow) {
        if graph.is_recursive_call(call.caller, call.callee) {
            reports.push((call.order, call.place, call.call));
        }
    }
    let places: FxHashMap<usize, Place> =
        cx.functions.iter().filter_map(|it| Some((it.name?.address(), it.place))).collect();
    for (order, place, call) in reports {
        let callee = call.get("op").and_then(|callee| callee.as_object());
        let name = callee.map(name_of).unwrap_or_default();
        let message = || format!("a dataflow block calls {name}, which calls the function around the block");
        let function = callee.and_then(|callee| Some((*places.get(&callee.address())?, callee)));
        cx.findings.add_at(order, &RECURSION_IN_DATAFLOW, place, call, message, |draft| {
            let draft = draft.fix("move the call out of the dataflow block");
            match function {
                Some((place, callee)) => draft.related(place, callee, "the called function"),
                None => draft,
            }
        });
    }
}

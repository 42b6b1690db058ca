//! Rules about the bindings of Relax variables.

use object_core::ObjectView;

use crate::well_formed::context::{Context, Unresolved};
use crate::well_formed::names::{kind_of, name_of};
use crate::well_formed::place::Place;
use crate::well_formed::rule::{Phase, Rule};
use crate::well_formed::scopes::{Bound, Found};

pub(super) const RULES: &[&Rule] =
    &[&UNBOUND_VAR, &VAR_NOT_IN_SCOPE, &VAR_BOUND_TWICE, &VAR_BOUND_IN_TWO_SCOPES, &PARAM_OF_TWO_FUNCTIONS];

static UNBOUND_VAR: Rule = Rule {
    name: "unbound-var",
    phase: Phase::Ast,
    criteria: &["2"],
    text: "Every variable that a program uses is a parameter of a function or the variable of a binding.",
    source: "specification, well-formedness criterion 2",
    failing: "fn main(x: T[2]) { return y }",
    passing: "fn main(x: T[2]) { return x }",
};

static VAR_NOT_IN_SCOPE: Rule = Rule {
    name: "var-not-in-scope",
    phase: Phase::Ast,
    criteria: &["2", "3"],
    text: "A variable is used only after its binding, and only in the function, branch or sequence of its binding. The \
           value of its own binding uses it only if the value is a function.",
    source: "specification, well-formedness criteria 2 and 3",
    failing: "fn main(x: T[2]) { y: T[2] = relax.add(z, z); z: T[2] = relax.add(x, x); return y }",
    passing: "fn main(x: T[2]) { z: T[2] = relax.add(x, x); y: T[2] = relax.add(z, z); return y }",
};

static VAR_BOUND_TWICE: Rule = Rule {
    name: "var-bound-twice",
    phase: Phase::Ast,
    criteria: &["2"],
    text: "No binding or parameter binds a variable that is in scope already.",
    source: "specification, well-formedness criterion 2",
    failing: "fn main(x: T[2]) { y: T[2] = relax.add(x, x); y: T[2] = relax.add(x, x); return y }",
    passing: "fn main(x: T[2]) { y: T[2] = relax.add(x, x); z: T[2] = relax.add(x, x); return y }",
};

static VAR_BOUND_IN_TWO_SCOPES: Rule = Rule {
    name: "var-bound-in-two-scopes",
    phase: Phase::Ast,
    criteria: &["2"],
    text: "A variable has one binding in the whole program, also if the scopes of two bindings do not overlap.",
    source: "specification, well-formedness criterion 2; TVM 0.25 accepts one variable in both branches of an `If`",
    failing: "fn main(x: T[2], c: T[; bool]) {
        v: T[2] = if c { a: T[2] = relax.add(x, x); return a } else { a: T[2] = relax.exp(x); return a };
        return v
    }",
    passing: "fn main(x: T[2], c: T[; bool]) {
        v: T[2] = if c { a: T[2] = relax.add(x, x); return a } else { b: T[2] = relax.exp(x); return b };
        return v
    }",
};

static PARAM_OF_TWO_FUNCTIONS: Rule = Rule {
    name: "param-of-two-functions",
    phase: Phase::Ast,
    criteria: &["2"],
    text: "A variable is a parameter of one function only.",
    source: "specification, well-formedness criterion 2; TVM 0.25 src/relax/analysis/well_formed.cc",
    failing: "fn f(x: T[2]) { return x } fn g(x: T[2]) { return x }",
    passing: "fn f(x: T[2]) { return x } fn g(y: T[2]) { return y }",
};

/// Checks a binding against an earlier binding of the variable. Returns whether there is none in scope.
pub(in crate::well_formed) fn check_binding<'a>(
    cx: &mut Context<'a>,
    variable: ObjectView<'a>,
    place: Place,
    is_parameter: bool,
) -> bool {
    let found = cx.scopes.find(variable);
    let (earlier, is_open) = match found {
        Found::Open(earlier) => (earlier, true),
        Found::Closed(earlier) => (earlier, false),
        Found::Nowhere => return true,
    };
    bound_again(cx, variable, place, earlier, is_open, is_parameter);
    !is_open
}

/// Checks the second occurrence of an object that binds variables. `earlier` is the binding of the first of them.
pub(in crate::well_formed) fn check_shared<'a>(
    cx: &mut Context<'a>,
    object: ObjectView<'a>,
    place: Place,
    earlier: Bound,
) {
    let is_open = cx.scopes.is_open(earlier.scope);
    bound_again(cx, object, place, earlier, is_open, earlier.is_parameter);
}

/// Reports a second binding. `object` is the variable, or a shared object that binds variables.
fn bound_again<'a>(
    cx: &mut Context<'a>,
    object: ObjectView<'a>,
    place: Place,
    earlier: Bound,
    is_open: bool,
    is_parameter: bool,
) {
    let rule = match (is_open, is_parameter && earlier.is_parameter) {
        (true, _) => &VAR_BOUND_TWICE,
        (false, true) => &PARAM_OF_TWO_FUNCTIONS,
        (false, false) => &VAR_BOUND_IN_TWO_SCOPES,
    };
    if !cx.is_first(rule, object) {
        return;
    }
    let (kind, name) = (kind_of(object), name_of(object));
    let again = if is_open { "although it is in scope already" } else { "a second time" };
    cx.report(
        rule,
        place,
        object,
        || format!("{kind} {name} is bound {again}"),
        |draft| draft.related(earlier.place, object, "first bound here").fix("bind a new variable"),
    );
}

/// Resolves the use of a variable. Returns its binding if the variable is in scope.
pub(in crate::well_formed) fn resolve<'a>(
    cx: &mut Context<'a>,
    variable: ObjectView<'a>,
    place: Place,
) -> Option<Bound> {
    if let Found::Open(bound) = cx.scopes.find(variable) {
        cx.memo.uses(bound.scope.depth);
        return Some(bound);
    }
    unresolved(cx, &UNBOUND_VAR, variable, place);
    None
}

/// Records the use of a variable that is not in scope, once for each variable and global function.
pub(super) fn unresolved<'a>(cx: &mut Context<'a>, rule: &'static Rule, variable: ObjectView<'a>, place: Place) {
    if cx.is_first_of("unresolved", rule, variable) {
        let order = cx.findings.now();
        cx.unresolved.push(Unresolved { order, rule, variable, place });
    }
}

/// Reports the uses of variables that were not in scope, at the end of the walk, when all bindings are known.
pub(in crate::well_formed) fn check_unresolved(cx: &mut Context<'_>) {
    for Unresolved { order, rule, variable, place } in std::mem::take(&mut cx.unresolved) {
        let bound = match cx.scopes.find(variable) {
            Found::Open(bound) | Found::Closed(bound) => Some(bound).filter(|bound| !bound.is_annotation),
            Found::Nowhere => None,
        };
        let rule = if rule == &UNBOUND_VAR && bound.is_some() { &VAR_NOT_IN_SCOPE } else { rule };
        let (kind, name) = (kind_of(variable), name_of(variable));
        let message = || match bound {
            Some(_) => format!("{kind} {name} is not in scope"),
            None => format!("nothing binds the {kind} {name}"),
        };
        cx.findings.add_at(order, rule, place, variable, message, |draft| match bound {
            Some(bound) => draft.related(bound.place, variable, "bound here"),
            None => draft.fix(format!("add {name} as a parameter, or a binding of it before this place")),
        });
    }
}

//! Rules about shape variables: the variables of scalar expressions.

use object_core::scalar::TypeCode;
use object_core::{ObjectHandle, ObjectView};
use object_ir::ir::PrimExpr;

use crate::well_formed::context::Context;
use crate::well_formed::names::{name_of, quoted};
use crate::well_formed::place::Place;
use crate::well_formed::rule::{Phase, Rule};
use crate::well_formed::rules::variables::unresolved;
use crate::well_formed::scopes::{Found, ScopeKind};

pub(super) const RULES: &[&Rule] = &[
    &RETURN_SHAPE_VAR_UNBOUND,
    &SHAPE_VAR_UNBOUND,
    &SCALAR_SHAPE_VAR_UNBOUND,
    &ANNOTATION_SHAPE_VAR_UNBOUND,
    &SIGNATURE_SHAPE_VAR_UNBOUND,
    &SIGNATURE_RESULT_SHAPE_VAR_UNBOUND,
    &SHAPE_VAR_CAPTURED,
    &ANNOTATION_SHAPE_VAR_CAPTURED,
    &SHAPE_VAR_IN_TWO_FUNCTIONS,
    &SHAPE_DIM_TYPE,
];

static RETURN_SHAPE_VAR_UNBOUND: Rule = Rule {
    name: "return-shape-var-unbound",
    phase: Phase::Ast,
    criteria: &["4"],
    text: "The annotation of the result of a function uses only shape variables that the parameters bind or that are in \
           scope around the function.",
    source: "specification, well-formedness criterion 4",
    failing: "fn main(x: T[n]) -> T[m] { return x }",
    passing: "fn main(x: T[n]) -> T[n] { return x }",
};

static SHAPE_VAR_UNBOUND: Rule = Rule {
    name: "shape-var-unbound",
    phase: Phase::Ast,
    criteria: &["5", "13", "14"],
    text: "An expression uses a shape variable only after a parameter or a `MatchCast` has bound it. A dimension binds a \
           variable only if it consists of the variable alone.",
    source: "specification, well-formedness criterion 5; erratum: all dimensions of one annotation bind before any is \
             checked",
    failing: "fn main(x: T[2]) { s: S[n] = shape[n]; return s }",
    passing: "fn main(x: T[n]) { s: S[n] = shape[n]; return s }",
};

static SCALAR_SHAPE_VAR_UNBOUND: Rule = Rule {
    name: "scalar-shape-var-unbound",
    phase: Phase::Ast,
    criteria: &["5"],
    text: "A `PrimValue` uses a shape variable only after a parameter or a `MatchCast` has bound it.",
    source: "specification, well-formedness criterion 5, for the scalars that the revision of February 2023 adds",
    failing: "fn main(x: T[2]) { y: P(i64) = prim(n + 1); return y }",
    passing: "fn main(x: T[n]) { y: P(i64) = prim(n + 1); return y }",
};

static ANNOTATION_SHAPE_VAR_UNBOUND: Rule = Rule {
    name: "annotation-shape-var-unbound",
    phase: Phase::Ast,
    criteria: &["5", "13", "14"],
    text: "The structural information of a variable or an expression uses only shape variables in scope. Parameters bind \
           the variables that are a whole dimension.",
    source: "specification, well-formedness criteria 5, 13 and 14",
    failing: "fn main(x: T[2 * n]) { return x }",
    passing: "fn main(x: T[2 * n], y: T[n]) { return x }",
};

static SIGNATURE_SHAPE_VAR_UNBOUND: Rule = Rule {
    name: "signature-shape-var-unbound",
    phase: Phase::Ast,
    criteria: &["13", "14"],
    text: "The parameters of a `FuncStructInfo` use only shape variables that are in scope or that are a whole dimension of \
           one of them, which binds them in the `FuncStructInfo`. The signature of a loop program may use others.",
    source: "specification, well-formedness criteria 13 and 14; erratum: the parameters of a `FuncStructInfo` bind",
    failing: "fn main(f: Fn(T[n + 1]) -> T[2]) { return f }",
    passing: "fn main(f: Fn(T[n + 1], T[n]) -> T[2]) { return f }",
};

static SIGNATURE_RESULT_SHAPE_VAR_UNBOUND: Rule = Rule {
    name: "signature-result-shape-var-unbound",
    phase: Phase::Ast,
    criteria: &["13", "14"],
    text: "The result of a `FuncStructInfo` uses only shape variables that are in scope or that its parameters bind.",
    source: "specification, well-formedness criteria 13 and 14; TVM 0.27 src/relax/analysis/well_formed.cc",
    failing: "fn main(f: Fn(T[2]) -> T[n]) { return f }",
    passing: "fn main(f: Fn(T[n]) -> T[n]) { return f }",
};

static SHAPE_VAR_CAPTURED: Rule = Rule {
    name: "shape-var-captured",
    phase: Phase::Ast,
    criteria: &[],
    text: "The expressions in a local function use no shape variables of the function around it.",
    source: "TVM 0.25 src/relax/analysis/well_formed.cc; the specification lets closures capture shape variables",
    failing: "fn main(x: T[n]) { f: Fn() -> S(1) = fn() -> S(1) { return shape[n]: S(1) }; return x }",
    passing: "fn main(x: T[n]) { f: Fn() -> S(1) = fn() -> S(1) { return shape[2]: S(1) }; return x }",
};

static ANNOTATION_SHAPE_VAR_CAPTURED: Rule = Rule {
    name: "annotation-shape-var-captured",
    phase: Phase::Ast,
    criteria: &[],
    text: "The annotations in a local function, and the annotations of the variables that it uses, use no shape \
           variables of the function around it.",
    source: "TVM 0.25 src/relax/analysis/well_formed.cc; the specification lets closures capture shape variables",
    failing: "fn main(x: T[n]) { f: Fn() -> T(1) = fn() -> T(1) { return x }; return x }",
    passing: "fn main(x: T[2]) { f: Fn() -> T(1) = fn() -> T(1) { return x }; return x }",
};

static SHAPE_VAR_IN_TWO_FUNCTIONS: Rule = Rule {
    name: "shape-var-in-two-functions",
    phase: Phase::Ast,
    criteria: &[],
    text: "Two functions of a module use no common shape variable.",
    source: "TVM 0.25 src/relax/analysis/well_formed.cc",
    failing: "fn f(x: T[n]) { return x } fn g(y: T[n]) { return y }",
    passing: "fn f(x: T[n]) { return x } fn g(y: T[m]) { return y }",
};

static SHAPE_DIM_TYPE: Rule = Rule {
    name: "shape-dim-type",
    phase: Phase::Ast,
    criteria: &[],
    text: "The dimensions of a shape are integers.",
    source: "specification, grammar of `ShapeExpr`; TVM 0.25 src/relax/analysis/well_formed.cc",
    failing: "fn main() { s: S(1) = shape[2.5]; return s }",
    passing: "fn main() { s: S(1) = shape[2]; return s }",
};

/// The kind of the place where a scalar expression or structural information is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::well_formed) enum Role {
    /// An expression: a shape, an explicit argument of a call or the annotation of a `MatchCast`.
    Expression,
    /// The value of a `PrimValue`.
    Scalar,
    /// The annotation of the result of a function.
    Result,
    /// The structural information of a variable or expression.
    Annotation,
    /// The structural information of a variable at its use.
    Use,
    /// The structural information of a global variable.
    Global,
    /// A parameter of a `FuncStructInfo`.
    Signature,
    /// The result of a `FuncStructInfo`.
    SignatureResult,
}

impl Role {
    /// The number of kinds.
    pub(in crate::well_formed) const COUNT: usize = 8;

    /// The rule about shape variables that are not in scope.
    fn unbound(self) -> &'static Rule {
        match self {
            Role::Expression => &SHAPE_VAR_UNBOUND,
            Role::Scalar => &SCALAR_SHAPE_VAR_UNBOUND,
            Role::Result => &RETURN_SHAPE_VAR_UNBOUND,
            Role::Signature => &SIGNATURE_SHAPE_VAR_UNBOUND,
            Role::SignatureResult => &SIGNATURE_RESULT_SHAPE_VAR_UNBOUND,
            Role::Annotation | Role::Use | Role::Global => &ANNOTATION_SHAPE_VAR_UNBOUND,
        }
    }

    /// The rule about shape variables of an outer function.
    fn captured(self) -> &'static Rule {
        match self {
            Role::Expression | Role::Scalar | Role::Result => &SHAPE_VAR_CAPTURED,
            Role::Annotation | Role::Use | Role::Global | Role::Signature | Role::SignatureResult => {
                &ANNOTATION_SHAPE_VAR_CAPTURED
            }
        }
    }
}

/// Whether the rules about captured variables are on, so that the uses of variables matter too.
pub(in crate::well_formed) fn checks_captures(cx: &Context<'_>) -> bool {
    cx.findings.reports(&SHAPE_VAR_CAPTURED) || cx.findings.reports(&ANNOTATION_SHAPE_VAR_CAPTURED)
}

/// Whether the result of a check of an annotation depends on the function around it or on its role, apart from the
/// bindings. The role does not matter if the rules about variables that are not in scope have one level, because such a
/// variable is reported once.
pub(in crate::well_formed) fn depends_on_surroundings(cx: &Context<'_>) -> bool {
    let level = |rule| cx.findings.level(rule);
    let unbound = [
        &SCALAR_SHAPE_VAR_UNBOUND,
        &RETURN_SHAPE_VAR_UNBOUND,
        &ANNOTATION_SHAPE_VAR_UNBOUND,
        &SIGNATURE_SHAPE_VAR_UNBOUND,
        &SIGNATURE_RESULT_SHAPE_VAR_UNBOUND,
    ];
    let differ = unbound.into_iter().any(|rule| level(rule) != level(&SHAPE_VAR_UNBOUND));
    differ || checks_captures(cx) || cx.findings.reports(&SHAPE_VAR_IN_TWO_FUNCTIONS)
}

/// Resolves the use of a shape variable.
pub(in crate::well_formed) fn resolve<'a>(cx: &mut Context<'a>, variable: ObjectView<'a>, place: Place, role: Role) {
    let Found::Open(bound) = cx.scopes.find(variable) else {
        if role != Role::Use {
            unresolved(cx, role.unbound(), variable, place);
        }
        return;
    };
    cx.memo.uses(bound.scope.depth);
    let function = cx.scopes.function();
    let is_local = cx.scopes.kind(bound.scope) != Some(ScopeKind::Signature);
    if is_local && bound.scope.depth < function.depth && cx.is_first(role.captured(), variable) {
        let message = || format!("a local function uses the shape variable {} of an outer function", name_of(variable));
        cx.report(role.captured(), place, variable, message, |draft| {
            draft.related(bound.place, variable, "bound here").fix("pass a value that has the variable in its shape")
        });
    }
    let Some(user) = cx.open_functions.first().copied() else { return };
    if matches!(role, Role::Scalar | Role::Use | Role::Global | Role::Signature | Role::SignatureResult)
        || !cx.findings.reports(&SHAPE_VAR_IN_TWO_FUNCTIONS)
    {
        return;
    }
    let first = *cx.users.entry(variable.address()).or_insert(user);
    if first != user && cx.is_first(&SHAPE_VAR_IN_TWO_FUNCTIONS, variable) {
        let (other, object) = (cx.functions[first].place, cx.functions[first].object);
        let message = || format!("shape variable {} occurs in two functions", name_of(variable));
        cx.report(&SHAPE_VAR_IN_TWO_FUNCTIONS, place, variable, message, |draft| {
            draft.related(other, object, "the other function").fix("use another variable in this function")
        });
    }
}

/// Checks the data types of the dimensions in the array at `place`.
pub(in crate::well_formed) fn check_dims<'a>(cx: &mut Context<'a>, dims: &'a [PrimExpr], place: Place) {
    for (index, dim) in dims.iter().enumerate() {
        if dim.dtype.code != TypeCode::INT && dim.dtype.code != TypeCode::UINT {
            let message = || "a dimension of a shape is not an integer".to_owned();
            let at = cx.places.item(place, index);
            cx.report(&SHAPE_DIM_TYPE, at, dim.as_object().view(), message, |draft| {
                draft.expected("`int64`", quoted(&dim.dtype.to_string()))
            });
        }
    }
}

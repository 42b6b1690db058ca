//! The examples of the rules with the verdicts of two versions of TVM: `fixtures/make_rule_verdicts.py` records them in
//! `tests/data/rule_verdicts.txt`.

use object_core::Any;
use object_ir::table::rows;
use object_ir::tvm::TvmVersion;
use object_relax::derivation::Derivation;
use object_relax::root::Root;
use object_relax::well_formed::{Checker, Profile};
use object_tests::{notation, rule_examples};

use crate::common::{at_root, report};

/// TVM 0.25 does not find a parameter that is the shape of another one.
const SHAPE_PARAM: &str = "TVM 0.25 rejects a parameter whose shape is another parameter";
/// The reason for scalars in TVM 0.27.
const SCALAR_TYPE: &str = "scalars have a type in TVM 0.27, so a file of it does not leave it out";
/// The reason for names.
const NAMES: &str = "the checker does not look into functions of one name, so it rejects the module";

/// The examples whose verdict is not the one of TVM: the version, the rule, the example and the reason.
const UNLIKE_TVM: [(&str, &str, &str, &str); 11] = [
    ("0.25", "tensor-shape-expr", "failing", SHAPE_PARAM),
    ("0.25", "tensor-shape-expr", "failing, derived", SHAPE_PARAM),
    ("0.25", "tensor-shape-expr", "passing", SHAPE_PARAM),
    ("0.25", "tensor-shape-expr", "passing, derived", SHAPE_PARAM),
    ("0.25", "annotation-var-unbound", "passing", SHAPE_PARAM),
    ("0.25", "annotation-var-unbound", "passing, derived", SHAPE_PARAM),
    ("0.25", "duplicate-function-name", "failing", NAMES),
    ("0.27", "duplicate-function-name", "failing", NAMES),
    ("0.27", "scalar-shape-var-unbound", "passing", SCALAR_TYPE),
    ("0.27", "prim-value-constant", "failing", SCALAR_TYPE),
    ("0.27", "prim-value-constant", "passing", SCALAR_TYPE),
];

#[test]
fn the_profile_of_a_version_gives_its_verdict() {
    let text = std::fs::read_to_string(at_root("tests/data/rule_verdicts.txt")).expect("the verdicts");
    let examples: Vec<_> = rule_examples::all().collect();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for [version, rule, example, verdict] in rows(&text) {
        let version = TvmVersion::find(version).expect("a version");
        let found = examples.iter().find(|(it, name, _)| it.name == rule && *name == example);
        let Some((_, _, program)) = found else {
            wrong.push(format!("{rule}, {example}: no such example; record the verdicts again"));
            continue;
        };
        count += 1;
        let found = Checker::new().profile(Profile::of(version)).check(program);
        let profile_of = |name: &str| Profile::of(TvmVersion::find(name).expect("a version"));
        let is_exception =
            UNLIKE_TVM.iter().any(|it| (profile_of(it.0), it.1, it.2) == (Profile::of(version), rule, example));
        if (found.is_well_formed() == (verdict == "well-formed")) == is_exception {
            wrong.push(format!("{rule}, {example}: TVM {version} says {verdict}: {found}"));
        }
    }
    report(&wrong, count);
}

/// Programs with a variable that is the shape of a tensor, and whether TVM 0.25 and TVM 0.27 accept them.
const SHAPES_BY_VARIABLES: [(&str, bool, bool); 16] = [
    ("dataflow { s$: S(1) = t; a: T{s$}#1 = relax.broadcast_to(x, s$) } return x", true, false),
    (
        "dataflow { s$: S(1) = t; a$: T{s$}#1 = relax.broadcast_to(x, s$); b: T(1) = relax.exp(a$) } return b",
        true,
        false,
    ),
    (
        "dataflow { s$: S(1) = t; a: T{s$}#1 = relax.broadcast_to(x, s$) } b: T(1) = relax.exp(a); return b",
        false,
        false,
    ),
    (
        "dataflow { s$: S(1) = t; a: T{s$}#1 = relax.broadcast_to(x, s$) }
        dataflow { b: T(1) = relax.exp(a) }
        return b",
        false,
        false,
    ),
    ("dataflow { s$: S(1) = t } a: T{s$}#1 = match(x, T{s$}#1); return x", false, false),
    (
        "dataflow { s$: S(1) = t; f: Fn(T(1)) -> T(1) = fn(y: T{s$}#1) -> T(1) { return y } }
        return x",
        false,
        false,
    ),
    ("dataflow { s: S(1) = t; a: T{s}#1 = relax.broadcast_to(x, s) } b: T(1) = relax.exp(a); return b", true, true),
    ("a: T{s: S(1)}#1 = relax.call_pure_packed(\"f\", x)<T(1)>; s: S(1) = t; return x", false, false),
    ("dataflow { a: T{s: S(1)}#1 = relax.call_pure_packed(\"f\", x)<T(1)>; s: S(1) = t } return x", false, false),
    (
        "dataflow { a: T{s$: S(1)}#1 = relax.call_pure_packed(\"f\", x)<T(1)>; s$: S(1) = t; b: S(1) = s$ } return x",
        false,
        false,
    ),
    ("a: T{s: S(1)}#1 = match(x, T{s}#1); s: S(1) = t; return x", false, false),
    ("a: T{s: S(1)}#1 = match(x, T{s}#1); return x", true, true),
    ("a: T{s: S(1)}#1 = match(x, T{s}#1); b: S(1) = s; return x", true, true),
    ("a: T{s: S(1)}#1 = relax.call_pure_packed(\"f\", x)<T(1)>; return x", false, false),
    ("a: Tup(T{s: S(1)}#1, T(1)) = relax.call_pure_packed(\"f\", x)<Tup(T(1), T(1))>; return x", false, false),
    ("a: Fn(T{s: S(1)}#1) -> T(1) = relax.call_pure_packed(\"f\", x)<Fn(T(1)) -> T(1)>; return x", true, true),
];

#[test]
fn shapes_by_variables_have_the_verdicts_of_tvm() {
    for (body, by_0_25, by_0_27) in SHAPES_BY_VARIABLES {
        let program: Any = notation::parse(&format!("fn main(x: T[1], t: S(1)) {{ {body} }}")).expect("a program");
        let root = Root::of(&program).expect("a module");
        let program = root.derived(Derivation::new()).expect("structural information").result;
        let is_accepted = |profile| Checker::new().profile(profile).check(&program).is_well_formed();
        let found = [Profile::Tvm025, Profile::Tvm027].map(is_accepted);
        assert_eq!(found, [by_0_25, by_0_27], "{body}: {}", Checker::new().check(&program));
    }
}

//! Deep, large and odd programs: a check neither overflows the stack nor panics, and takes linear time.

use object_core::json;
use object_core::prelude::*;
use object_ir::ir::{
    FuncStructInfo, IRModule, If, IntImm, ObjectStructInfo, PrimExpr, PrimValue, RelaxExpr, StructInfo,
    TensorStructInfo, Tuple, TupleGetItem, TupleStructInfo, Var, VarBinding,
};
use object_ir::tir;
use object_relax::derivation::{Derivation, Finding, FindingKind};
use object_relax::normal_form::Normalizer;
use object_relax::op;
use object_relax::well_formed::{Checker, Phase, Profile, Severity};
use object_tests::nests::{
    chain, deep_annotations, deep_expressions, doubled, function, merged_by_type, sequence, shared_functions, tensor,
};
use object_tests::notation;

use crate::common::{fixture, in_small_stack};

const DEPTH: usize = 10_000;

#[test]
fn deep_programs_need_no_stack() {
    in_small_stack(|| {
        for (name, program) in deep_expressions(DEPTH) {
            let report = Checker::new().limit(3).check(&program);
            assert!(report.errors > 0 && report.is_complete, "{name}: {report}");
            let report = Checker::new().profile(Profile::Tvm025).limit(3).check(&program);
            assert!(report.errors > 0 && report.is_complete, "{name}: {report}");
        }
        for (name, program) in deep_annotations(DEPTH) {
            let report = Checker::new().check(&program);
            assert!(report.is_complete, "{name}: {report}");
        }
    });
}

/// The structural information of each part contains the information of the parts in it, and the annotation of the result
/// contains all of them.
#[test]
fn deep_derived_programs_are_checked_to_the_end() {
    in_small_stack(|| {
        let (x, c) = (Var::of("x", tensor()), Var::of("c", TensorStructInfo::of((), "bool").expect("a scalar")));
        let nest = |wrap: &dyn Fn(RelaxExpr) -> RelaxExpr| (0..DEPTH).fold(op::exp(&x).into(), |inner, _| wrap(inner));
        let local = |inner| {
            let f = Var::named("f");
            let inner = function(&[], sequence(vec![], inner), ObjectStructInfo::any().into());
            sequence(vec![VarBinding::new(&f, inner).into()], &f).into()
        };
        let programs: [(&str, RelaxExpr); 4] = [
            ("calls", nest(&|inner| op::exp(inner).into())),
            ("tuples", nest(&|inner| Tuple::new([inner]).into())),
            ("branches", nest(&|inner| If::new(&c, sequence(vec![], inner), sequence(vec![], &x)).into())),
            ("functions", nest(&local)),
        ];
        for (name, program) in programs {
            let derived = Derivation::new().expr(&program).expect(name).result;
            let result = derived.struct_info.clone().expect("the derivation fills it in");
            let mut body = sequence(vec![], derived);
            body.make_mut().struct_info = Some(result.clone());
            let nested = function(&[x.clone(), c.clone()], body, result);
            let report = Checker::new().limit(3).check(&nested);
            assert!(report.is_complete, "{name}: {report}");
            let normal = Normalizer::new().function(&nested).expect(name);
            let report = Checker::new().limit(3).check(&normal);
            assert!(report.is_well_formed(), "{name}: {report}");
        }
    });
}

/// A loop program with this body.
fn loop_program(body: impl Into<tir::Stmt>) -> IRModule {
    let module: IRModule = notation::parse("prim fn f() tir { eval 0 }").expect("a program").cast().expect("a module");
    let (var, function) = module.functions.iter().next().expect("a function");
    let mut program: tir::PrimFunc = function.downcast_ref().cloned().expect("a loop program");
    program.make_mut().body = body.into();
    module.clone().with_changes(|module| module.functions = Map::new([(var, program.into())]))
}

/// A loop over a variable of its own.
fn a_loop(body: tir::Stmt) -> tir::Stmt {
    let (zero, four) = (IntImm::new(DataType::int(64), 0), IntImm::new(DataType::int(64), 4));
    tir::For::new(tir::Var::dim("i"), zero, four, 0, body, None, Map::<Str, Any>::default(), None).into()
}

#[test]
fn deep_loop_programs_need_no_stack() {
    in_small_stack(|| {
        let free = tir::Var::dim("n");
        let sum = (0..DEPTH).fold(PrimExpr::from(&free), |sum, _| tir::Add::new(DataType::int(64), sum, &free).into());
        let nest = (0..DEPTH).fold(tir::Stmt::from(tir::Evaluate::new(sum)), |body, _| a_loop(body));
        let report = Checker::new().check(&loop_program(nest));
        let names: Vec<&str> = report.diagnostics.iter().map(|it| it.rule.name).collect();
        assert_eq!((names.as_slice(), report.is_complete), (&["tir-var-unbound"][..], true), "{report}");
    });
}

#[test]
fn shared_parts_of_loop_programs_are_visited_once() {
    let free = tir::Var::dim("n");
    let doubled = |start: PrimExpr| {
        (0..200).fold(start, |inner, _| tir::Add::new(DataType::int(64), inner.clone(), inner).into())
    };
    let scalar = doubled(free.into());
    let body = (0..200).fold(tir::Stmt::from(tir::Evaluate::new(scalar)), |inner, _| {
        let again = tir::IfThenElse::new(IntImm::new(DataType::boolean(), 1), inner.clone(), Some(inner));
        a_loop(again.into())
    });
    let report = Checker::new().check(&loop_program(body));
    assert!(report.is_complete && report.steps < 100_000, "{} steps", report.steps);
    // The second branch defines the variable of the loop in it again.
    let count = |name: &str| report.diagnostics.iter().filter(|it| it.rule.name == name).count();
    assert_eq!((count("tir-var-unbound"), count("tir-var-bound-twice")), (1, 199), "{report}");
}

#[test]
fn shared_parts_are_visited_once() {
    let free = Checker::new().check(&doubled(200));
    assert_eq!(free.diagnostics.len(), 1, "{free}");
    let x = Var::of("x", tensor());
    let tuple = (0..200).fold(RelaxExpr::from(&x), |inner, _| Tuple::new(Array::new([inner.clone(), inner])).into());
    let report = Checker::new().check(&function(&[x], sequence(vec![], tuple), ObjectStructInfo::any().into()));
    assert!(report.is_well_formed(), "{report}");
    assert!(Checker::new().check(&shared_functions(40)).is_complete);
}

#[test]
fn a_second_occurrence_out_of_scope_is_found() {
    // The call is shared by two branches, and only the first binds its argument.
    let report = |text: &str| Checker::new().check(&notation::parse(text).expect("a program"));
    let info: StructInfo = TensorStructInfo::of([2], "float32").expect("a tensor").into();
    let (a, b) = (Var::of("a", info.clone()), Var::of("b", info.clone()));
    let x = Var::of("x", info.clone());
    let tuple: RelaxExpr = Tuple::new(Array::new([RelaxExpr::from(&a)])).into();
    let first = sequence(vec![VarBinding::new(&a, &x).into(), VarBinding::new(&b, tuple.clone()).into()], &a);
    let c = Var::of("c", TensorStructInfo::of((), "bool").expect("a scalar"));
    let branches = If::new(&c, first, sequence(vec![], tuple));
    let y = Var::named("y");
    let body = sequence(vec![VarBinding::new(&y, branches).into()], &x);
    let found = Checker::new().check(&function(&[x, c], body, info));
    let names: Vec<&str> = found.diagnostics.iter().map(|it| it.rule.name).collect();
    assert!(names.contains(&"var-not-in-scope"), "{found}");
    assert!(report("fn main(x: T[2]) { return x }").is_well_formed());
}

#[test]
fn the_work_is_linear() {
    // Each binding uses the previous one. The check of twice as many bindings visits twice as many places.
    let steps = |count: usize| {
        let report = Checker::new().check(&chain(count, false));
        assert!(report.is_well_formed(), "{report}");
        report.steps
    };
    let (one, two) = (steps(50_000), steps(100_000));
    assert!(two <= 2 * one && one < 1_000_000, "{one} steps for 50000 bindings, {two} for 100000");
}

/// Signatures that share signatures, each under another scope.
#[test]
fn shared_signatures_take_linear_time() {
    let leaf: StructInfo = TensorStructInfo::of([2], "float32").expect("a tensor").into();
    let check = |count: usize| {
        let (mut last, mut info) = (leaf.clone(), leaf.clone());
        for _ in 0..count {
            let next = FuncStructInfo::of([last.clone(), info.clone()], info.clone()).into();
            (last, info) = (std::mem::replace(&mut info, next), info.clone());
        }
        let x = Var::of("x", info.clone());
        let body = sequence(vec![], &x);
        Checker::new().phase(Phase::Normal).check(&function(&[x], body, info))
    };
    let (one, two) = (check(100), check(200));
    assert!(one.is_well_formed() && two.is_well_formed(), "{one}\n{two}");
    assert!(two.steps <= 3 * one.steps, "{} steps, then {}", one.steps, two.steps);
}

/// Programs without the structural information of their values, which the normalizer adds: what is accepted before is
/// accepted after it.
#[test]
fn values_without_structural_information_are_compared() {
    let x = Var::of("x", tensor());
    let program = |value: RelaxExpr, info: StructInfo| {
        let y = Var::of("y", info);
        function(
            std::slice::from_ref(&x),
            sequence(vec![VarBinding::new(&y, value).into()], &y),
            ObjectStructInfo::any().into(),
        )
    };
    let of = |dims: i64| StructInfo::from(TensorStructInfo::of([dims], "float32").expect("a tensor"));
    let handle = IntImm::new(DataType::handle(), 0);
    let truth = PrimValue::of(IntImm::new(DataType::boolean(), 1));
    let branch = |value: &dyn Fn() -> RelaxExpr| {
        let z = Var::of("z", tensor());
        let mut branch = sequence(vec![VarBinding::new(&z, value()).into()], &z);
        branch.make_mut().struct_info = None;
        branch
    };
    let chosen = || RelaxExpr::from(If::new(&truth, branch(&|| op::exp(&x).into()), branch(&|| x.clone().into())));
    let pair = || RelaxExpr::from(Tuple::new([&x, &x].into_iter()));
    let cases: [(RelaxExpr, StructInfo, &[&str]); 9] = [
        (chosen(), of(2), &[]),
        (chosen(), of(3), &["binding-annotation"]),
        (pair(), TupleStructInfo::of([of(2), of(2)]).into(), &[]),
        (pair(), TupleStructInfo::of([of(3), of(2)]).into(), &["binding-annotation"]),
        (TupleGetItem::new(pair(), 1).into(), of(3), &["binding-annotation"]),
        (op::exp(&x).into(), of(2), &[]),
        (op::exp(&x).into(), ObjectStructInfo::any().into(), &[]),
        (op::exp(&x).into(), of(3), &["binding-annotation"]),
        (PrimValue::new(handle).into(), ObjectStructInfo::any().into(), &["prim-dtype"]),
    ];
    for (value, info, expected) in cases {
        let report = Checker::new().check(&program(value, info));
        let errors = report.diagnostics.iter().filter(|it| it.severity == Severity::Error);
        assert_eq!(errors.map(|it| it.rule.name).collect::<Vec<_>>(), expected, "{report}");
    }
}

/// Functions whose global variables state nothing.
#[test]
fn calls_of_functions_without_structural_information_are_checked() {
    let cases: [(&str, &[&str]); 6] = [
        ("fn main(x: T[2]) { dataflow { y: Obj = @f() } return y } prim fn f", &["impure-call-in-dataflow"]),
        ("fn main(x: T[2]) { y: Obj = @f(); return y } prim fn f", &["impure-call-in-pure-function"]),
        ("impure fn main(x: T[2]) { y: Obj = @f(); return y } prim fn f", &[]),
        (
            "fn main(x: T[2]) { y: Obj = @f(x); return y } impure fn f(z: T[2]) { return z }",
            &["impure-call-in-pure-function"],
        ),
        ("fn main(x: T[2]) { y: Obj = @f(x); return y } fn f(z: T[3]) { return z }", &["call-arguments"]),
        ("fn main(x: T[2]) { y: T[3] = @f(x); return y } fn f(z: T[2]) -> T[2] { return z }", &["binding-annotation"]),
    ];
    for (text, expected) in cases {
        let program: IRModule = notation::parse(text).expect(text).cast().expect("a module");
        let report = Checker::new().check(&program);
        let errors = report.diagnostics.iter().filter(|it| it.severity == Severity::Error);
        assert_eq!(errors.map(|it| it.rule.name).collect::<Vec<_>>(), expected, "{text}: {report}");
        let impure = |findings: &[Finding]| findings.iter().any(|it| it.kind == FindingKind::ImpureFunction);
        let is_accepted = Derivation::new().module(&program).is_ok_and(|derived| !impure(&derived.findings()));
        assert!(is_accepted == expected.is_empty() || text.contains("dataflow"), "{text}");
    }
}

/// A path names a function by its name.
#[test]
fn each_path_of_a_report_leads_to_one_place() {
    let program =
        notation::parse("fn main(x: T[2]) { return y } fn main(x: T[2]) { return z } fn f(x: T[2]) { return w }");
    let program: IRModule = program.expect("a program").cast().expect("a module");
    let report = Checker::new().check(&program);
    let names: Vec<&str> = report.diagnostics.iter().map(|it| it.rule.name).collect();
    assert_eq!(names, ["duplicate-function-name", "unbound-var"], "{report}");
    for diagnostic in &report.diagnostics {
        assert!(diagnostic.path.find(&program).is_ok(), "{diagnostic}");
    }
    let error = Derivation::new().module(&program).expect_err("two functions of one name");
    assert_eq!(error.kind(), ErrorKind::DuplicateKey, "{error}");
}

#[test]
fn odd_objects_are_rejected_without_a_panic() {
    for odd in [Any::None, Any::Int(3), Any::from("text"), Array::from([1, 2]).into()] {
        let report = Checker::new().check(&odd);
        assert_eq!(report.diagnostics.len(), 1, "{report}");
        assert_eq!(report.diagnostics[0].rule.name, "not-a-program");
    }
}

#[test]
fn changed_fixtures_never_panic() {
    for name in ["mlp.json.gz", "decoder.json.gz", "odd.json.gz"] {
        let module: Any = json::from_slice(&fixture(name)).expect("a module");
        for changed in merged_by_type(&module) {
            let _ = Checker::new().check(&changed);
            let _ = Checker::new().profile(Profile::Tvm025).check(&changed);
        }
    }
}

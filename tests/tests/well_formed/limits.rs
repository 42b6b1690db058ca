//! Deep, large and odd programs: a check neither overflows the stack nor panics, and takes linear time.

use object_core::prelude::*;
use object_core::rewrite::mutate;
use object_core::{ObjectRef, json};
use object_ir::ir::{
    Binding, BindingBlock, Call, FuncStructInfo, Function, If, IntImm, Op, PrimExpr, RelaxExpr, SeqExpr, ShapeExpr,
    StructInfo, TensorStructInfo, Tuple, TupleStructInfo, Var, VarBinding,
};
use object_ir::tir::Add;
use object_ir::well_formed::{Checker, Phase, Profile};
use object_tests::notation;

use crate::common::{fixture, in_small_stack};

const DEPTH: usize = 10_000;

fn sequence(bindings: Vec<Binding>, body: impl Into<RelaxExpr>) -> SeqExpr {
    let blocks: Vec<BindingBlock> =
        if bindings.is_empty() { vec![] } else { vec![BindingBlock::new(Array::new(bindings))] };
    SeqExpr::new(Array::new(blocks), body.into())
}

fn attrs() -> object_ir::ir::DictAttrs {
    object_ir::ir::DictAttrs::new(Map::<Str, Any>::new([]))
}

/// A nest of `DEPTH` expressions around `x`.
fn nest(x: &Var, wrap: impl Fn(RelaxExpr) -> RelaxExpr) -> RelaxExpr {
    (0..DEPTH).fold(x.into(), |inner, _| wrap(inner))
}

#[test]
fn deep_programs_need_no_stack() {
    in_small_stack(|| {
        let info: StructInfo = TensorStructInfo::of([2], "float32").expect("a tensor").into();
        let x = Var::of("x", info.clone());
        let exp: RelaxExpr = Op::get("relax.exp").expect("an operator").into();
        let nests: [RelaxExpr; 4] = [
            nest(&x, |inner| Call::new(exp.clone(), Array::new([inner]), None, []).into()),
            nest(&x, |inner| Tuple::new(Array::new([inner])).into()),
            nest(&x, |inner| If::new(&x, sequence(vec![], inner), sequence(vec![], &x)).into()),
            nest(&x, |inner| {
                let function = Function::new(attrs(), [], sequence(vec![], inner), info.clone(), true);
                let f = Var::named("f");
                sequence(vec![VarBinding::new(&f, function).into()], &f).into()
            }),
        ];
        for program in &nests {
            let report = Checker::new().limit(3).check(program);
            assert!(report.errors > 0 && report.is_complete, "{report}");
            let report = Checker::new().profile(Profile::Tvm025).limit(3).check(program);
            assert!(report.errors > 0 && report.is_complete, "{report}");
        }
        let tuple = (0..DEPTH).fold(info.clone(), |inner, _| TupleStructInfo::of([inner]).into());
        let function = (0..DEPTH).fold(info.clone(), |inner, _| FuncStructInfo::of([inner], info.clone()).into());
        let one: PrimExpr = IntImm::new(DataType::int(64), 1).into();
        let sum = (0..DEPTH).fold(one.clone(), |inner, _| Add::new(DataType::int(64), inner, one.clone()).into());
        let shape = ShapeExpr::new(Array::new([sum]));
        let program = |value: RelaxExpr, info: StructInfo| {
            let y = Var::of("y", info.clone());
            Function::new(
                attrs(),
                Array::new([x.clone()]),
                sequence(vec![VarBinding::new(&y, value).into()], &y),
                info,
                true,
            )
        };
        for (value, info) in [(x.clone().into(), tuple), (x.clone().into(), function), (shape.into(), info.clone())] {
            let report = Checker::new().check(&program(value, info));
            assert!(report.is_complete, "{report}");
        }
    });
}

#[test]
fn shared_parts_are_visited_once() {
    let x = Var::of("x", TensorStructInfo::of([2], "float32").expect("a tensor"));
    let doubled = (0..200).fold(RelaxExpr::from(&x), |inner, _| Tuple::new(Array::new([inner.clone(), inner])).into());
    let function = Function::new(
        attrs(),
        Array::new([x.clone()]),
        sequence(vec![], doubled.clone()),
        TupleStructInfo::of([]),
        true,
    );
    let report = Checker::new().check(&function);
    assert!(report.is_well_formed(), "{report}");
    let free = Checker::new().check(&doubled);
    assert_eq!(free.diagnostics.len(), 1, "{free}");
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
    let function = Function::new(attrs(), Array::new([x.clone(), c.clone()]), body, info, true);
    let found = Checker::new().check(&function);
    let names: Vec<&str> = found.diagnostics.iter().map(|it| it.rule.name).collect();
    assert!(names.contains(&"var-not-in-scope"), "{found}");
    assert!(report("fn main(x: T[2]) { return x }").is_well_formed());
}

#[test]
fn the_work_is_linear() {
    // Each binding uses the previous one. The check of twice as many bindings visits twice as many places.
    let info: StructInfo = TensorStructInfo::of([2], "float32").expect("a tensor").into();
    let x = Var::of("x", info.clone());
    let exp: RelaxExpr = Op::get("relax.exp").expect("an operator").into();
    let program = |count: usize| {
        let mut last = x.clone();
        let bindings: Vec<Binding> = (0..count)
            .map(|_| {
                let next = Var::of("y", info.clone());
                let mut call = Call::new(exp.clone(), Array::new([RelaxExpr::from(&last)]), None, []);
                call.make_mut().struct_info = Some(info.clone());
                last = next.clone();
                VarBinding::new(next, call).into()
            })
            .collect();
        Function::new(attrs(), Array::new([x.clone()]), sequence(bindings, &last), info.clone(), true)
    };
    let steps = |count: usize| {
        let report = Checker::new().check(&program(count));
        assert!(report.is_well_formed(), "{report}");
        report.steps
    };
    let (one, two) = (steps(1_000), steps(2_000));
    assert!(two <= 2 * one && one < 20_000, "{one} steps for 1000 bindings, {two} for 2000");
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
        let function = Function::new(attrs(), [x.clone()], sequence(vec![], &x), info, true);
        Checker::new().phase(Phase::Normal).check(&function)
    };
    let (one, two) = (check(100), check(200));
    assert!(one.is_well_formed() && two.is_well_formed(), "{one}\n{two}");
    assert!(two.steps <= 3 * one.steps, "{} steps, then {}", one.steps, two.steps);
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
        // Replace all expressions of one type by one of them, type by type.
        let mut types: Vec<&str> = Vec::new();
        object_core::visit::walk(&module, |object: &RelaxExpr| types.push(object.as_object().view().type_key()));
        types.sort_unstable();
        types.dedup();
        for key in types {
            let mut first: Option<ObjectRef> = None;
            let changed = mutate(module.clone(), |object: &ObjectRef| {
                if object.view().type_key() != key {
                    return None;
                }
                Some(first.get_or_insert_with(|| object.clone()).clone())
            });
            if let Ok(changed) = changed {
                let _ = Checker::new().check(&changed);
                let _ = Checker::new().profile(Profile::Tvm025).check(&changed);
            }
        }
    }
}

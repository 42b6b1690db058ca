//! Single programs: what the normalizer does, and its errors.

use object_core::prelude::*;
use object_ir::ir::{IRModule, RelaxExpr, StructInfo, TensorStructInfo, Tuple, TupleStructInfo, Var};
use object_relax::normal_form::{Normalizer, is_normal};
use object_relax::op;
use object_relax::well_formed::Checker;
use object_tests::notation;

fn module(text: &str) -> IRModule {
    notation::parse(text).and_then(|it| it.cast().map_err(|error| error.to_string())).expect("the program parses")
}

/// Checks that two programs have the same normal form, and that the second is normal apart from structural information.
#[track_caller]
fn same(given: &str, expected: &str) {
    let normal = Normalizer::new().module(&module(given)).unwrap_or_else(|error| panic!("{error}"));
    let expected = Normalizer::new().module(&module(expected)).unwrap_or_else(|error| panic!("{error}"));
    let mismatch = structural_first_mismatch(&expected, &normal).expect("modules compare");
    assert!(mismatch.is_none(), "{}\n{}", mismatch.expect("a mismatch"), object_script::print::print(&normal).text());
    let found = Checker::new().check(&normal);
    assert!(found.is_well_formed(), "{found}");
}

#[track_caller]
fn fails(given: &str, kind: ErrorKind, path: &str, message: &str) {
    let error = Normalizer::new().module(&module(given)).expect_err("an error");
    assert_eq!(error.kind(), kind, "{error}");
    assert_eq!(error.path().map(ToString::to_string).as_deref(), Some(path), "{error}");
    assert!(error.message().contains(message), "{error}");
}

#[test]
fn a_nested_sequence_moves_out() {
    same(
        "fn main(x: T[2]) -> T[2] { y: T[2] = { z: T[2] = relax.exp(x); return relax.add(z, z) }; return y }",
        "fn main(x: T[2]) -> T[2] { z: T[2] = relax.exp(x); g: T[2] = relax.add(z, z); y: T[2] = g; return y }",
    );
    same(
        "fn main(x: T[2]) -> T[2] { dataflow { y$: T[2] = { dataflow { z$: T[2] = relax.exp(x) } return z$ }; w: T[2] = y$ } return w }",
        "fn main(x: T[2]) -> T[2] { dataflow { z$: T[2] = relax.exp(x); y$: T[2] = z$; w: T[2] = y$ } return w }",
    );
    same(
        "fn main(x: T[2]) -> T[2] { y: T[2] = { dataflow { z: T[2] = relax.exp(x) } return z }; return y }",
        "fn main(x: T[2]) -> T[2] { dataflow { z: T[2] = relax.exp(x) } y: T[2] = z; return y }",
    );
}

#[test]
fn an_ordinary_block_ends_a_dataflow_block() {
    same(
        "fn main(x: T[2]) -> T[2] { dataflow { y$: T[2] = { block { z: T[2] = relax.exp(x) } return z }; w: T[2] = y$ } return w }",
        "fn main(x: T[2]) -> T[2] { z: T[2] = relax.exp(x); dataflow { y$: T[2] = z; w: T[2] = y$ } return w }",
    );
    let used_inside = "fn main(x: T[2]) -> T[2] {
        dataflow { d$: T[2] = relax.exp(x); y: T[2] = { block { z: T[2] = relax.exp(d$) } return z } } return y }";
    let place = "<root>.functions[I.GlobalVar(\"main\")].body.blocks[0].bindings[1].value.blocks[0].bindings[0]";
    fails(used_inside, ErrorKind::Malformed, place, "`d` is used after its dataflow block");
    let used_later = "fn main(x: T[2]) -> T[2] {
        dataflow { d$: T[2] = relax.exp(x); y: T[2] = { block { z: T[2] = relax.exp(x) } return z }; w: T[2] = d$ } return w }";
    let place = "<root>.functions[I.GlobalVar(\"main\")].body.blocks[0].bindings[2]";
    fails(used_later, ErrorKind::Malformed, place, "`d` is used after its dataflow block");
    let as_operand = "fn main(x: T[2]) -> T[2] {
        dataflow { y: T[2] = relax.add(relax.exp(x), { block { z: T[2] = relax.exp(x) } return z }) } return y }";
    let place = "<root>.functions[I.GlobalVar(\"main\")].body.blocks[0].bindings[0]";
    fails(as_operand, ErrorKind::Malformed, place, "`lv` is used after its dataflow block");
}

#[test]
fn a_dataflow_variable_belongs_in_a_dataflow_block() {
    let program = "fn main(x: T[2]) -> T[2] { a$: T[2] = relax.add(x, x); return x }";
    let place = "<root>.functions[I.GlobalVar(\"main\")].body.blocks[0].bindings[0]";
    fails(program, ErrorKind::Malformed, place, "`a` is bound outside of a dataflow block");
}

#[test]
fn a_function_in_a_dataflow_block_has_ordinary_variables() {
    same(
        "fn main(x: T[2]) -> T[2] { dataflow { f: Fn(T[2]) -> T[2] = fn(y: T[2]) -> T[2] { return relax.exp(relax.exp(y)) } } return x }",
        "fn main(x: T[2]) -> T[2] { dataflow { f: Fn(T[2]) -> T[2] = fn(y: T[2]) -> T[2] { a: T[2] = relax.exp(y); b: T[2] = relax.exp(a); return b } } return x }",
    );
}

#[test]
fn calls_of_loop_programs_have_literal_tuples() {
    same(
        "prim fn f: Fn!(T[2], T[2], T[2]) -> Tup() fn main(t: Tup(T[2], T[2])) -> T[2] { y: T[2] = relax.call_tir(@f, t)<T[2]>; return y }",
        "prim fn f: Fn!(T[2], T[2], T[2]) -> Tup() fn main(t: Tup(T[2], T[2])) -> T[2] { a: T[2] = t.0; b: T[2] = t.1; y: T[2] = relax.call_tir(@f, (a, b))<T[2]>; return y }",
    );
    same(
        "prim fn f: Fn!(T[2], T[2]) -> Tup() fn main(x: T[2]) -> T[2] { t: Tup(T[2]) = (x); u: Tup(T[2]) = t; y: T[2] = relax.call_tir(@f, u)<T[2]>; return y }",
        "prim fn f: Fn!(T[2], T[2]) -> Tup() fn main(x: T[2]) -> T[2] { t: Tup(T[2]) = (x); u: Tup(T[2]) = t; y: T[2] = relax.call_tir(@f, (x))<T[2]>; return y }",
    );
    // The fields of the tuple are not visible after the dataflow block.
    same(
        "prim fn f: Fn!(T[2], T[2]) -> Tup() fn main(x: T[2]) -> T[2] { dataflow { a$: T[2] = relax.exp(x); t: Tup(T[2]) = (a$) } y: T[2] = relax.call_tir(@f, t)<T[2]>; return y }",
        "prim fn f: Fn!(T[2], T[2]) -> Tup() fn main(x: T[2]) -> T[2] { dataflow { a$: T[2] = relax.exp(x); t: Tup(T[2]) = (a$) } b: T[2] = t.0; y: T[2] = relax.call_tir(@f, (b))<T[2]>; return y }",
    );
    let place = "<root>.functions[I.GlobalVar(\"main\")].body.blocks[0].bindings[0].value.args[1]";
    let program = "prim fn f fn main(x: T[2]) -> T[2] { y: T[2] = relax.call_tir(@f, x)<T[2]>; return y }";
    fails(program, ErrorKind::TypeMismatch, place, "expected a tuple");
}

#[test]
fn a_missing_annotation_of_the_result_is_filled_in() {
    same("fn main(x: T[2]) { return x }", "fn main(x: T[2]) -> T[2] { return x }");
    same(
        "fn main(x: T[2]) { y: T(1) = match(x, T[n]); return y }",
        "fn main(x: T[2]) -> T(1) { y: T(1) = match(x, T[n]); return y }",
    );
}

#[test]
fn a_function_with_a_new_body_gets_a_more_specific_result() {
    same(
        "fn main(x: T[n]) -> T(1) { g: T[n] = { h: T[n] = relax.exp(x); return h }; return g }",
        "fn main(x: T[n]) -> T[n] { h: T[n] = relax.exp(x); g: T[n] = h; return g }",
    );
    // A function in normal form keeps its annotation.
    let normal = "fn main(x: T[n]) -> T(1) { h: T[n] = relax.exp(x); g: T[n] = h; return g }";
    same(normal, normal);
    // So does a function whose body does not fit it.
    same(
        "fn main(x: T[n]) -> T[2] { g: T[n] = { h: T[n] = relax.exp(x); return h }; return g }",
        "fn main(x: T[n]) -> T[2] { h: T[n] = relax.exp(x); g: T[n] = h; return g }",
    );
}

#[test]
fn known_facts_become_constants() {
    let x = Var::of("x", TensorStructInfo::of((2, 3), "float32").expect("a data type"));
    let rank: RelaxExpr = op::inspect::tensor_ndim(&x).into();
    let normal = Normalizer::new().expr(&rank).expect("a normal form");
    assert_eq!(normal.as_object().view().type_key(), "relax.expr.PrimValue");
    let unknown: RelaxExpr = op::inspect::tensor_ndim(Var::of("y", TensorStructInfo::unknown())).into();
    let normal = Normalizer::new().expr(&unknown).expect("a normal form");
    assert_eq!(normal.as_object().view().type_key(), "relax.expr.Call");
}

#[test]
fn single_expressions() {
    let nothing: StructInfo = TupleStructInfo::of([]).into();
    let void: RelaxExpr = (&Var::of("u", nothing)).into();
    assert!(!is_normal(&void));
    let normal = Normalizer::new().expr(&void).expect("a normal form");
    assert!(normal.is::<Tuple>() && is_normal(&normal));
    let unknown = Normalizer::new().expr(&(&Var::named("v")).into()).expect_err("nothing is known about it");
    assert_eq!(unknown.kind(), ErrorKind::MissingField);
    let x = Var::of("x", TensorStructInfo::of([2], "float32").expect("a data type"));
    let flat: RelaxExpr = op::exp(&x).into();
    let normal = Normalizer::new().expr(&flat).expect("a normal form");
    assert!(normal.struct_info.is_some() && is_normal(&normal) && structural_equal(&normal, &flat));
}

/// In a normal module, calls have structural information, so nothing needs the information of a global variable.
#[test]
fn a_normal_module_comes_back() {
    let nested = module("fn f(x: T[2]) -> T[2] { return x } fn main(y: T[2]) -> T[2] { return relax.exp(@f(y)) }");
    assert!(nested.functions.keys().all(|var| var.struct_info.is_none()));
    let normal = Normalizer::new().module(&nested).expect("a normal form");
    assert!(normal.functions.keys().all(|var| var.struct_info.is_some()));
    let flat = Normalizer::new().module(&module("fn main(y: T[2]) -> T[2] { return y }")).expect("a normal form");
    for module in [normal, flat] {
        let again = Normalizer::new().module(&module).expect("a normal form");
        assert!(again.ptr_eq(&module));
    }
}

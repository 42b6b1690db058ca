//! The cost of types, structural information and derivations on large and hostile values: linear, and without recursion.

use std::collections::HashSet;

use object_core::prelude::*;
use object_core::steps::{self, count};
use object_core::visit::walk;
use object_ir::ir::{
    BindingBlock, Call, DictAttrs, FuncStructInfo, Function, ObjectStructInfo, RelaxExpr, SeqExpr, StructInfo,
    TensorStructInfo, Tuple, TupleStructInfo, Var, VarBinding,
};
use object_ir::tir;
use object_relax::analysis::free_vars;
use object_relax::arith::Analyzer;
use object_relax::derivation::Derivation;
use object_relax::op;
use object_relax::struct_info::{
    Compatibility, VarMap, check_compatibility, erase_struct_info, erase_to_well_defined, get_shape_var_mapping,
    type_of, unify, wrap_type,
};
use object_relax::ty::{find_glb, find_lub, is_subtype};

use crate::common::in_small_stack;

/// A function that adds its parameter to itself again and again, with a binding for each sum.
fn chain(bindings: usize) -> Function {
    let n = tir::Var::dim("n");
    let x = Var::of("x", TensorStructInfo::of((&n, 4), "float32").unwrap());
    let mut last = x.clone();
    let sums = (0..bindings).map(|_| {
        let sum = Var::named("v");
        let binding = VarBinding::new(&sum, op::add(&last, &x));
        last = sum;
        binding.into()
    });
    let block = BindingBlock::new(sums.collect::<Vec<_>>());
    let body = SeqExpr::new([block], &last);
    Function::new(DictAttrs::new(Map::new([])), [x], body, ObjectStructInfo::any(), true)
}

#[test]
fn a_hundred_thousand_bindings_are_derived_without_recursion() {
    in_small_stack(|| {
        let derived = Derivation::new().function(&chain(100_000)).expect("the function is well-typed");
        assert!(derived.findings().is_empty());
        let last = derived.result.body.body.struct_info.clone().expect("the result is derived");
        assert_eq!(
            last.downcast_ref::<TensorStructInfo>().map(|info| (info.ndim, info.shape.is_some())),
            Some((2, true))
        );
        // A derived program is derived, so a second derivation changes nothing.
        let again = Derivation::new().function(&derived.result).expect("the function is well-typed");
        assert!(again.result.ptr_eq(&derived.result));
    });
}

/// The recursion takes its stack from the heap, less than a kilobyte for each level, so only memory limits the depth.
#[test]
fn a_million_nested_calls_are_derived() {
    in_small_stack(|| {
        let x = Var::of("x", TensorStructInfo::of([2], "float32").unwrap());
        let nest = (0..1_000_000).fold(RelaxExpr::from(&x), |inner, _| op::exp(inner).into());
        assert_eq!(free_vars(&nest).len(), 1);
        let derived = Derivation::new().expr(&nest).expect("the calls are well-typed").result;
        assert!(derived.struct_info.as_ref().unwrap().ptr_eq(x.struct_info.as_ref().unwrap()));
    });
}

/// Results with the shape of an argument share its structural information, so a derivation makes no object for them.
#[test]
fn equal_results_share_one_object() {
    for bindings in [10, 1000] {
        let derived = Derivation::new().function(&chain(bindings)).expect("the function is well-typed").result;
        let mut infos = HashSet::new();
        walk(&derived, |call: &Call, _| {
            infos.insert(call.struct_info.as_ref().expect("the call is derived").as_object().clone());
        });
        assert_eq!(infos.len(), 1);
    }
}

/// The steps of an operation on a value of some size.
fn steps_of<T>(value: &T, operation: impl Fn(&T)) -> u64 {
    count(u64::MAX, || operation(value)).expect("the work has no limit")
}

/// Checks that values of ten times the size cost at most eleven times the steps.
#[track_caller]
fn check_linear<T>(name: &str, make: impl Fn(usize) -> T, operation: impl Fn(&T)) {
    let [small, large] = [1_000, 10_000].map(|size| steps_of(&make(size), &operation));
    if steps::COUNTS {
        assert!(small > 0 && large <= small * 11, "{name}: {small} steps, and {large} for the tenfold size");
    }
}

/// A tuple in a tuple in a tuple, around a tensor.
fn deep(depth: usize) -> StructInfo {
    let leaf: StructInfo = TensorStructInfo::of([tir::Var::dim("n")], "float32").unwrap().into();
    (0..depth).fold(leaf, |info, _| TupleStructInfo::of([info]).into())
}

/// A function of a function of a function, each of which binds a variable.
fn deep_functions(depth: usize) -> StructInfo {
    let param = || TensorStructInfo::of([tir::Var::dim("n")], "float32").unwrap();
    (0..depth).fold(ObjectStructInfo::any().into(), |info, _| FuncStructInfo::of([param().into()], info).into())
}

#[test]
fn costs_are_linear() {
    check_linear("derivation of bindings", chain, |function| drop(Derivation::new().function(function).unwrap()));
    let tuples = |depth: usize| (deep(depth), deep(depth));
    check_linear("erase_struct_info", tuples, |(a, _)| drop(erase_struct_info(a)));
    check_linear("erase_to_well_defined", tuples, |(a, _)| {
        drop(erase_to_well_defined(a, &VarMap::new(), &Analyzer::for_shapes()));
    });
    check_linear("check_compatibility", tuples, |(a, b)| {
        assert_eq!(check_compatibility(a, b, &Analyzer::for_shapes()), Compatibility::Possible);
    });
    check_linear("unify", tuples, |(a, b)| drop(unify(a, b, &Analyzer::for_shapes())));
    check_linear("get_shape_var_mapping", tuples, |(a, b)| assert_eq!(get_shape_var_mapping(a, b).len(), 1));
    let types = |depth: usize| (type_of(&deep(depth)), type_of(&deep(depth)));
    check_linear("is_subtype", types, |(a, b)| assert!(is_subtype(a, b)));
    check_linear("find_lub", types, |(a, b)| drop(find_lub(a, b)));
    check_linear("find_glb", types, |(a, b)| assert!(find_glb(a, b).is_some()));
    check_linear("wrap_type", types, |(a, _)| drop(wrap_type(a).unwrap()));
}

#[test]
fn deep_values_need_no_stack() {
    in_small_stack(|| {
        let analyzer = Analyzer::for_shapes();
        let (a, b) = (deep(100_000), deep(100_000));
        assert_eq!(check_compatibility(&a, &b, &analyzer), Compatibility::Possible);
        assert!(is_subtype(&type_of(&unify(&a, &b, &analyzer)), &type_of(&a)));
        // The variables of each function are renamed in all functions in it.
        let (f, g) = (deep_functions(300), deep_functions(300));
        assert_eq!(check_compatibility(&f, &g, &analyzer), Compatibility::Compatible);
        let nested = (0..100_000).fold(Tuple::new([]), |tuple, _| Tuple::new([tuple.into()]));
        let derived = Derivation::new().expr(&nested.into()).expect("the tuple is well-typed");
        assert!(derived.result.struct_info.is_some());
    });
}

/// Values whose trees have 2 to the power of 60 nodes.
#[test]
fn shared_parts_cost_once() {
    let analyzer = Analyzer::for_shapes();
    let doubled = || {
        let leaf: StructInfo = TensorStructInfo::of([tir::Var::dim("n")], "float32").unwrap().into();
        (0..60).fold(leaf, |info, _| TupleStructInfo::of([info.clone(), info]).into())
    };
    let (a, b) = (doubled(), doubled());
    assert_eq!(check_compatibility(&a, &b, &analyzer), Compatibility::Possible);
    assert!(is_subtype(&type_of(&a), &type_of(&unify(&a, &b, &analyzer))));
    assert_eq!(get_shape_var_mapping(&a, &b).len(), 1);
    let x: RelaxExpr = Var::of("x", TensorStructInfo::unknown()).into();
    let sum = (0..60).fold(x, |sum, _| op::add(&sum, &sum).into());
    let derived = Derivation::new().expr(&sum).expect("the sum is well-typed");
    let [a, b] = derived.result.downcast_ref::<Call>().expect("a call").args.as_slice() else {
        panic!("two arguments")
    };
    assert!(a.ptr_eq(b));
}

/// Each level binds a variable that the levels below use, so that each path gives other terms: the answer may be unknown,
/// but it comes.
#[test]
fn hostile_functions_end() {
    let analyzer = Analyzer::for_shapes();
    let hostile = || {
        let vars: Vec<_> = (0..40).map(|_| tir::Var::dim("n")).collect();
        let leaf: StructInfo = TensorStructInfo::of(vars.clone(), "float32").unwrap().into();
        vars.iter().fold(leaf, |info, var| {
            let param = TensorStructInfo::of([var], "float32").unwrap();
            FuncStructInfo::of([param.into(), info.clone()], info).into()
        })
    };
    let (a, b) = (hostile(), hostile());
    assert_ne!(check_compatibility(&a, &b, &analyzer), Compatibility::Incompatible);
    let both = unify(&a, &b, &analyzer);
    assert_ne!(check_compatibility(&a, &both, &analyzer), Compatibility::Incompatible);
    let erased = erase_to_well_defined(&a, &VarMap::new(), &analyzer);
    assert_ne!(check_compatibility(&a, &erased, &analyzer), Compatibility::Incompatible);
}

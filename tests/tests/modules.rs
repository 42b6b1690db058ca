//! Modules: functions with the same name correspond, even if their keys differ.

use object_core::prelude::*;
use object_ir::ir::{BaseFunc, DataflowVar, DictAttrs, ExternFunc, GlobalVar, IRModule, Id, RelaxExpr, SourceMap, Var};

/// A module of external functions, which their symbols distinguish, with a list of names.
fn module(functions: &[(&GlobalVar, &str)], listed: &[&GlobalVar]) -> IRModule {
    let function = |symbol: &str| -> BaseFunc { ExternFunc::new(DictAttrs::new([]), symbol).into() };
    let functions = functions.iter().map(|(var, symbol)| ((*var).clone(), function(symbol)));
    let listed: Map<Str, GlobalVar> = listed.iter().map(|var| (var.name_hint.clone(), (*var).clone())).collect();
    IRModule::new(functions.collect::<Map<_, _>>(), listed, SourceMap::new([]), DictAttrs::new([]), [])
}

#[test]
fn equal_modules_hash_equal_for_every_list_of_names() {
    let [f, g, unused] = ["f", "g", "unused"].map(GlobalVar::new);
    let [other_f, other_g] = ["f", "g"].map(GlobalVar::new);
    let sorted = module(&[(&f, "a"), (&g, "b")], &[&f, &g]);
    let equal = [
        ("in another order", module(&[(&other_g, "b"), (&other_f, "a")], &[&other_g, &other_f])),
        ("a list without names", module(&[(&other_f, "a"), (&other_g, "b")], &[])),
        ("a list with one of them", module(&[(&other_f, "a"), (&other_g, "b")], &[&other_g])),
        ("a name without a function", module(&[(&other_f, "a"), (&other_g, "b")], &[&unused, &other_f])),
    ];
    for (what, other) in equal {
        assert!(structural_equal(&sorted, &other) && structural_equal(&other, &sorted), "{what}");
        assert_eq!(structural_hash(&sorted), structural_hash(&other), "{what}");
    }
    for other in [module(&[(&f, "b"), (&g, "a")], &[]), module(&[(&f, "a")], &[&f, &g])] {
        assert!(!structural_equal(&sorted, &other));
        assert_ne!(structural_hash(&sorted), structural_hash(&other));
    }
}

#[test]
fn two_keys_of_one_name_differ_by_the_list_of_names() {
    let [first, second, other] = ["f"; 3].map(GlobalVar::new);
    let functions = [(&first, "a"), (&second, "a")];
    let [unlisted, of_first] = [&[][..], &[&first]].map(|listed| module(&functions, listed));
    // Without the list, the name binds the first key.
    assert!(structural_equal(&unlisted, &of_first));
    assert_eq!(structural_hash(&unlisted), structural_hash(&of_first));
    // Nothing binds a second key with the same name, so this key equals only itself.
    let of_first_again = module(&[(&other, "a"), (&second, "a")], &[&other]);
    assert!(structural_equal(&of_first, &of_first_again));
    assert_eq!(structural_hash(&of_first), structural_hash(&of_first_again));
}

/// TVM 0.25 prints such a key in a path as the name of the variable.
#[test]
fn keys_that_are_variables_have_their_names_in_paths() {
    let [var, dataflow_var]: [RelaxExpr; 2] =
        [Var::new(Id::new("shape")).into(), DataflowVar::new(Id::new("df")).into()];
    for (key, label) in [(var, "<root>[shape]"), (dataflow_var, "<root>[df]")] {
        let [lhs, rhs] = [1, 2].map(|value| [(key.clone(), value)].into_iter().collect::<Map<RelaxExpr, i64>>());
        let mismatch = structural_first_mismatch(&lhs, &rhs).expect("comparable").expect("different");
        assert_eq!([mismatch.lhs.to_string(), mismatch.rhs.to_string()], [label, label]);
    }
}

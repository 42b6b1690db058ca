//! Variables of a value, substitution and renaming.

use crate::demo::{Add, Bind, Expr, Lambda, Let, Seq, Table, Var, add, imm, var};
use object_core::prelude::*;
use object_core::rewrite::{FreshVars, Substitution, alpha_rename, substitute};
use object_core::visit::{ScopeTypes, bound_vars, free_vars, walk};

fn names(vars: &[ObjectRef]) -> Vec<String> {
    vars.iter().map(|var| var.downcast_ref::<Var>().unwrap().name.to_string()).collect()
}

fn lexical() -> ScopeTypes {
    ScopeTypes::new().closing::<Lambda>().closing::<Let>().closing::<Seq>()
}

/// A text that writes variables by name, so it does not distinguish variables of one name.
fn show(value: &Expr) -> String {
    if let Some(var) = value.downcast_ref::<Var>() {
        return var.name.to_string();
    }
    if let Some(sum) = value.downcast_ref::<Add>() {
        return format!("({} + {})", show(&sum.lhs), show(&sum.rhs));
    }
    if let Some(lambda) = value.downcast_ref::<Lambda>() {
        let params: Vec<_> = lambda.params.as_slice().iter().map(|param| param.name.as_str()).collect();
        return format!("\\{}.{}", params.join(" "), show(&lambda.body));
    }
    if let Some(bind) = value.downcast_ref::<Bind>() {
        return format!("{} = {}", bind.var.name, show(&bind.value));
    }
    if let Some(seq) = value.downcast_ref::<Seq>() {
        return seq.items.as_slice().iter().map(show).collect::<Vec<_>>().join("; ");
    }
    format!("{value:?}").replace("demo.Imm(span=None, value=", "").replace(')', "")
}

#[test]
fn a_binding_is_in_force_for_the_rest_unless_its_scope_ends() {
    let (x, y, z) = (var("x"), var("y"), var("z"));
    let lambda: Expr = Lambda::new([x.clone()], add(x.clone(), y.clone())).into();
    let before = add(x.clone(), lambda.clone());
    let after = add(lambda.clone(), add(x.clone(), z.clone()));
    assert_eq!(names(&free_vars(&before)), ["x", "y"]);
    assert_eq!(names(&free_vars(&after)), ["y", "z"]);
    assert_eq!(names(&lexical().free_vars(&after)), ["y", "x", "z"]);
    assert_eq!(names(&bound_vars(&before)), ["x"]);
    // A binding in a sequence is in force to the end of the sequence.
    let seq = Seq::new([Expr::from(Bind::new(y.clone(), x.clone())), add(x.clone(), z.clone())]);
    assert_eq!(names(&lexical().free_vars(&add(seq.clone(), x.clone()))), ["y", "z", "x"]);
    assert_eq!(names(&free_vars(&add(seq, x))), ["y", "z"]);
}

#[test]
fn each_reference_to_a_shared_object_counts_with_the_bindings_around_it() {
    let x = var("x");
    let shared = add(x.clone(), imm(1));
    let inside = Lambda::new([x], shared.clone());
    assert_eq!(names(&lexical().free_vars(&inside)), [""; 0]);
    for value in [add(inside.clone(), shared.clone()), add(shared, inside)] {
        assert_eq!(names(&lexical().free_vars(&value)), ["x"]);
    }
    // The same applies to a shared object with a binding that is in force after it.
    let (a, b) = (var("a"), var("b"));
    let bind: Expr = Bind::new(imm(1), a.clone()).into();
    let twice = add(Seq::new([bind.clone(), a.clone().into()]), Seq::new([bind, add(a, b)]));
    assert_eq!(names(&lexical().free_vars(&twice)), ["b"]);
}

#[test]
fn def_binds_the_variables_in_the_fields_of_a_variable_and_def_simple_does_not() {
    let n = var("n");
    let x = Var::new("x", Some(n.clone().into()));
    assert_eq!(names(&free_vars(&Lambda::new([x.clone()], n.clone()))), [""; 0]);
    assert_eq!(names(&free_vars(&Let::new(imm(1), x, n))), ["n"]);
}

#[test]
fn values_replace_free_variables() {
    let (x, y) = (var("x"), var("y"));
    let e = add(Lambda::new([y.clone()], add(x.clone(), y.clone())), add(x.clone(), y.clone()));
    let new = substitute(e.clone(), [(x.clone(), imm(7))]).unwrap();
    assert_eq!(show(&new), "(\\y.(7 + y) + (7 + y))");
    // By default the binding of y does not end.
    assert!(substitute(e.clone(), [(y.clone(), imm(7))]).unwrap().ptr_eq(&e));
    let new = Substitution::new().scopes(lexical()).replace(&y, imm(7)).run(e).unwrap();
    assert_eq!(show(&new), "(\\y.(x + y) + (x + 7))");
    let table = Table::new([(Any::from(x.clone()), Any::from(x.clone()))]);
    let new = substitute(table, [(x, y.clone())]).unwrap();
    let (key, value) = new.entries.iter().next().unwrap();
    assert!(key.cast::<Var>().unwrap().ptr_eq(&y) && value.cast::<Var>().unwrap().ptr_eq(&y));
}

#[test]
fn binders_capture_no_variables_of_values() {
    let (x, y) = (var("x"), var("y"));
    let under = |params: &[&Var], body: Expr| -> Expr {
        Lambda::new(params.iter().map(|var| (*var).clone()).collect::<Vec<_>>(), body).into()
    };
    let put = |root: Expr, var: &Var, value: Expr| {
        let substitution = Substitution::new().scopes(lexical()).replace(var, value);
        // A graph that others refer to is checked while it is rewritten, and another graph before.
        let shared = show(&substitution.run(root.clone()).unwrap());
        assert_eq!(shared, show(&substitution.run(root).unwrap()));
        shared
    };
    assert_eq!(put(under(&[&y], add(x.clone(), y.clone())), &x, y.clone().into()), "\\y_1.(y + y_1)");
    // y is free outside of the binder, where it keeps its name.
    let e = add(y.clone(), add(under(&[&y], add(x.clone(), y.clone())), y.clone()));
    assert_eq!(put(e, &x, y.clone().into()), "(y + (\\y_1.(y + y_1) + y))");
    // Two values at once swap two variables.
    let new = substitute(add(x.clone(), y.clone()), [(x.clone(), y.clone()), (y.clone(), x.clone())]).unwrap();
    assert_eq!(show(&new), "(y + x)");
    // The inner binder hides the variable.
    let e = under(&[&y], add(x.clone(), under(&[&x], add(x.clone(), y.clone()))));
    assert_eq!(put(e, &x, add(y.clone(), y.clone())), "\\y_1.((y + y) + \\x.(x + y_1))");
    // A shared body, once below the binder and once outside of it.
    let body = add(x.clone(), y.clone());
    let e = add(body.clone(), under(&[&y], body));
    assert_eq!(put(e, &x, y.clone().into()), "((y + y) + \\y_1.(y + y_1))");
    // A binding in a sequence hides the variable in the rest of the sequence.
    let seq = Seq::new([x.clone().into(), Bind::new(x.clone(), x.clone()).into(), Expr::from(x.clone())]);
    assert_eq!(put(add(seq, x.clone()), &x, imm(7)), "(7; x = 7; x + 7)");
}

#[test]
fn a_shared_object_can_use_variables_in_one_place_and_bind_them_in_another() {
    let x = var("x");
    let vars = Array::from([x.clone()]);
    let lambda = Lambda::new(vars.clone(), x.clone());
    for root in [[Any::from(vars.clone()), lambda.clone().into()], [lambda.clone().into(), vars.into()]] {
        let root = Array::<Any>::from(root);
        let new = Substitution::new().scopes(lexical()).replace(&x, imm(7)).run(root.clone()).unwrap();
        for (old, new) in root.iter().zip(new.iter()) {
            match new.view().cast::<Array<Expr>>() {
                Ok(values) => assert_eq!(values.iter().map(|value| show(&value)).collect::<Vec<_>>(), ["7"]),
                Err(_) => assert_eq!(old, new),
            }
        }
    }
}

#[test]
fn renamed_values_have_new_variables_and_are_structurally_equal() {
    let (n, y) = (var("n"), var("y"));
    let x = Var::new("x", Some(n.clone().into()));
    let f = Lambda::new([n, x.clone()], add(x.clone(), Lambda::new([x.clone(), y.clone()], add(x, y.clone()))));
    let g = alpha_rename(f.clone()).unwrap();
    assert!(structural_equal(&f, &g));
    let mut old = Vec::new();
    walk(&f, |var: &Var, _| old.push(var.clone()));
    walk(&g, |var: &Var, _| assert!(old.iter().all(|old| !old.ptr_eq(var) && old.name != var.name)));
    // Free variables keep their identity.
    let e = add(y.clone(), var("z"));
    assert!(alpha_rename(e.clone()).unwrap().ptr_eq(&e));
}

#[test]
fn fresh_names_are_unused() {
    let mut fresh = FreshVars::new();
    fresh.avoid(&add(var("x"), add(var("x_1"), var("y_2"))));
    let given: Vec<String> = ["x", "x", "y", "y", "x_1", "z_", "z_"].map(|name| fresh.name(name)).to_vec();
    assert_eq!(given, ["x_2", "x_3", "y", "y_1", "x_4", "z_", "z__1"]);
}

#[test]
fn substitution_of_objects_without_one_variable_is_an_error() {
    let x = var("x");
    let error = substitute(Lambda::new([x.clone()], x.clone()), [(imm(1), imm(2))]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a `demo.Imm` cannot be substituted: it has no variable in its fields; give a variable, or an object with exactly one"
    );
    let error = substitute(Expr::from(Let::new(x.clone(), var("y"), imm(1))), [(x, Str::from("text"))]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "field `value` of `demo.Let`: expected `demo.Expr`, got `ffi.String` (at <root>.value)"
    );
}

#[test]
fn substitution_of_mixed_variables_in_shared_objects_is_fast() {
    let (x, y) = (var("x"), var("y"));
    let ladder = (0..60).fold(add(x.clone(), y.clone()), |below, _| add(below.clone(), below));
    let e = add(ladder.clone(), Lambda::new([y.clone()], ladder));
    let new = Substitution::new().scopes(lexical()).replace(&x, y.clone()).run(e).unwrap();
    let mut sums = 0;
    walk(&new, |_: &Add, _| sums += 1);
    assert_eq!(sums, 2 * 61 + 1);
    assert_eq!(names(&lexical().free_vars(&new)), ["y"]);
    // Shared binders whose bindings are in force after them.
    let binds = (0..60).fold(Expr::from(Bind::new(imm(1), y.clone())), |below, _| add(below.clone(), below));
    let e = add(x.clone(), add(y.clone(), add(binds, add(x.clone(), y.clone()))));
    assert_eq!(names(&lexical().free_vars(&e)), ["x", "y"]);
    let new = Substitution::new().scopes(lexical()).replace(&x, y.clone()).run(e).unwrap();
    let rhs = |value: &Expr| value.downcast_ref::<Add>().unwrap().rhs.clone().downcast::<Add>().unwrap();
    let sum = rhs(&new);
    assert!(sum.lhs.ptr_eq(&y));
    let rest = rhs(&sum.rhs);
    assert!(rest.lhs.ptr_eq(&y) && !rest.rhs.ptr_eq(&y));
}

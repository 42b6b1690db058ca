//! Small cases of faults in scopes that reviews found: verdicts, hashes and cost.

use object_core::prelude::*;
use object_core::structural::{HashCache, MismatchReason, Scopes, StructuralOptions};
use object_core::{Any, steps};

/// A variable.
#[derive(Object)]
#[object(type_key = "found.Var")]
#[structural_eq(var)]
pub struct VarNode {
    /// The type of its values.
    pub annotation: Any,
}

/// A function.
#[derive(Object)]
#[object(type_key = "found.Lambda")]
#[structural_eq(tree, scope)]
pub struct LambdaNode {
    /// The variables that it binds.
    #[field(def)]
    pub param: Var,
    /// Its result.
    pub body: Any,
}

/// A function that counts by identity.
#[derive(Object)]
#[object(type_key = "found.Procedure")]
#[structural_eq(dag, scope)]
pub struct ProcedureNode {
    /// The variables that it binds.
    #[field(def)]
    pub param: Var,
    /// Its result.
    pub body: Any,
}

/// A function of several variables.
#[derive(Object)]
#[object(type_key = "found.Lambdas")]
#[structural_eq(tree, scope)]
pub struct LambdasNode {
    /// The variables that it binds.
    #[field(def)]
    pub params: Array<Var>,
    /// Its result.
    pub body: Any,
}

/// Binds the variables in a value of any kind.
#[derive(Object)]
#[object(type_key = "found.Bind")]
#[structural_eq(tree)]
pub struct BindNode {
    /// The value in which all variables are bound.
    #[field(def)]
    pub pattern: Any,
    /// Its result.
    pub body: Any,
}

/// A name for a value. The scope of the name does not include the value.
#[derive(Object)]
#[object(type_key = "found.Let")]
#[structural_eq(tree, scope)]
pub struct LetNode {
    /// The value.
    #[field(outer)]
    pub value: Any,
    /// The variable that the value replaces.
    #[field(def_simple)]
    pub var: Var,
    /// The expression in which the value replaces the variable.
    pub body: Any,
}

/// Two values.
#[derive(Object)]
#[object(type_key = "found.Pair")]
#[structural_eq(tree)]
pub struct PairNode {
    /// The first one.
    pub first: Any,
    /// The second one.
    pub second: Any,
}

fn lexical() -> StructuralOptions {
    StructuralOptions::new().scopes(Scopes::Lexical)
}

fn lexical_hash(value: &Any) -> u64 {
    StructuralOptions::new().scopes(Scopes::Lexical).hash(value).expect("comparable")
}

fn var() -> Var {
    Var::new(Any::None)
}

fn lambda(param: &Var, body: impl Into<Any>) -> Any {
    Any::new(Lambda::new(param.clone(), body.into()))
}

fn pair(first: impl Into<Any>, second: impl Into<Any>) -> Any {
    Any::new(Pair::new(first.into(), second.into()))
}

fn keyed(key: impl Into<Any>, value: Any) -> Any {
    Map::<Any, Any>::from([(key.into(), value)]).into()
}

/// Checks two values that differ in sharing only.
fn check_sharing(once: &Any, twice: &Any) {
    assert!(lexical().equal(once, twice).expect("comparable"));
    assert_eq!(lexical_hash(once), lexical_hash(twice));
}

#[test]
fn a_key_that_a_scope_in_its_entry_binds_anew() {
    let (x, y) = (var(), var());
    let (a, b) = (keyed(x.clone(), lambda(&x, x.clone())), keyed(x, lambda(&y, y.clone())));
    assert!(lexical().equal(&a, &b).expect("comparable"));
    assert_eq!(lexical_hash(&a), lexical_hash(&b));
}

#[test]
fn a_variable_of_an_annotation_may_also_occur_in_the_body() {
    // The annotation is in a definition region, and the body is not.
    let x = var();
    let list = || Any::new(Array::from([x.clone(), x.clone(), x.clone()]));
    let open = || {
        let list = list();
        Any::new(Let::new(list.clone(), x.clone(), list))
    };
    let shared = open();
    check_sharing(&lambda(&Var::new(shared.clone()), shared), &lambda(&Var::new(open()), open()));
}

#[test]
fn a_diff_reports_one_change_in_scopes_as_one_difference() {
    let id = || {
        let x = var();
        lambda(&x, x.clone())
    };
    let once = id();
    let (a, b) = (pair(pair(once.clone(), once), 1), pair(pair(id(), id()), 2));
    let found = lexical().diff(&a, &b, 10).expect("comparable");
    let paths: Vec<String> = found.iter().map(|it| it.lhs.to_string()).collect();
    assert_eq!(paths, ["<root>.second"], "{found:?}");
    // A binding does not leak out of its scope.
    let (x, y) = (var(), var());
    let (a, b) = (pair(pair(lambda(&x, x.clone()), x), 1), pair(pair(lambda(&y, y.clone()), y), 2));
    let found = lexical().diff(&a, &b, 10).expect("comparable");
    let paths: Vec<String> = found.iter().map(|it| it.lhs.to_string()).collect();
    assert_eq!(paths, ["<root>.first.second", "<root>.second"], "{found:?}");
    assert!(matches!(found[0].reason, MismatchReason::Binding { .. }));
}

/// Hashes and compares two values. Without linear cost, this would not terminate in practice.
fn check_cost(make: impl Fn() -> Any) {
    let (a, b) = (make(), make());
    assert_eq!(lexical_hash(&a), lexical_hash(&b));
    assert!(lexical().equal(&a, &b).expect("comparable"));
}

#[test]
fn an_open_term_that_sibling_scopes_share() {
    check_cost(|| {
        let y = var();
        let body =
            (0..60).fold(pair(y.clone(), 1), |below, _| pair(lambda(&var(), below.clone()), lambda(&var(), below)));
        lambda(&y, body)
    });
}

#[test]
fn closed_terms_in_deep_scopes() {
    check_cost(|| (0..200).fold(Any::Int(0), |below, _| pair(lambda(&var(), below.clone()), lambda(&var(), below))));
}

#[test]
fn a_shared_term_in_an_entry_with_an_unbound_key() {
    let make = || {
        let step = |below: Any, _| {
            let x = var();
            pair(pair(below.clone(), lambda(&x, x.clone())), below)
        };
        keyed(pair(1, 2), (0..60).fold(pair(var(), 1), step))
    };
    assert_eq!(lexical_hash(&make()), lexical_hash(&make()));
}

/// Checks that a cache hashes these values, one after the other, as a call without it does.
fn check_caches(values: &[&Any]) {
    let mut cache = HashCache::new();
    for round in 0..2 {
        for (number, value) in values.iter().enumerate() {
            let cached = lexical().hash_cached(*value, &mut cache).expect("comparable");
            assert_eq!(cached, lexical_hash(value), "value {number} in round {round}");
        }
    }
}

#[test]
fn a_scope_in_a_definition_region_and_outside_of_it() {
    // The region binds `v` in the first use of the scope, and the scope uses it free in the second one.
    let v = var();
    let scope = || Any::new(Lambdas::new(Array::<Var>::from([]), Any::new(v.clone())));
    let shared = scope();
    let once = Any::new(Bind::new(shared.clone(), shared.clone()));
    let twice = Any::new(Bind::new(scope(), scope()));
    check_sharing(&once, &twice);
    check_caches(&[&once, &twice, &shared, &pair(v.clone(), shared.clone()), &once]);
}

#[test]
fn a_scope_in_a_cache_and_in_another_scope() {
    let (x, y) = (var(), var());
    let typed = Var::new(Any::new(y.clone()));
    let lambdas = |params: [Var; 2], body: &Any| Any::new(Lambdas::new(Array::from(params), body.clone()));
    let inner = lambdas([typed.clone(), x.clone()], &Any::new(x.clone()));
    let outer = lambdas([typed.clone(), typed], &inner);
    let value = pair(inner, pair(outer, 1));
    let mixed = pair(x, pair(value.clone(), pair(y, value.clone())));
    check_caches(&[&value, &mixed, &value]);
}

#[test]
fn a_fact_before_a_shared_object_also_counts_in_the_object() {
    // Both scopes use the shared binder right after a use of its variable.
    let v = var();
    let binder =
        Any::new(Bind::new(Any::new(v.clone()), Any::new(Bind::new(Any::new(v.clone()), Any::new(v.clone())))));
    let binder = pair(binder.clone(), binder);
    let scope = Any::new(Lambdas::new(Array::from([v.clone(), v.clone()]), binder.clone()));
    let named = Any::new(Let::new(binder, v.clone(), Any::new(v)));
    let value = Any::new(Array::from([scope, named]));
    check_caches(&[&value, &pair(1, value.clone())]);
}

/// A level of a tower over two uses of the level below, and over three variables.
type Level<'a> = &'a dyn Fn(usize, [Any; 2], &[Var]) -> Any;

/// The steps of each operation on two towers of so many levels, and on two towers that differ at the bottom. The left
/// side shares at even levels, the right one at odd levels.
fn steps_of(levels: usize, level: Level<'_>) -> Vec<(&'static str, u64)> {
    let build = |parity: usize, leaf: i64| {
        let vars = [var(), var(), var()];
        let uses = vars.iter().fold(Any::Int(leaf), |below, var| pair(below, var.clone()));
        let tower = (0..levels).fold(uses, |below, number| {
            let is_shared = number % 2 == parity;
            let twin = if is_shared { below.clone() } else { twin(&below) };
            level(number, [below, twin], &vars)
        });
        vars.iter().fold(tower, |below, var| lambda(var, below))
    };
    let (a, b, other) = (build(0, 1), build(1, 1), build(0, 2));
    let run = |name: &'static str, operation: &mut dyn FnMut()| {
        (name, steps::count(5_000_000, operation).unwrap_or_else(|| panic!("too many steps of {name}")))
    };
    let (mut equal, mut differ, mut same) = (false, true, 0);
    let found = vec![
        run("hash", &mut || same = lexical_hash(&a)),
        run("equal", &mut || equal = lexical().equal(&a, &b).expect("comparable")),
        run("mismatch", &mut || drop(lexical().first_mismatch(&a, &other).expect("comparable"))),
        run("diff", &mut || differ = !lexical().diff(&a, &other, 100).expect("comparable").is_empty()),
        run("cached", &mut || {
            lexical().hash_cached(&a, &mut HashCache::new()).expect("comparable");
        }),
    ];
    assert!(equal && differ);
    assert_eq!(same, lexical_hash(&b));
    found
}

/// Four times as many levels take at most about four times as many steps. Results that depended on the surrounding
/// scopes took twice as many steps with each level.
fn check_steps(level: Level<'_>) {
    if steps::COUNTS {
        for ((operation, few), (_, many)) in steps_of(12, level).into_iter().zip(steps_of(48, level)) {
            assert!(many <= 8 * few, "{operation}: {few} steps for 12 levels, {many} for 48");
        }
    }
}

/// A copy of an object that refers to the same objects.
fn twin(value: &Any) -> Any {
    if let Ok(node) = value.clone().cast::<Pair>() {
        return pair(node.first.clone(), node.second.clone());
    }
    match value.clone().cast::<Array<Any>>() {
        Ok(items) => Any::new(items.iter().collect::<Array<Any>>()),
        Err(_) => value.clone(),
    }
}

#[test]
fn a_scope_of_one_variable_beside_its_body() {
    check_steps(&|_, [first, second], vars| pair(lambda(&vars[0], first), second));
}

#[test]
fn a_body_beside_its_scope() {
    check_steps(&|_, [first, second], vars| pair(first, lambda(&vars[0], second)));
}

#[test]
fn scopes_of_variables_in_turn_beside_their_bodies() {
    check_steps(&|level, [first, second], vars| pair(lambda(&vars[level % 2], first), second));
    check_steps(&|level, [first, second], vars| pair(lambda(&vars[level % 3], first), second));
}

#[test]
fn scopes_that_swap_variables() {
    // Each level binds the variables in both orders, so the body has twice as many combinations of binders.
    check_steps(&|_, [first, second], vars| {
        let bind = |first: &Var, second: &Var, body: Any| lambda(first, lambda(second, body));
        pair(bind(&vars[0], &vars[1], first), bind(&vars[1], &vars[0], second))
    });
}

#[test]
fn scopes_of_unused_variables_at_unequal_depth() {
    check_steps(&|_, [first, second], _| pair(lambda(&var(), first), second));
}

#[test]
fn maps_with_an_object_key_around_scopes() {
    let key = pair(1, 2);
    check_steps(&|_, [first, second], _| {
        let x = var();
        let scope = lambda(&x, pair(first.clone(), x.clone()));
        keyed(key.clone(), Any::new(Array::from([first, scope, second])))
    });
}

#[test]
fn binders_around_scopes_that_nothing_else_refers_to() {
    // The binder binds its variable in each scope anew, so its result cannot be remembered.
    check_steps(&|_, [first, second], vars| {
        let scope = lambda(&vars[0], first);
        Any::new(Bind::new(Any::new(vars[1].clone()), pair(scope, second)))
    });
}

#[test]
fn dag_scopes_beside_their_bodies() {
    let procedure = |var: &Var, body: Any| Any::new(Procedure::new(var.clone(), body));
    check_steps(&|_, [first, second], vars| pair(procedure(&vars[0], first), second));
    check_steps(&|_, [first, second], vars| pair(first, procedure(&vars[0], second)));
}

/// The end of a value, made of the `dag` nodes of its shared term and of another one.
type End<'a> = &'a dyn Fn(&[Any], Any) -> Any;

/// A shared term binds its `dag` nodes in each scope around it, also where the result about the term is remembered.
#[test]
fn a_remembered_term_binds_its_dag_nodes_again() {
    let side = |last: End<'_>| {
        let var = Var::new(Any::None);
        let procedure = || Any::new(Procedure::new(var.clone(), pair(Any::new(var.clone()), Any::new(var.clone()))));
        let all: Vec<Any> = (0..8).map(|_| procedure()).collect();
        let shared = all.iter().cloned().fold(Any::None, pair);
        let scope = |body: Any| Any::new(Lambda::new(var.clone(), body));
        pair(scope(shared.clone()), scope(pair(shared, last(&all, procedure()))))
    };
    let map = |first: &Any, second: &Any| {
        Any::from(Map::<Any, Any>::from([(first.clone(), Any::from(1)), (second.clone(), Any::from(2))]))
    };
    let ends: [End<'_>; 7] = [
        &|all, _| all[3].clone(),
        &|all, _| all[4].clone(),
        &|_, other| other,
        &|all, _| map(&all[1], &all[6]),
        &|all, _| map(&all[6], &all[1]),
        &|all, other| pair(all[3].clone(), other),
        &|all, _| Any::new(Lambda::new(Var::new(Any::None), all[3].clone())),
    ];
    for (i, x) in ends.iter().enumerate() {
        for (j, y) in ends.iter().enumerate() {
            assert_eq!(lexical().equal(&side(x), &side(y)).expect("comparable"), i == j, "{i} and {j}");
        }
    }
}

/// A diff names the place at which a remembered term bound a `dag` node again, in the scope around the difference.
#[test]
fn a_diff_names_where_a_remembered_term_bound_its_dag_nodes() {
    let side = |last: usize| {
        let var = var();
        let all: Vec<Any> = (0..4).map(|_| Any::new(Procedure::new(var.clone(), Any::new(var.clone())))).collect();
        let shared = all.iter().cloned().fold(Any::None, pair);
        let scope = |body: Any| lambda(&var, body);
        // The diff walks the inner term in the first scope, and the outer one in the second scope, where the inner one is
        // remembered. In the third scope, the outer one is remembered.
        let outer = pair(0, shared.clone());
        pair(scope(shared), pair(scope(outer.clone()), scope(pair(outer, all[last].clone()))))
    };
    let (a, b) = (side(1), side(2));
    let found = lexical().diff(&a, &b, 10).expect("comparable");
    assert_eq!(found.len(), 1, "{found:?}");
    let MismatchReason::Binding { lhs: Some(lhs), rhs: Some(rhs) } = &found[0].reason else { panic!("{found:?}") };
    assert_eq!(found[0].lhs.to_string(), "<root>.second.second.body.second");
    let earlier = "<root>.second.second.body.first.second";
    assert_eq!(lhs.lhs.to_string(), format!("{earlier}.first.first.second"));
    assert_eq!(rhs.rhs.to_string(), format!("{earlier}.first.second"));
    assert_eq!((&lhs.lhs, &rhs.lhs), (&lhs.rhs, &rhs.rhs));
}

//! Small cases of faults in scopes that reviews found: verdicts, hashes and cost.

use object_core::Any;
use object_core::prelude::*;
use object_core::structural::{MismatchReason, Scopes, StructuralOptions};

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

#[test]
fn a_scope_in_a_cache_and_in_another_scope() {
    use object_core::structural::HashCache;
    let v: Vec<Var> = (0..2).map(|_| var()).collect();
    let t0 = Var::new(Any::new(v[1].clone()));
    let lams = |ps: Vec<Var>, body: Any| Any::new(Lambdas::new(ps.into_iter().collect::<Array<Var>>(), body));
    let s1 = lams(vec![t0.clone(), v[0].clone()], Any::new(v[0].clone()));
    for again in [Any::new(v[0].clone()), s1.clone()] {
        let s2 = lams(vec![t0.clone()], again);
        let left = Any::new(Array::from([s1.clone(), Any::new(Array::from([s2]))]));
        let mut cache = HashCache::new();
        for value in [&left, &pair(v[0].clone(), pair(left.clone(), pair(v[1].clone(), left.clone()))), &left] {
            assert_eq!(lexical_hash(value), lexical().hash_cached(value, &mut cache).unwrap());
        }
    }
}
/// A function.
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

//! Small cases that the random graphs found.

use object_core::prelude::*;
use object_core::structural::{Scopes, StructuralOptions};

use crate::types::*;

/// A map gives numbers to its own keys during the hash, and occurs again as the same object or as a copy.
#[test]
fn maps_that_number_their_own_keys_hash_the_same_again() {
    let x = Var::new("x");
    let map = || Map::<Any, Any>::from([(Any::Int(0), x.clone().into()), (x.clone().into(), Any::Int(0))]);
    let shared = map();
    let (a, b) = (Array::from([shared.clone(), shared]), Array::from([map(), map()]));
    assert!(structural_equal(&a, &b));
    assert_eq!(structural_hash(&a), structural_hash(&b));
}

/// A free key that differs from itself, because it contains a variable that is bound to another one.
#[test]
fn mismatches_in_keys_do_not_lead_into_values() {
    let (x, y) = (Var::new("x"), Var::new("y"));
    let key = Dag::new(x.clone());
    let graph = |bound: &Var| {
        let map = Map::<Any, Any>::from([(key.clone().into(), Any::Int(0))]);
        Array::<Any>::from([Lambda::new([bound.clone().into()], Any::None).into(), map.into()])
    };
    let (a, b) = (graph(&x), graph(&y));
    let mismatch = structural_first_mismatch(&a, &b).expect("comparable").expect("they differ");
    let fault = crate::paths::fault(&mismatch, Any::from(a).view(), Any::from(b).view(), StructuralOptions::new());
    assert_eq!(fault, None, "{mismatch}");
}

/// The fields of a free variable are compared once, so the bindings of its type do not belong to the scope of its first
/// occurrence.
#[test]
fn bindings_in_the_type_of_a_free_variable_end_with_the_type() {
    let lexical = StructuralOptions::new().scopes(Scopes::Lexical).map_free_vars(true);
    let hash = |value: &Let| StructuralOptions::new().scopes(Scopes::Lexical).hash(value).expect("comparable");
    // In a scope, a free variable whose type binds `inner`, and then `inner`.
    let graph = |outer: &Var, inner: &Var, is_shared: bool| {
        let ty: Expr = Lambda::new([inner.clone().into()], inner.clone()).into();
        let free = TypedVar::new("free", Some(ty));
        let scope = || Scope::new([], Array::<Any>::from([free.clone().into(), inner.clone().into()]));
        let (first, second) = (scope(), scope());
        Let::new(outer.clone(), first.clone(), if is_shared { first } else { second })
    };
    let (v, w, x) = (Var::new("v"), Var::new("w"), Var::new("x"));
    let (shared, apart) = (graph(&v, &v, true), graph(&v, &v, false));
    assert!(lexical.equal(&shared, &apart).expect("comparable"));
    assert_eq!(hash(&shared), hash(&apart));
    // `v` is bound to `w`, and the type does not change that.
    for is_shared in [true, false] {
        let found = lexical.first_mismatch(&graph(&v, &v, is_shared), &graph(&w, &x, is_shared)).expect("comparable");
        let found = found.map(|found| found.lhs.to_string());
        assert_eq!(found.as_deref(), Some("<root>.value.body[1]"), "{is_shared}");
    }
}

/// The documented exception: unbound keys, here `dag` nodes and variables, are compared in the order of their
/// addresses, and the value of one key binds a variable that the value of another key uses.
#[test]
fn unbound_keys_are_compared_in_the_order_of_their_addresses() {
    let kinds: [fn() -> Any; 3] = [|| Var::new("k").into(), || Dag::new(Any::None).into(), || Imm::new(1).into()];
    for make in kinds {
        let mut keys = [make(), make()];
        keys.sort_by_key(|key| key.view().as_object().map(object_core::ObjectView::address));
        let verdict = |binder: usize| {
            let graph = || {
                let x = Var::new("x");
                let id = Lambda::new([x.clone().into()], x.clone());
                Map::<Any, Any>::from([(keys[binder].clone(), id.into()), (keys[1 - binder].clone(), x.into())])
            };
            structural_equal(&graph(), &graph())
        };
        assert_eq!((verdict(0), verdict(1)), (true, false), "{}", keys[0].type_key());
    }
}

/// A free key corresponds to itself only, also where an equal map is remembered whose key is bound.
#[test]
fn a_free_key_is_not_mapped_where_a_map_is_remembered() {
    let mapped = StructuralOptions::new().scopes(Scopes::Lexical).map_free_vars(true);
    let value = Array::<Any>::from_iter((0..20).map(Any::Int));
    let graph = |is_shared: bool| {
        let x = Var::new("x");
        let map = || Table::new(Map::<Any, Any>::from([(x.clone().into(), list(&value))]));
        let (first, second) = (map(), map());
        let second = if is_shared { first.clone() } else { second };
        Array::<Any>::from([Scope::new([x.clone().into()], first).into(), second.into()])
    };
    for is_shared in [true, false] {
        assert!(!mapped.equal(&graph(is_shared), &graph(is_shared)).expect("comparable"), "{is_shared}");
    }
}

fn list(value: &Array<Any>) -> Any {
    Array::<Any>::from([value.clone().into(), value.clone().into(), Any::None]).into()
}

/// A definition region binds the variables in a scope too, so equal scopes in it can differ.
#[test]
fn scopes_in_definition_regions_keep_their_variables() {
    let (w, x) = (Var::new("w"), Var::new("x"));
    let inner = |var: &Var| ScopeLet::new(w.clone(), var.clone(), Scope::new([w.clone().into()], w.clone()));
    let around = Any::from(ScopeLet::new(w.clone(), inner(&x), w.clone()));
    let interner = object_core::structural::Interner::with_scopes(Scopes::Lexical);
    let kept = interner.intern_all(Any::from(inner(&w))).expect("comparable");
    let interned = interner.intern_all(around.clone()).expect("comparable");
    assert!(StructuralOptions::new().scopes(Scopes::Lexical).equal(&around, &interned).expect("comparable"));
    drop(kept);
}

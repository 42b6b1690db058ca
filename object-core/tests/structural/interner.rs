//! Interning: one object per structure, as long as an owner exists.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::terms::{Expr, ExprNode, Int, Lambda, Neg, Uncomparable, Var, int, lambda, neg};
use object_core::prelude::*;
use object_core::structural::{Interner, Scopes};
use object_core::{ErrorKind, Function};

/// A node whose hook binds variables.
#[derive(Object)]
#[object(type_key = "interner.Custom", parent = ExprNode)]
#[structural_eq(tree, custom)]
pub struct CustomNode {
    pub base: ExprNode,
    pub param: Var,
    pub body: Expr,
}

impl StructuralHook for CustomNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add_in("param", &self.param, FieldRole::Def);
        contents.add("body", &self.body);
    }
}

#[derive(Object)]
#[object(type_key = "interner.Group", parent = ExprNode)]
#[structural_eq(dag)]
pub struct GroupNode {
    pub base: ExprNode,
    pub items: Array<Expr>,
    pub named: Map<Var, Expr>,
}

#[test]
fn one_object_per_structure() {
    let interner = Interner::new();
    let a = interner.intern(neg(int(1))).expect("comparable");
    let b = interner.intern(neg(int(1))).expect("comparable");
    let c = interner.intern(neg(int(2))).expect("comparable");
    assert!(a.ptr_eq(&b) && !a.ptr_eq(&c) && a.ptr_eq(&interner.intern(a.clone()).expect("comparable")));
    assert_eq!(interner.len(), 4);

    // Objects of several types: one object through handles of two types, containers, and text.
    let as_neg: Neg = interner.intern(Neg::new(int(1))).expect("comparable");
    assert!(as_neg.ptr_eq(&a));
    let x: Array<Expr> = interner.intern(Array::from([int(1)])).expect("comparable");
    let y: Array<Int> = interner.intern(Array::from([Int::new(1)])).expect("comparable");
    assert!(x.ptr_eq(&y) && y[0].value == 1);
    let text = interner.intern(Str::from("a")).expect("comparable");
    assert!(text.ptr_eq(&interner.get(&Str::from("a")).expect("comparable").expect("it is there")));
    assert!(interner.get(&Str::from("b")).expect("comparable").is_none());
    assert_eq!(format!("{interner:?}"), "Interner { len: 6 }");
}

#[test]
fn ignored_fields_come_from_the_first_interned_object() {
    let interner = Interner::new();
    let mut noted = Int::new(1);
    noted.make_mut().base.note = "first".into();
    let first = interner.intern(noted).expect("comparable");
    let second = interner.intern(Int::new(1)).expect("comparable");
    assert_eq!(second.base.note.view().as_str(), Some("first"));
    assert!(first.ptr_eq(&second));
}

#[test]
fn free_variables_equal_only_themselves() {
    let interner = Interner::new();
    let (x, y) = (Var::new(), Var::new());
    let a = interner.intern(neg(x.clone())).expect("comparable");
    assert!(a.ptr_eq(&interner.intern(neg(x)).expect("comparable")));
    assert!(!a.ptr_eq(&interner.intern(neg(y)).expect("comparable")));

    let f = interner.intern(lambda(neg)).expect("comparable");
    assert!(f.ptr_eq(&interner.intern(lambda(neg)).expect("comparable")));
    assert!(!f.ptr_eq(&interner.intern(lambda(|_| neg(int(1)))).expect("comparable")));
}

#[test]
fn many_objects_may_differ_in_their_free_variables_alone() {
    let interner = Interner::new();
    let vars: Vec<Var> = (0..20_000).map(|_| Var::new()).collect();
    let intern = |var: &Var| interner.intern(neg(neg(var.clone()))).expect("comparable");
    let first: Vec<Expr> = vars.iter().map(intern).collect();
    assert!(vars.iter().zip(&first).all(|(var, first)| intern(var).ptr_eq(first)));
    assert_eq!(interner.len(), 2 * vars.len());

    let kept: Vec<Expr> = first[1..].iter().step_by(1000).cloned().collect();
    drop(first);
    interner.sweep();
    assert_eq!(interner.len(), 2 * kept.len());
    assert!(vars[1..].iter().step_by(1000).zip(&kept).all(|(var, kept)| intern(var).ptr_eq(kept)));
    assert_eq!(interner.len(), 2 * kept.len());
}

#[test]
fn renamed_bound_variables_give_the_same_object() {
    let interner = Interner::new();
    // In one object, a variable may be free in one place and bound in another.
    let both = |x: &Var, y: &Var| {
        let bound = Lambda::new(x.clone(), neg(x.clone()));
        Array::<Expr>::from([neg(x.clone()), neg(y.clone()), bound.into()])
    };
    let (x, y, z) = (Var::new(), Var::new(), Var::new());
    let intern = |x: &Var, y: &Var| interner.intern(both(x, y)).expect("comparable");
    let all = [intern(&x, &y), intern(&y, &x), intern(&x, &z), intern(&z, &x), intern(&x, &x)];
    let again = [intern(&x, &y), intern(&y, &x), intern(&x, &z), intern(&z, &x), intern(&x, &x)];
    assert!(all.iter().zip(&again).all(|(a, b)| a.ptr_eq(b)));
    assert!(all.iter().enumerate().all(|(i, a)| all[..i].iter().all(|b| !a.ptr_eq(b))));

    let over = |free: &Var| lambda(|bound| Lambda::new(bound, neg(free.clone())).into());
    let intern = |free: &Var| interner.intern(over(free)).expect("comparable");
    let all = [intern(&x), intern(&y), intern(&z)];
    assert!(all[0].ptr_eq(&intern(&x)) && all[1].ptr_eq(&intern(&y)) && all[2].ptr_eq(&intern(&z)));
    assert!(!all[0].ptr_eq(&all[1]) && !all[1].ptr_eq(&all[2]));
}

/// A lambda whose binding ends with it.
#[derive(Object)]
#[object(type_key = "interner.Local", parent = ExprNode)]
#[structural_eq(tree, scope)]
pub struct LocalNode {
    pub base: ExprNode,
    #[field(def)]
    pub param: Var,
    pub body: Expr,
}

fn local(make: impl FnOnce(Var) -> Expr) -> Expr {
    let param = Var::new();
    Local::new(param.clone(), make(param)).into()
}

#[test]
fn equal_parts_of_a_value_become_one_object() {
    let interner = Interner::new();
    let free = Var::new();
    let part = || neg(neg(free.clone()));
    let shared = interner.intern_all(Array::from([part(), neg(int(1)), part(), neg(int(1))])).expect("comparable");
    assert!(shared[0].ptr_eq(&shared[2]) && shared[1].ptr_eq(&shared[3]) && !shared[0].ptr_eq(&shared[1]));
    assert_eq!(interner.intern_all(7i64).expect("a plain value"), 7);

    // Text, and maps in any order.
    let map = |keys: [&str; 2]| Map::<Str, Expr>::from(keys.map(|key| (key.into(), int(key.len() as i64))));
    let maps =
        interner.intern_all(Array::from([map(["a", "bb"]), map(["bb", "a"]), map(["a", "cc"])])).expect("comparable");
    assert!(maps[0].ptr_eq(&maps[1]) && !maps[0].ptr_eq(&maps[2]));

    // Objects as keys are found by identity, so they keep it.
    let keys = Map::<Expr, i64>::from([(int(1), 1), (int(1), 2)]);
    assert_eq!(interner.intern_all(keys.clone()).expect("comparable").len(), 2);
    assert!(
        !interner
            .intern(Map::from([(int(1), 1)]))
            .expect("ok")
            .ptr_eq(&interner.intern(Map::from([(int(1), 1)])).expect("ok"))
    );
}

#[test]
fn a_look_up_finds_values_with_dag_nodes_and_hooks() {
    let interner = Interner::new();
    let group = || Array::from([Group::new(Array::from([int(1)]), Map::<Var, Expr>::default())]);
    let _first = interner.intern(int(1)).expect("comparable");
    let value = group();
    let interned = interner.intern(value.clone()).expect("comparable");
    assert!(interner.get(&value).expect("comparable").expect("it is there").ptr_eq(&interned));
    assert!(interner.get(&group()).expect("comparable").expect("it is there").ptr_eq(&interned));
    let value = Array::from([Array::from([Custom::new(Var::new(), int(1))])]);
    let interned = interner.intern(value.clone()).expect("comparable");
    assert!(interner.get(&value).expect("comparable").expect("it is there").ptr_eq(&interned));
}

#[test]
fn scopes_that_differ_in_the_names_of_variables_become_one_object() {
    let both =
        || Array::<Expr>::from([local(neg), local(neg), local(|x| local(|_| neg(x))), local(|x| local(|_| neg(x)))]);
    let lexical = Interner::with_scopes(Scopes::Lexical).intern(both()).expect("comparable");
    assert!(lexical[0].ptr_eq(&lexical[1]) && lexical[2].ptr_eq(&lexical[3]) && !lexical[0].ptr_eq(&lexical[2]));
    // A variable that is bound twice is not two variables under persistent scopes, so the parts stay.
    let persistent = Interner::new().intern(both()).expect("comparable");
    assert!(!persistent[0].ptr_eq(&persistent[1]));

    // Free variables stay themselves.
    let (x, y) = (Var::new(), Var::new());
    let open = |free: &Var| local(|_| neg(free.clone()));
    let all = Array::<Expr>::from([open(&x), open(&y), open(&x)]);
    let all = Interner::with_scopes(Scopes::Lexical).intern(all).expect("comparable");
    assert!(all[0].ptr_eq(&all[2]) && !all[0].ptr_eq(&all[1]));
}

/// A random expression that is at most `depth` deep, over few variables.
fn random(depth: u32, vars: &[Var], next: &mut impl FnMut(usize) -> usize) -> Expr {
    let var = vars[next(vars.len())].clone();
    match next(if depth == 0 { 3 } else { 7 }) {
        0 => int(1),
        1 | 2 => var.into(),
        3 => neg(random(depth - 1, vars, next)),
        4 => Lambda::new(var, random(depth - 1, vars, next)).into(),
        5 => Custom::new(var, random(depth - 1, vars, next)).into(),
        _ => {
            let items: Vec<Expr> = (0..next(3)).map(|_| random(depth - 1, vars, next)).collect();
            let named: Vec<(Var, Expr)> =
                (0..next(3)).map(|_| (vars[next(vars.len())].clone(), random(depth - 1, vars, next))).collect();
            Group::new(items, named.into_iter().collect::<Map<Var, Expr>>()).into()
        }
    }
}

#[test]
fn objects_are_identical_exactly_if_they_are_equal() {
    let mut state = 1u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) as usize % below
    };
    let vars = [Var::new(), Var::new(), Var::new()];
    let mut equal = 0;
    for _ in 0..20 {
        let interner = Interner::new();
        let all: Vec<Expr> =
            (0..150).map(|_| interner.intern(random(3, &vars, &mut next)).expect("comparable")).collect();
        for (i, a) in all.iter().enumerate() {
            for b in &all[..i] {
                assert_eq!(a.ptr_eq(b), structural_equal(a, b), "{a:?} and {b:?}");
                equal += usize::from(a.ptr_eq(b));
            }
        }
    }
    assert!(equal > 1000, "{equal}");
}

#[test]
fn interning_an_uncomparable_object_is_an_error() {
    let interner = Interner::new();
    let bad: Array<ObjectRef> = Array::from([int(1).into_object(), Uncomparable::new(1).into_object()]);
    let error = interner.intern(bad.clone()).expect_err("not comparable");
    assert_eq!(error.kind(), ErrorKind::NotComparable);
    assert!(error.to_string().contains("<root>[1]"), "{error}");
    assert_eq!(interner.get(&bad).expect_err("not comparable").kind(), ErrorKind::NotComparable);
    assert!(Interner::new().get(&bad).expect("the table does not have the first element").is_none());
    drop(bad);
    interner.sweep();
    assert!(interner.is_empty());
}

#[test]
fn a_sweep_releases_objects_that_only_the_table_owns() {
    let interner = Interner::new();
    let kept = interner.intern(neg(int(1))).expect("comparable");
    drop(interner.intern(neg(int(2))).expect("comparable"));
    assert_eq!((interner.len(), interner.sweep(), interner.len()), (4, 2, 2));
    assert_eq!(interner.sweep(), 0);
    assert!(kept.ptr_eq(&interner.intern(neg(int(1))).expect("comparable")));

    // The table keeps a part of a live object, even if the part has no other handles.
    let part = interner.intern(int(7)).expect("comparable");
    let whole = interner.intern(neg(part)).expect("comparable");
    assert_eq!((interner.sweep(), interner.len()), (0, 4));
    drop(whole);
    assert_eq!((interner.sweep(), interner.len()), (2, 2));
}

#[test]
fn one_sweep_releases_a_chain_of_interned_objects() {
    for parts_first in [true, false] {
        let interner = Interner::new();
        let mut chain = vec![int(0)];
        for i in 0..500 {
            chain.push(neg(chain[i].clone()));
        }
        if !parts_first {
            chain.reverse();
        }
        for handle in chain {
            interner.intern(handle).expect("comparable");
        }
        let _other = interner.intern(int(1)).expect("comparable");
        interner.sweep();
        assert_eq!(interner.len(), 1, "parts first: {parts_first}");
    }
}

#[test]
fn the_table_does_not_grow_with_dropped_objects() {
    let interner = Interner::new();
    let kept: Vec<Expr> = (0..100).map(|i| interner.intern(int(i)).expect("comparable")).collect();
    for i in 0..50_000 {
        interner.intern(int(1000 + i)).expect("comparable");
        assert!(interner.len() <= 300, "{} objects", interner.len());
    }
    for (i, handle) in kept.iter().enumerate() {
        assert!(handle.ptr_eq(&interner.intern(int(i as i64)).expect("comparable")));
    }
}

#[test]
fn interned_objects_do_not_change_in_place() {
    let interner = Interner::new();
    let mut handle = interner.intern(Int::new(1)).expect("comparable");
    handle.make_mut().value = 2;
    assert_eq!((handle.value, interner.intern(Int::new(1)).expect("comparable").value), (2, 1));
}

#[test]
fn threads_agree_on_the_objects() {
    let interner = Interner::new();
    let work = |_| -> Vec<Expr> { (0..500).map(|i| interner.intern(neg(int(i))).expect("comparable")).collect() };
    let all: Vec<Vec<Expr>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|i| scope.spawn(move || work(i))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    for handles in &all[1..] {
        assert!(handles.iter().zip(&all[0]).all(|(a, b)| a.ptr_eq(b)));
    }
    assert_eq!(interner.len(), 1000);
}

#[test]
fn sweeps_do_not_disturb_other_threads() {
    let interner = Interner::new();
    let (interner, busy) = (&interner, &AtomicUsize::new(3));
    std::thread::scope(|scope| {
        for thread in 0..3 {
            scope.spawn(move || {
                for round in 0..300 {
                    let handles: Vec<Expr> =
                        (0..10).map(|i| interner.intern(neg(int(i + round / 10))).expect("comparable")).collect();
                    for (i, handle) in handles.iter().enumerate() {
                        let again = interner.intern(neg(int(i as i64 + round / 10))).expect("comparable");
                        assert!(handle.ptr_eq(&again), "thread {thread}, round {round}");
                    }
                }
                busy.fetch_sub(1, Ordering::Release);
            });
        }
        scope.spawn(move || {
            while busy.load(Ordering::Acquire) > 0 {
                interner.sweep();
            }
        });
    });
    interner.sweep();
    assert!(interner.is_empty());
}

/// Uses an interner when it is dropped.
struct Last(Arc<Interner>, i64);

impl Drop for Last {
    fn drop(&mut self) {
        if self.1 > 0 {
            drop(self.0.intern(watched(&self.0, self.1 - 1)));
        }
        assert_eq!(self.0.sweep(), 0, "a sweep is running");
    }
}

/// An integer that interns the next smaller one when it is dropped.
fn watched(interner: &Arc<Interner>, value: i64) -> Int {
    let last = Last(Arc::clone(interner), value);
    let mut handle = Int::new(value);
    let note = Function::from_packed(move |_| {
        let last = &last;
        Ok(Any::Int(last.1))
    });
    handle.make_mut().base.note = note.into();
    handle
}

#[test]
fn destructors_may_use_the_interner() {
    let interner = Arc::new(Interner::new());
    drop(interner.intern(watched(&interner, 3)).expect("comparable"));
    assert_eq!(interner.len(), 1);
    assert!(interner.sweep() >= 1);
    while interner.sweep() > 0 {}
    assert!(interner.is_empty());
}

#[test]
fn a_whole_is_found_by_its_structure_although_it_was_a_part() {
    let group = |value: i64| Group::new([int(value)], Map::<Var, Expr>::default());
    let list = |group: &Group| Array::<Expr>::from([Expr::from(group)]);
    let (interner, first) = (Interner::new(), group(1));
    let outer = interner.intern(Array::from([list(&first)])).expect("comparable");
    // Other owners of a value change nothing.
    let value = list(&first);
    let other_owner = value.clone();
    let interned = interner.intern(value).expect("comparable");
    assert!(interner.get(&list(&first)).expect("comparable").is_some_and(|found| found.ptr_eq(&interned)));
    drop(other_owner);
    assert!(interner.intern(list(&group(1))).expect("comparable").ptr_eq(&interned));
    assert!(interner.intern(Array::from([list(&group(1))])).expect("comparable").ptr_eq(&outer));
}

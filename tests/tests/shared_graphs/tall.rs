//! Families of graphs whose every level refers to the level below several times, so that the unfolded graph is
//! exponentially large.

use object_core::prelude::*;

use crate::families::{Family, Side};
use crate::types::*;

/// A family over levels: `step` makes a level of the one below.
macro_rules! tall {
    ($($name:literal: $step:expr;)*) => {
        /// Families of graphs with many levels.
        pub(crate) const FAMILIES: &[Family] = &[
            $(Family { name: $name, sizes: [14, 56], build: |side| climb(side, $step) }),*
        ];
    };
}

fn climb(side: &mut Side<'_>, step: fn(&mut Side<'_>, usize, Expr) -> Expr) -> Any {
    let mut below = side.leaf();
    for level in 0..side.size {
        below = step(side, level, below);
    }
    below.into()
}

fn add(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    Add::new(a.into(), Any::None, b.into()).into()
}

fn lambda(param: &Expr, body: &Expr) -> Expr {
    Lambda::new([param.clone()], body.clone()).into()
}

fn project(x: &Expr, e: Expr) -> Expr {
    Project::new(e, [x.clone()]).into()
}

fn scope(param: &Expr, body: &Expr) -> Expr {
    Scope::new([param.clone()], body.clone()).into()
}

fn of(value: impl Into<Any>) -> Expr {
    Box::new(value.into()).into()
}

fn tuple<const N: usize>(items: [Expr; N]) -> Expr {
    Tuple::new(items.map(Any::from)).into()
}

/// A second object with the same content, or the same object, as the sharing of the side says.
fn twin(side: &Side<'_>, level: usize, object: &Expr) -> Expr {
    if side.shares(level) {
        return object.clone();
    }
    let copy = object_core::data::replace(object, std::iter::empty::<(&'static str, Any)>());
    copy.expect("trees can be copied")
}

tall! {
    "doubled": |_, _, e| add(e.clone(), e);
    "doubled, even and odd": |side, level, e| add(e.clone(), twin(side, level, &e));
    "doubled, one side": |side, _, e| add(e.clone(), twin(side, 0, &e));
    "arrays": |_, _, e| of(Array::<Any>::from([e.clone().into(), e.into()]));
    "arrays, even and odd": |side, level, e| {
        of(Array::<Any>::from([e.clone().into(), twin(side, level, &e).into(), Any::Int(1)]))
    };
    "maps": |_, _, e| of(Map::<Any, Any>::from([(Any::from("a"), e.clone().into()), (Any::from("b"), e.into())]));
    "maps, even and odd": |side, level, e| {
        let twin = twin(side, level, &e);
        of(Map::<Any, Any>::from([(Any::from("a"), e.into()), (Any::from("b"), twin.into())]))
    };
    "maps, in other orders": |side, level, e| {
        let mut entries = vec![(Any::from("a"), Any::from(e.clone())), (Any::from("b"), e.into())];
        if side.shares(level) {
            entries.reverse();
        }
        of(Map::<Any, Any>::new(entries))
    };
    "maps with an object key": |side, _, e| {
        let key = side.var(0);
        let map = of(Map::<Any, Any>::from([(Any::from(key), e.clone().into())]));
        tuple([map, e])
    };
    "map values that hold the map twice": |side, _, e| {
        let (x, key) = (side.var(0), side.var(1));
        let m = of(Map::<Any, Any>::from([(Any::from(key), Any::from(e))]));
        tuple([m.clone(), scope(&x, &tuple([m.clone(), x.clone()])), m])
    };
    "map values in lambdas": |side, _, e| {
        let (x, key) = (side.var(0), side.var(1));
        let m = of(Map::<Any, Any>::from([(Any::from(key), Any::from(e))]));
        tuple([m.clone(), lambda(&x, &tuple([m.clone(), x.clone()])), m])
    };
    "maps with fresh keys": |_, _, e| {
        let key = of(Any::Int(1));
        let m = of(Map::<Any, Any>::from([(Any::from(key.clone()), e.clone().into())]));
        tuple([of(Array::<Any>::from([key.into()])), m.clone(), e, m])
    };
    "dag": |_, _, e| add(Dag::new(e.clone()), e);
    "dag of doubled": |_, _, e| {
        let d: Expr = Dag::new(e.clone()).into();
        tuple([d.clone(), e, d])
    };
    "dag hooks": |_, _, e| add(HookDag::new(e.clone(), Any::None), e);
    "dag hooks of grandchildren": |_, _, e| add(HookDeep::new(Holder::new(Dag::new(e.clone())), Any::None), e);
    "hooks": |side, _, e| Hook::new(e.clone(), [side.var(0), e], Any::None).into();
    "hooks that bind": |_, _, e| HookLet::new(e.clone(), e).into();
    "hooks, even and odd": |side, level, e| {
        Hook::new(e.clone(), [side.var(0), twin(side, level, &e)], Any::None).into()
    };
    "scope of x beside its body": |side, _, e| {
        let x = side.var(0);
        add(scope(&x, &e), e)
    };
    "scope of x beside its body, closed": |side, level, e| {
        let x = side.var(0);
        let e = if level == 0 { add(x.clone(), e) } else { e };
        let inner = add(scope(&x, &e), e);
        if level + 1 == side.size { scope(&x, &inner) } else { inner }
    };
    "scope of x beside its body, even and odd": |side, level, e| {
        let x = side.var(0);
        let e = if level == 0 { add(x.clone(), e) } else { e };
        add(scope(&x, &e), twin(side, level, &e))
    };
    "dag scope of x beside its body": |side, level, e| {
        let x = side.var(0);
        let e = if level == 0 { add(x.clone(), e) } else { e };
        let inner = add(ScopeDag::new([x.clone()], e.clone()), e);
        if level + 1 == side.size { scope(&x, &inner) } else { inner }
    };
    "dag scopes and maps with object keys": |side, level, e| {
        let (x, keys) = (side.var(0), [side.var(1), side.var(2)]);
        let e = if level == 0 { add(x.clone(), e) } else { e };
        let values = [Any::from(ScopeDag::new([x.clone()], e.clone())), Any::from(e.clone())];
        let map = of(Map::<Any, Any>::new(keys.map(Any::from).into_iter().zip(values)));
        let inner = add(scope(&x, &add(map.clone(), map)), e);
        if level + 1 == side.size { scope(&x, &inner) } else { inner }
    };
    "maps with object keys around dag nodes": |side, _, e| {
        let keys = [side.var(0), side.var(1)];
        let values = [Any::from(Dag::new(e.clone())), Any::from(e)];
        of(Map::<Any, Any>::new(keys.map(Any::from).into_iter().zip(values)))
    };
    "dag nodes between scopes": |side, level, e| {
        let x = side.var(0);
        let d: Expr = Dag::new(add(e.clone(), x.clone())).into();
        let inner = add(scope(&x, &add(d.clone(), e)), d);
        if level + 1 == side.size { scope(&x, &inner) } else { inner }
    };
    "dag nodes in definition regions": |side, level, e| {
        let x = side.var(0);
        let d: Expr = Dag::new(add(e.clone(), x.clone())).into();
        add(scope(&d, &add(d.clone(), e.clone())), if level % 2 == 0 { e } else { d })
    };
    "scope of a fresh variable beside its body": |_, _, e| {
        let z: Expr = Var::new("z").into();
        add(scope(&z, &add(e.clone(), z.clone())), e)
    };
    "scopes of two variables in turn": |side, level, e| {
        let (x, all) = (side.var(level % 2), add(side.var(0), side.var(1)));
        add(scope(&x, &e), if level == 0 { add(all, e) } else { e })
    };
    "scopes of three variables in turn": |side, level, e| {
        let (x, all) = (side.var(level % 3), add(add(side.var(0), side.var(1)), side.var(2)));
        let e = if level == 0 { add(all, e) } else { e };
        add(scope(&x, &e), scope(&side.var((level + 1) % 3), &e))
    };
    "scopes of many variables": |side, level, e| {
        let x = side.var(level);
        add(scope(&x, &e), add(e, x))
    };
    "scopes of many variables, all used below": |side, level, e| {
        let e = if level == 0 { (0..side.size).fold(e, |e, x| add(e, side.var(x))) } else { e };
        add(scope(&side.var(level), &e), e)
    };
    "lambdas of many variables, all used below": |side, level, e| {
        let e = if level == 0 { (0..side.size).fold(e, |e, x| add(e, side.var(x))) } else { e };
        add(lambda(&side.var(level), &e), e)
    };
    "let of x and its value": |side, _, e| {
        let x = side.var(0);
        ScopeLet::new(e.clone(), x.clone(), add(e, x)).into()
    };
    "let of a fresh variable and its value": |_, _, e| {
        let x: Expr = Var::new("x").into();
        ScopeLet::new(e.clone(), x.clone(), add(e, x)).into()
    };
    "lambda of x beside its body": |side, _, e| {
        let x = side.var(0);
        add(lambda(&x, &add(e.clone(), x.clone())), e)
    };
    "lambda of a fresh variable beside its body": |_, _, e| {
        let z: Expr = Var::new("z").into();
        add(lambda(&z, &add(e.clone(), z.clone())), e)
    };
    "definition regions": |_, _, e| lambda(&e, &e);
    "definition regions that end": |_, _, e| scope(&e, &e);
    "definition regions of scopes": |side, level, e| {
        let x = side.var(0);
        let e = if level == 0 { add(x.clone(), e) } else { e };
        let inner = scope(&x, &e);
        lambda(&inner, &add(inner.clone(), e))
    };
    "definition regions of fresh scopes": |_, _, e| {
        let z: Expr = Var::new("z").into();
        let inner = scope(&z, &add(e.clone(), z.clone()));
        scope(&inner, &add(inner.clone(), e))
    };
    "exports beside each other": |side, level, e| {
        let e = if level == 0 { project(&side.var(0), e) } else { e };
        add(e.clone(), e)
    };
    "exports of x beside the hidden value": |side, level, e| {
        let x = side.var(0);
        let e = if level == 0 { add(x.clone(), e) } else { e };
        add(project(&x, e.clone()), e)
    };
    "exports of x, even and odd": |side, level, e| {
        let projected = project(&side.var(level % 2), e.clone());
        add(projected, twin(side, level, &e))
    };
    "exports of exports": |side, level, e| {
        let e = if level == 0 { project(&side.var(0), e) } else { e };
        With::new(side.var(1), e.clone(), e).into()
    };
    "exports that a scope hides": |side, level, e| {
        let e = if level == 0 { project(&side.var(0), e) } else { e };
        project(&side.var(1), add(e.clone(), e))
    };
    "late binders": |side, _, e| Late::new(e.clone(), [side.var(0), e]).into();
    "simple binders": |side, _, e| Let::new(side.var(0), e.clone(), e).into();
    "types of variables": |_, _, e| TypedVar::new("t", Some(add(e.clone(), e))).into();
    "types of bound variables": |_, _, e| {
        let t: Expr = TypedVar::new("t", Some(e.clone())).into();
        add(scope(&t, &add(t.clone(), e.clone())), e)
    };
    "types of sticky bound variables": |_, _, e| {
        let t: Expr = TypedVar::new("t", Some(e.clone())).into();
        add(lambda(&t, &add(t.clone(), e.clone())), e)
    };
    "types of variables with scopes": |side, _, e| {
        let x = side.var(0);
        let t: Expr = TypedVar::new("t", Some(scope(&x, &add(x.clone(), e.clone())))).into();
        tuple([t.clone(), scope(&x, &t), e])
    };
    "hooks of variables": |side, _, e| {
        let x = side.var(0);
        let v: Expr = HookVar::new(Any::None, add(e.clone(), x)).into();
        add(scope(&v, &e), e)
    };
    "hooks of scopes": |side, _, e| {
        let x = side.var(0);
        add(ScopeHook::new(add(x.clone(), e.clone()), [x]), e)
    };
    "maps that bind": |side, _, e| {
        let x = side.var(0);
        DefTable::new(Map::<Any, Any>::from([(Any::from("k"), x.into())]), add(e.clone(), e)).into()
    };
    "ignored values": |_, _, e| Add::new(e.clone(), Any::from(e.clone()), e).into();
    "constants": |side, _, e| {
        let inner = e.downcast_ref::<Const>().cloned();
        let inner = inner.unwrap_or_else(|| Const::new([if side.leaf().is::<Imm>() { 1 } else { 2 }], []));
        Const::new([1], [inner.clone(), inner]).into()
    };
}

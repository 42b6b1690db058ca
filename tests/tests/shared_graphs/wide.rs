//! Families of graphs with many variables, references or entries.

use object_core::prelude::*;

use crate::families::{Family, Side};
use crate::types::*;

macro_rules! wide {
    ($($name:literal: $build:expr;)*) => {
        /// Families of graphs with many objects of one kind.
        pub(crate) const FAMILIES: &[Family] = &[
            $(Family { name: $name, sizes: [100, 600], build: $build }),*
        ];
    };
}

fn add(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    Add::new(a.into(), Any::None, b.into()).into()
}

fn of(value: impl Into<Any>) -> Expr {
    Box::new(value.into()).into()
}

fn fresh() -> Expr {
    Var::new("z").into()
}

fn vars(side: &mut Side<'_>) -> Vec<Expr> {
    (0..side.size).map(|number| side.var(number)).collect()
}

fn list(items: impl IntoIterator<Item = Expr>) -> Any {
    items.into_iter().map(Any::from).collect::<Array<Any>>().into()
}

wide! {
    "a chain": |side| (0..side.size).fold(side.leaf(), |e, _| add(e, Imm::new(1))).into();
    "a chain of hooks": |side| {
        (0..side.size).fold(side.leaf(), |e, _| Hook::new(e, [], Any::None).into()).into()
    };
    "a chain of scopes": |side| {
        (0..side.size).fold(side.leaf(), |e, _| {
            let z = fresh();
            Scope::new([z.clone()], add(e, z)).into()
        }).into()
    };
    "a chain of scopes of one variable": |side| {
        let x = side.var(0);
        (0..side.size).fold(side.leaf(), |e, _| Scope::new([x.clone()], add(e, x.clone())).into()).into()
    };
    "a chain of lets": |side| {
        (0..side.size).fold(side.leaf(), |e, _| {
            let z = fresh();
            ScopeLet::new(z.clone(), z.clone(), add(e, z)).into()
        }).into()
    };
    "a chain of lets that all change": |side| {
        (0..side.size).fold(side.leaf(), |e, _| {
            let z = fresh();
            ScopeLet::new(side.leaf(), z.clone(), add(e, z)).into()
        }).into()
    };
    "a chain of exports": |side| {
        let x = side.var(0);
        (0..side.size).fold(side.leaf(), |e, _| Project::new(add(e, x.clone()), [x.clone()]).into()).into()
    };
    "a chain of exports of exports": |side| {
        let e: Expr = Project::new(side.leaf(), [side.var(0)]).into();
        (0..side.size).fold(e, |e, _| With::new(fresh(), e, side.var(0)).into()).into()
    };
    "exports of many variables": |side| {
        vars(side).into_iter().fold(side.leaf(), |e, x| add(Project::new(e, [x.clone()]), x)).into()
    };
    "a chain of scopes over one open term": |side| {
        let open = fresh();
        let shared = add(add(open.clone(), open.clone()), add(open.clone(), open.clone()));
        let body = (0..side.size).fold(side.leaf(), |e, _| {
            Scope::new([fresh()], add(e, shared.clone())).into()
        });
        Scope::new([open], body).into()
    };
    "an array of numbers": |side| {
        let mut numbers = vec![Any::Int(1); side.size];
        numbers.push(side.leaf().into());
        Array::<Any>::from(numbers).into()
    };
    "an array of other elements": |side| {
        let shift = i64::from(side.leaf().downcast_ref::<Imm>().is_some_and(|leaf| leaf.value == 2));
        list((0..side.size).map(|index| Imm::new(2 * index as i64 + shift).into()))
    };
    "an array of one object": |side| {
        let e = add(side.leaf(), side.leaf());
        list(vec![add(e.clone(), e); side.size])
    };
    "an array of one open scope": |side| {
        let x = side.var(0);
        let scope = Scope::new([fresh()], add(add(x.clone(), x.clone()), add(x.clone(), side.leaf())));
        let items = list(vec![scope.into(); side.size]);
        Scope::new([x], items).into()
    };
    "fresh variables and one map in turn": |side| {
        let (key, free) = (side.var(0), side.var(1));
        let inner = add(add(free.clone(), side.leaf()), add(free.clone(), free));
        let map = of(Map::<Any, Any>::from([(Any::from(key), Any::from(inner))]));
        let items: Vec<Expr> = (0..side.size).flat_map(|number| [side.var(number + 2), map.clone()]).collect();
        list(items)
    };
    "bound variables and one map in turn": |side| {
        let (key, free) = (side.var(0), side.var(1));
        let inner = add(add(free.clone(), side.leaf()), add(free.clone(), free));
        let map = of(Map::<Any, Any>::from([(Any::from(key), Any::from(inner))]));
        let items = (0..side.size).flat_map(|_| [Lambda::new([fresh()], Any::None).into(), map.clone()]);
        list(items)
    };
    "dag nodes and one map in turn": |side| {
        let (key, free) = (side.var(0), side.var(1));
        let inner = add(add(free.clone(), side.leaf()), add(free.clone(), free));
        let map = of(Map::<Any, Any>::from([(Any::from(key), Any::from(inner))]));
        let items = (0..side.size).flat_map(|_| [Dag::new(Any::None).into(), map.clone()]);
        list(items)
    };
    "scopes and one map in turn": |side| {
        let (key, free) = (side.var(0), side.var(1));
        let inner = add(add(free.clone(), side.leaf()), add(free.clone(), free));
        let map = of(Map::<Any, Any>::from([(Any::from(key), Any::from(inner))]));
        let items = (0..side.size).flat_map(|_| {
            let z = fresh();
            [Scope::new([z.clone()], add(z, map.clone())).into(), map.clone()]
        });
        list(items)
    };
    "scopes that share a large term": |side| {
        let x = side.var(0);
        let large = (0..side.size).fold(side.leaf(), |e, _| add(add(e, x.clone()), Imm::new(1)));
        let items: Vec<Expr> = (0..side.size).map(|_| {
            let z = fresh();
            Scope::new([z.clone()], add(z, large.clone())).into()
        }).collect();
        list(items)
    };
    "scopes that share their parameters": |side| {
        let all = vars(side);
        let params = of(list(all.clone()));
        let items: Vec<Expr> = (0..side.size).map(|index| {
            Scope::new([params.clone()], add(all[index].clone(), side.leaf())).into()
        }).collect();
        list(items)
    };
    "dag scopes that share dag nodes": |side| {
        let x = side.var(0);
        let nodes = (0..side.size).map(|_| Dag::new(add(x.clone(), side.leaf())).into());
        let shared = of(list(nodes.collect::<Vec<_>>()));
        let items: Vec<Expr> = (0..side.size).map(|_| {
            let z = fresh();
            ScopeDag::new([z.clone()], add(add(z, x.clone()), shared.clone())).into()
        }).collect();
        Scope::new([x], list(items)).into()
    };
    "named scopes": |side| {
        let names: Vec<Expr> = (0..side.size).map(|_| fresh()).collect();
        let leaf = side.leaf();
        let scopes: Vec<Expr> = (0..side.size).map(|index| {
            let z = fresh();
            let used = add(names[index].clone(), names[(7 * index + 1) % side.size].clone());
            Scope::new([z.clone()], add(add(z, leaf.clone()), used)).into()
        }).collect();
        Lambda::new(names, list(scopes)).into()
    };
    "variables under doublings": |side| {
        let e = of(list(vars(side)));
        let e = (0..side.size).fold(add(e, side.leaf()), |e, _| add(e.clone(), e));
        e.into()
    };
    "variables under doublings, in a scope": |side| {
        let all = vars(side);
        let e = of(list(all.clone()));
        let e = (0..side.size).fold(add(e, side.leaf()), |e, _| add(e.clone(), e));
        Scope::new(all, e).into()
    };
    "variables under scopes": |side| {
        let e = of(list(vars(side)));
        let e = (0..side.size).fold(add(e, side.leaf()), |e, level| {
            add(Scope::new([side.var(level)], e.clone()), e)
        });
        e.into()
    };
    "variables between doublings": |side| {
        let e = side.leaf();
        (0..side.size).fold(e, |e, level| add(add(e.clone(), side.var(level)), e)).into()
    };
    "variables bound and free": |side| {
        // Each variable is used, bound, and used again.
        let items: Vec<Expr> = (0..side.size).flat_map(|number| {
            let x = side.var(number);
            [x.clone(), Lambda::new([x.clone()], add(x.clone(), x.clone())).into(), x]
        }).collect();
        list(items.into_iter().chain([side.leaf()]))
    };
    "variables bound and free, in one shared term": |side| {
        let all = vars(side);
        let shared = of(list(all.clone()));
        let items = all.into_iter().flat_map(|x| {
            [shared.clone(), Lambda::new([x.clone()], add(x, shared.clone())).into()]
        });
        list(items.collect::<Vec<_>>())
    };
    "variables bound and free, in shared scopes": |side| {
        let all = vars(side);
        let items: Vec<Expr> = all.iter().flat_map(|x| {
            let inner = add(x.clone(), x.clone());
            [inner.clone(), Scope::new([x.clone()], add(inner.clone(), inner.clone())).into(), inner]
        }).collect();
        list(items.into_iter().chain([side.leaf()]))
    };
    "one binder of all variables, twice": |side| {
        let all = vars(side);
        let body = of(list(all.clone()));
        let twice = [Lambda::new(all.clone(), body.clone()).into(), body.clone(), Lambda::new(all, body).into()];
        list(twice.into_iter().chain([side.leaf()]))
    };
    "one scope of all variables, twice": |side| {
        let all = vars(side);
        let body = of(list(all.clone()));
        let twice = [Scope::new(all.clone(), body.clone()).into(), body.clone(), Scope::new(all, body).into()];
        list(twice.into_iter().chain([side.leaf()]))
    };
    "a map by text": |side| {
        let leaf = side.leaf();
        let entries = (0..side.size).map(|number| (Any::from(format!("k{number}")), Any::from(leaf.clone())));
        let mut entries: Vec<_> = entries.collect();
        if side.shares(1) {
            entries.reverse();
        }
        Map::<Any, Any>::new(entries).into()
    };
    "a map by variables": |side| {
        let (leaf, all) = (side.leaf(), vars(side));
        Map::<Any, Any>::new(all.into_iter().map(|x| (Any::from(x), Any::from(leaf.clone())))).into()
    };
    "a map by bound variables": |side| {
        let (leaf, all): (Expr, Vec<Expr>) = (side.leaf(), (0..side.size).map(|_| fresh()).collect());
        let map = Map::<Any, Any>::new(all.iter().map(|x| (Any::from(x.clone()), Any::from(leaf.clone()))));
        Scope::new(all, map).into()
    };
    "a map whose values bind its keys": |side| {
        let (leaf, all): (Expr, Vec<Expr>) = (side.leaf(), (0..side.size).map(|_| fresh()).collect());
        let next = |index: usize| all.get(index + 1).cloned().unwrap_or_else(|| leaf.clone());
        let entries = all.iter().enumerate().map(|(index, x)| {
            (Any::from(x.clone()), Any::from(Lambda::new([next(index)], Any::None)))
        });
        let first = (Any::from("first"), Any::from(Lambda::new([all[0].clone()], Any::None)));
        Map::<Any, Any>::new(std::iter::once(first).chain(entries)).into()
    };
    "maps that share an object key": |side| {
        let (key, leaf) = (side.var(0), side.leaf());
        list((0..side.size).map(|_| of(Map::<Any, Any>::from([(Any::from(key.clone()), Any::from(leaf.clone()))]))))
    };
    "maps with object keys, nested": |side| {
        let leaf = side.leaf();
        (0..side.size).fold(leaf, |e, number| {
            of(Map::<Any, Any>::from([(Any::from(side.var(number)), Any::from(e))]))
        }).into()
    };
    "types of variables in a chain": |side| {
        (0..side.size).fold(side.leaf(), |e, _| TypedVar::new("t", Some(e)).into()).into()
    };
    "types of bound variables in a chain": |side| {
        (0..side.size).fold(side.leaf(), |e, _| {
            let t: Expr = TypedVar::new("t", Some(e)).into();
            Scope::new([t.clone()], t).into()
        }).into()
    };
    "a hook of many values": |side| {
        let params: Vec<Expr> = (0..side.size).map(|_| fresh()).collect();
        Hook::new(of(list(params.clone())), params, Any::None).into()
    };
    "a hook chain that lists grandchildren": |side| {
        let leaf = side.leaf();
        // Twice as long a chain would only take longer.
        let length = side.size / 2;
        (0..length).fold(None::<HookChain>, |below, _| Some(HookChain::new(leaf.clone(), below))).into()
    };
    "a butterfly": |side| {
        let width = 20;
        let odd = usize::from(side.shares(1));
        let mut layer: Vec<Expr> = (0..width).map(|_| side.leaf()).collect();
        for depth in 0..side.size / width {
            let pick = |i: usize, salt: usize| layer[(i * 7 + odd * 11 + depth * 3 + salt * 13) % width].clone();
            layer = (0..width).map(|i| add(pick(i, 1), pick(i, 2))).collect();
        }
        list(layer)
    };
    "a butterfly of scopes": |side| {
        let width = 20;
        let odd = usize::from(side.shares(1));
        let x = side.var(0);
        let mut layer: Vec<Expr> = (0..width).map(|_| add(side.leaf(), x.clone())).collect();
        for depth in 0..side.size / width {
            let pick = |i: usize, salt: usize| layer[(i * 7 + odd * 11 + depth * 3 + salt * 13) % width].clone();
            layer = (0..width).map(|i| add(Scope::new([x.clone()], pick(i, 1)), pick(i, 2))).collect();
        }
        list(layer)
    };
}

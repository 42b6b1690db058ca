//! Small pairs of values for which a search once replaced more than the parts that differ.

use object_core::edit::EditOptions;
use object_core::prelude::*;
use object_core::structural::Scopes;

use crate::edit_laws::law;
use crate::types::*;

/// A pair of values, with the number of changes between them under persistent and under lexical scopes.
struct Pair {
    name: &'static str,
    build: fn() -> [Any; 2],
    changes: [usize; 2],
}

const PAIRS: &[Pair] = &[
    // The type of a free variable binds a variable that both values have, and the free variable corresponds to itself only.
    Pair {
        name: "free variables whose types bind the same variable",
        build: || {
            let x = Var::new("x");
            both(|number| {
                let ty: Expr = Scope::new([x.clone().into()], x.clone()).into();
                list([TypedVar::new("t", Some(ty)).into(), Any::Int(number)])
            })
        },
        changes: [2, 2],
    },
    // A variable is free at one place and bound at another.
    Pair {
        name: "the variable of a binder in its value",
        build: || {
            both(|_| {
                let z = Var::new("z");
                list([ScopeLet::new(z.clone(), z.clone(), z).into(), Any::Int(1)])
            })
        },
        changes: [3, 3],
    },
    // The keys are equal trees, but a key of a map corresponds to itself only.
    Pair {
        name: "a tree that is a key and an element",
        build: || {
            both(|number| {
                let key: Expr = Box::new(Any::Int(1)).into();
                let map = Map::<Any, Any>::from([(key.clone().into(), Any::Int(number))]);
                list([list([key.into()]), map.into()])
            })
        },
        changes: [4, 5],
    },
    // The first result differs from the right value at an object that neither value has.
    Pair {
        name: "a new `dag` node for a `dag` key with an array of another place",
        build: || {
            let node: Expr = Dag::new(Any::Int(1)).into();
            let map = |array: Any, value: Any| {
                let key = Dag::new(array.clone());
                let entries = [(node.clone().into(), array), (key.into(), Dag::new(value).into())];
                list([Map::<Any, Any>::from(entries).into()])
            };
            [map(list([]), list([node.clone().into()])), map(list([]), node.clone().into())]
        },
        changes: [4, 4],
    },
    // The result has the key itself, and so the `dag` node in it.
    Pair {
        name: "a `dag` key with a `dag` node of another place",
        build: || {
            both(|_| {
                let node: Expr = Dag::new(Any::Int(1)).into();
                let key = Dag::new(node.clone());
                list([node.into(), Map::<Any, Any>::from([(key.into(), Any::Int(1))]).into()])
            })
        },
        changes: [5, 5],
    },
];

fn both(build: impl Fn(i64) -> Any) -> [Any; 2] {
    [1, 2].map(build)
}

fn list<const N: usize>(items: [Any; N]) -> Any {
    Array::<Any>::from(items).into()
}

#[test]
fn scripts_of_small_pairs_change_what_differs() {
    for pair in PAIRS {
        for (scopes, changes) in [Scopes::Persistent, Scopes::Lexical].into_iter().zip(pair.changes) {
            let options = StructuralOptions::new().scopes(scopes);
            let [a, b] = (pair.build)();
            if let Err(broken) = law(&a, &b, options, false) {
                panic!("{}, {scopes:?}: {broken}", pair.name);
            }
            let script = EditOptions::new().structural(options).edits(&a, &b).expect("there is a script");
            let is_whole = script.changes().iter().any(|change| script.place(change, 0).steps().is_empty());
            let found = (script.changes().len(), is_whole);
            assert_eq!(found, (changes, false), "{}, {scopes:?}: {script:?}", pair.name);
        }
    }
}

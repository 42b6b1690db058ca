//! Rewrites change nothing but the selected objects, and an inverse rewrite restores the original.

use object_core::ObjectView;
use object_core::data::value_equal;
use object_core::prelude::*;
use object_core::rewrite::{Mutate, mutate};
use object_core::visit::{Position, walk};
use proptest::prelude::*;

use crate::demo::{Expr, Imm, Var, add, imm, var};
use crate::graphs::{build, graphs, vars};

fn objects(root: &Expr) -> Vec<ObjectRef> {
    let mut objects = Vec::new();
    walk(root, |object: &ObjectRef, _| objects.push(object.clone()));
    objects
}

/// Nested arrays and maps, which can be built several times.
#[derive(Clone, Debug)]
enum Nested {
    Int(i64),
    Text(&'static str),
    Imm(i64),
    Array(Vec<Nested>),
    Map(Vec<Nested>),
}

impl Nested {
    fn build(&self) -> Any {
        match self {
            Nested::Int(value) => Any::Int(*value),
            Nested::Text(text) => Any::from(*text),
            Nested::Imm(value) => Any::from(imm(*value)),
            Nested::Array(items) => Any::from(items.iter().map(Nested::build).collect::<Array<Any>>()),
            Nested::Map(values) => {
                let entries =
                    values.iter().enumerate().map(|(index, value)| (Str::from(format!("k{index}")), value.build()));
                Any::from(entries.collect::<Map<Str, Any>>())
            }
        }
    }
}

fn nested() -> impl Strategy<Value = Nested> {
    let leaf = prop_oneof![
        (0..3i64).prop_map(Nested::Int),
        prop::sample::select(vec!["", "a", "bb", "ccc"]).prop_map(Nested::Text),
        (0..3i64).prop_map(Nested::Imm),
    ];
    leaf.prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Nested::Array),
            prop::collection::vec(inner, 0..4).prop_map(Nested::Map),
        ]
    })
}

proptest! {
    #[test]
    fn the_identity_gives_the_same_pointer(steps in graphs()) {
        let root = build(&steps, &vars());
        let before = objects(&root);
        let same = Mutate::new()
            .enter(|_: &ObjectRef, _: &Position<'_>| None::<ObjectRef>)
            .leave(|object: &ObjectRef, _: &Position<'_>| Some(object.clone()))
            .run(root.clone())
            .unwrap();
        prop_assert!(same.ptr_eq(&root));
        prop_assert!(objects(&same).iter().zip(&before).all(|(a, b)| a.ptr_eq(b)));
    }

    #[test]
    fn the_inverse_undoes_and_sharing_stays(steps in graphs()) {
        let vars = vars();
        let root = build(&steps, &vars);
        let negate = |root: Expr| mutate(root, |number: &Imm, _| Some(imm(!number.value))).unwrap();
        let there = negate(root.clone());
        prop_assert_eq!(objects(&there).len(), objects(&root).len());
        prop_assert!(structural_equal(&negate(there), &root));
    }

    #[test]
    fn rewrites_in_place_and_by_copy_have_the_same_result(steps in graphs()) {
        let vars = vars();
        // An even number becomes a sum, an odd number another number, and a variable a new variable.
        let new_vars: Vec<Var> = vars.iter().map(|var| Var::new(var.name.clone(), None)).collect();
        let rewrite = |root: Expr| {
            Mutate::new()
                .leave(|number: &Imm, _: &Position<'_>| match number.value % 3 {
                    0 => Some(add(imm(number.value), imm(1))),
                    1 => Some(imm(2)),
                    _ => None,
                })
                .leave(|old: &Var, _: &Position<'_>| vars.iter().position(|var| var.name == old.name).map(|at| new_vars[at].clone()))
                .run(root)
                .unwrap()
        };
        let kept = build(&steps, &vars);
        let text = format!("{kept:?}");
        let copied = rewrite(kept.clone());
        prop_assert_eq!(format!("{kept:?}"), text, "the kept value has changed");
        let own = build(&steps, &vars);
        let changed = rewrite(own);
        prop_assert!(structural_equal(&copied, &changed));
        prop_assert_eq!(format!("{copied:?}"), format!("{changed:?}"));
    }

    #[test]
    fn arrays_and_maps_of_all_sorts_become_the_same_in_place(nested in nested()) {
        // Texts become texts, numbers, or nothing; numbers become arrays.
        let rewrite = |root: Any| {
            Mutate::new()
                .leave(|text: &Str, at: &Position<'_>| match text.len() {
                    _ if at.is_key() => None,
                    1 => Some(Any::from(text.to_uppercase())),
                    2 => Some(Any::from(imm(2))),
                    3 => Some(Any::Int(3)),
                    _ => None,
                })
                .leave(|number: &Imm, _: &Position<'_>| (number.value == 1).then(|| Array::from([imm(1)])))
                .run(root)
                .unwrap()
        };
        let kept = nested.build();
        let text = format!("{kept:?}");
        let copied = rewrite(kept.clone());
        prop_assert_eq!(format!("{kept:?}"), text, "the kept value has changed");
        let own = nested.build();
        let place = |root: &Any| root.view().as_object().filter(|object| object.as_str().is_none()).map(ObjectView::address);
        let before = place(&own);
        let changed = rewrite(own);
        prop_assert_eq!(format!("{copied:?}"), format!("{changed:?}"));
        prop_assert!(value_equal(&copied, &changed));
        // The element bounds of arrays and maps are the bounds of new ones.
        let bounds = |root: &Any| {
            let mut fits = Vec::new();
            walk(root, |object: &ObjectRef, _| {
                let array = [object.is::<Array<Expr>>(), object.is::<Array<Str>>(), object.is::<Array<i64>>()];
                fits.extend(array);
                fits.push(object.is::<Map<Str, Str>>());
                fits.push(object.downcast_ref::<Array<Expr>>().is_some_and(|array| array.as_slice().is_empty()));
            });
            fits
        };
        prop_assert_eq!(bounds(&copied), bounds(&changed));
        if let (Nested::Map(_), before) = (&nested, before) {
            prop_assert_eq!(place(&changed), before);
        }
    }

    #[test]
    fn a_new_variable_is_the_same_everywhere(steps in graphs()) {
        let vars = vars();
        let root = build(&steps, &vars);
        // The type of the last variable changes with the first.
        let new = mutate(root, |old: &Var, _| (old.name == *"x").then(|| var("new"))).unwrap();
        let mut typed: Vec<Var> = Vec::new();
        let mut news = 0;
        walk(&new, |var: &Var, _| {
            news += usize::from(var.name == *"new");
            typed.extend((var.name == *"t").then(|| var.clone()));
        });
        prop_assert!(typed.len() <= 1 && news <= 1);
        prop_assert!(typed.iter().all(|var| var.ty.as_ref().is_some_and(|ty| ty.is::<Var>())));
    }
}

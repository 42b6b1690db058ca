//! Rewrites: nothing changes that need not, and what is done is undone by its inverse.

use object_core::prelude::*;
use object_core::rewrite::{Mutate, mutate};
use object_core::visit::{Place, walk};
use proptest::prelude::*;

use crate::demo::{Expr, Imm, Var, add, imm, var};
use crate::graphs::{build, graphs, vars};

fn objects(root: &Expr) -> Vec<ObjectRef> {
    let mut objects = Vec::new();
    walk(root, |object: &ObjectRef| objects.push(object.clone()));
    objects
}

proptest! {
    #[test]
    fn the_identity_gives_the_same_pointer(steps in graphs()) {
        let root = build(&steps, &vars());
        let before = objects(&root);
        let same = Mutate::new()
            .pre(|_: &ObjectRef, _: &Place<'_>| None::<ObjectRef>)
            .post(|object: &ObjectRef, _: &Place<'_>| Some(object.clone()))
            .run(root.clone())
            .unwrap();
        prop_assert!(same.ptr_eq(&root));
        prop_assert!(objects(&same).iter().zip(&before).all(|(a, b)| a.ptr_eq(b)));
    }

    #[test]
    fn the_inverse_undoes_and_sharing_stays(steps in graphs()) {
        let vars = vars();
        let root = build(&steps, &vars);
        let negate = |root: Expr| mutate(root, |number: &Imm| Some(imm(!number.value))).unwrap();
        let there = negate(root.clone());
        prop_assert_eq!(objects(&there).len(), objects(&root).len());
        prop_assert!(structural_equal(&negate(there), &root));
    }

    #[test]
    fn in_place_or_not_the_result_is_the_same(steps in graphs()) {
        let vars = vars();
        // An even number becomes a sum, an odd one another number, and a variable a new one.
        let new_vars: Vec<Var> = vars.iter().map(|var| Var::new(var.name.clone(), None)).collect();
        let rewrite = |root: Expr| {
            Mutate::new()
                .post(|number: &Imm, _: &Place<'_>| match number.value % 3 {
                    0 => Some(add(imm(number.value), imm(1))),
                    1 => Some(imm(2)),
                    _ => None,
                })
                .post(|old: &Var, _: &Place<'_>| vars.iter().position(|var| var.name == old.name).map(|at| new_vars[at].clone()))
                .run(root)
                .unwrap()
        };
        let kept = build(&steps, &vars);
        let text = format!("{kept:?}");
        let copied = rewrite(kept.clone());
        prop_assert_eq!(format!("{kept:?}"), text, "the old one is as it was");
        let own = build(&steps, &vars);
        let changed = rewrite(own);
        prop_assert!(structural_equal(&copied, &changed));
        prop_assert_eq!(format!("{copied:?}"), format!("{changed:?}"));
    }

    #[test]
    fn a_new_variable_is_the_same_everywhere(steps in graphs()) {
        let vars = vars();
        let root = build(&steps, &vars);
        // The type of the last variable changes with the first.
        let new = mutate(root, |old: &Var| (old.name == *"x").then(|| var("new"))).unwrap();
        let mut typed: Vec<Var> = Vec::new();
        let mut news = 0;
        walk(&new, |var: &Var| {
            news += usize::from(var.name == *"new");
            typed.extend((var.name == *"t").then(|| var.clone()));
        });
        prop_assert!(typed.len() <= 1 && news <= 1);
        prop_assert!(typed.iter().all(|var| var.ty.as_ref().is_some_and(|ty| ty.is::<Var>())));
    }
}

//! Copies and comparison by value.

use std::cmp::Ordering;

use object_core::data::{deep_copy, value_equal, value_order};
use object_core::prelude::*;
use object_core::visit::walk;
use proptest::prelude::*;

use crate::graphs::{build, graphs, vars};

proptest! {
    #[test]
    fn a_copy_is_equal_and_has_nothing_in_common(steps in graphs()) {
        let root = build(&steps, &vars());
        let copy = deep_copy(&root).unwrap();
        prop_assert!(value_equal(&root, &copy));
        let objects = |root| {
            let mut objects: Vec<ObjectRef> = Vec::new();
            walk(root, |object: &ObjectRef, _| objects.push(object.clone()));
            objects
        };
        let (old, new) = (objects(&root), objects(&copy));
        prop_assert_eq!(old.len(), new.len());
        for (old, new) in old.iter().zip(&new) {
            prop_assert_eq!(old.ptr_eq(new), old.is::<Str>());
        }
    }

    #[test]
    fn the_order_is_total(a in graphs(), b in graphs(), c in graphs()) {
        let vars = vars();
        let [a, b, c] = [a, b, c].map(|steps| build(&steps, &vars));
        prop_assert_eq!(value_order(&a, &a), Ordering::Equal);
        prop_assert_eq!(value_order(&a, &b), value_order(&b, &a).reverse());
        if value_order(&a, &b) != Ordering::Greater && value_order(&b, &c) != Ordering::Greater {
            prop_assert_ne!(value_order(&a, &c), Ordering::Greater);
        }
        // If the text does not show sharing, equal values have the same text.
        let text = |value| object_core::repr::Repr::new(value).sharing(false).max_values(100_000).to_string();
        prop_assert_eq!(value_equal(&a, &b), text(&a) == text(&b));
    }
}

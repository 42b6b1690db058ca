//! The laws of diffs on the random graphs. `LAWS_PAIRS` sets the number of pairs, `LAWS_SEED` the seed.

use object_core::prelude::*;

use crate::build::{Manner, World, build};
use crate::classes::{CLASSES, SCOPED};
use crate::diff_laws::{Seen, broken};
use crate::relate::draw_triple;
use object_tests::setting;

use crate::rng::Rng;

#[test]
fn diffs_of_random_graphs() {
    let (pairs, seed) = (setting("LAWS_PAIRS", 120), setting("LAWS_SEED", 1));
    let mut faults = Vec::new();
    for class in CLASSES.iter().chain(SCOPED) {
        let ordered = class.keys.is_empty();
        let mut seen = Seen::default();
        let mut case = 0;
        while seen.pairs < pairs {
            let mut rng = Rng::of(seed, class.name, case);
            let recipes = draw_triple(class, &mut rng);
            let world = World::new(&mut rng);
            let [a, b, c] = [0, 1, 2].map(|index: usize| {
                let manner = Manner::draw(&mut rng);
                build(&recipes[index], &world, manner, &mut rng)
            });
            for (left, right, map_free_vars) in [(&a, &b, false), (&b, &c, true), (&a, &c, false)] {
                seen.pairs += 1;
                let engine = StructuralOptions::new().map_free_vars(map_free_vars);
                if let Some(law) = broken(left, right, engine, ordered, &mut seen) {
                    let [a, b, c] = &recipes;
                    faults.push(format!(
                        "class {}, case {case}, LAWS_SEED={seed}: {law}\n  {a}\n  {b}\n  {c}",
                        class.name
                    ));
                }
            }
            case += 1;
        }
        let Seen { pairs, unequal, several, one_sided, conflicts, mirrored } = seen;
        // The direction decides between several alignments, and where a diff reports objects that one side shares.
        if mirrored * 10 < unequal * 9 {
            faults.push(format!("class {}: only {mirrored} of {unequal} are the same mirrored", class.name));
        }
        if class.name == "all" && [several, one_sided, conflicts].contains(&0) {
            faults.push("the graphs are too much alike to say anything".into());
        }
        println!(
            "{:18} {pairs:>7} pairs, {unequal:>6} unequal: {several:>6} in several places, {one_sided:>6} with elements of \
             one side, {conflicts:>6} with conflicts, {mirrored:>6} the same mirrored",
            class.name,
        );
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults[..faults.len().min(5)].join("\n"));
}

//! The laws of edit scripts on the random graphs: a script applied to the first value makes one that equals the second, and its
//! inverse leads back. `LAWS_PAIRS` sets the number of pairs, `LAWS_SEED` the seed.

use object_core::edit::{EditOptions, EditScript};
use object_core::prelude::*;
use object_core::structural::Scopes;

use crate::build::{Manner, World, build};
use crate::classes::{CLASSES, SCOPED};
use crate::relate::draw_triple;
use object_tests::setting;

use crate::rng::Rng;

#[test]
fn edits_of_random_graphs() {
    let (pairs, seed) = (setting("LAWS_PAIRS", 70), setting("LAWS_SEED", 1));
    let mut faults = Vec::new();
    for class in CLASSES.iter().chain(SCOPED) {
        let (mut tried, mut case, mut changes, mut roots) = (0, 0, 0, 0);
        while tried < pairs {
            let mut rng = Rng::of(seed, class.name, case);
            let recipes = draw_triple(class, &mut rng);
            let world = World::new(&mut rng);
            let [a, b, c] = [0, 1, 2].map(|index: usize| {
                let manner = Manner::draw(&mut rng);
                build(&recipes[index], &world, manner, &mut rng)
            });
            let values = [(&a, &b, 0), (&b, &c, 1), (&a, &c, 2), (&c, &a, 3)];
            for (left, right, options) in values {
                tried += 1;
                let scopes = if options & 2 == 2 { Scopes::Lexical } else { Scopes::Persistent };
                let engine = StructuralOptions::new().map_free_vars(options & 1 == 1).scopes(scopes);
                match law(left, right, engine, case % 2 == 0) {
                    Ok(script) => {
                        changes += script.changes().len();
                        roots += usize::from(replaces_root(&script));
                    }
                    Err(law) => {
                        let [a, b, c] = &recipes;
                        let options = format!("map_free_vars {}, {scopes:?}", options & 1 == 1);
                        faults.push(format!(
                            "class {}, case {case}, LAWS_SEED={seed}, {options}: {law}\n  {a}\n  {b}\n  {c}",
                            class.name
                        ));
                    }
                }
            }
            case += 1;
        }
        println!("{:18} {tried:>7} pairs, {changes:>7} changes, {roots:>5} of the whole value", class.name);
    }
    assert!(
        faults.is_empty(),
        "{} faults\n{}",
        faults.len(),
        faults[..faults.len().min(setting("LAWS_SHOWN", 3) as usize)].join("\n")
    );
}

fn replaces_root(script: &EditScript) -> bool {
    script.changes().iter().any(|change| script.place(change, 0).steps().is_empty())
}

/// The script of two values, or the law that it breaks.
pub(crate) fn law(a: &Any, b: &Any, options: StructuralOptions, names: bool) -> Result<EditScript, String> {
    let text = |error: Error| format!("an error: {error}");
    let script = EditOptions::new().structural(options).names(names).edits(a, b).map_err(text)?;
    let equal = options.equal(a, b).map_err(text)?;
    if script.is_empty() && !equal {
        return Err("it is empty".into());
    }
    if equal && !names && !script.is_empty() {
        return Err("it changes an equal value".into());
    }
    let after = script.apply(a).map_err(|error| format!("it does not apply: {error}"))?;
    if !options.equal(&after, b).map_err(text)? {
        let first = options.first_mismatch(&after, b).map_err(text)?.map_or_else(String::new, |it| it.to_string());
        return Err(format!("{first}\nit makes\n  {after}\n  of {a}\n  for {b}\n  {script:?}"));
    }
    let before = script.inverted().apply(b).map_err(|error| format!("its inverse does not apply: {error}"))?;
    if !options.equal(&before, a).map_err(text)? {
        let first = options.first_mismatch(&before, a).map_err(text)?.map_or_else(String::new, |it| it.to_string());
        return Err(format!("{first}\nits inverse makes\n  {before}\n  of {b}\n  for {a}\n  {script:?}"));
    }
    let listed: Vec<usize> = script.edits().into_iter().flat_map(|edit| edit.changes).collect();
    let mut once = listed.clone();
    once.sort_unstable();
    if once != (0..script.changes().len()).collect::<Vec<_>>() {
        return Err(format!("it lists the changes {listed:?}"));
    }
    Ok(script)
}

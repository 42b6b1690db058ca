//! Renaming, copying and rewriting of every graph of the law classes.

use object_core::prelude::*;
use object_core::rewrite::{alpha_rename, mutate};
use object_core::structural::{Scopes, StructuralOptions};
use object_core::visit::{bound_vars, free_vars};
use object_core::{data, lexical};

use crate::build::{Manner, World, build};
use crate::classes::{CLASSES, Class, MISUSED, SCOPED};
use crate::recipe::Recipe;
use object_tests::setting;

use crate::rng::Rng;
use crate::types::Imm;

/// Checks a law on random graphs of some classes.
fn check<'c>(classes: impl Iterator<Item = &'c Class>, law: impl Fn(&Any) -> Result<(), String>) {
    let (cases, seed) = (setting("LAWS_REWRITES", 70), setting("LAWS_SEED", 1));
    for class in classes {
        for case in 0..cases {
            let mut rng = Rng::of(seed, class.name, case);
            let recipe = Recipe::draw(class, &mut rng);
            let world = World::new(&mut rng);
            let manner = Manner::draw(&mut rng);
            let value = build(&recipe, &world, manner, &mut rng);
            if let Err(wrong) = law(&value) {
                panic!("{} {case}: {wrong}\n  {recipe}\n  {value:?}", class.name);
            }
        }
    }
}

/// Checks that `options` find both values equal, with equal hashes.
fn equal(options: StructuralOptions, value: &Any, other: &Any, name: &str) -> Result<(), String> {
    let hash = |value: &Any| options.hash(value).map_err(|error| error.to_string());
    match options.first_mismatch(value, other) {
        Ok(None) if hash(value)? == hash(other)? => Ok(()),
        Ok(None) => Err(format!("{name}: equal values, other hashes: {other:?}")),
        Ok(Some(mismatch)) => Err(format!("{name}: {mismatch}: {other:?}")),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn a_renamed_graph_is_equal() {
    check(CLASSES.iter().chain(SCOPED), |value| {
        let renamed = alpha_rename(value.clone()).map_err(|error| error.to_string())?;
        equal(StructuralOptions::new(), value, &renamed, "renamed")
    });
}

#[test]
fn a_graph_renamed_under_lexical_scopes_is_equal() {
    check(CLASSES.iter().chain(SCOPED), |value| {
        let renamed = lexical::alpha_rename(value.clone()).map_err(|error| error.to_string())?;
        equal(StructuralOptions::new().scopes(Scopes::Lexical), value, &renamed, "renamed under lexical scopes")
    });
}

/// A copy in which nothing is shared with the original, and a rewrite of it that changes each number and changes it back.
#[test]
fn a_rewrite_that_takes_its_changes_back_changes_nothing() {
    check(CLASSES.iter().chain(SCOPED).chain(MISUSED), |value| {
        let copy = data::deep_copy(value).map_err(|error| error.to_string())?;
        let original = copy.clone();
        let changed =
            mutate(copy, |imm: &Imm, _| Some(Imm::new(imm.value + 100))).map_err(|error| error.to_string())?;
        let back =
            mutate(changed, |imm: &Imm, _| Some(Imm::new(imm.value - 100))).map_err(|error| error.to_string())?;
        match data::value_equal(&original, &back) {
            true => Ok(()),
            false => Err(format!("not the same after two rewrites: {back:?}")),
        }
    });
}

/// Free variables stay, and each bound one becomes one.
#[test]
fn a_renamed_graph_has_as_many_bound_variables() {
    check(CLASSES.iter().chain(SCOPED), |value| {
        let renamed = alpha_rename(value.clone()).map_err(|error| error.to_string())?;
        let count = |value: &Any| (bound_vars(value).len(), free_vars(value));
        match count(value) == count(&renamed) {
            true => Ok(()),
            false => Err(format!("{:?} variables became {:?}: {renamed:?}", count(value), count(&renamed))),
        }
    });
}

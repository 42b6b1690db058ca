//! Checks every law of structural equality, hashing and diffs, also under lexical scopes, on three graphs of annotated
//! types. Edits of the first graph make the other two. Types, graphs and laws are in `tests/tests/laws`; the fuzzer
//! replaces the random numbers there.

#![no_main]
#![allow(dead_code, reason = "the tests use more of these modules")]

#[path = "../../tests/tests/laws/build.rs"]
mod build;
#[path = "../../tests/tests/laws/check.rs"]
mod check;
#[path = "../../tests/tests/laws/classes.rs"]
mod classes;
#[path = "../../tests/tests/laws/diff_laws.rs"]
mod diff_laws;
#[path = "../../tests/tests/laws/paths.rs"]
mod paths;
#[path = "../../tests/tests/laws/recipe.rs"]
mod recipe;
#[path = "../../tests/tests/laws/reference.rs"]
mod reference;
#[path = "../../tests/tests/laws/relate.rs"]
mod relate;
#[path = "../../tests/tests/laws/rng.rs"]
mod rng;
#[path = "../../tests/tests/laws/typed.rs"]
mod typed;
#[path = "../../tests/tests/laws/types.rs"]
mod types;

use check::{Count, Excused, check};
use build::{Manner, World, build};
use classes::{CLASSES, Class, MISUSED, SCOPED};
use diff_laws::{Seen, broken};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::{Corpus, fuzz_target};
use object_core::prelude::*;
use recipe::{Make, Part, Recipe};
use rng::Rng;

/// The limit of parts. It is larger than in the tests, because the fuzzer grows graphs that reach new code.
const MOST_PARTS: usize = 40;

/// The limit of paths, because the reference walks every path.
const MOST_PATHS: u64 = 2000;

fuzz_target!(|bytes: &[u8]| -> Corpus { run(bytes).unwrap_or(Corpus::Reject) });

fn run(bytes: &[u8]) -> Result<Corpus> {
    let mut bytes = Unstructured::new(bytes);
    let place = bytes.choose_index(CLASSES.len() + SCOPED.len() + MISUSED.len())?;
    let misused = place >= CLASSES.len() + SCOPED.len();
    let Some(class) = CLASSES.iter().chain(SCOPED).chain(MISUSED).nth(place) else { return Ok(Corpus::Reject) };
    let manners: u64 = bytes.arbitrary()?;
    let edits: [u8; 2] = bytes.arbitrary()?;
    let seeds: [u16; 2] = bytes.arbitrary()?;
    let first = decode(&mut bytes, class)?;
    if first.parts.is_empty() || !first.is_allowed(class) {
        return Ok(Corpus::Reject);
    }
    let edited = |recipe: &Recipe, index: usize| {
        let mut rng = Rng(seeds[index].into());
        (0..edits[index] % 4).fold(recipe.clone(), |recipe, _| relate::mutate(&recipe, class, &mut rng))
    };
    let second = edited(&first, 0);
    let third = edited(&second, 1);
    let recipes = [first, second, third];
    if recipes.iter().any(|recipe| paths_in(recipe) > MOST_PATHS) {
        return Ok(Corpus::Reject);
    }
    let diffs = if misused { None } else { broken_by_diffs(&recipes, class, manners) };
    let laws = diffs.map_or(Ok(()), |law| Err(format!("of diffs: {law}")));
    if let Err(law) = laws.and_then(|()| check(&recipes, manners, Excused { laws: misused }, &mut Count::default())) {
        let [a, b, c] = &recipes;
        panic!("class {}, manners {manners}: {law}\n  a = {a}\n  b = {b}\n  c = {c}", class.name);
    }
    Ok(Corpus::Keep)
}

/// The law of diffs that the first two graphs break, if any.
fn broken_by_diffs(recipes: &[Recipe; 3], class: &Class, manners: u64) -> Option<String> {
    let mut rng = Rng(manners);
    let world = World::new(&mut rng);
    let [a, b] = [0, 1].map(|index: usize| {
        let manner = Manner::draw(&mut rng);
        build(&recipes[index], &world, manner, &mut rng)
    });
    let ordered = class.keys.is_empty();
    [false, true].into_iter().find_map(|map_free_vars| {
        let engine = StructuralOptions::new().map_free_vars(map_free_vars);
        broken(&a, &b, engine, ordered, &mut Seen::default())
    })
}

/// The number of parts if nothing were shared.
fn paths_in(recipe: &Recipe) -> u64 {
    let mut paths: Vec<u64> = Vec::new();
    for part in &recipe.parts {
        let below = part.args.iter().fold(1, |sum: u64, arg| sum.saturating_add(paths[*arg]));
        paths.push(below);
    }
    paths.last().copied().unwrap_or(0)
}

/// Reads parts until the bytes end.
fn decode(bytes: &mut Unstructured<'_>, class: &Class) -> Result<Recipe> {
    let mut recipe = Recipe::default();
    while !bytes.is_empty() && recipe.parts.len() < MOST_PARTS {
        let place = recipe.parts.len();
        let make = *bytes.choose(class.makes)?;
        let (least, most) = make.arity();
        if least > 0 && place == 0 {
            continue;
        }
        let count = if place == 0 { 0 } else { bytes.int_in_range(least..=most)? };
        // Keys and values come in pairs.
        let count = if make.is_map() { count - (count - least) % 2 } else { count };
        let n = if make == Make::World { *bytes.choose(class.world)? } else { bytes.int_in_range(0..=5)? };
        let args = (0..count).map(|_| bytes.choose_index(place)).collect::<Result<_>>()?;
        recipe.parts.push(Part { make, n, args });
    }
    Ok(recipe)
}

//! Hashes are the same in every process: the test runs its own program a second time and compares the output.

use std::fmt::Write;
use std::process::Command;

use object_core::prelude::*;

use crate::build::{Manner, World, build};
use crate::classes::CLASSES;
use crate::recipe::Recipe;
use crate::rng::Rng;

/// The environment variable that selects printing in the second process.
const PRINTS: &str = "LAWS_PRINT_HASHES";

/// The hashes of some graphs of every class, one per line. `seed` decides how the graphs are built, which does not
/// change the hashes.
fn hashes(seed: u64) -> String {
    let mut text = String::new();
    for class in CLASSES {
        for case in 0..40 {
            let mut rng = Rng::of(7, class.name, case);
            let recipe = Recipe::draw(class, &mut rng);
            let mut manners = Rng::of(seed, class.name, case);
            let world = World::new(&mut manners);
            let manner = Manner::draw(&mut manners);
            let graph = build(&recipe, &world, manner, &mut manners);
            let (full, skipping) = (StructuralOptions::new(), StructuralOptions::new().skip_tensor_content(true));
            let [full, short] = [full, skipping].map(|hasher| hasher.hash(&graph).expect("it can be compared"));
            writeln!(text, "hash {} {case} {full:016x} {short:016x}", class.name).expect("a string takes everything");
        }
    }
    text
}

#[test]
fn hashes_are_the_same_in_every_process() {
    if let Ok(seed) = std::env::var(PRINTS) {
        println!("\n{}", hashes(seed.parse().unwrap_or(0)));
        return;
    }
    let here = hashes(1);
    let program = std::env::current_exe().expect("the test runs from a file");
    for seed in ["1", "2"] {
        let arguments = ["--exact", "hashes::hashes_are_the_same_in_every_process", "--nocapture"];
        let output = Command::new(&program).args(arguments).env(PRINTS, seed).output().expect("it runs again");
        let printed = String::from_utf8(output.stdout).expect("it prints text");
        let there: Vec<&str> = printed.lines().filter(|line| line.starts_with("hash ")).collect();
        let here: Vec<&str> = here.lines().collect();
        assert_eq!(there.len(), here.len(), "{printed}");
        for (here, there) in here.iter().zip(there) {
            assert_eq!(*here, there);
        }
    }
}

//! The parser reads back the text form of every value.

use crate::build::{Manner, World, build};
use crate::classes::{CLASSES, MISUSED, SCOPED};
use crate::recipe::Recipe;
use crate::rng::Rng;
use crate::texts::reads_back;
use object_tests::setting;

#[test]
fn the_text_form_of_every_graph_is_read_back() {
    for class in CLASSES.iter().chain(SCOPED).chain(MISUSED) {
        for case in 0..setting("LAWS_REWRITES", 70) {
            let mut rng = Rng::of(1, class.name, case);
            let recipe = Recipe::draw(class, &mut rng);
            let world = World::new(&mut rng);
            let manner = Manner::draw(&mut rng);
            let value = build(&recipe, &world, manner, &mut rng);
            if let Err(wrong) = reads_back(&value) {
                panic!("{} {case}: {wrong}", class.name);
            }
        }
    }
}

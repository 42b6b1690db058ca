//! Related recipes: mutants, triples, and the smallest recipe that still breaks a law.

use crate::classes::Class;
use crate::recipe::{Part, Recipe};
use crate::rng::Rng;

/// `recipe` with one change, which structural equality may or may not detect.
pub(crate) fn mutate(recipe: &Recipe, class: &Class, rng: &mut Rng) -> Recipe {
    for _ in 0..20 {
        let mut mutant = recipe.clone();
        change(&mut mutant, class, rng);
        if mutant != *recipe && mutant.is_allowed(class) {
            return mutant;
        }
    }
    recipe.clone()
}

fn change(recipe: &mut Recipe, class: &Class, rng: &mut Rng) {
    let place = rng.below(recipe.parts.len());
    let before = Recipe { parts: recipe.parts[..place].to_vec() };
    let part = &mut recipe.parts[place];
    match rng.below(8) {
        6 if part.make.is_map() && part.args.len() > 3 => {
            // The last entries are swapped.
            let at = part.args.len() - 4;
            part.args[at..].rotate_left(2);
        }
        0 => part.n = rng.below(6) as u8,
        1 | 2 if !part.args.is_empty() => {
            let index = rng.below(part.args.len());
            part.args[index] = before.draw_arg(class, &part.clone(), index, rng);
        }
        3 if part.args.len() > 1 => {
            let (i, j) = (rng.below(part.args.len()), rng.below(part.args.len()));
            part.args.swap(i, j);
        }
        4 => {
            let step = if part.make.is_map() { 2 } else { 1 };
            part.args.truncate(part.args.len().saturating_sub(step));
        }
        5 if place > 0 => {
            for _ in 0..if part.make.is_map() { 2 } else { 1 } {
                part.args.push(0);
                let index = part.args.len() - 1;
                part.args[index] = before.draw_arg(class, &part.clone(), index, rng);
            }
        }
        _ => *part = before.draw_part(class, rng),
    }
}

/// Three recipes; neighbours are copies, mutants or unrelated.
pub(crate) fn draw_triple(class: &Class, rng: &mut Rng) -> [Recipe; 3] {
    let first = Recipe::draw(class, rng);
    let next = |recipe: &Recipe, rng: &mut Rng| match rng.below(20) {
        0 | 1 => Recipe::draw(class, rng),
        2..12 => recipe.clone(),
        12..18 => mutate(recipe, class, rng),
        _ => mutate(&mutate(recipe, class, rng), class, rng),
    };
    let second = next(&first, rng);
    let third = if rng.chance(15) { first.clone() } else { next(&second, rng) };
    [first, second, third]
}

/// The smallest recipes for which `fails` is still true.
pub(crate) fn shrink(start: [Recipe; 3], class: &Class, fails: impl Fn(&[Recipe; 3]) -> bool) -> [Recipe; 3] {
    let mut best = start;
    loop {
        let size = weight(&best);
        for candidate in smaller(&best) {
            let allowed = candidate.iter().all(|recipe| !recipe.parts.is_empty() && recipe.is_allowed(class));
            if allowed && weight(&candidate) < weight(&best) && fails(&candidate) {
                best = candidate;
                break;
            }
        }
        if weight(&best) == size {
            return best;
        }
    }
}

fn weight(recipes: &[Recipe; 3]) -> usize {
    let part = |part: &Part| 1000 + usize::from(part.n) + 50 * part.args.len() + part.args.iter().sum::<usize>();
    let own: usize = recipes.iter().flat_map(|recipe| &recipe.parts).map(part).sum();
    // A third recipe that equals a neighbour does not count.
    own + usize::from(recipes[2] != recipes[1]) + usize::from(recipes[1] != recipes[0])
}

fn smaller(recipes: &[Recipe; 3]) -> Vec<[Recipe; 3]> {
    let mut candidates = Vec::new();
    let mut add = |edit: &dyn Fn(&mut Recipe)| {
        let mut all = recipes.clone();
        all.iter_mut().for_each(edit);
        candidates.push(all);
        for index in 0..3 {
            let mut one = recipes.clone();
            edit(&mut one[index]);
            candidates.push(one);
        }
    };
    let longest = recipes.iter().map(|recipe| recipe.parts.len()).max().unwrap_or(0);
    for place in (0..longest).rev() {
        add(&|recipe| remove(recipe, place));
        add(&|recipe| {
            if let Some(part) = recipe.parts.get_mut(place) {
                part.n = 0;
            }
        });
        for index in 0..8 {
            for step in [1, 2] {
                add(&|recipe| {
                    if let Some(part) = recipe.parts.get_mut(place)
                        && index + step <= part.args.len()
                    {
                        part.args.drain(index..index + step);
                    }
                });
            }
            for target in 0..place {
                add(&|recipe| {
                    if let Some(arg) = recipe.parts.get_mut(place).and_then(|part| part.args.get_mut(index))
                        && target < *arg
                    {
                        *arg = target;
                    }
                });
            }
        }
    }
    let mut third = recipes.clone();
    third[2] = third[1].clone();
    candidates.push(third);
    candidates
}

/// Removes a part; its first argument, or the part before it, takes its place.
fn remove(recipe: &mut Recipe, place: usize) {
    if place >= recipe.parts.len() {
        return;
    }
    let part = recipe.parts.remove(place);
    let instead = part.args.first().copied().unwrap_or(place.saturating_sub(1));
    for arg in recipe.parts.iter_mut().flat_map(|part| &mut part.args) {
        if *arg == place {
            *arg = instead;
        } else if *arg > place {
            *arg -= 1;
        }
    }
}

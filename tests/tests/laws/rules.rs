//! Patterns and rules over the graphs of the law classes find and do what their definitions say.

use object_core::limits::Limits;
use object_core::prelude::*;
use object_core::rewrite::{Pattern, RewriteRule, RewriteRules};
use object_core::structural::{Scopes, StructuralOptions};

use crate::build::{Manner, World, build};
use crate::classes::{CLASSES, Class, SCOPED};
use crate::naive_rules::{NaivePattern, NaiveRule, Values, compared_part, rewrite};
use crate::recipe::Recipe;
use crate::relate::mutate;
use object_tests::setting;

use crate::rng::Rng;

/// The variables of the world that can be holes.
const HOLES: std::ops::Range<usize> = 0..3;

/// The most replacements of a trial.
const REPLACEMENTS: usize = 30;

/// The classes with variables of the world as parts, which can be holes.
fn classes() -> impl Iterator<Item = &'static Class> {
    CLASSES.iter().chain(SCOPED).filter(|class| class.world.iter().any(|object| HOLES.contains(&usize::from(*object))))
}

/// A trial: random graphs of a class that share a world.
struct Trial {
    class: &'static Class,
    rng: Rng,
    world: World,
    is_lexical: bool,
}

impl Trial {
    fn new(class: &'static Class, case: u64) -> Self {
        let mut rng = Rng::of(setting("LAWS_SEED", 1), class.name, case);
        let world = World::new(&mut rng);
        let is_lexical = rng.chance(50);
        Trial { class, rng, world, is_lexical }
    }

    fn build(&mut self, recipe: &Recipe) -> Any {
        let manner = Manner::draw(&mut self.rng);
        build(recipe, &self.world, manner, &mut self.rng)
    }

    /// A small graph.
    fn recipe(&mut self) -> Recipe {
        let mut recipe = Recipe::draw(self.class, &mut self.rng);
        while recipe.parts.len() > 9 {
            recipe = Recipe::draw(self.class, &mut self.rng);
        }
        recipe
    }

    /// The pattern of a recipe: its free variables of the world are holes, most of them. `None` without any hole.
    fn pattern(&mut self, recipe: &Recipe) -> Option<(Pattern, NaivePattern)> {
        let template = self.build(recipe);
        let mut pattern =
            if self.is_lexical { Pattern::lexical(template.clone()) } else { Pattern::new(template.clone()) };
        let mut holes: Vec<ObjectRef> = Vec::new();
        for hole in HOLES {
            let var = self.world.objects[hole].clone().cast::<ObjectRef>().expect("a variable");
            if self.rng.chance(80)
                && let Ok(with_hole) = pattern.clone().hole(&var)
            {
                pattern = with_hole;
                holes.push(var);
            }
        }
        // A pattern gives other variables to binders of its holes.
        let template = compared_part(pattern.template().clone());
        // An object that is a key is equal to itself alone, so a copy would be another key.
        if !self.class.keys.is_empty() && template != *pattern.template() {
            return None;
        }
        let naive = NaivePattern { template, holes, is_lexical: self.is_lexical };
        (!naive.holes.is_empty()).then_some((pattern, naive))
    }

    /// A value that `pattern`, the pattern of `recipe`, may match.
    fn value(&mut self, recipe: &Recipe, pattern: &NaivePattern) -> Any {
        let related = if self.rng.chance(30) { mutate(recipe, self.class, &mut self.rng) } else { recipe.clone() };
        let related = self.build(&related);
        let values: Values = pattern
            .holes
            .iter()
            .map(|_| {
                let recipe = self.recipe();
                self.build(&recipe)
            })
            .collect();
        pattern.put(&related, &values, false).unwrap_or(related)
    }

    fn options(&self) -> StructuralOptions {
        let scopes = if self.is_lexical { Scopes::Lexical } else { Scopes::Persistent };
        StructuralOptions::new().scopes(scopes)
    }
}

/// Runs the trials of all classes. A trial returns `None` if it says nothing, and else whether the rules did something.
fn check(law: impl Fn(&mut Trial) -> Result<Option<bool>, String>) {
    let (cases, mut done, mut changed) = (setting("LAWS_RULES", 60), 0, 0);
    for class in classes() {
        for case in 0..cases {
            match law(&mut Trial::new(class, case)) {
                Ok(None) => {}
                Ok(Some(is_changed)) => {
                    done += 1;
                    changed += usize::from(is_changed);
                }
                Err(wrong) => panic!("{} {case}: {wrong}", class.name),
            }
        }
    }
    println!("{done} trials, {changed} of them with a match");
    assert!(changed * 20 > done && done > 0, "{changed} of {done} trials have a match");
}

#[test]
fn a_pattern_matches_the_values_of_its_definition() {
    check(|trial| {
        let recipe = trial.recipe();
        let Some((pattern, naive)) = trial.pattern(&recipe) else { return Ok(None) };
        let value = trial.value(&recipe, &naive);
        let (Ok(found), Ok(expected)) = (pattern.matches(&value), naive.matches(&value)) else { return Ok(None) };
        let about = || format!("\n  {:?}\n  {:?}\n  {value:?}", naive.template, naive.holes);
        match (&found, &expected) {
            (None, None) => return Ok(Some(false)),
            (Some(found), Some(expected)) => {
                for (hole, expected) in naive.holes.iter().zip(expected) {
                    let given: Any = found.value(hole).map_err(|error| error.to_string())?;
                    if !trial.options().equal(&given, expected).unwrap_or(true) {
                        return Err(format!("{hole:?} is {given:?}, not {expected:?}{}", about()));
                    }
                }
            }
            _ => return Err(format!("found: {}, expected: {}{}", found.is_some(), expected.is_some(), about())),
        }
        Ok(Some(true))
    });
}

#[test]
fn rules_do_what_their_definition_says() {
    check(|trial| {
        let (mut rules, mut naive, mut value) = (RewriteRules::new(), Vec::new(), Any::None);
        for _ in 0..1 + trial.rng.below(3) {
            let recipe = trial.recipe();
            let Some((pattern, definition)) = trial.pattern(&recipe) else { continue };
            // A hole, a small value, or any value.
            let replacement = match trial.rng.below(4) {
                0 | 1 => Any::Object(definition.holes[0].clone()),
                2 => trial.world.objects[7].clone(),
                _ => {
                    let recipe = trial.recipe();
                    trial.build(&recipe)
                }
            };
            let scopes = definition.scopes();
            let free = scopes.free_vars(pattern.template()).into_iter().chain(scopes.free_vars(&replacement));
            let pattern = pattern.with_constants(&free.collect::<Vec<_>>());
            let Ok(rule) = RewriteRule::new(pattern, replacement.clone()) else { continue };
            rules = rules.rule(rule);
            let instance = trial.value(&recipe, &definition);
            value = if trial.rng.chance(50) { instance } else { Array::from([value, instance]).into() };
            naive.push(NaiveRule { pattern: definition, replacement });
        }
        let rules = rules.limits(Limits::new().max_nodes(REPLACEMENTS as u64));
        let Ok(Some(expected)) = rewrite(value.clone(), &naive, REPLACEMENTS) else { return Ok(None) };
        let given = rules.run(value.clone()).map_err(|error| format!("{error}\n  {value:?}"))?;
        let patterns = || naive.iter().map(|rule| format!("\n  {:?} -> {:?}", rule.pattern.template, rule.replacement));
        // A free variable with a hole in its fields becomes another variable in each instance.
        match trial.options().map_free_vars(true).first_mismatch(&given, &expected) {
            Ok(Some(mismatch)) => {
                let rules: String = patterns().collect();
                Err(format!("{mismatch}{rules}\n  {value:?}\n  {given:?}\n  {expected:?}"))
            }
            _ => Ok(Some(!trial.options().equal(&value, &given).unwrap_or(true))),
        }
    });
}

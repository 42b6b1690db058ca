//! Random graphs of up to 40 levels: no operation takes many steps per node on any of them.

use std::cell::Cell;

use object_core::prelude::*;
use object_core::steps;
use object_core::visit::{bound_vars, free_vars};

use crate::build::{Manner, Parity, World, build};
use crate::classes::{Class, unordered};
use crate::measure::{per_node, size};
use crate::operations::{Case, OPERATIONS, Operation};
use crate::recipe::Make::{self, *};
use crate::recipe::{Part, Recipe};
use crate::relate::{mutate, shrink};
use object_tests::setting;

use crate::rng::Rng;
use crate::types::Expr;

/// The steps per node and reference that no operation may reach. In the table of families, no bound is as high.
const CAP: u64 = 600;

/// The number of smaller graphs that a reduction tries.
const TRIES: usize = 400;

/// Operations that reach the cap on some graphs, and the reasons. The test fails if one of them reaches it on no graph.
const KNOWN: &[(&str, &str)] = &[];

/// The greatest number of levels.
const LEVELS: usize = 40;

/// The parts of the random graphs. Each class has parts that earlier faults needed.
const CLASSES: &[Class] = &[
    graphs("trees", &[Imm, Add, Add, Tuple, List, Box, Fields, Typed, Sized], &[], &[7, 8]),
    graphs("dag", &[Imm, Dag, Dag, DagBind, HookDag, HookDeep, Add, List, Const], &[], &[5, 6, 13]),
    graphs("binders", &[Var, Lambda, Lambda, Late, Let, Add, Tuple, World], &[], &[0, 1]),
    graphs("variables", &[Var, TypedVar, HookVar, Lambda, Let, Add, Typed, List, World], &[], &[0, 3, 4]),
    graphs("hooks", &[Var, Hook, HookLet, HookDag, HookVar, HookDeep, ScopeHook, Add, World], &[], &[0, 1, 5]),
    graphs("maps", &[Str, Var, Dag, Map, Map, Table, DefTable, Add, List, World], KEYS, &[0, 1, 5, 7]),
    graphs("maps of binders", &[Str, Var, Lambda, Let, Map, Map, DefTable, Add, World], KEYS, &[0, 1, 9]),
    graphs("scopes", &[Var, Scope, Scope, ScopeLet, Add, Add, Tuple, World], &[], &[0, 1]),
    graphs("scopes of one variable", &[Scope, Scope, Add, World], &[], &[0]),
    graphs("scopes of three variables", &[Scope, Scope, ScopeLet, Add, Add, World], &[], &[0, 1, 2]),
    graphs("scopes of dag nodes", &[Var, Scope, ScopeDag, ScopeLet, Dag, DagBind, Add, World], &[], &[0, 1, 5]),
    graphs("scopes of types", &[Var, TypedVar, HookVar, Scope, ScopeLet, ScopeHook, Add, World], &[], &[0, 3]),
    graphs("scopes and binders", &[Var, Scope, ScopeLet, Lambda, Late, Let, Add, World], &[], &[0, 1]),
    graphs("exports", &[Var, Project, Project, With, Scope, Lambda, Add, World], &[], &[0, 1]),
    graphs("exports and dag nodes", &[Var, Project, ProjectDag, With, Dag, DagBind, Add, World], &[], &[0, 1, 5]),
    graphs("exports and maps", &[Str, Var, Project, With, Map, Map, DefTable, Add, World], &[Str], &[0, 1]),
    graphs("scopes and maps", &[Str, Var, Scope, ScopeLet, Map, Map, DefTable, Add, World], KEYS, &[0, 1]),
    graphs(
        "all",
        &[
            Imm, Str, World, Fields, Add, Add, Tuple, List, Box, Const, Var, TypedVar, Op, Lambda, Late, Let, Dag,
            DagBind, Map, Table, DefTable, Hook, HookLet, HookDag, HookDeep, HookVar, Scope, Scope, ScopeLet, ScopeDag,
            ScopeHook, Typed,
        ],
        KEYS,
        &[0, 1, 3, 5, 7, 9, 10, 13],
    ),
];

const KEYS: &[Make] = &[Str, Var, Dag, World];

const fn graphs(name: &'static str, makes: &'static [Make], keys: &'static [Make], world: &'static [u8]) -> Class {
    unordered(name, makes, keys, world)
}

/// Draws a recipe of up to 40 levels, where each level refers to the level below, mostly more than once.
fn draw(class: &Class, rng: &mut Rng) -> Recipe {
    let levels = 8 + rng.below(LEVELS - 7);
    let mut recipe = Recipe::default();
    // Small pools of variables and leaves, so that levels use the same ones.
    for _ in 0..1 + rng.below(3) {
        let mut part = recipe.draw_part(class, rng);
        while !part.args.is_empty() {
            part = recipe.draw_part(class, rng);
        }
        recipe.parts.push(part);
    }
    // A key for maps whose class has keys.
    while !class.keys.is_empty() && !recipe.parts.iter().any(|part| class.allows_key(part)) {
        let part = recipe.draw_part(class, rng);
        if part.args.is_empty() {
            recipe.parts.push(part);
        }
    }
    // Half of the graphs have levels of few kinds: a period of one to three kinds of parts.
    let period = if rng.chance(50) { 1 + rng.below(3) } else { usize::MAX };
    let base = recipe.parts.len();
    for level in 0..levels {
        let below = recipe.parts.len() - 1;
        let earlier = level.checked_sub(period).map(|level| recipe.parts[base + level].make);
        let fits = |part: &Part| {
            let has_keys = (0..part.args.len())
                .all(|index| !part.is_key(index) || class.allows_key(&recipe.parts[part.args[index]]));
            has_keys && !part.args.is_empty() && earlier.is_none_or(|make| make == part.make)
        };
        let mut part = recipe.draw_part(class, rng);
        while !fits(&part) {
            part = recipe.draw_part(class, rng);
        }
        let contents: Vec<usize> = (0..part.args.len()).filter(|index| !part.is_key(*index)).collect();
        for percent in [100, 70, 20] {
            if let Some(index) = rng.pick(&contents)
                && rng.chance(percent)
                && (!part.is_def(index) || rng.chance(30) || contents.len() == 1)
            {
                part.args[index] = below - usize::from(below > base && rng.chance(15));
            }
        }
        recipe.parts.push(part);
    }
    recipe
}

/// Builds the case of a recipe: the same graph with sharing at even and at odd places, and a changed graph.
fn case(recipe: &Recipe, other: &Recipe, seed: u64) -> Case {
    let mut rng = Rng(seed);
    let world = World::new(&mut rng);
    let sides = [(recipe, Some(Parity::Even)), (recipe, Some(Parity::Odd)), (other, Option::None)];
    let [left, right, other] = sides.map(|(recipe, twins)| {
        let manner = Manner { twins, permute: true, ..Manner::default() };
        build(recipe, &world, manner, &mut rng)
    });
    let found = [free_vars(&left), bound_vars(&left)].concat();
    let vars = found.into_iter().filter_map(|var| var.downcast_ref::<Expr>().cloned()).collect();
    Case { left, right, other, vars }
}

/// Whether the steps per node of an operation reach the cap.
fn exceeds(operation: &Operation, case: &Case) -> bool {
    per_node(operation, case, size(case), CAP).is_none()
}

/// The smallest recipe found on which `operation` still reaches the cap.
fn reduce(operation: &Operation, recipes: [Recipe; 3], class: &Class, seed: u64) -> [Recipe; 3] {
    let tries = Cell::new(0);
    shrink(recipes, class, |[left, right, other]| {
        tries.set(tries.get() + usize::from(left == right));
        left == right && tries.get() <= TRIES && exceeds(operation, &case(left, other, seed))
    })
}

#[test]
fn operations_take_few_steps_on_random_graphs() {
    if !steps::COUNTS {
        println!("skipped: a build without debug assertions counts no steps");
        return;
    }
    let (graphs, seed) = (setting("SHARED_GRAPHS", 10), setting("SHARED_GRAPHS_SEED", 1));
    let only = std::env::var("SHARED_GRAPHS_CLASS").ok();
    let mut faults: Vec<(&str, String)> = Vec::new();
    let mut known_found: Vec<&str> = Vec::new();
    for class in CLASSES.iter().filter(|class| only.as_ref().is_none_or(|only| only == class.name)) {
        let (mut nodes, mut found) = (0, 0);
        for number in 0..graphs {
            let mut rng = Rng::of(seed, class.name, number);
            let recipe = draw(class, &mut rng);
            let (other, seed_of_case) = (mutate(&recipe, class, &mut rng), rng.next());
            let case = case(&recipe, &other, seed_of_case);
            nodes += size(&case);
            for operation in OPERATIONS.iter().filter(|operation| exceeds(operation, &case)) {
                found += 1;
                if KNOWN.iter().any(|(name, _)| *name == operation.name) {
                    known_found.push(operation.name);
                    continue;
                }
                // One small counterexample for each operation is enough.
                if faults.iter().any(|(name, _)| *name == operation.name) {
                    continue;
                }
                let recipes = reduce(operation, [recipe.clone(), recipe.clone(), other.clone()], class, seed_of_case);
                let [left, _, other] = &recipes;
                let place = format!("class {}, graph {number}, SHARED_GRAPHS_SEED={seed}", class.name);
                faults.push((
                    operation.name,
                    format!("{place}: `{}` takes {CAP} steps per node\n  {left}\n  other: {other}", operation.name),
                ));
            }
        }
        println!("{:26} {graphs:>6} graphs, {nodes:>8} nodes, {found:>4} cases above the cap", class.name);
    }
    for (name, _) in KNOWN.iter().filter(|(name, _)| only.is_none() && !known_found.contains(name)) {
        faults.push((name, format!("`{name}` stays below the cap now; remove it from `KNOWN`")));
    }
    let texts: Vec<&str> = faults.iter().map(|(_, text)| text.as_str()).collect();
    assert!(faults.is_empty(), "{} operations above the cap\n{}", faults.len(), texts.join("\n"));
}

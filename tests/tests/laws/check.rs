//! One trial: checks all laws on three graphs.

use object_core::prelude::*;
use object_core::structural::{HashCache, Interner, Scopes, StructuralKey};

use crate::build::{Manner, World, build};
use crate::paths;
use crate::recipe::Recipe;
use crate::reference::{Options, Rules, compare};
use crate::rng::Rng;

/// The laws that a class of graphs may break.
#[derive(Clone, Copy, Default)]
pub(crate) struct Excused {
    /// All laws except reflexivity, agreement of mismatch and verdict, and agreement with the reference.
    pub(crate) laws: bool,
}

/// The number of compared pairs, and the number of equal ones.
#[derive(Clone, Copy, Default)]
pub(crate) struct Count {
    pub(crate) pairs: u64,
    pub(crate) equal: u64,
    /// The number of triples with two equal pairs, for which transitivity is a condition.
    pub(crate) chains: u64,
}

/// Checks all laws on `recipes`; `seed` decides how the graphs are built. The error is the name of the broken law.
pub(crate) fn check(recipes: &[Recipe; 3], seed: u64, excused: Excused, count: &mut Count) -> Result<(), String> {
    let mut rng = Rng(seed);
    // Two worlds with the same objects at different addresses.
    let [world, world2] = [World::new(&mut rng), World::new(&mut rng)];
    let mut graph = |recipe, world| {
        let manner = Manner::draw(&mut rng);
        build(recipe, world, manner, &mut rng)
    };
    let [a, b, c] = [0, 1, 2].map(|index: usize| graph(&recipes[index], &world));
    let [a2, b2] = [0, 1].map(|index: usize| graph(&recipes[index], &world2));
    // One cache for all values and all options.
    let mut cache = HashCache::new();
    for options in 0..4 {
        let (map_free_vars, skip) = (options & 1 == 1, options & 2 == 2);
        if skip && !has_tensor(recipes) {
            continue;
        }
        let broken = |law: &str| Err(format!("{law} (map_free_vars {map_free_vars}, skip_tensor_content {skip})"));
        let engine = StructuralOptions::new().map_free_vars(map_free_vars).skip_tensor_content(skip);
        let equal = |a: &Any, b: &Any| engine.equal(a, b).map_err(|error| format!("an error: {error}"));
        let hash = |a: &Any| engine.hash(a).map_err(|error| format!("an error of the hash: {error}"));

        let verdict = equal(&a, &b)?;
        count.pairs += 1;
        count.equal += u64::from(verdict);
        for value in [&a, &b] {
            if !equal(value, value)? {
                return broken("reflexivity");
            }
        }
        let mismatch = engine.first_mismatch(&a, &b).map_err(|error| error.to_string())?;
        if mismatch.is_none() != verdict {
            return broken("a mismatch exactly if unequal");
        }
        if let Some(fault) = mismatch.as_ref().and_then(|found| paths::fault(found, a.view(), b.view(), engine)) {
            return broken(fault);
        }
        let reference_options = Options { map_free_vars, skip_tensor_content: skip, lexical: false };
        let reference = compare(a.view(), b.view(), reference_options, Rules::OURS);
        if reference.map(|found| found.is_none()) != Ok(verdict) {
            return broken(&format!("the verdict {verdict} differs from the reference"));
        }
        if excused.laws {
            continue;
        }
        if options == 0 {
            let key = |value: &Any| StructuralKey::new(value.clone()).map_err(|error| format!("no key: {error}"));
            let (of_a, of_b) = (key(&a)?, key(&b)?);
            if verdict && of_a.structural_hash() != of_b.structural_hash() {
                return broken("keys of equal values hash equal");
            }
            if (of_a == of_b) != verdict {
                return broken("keys are equal exactly if their values are");
            }
            check_interner(Scopes::Persistent, [&a, &b], verdict).or_else(|law| broken(&law))?;
        }
        if equal(&b, &a)? != verdict {
            return broken("symmetry");
        }
        if equal(&a2, &b2)? != verdict {
            return broken("a verdict that does not depend on how the graphs were built");
        }
        let (of_a, of_b) = (hash(&a)?, hash(&b)?);
        if verdict && of_a != of_b {
            return broken("equal values hash equal");
        }
        if verdict && engine.hash_128(&a).ok() != engine.hash_128(&b).ok() {
            return broken("equal values have the same wide hash");
        }
        if hash(&a2)? != of_a {
            return broken("a hash that does not depend on how the graph was built");
        }
        let further = equal(&b, &c)?;
        if verdict && further {
            count.chains += 1;
            if !equal(&a, &c)? {
                return broken("transitivity");
            }
        }
        count.pairs += 1;
        count.equal += u64::from(further);
        check_lexical(engine, reference_options, [&a, &b, &c], [&a2, &b2])
            .or_else(|law| broken(&format!("under lexical scopes, {law}")))?;
        for scopes in [Scopes::Persistent, Scopes::Lexical] {
            check_caches(engine.scopes(scopes), &mut cache, [&a, &b, &a2, &c, &a]).or_else(|law| broken(&law))?;
        }
    }
    Ok(())
}

/// The laws of an interner, for two values that are equal if `verdict`.
fn check_interner(scopes: Scopes, values: [&Any; 2], verdict: bool) -> Result<(), String> {
    let (engine, interner) = (StructuralOptions::new().scopes(scopes), Interner::with_scopes(scopes));
    let intern = |value: &Any| interner.intern_all(value.clone()).map_err(|error| error.to_string());
    let is_one = |a: &Any, b: &Any| match (a, b) {
        (Any::Object(a), Any::Object(b)) => a.ptr_eq(b),
        (a, b) => engine.equal(a, b).is_ok_and(|equal| equal),
    };
    let [a, b] = [intern(values[0])?, intern(values[1])?];
    if is_one(&a, &b) != verdict {
        return Err("interned values are one object exactly if they are equal".to_owned());
    }
    for (value, interned) in values.into_iter().zip([&a, &b]) {
        if !engine.equal(value, interned).is_ok_and(|equal| equal) {
            return Err("a value equals the interned one".to_owned());
        }
        if !is_one(&intern(interned)?, interned) {
            return Err("an interned value is its own representative".to_owned());
        }
        if let Any::Object(object) = value
            && !interner.get(object).ok().flatten().is_some_and(|found| is_one(&Any::Object(found), interned))
        {
            return Err("a look-up finds an interned value".to_owned());
        }
    }
    Ok(())
}

/// The hashes of a cache, and the upper half of the wide hash are the plain hashes.
fn check_caches(engine: StructuralOptions, cache: &mut HashCache, values: [&Any; 5]) -> Result<(), String> {
    for value in values {
        let plain = engine.hash(value).map_err(|error| error.to_string())?;
        if engine.hash_cached(value, cache).ok() != Some(plain) {
            return Err("the cached hash is the plain hash".to_owned());
        }
        if engine.hash_128(value).ok().map(|wide| (wide >> 64) as u64) != Some(plain) {
            return Err("the upper half of the wide hash is the plain hash".to_owned());
        }
    }
    Ok(())
}

/// The laws under lexical scopes, for three values and for copies of the first two.
fn check_lexical(
    engine: StructuralOptions,
    options: Options,
    [a, b, c]: [&Any; 3],
    [a2, b2]: [&Any; 2],
) -> Result<(), String> {
    let engine = engine.scopes(Scopes::Lexical);
    let equal = |a: &Any, b: &Any| engine.equal(a, b).map_err(|error| format!("an error: {error}"));
    let hash = |a: &Any| engine.hash(a).map_err(|error| format!("an error of the hash: {error}"));
    let broken = |law: &str| Err(law.to_owned());
    let verdict = equal(a, b)?;
    if !equal(a, a)? || !equal(b, b)? {
        return broken("reflexivity");
    }
    if equal(b, a)? != verdict {
        return broken("symmetry");
    }
    let mismatch = engine.first_mismatch(a, b).map_err(|error| error.to_string())?;
    if mismatch.is_none() != verdict {
        return broken("a mismatch exactly if unequal");
    }
    if let Some(fault) = mismatch.as_ref().and_then(|found| paths::fault(found, a.view(), b.view(), engine)) {
        return broken(fault);
    }
    if equal(a2, b2)? != verdict {
        return broken("a verdict that does not depend on how the graphs were built");
    }
    let reference = compare(a.view(), b.view(), Options { lexical: true, ..options }, Rules::OURS);
    if reference.map(|found| found.is_none()) != Ok(verdict) {
        return Err(format!("the verdict {verdict} differs from the reference"));
    }
    if verdict && (hash(a)? != hash(b)? || engine.hash_128(a).ok() != engine.hash_128(b).ok()) {
        return broken("equal values hash equal");
    }
    if verdict && equal(b, c)? && !equal(a, c)? {
        return broken("transitivity");
    }
    let is_default = !options.map_free_vars && !options.skip_tensor_content;
    if is_default { check_interner(Scopes::Lexical, [a, b], verdict) } else { Ok(()) }
}

fn has_tensor(recipes: &[Recipe]) -> bool {
    recipes.iter().flat_map(|recipe| &recipe.parts).any(|part| part.make == crate::recipe::Make::Tensor)
}

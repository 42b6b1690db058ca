//! The laws of `StructuralOptions::diff`, for the differences of any two values.

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::object::AnyView;
use object_core::prelude::*;
use object_core::structural::{Mismatch, MismatchReason};

use crate::paths::{fault, resolve};
use crate::reference::is_same;

/// A limit above the number of differences of any two graphs.
const ALL: usize = 10_000;

/// Counts of cases.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) pairs: u64,
    pub(crate) unequal: u64,
    pub(crate) several: u64,
    pub(crate) one_sided: u64,
    pub(crate) conflicts: u64,
    pub(crate) mirrored: u64,
}

/// The law that the diff of two values breaks, if any. `ordered` is false for maps with object keys: the order of their
/// entries decides which key is bound first, and a first mismatch uses another order than a diff.
pub(crate) fn broken(a: &Any, b: &Any, engine: StructuralOptions, ordered: bool, seen: &mut Seen) -> Option<String> {
    let (Ok(verdict), Ok(found)) = (engine.equal(a, b), engine.diff(a, b, ALL)) else {
        return Some("it is an error".into());
    };
    if found.is_empty() != verdict {
        return Some(format!("it lists {} differences, the verdict is {verdict}", found.len()));
    }
    let Ok(Some(first)) = engine.first_mismatch(a, b) else { return None };
    for difference in &found {
        if let Some(fault) = fault_of(difference, a.view(), b.view(), engine) {
            return Some(format!("{fault}: {difference}"));
        }
    }
    let is_twice = |(index, it): (usize, &Mismatch)| {
        is_unmistakable(&it.lhs)
            && is_unmistakable(&it.rhs)
            && found[..index].iter().any(|other| paths(other) == paths(it))
    };
    if found.iter().enumerate().any(is_twice) {
        return Some("a place is listed twice".into());
    }
    if ordered && !leads_to(&found[0], &first) {
        return Some(format!("it begins with {}, but the first mismatch is {first}", found[0]));
    }
    let limit = found.len().div_ceil(2);
    let part = engine.diff(a, b, limit).unwrap_or_default();
    if part.iter().map(paths).ne(found[..limit].iter().map(paths)) {
        return Some("a limit changes what is found before it".into());
    }
    let mirror = engine.diff(b, a, ALL).unwrap_or_default();
    if mirror.is_empty() {
        return Some("from right to left there is no difference".into());
    }
    seen.unequal += 1;
    seen.several += u64::from(found.len() > 1);
    seen.one_sided += u64::from(found.iter().any(|it| matches!(it.reason, MismatchReason::MissingElement)));
    seen.conflicts += u64::from(found.iter().any(|it| matches!(it.reason, MismatchReason::Binding { .. })));
    let mirror_paths: Vec<_> = mirror.iter().map(|it| (&it.rhs, &it.lhs)).collect();
    seen.mirrored += u64::from(mirror.len() == found.len() && found.iter().all(|it| mirror_paths.contains(&paths(it))));
    None
}

fn paths(difference: &Mismatch) -> (&AccessPath, &AccessPath) {
    (&difference.lhs, &difference.rhs)
}

/// Whether the path leads to one place only: several keys may have one label.
fn is_unmistakable(path: &AccessPath) -> bool {
    let is_label = |step: &AccessStep| {
        matches!(step, AccessStep::MapItem(PathKey::Other { .. }) | AccessStep::MapItemMissing(PathKey::Other { .. }))
    };
    !path.steps().iter().any(is_label)
}

/// Whether `found` may be the first difference if `first` is the first mismatch. Their paths must be equal, or first
/// differ in the elements of an array or the entries of a map.
fn leads_to(found: &Mismatch, first: &Mismatch) -> bool {
    let is_element = matches!(found.reason, MismatchReason::MissingElement);
    let is_attr = |step: &AccessStep| matches!(step, AccessStep::Attr(_));
    let side = |found: &AccessPath, first: &AccessPath| {
        match found.steps().iter().zip(first.steps()).find(|(found, first)| found != first) {
            Some((found, first)) => !is_attr(found) && !is_attr(first),
            // A comparison by index compares an element without counterpart with another element.
            None => found == first || (is_element && found.is_prefix_of(first)),
        }
    };
    side(&found.lhs, &first.lhs) && side(&found.rhs, &first.rhs)
}

/// The fault of one difference, if any.
fn fault_of(difference: &Mismatch, a: AnyView<'_>, b: AnyView<'_>, engine: StructuralOptions) -> Option<String> {
    if let MismatchReason::Binding { lhs, rhs } = &difference.reason {
        let bound = |own: &Option<Any>, earlier: &object_core::structural::EarlierBinding, own_is_left: bool| {
            let counterpart = Any::Object(earlier.counterpart.clone());
            let (left, right) = if own_is_left { (own.clone()?, counterpart) } else { (counterpart, own.clone()?) };
            let at = |root, path: &AccessPath, value: &Any| {
                resolve(root, path).iter().flatten().any(|found| is_same(*found, value.view()))
            };
            // The path of an entry also reports the bindings of its key.
            let may_be_in_key = !is_unmistakable(&earlier.lhs);
            (may_be_in_key || at(a, &earlier.lhs, &left) && at(b, &earlier.rhs, &right)).then_some(())
        };
        let left = lhs.as_ref().is_some_and(|earlier| bound(&difference.lhs_value, earlier, true).is_none());
        let right = rhs.as_ref().is_some_and(|earlier| bound(&difference.rhs_value, earlier, false).is_none());
        if left || right {
            return Some("the earlier binding is not where it says".into());
        }
    }
    if !matches!(difference.reason, MismatchReason::MissingElement) {
        return fault(difference, a, b, engine).map(str::to_owned);
    }
    // In an aligned array, the other side may have an element with the same index.
    let present = match (&difference.lhs_value, &difference.rhs_value) {
        (Some(value), None) => (a, &difference.lhs, value),
        (None, Some(value)) => (b, &difference.rhs, value),
        _ => return Some("not exactly one side lacks the element".into()),
    };
    let (root, path, value) = present;
    let leads_there = resolve(root, path).iter().flatten().any(|found| is_same(*found, value.view()));
    let absent = if difference.lhs_value.is_none() { (a, &difference.lhs) } else { (b, &difference.rhs) };
    let (root, path) = absent;
    let (last, before) = path.steps().split_last()?;
    let is_array = |value: &AnyView<'_>| value.as_object().is_some_and(|object| object.as_array().is_some());
    let parents = resolve(root, &AccessPath::from_steps(before.iter().cloned()));
    let lies_in_array = matches!(last, AccessStep::ArrayItemMissing(_)) && parents.iter().flatten().any(is_array);
    (!leads_there || !lies_in_array).then(|| "the paths do not lead to an element of an array".to_owned())
}

//! Follows the access paths of mismatches, to check the reported values.

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::object::{AnyView, SEqHashKind};
use object_core::prelude::*;
use object_core::structural::Mismatch;

use crate::reference::{grandchild, is_same, path_key};

/// The values at `path`: several if a step names a key only by its type, `None` if there is no value.
pub(crate) fn resolve<'a>(root: AnyView<'a>, path: &AccessPath) -> Vec<Option<AnyView<'a>>> {
    let mut values = vec![Some(root)];
    for step in path.steps() {
        values = values.into_iter().flatten().flat_map(|value| follow(value, step)).collect();
    }
    values
}

fn follow<'a>(value: AnyView<'a>, step: &AccessStep) -> Vec<Option<AnyView<'a>>> {
    let Some(object) = value.as_object() else { return Vec::new() };
    let items = |wanted: &PathKey| -> Vec<Option<AnyView<'a>>> {
        let entries = object.as_map().into_iter().flat_map(|map| map.iter());
        entries.filter(|(key, _)| names(wanted, *key)).map(|(_, value)| Some(value)).collect()
    };
    match step {
        AccessStep::Attr(name) if object.type_key() == "laws.HookDeep" && name == "grandchild" => {
            vec![Some(grandchild(object))]
        }
        AccessStep::Attr(name) => object.get(name).map(Some).into_iter().collect(),
        AccessStep::ArrayItem(index) => {
            object.as_array().and_then(|array| array.get(*index)).map(Some).into_iter().collect()
        }
        AccessStep::MapItem(key) => items(key),
        AccessStep::ArrayItemMissing(index) if object.as_array().is_some_and(|array| array.len() <= *index) => {
            vec![None]
        }
        // Several keys may have the same name.
        AccessStep::MapItemMissing(key) if items(key).is_empty() || matches!(key, PathKey::Other { .. }) => vec![None],
        _ => Vec::new(),
    }
}

fn names(wanted: &PathKey, key: AnyView<'_>) -> bool {
    match (wanted, path_key(key)) {
        (PathKey::Other { type_key: a, .. }, PathKey::Other { type_key: b, .. }) => *a == b,
        (a, b) => *a == b,
    }
}

/// The fault of a mismatch of `a` and `b`, if any.
pub(crate) fn fault(
    mismatch: &Mismatch,
    a: AnyView<'_>,
    b: AnyView<'_>,
    equal: StructuralOptions,
) -> Option<&'static str> {
    let sides = [(&mismatch.lhs, &mismatch.lhs_value, a), (&mismatch.rhs, &mismatch.rhs_value, b)];
    for (path, reported, root) in sides {
        let found = resolve(root, path);
        let leads_there = found.iter().any(|found| match (found, reported) {
            (Some(found), Some(reported)) => is_same(*found, reported.view()),
            (None, None) => true,
            _ => false,
        });
        if !leads_there {
            return Some("the path of the mismatch does not lead to the value it reports");
        }
    }
    let (Some(a), Some(b)) = (&mismatch.lhs_value, &mismatch.rhs_value) else {
        let one_missing = mismatch.lhs_value.is_some() != mismatch.rhs_value.is_some();
        return if one_missing { None } else { Some("the mismatch says that nothing differs from nothing") };
    };
    // Variables and `dag` nodes differ by their bindings, which only the whole comparison has.
    let is_bound = |value: &Any| {
        let kind = value.view().as_object().map(|object| object.type_info().kind());
        matches!(kind, Some(SEqHashKind::FreeVar | SEqHashKind::DagNode))
    };
    let differ = is_bound(a) && is_bound(b) || !equal.equal(a, b).unwrap_or(false);
    if differ { None } else { Some("the values at the mismatch are equal") }
}

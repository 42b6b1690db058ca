//! Hash and equality of objects whose child objects are compared by identity.
//!
//! If equal children are one object, two objects with the same fields and the same children are equal, and a table
//! compares them without a walk. The content that is not child objects is compared by value: plain fields, text, tensors.

use crate::container::{ArrayView, MapData};
use crate::hashing::Mixer;
use crate::object::{AnyView, ChildLayout, ChildSource, CompareRule, FieldPairs, ObjectView};
use crate::structural::engine::hash_leaves::{LeafContent, hash_plain, hash_plain_fields};
use crate::structural::engine::leaves::{plain_fields, same_plain};
use crate::structural::options::StructuralOptions;

/// Whether the walk over children reaches all objects in the compared fields. It does not for objects that JSON
/// represents by a key or by one field; their content counts by structure.
fn has_reachable_children(object: ObjectView<'_>) -> bool {
    object.type_info().plan.child_layout != ChildLayout::None
}

/// The hash that belongs to [`same_parts`].
pub(crate) fn hash_parts(mixer: impl Mixer, object: ObjectView<'_>) -> u64 {
    let plan = &object.type_info().plan;
    match plan.compare_rule {
        CompareRule::Leaf => LeafContent::of(object, false).hash(mixer, object),
        CompareRule::Plain => hash_plain_fields(mixer, object),
        _ if !has_reachable_children(object) => StructuralOptions::new().hash_leniently(&object),
        _ => match (object.as_array(), object.as_map()) {
            (Some(items), _) => hash_items(mixer, plan.key_hash, items),
            (_, Some(map)) => hash_entries(mixer, plan.key_hash, map),
            _ => object.fold_contents(
                &mut (),
                plan.fields_seed,
                |(), state, _, child| mixer.mix(state, child.address() as u64),
                |(), state, _, value| mixer.mix(state, hash_part(mixer, value)),
            ),
        },
    }
}

fn hash_part(mixer: impl Mixer, value: AnyView<'_>) -> u64 {
    match value {
        AnyView::Object(object) => object.address() as u64,
        plain => hash_plain(mixer, plain),
    }
}

fn hash_items(mixer: impl Mixer, seed: u64, items: ArrayView<'_>) -> u64 {
    let start = mixer.mix(seed, items.len() as u64);
    items.iter().fold(start, |state, item| mixer.mix(state, hash_part(mixer, item)))
}

/// The order of the entries plays no role, so their hashes are added up.
fn hash_entries(mixer: impl Mixer, seed: u64, map: &MapData) -> u64 {
    let entry = |(key, value)| mixer.mix(mixer.mix(seed, hash_part(mixer, key)), hash_part(mixer, value));
    mixer.mix(seed, map.iter().map(entry).fold(map.len() as u64, u64::wrapping_add))
}

/// Whether both objects have one type, equal content and the same children. The type has no hook.
pub(crate) fn same_parts(a: ObjectView<'_>, b: ObjectView<'_>) -> bool {
    let info = a.type_info();
    if a.ptr_eq(b) || !std::ptr::eq(info, b.type_info()) {
        return a.ptr_eq(b);
    }
    match info.plan.compare_rule {
        CompareRule::Plain => plain_fields(a, b),
        CompareRule::Leaf => StructuralOptions::new().equal_leniently(&a, &b),
        _ if !has_reachable_children(a) => StructuralOptions::new().equal_leniently(&a, &b),
        _ => match info.plan.child_source {
            ChildSource::Items => same_items(a.as_array(), b.as_array()),
            ChildSource::Entries => same_entries(a.as_map(), b.as_map()),
            ChildSource::Fields | ChildSource::Listed => {
                FieldPairs::new(a, b).all(&mut (), |(), _, a, b| a.ptr_eq(b), |(), _, a, b| same_part(a, b))
            }
        },
    }
}

fn same_part(a: AnyView<'_>, b: AnyView<'_>) -> bool {
    match (a, b) {
        (AnyView::Object(a), AnyView::Object(b)) => a.ptr_eq(b),
        _ => same_plain(a, b),
    }
}

fn same_items(a: Option<ArrayView<'_>>, b: Option<ArrayView<'_>>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same_part(a, b))
}

fn same_entries(a: Option<&MapData>, b: Option<&MapData>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    // Keys of text are equal by content for `get`, but interned ones are one object.
    a.len() == b.len() && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same_part(value, other)))
}

//! The parts of a value that can go, by the reflection of its types.

use crate::container::{Array, Map};
use crate::object::{Any, AnyView, FieldRole, ObjectBuilder, ObjectRef, ObjectView};
use crate::rewrite::{Mutate, Mutation};
use crate::table::{AddressSet, AddressTable, Set};
use crate::visit::Position;

/// The number of objects below an object among which a search looks for one of the same type, so that the search is linear.
const SEARCHED: usize = 64;

/// A part of an object.
pub(super) struct Part {
    owner: ObjectRef,
    kind: PartKind,
}

enum PartKind {
    /// The element of an array, or the entry of a map, with this index.
    Item(usize),
    /// The value of the optional field with this index.
    Field(usize),
    /// Everything around this object, which is below the owner and has the same type.
    Around(ObjectRef),
}

impl PartKind {
    fn item(&self) -> Option<usize> {
        match self {
            PartKind::Item(index) => Some(*index),
            _ => None,
        }
    }
}

/// The parts of the objects of a value, by the distance of the owner from the root, without the objects that `is_whole`
/// accepts and the ones below them.
pub(super) fn levels(root: &Any, is_whole: &dyn Fn(ObjectView<'_>) -> bool) -> Vec<Vec<Part>> {
    let mut level: Vec<ObjectView<'_>> = root.view().as_object().into_iter().collect();
    let mut seen: AddressSet = level.iter().map(|object| object.address()).collect();
    let mut levels = Vec::new();
    while !level.is_empty() {
        levels.push(level.iter().flat_map(|object| parts(*object)).collect());
        let children = level.iter().flat_map(|object| object.object_children());
        level = children.filter(|child| !is_whole(*child) && seen.insert(child.address())).collect();
    }
    levels
}

/// The parts of one object.
fn parts(object: ObjectView<'_>) -> Vec<Part> {
    let owner = object.to_object();
    let items = object.as_array().map(|array| array.len()).or_else(|| object.as_map().map(|map| map.len()));
    let kinds: Vec<PartKind> = match items {
        Some(count) => (0..count).map(PartKind::Item).collect(),
        None if object.type_info().singleton_key().is_some() => Vec::new(),
        None => {
            let fields = object.type_info().fields().iter().enumerate();
            let set = fields.filter(|(_, field)| {
                // Comparisons do not see the others, so values without them would count as tested.
                field.meta().role != FieldRole::Ignore
                    && field.schema().name == "Optional"
                    && !matches!(field.get(object), None | Some(AnyView::None))
            });
            let set = set.map(|(index, _)| PartKind::Field(index));
            set.chain(same_type_below(object).map(PartKind::Around)).collect()
        }
    };
    kinds.into_iter().map(|kind| Part { owner: owner.clone(), kind }).collect()
}

/// The nearest objects of the same type below an object.
fn same_type_below(object: ObjectView<'_>) -> impl Iterator<Item = ObjectRef> {
    let mut queue: Vec<ObjectView<'_>> = object.object_children().take(SEARCHED).collect();
    let (mut found, mut next) = (Vec::new(), 0);
    while let Some(below) = queue.get(next).copied() {
        next += 1;
        if std::ptr::eq(below.type_info(), object.type_info()) {
            found.push(below.to_object());
        } else {
            let room = SEARCHED.saturating_sub(queue.len());
            queue.extend(below.object_children().take(room));
        }
    }
    found.into_iter()
}

/// The value without the parts whose flag is set; `None` if the types do not admit it.
pub(super) fn without(value: &Any, parts: &[Part], is_removed: &[bool]) -> Option<Any> {
    let mut removed: AddressTable<Vec<&Part>> = AddressTable::default();
    for (part, _) in parts.iter().zip(is_removed).filter(|(_, is_removed)| **is_removed) {
        removed.entry(part.owner.view().address()).or_default().push(part);
    }
    let change = |object: &ObjectRef, _: &Position<'_>| match removed.get(&object.view().address()) {
        Some(parts) => changed(object, parts).map_or(Mutation::Keep, Mutation::ReplaceInto),
        None => Mutation::Keep,
    };
    Mutate::new().enter(change).run(value.clone()).ok()
}

/// The object without parts of it.
fn changed(object: &ObjectRef, parts: &[&Part]) -> Option<Any> {
    let view = object.view();
    let items: Set<usize> = parts.iter().filter_map(|part| part.kind.item()).collect();
    let is_kept = |index: usize| !items.contains(&index);
    if let Some(array) = view.as_array() {
        let kept = array.iter().enumerate().filter(|(index, _)| is_kept(*index));
        return Some(Array::<Any>::new(kept.map(|(_, item)| item.to_any())).into());
    }
    if let Some(map) = view.as_map() {
        let kept = map.iter().enumerate().filter(|(index, _)| is_kept(*index));
        return Some(Map::<Any, Any>::new(kept.map(|(_, (key, value))| (key.to_any(), value.to_any()))).into());
    }
    let inner = parts.iter().find_map(|part| match &part.kind {
        PartKind::Around(inner) => Some(inner),
        _ => None,
    });
    if let Some(inner) = inner {
        return Some(inner.clone().into());
    }
    let mut builder = ObjectBuilder::from_object(view).ok()?;
    for part in parts {
        if let PartKind::Field(index) = part.kind {
            builder.set_index(index, Any::None).ok()?;
        }
    }
    Some(builder.build().ok()?.into())
}

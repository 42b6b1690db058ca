//! The order in which map entries are compared and hashed. It does not depend on the order of insertion, so equality is
//! symmetric and equal maps have equal hashes.
//!
//! Plain keys come first, sorted by value. Bound objects follow, in the order of their binding, including objects that
//! earlier entries of the map bind. All other keys come last.

use std::cmp::Ordering;

use crate::container::MapData;
use crate::object::{AnyView, ObjectView, PlainBits, SEqHashKind};

/// The entries of a map that have a place in the order, by index. The order of an entry is decided as late as possible,
/// because the comparison of one entry may bind the key of another.
#[derive(Default)]
pub(crate) struct EntryOrder {
    order: Vec<usize>,
    is_queued: Vec<bool>,
    /// The number of bound objects that were looked up among the keys; `None` before the first look-up.
    looked_up: Option<usize>,
}

impl EntryOrder {
    /// The plain keys of `map`, sorted.
    pub(crate) fn of_plain_keys(map: &MapData) -> Self {
        let mut plain: Vec<(usize, AnyView<'_>)> = keys(map).filter(|(_, key)| is_plain(*key)).collect();
        plain.sort_by(|(_, a), (_, b)| compare_plain(*a, *b));
        let mut order = EntryOrder { is_queued: vec![false; map.len()], ..EntryOrder::default() };
        plain.into_iter().for_each(|(index, _)| order.push(index));
        order
    }

    /// All entries in the order of insertion.
    pub(crate) fn as_inserted(map: &MapData) -> Self {
        EntryOrder { order: (0..map.len()).collect(), is_queued: vec![true; map.len()], looked_up: None }
    }

    /// The number of entries that have a place.
    pub(crate) fn len(&self) -> usize {
        self.order.len()
    }

    /// The index of the entry at `place`, if it is decided.
    pub(crate) fn get(&self, place: usize) -> Option<usize> {
        self.order.get(place).copied()
    }

    /// The entries that have a place, beginning with the entry at `place`.
    pub(crate) fn since(&self, place: usize) -> impl Iterator<Item = usize> {
        self.order.iter().skip(place).copied()
    }

    /// Appends the entry `index` to the order, if it has no place yet.
    pub(crate) fn push(&mut self, index: usize) {
        if !std::mem::replace(&mut self.is_queued[index], true) {
            self.order.push(index);
        }
    }

    /// Appends the entries whose keys have been bound since the last call, in the order of their binding. `bound` lists
    /// all objects in that order, and `place` returns the index in `bound` of an object that is still bound.
    pub(crate) fn push_bound<'a>(
        &mut self,
        map: &'a MapData,
        bound: &[ObjectView<'a>],
        place: impl Fn(ObjectView<'a>) -> Option<usize>,
    ) {
        self.is_queued.resize(map.len(), false);
        let mut found: Vec<(usize, usize)> = match self.looked_up.replace(bound.len()) {
            None => keys(map).filter_map(|(index, key)| Some((place(key.as_object()?)?, index))).collect(),
            Some(looked_up) => {
                let found = newly_bound(map, bound.get(looked_up..).unwrap_or_default());
                found.into_iter().filter_map(|(index, key)| Some((place(key)?, index))).collect()
            }
        };
        found.sort_unstable();
        found.into_iter().for_each(|(_, index)| self.push(index));
    }

    /// The entries without a place, with their keys.
    pub(crate) fn rest<'a>(&self, map: &'a MapData) -> impl Iterator<Item = (usize, AnyView<'a>)> {
        keys(map).filter(|(index, _)| !self.is_queued[*index])
    }
}

/// The keys of `map` that may be among the objects `new`, by index. The cost depends on the smaller of both: many
/// nested maps may each have few keys, and see the bindings of all maps inside of them.
fn newly_bound<'a>(map: &'a MapData, new: &[ObjectView<'a>]) -> Vec<(usize, ObjectView<'a>)> {
    if new.len() > map.len() {
        return keys(map).filter_map(|(index, key)| Some((index, key.as_object()?))).collect();
    }
    let index = |key: ObjectView<'a>| map.find(AnyView::Object(key), usize::MAX).map(|(index, ..)| (index, key));
    new.iter().filter_map(|key| index(*key)).collect()
}

/// The keys of a map by index.
fn keys(map: &MapData) -> impl Iterator<Item = (usize, AnyView<'_>)> {
    map.iter().map(|(key, _)| key).enumerate()
}

/// Whether a key is compared by value: plain values, text, bytes, and singletons, which are compared by their own key.
pub(crate) fn is_plain(key: AnyView<'_>) -> bool {
    match key {
        AnyView::Object(object) => {
            object.as_str().is_some()
                || object.as_bytes().is_some()
                || object.type_info().kind == SEqHashKind::UniqueInstance
        }
        _ => true,
    }
}

/// The order of two plain keys: values that are not objects come first.
pub(crate) fn compare_plain<'a>(a: AnyView<'a>, b: AnyView<'a>) -> Ordering {
    match (a, b) {
        (AnyView::Object(a), AnyView::Object(b)) => {
            let text = |object: ObjectView<'a>| {
                object.singleton_key().or(object.as_str()).map(str::as_bytes).or(object.as_bytes())
            };
            a.type_key().cmp(b.type_key()).then_with(|| text(a).cmp(&text(b)))
        }
        _ => {
            let sort_key = |key: AnyView<'_>| key.plain_bits().map(PlainBits::sort_key);
            let is_object = |key: AnyView<'_>| key.as_object().is_some();
            is_object(a).cmp(&is_object(b)).then_with(|| sort_key(a).cmp(&sort_key(b)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::newly_bound;
    use crate::container::{Array, Map};
    use crate::object::{Any, ObjectView};

    #[test]
    fn a_small_map_looks_at_few_of_many_bindings() {
        let bound: Vec<Any> = (0..1000).map(|number| Array::from([number]).into()).collect();
        let views: Vec<ObjectView<'_>> = bound.iter().filter_map(|value| value.view().as_object()).collect();
        let map: Map<Any, Any> = [(bound[7].clone(), Any::None), (Any::Int(1), Any::None)].into_iter().collect();
        assert_eq!(newly_bound(map.data(), &views).len(), 1);
        let large: Map<Any, Any> = bound.iter().map(|key| (key.clone(), Any::None)).collect();
        assert_eq!(newly_bound(large.data(), &views[3..5]).iter().map(|(index, _)| *index).collect::<Vec<_>>(), [3, 4]);
    }
}

//! [`EntryPairs`]: the entries of two maps, paired by key.

use super::bindings::Bindings;
use super::frame::{DefRegion, Next};
use super::map_order::{compare_plain, is_plain};
use crate::access_path::{AccessStep, PathKey};
use crate::container::MapData;
use crate::object::{AnyView, ObjectView, SEqHashKind};

/// In which order map entries are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MapOrder {
    /// In the order of `map_order`, which decides verdicts.
    Canonical,
    /// In the order of the left map, which readers of mismatches expect.
    AsInserted,
}

/// The entries of two maps: those of the left one with their counterparts, and then one that only the right one has.
///
/// Which entry comes next is decided when it does, because comparing one entry may bind the key of another.
pub(super) struct EntryPairs<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    order: MapOrder,
    /// Entries of the left map whose place is decided, by index, and how many of them are done.
    queue: Vec<usize>,
    done: usize,
    is_queued: Vec<bool>,
    /// The entries of the left map that come last, from behind, once it has come to that: those with unbound keys. All
    /// are paired before the first of them is compared, so that their order does not decide who stands for whom.
    free: Option<Vec<Entry<'a>>>,
    /// How many bindings have been asked for keys; `None` before the first time.
    asked: Option<usize>,
    /// Which entries of the right map have a counterpart.
    is_paired: Vec<bool>,
    current: Option<Entry<'a>>,
    /// Whether the keys of `current` are being compared.
    at_keys: bool,
}

/// An entry and its counterpart.
struct Entry<'a> {
    key: AnyView<'a>,
    value: AnyView<'a>,
    other: Counterpart<'a>,
}

enum Counterpart<'a> {
    /// Key and value on the right, and whether the keys are compared like values: they are where an unbound object
    /// stands for itself.
    Found { key: AnyView<'a>, value: AnyView<'a>, compare_keys: bool },
    /// There is none on the right.
    OnlyLhs,
    /// There is none on the left.
    OnlyRhs,
}

impl<'a> EntryPairs<'a> {
    /// The entries of two maps.
    pub(super) fn new(a: ObjectView<'a>, b: ObjectView<'a>, order: MapOrder) -> Self {
        let len = |map: ObjectView<'a>| map.as_map().map_or(0, MapData::len);
        let mut pairs = EntryPairs {
            a,
            b,
            order,
            queue: Vec::new(),
            done: 0,
            is_queued: vec![false; len(a)],
            free: None,
            asked: None,
            is_paired: vec![false; len(b)],
            current: None,
            at_keys: false,
        };
        match order {
            MapOrder::AsInserted => (0..len(a)).for_each(|index| pairs.enqueue(index)),
            MapOrder::Canonical => {
                let mut plain: Vec<(usize, AnyView<'a>)> = pairs.keys().filter(|(_, key)| is_plain(*key)).collect();
                plain.sort_by(|(_, a), (_, b)| compare_plain(*a, *b));
                plain.into_iter().for_each(|(index, _)| pairs.enqueue(index));
            }
        }
        pairs
    }

    /// The keys of the left map by index.
    fn keys(&self) -> impl Iterator<Item = (usize, AnyView<'a>)> + use<'a> {
        self.a.as_map().into_iter().flat_map(MapData::iter).map(|(key, _)| key).enumerate()
    }

    fn enqueue(&mut self, index: usize) {
        if !std::mem::replace(&mut self.is_queued[index], true) {
            self.queue.push(index);
        }
    }

    /// The next entry of the left map.
    fn next_entry(&mut self, bindings: &Bindings<'a>) -> Option<Entry<'a>> {
        if self.done == self.queue.len() && self.order == MapOrder::Canonical && self.free.is_none() {
            self.enqueue_bound(bindings);
        }
        if let Some(index) = self.queue.get(self.done).copied() {
            self.done += 1;
            return self.pair(index, bindings);
        }
        if self.free.is_none() {
            let free = self.keys().filter(|(index, _)| !self.is_queued[*index]);
            let mut free: Vec<(usize, usize)> =
                free.map(|(index, key)| (key.as_object().map_or(0, ObjectView::address), index)).collect();
            free.sort_unstable_by(|a, b| b.cmp(a));
            let free = free.into_iter().filter_map(|(_, index)| self.pair(index, bindings)).collect();
            self.free = Some(free);
        }
        self.free.as_mut()?.pop()
    }

    /// Enqueues the entries whose keys have been bound since this was done last, in the order of their binding.
    fn enqueue_bound(&mut self, bindings: &Bindings<'a>) {
        let asked = self.asked.replace(bindings.log().len());
        let mut bound: Vec<(usize, usize)> = Vec::new();
        match (asked, self.a.as_map()) {
            (None, _) => bound.extend(self.keys().filter_map(|(index, key)| {
                let bound = bindings.get(key.as_object()?)?;
                Some((bound.order, index))
            })),
            (Some(asked), Some(map)) => {
                let new = bindings.log()[asked..].iter().enumerate();
                bound.extend(new.filter_map(|(order, key)| Some((order, map.find(AnyView::Object(*key))?.0))));
            }
            (Some(_), None) => {}
        }
        bound.sort_unstable();
        bound.into_iter().for_each(|(_, index)| self.enqueue(index));
    }

    /// The entry with index `index` of the left map and what stands for it on the right.
    fn pair(&mut self, index: usize, bindings: &Bindings<'a>) -> Option<Entry<'a>> {
        let (key, value) = self.a.as_map()?.entry(index)?;
        let object = key.as_object().filter(|_| !is_plain(key));
        let bound = object.and_then(|object| bindings.get(object));
        let other_key = match (bound, object) {
            (Some(bound), _) => Some(AnyView::Object(bound.rhs)),
            // An unbound object stands for itself only if no other object of the left side does.
            (None, Some(object)) if bindings.is_bound_rhs(object) => None,
            _ => Some(key),
        };
        let compare_keys = bound.is_none() && object.is_some() && is_comparable(key);
        let other = match (other_key, self.b.as_map()) {
            (Some(other_key), Some(map)) => map.find(other_key),
            _ => None,
        };
        let other = match other {
            Some((index, key, value)) => {
                self.is_paired[index] = true;
                Counterpart::Found { key, value, compare_keys }
            }
            None => Counterpart::OnlyLhs,
        };
        Some(Entry { key, value, other })
    }

    /// The two maps.
    pub(super) fn objects(&self) -> (ObjectView<'a>, ObjectView<'a>) {
        (self.a, self.b)
    }

    /// The next pair of keys or values.
    pub(super) fn next(&mut self, region: DefRegion, bindings: &Bindings<'a>) -> Next<'a> {
        if std::mem::take(&mut self.at_keys)
            && let Some(Entry { value, other: Counterpart::Found { value: other, .. }, .. }) = self.current
        {
            return Next::Values(value, other, region);
        }
        self.current = match self.next_entry(bindings) {
            Some(entry) => Some(entry),
            None => {
                let extra = self.is_paired.iter().position(|paired| !paired);
                let extra = extra.zip(self.b.as_map()).and_then(|(index, map)| map.entry(index));
                extra.map(|(key, value)| Entry { key, value, other: Counterpart::OnlyRhs })
            }
        };
        match &self.current {
            None => Next::End,
            Some(Entry { value, other: Counterpart::OnlyLhs, .. }) => Next::Differ(Some(*value), None),
            Some(Entry { value, other: Counterpart::OnlyRhs, .. }) => Next::Differ(None, Some(*value)),
            Some(Entry { key, value, other: Counterpart::Found { key: other_key, value: other, compare_keys } }) => {
                if *compare_keys {
                    self.at_keys = true;
                    return Next::Values(*key, *other_key, region);
                }
                Next::Values(*value, *other, region)
            }
        }
    }

    /// The value of the entry whose keys are being compared. If they differ, the right map does not have the entry.
    pub(super) fn value_at_keys(&self) -> Option<AnyView<'a>> {
        self.current.as_ref().filter(|_| self.at_keys).map(|entry| entry.value)
    }

    /// The steps to what [`next`](Self::next) gave last, on both sides.
    pub(super) fn steps(&self) -> (AccessStep, AccessStep) {
        let Some(entry) = &self.current else {
            return (AccessStep::ArrayItem(0), AccessStep::ArrayItem(0));
        };
        let key = path_key(entry.key);
        match entry.other {
            Counterpart::Found { key: other, .. } if !self.at_keys => {
                (AccessStep::MapItem(key), AccessStep::MapItem(path_key(other)))
            }
            Counterpart::OnlyRhs => (AccessStep::MapItemMissing(key.clone()), AccessStep::MapItem(key)),
            Counterpart::OnlyLhs | Counterpart::Found { .. } => {
                (AccessStep::MapItem(key.clone()), AccessStep::MapItemMissing(key))
            }
        }
    }
}

/// Whether a key is compared beyond its identity.
fn is_comparable(key: AnyView<'_>) -> bool {
    key.as_object().is_some_and(|object| object.type_info().kind != SEqHashKind::Unsupported)
}

/// How a key is written in a path.
pub(super) fn path_key(key: AnyView<'_>) -> PathKey {
    match key {
        AnyView::Int(value) => PathKey::Int(value),
        AnyView::Object(object) => match object.as_str() {
            Some(text) => PathKey::Str(text.to_owned()),
            None => PathKey::Other { type_key: object.type_key(), label: crate::repr::label(object) },
        },
        other => PathKey::Other { type_key: other.type_key(), label: format!("{other:?}") },
    }
}

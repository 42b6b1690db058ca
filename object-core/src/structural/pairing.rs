//! [`EntryPairs`]: the entries of two maps, paired by key.

use crate::access_path::AccessStep;
use crate::container::MapData;
use crate::object::DefRegionKind;
use crate::object::{AnyView, ObjectView, SEqHashKind};
pub(crate) use crate::repr::path_key;
use crate::structural::engine::equal_stack::Next;
use crate::structural::map_order::{EntryOrder, is_plain};
use crate::structural::scope::bindings::Bindings;

/// In which order map entries are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MapOrder {
    /// In the order of `map_order`, which decides verdicts.
    Canonical,
    /// In the order of the left map, which readers of mismatches expect.
    AsInserted,
}

/// The entries of two maps: those of the left one with their counterparts, and then one that only the right one has.
pub(crate) struct EntryPairs<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    order: MapOrder,
    /// The entries of the left map whose place is decided, and how many of them are done.
    decided: EntryOrder,
    done: usize,
    /// Under lexical scopes: the entries of the right map whose keys are bound.
    bound_rhs: EntryOrder,
    /// The entries of the left map that come last, from behind, once it has come to that: those with unbound keys. All
    /// are paired before the first of them is compared, so that their order does not decide who stands for whom.
    free: Option<Vec<Entry<'a>>>,
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
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>, order: MapOrder) -> Self {
        let decided = a.as_map().map_or_else(EntryOrder::default, |map| match order {
            MapOrder::AsInserted => EntryOrder::as_inserted(map),
            MapOrder::Canonical => EntryOrder::of_plain_keys(map),
        });
        let is_paired = vec![false; b.as_map().map_or(0, MapData::len)];
        let bound_rhs = EntryOrder::default();
        EntryPairs { a, b, order, decided, done: 0, bound_rhs, free: None, is_paired, current: None, at_keys: false }
    }

    /// The next entry of the left map.
    fn next_entry(&mut self, bindings: &mut Bindings<'a>) -> Option<Entry<'a>> {
        let map = self.a.as_map()?;
        if self.done == self.decided.len() && self.order == MapOrder::Canonical && self.free.is_none() {
            self.decided.push_bound(map, bindings.log(), |key| bindings.order(key));
            if let Some(unmatched) = self.unmatched(map, bindings) {
                return Some(unmatched);
            }
        }
        if let Some(index) = self.decided.get(self.done) {
            self.done += 1;
            return self.pair(index, bindings);
        }
        if self.free.is_none() {
            let address = |key: AnyView<'a>| key.as_object().map_or(0, ObjectView::address);
            let mut free: Vec<(usize, usize)> =
                self.decided.rest(map).map(|(index, key)| (address(key), index)).collect();
            free.sort_unstable_by(|a, b| b.cmp(a));
            let free = free.into_iter().filter_map(|(_, index)| self.pair(index, bindings)).collect();
            self.free = Some(free);
        }
        self.free.as_mut()?.pop()
    }

    /// Under lexical scopes: an entry whose key has just been bound to what is no key of the other map. Until its turn
    /// the key could be bound anew, which would decide otherwise from right to left.
    fn unmatched(&mut self, a: &'a MapData, bindings: &Bindings<'a>) -> Option<Entry<'a>> {
        let b = self.b.as_map().filter(|_| !bindings.rhs_log().is_empty())?;
        let before = self.bound_rhs.len();
        self.bound_rhs.push_bound(b, bindings.rhs_log(), |key| bindings.order_of_rhs(key));
        let (mut lhs, mut rhs) = (self.decided.since(self.done), self.bound_rhs.since(before));
        loop {
            // The two of one binding have the same place in the order.
            let (lhs, rhs) = (lhs.next().and_then(|index| a.entry(index)), rhs.next().and_then(|index| b.entry(index)));
            let place_of_lhs = lhs.and_then(|(key, _)| bindings.order(key.as_object()?));
            let place_of_rhs = rhs.and_then(|(key, _)| bindings.order_of_rhs(key.as_object()?));
            let is_only_lhs = match (place_of_lhs, place_of_rhs) {
                (None, None) => return None,
                (Some(lhs), Some(rhs)) if lhs == rhs => continue,
                (Some(lhs), Some(rhs)) => lhs < rhs,
                (lhs, None) => lhs.is_some(),
                (None, Some(_)) => false,
            };
            let (only, other) = if is_only_lhs { (lhs, Counterpart::OnlyLhs) } else { (rhs, Counterpart::OnlyRhs) };
            return only.map(|(key, value)| Entry { key, value, other });
        }
    }

    /// The entry with index `index` of the left map and what stands for it on the right.
    fn pair(&mut self, index: usize, bindings: &mut Bindings<'a>) -> Option<Entry<'a>> {
        let (key, value) = self.a.as_map()?.entry(index)?;
        let (other_key, compare_keys) = counterpart(key, bindings);
        let other = match (other_key, self.b.as_map()) {
            // Equal maps often have their entries in the same order.
            (Some(other_key), Some(map)) => map.find(other_key, index),
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
    pub(crate) fn objects(&self) -> (ObjectView<'a>, ObjectView<'a>) {
        (self.a, self.b)
    }

    /// The next pair of keys or values.
    pub(crate) fn next(&mut self, region: DefRegionKind, bindings: &mut Bindings<'a>) -> Next<'a> {
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
    pub(crate) fn value_at_keys(&self) -> Option<AnyView<'a>> {
        self.current.as_ref().filter(|_| self.at_keys).map(|entry| entry.value)
    }

    /// The steps to what [`next`](Self::next) gave last, on both sides.
    pub(crate) fn steps(&self) -> (AccessStep, AccessStep) {
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

/// The key of the right side that stands for one of the left, and whether the two have to be compared as well.
pub(crate) fn counterpart<'a>(key: AnyView<'a>, bindings: &mut Bindings<'a>) -> (Option<AnyView<'a>>, bool) {
    let object = key.as_object().filter(|_| !is_plain(key));
    let bound = object.and_then(|object| bindings.refer_to(object));
    let other_key = match (bound, object) {
        (Some(other), _) => other.map(AnyView::Object),
        // An unbound object stands for itself only if no other object of the left side does.
        (None, Some(object)) if bindings.is_bound_rhs(object) => None,
        _ => Some(key),
    };
    (other_key, bound.is_none() && object.is_some() && is_comparable(key))
}

/// Whether a key is compared beyond its identity.
fn is_comparable(key: AnyView<'_>) -> bool {
    key.as_object().is_some_and(|object| object.type_info().kind != SEqHashKind::Unsupported)
}

//! [`Entries`]: all entries of two maps, those with a counterpart paired by key.

use crate::container::MapData;
use crate::object::DefRegionKind;
use crate::object::{AnyView, ObjectView};
use crate::structural::map_order::EntryOrder;
use crate::structural::pairing::counterpart;
use crate::structural::report::diff::frame::{Next, Step};
use crate::structural::report::mismatch::MismatchReason;
use crate::structural::scope::bindings::Bindings;

/// The entries of two maps: first those of the left one, in the order of `map_order`, or as inserted; then those that
/// only the right one has.
pub(crate) struct Entries<'a> {
    objects: (ObjectView<'a>, ObjectView<'a>),
    order: EntryOrder,
    as_inserted: bool,
    done: usize,
    /// The entries with unbound keys, from behind. All are paired before the first of them is compared, so that their
    /// order does not decide who stands for whom.
    free: Option<Vec<Entry<'a>>>,
    /// Which entries of the right map have a counterpart, and how many were looked at for that.
    is_paired: Vec<bool>,
    looked_at: usize,
    current: Option<Current<'a>>,
    keys: Keys,
}

/// What is known of the keys of the current entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    Same,
    /// They are one object, which is being compared with itself under the bindings.
    InProgress,
    /// They are one object, and it differs from itself under the bindings.
    Differ,
}

/// An entry of the left map with its counterpart: index, key and value.
#[derive(Clone, Copy)]
struct Entry<'a> {
    key: AnyView<'a>,
    value: AnyView<'a>,
    other: Option<(usize, AnyView<'a>, AnyView<'a>)>,
    compare_keys: bool,
}

#[derive(Clone, Copy)]
enum Current<'a> {
    Lhs(Entry<'a>),
    /// The key of an entry that only the right map has.
    Rhs(AnyView<'a>),
}

impl<'a> Entries<'a> {
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>, as_inserted: bool) -> Self {
        let order = a.as_map().map_or_else(EntryOrder::default, |map| match as_inserted {
            true => EntryOrder::as_inserted(map),
            false => EntryOrder::of_plain_keys(map),
        });
        let is_paired = vec![false; b.as_map().map_or(0, MapData::len)];
        let (free, current, keys) = (None, None, Keys::Same);
        Entries { objects: (a, b), order, as_inserted, done: 0, free, is_paired, looked_at: 0, current, keys }
    }

    pub(crate) fn objects(&self) -> (ObjectView<'a>, ObjectView<'a>) {
        self.objects
    }

    /// Whether the keys of an entry are being compared.
    pub(crate) fn is_at_keys(&self) -> bool {
        self.keys == Keys::InProgress
    }

    /// Says that the keys that are being compared differ.
    pub(crate) fn keys_differ(&mut self) {
        self.keys = Keys::Differ;
    }

    pub(crate) fn next(&mut self, region: DefRegionKind, bindings: &mut Bindings<'a>) -> Next<'a> {
        if let Some(Current::Lhs(entry)) = &mut self.current {
            match std::mem::replace(&mut self.keys, Keys::Same) {
                Keys::Same => {}
                Keys::InProgress => {
                    if let Some((_, _, other)) = entry.other {
                        return Next::Pair(entry.value, other, region);
                    }
                }
                // Each map has an entry that the other one lacks.
                Keys::Differ => {
                    if let Some((index, ..)) = entry.other.take() {
                        self.is_paired[index] = false;
                        self.looked_at = self.looked_at.min(index);
                    }
                    return Next::Single { lhs: Some(entry.value), rhs: None, reason: MismatchReason::MissingKey };
                }
            }
        }
        if let Some(entry) = self.next_entry(bindings) {
            self.current = Some(Current::Lhs(entry));
            return match entry.other {
                Some((_, key, _)) if entry.compare_keys => {
                    self.keys = Keys::InProgress;
                    Next::Pair(entry.key, key, region)
                }
                Some((_, _, value)) => Next::Pair(entry.value, value, region),
                None => Next::Single { lhs: Some(entry.value), rhs: None, reason: MismatchReason::MissingKey },
            };
        }
        while self.is_paired.get(self.looked_at) == Some(&true) {
            self.looked_at += 1;
        }
        match self.objects.1.as_map().and_then(|map| map.entry(self.looked_at)) {
            Some((key, value)) => {
                self.looked_at += 1;
                self.current = Some(Current::Rhs(key));
                Next::Single { lhs: None, rhs: Some(value), reason: MismatchReason::MissingKey }
            }
            None => Next::End,
        }
    }

    /// The next entry of the left map.
    fn next_entry(&mut self, bindings: &mut Bindings<'a>) -> Option<Entry<'a>> {
        let map = self.objects.0.as_map()?;
        if self.done == self.order.len() && !self.as_inserted && self.free.is_none() {
            self.order.push_bound(map, bindings.log(), |key| bindings.order(key));
        }
        if let Some(index) = self.order.get(self.done) {
            self.done += 1;
            return self.pair(index, bindings);
        }
        if self.free.is_none() {
            let mut free: Vec<(usize, usize)> = (self.order.rest(map))
                .map(|(index, key)| (key.as_object().map_or(0, ObjectView::address), index))
                .collect();
            free.sort_unstable_by(|a, b| b.cmp(a));
            self.free = Some(free.into_iter().filter_map(|(_, index)| self.pair(index, bindings)).collect());
        }
        self.free.as_mut()?.pop()
    }

    /// The entry with index `index` of the left map and what stands for it on the right.
    fn pair(&mut self, index: usize, bindings: &mut Bindings<'a>) -> Option<Entry<'a>> {
        let (key, value) = self.objects.0.as_map()?.entry(index)?;
        let (other_key, compare_keys) = counterpart(key, bindings);
        let other = other_key.and_then(|key| self.objects.1.as_map()?.find(key, index));
        let other = other.filter(|(index, ..)| !std::mem::replace(&mut self.is_paired[*index], true));
        Some(Entry { key, value, other, compare_keys })
    }

    /// The step to what [`next`](Self::next) gave last.
    pub(crate) fn step(&self) -> Step<'a> {
        match self.current {
            Some(Current::Lhs(Entry { key, other: Some((_, other, _)), .. })) => Step::Keys(key, other),
            Some(Current::Lhs(Entry { key, other: None, .. })) => Step::LhsKey(key),
            Some(Current::Rhs(key)) => Step::RhsKey(key),
            None => Step::Attr(""),
        }
    }
}

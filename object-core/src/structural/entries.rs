//! [`EntryPairs`]: the entries of two maps, paired by key.

use super::bindings::Bindings;
use super::frame::{DefRegion, Next};
use super::map_order::{compare_plain, is_plain};
use crate::access_path::{AccessStep, PathKey};
use crate::object::{AnyView, ObjectView, SEqHashKind};

/// In which order map entries are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MapOrder {
    /// In the order of `map_order`, which decides verdicts.
    Canonical,
    /// In the order of the left map, which readers of mismatches expect.
    AsInserted,
}

/// The entries of two maps: first those of the left one with their counterparts, then one that only the right one has.
pub(super) struct EntryPairs<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    entries: Vec<Entry<'a>>,
    /// Each entry takes two turns: its keys, then its values.
    turn: usize,
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

/// Where an entry comes in the canonical order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Plain,
    Bound(usize),
    Free(usize),
}

impl<'a> EntryPairs<'a> {
    /// Pairs the entries of two maps: plain keys by value, bound objects by their binding, other objects by identity.
    pub(super) fn new(a: ObjectView<'a>, b: ObjectView<'a>, bindings: &Bindings<'a>, order: MapOrder) -> Self {
        let mut pairs = EntryPairs { a, b, entries: Vec::new(), turn: 0 };
        let (Some(lhs), Some(rhs)) = (a.as_map(), b.as_map()) else { return pairs };
        let mut ranked: Vec<(Rank, Entry<'a>)> = Vec::with_capacity(lhs.len());
        let mut is_paired = vec![false; rhs.len()];
        for (key, value) in lhs.iter() {
            let bound = key.as_object().and_then(|key| bindings.get(key));
            let (rank, other_key) = match (bound, key) {
                (Some(bound), _) => (Rank::Bound(bound.order), Some(AnyView::Object(bound.rhs))),
                (None, AnyView::Object(object)) if !is_plain(key) => {
                    // An unbound object stands for itself only if no other object of the left side does.
                    let stands_for_itself = !bindings.is_bound_rhs(object);
                    (Rank::Free(object.address()), stands_for_itself.then_some(key))
                }
                _ => (Rank::Plain, Some(key)),
            };
            let compare_keys = matches!(rank, Rank::Free(_)) && is_comparable(key);
            let other = match other_key.and_then(|key| rhs.find(key)) {
                Some((index, key, value)) => {
                    is_paired[index] = true;
                    Counterpart::Found { key, value, compare_keys }
                }
                None => Counterpart::OnlyLhs,
            };
            ranked.push((rank, Entry { key, value, other }));
        }
        if order == MapOrder::Canonical && ranked.len() > 1 {
            ranked.sort_by(|(rank, entry), (other_rank, other)| match (rank, other_rank) {
                (Rank::Plain, Rank::Plain) => compare_plain(entry.key, other.key),
                _ => rank.cmp(other_rank),
            });
        }
        let extra = is_paired.iter().position(|paired| !paired).and_then(|index| rhs.entry(index));
        let extra = extra.map(|(key, value)| Entry { key, value, other: Counterpart::OnlyRhs });
        pairs.entries = ranked.into_iter().map(|(_, entry)| entry).chain(extra).collect();
        pairs
    }

    /// The two maps.
    pub(super) fn objects(&self) -> (ObjectView<'a>, ObjectView<'a>) {
        (self.a, self.b)
    }

    /// The next pair of keys or values.
    pub(super) fn next(&mut self, region: DefRegion) -> Next<'a> {
        loop {
            let Some(entry) = self.entries.get(self.turn / 2) else { return Next::End };
            self.turn += 1;
            return match entry.other {
                Counterpart::OnlyLhs => Next::Differ(Some(entry.value), None),
                Counterpart::OnlyRhs => Next::Differ(None, Some(entry.value)),
                Counterpart::Found { compare_keys: false, .. } if self.turn % 2 == 1 => continue,
                Counterpart::Found { key, .. } if self.turn % 2 == 1 => Next::Values(entry.key, key, region),
                Counterpart::Found { value, .. } => Next::Values(entry.value, value, region),
            };
        }
    }

    /// The steps to what [`next`](Self::next) gave last, on both sides.
    pub(super) fn steps(&self) -> (AccessStep, AccessStep) {
        let entry = &self.entries[(self.turn - 1) / 2];
        let key = path_key(entry.key);
        match entry.other {
            Counterpart::Found { key: other, .. } => (AccessStep::MapItem(key), AccessStep::MapItem(path_key(other))),
            Counterpart::OnlyLhs => (AccessStep::MapItem(key.clone()), AccessStep::MapItemMissing(key)),
            Counterpart::OnlyRhs => (AccessStep::MapItemMissing(key.clone()), AccessStep::MapItem(key)),
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

//! [`EntryPairs`]: the entries of two maps, paired by key.

use crate::container::MapData;
use crate::object::{AnyView, ObjectView, SEqHashKind};
use crate::structural::map_order::{EntryOrder, is_plain};
use crate::structural::scope::bindings::Bindings;

/// The entries of two maps: the entries of the left map with their counterparts, and then the entries that only the
/// right map has.
pub(crate) struct EntryPairs<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    /// The entries of the left map that have a place in the order.
    decided: EntryOrder,
    /// The number of entries in `decided` that were returned.
    done: usize,
    /// Whether the entries of the left map come in insertion order.
    as_inserted: bool,
    /// Whether the left map has several keys that are objects compared by identity.
    has_several_objects: bool,
    /// Under lexical scopes: the entries of the right map whose keys are bound.
    bound_rhs: EntryOrder,
    /// The entries of the left map with unbound keys, which come last, in reverse. All are paired before the first of
    /// them is compared, so that their order does not decide which keys correspond.
    free: Option<Vec<LeftEntry<'a>>>,
    /// For each entry of the left map: whether it was returned before its turn.
    is_given: Vec<bool>,
    /// For each entry of the right map: whether it has a counterpart or was returned. It is `true` for the first
    /// `paired_before` entries.
    is_paired: Vec<bool>,
    paired_before: usize,
    current: CurrentEntry<'a>,
}

/// An entry of the left map, and the index, key and value of its counterpart.
#[derive(Clone, Copy)]
struct LeftEntry<'a> {
    key: AnyView<'a>,
    value: AnyView<'a>,
    other: Option<(usize, AnyView<'a>, AnyView<'a>)>,
    /// Whether the keys are compared like values, because the key is an unbound object that corresponds to itself.
    compare_keys: bool,
}

/// The entry that [`EntryPairs::next`] returned last.
#[derive(Clone, Copy)]
enum CurrentEntry<'a> {
    None,
    /// The keys of an entry are being compared.
    AtKeys(LeftEntry<'a>),
    /// The keys of an entry were compared, and differ.
    KeysDiffer(LeftEntry<'a>),
    Lhs(LeftEntry<'a>),
    /// The key of an entry that only the right map has.
    Rhs(AnyView<'a>),
}

/// The next part of two maps to compare.
pub(crate) enum NextEntry<'a> {
    /// The keys of an entry. The values follow, unless [`EntryPairs::keys_differ`] is called.
    Keys(AnyView<'a>, AnyView<'a>),
    /// The values of an entry.
    Values(AnyView<'a>, AnyView<'a>),
    /// The value of an entry that only the left map has.
    OnlyLhs(AnyView<'a>),
    /// The value of an entry that only the right map has.
    OnlyRhs(AnyView<'a>),
    /// No entry is left.
    End,
}

impl<'a> EntryPairs<'a> {
    /// The entries of two maps. They come in the order of the left map if `as_inserted`; otherwise in the order of
    /// `map_order`, which decides verdicts.
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>, as_inserted: bool) -> Self {
        let decided = a.as_map().map_or_else(EntryOrder::default, |map| match as_inserted {
            true => EntryOrder::as_inserted(map),
            false => EntryOrder::of_plain_keys(map),
        });
        let objects = a.as_map().map_or(0, |map| map.len().saturating_sub(decided.len()));
        EntryPairs {
            a,
            b,
            decided,
            done: 0,
            as_inserted,
            has_several_objects: objects > 1 || as_inserted,
            bound_rhs: EntryOrder::default(),
            free: None,
            is_given: Vec::new(),
            is_paired: vec![false; b.as_map().map_or(0, MapData::len)],
            paired_before: 0,
            current: CurrentEntry::None,
        }
    }

    /// The two maps.
    pub(crate) fn objects(&self) -> (ObjectView<'a>, ObjectView<'a>) {
        (self.a, self.b)
    }

    /// Whether one of the maps has more than one entry.
    pub(crate) fn is_list(&self) -> bool {
        [self.a, self.b].iter().any(|map| map.as_map().is_some_and(|map| map.len() > 1))
    }

    /// Whether the keys of an entry are being compared.
    pub(crate) fn is_at_keys(&self) -> bool {
        matches!(self.current, CurrentEntry::AtKeys(_))
    }

    /// Records that the keys in comparison differ: each map has an entry that the other one lacks.
    pub(crate) fn keys_differ(&mut self) {
        if let CurrentEntry::AtKeys(entry) = self.current {
            self.current = CurrentEntry::KeysDiffer(entry);
        }
    }

    /// The keys of the current entry in the left and the right map; `None` for a map that lacks the entry.
    pub(crate) fn keys(&self) -> (Option<AnyView<'a>>, Option<AnyView<'a>>) {
        match self.current {
            CurrentEntry::None => (None, None),
            CurrentEntry::AtKeys(entry) | CurrentEntry::Lhs(entry) | CurrentEntry::KeysDiffer(entry) => {
                (Some(entry.key), entry.other.map(|(_, key, _)| key))
            }
            CurrentEntry::Rhs(key) => (None, Some(key)),
        }
    }

    /// The next pair of keys or values, or the next value without a counterpart.
    pub(crate) fn next(&mut self, bindings: &mut Bindings<'a>) -> NextEntry<'a> {
        match self.current {
            CurrentEntry::AtKeys(entry) => {
                self.current = CurrentEntry::Lhs(entry);
                if let Some((_, _, other)) = entry.other {
                    return NextEntry::Values(entry.value, other);
                }
            }
            CurrentEntry::KeysDiffer(mut entry) => {
                if let Some((index, ..)) = entry.other.take() {
                    self.is_paired[index] = false;
                    self.paired_before = self.paired_before.min(index);
                }
                self.current = CurrentEntry::Lhs(entry);
                return NextEntry::OnlyLhs(entry.value);
            }
            CurrentEntry::None | CurrentEntry::Lhs(_) | CurrentEntry::Rhs(_) => {}
        }
        self.current = match self.next_entry(bindings) {
            CurrentEntry::None => self.next_unpaired().map_or(CurrentEntry::None, |(key, _)| CurrentEntry::Rhs(key)),
            entry => entry,
        };
        match self.current {
            CurrentEntry::Lhs(LeftEntry { value, other: None, .. }) => NextEntry::OnlyLhs(value),
            CurrentEntry::Lhs(entry @ LeftEntry { key, other: Some((_, other, _)), compare_keys: true, .. }) => {
                self.current = CurrentEntry::AtKeys(entry);
                NextEntry::Keys(key, other)
            }
            CurrentEntry::Lhs(LeftEntry { value, other: Some((_, _, other)), .. }) => NextEntry::Values(value, other),
            CurrentEntry::Rhs(key) => {
                let value = self.b.as_map().and_then(|map| map.find(key, usize::MAX)).map(|(_, _, value)| value);
                NextEntry::OnlyRhs(value.unwrap_or_default())
            }
            CurrentEntry::None | CurrentEntry::AtKeys(_) | CurrentEntry::KeysDiffer(_) => NextEntry::End,
        }
    }

    /// The next entry of the right map without a counterpart, after all entries of the left map.
    fn next_unpaired(&mut self) -> Option<(AnyView<'a>, AnyView<'a>)> {
        while self.is_paired.get(self.paired_before) == Some(&true) {
            self.paired_before += 1;
        }
        *self.is_paired.get_mut(self.paired_before)? = true;
        self.b.as_map()?.entry(self.paired_before)
    }

    /// The next entry of the left map, or an entry of the right map that cannot have a counterpart.
    fn next_entry(&mut self, bindings: &mut Bindings<'a>) -> CurrentEntry<'a> {
        let Some(map) = self.a.as_map() else { return CurrentEntry::None };
        if self.done == self.decided.len() && !self.as_inserted && self.free.is_none() {
            bindings.list_all();
            if self.decided.len() < map.len() {
                bindings.list_earlier();
            }
            self.decided.push_bound(map, bindings.log(), |key| bindings.order(key));
            if let Some(unmatched) = self.unmatched(map, bindings) {
                return unmatched;
            }
        }
        while let Some(index) = self.decided.get(self.done) {
            self.done += 1;
            if self.is_given.get(index) != Some(&true) {
                return self.pair(index, bindings).map_or(CurrentEntry::None, CurrentEntry::Lhs);
            }
        }
        if self.free.is_none() {
            let address = |key: AnyView<'a>| key.as_object().map_or(0, ObjectView::address);
            let mut free: Vec<(usize, usize)> =
                self.decided.rest(map).map(|(index, key)| (address(key), index)).collect();
            free.sort_unstable_by(|a, b| b.cmp(a));
            let free = free.into_iter().filter_map(|(_, index)| self.pair(index, bindings)).collect();
            self.free = Some(free);
        }
        self.free.as_mut().and_then(Vec::pop).map_or(CurrentEntry::None, CurrentEntry::Lhs)
    }

    /// Under lexical scopes: an entry whose key was just bound to an object that is not a key of the other map. It
    /// comes before its turn. Otherwise another entry could rebind the key first, and equality would not be symmetric.
    fn unmatched(&mut self, a: &'a MapData, bindings: &Bindings<'a>) -> Option<CurrentEntry<'a>> {
        let b = self.b.as_map().filter(|_| !bindings.rhs_log().is_empty())?;
        let before = self.bound_rhs.len();
        self.bound_rhs.push_bound(b, bindings.rhs_log(), |key| bindings.order_rhs(key));
        let (mut lhs, mut rhs) = (self.decided.since(self.done), self.bound_rhs.since(before));
        let (lhs, rhs, is_only_lhs) = loop {
            // The two keys of one binding have the same index in the order of bindings.
            let (lhs, rhs) = (lhs.next(), rhs.next());
            let place_of_lhs = lhs.and_then(|index| bindings.order(a.entry(index)?.0.as_object()?));
            let place_of_rhs = rhs.and_then(|index| bindings.order_rhs(b.entry(index)?.0.as_object()?));
            match (place_of_lhs, place_of_rhs) {
                (None, None) => return None,
                (Some(lhs), Some(rhs)) if lhs == rhs => {}
                (Some(left), Some(right)) => break (lhs, rhs, left < right),
                (left, None) => break (lhs, rhs, left.is_some()),
                (None, Some(_)) => break (lhs, rhs, false),
            }
        };
        if is_only_lhs {
            let index = lhs?;
            let (key, value) = a.entry(index)?;
            self.is_given.resize(a.len(), false);
            self.is_given[index] = true;
            return Some(CurrentEntry::Lhs(LeftEntry { key, value, other: None, compare_keys: false }));
        }
        let index = rhs?;
        self.is_paired[index] = true;
        b.entry(index).map(|(key, _)| CurrentEntry::Rhs(key))
    }

    /// The entry with index `index` of the left map and its counterpart in the right map.
    fn pair(&mut self, index: usize, bindings: &mut Bindings<'a>) -> Option<LeftEntry<'a>> {
        let (key, value) = self.a.as_map()?.entry(index)?;
        let (other_key, compare_keys) = counterpart(key, bindings, self.has_several_objects);
        // Equal maps often have their entries in the same order.
        let other = other_key.and_then(|other_key| self.b.as_map()?.find(other_key, index));
        let other = other.filter(|(index, ..)| !std::mem::replace(&mut self.is_paired[*index], true));
        Some(LeftEntry { key, value, other, compare_keys })
    }
}

/// The key of the right side that corresponds to `key`, and whether the two keys have to be compared as well.
/// `decides_order` says whether the left map has several keys that bindings put in order.
pub(crate) fn counterpart<'a>(
    key: AnyView<'a>,
    bindings: &mut Bindings<'a>,
    decides_order: bool,
) -> (Option<AnyView<'a>>, bool) {
    let object = key.as_object().filter(|_| !is_plain(key));
    let bound = object.and_then(|object| bindings.refer_to(object, decides_order));
    let other_key = match (bound, object) {
        (Some(other), _) => other.map(AnyView::Object),
        // An unbound object corresponds to itself only if no other object of the left side is bound to it.
        (None, Some(object)) if bindings.is_bound_rhs(object) => None,
        _ => Some(key),
    };
    (other_key, bound.is_none() && object.is_some() && is_comparable(key))
}

/// Whether a key is compared by structure in addition to its identity.
fn is_comparable(key: AnyView<'_>) -> bool {
    key.as_object().is_some_and(|object| object.type_info().kind != SEqHashKind::Unsupported)
}

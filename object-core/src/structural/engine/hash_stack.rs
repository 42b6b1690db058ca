//! [`HashFrame`]: one level of a hash in progress, on the heap. The frames of the stack are the path to the current
//! value.

use crate::access_path::AccessStep;
use crate::container::MapData;
use crate::hashing::{Mixer, SEED_PLAIN};
use crate::object::{AnyView, DefRegionKind, HashedFields, ListedValue, ObjectView};
use crate::repr::path_key;
use crate::structural::map_order::EntryOrder;
use crate::structural::scope::numbering::Numbering;

/// The children of an object.
pub(crate) enum HashChildren<'a> {
    Fields(HashedFields<'a>),
    Items {
        next: usize,
    },
    /// A part of the hasher's list of values.
    Listed {
        start: usize,
        next: usize,
    },
    Entries(Box<HashedEntries>),
}

/// The entries of a map: first the entries in the order of `map_order`, then the entries with provisional hashes.
#[derive(Default)]
pub(crate) struct HashedEntries {
    decided: EntryOrder,
    /// The number of entries before the provisional ones, once the order is decided.
    ordered: Option<usize>,
    next: usize,
    /// The hash of the current entry's key.
    key_hash: u64,
    /// The sum of the hashes of the provisional entries.
    sum: u64,
}

impl HashedEntries {
    pub(crate) fn new(map: &MapData) -> Self {
        HashedEntries { decided: EntryOrder::of_plain_keys(map), ..HashedEntries::default() }
    }

    /// Decides which entries come next: the entries whose keys got a number since the last call, or all remaining
    /// entries if there are none. Returns whether these are the remaining ones.
    fn decide<'a>(&mut self, map: &'a MapData, numbering: &mut Numbering<'a>) -> bool {
        let before = self.decided.len();
        self.decided.push_bound(map, numbering.log(), |key| numbering.place(key));
        if self.decided.len() > before {
            return false;
        }
        self.ordered = Some(before);
        (0..map.len()).for_each(|index| self.decided.push(index));
        true
    }

    /// Whether some entries have a provisional hash.
    fn has_provisional(&self) -> bool {
        self.ordered.is_some_and(|ordered| ordered < self.decided.len())
    }

    /// Whether the hash of the last value is provisional.
    fn is_provisional(&self) -> bool {
        self.ordered.is_some_and(|ordered| (self.next - 1) / 2 >= ordered)
    }
}

/// An object whose children are being hashed.
#[derive(Clone, Copy)]
pub(crate) struct HashVisit<'a> {
    pub(crate) object: ObjectView<'a>,
    /// The region of the children.
    pub(crate) region: DefRegionKind,
    /// The state when the hasher entered the object: the count of numbered objects, the count of steps, and whether the
    /// hash so far was unstable.
    pub(crate) entered: u32,
    pub(crate) steps: u32,
    pub(crate) unstable: bool,
    /// Whether the object is a variable or a `dag` node, and then its mark. After large children, the header of the object is
    /// no longer in the caches, so [`Hasher::exit`](crate::structural::engine::hasher::Hasher::exit) does not read it.
    pub(crate) has_counterpart: bool,
    pub(crate) mark: u32,
}

/// One level of a hash in progress.
pub(crate) struct HashFrame<'a> {
    pub(crate) visit: HashVisit<'a>,
    children: HashChildren<'a>,
    pub(crate) state: u64,
}

impl<'a> HashFrame<'a> {
    pub(crate) fn new(visit: HashVisit<'a>, children: HashChildren<'a>, state: u64) -> Self {
        HashFrame { visit, children, state }
    }

    /// Mixes in the hash of the child that [`next`](Self::next) returned last.
    pub(crate) fn take(&mut self, mixer: impl Mixer, child: u64) {
        if let HashChildren::Entries(entries) = &mut self.children
            && entries.is_provisional()
        {
            if entries.next % 2 == 1 {
                entries.key_hash = child;
            } else {
                entries.sum = entries.sum.wrapping_add(mixer.mix(mixer.mix(SEED_PLAIN, entries.key_hash), child));
            }
            return;
        }
        self.state = mixer.mix(self.state, child);
    }

    /// The next child and its region. Begins provisional hashing before the first provisional entry of a map.
    #[inline(always)]
    pub(crate) fn next(
        &mut self,
        listed: &[ListedValue<'a>],
        numbering: &mut Numbering<'a>,
    ) -> Option<(AnyView<'a>, DefRegionKind)> {
        let region = self.visit.region;
        match &mut self.children {
            HashChildren::Fields(fields) => fields.next().map(|(role, value)| (value, region.field(role))),
            HashChildren::Listed { next, .. } => {
                *next += 1;
                listed.get(*next - 1).map(|child| (child.value, region.field(child.role)))
            }
            HashChildren::Items { next } => {
                *next += 1;
                Some((self.visit.object.as_array()?.get(*next - 1)?, region))
            }
            HashChildren::Entries(entries) => {
                let map = self.visit.object.as_map()?;
                if entries.next == 2 * entries.decided.len()
                    && entries.ordered.is_none()
                    && entries.decide(map, numbering)
                    && entries.has_provisional()
                {
                    numbering.begin_provisional();
                }
                let (key, value) = map.entry(entries.decided.get(entries.next / 2)?)?;
                entries.next += 1;
                Some((if entries.next % 2 == 1 { key } else { value }, region))
            }
        }
    }

    /// Mixes in the sum of provisional hashes after the last child, and removes the list of a hook.
    pub(crate) fn end(&mut self, mixer: impl Mixer, listed: &mut Vec<ListedValue<'a>>, numbering: &mut Numbering<'a>) {
        match &self.children {
            HashChildren::Fields(_) | HashChildren::Items { .. } => {}
            HashChildren::Listed { start, .. } => listed.truncate(*start),
            HashChildren::Entries(entries) => {
                self.state = mixer.mix(self.state, entries.sum);
                if entries.has_provisional() {
                    numbering.end_provisional();
                }
            }
        }
    }

    /// The step to the child that [`next`](Self::next) returned last.
    pub(crate) fn step(&self) -> AccessStep {
        match &self.children {
            HashChildren::Fields(fields) => {
                AccessStep::Attr(fields.last_field().map_or("", |field| field.name).to_owned())
            }
            HashChildren::Listed { start, next } => AccessStep::ArrayItem(next - start - 1),
            HashChildren::Items { next } => AccessStep::ArrayItem(next - 1),
            HashChildren::Entries(entries) => {
                let index = entries.decided.get((entries.next - 1) / 2);
                let entry = index.zip(self.visit.object.as_map()).and_then(|(index, map)| map.entry(index));
                AccessStep::MapItem(path_key(entry.map_or(AnyView::None, |(key, _)| key)))
            }
        }
    }
}

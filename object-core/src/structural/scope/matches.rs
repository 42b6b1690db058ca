//! [`Matches`]: which variables and `dag` nodes correspond under lexical scopes, as sets that share their parts.
//!
//! Most results depend on facts of one kind: an object of the left side is bound to an object of the right side. A result
//! keeps these facts as one map, and the bindings in force are another map. So a look at all facts of a result takes the
//! time of the difference between these maps and maps that were compared before, and the facts of an object take the
//! memory of the difference to the facts of its children.

use crate::object::ObjectView;
use crate::persistent_map::{MapId, PersistentMaps};
use crate::table::AddressTable;

/// The facts on which a result depends, as sets in a [`Matches`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MatchSets {
    /// For objects of the left side, the objects of the right side to which they are bound.
    pub(crate) matched: MapId,
    /// The objects that no scope binds.
    unscoped: MapId,
}

impl MatchSets {
    pub(crate) fn is_empty(self) -> bool {
        self == MatchSets::default()
    }
}

/// The facts on which the result of another walk depends.
#[cfg(feature = "rayon")]
pub(crate) struct ExportedMatches<'a> {
    matched: Vec<(ObjectView<'a>, ObjectView<'a>)>,
    /// The objects that no scope binds, and whether they are on the right side.
    unscoped: Vec<(ObjectView<'a>, bool)>,
}

/// The facts that a walk used, and its bindings, in their order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    Matched(u32, u32),
    /// A binder may bind the two objects here, because no scope binds them.
    Unscoped(u32, u32),
    Many(MatchSets),
    /// The walk made these bindings.
    Bound(MapId),
}

/// The value of an object of the left side that is bound to an object to which another one was bound later.
const HIDDEN: u32 = u32::MAX;

/// The value of each object of a set.
const BOUND: u32 = 0;

/// The facts about bindings that a walk used, and the bindings in force.
#[derive(Clone, Default)]
pub(crate) struct Matches<'a> {
    maps: PersistentMaps,
    numbers: AddressTable<u32>,
    /// The objects by their numbers.
    objects: Vec<ObjectView<'a>>,
    /// The bindings that end with scopes: objects of the left side with the numbers of their counterparts, and the objects
    /// of the right side.
    scoped: MapId,
    /// The bindings of free variables of the left side.
    free: MapId,
    entries: Vec<Entry>,
    /// The number of entries at the last call of [`begin`](Self::begin).
    begun: usize,
}

impl<'a> Matches<'a> {
    /// The number of an object of the left side.
    fn lhs(&mut self, object: ObjectView<'a>) -> u32 {
        self.number(object.address(), object)
    }

    /// The number of an object of the right side. The lowest bit of an address is free.
    fn rhs(&mut self, object: ObjectView<'a>) -> u32 {
        self.number(object.address() | 1, object)
    }

    fn number(&mut self, key: usize, object: ObjectView<'a>) -> u32 {
        let objects = &mut self.objects;
        *self.numbers.entry(key).or_insert_with(|| {
            objects.push(object);
            u32::try_from(objects.len() - 1).expect("an object takes memory, so there are fewer than 2^32")
        })
    }

    /// Begins an object: the position in the log for [`take`](Self::take).
    pub(crate) fn begin(&mut self) -> usize {
        self.begun = self.entries.len();
        self.begun
    }

    fn push(&mut self, entry: Entry) {
        // A walk often uses one fact several times in a row.
        if self.entries[self.begun.min(self.entries.len())..].last() != Some(&entry) {
            self.entries.push(entry);
        }
    }

    /// Records that the result depends on the binding of `a` to `b`.
    pub(crate) fn use_match(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) {
        let entry = Entry::Matched(self.lhs(a), self.rhs(b));
        self.push(entry);
    }

    /// Records that the result depends on the fact that no scope binds `a` or `b`.
    pub(crate) fn use_unscoped(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) {
        let entry = Entry::Unscoped(self.lhs(a), self.rhs(b));
        self.push(entry);
    }

    /// Records that the result depends on the same facts as another one.
    pub(crate) fn use_all(&mut self, sets: MatchSets) {
        if !sets.is_empty() {
            self.push(Entry::Many(sets));
        }
    }

    /// The bindings of scopes in force, for [`restore`](Self::restore).
    pub(crate) fn scoped(&self) -> MapId {
        self.scoped
    }

    pub(crate) fn restore(&mut self, scoped: MapId) {
        self.scoped = scoped;
    }

    fn insert(&mut self, map: MapId, key: u32, value: u32) -> MapId {
        let entry = self.maps.entry(key, value);
        self.maps.union(map, entry)
    }

    /// Records a binding that ends with a scope. `hidden` is the object that was bound to `b` so far.
    pub(crate) fn bind(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, hidden: Option<ObjectView<'a>>) {
        let (a, b) = (self.lhs(a), self.rhs(b));
        let to = self.maps.entry(a, b);
        let made = self.insert(to, b, a);
        self.bind_all(made);
        if let Some(hidden) = hidden {
            let hidden = self.lhs(hidden);
            self.scoped = self.insert(self.scoped, hidden, HIDDEN);
        }
    }

    /// Records bindings that end with a scope and that hide no other bindings.
    pub(crate) fn bind_all(&mut self, made: MapId) {
        self.scoped = self.maps.union(self.scoped, made);
        self.entries.push(Entry::Bound(made));
    }

    /// The object to which a scope bound the object at `address`.
    pub(crate) fn counterpart(&self, address: usize, is_rhs: bool) -> Option<ObjectView<'a>> {
        let number = self.numbers.get(&(address | usize::from(is_rhs)))?;
        let other = self.maps.get(self.scoped, *number)?;
        self.objects.get(other as usize).copied()
    }

    /// Whether the bindings in `scoped` bind or hide the object at `address`.
    pub(crate) fn contains(&self, scoped: MapId, address: usize, is_rhs: bool) -> bool {
        let number = self.numbers.get(&(address | usize::from(is_rhs)));
        number.is_some_and(|number| self.maps.get(scoped, *number).is_some())
    }

    /// The bindings in `made`: the objects of both sides.
    pub(crate) fn pairs(&self, made: MapId) -> impl Iterator<Item = (ObjectView<'a>, ObjectView<'a>)> + '_ {
        let lhs = self.maps.entries(made).filter(|(number, _)| !self.is_rhs(*number));
        lhs.map(|(a, b)| (self.objects[a as usize], self.objects[b as usize]))
    }

    /// Records the correspondence of two free variables, which outlasts all scopes.
    pub(crate) fn bind_free(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) {
        let (a, b) = (self.lhs(a), self.rhs(b));
        self.free = self.insert(self.free, a, b);
    }

    /// The part of the facts in `sets` that bindings of free variables could make true, or `None` if other facts do not hold.
    /// All facts hold if the part is empty.
    pub(crate) fn missing(&mut self, sets: MatchSets) -> Option<MapId> {
        if !self.maps.restrict(self.scoped, sets.unscoped).is_empty() {
            return None;
        }
        let other = self.maps.differing(sets.matched, self.scoped);
        if !self.maps.restrict(other, self.scoped).is_empty() {
            return None;
        }
        Some(self.maps.differing(other, self.free))
    }

    /// The two objects of a set of one pair.
    pub(crate) fn only_pair(&self, matched: MapId) -> Option<(ObjectView<'a>, ObjectView<'a>)> {
        let a = self.maps.only_key(matched)?;
        let b = self.maps.get(matched, a)?;
        Some((self.objects[a as usize], self.objects[b as usize]))
    }

    /// The facts in `sets`, for the [`Matches`] of another walk.
    #[cfg(feature = "rayon")]
    pub(crate) fn export(&self, sets: MatchSets) -> ExportedMatches<'a> {
        let object = |number: u32| self.objects[number as usize];
        ExportedMatches {
            matched: self.maps.entries(sets.matched).map(|(a, b)| (object(a), object(b))).collect(),
            unscoped: self.maps.entries(sets.unscoped).map(|(it, _)| (object(it), self.is_rhs(it))).collect(),
        }
    }

    fn is_rhs(&self, number: u32) -> bool {
        let address = self.objects[number as usize].address();
        self.numbers.get(&(address | 1)) == Some(&number)
    }

    /// Records that the result depends on the facts of another walk.
    #[cfg(feature = "rayon")]
    pub(crate) fn use_exported(&mut self, facts: &ExportedMatches<'a>) {
        for (a, b) in &facts.matched {
            self.use_match(*a, *b);
        }
        for (object, is_rhs) in &facts.unscoped {
            let number = if *is_rhs { self.rhs(*object) } else { self.lhs(*object) };
            self.push(Entry::Unscoped(number, number));
        }
    }

    /// Replaces the facts since `start` by the facts that bindings before `start` decide, and returns them together with
    /// the bindings that the walk made since then. `closes` says whether these bindings have ended with a scope.
    pub(crate) fn take(&mut self, start: usize, closes: bool) -> (MatchSets, MapId) {
        if let [Entry::Many(only)] = self.entries[start..] {
            return (only, MapId::EMPTY);
        }
        let (mut sets, mut bound) = (MatchSets::default(), MapId::EMPTY);
        for index in start..self.entries.len() {
            let matched = match self.entries[index] {
                Entry::Matched(a, b) if self.maps.get(bound, a).is_none() => self.maps.entry(a, b),
                Entry::Matched(..) => continue,
                Entry::Unscoped(a, b) => {
                    let unscoped = self.insert(sets.unscoped, a, BOUND);
                    sets.unscoped = self.insert(unscoped, b, BOUND);
                    continue;
                }
                Entry::Many(many) => {
                    sets.unscoped = self.maps.union(sets.unscoped, many.unscoped);
                    self.maps.without(many.matched, bound)
                }
                Entry::Bound(made) => {
                    bound = self.maps.union(bound, made);
                    continue;
                }
            };
            sets.matched = self.maps.union(sets.matched, matched);
        }
        self.entries.truncate(start);
        self.use_all(sets);
        if closes {
            bound = MapId::EMPTY;
        } else if !bound.is_empty() {
            self.entries.push(Entry::Bound(bound));
        }
        (sets, bound)
    }
}

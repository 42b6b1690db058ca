//! [`Matches`]: which variables and `dag` nodes correspond under lexical scopes, as sets that share their parts.
//!
//! Most results depend on facts of one kind: an object of the left side is bound to an object of the right side. A result
//! keeps these facts as one map, and the bindings in force are another map. So a look at all facts of a result takes the
//! time of the difference between these maps and maps that were compared before, and the facts of an object take the
//! memory of the difference to the facts of its children.

use std::sync::Arc;

use crate::object::ObjectView;
use crate::persistent_map::{MapId, PersistentMaps};
use crate::table::AddressTable;

mod exported;

/// The facts on which a result depends, as sets in a [`Matches`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
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

/// An object in a [`Matches`].
pub(crate) trait Matched: Copy {
    /// The keys of the object on the left side and on the right side. A walk over one value has one key for both.
    fn keys(self) -> [usize; 2];
}

impl Matched for ObjectView<'_> {
    fn keys(self) -> [usize; 2] {
        // The lowest bit of an address is free.
        [self.address(), self.address() | 1]
    }
}

/// The facts on which the result of another walk depends.
pub(crate) struct ExportedMatches<T> {
    matched: Box<[(T, T)]>,
    /// The objects that no scope binds, and whether they are on the right side.
    unscoped: Box<[(T, bool)]>,
}

/// Where a walk made bindings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// With the binding that has this number.
    Binding(u64),
    /// At the places of a list in the [`Matches`].
    Several(usize),
}

/// The facts that a walk used, and its bindings, in their order.
#[derive(Clone, Copy)]
enum Entry<T> {
    Matched(u32, u32),
    /// A binder may bind the two objects here, because no scope binds them.
    Unscoped(u32, u32),
    Many(MatchSets),
    /// Facts of another walk that are not sets yet.
    Exported(usize),
    /// The walk made these bindings.
    Bound(MapId, Source),
    /// A scope exported these bindings, whatever was bound before.
    Rebound(MapId),
    /// The walk bound an object to itself that no scope bound. The sets do not have the object yet.
    BoundItself(T),
    /// The scope bound the object to itself anew, with the binding that has this number. The sets do not have it yet.
    BoundAnew(T, u64),
    /// The object is bound to itself by the binding with this number.
    UsedItself(T, u64),
}

impl<T> Entry<T> {
    /// Whether the entries are the same fact.
    fn is_same_fact(&self, other: &Entry<T>) -> bool {
        match (self, other) {
            (Entry::Matched(a, b), Entry::Matched(c, d)) | (Entry::Unscoped(a, b), Entry::Unscoped(c, d)) => {
                (a, b) == (c, d)
            }
            (Entry::Many(sets), Entry::Many(others)) => sets == others,
            _ => false,
        }
    }
}

/// The facts and the bindings of a walk over an object.
pub(crate) struct Taken<T> {
    pub(crate) facts: MatchSets,
    /// More facts, which are not sets yet.
    pub(crate) exported: Option<Arc<ExportedMatches<T>>>,
    /// The bindings that are still in force.
    pub(crate) made: Option<(MapId, Source)>,
}

/// The value of an object of the left side that is bound to an object to which another one was bound later.
const HIDDEN: u32 = u32::MAX;

/// The value of each object of a set.
const BOUND: u32 = 0;

/// The facts about bindings that a walk used, and the bindings in force.
#[derive(Clone)]
pub(crate) struct Matches<T> {
    maps: PersistentMaps,
    numbers: AddressTable<u32>,
    /// The objects by their numbers.
    objects: Vec<T>,
    /// The bindings that end with scopes: objects of the left side with the numbers of their counterparts, and the objects
    /// of the right side.
    scoped: MapId,
    /// The bindings of free variables of the left side.
    free: MapId,
    entries: Vec<Entry<T>>,
    /// The number of entries of which the sets have all bindings.
    merged: usize,
    /// The number of entries at the last call of [`begin`](Self::begin).
    begun: usize,
    /// The bindings of the results that made several ones, each with its source. Empty if no caller asks for sources.
    several: Vec<Box<[(MapId, Source)]>>,
    keeps_sources: bool,
    /// The facts of other walks on which this walk depends.
    exported: Vec<Arc<ExportedMatches<T>>>,
    /// The facts of other walks as sets, by the addresses of the facts, which stay alive meanwhile.
    imported: AddressTable<(Arc<ExportedMatches<T>>, MatchSets)>,
}

impl<T> Default for Matches<T> {
    fn default() -> Self {
        Matches {
            maps: PersistentMaps::default(),
            numbers: AddressTable::default(),
            objects: Vec::new(),
            scoped: MapId::EMPTY,
            free: MapId::EMPTY,
            entries: Vec::new(),
            merged: 0,
            begun: 0,
            several: Vec::new(),
            keeps_sources: false,
            exported: Vec::new(),
            imported: AddressTable::default(),
        }
    }
}

impl<T: Matched> Matches<T> {
    /// Without facts and bindings. `keeps_sources` says whether the results list the [`Source`] of each binding.
    pub(crate) fn new(keeps_sources: bool) -> Self {
        Matches { keeps_sources, ..Matches::default() }
    }

    /// The number of an object of the left side.
    fn lhs(&mut self, object: T) -> u32 {
        self.number(object.keys()[0], object)
    }

    /// The number of an object of the right side.
    fn rhs(&mut self, object: T) -> u32 {
        self.number(object.keys()[1], object)
    }

    fn number(&mut self, key: usize, object: T) -> u32 {
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

    fn push(&mut self, entry: Entry<T>) {
        // A walk often uses one fact several times in a row.
        let last = self.entries[self.begun.min(self.entries.len())..].last();
        if !last.is_some_and(|last| last.is_same_fact(&entry)) {
            self.entries.push(entry);
        }
    }

    /// Binds an object to itself, which no scope binds and no other object is bound to. The result depends on that. Most
    /// results need no set of such objects, so the sets get the object later.
    pub(crate) fn bind_itself(&mut self, object: T) {
        self.entries.push(Entry::BoundItself(object));
    }

    /// Binds an object to itself in a definition region, whatever was bound before, with the binding that has this number. As in
    /// [`bind_itself`](Self::bind_itself), the sets get the object later. The results list no [`Source`] of such bindings.
    pub(crate) fn bind_anew(&mut self, object: T, number: u64) {
        self.entries.push(Entry::BoundAnew(object, number));
    }

    /// Records that the result depends on the binding of `object` to itself, which has this number.
    pub(crate) fn use_itself(&mut self, object: T, number: u64) {
        self.entries.push(Entry::UsedItself(object, number));
    }

    /// Adds the objects that are bound to themselves to the sets: before a look at the sets, before a scope opens, and before
    /// a state to which the walk may return.
    pub(crate) fn merge(&mut self) {
        for index in self.merged..self.entries.len() {
            if let Entry::BoundItself(object) | Entry::BoundAnew(object, _) = self.entries[index] {
                self.scoped = self.with_itself(self.scoped, object);
            }
        }
        self.merged = self.entries.len();
    }

    /// Records that the result depends on the binding of `a` to `b`.
    pub(crate) fn use_match(&mut self, a: T, b: T) {
        let entry = Entry::Matched(self.lhs(a), self.rhs(b));
        self.push(entry);
    }

    /// Records that the result depends on the fact that no scope binds `a` or `b`.
    pub(crate) fn use_unscoped(&mut self, a: T, b: T) {
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

    /// The binding of two objects to each other, as a set.
    pub(crate) fn pair(&mut self, a: T, b: T) -> MapId {
        let (a, b) = (self.lhs(a), self.rhs(b));
        let to = self.maps.entry(a, b);
        self.insert(to, b, a)
    }

    /// The bindings in `made`, and the binding of `object` to itself.
    fn with_itself(&mut self, made: MapId, object: T) -> MapId {
        let pair = self.pair(object, object);
        self.maps.union(made, pair)
    }

    /// The bindings of both sets.
    pub(crate) fn union(&mut self, made: MapId, others: MapId) -> MapId {
        self.maps.union(made, others)
    }

    /// Records the binding with this number, which ends with a scope. `hidden` is the object that was bound to `b` so far.
    pub(crate) fn bind(&mut self, a: T, b: T, hidden: Option<T>, number: u64) {
        let made = self.pair(a, b);
        self.bind_all(made, number);
        self.hide(hidden);
    }

    /// As [`bind`](Self::bind), for a binding that a scope exports. The results do not have it among their bindings.
    pub(crate) fn rebind(&mut self, a: T, b: T, hidden: Option<T>) {
        self.merge();
        let made = self.pair(a, b);
        self.scoped = self.maps.union(self.scoped, made);
        self.entries.push(Entry::Rebound(made));
        self.hide(hidden);
    }

    fn hide(&mut self, hidden: Option<T>) {
        if let Some(hidden) = hidden {
            let hidden = self.lhs(hidden);
            self.scoped = self.insert(self.scoped, hidden, HIDDEN);
        }
    }

    /// Records bindings that end with a scope and that hide no other bindings. All have this number.
    pub(crate) fn bind_all(&mut self, made: MapId, number: u64) {
        self.merge();
        self.scoped = self.maps.union(self.scoped, made);
        self.entries.push(Entry::Bound(made, Source::Binding(number)));
    }

    /// The bindings in `made` of objects that no scope binds here.
    pub(crate) fn without_scoped(&mut self, made: MapId) -> MapId {
        self.merge();
        self.maps.without(made, self.scoped)
    }

    /// The object to which a scope bound the object with this key.
    pub(crate) fn counterpart(&self, key: usize) -> Option<T> {
        let other = self.maps.get(self.scoped, *self.numbers.get(&key)?)?;
        self.objects.get(other as usize).copied()
    }

    /// Whether the bindings in `scoped` bind or hide the object with this key.
    pub(crate) fn contains(&self, scoped: MapId, key: usize) -> bool {
        let number = self.numbers.get(&key);
        number.is_some_and(|number| self.maps.get(scoped, *number).is_some())
    }

    /// The source of the binding of the object with this key among the bindings of `source`, if it is a single one.
    pub(crate) fn number_in(&self, mut source: Source, key: usize) -> Option<u64> {
        loop {
            source = match source {
                Source::Binding(number) => return Some(number),
                Source::Several(index) => {
                    self.several.get(index)?.iter().find(|(made, _)| self.contains(*made, key))?.1
                }
            };
        }
    }

    /// The bindings in `made`: the objects of both sides.
    pub(crate) fn pairs(&self, made: MapId) -> impl Iterator<Item = (T, T)> + '_ {
        let lhs = self.maps.entries(made).filter(|(number, _)| !self.is_rhs(*number));
        lhs.map(|(a, b)| (self.objects[a as usize], self.objects[b as usize]))
    }

    /// Records the correspondence of two free variables, which outlasts all scopes.
    pub(crate) fn bind_free(&mut self, a: T, b: T) {
        let (a, b) = (self.lhs(a), self.rhs(b));
        self.free = self.insert(self.free, a, b);
    }

    /// The part of the facts in `sets` that bindings of free variables could make true, or `None` if other facts do not hold.
    /// All facts hold if the part is empty.
    pub(crate) fn missing(&mut self, sets: MatchSets) -> Option<MapId> {
        self.merge();
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
    pub(crate) fn only_pair(&self, matched: MapId) -> Option<(T, T)> {
        let a = self.maps.only_key(matched)?;
        let b = self.maps.get(matched, a)?;
        Some((self.objects[a as usize], self.objects[b as usize]))
    }

    fn is_rhs(&self, number: u32) -> bool {
        let [lhs, rhs] = self.objects[number as usize].keys();
        lhs != rhs && self.numbers.get(&rhs) == Some(&number)
    }

    /// Replaces the facts since `start` by the facts that bindings up to the one with number `made` decide, and returns them
    /// together with the bindings that the walk made since then. `closes` says whether these bindings have ended with a
    /// scope.
    pub(crate) fn take(&mut self, start: usize, made: u64, closes: bool) -> Taken<T> {
        match self.entries[start..] {
            [] => return Taken { facts: MatchSets::default(), exported: None, made: None },
            [Entry::Many(facts)] => return Taken { facts, exported: None, made: None },
            _ if closes => {}
            _ => self.merge(),
        }
        let (mut sets, mut bound, mut rebound) = (MatchSets::default(), MapId::EMPTY, MapId::EMPTY);
        let mut sources: Vec<(MapId, Source)> = Vec::new();
        let (mut last, mut unscoped): (_, Vec<(T, bool)>) = (None, Vec::new());
        // The objects that `bound` leaves out so far. A scope that closes often needs no set of them.
        let mut anew: Vec<T> = Vec::new();
        for index in start..self.entries.len() {
            let facts = match self.entries[index] {
                Entry::Matched(a, b) => MatchSets { matched: self.maps.entry(a, b), unscoped: MapId::EMPTY },
                Entry::UsedItself(_, number) if number > made => continue,
                Entry::UsedItself(object, _) => {
                    let (a, b) = (self.lhs(object), self.rhs(object));
                    MatchSets { matched: self.maps.entry(a, b), unscoped: MapId::EMPTY }
                }
                Entry::Many(many) => many,
                Entry::Exported(facts) => {
                    let facts = self.exported[facts].clone();
                    self.import_once(&facts)
                }
                Entry::Unscoped(a, b) => {
                    let unscoped = self.insert(sets.unscoped, a, BOUND);
                    sets.unscoped = if a == b { unscoped } else { self.insert(unscoped, b, BOUND) };
                    continue;
                }
                Entry::BoundItself(object) if closes => {
                    unscoped.push((object, false));
                    continue;
                }
                Entry::BoundAnew(object, number) => {
                    anew.push(object);
                    last = Some(Source::Binding(number));
                    continue;
                }
                Entry::BoundItself(object) => {
                    let number = self.lhs(object);
                    sets.unscoped = self.insert(sets.unscoped, number, BOUND);
                    bound = self.with_itself(bound, object);
                    last = last.or(Some(Source::Binding(made)));
                    continue;
                }
                Entry::Rebound(made) => {
                    rebound = self.maps.union(rebound, made);
                    continue;
                }
                Entry::Bound(made, source) => {
                    bound = self.maps.union(bound, made);
                    last = Some(source);
                    if self.keeps_sources && !closes {
                        sources.push((made, source));
                    }
                    continue;
                }
            };
            sets.unscoped = self.maps.union(sets.unscoped, facts.unscoped);
            if !facts.matched.is_empty() {
                bound = anew.drain(..).fold(bound, |bound, object| self.with_itself(bound, object));
            }
            let matched = self.maps.without(facts.matched, bound);
            let matched = self.maps.without(matched, rebound);
            sets.matched = self.maps.union(sets.matched, matched);
        }
        self.entries.truncate(start);
        self.merged = self.merged.min(start);
        self.use_all(sets);
        let exported = (!unscoped.is_empty()).then(|| {
            let facts = ExportedMatches { matched: Box::default(), unscoped: unscoped.into() };
            Arc::new(facts)
        });
        if let Some(exported) = &exported {
            self.use_exported(exported);
        }
        let mut source = last.filter(|_| !closes);
        if source.is_some() {
            bound = anew.drain(..).fold(bound, |bound, object| self.with_itself(bound, object));
        }
        if sources.len() > 1 {
            source = Some(Source::Several(self.several.len()));
            self.several.push(sources.into());
        }
        if let Some(source) = source {
            self.entries.push(Entry::Bound(bound, source));
        }
        if !rebound.is_empty() && !closes {
            self.entries.push(Entry::Rebound(rebound));
        }
        Taken { facts: sets, exported, made: source.map(|source| (bound, source)) }
    }
}

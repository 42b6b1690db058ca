//! The facts of a walk in the numbers of another walk.

use std::sync::Arc;

use crate::persistent_map::MapId;
use crate::structural::scope::matches::{BOUND, Entry, ExportedMatches, MatchSets, Matched, Matches};

impl<T: Matched> Matches<T> {
    /// The facts in `sets`, for the [`Matches`] of another walk.
    pub(crate) fn export(&self, sets: MatchSets) -> ExportedMatches<T> {
        let object = |number: u32| self.objects[number as usize];
        ExportedMatches {
            matched: self.maps.entries(sets.matched).map(|(a, b)| (object(a), object(b))).collect(),
            unscoped: self.maps.entries(sets.unscoped).map(|(it, _)| (object(it), self.is_rhs(it))).collect(),
        }
    }

    /// Whether the facts of another walk hold here.
    pub(crate) fn has_same_exported(&mut self, facts: &Arc<ExportedMatches<T>>) -> bool {
        self.merge();
        // Most caches are asked about functions outside of all scopes, where nothing is bound.
        if self.scoped.is_empty() && self.free.is_empty() {
            return facts.matched.is_empty();
        }
        let sets = self.import_once(facts);
        self.missing(sets).is_some_and(MapId::is_empty)
    }

    /// Records that the result depends on the facts of another walk.
    pub(crate) fn use_exported(&mut self, facts: &Arc<ExportedMatches<T>>) {
        self.entries.push(Entry::Exported(self.exported.len()));
        self.exported.push(facts.clone());
    }

    /// The facts of `sets` and the facts of another walk.
    pub(crate) fn with_exported(&mut self, sets: MatchSets, facts: &Arc<ExportedMatches<T>>) -> MatchSets {
        let more = self.import_once(facts);
        MatchSets {
            matched: self.maps.union(sets.matched, more.matched),
            unscoped: self.maps.union(sets.unscoped, more.unscoped),
        }
    }

    pub(super) fn import_once(&mut self, facts: &Arc<ExportedMatches<T>>) -> MatchSets {
        let key = Arc::as_ptr(facts) as usize;
        if let Some((_, sets)) = self.imported.get(&key) {
            return *sets;
        }
        let sets = self.import(facts);
        self.imported.insert(key, (facts.clone(), sets));
        sets
    }

    /// The facts of another walk.
    pub(crate) fn import(&mut self, facts: &ExportedMatches<T>) -> MatchSets {
        let mut sets = MatchSets::default();
        for (a, b) in &facts.matched {
            let (a, b) = (self.lhs(*a), self.rhs(*b));
            sets.matched = self.insert(sets.matched, a, b);
        }
        for (object, is_rhs) in &facts.unscoped {
            let number = if *is_rhs { self.rhs(*object) } else { self.lhs(*object) };
            sets.unscoped = self.insert(sets.unscoped, number, BOUND);
        }
        sets
    }
}

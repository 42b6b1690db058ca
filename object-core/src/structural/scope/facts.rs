//! [`FactLog`]: the facts about bindings on which the result of a walk depends.
//!
//! A walk records each fact that it uses. When it leaves an object whose result it remembers, it takes the facts that
//! bindings around the object decide. The result is valid again wherever these facts hold.

use std::sync::Arc;

/// A fact about the bindings of one or two objects.
pub(crate) trait Fact: Copy + Ord {
    /// The number of the oldest binding that decides the fact; zero if an object is not bound.
    fn order(self) -> u64;

    /// The fact for the surroundings of the scope in which the walk used it; `None` if it holds in every new scope.
    fn outside(self) -> Option<Self>;
}

/// Facts that several results share.
pub(crate) struct Facts<F> {
    pub(crate) all: Box<[F]>,
    /// The number of the newest of the bindings that decide the facts.
    newest: u64,
}

impl<F: Fact> Facts<F> {
    pub(crate) fn new(all: Vec<F>) -> Arc<Self> {
        let newest = all.iter().map(|fact| fact.order()).max().unwrap_or_default();
        Arc::new(Facts { all: all.into(), newest })
    }
}

/// The facts that a walk used so far.
#[derive(Clone)]
pub(crate) struct FactLog<F> {
    entries: Vec<Entry<F>>,
    /// The number of entries at the last call of [`begin`](Self::begin).
    begun: usize,
}

#[derive(Clone)]
enum Entry<F> {
    One(F),
    Many(Arc<Facts<F>>),
}

impl<F> Default for FactLog<F> {
    fn default() -> Self {
        FactLog { entries: Vec::new(), begun: 0 }
    }
}

impl<F: Fact> FactLog<F> {
    /// Begins an object: the position in the log for [`take_outer`](Self::take_outer).
    pub(crate) fn begin(&mut self) -> usize {
        self.begun = self.entries.len();
        self.begun
    }

    /// The last entry, if it was recorded after the last begin: a walk often uses one fact several times in a row.
    fn last(&self) -> Option<&Entry<F>> {
        self.entries[self.begun.min(self.entries.len())..].last()
    }

    /// Whether the walk used no fact that bindings around it decide.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn push(&mut self, fact: F) {
        if !matches!(self.last(), Some(Entry::One(last)) if *last == fact) {
            self.entries.push(Entry::One(fact));
        }
    }

    pub(crate) fn push_all(&mut self, facts: &Arc<Facts<F>>) {
        let is_last = matches!(self.last(), Some(Entry::Many(last)) if Arc::ptr_eq(last, facts));
        if !facts.all.is_empty() && !is_last {
            self.entries.push(Entry::Many(facts.clone()));
        }
    }

    /// Replaces the facts since `start` by those that bindings up to the one with number `made` decide, each of them
    /// once, and returns them. `closes` says whether the innermost scope closes. `steps` counts the facts.
    pub(crate) fn take_outer(&mut self, start: usize, made: u64, closes: bool, steps: &mut u32) -> Arc<Facts<F>> {
        let is_outer = |fact: F| fact.order() <= made && (!closes || fact.outside() == Some(fact));
        if let [Entry::Many(only)] = &self.entries[start..]
            && only.newest <= made
            && (!closes || only.all.iter().all(|fact| is_outer(*fact)))
        {
            return only.clone();
        }
        let mut facts: Vec<F> = Vec::new();
        for entry in self.entries.drain(start..) {
            match &entry {
                Entry::One(fact) => facts.push(*fact),
                Entry::Many(many) => facts.extend_from_slice(&many.all),
            }
        }
        *steps = steps.wrapping_add(facts.len() as u32);
        facts.retain(|fact| fact.order() <= made);
        if closes {
            facts = facts.into_iter().filter_map(Fact::outside).collect();
        }
        facts.sort_unstable();
        facts.dedup();
        let facts = Facts::new(facts);
        self.push_all(&facts);
        facts
    }
}

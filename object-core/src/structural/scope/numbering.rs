//! [`Numbering`]: the numbers of variables and `dag` nodes, and the hashes that may be used again.
//!
//! A number counts first occurrences. The hash under lexical scopes has no numbers
//! ([`Positions`](crate::structural::lexical::positions::Positions) take their place).
//!
//! The entries of a map whose keys are objects without a number have no order that equal maps agree on. Their hashes
//! are *provisional*: variables in them that have no number yet count as constants and get no number, and the hashes of
//! the entries are added up. The provisional hash of an object changes as soon as one of these variables gets a number.
//! It is kept until then (see [`Dependencies`]), and used in provisional entries only.

use crate::graph::ObjectMap;
use crate::hashing::{SEED_NUMBER, mix};
use crate::object::ObjectView;
use crate::structural::engine::sharing::Shortcut;
use crate::structural::scope::dependencies::Dependencies;

/// The hashes and numbers of the objects so far.
#[derive(Default)]
pub(crate) struct Numbering<'a> {
    memo: ObjectMap<Memo>,
    /// The numbered objects, in order.
    log: Vec<ObjectView<'a>>,
    count: u32,
    /// The count of numbers that were given outside of provisional entries.
    given: u32,
    /// The number of maps whose provisional entries contain the current value.
    provisional: u32,
    /// See [`numbers_are_final`](Self::numbers_are_final).
    are_final: bool,
    /// Whether an object without further occurrences may get a number without an entry.
    pub(crate) unshared: Shortcut,
    /// The objects on which provisional hashes depend.
    dependencies: Dependencies<'a>,
}

/// A hash of an object that the current position may use.
#[derive(Clone, Copy)]
pub(crate) struct Hashed {
    pub(crate) hash: u64,
    /// Whether the hash may change once more objects have numbers.
    pub(crate) unstable: bool,
}

/// A hash that may be used again.
#[derive(Clone, Copy)]
struct Memo {
    hash: u64,
    validity: Validity,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Validity {
    /// Everything in the object is numbered.
    Stable,
    /// The object itself is numbered: its place in the log.
    Numbered { place: u32 },
    /// Something in the object has no number. The hash is valid only in provisional entries, if `in_entries`.
    Provisional { in_entries: bool },
}

impl<'a> Numbering<'a> {
    pub(crate) fn new() -> Self {
        Numbering { are_final: true, unshared: Shortcut::Taken, ..Numbering::default() }
    }

    /// The numbered objects, in order.
    pub(crate) fn log(&self) -> &[ObjectView<'a>] {
        &self.log
    }

    /// The index of an object in the log, if the object has a number.
    pub(crate) fn place(&self, object: ObjectView<'_>) -> Option<usize> {
        match self.memo.get(object)?.validity {
            Validity::Numbered { place } => Some(place as usize),
            Validity::Stable | Validity::Provisional { .. } => None,
        }
    }

    /// Begins the provisional entries of a map.
    pub(crate) fn begin_provisional(&mut self) {
        self.provisional += 1;
        self.are_final = false;
    }

    /// Ends the innermost provisional entries.
    pub(crate) fn end_provisional(&mut self) {
        self.provisional -= 1;
        self.are_final = self.unshared == Shortcut::Taken && !self.is_provisional();
    }

    /// Records that the hash has to begin again if it has given a number without an entry.
    #[cold]
    pub(crate) fn refute_shortcut(&mut self) {
        if self.unshared == Shortcut::Taken && self.given as usize != self.log.len() {
            self.unshared = Shortcut::Refuted;
        }
    }

    /// Gives no number without an entry.
    pub(crate) fn forbid_shortcut(&mut self) {
        self.unshared = Shortcut::Forbidden;
        self.are_final = false;
    }

    /// Whether the current value is in a provisional entry.
    fn is_provisional(&self) -> bool {
        self.provisional > 0
    }

    /// The remembered hash of an object, if there is one.
    #[inline]
    pub(crate) fn find(&mut self, object: ObjectView<'_>) -> Option<Hashed> {
        let memo = self.memo.get(object)?;
        match memo.validity {
            Validity::Stable | Validity::Numbered { .. } => Some(Hashed { hash: memo.hash, unstable: false }),
            Validity::Provisional { in_entries } => {
                let is_valid = !in_entries || self.is_provisional();
                is_valid.then_some(Hashed { hash: memo.hash, unstable: true })
            }
        }
    }

    /// Makes room for the number of an object whose children come next, and returns the mark of the object.
    #[inline]
    pub(crate) fn enter(&mut self, object: ObjectView<'a>) -> u32 {
        self.memo.enter(object)
    }

    /// Gives a number to an object with this mark whose fields hash to `hash`, unless its hash has to stay provisional.
    pub(crate) fn number(&mut self, object: ObjectView<'a>, mark: u32, hash: u64) -> Option<u64> {
        if self.is_provisional() {
            return None;
        }
        let hash = with_next_number(hash, &mut self.count);
        let validity = Validity::Numbered { place: narrow(self.log.len()) };
        self.log.push(object);
        self.given += 1;
        if self.dependencies.has_dependents() {
            self.invalidate_dependents(object);
        }
        *self.memo.at(object.address(), mark) = Some(Memo { hash, validity });
        Some(hash)
    }

    /// Gives a number to an object whose fields hash to `hash` and that has no further occurrence. Only valid if
    /// [`numbers_are_final`](Self::numbers_are_final).
    #[inline]
    pub(crate) fn number_unshared(&mut self, hash: u64) -> u64 {
        self.given += 1;
        with_next_number(hash, &mut self.count)
    }

    /// Whether each object keeps its number until the end of the hash, and an object with one handle occurs once.
    #[inline]
    pub(crate) fn numbers_are_final(&self) -> bool {
        self.are_final
    }

    /// Drops the provisional hashes that depend on an object, which gets a number.
    #[cold]
    fn invalidate_dependents(&mut self, object: ObjectView<'_>) {
        let memo = &mut self.memo;
        self.dependencies.follow(object, |dependent| {
            let memo = memo.slot(dependent);
            if matches!(memo, Some(Memo { validity: Validity::Provisional { .. }, .. })) {
                *memo = None;
            }
        });
    }

    /// Records that the hashes in progress depend on the provisional hash of an object, and counts that as a step.
    #[cold]
    pub(crate) fn record_dependency(&mut self, object: ObjectView<'a>, steps: &mut u32) {
        self.dependencies.record(*steps, object);
        *steps = steps.wrapping_add(1);
    }

    /// Forgets the dependencies that were recorded since the hasher had taken `entered` steps.
    #[cold]
    pub(crate) fn forget_dependencies(&mut self, entered: u32) {
        self.dependencies.forget_since(entered);
    }

    /// The count of numbers that were given outside of provisional entries.
    pub(crate) fn given(&self) -> u32 {
        self.given
    }

    /// Remembers a hash in which everything is numbered.
    pub(crate) fn remember(&mut self, object: ObjectView<'_>, hash: u64) {
        self.insert(object, hash, Validity::Stable);
    }

    #[inline]
    fn insert(&mut self, object: ObjectView<'_>, hash: u64, validity: Validity) {
        *self.memo.slot(object) = Some(Memo { hash, validity });
    }

    /// As [`remember`](Self::remember), for a provisional hash. The hasher entered the object when
    /// [`given`](Self::given) was `given_before`, after `steps_before` steps.
    #[cold]
    pub(crate) fn remember_provisional(
        &mut self,
        object: ObjectView<'a>,
        hash: u64,
        given_before: u32,
        steps_before: u32,
    ) {
        let is_numbered = |memo: &Memo| matches!(memo.validity, Validity::Numbered { .. });
        // If numbers were given during the hash, the hash may be different at the next occurrence.
        if given_before != self.given || self.memo.get(object).as_ref().is_some_and(is_numbered) {
            return;
        }
        self.insert(object, hash, Validity::Provisional { in_entries: self.is_provisional() });
        self.dependencies.move_since(steps_before, object);
    }
}

/// The hash of an object that gets the next number.
#[inline]
fn with_next_number(hash: u64, count: &mut u32) -> u64 {
    let number = *count;
    *count += 1;
    mix(hash, mix(SEED_NUMBER, u64::from(number)))
}

/// The number of objects in memory fits.
fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

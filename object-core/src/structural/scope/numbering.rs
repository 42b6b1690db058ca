//! [`Numbering`]: the numbers of variables and `dag` nodes, and the hashes that may be used again.
//!
//! A number counts first occurrences within a scope. Each object of a type marked `scope` opens a scope; everything
//! else is in the outermost scope. A number ends with its scope, so an object that refers to no outer scope has the
//! same hash everywhere. The hash of a reference to an outer scope includes the distance to that scope, as in the
//! notation of de Bruijn.
//!
//! The entries of a map whose keys are objects without a number have no order that equal maps agree on. Their hashes
//! are *provisional*: variables in them that have no number yet, and that no scope inside of the entry binds, count as
//! constants and get no number, and the hashes of the entries are added up. The provisional hash of an object changes
//! as soon as one of these variables gets a number. Under persistent scopes it is kept until then (see
//! [`Dependencies`]), under lexical scopes until the next number is given. It is used in provisional entries only.

use crate::hashing::{SEED_NUMBER, mix};
use crate::object::{CompareRule, DefRegionKind, ObjectView};
use crate::structural::engine::sharing::Shortcut;
use crate::structural::options::Scopes;
use crate::structural::scope::dependencies::Dependencies;
use crate::structural::scope::scope_stack::{FREE, LevelSet, ScopeStack, ValidIn};
use crate::table::AddressTable;

/// The hashes and numbers of the objects so far.
#[derive(Clone, Default)]
pub(crate) struct Numbering<'a> {
    scopes: Scopes,
    memo: AddressTable<Memo>,
    /// The conditions of [`Memo::valid_in`]. They are not in `Memo`, because without scopes there are none.
    validity_conditions: Vec<ValidIn>,
    /// The numbered objects, in order. The list only grows, even when a scope ends.
    log: Vec<ObjectView<'a>>,
    /// How many objects each open scope has numbered, the outermost first.
    counts: Vec<u32>,
    root_count: u32,
    /// The count of numbers that were given outside of provisional entries.
    given: u32,
    pub(crate) scope_stack: ScopeStack<(usize, Option<Memo>)>,
    /// For each map whose provisional entries contain the current value, the number of scopes around the map: the
    /// *floor* of these entries.
    provisional_floors: Vec<u32>,
    /// See [`numbers_are_final`](Self::numbers_are_final).
    are_final: bool,
    /// Whether an object without further occurrences may get a number without an entry.
    pub(crate) unshared: Shortcut,
    /// Under persistent scopes: what provisional hashes depend on.
    dependencies: Dependencies,
    /// A hash of the objects that have a number outside of all scopes, except scopes, and of these numbers. Two equal
    /// values mean the same objects with the same numbers, as long as these objects live.
    pub(crate) outermost: u64,
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
pub(crate) struct Memo {
    hash: u64,
    /// The condition under which the hash is valid: an index in `validity_conditions` plus one, or zero if it is always valid.
    valid_in: u32,
    region: DefRegionKind,
    validity: Validity,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Validity {
    /// Everything in the object is numbered.
    Stable,
    /// The object itself is numbered: its place in the log, and the level of its scope.
    Numbered { place: u32, level: u32 },
    /// The hash is valid only in entries with this floor, if `floor` is not `None`. Under lexical scopes it is valid
    /// while `given` numbers are given outside of provisional entries.
    While { given: u32, floor: Option<u32> },
}

impl<'a> Numbering<'a> {
    pub(crate) fn new(scopes: Scopes) -> Self {
        let are_final = scopes == Scopes::Persistent;
        let unshared = if are_final { Shortcut::Taken } else { Shortcut::Forbidden };
        Numbering { scopes, are_final, unshared, ..Numbering::default() }
    }

    /// The numbered objects, in order. Some of them have lost their numbers.
    pub(crate) fn log(&self) -> &[ObjectView<'a>] {
        &self.log
    }

    /// The index of an object in the log, if the object has a number that decides the order of map entries. Under
    /// lexical scopes, the number of a free variable does not. It outlives the scope, so the variable would come after
    /// others in the first occurrence of the scope, and before them in the second.
    pub(crate) fn place(&self, object: ObjectView<'_>) -> Option<usize> {
        match self.memo.get(&object.address())?.validity {
            Validity::Numbered { level: FREE, .. } if self.scopes == Scopes::Lexical => None,
            Validity::Numbered { place, .. } => Some(place as usize),
            Validity::Stable | Validity::While { .. } => None,
        }
    }

    /// Records that the order of the entries of a map depends on whether this key has a number, and in which scope.
    pub(crate) fn record_key_dependency(&mut self, key: ObjectView<'_>) {
        if self.scopes == Scopes::Persistent || !key.type_info().plan.compare_rule.has_counterpart() {
            return;
        }
        match self.memo.get(&key.address()).map(|memo| memo.validity) {
            Some(Validity::Numbered { level, .. }) => self.scope_stack.used.add(LevelSet::of(level)),
            _ => self.scope_stack.assume_unbound(key),
        }
    }

    /// The numbers that were given outside of all scopes, without any other hashes.
    #[cfg(feature = "rayon")]
    pub(crate) fn outermost_numbers(&self) -> Self {
        let numbered = self.log.iter().filter_map(|object| {
            let memo = *self.memo.get(&object.address())?;
            matches!(memo.validity, Validity::Numbered { .. }).then_some((object.address(), memo))
        });
        Numbering {
            memo: numbered.collect(),
            log: self.log.clone(),
            root_count: self.root_count,
            outermost: self.outermost,
            ..Numbering::new(self.scopes)
        }
    }

    /// Begins the provisional entries of a map.
    pub(crate) fn begin_provisional(&mut self) {
        self.provisional_floors.push(self.scope_stack.depth());
        self.are_final = false;
    }

    /// Ends the innermost provisional entries.
    pub(crate) fn end_provisional(&mut self) {
        self.provisional_floors.pop();
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
    pub(crate) fn is_provisional(&self) -> bool {
        !self.provisional_floors.is_empty()
    }

    /// The floor of the innermost provisional entries: no object gets a number on a level up to the floor.
    fn floor(&self) -> Option<u32> {
        self.provisional_floors.last().copied()
    }

    /// The remembered hash of an object, if there is one.
    #[inline]
    pub(crate) fn find(&mut self, object: ObjectView<'_>, region: DefRegionKind) -> Option<Hashed> {
        let memo = *self.memo.get(&object.address())?;
        let is_for_good = self.scopes == Scopes::Persistent && !matches!(memo.validity, Validity::While { .. });
        if is_for_good {
            Some(Hashed { hash: memo.hash, unstable: false })
        } else {
            self.validate_memo(memo, object, region)
        }
    }

    /// The hash in `memo`, if it is valid here.
    #[inline(never)]
    fn validate_memo(&mut self, memo: Memo, object: ObjectView<'_>, region: DefRegionKind) -> Option<Hashed> {
        let is_region = memo.region == region || !self.scope_stack.has_opened_scopes();
        let valid_in = memo.valid_in.checked_sub(1).and_then(|place| self.validity_conditions.get(place as usize));
        let known = is_region && valid_in.is_none_or(|valid_in| self.scope_stack.is_valid_at_depth(valid_in));
        let hashed = match memo.validity {
            Validity::Stable if known => Hashed { hash: memo.hash, unstable: false },
            Validity::Numbered { level, .. } if !self.rebinds(level, region) => {
                Hashed { hash: self.with_scope_distance(memo.hash, level), unstable: false }
            }
            // A variable that a scope inside of the entry binds must get its number.
            Validity::While { .. } if self.gets_number_in_entry(object, region) => return None,
            Validity::While { given, floor }
                if known
                    && (given == self.given || self.scopes == Scopes::Persistent)
                    && (floor.is_none() || floor == self.floor()) =>
            {
                Hashed { hash: memo.hash, unstable: true }
            }
            _ => return None,
        };
        if let Some(valid_in) = valid_in {
            self.scope_stack.used.add(valid_in.used);
        }
        Some(hashed)
    }

    /// Whether an object without a number gets one here, inside of a provisional entry.
    fn gets_number_in_entry(&self, object: ObjectView<'_>, region: DefRegionKind) -> bool {
        self.floor().is_some_and(|floor| self.scope_stack.depth() > floor)
            && match object.type_info().plan.compare_rule {
                CompareRule::Dag => true,
                CompareRule::Var => !region.is_free(),
                _ => false,
            }
    }

    /// Whether this region rebinds a variable that the scope at `level` numbered.
    fn rebinds(&self, level: u32, region: DefRegionKind) -> bool {
        let depth = self.scope_stack.depth();
        depth > 0
            && match region {
                DefRegionKind::Simple | DefRegionKind::Recursive => level != depth,
                DefRegionKind::Annotation => level == FREE,
                DefRegionKind::None | DefRegionKind::Free => false,
            }
    }

    fn with_scope_distance(&self, hash: u64, level: u32) -> u64 {
        match self.scope_stack.depth() - if level == FREE { 0 } else { level } {
            0 => hash,
            distance => mix(hash, mix(SEED_NUMBER, u64::from(distance))),
        }
    }

    /// Opens a scope.
    pub(crate) fn open(&mut self) {
        self.scope_stack.open();
        self.counts.push(0);
    }

    /// Closes the innermost scope.
    pub(crate) fn close(&mut self) {
        self.counts.pop();
        let memo = &mut self.memo;
        self.scope_stack.close(|(address, before)| match before {
            Some(before) => drop(memo.insert(address, before)),
            None => drop(memo.remove(&address)),
        });
    }

    /// Makes room for an entry. Growing the table rehashes all entries. Growing by a factor of four makes that rare.
    #[inline]
    fn make_room(&mut self) {
        if self.memo.len() == self.memo.capacity() {
            self.memo.reserve((3 * self.memo.len()).max(28));
        }
    }

    /// Gives a number to an object whose fields hash to `hash`, unless its hash has to stay provisional.
    pub(crate) fn number(&mut self, object: ObjectView<'a>, region: DefRegionKind, hash: u64) -> Option<u64> {
        let is_free = object.type_info().plan.compare_rule == CompareRule::Var && region.is_free();
        let level = if is_free { FREE } else { self.scope_stack.depth() };
        if self.floor().is_some_and(|floor| is_free || level <= floor) {
            return None;
        }
        let count = match self.counts.last_mut() {
            Some(count) if !is_free => count,
            _ => &mut self.root_count,
        };
        let hash = with_next_number(hash, count);
        let validity = Validity::Numbered { place: narrow(self.log.len()), level };
        self.log.push(object);
        self.given += u32::from(!self.is_provisional());
        self.make_room();
        if self.scopes == Scopes::Persistent {
            if self.dependencies.has_dependents() {
                self.invalidate_dependents(object);
            }
            self.memo.insert(object.address(), Memo { hash, valid_in: 0, region, validity });
            return Some(hash);
        }
        if (level == 0 || is_free) && !object.type_info().is_scope {
            self.outermost = mix(mix(self.outermost, object.address() as u64), hash);
        }
        let used = LevelSet::of(level);
        let valid_in = self.valid_in(used);
        let before = self.memo.insert(object.address(), Memo { hash, valid_in, region, validity });
        self.scope_stack.used.add(used);
        if !is_free {
            let was_numbered = matches!(before, Some(Memo { validity: Validity::Numbered { .. }, .. }));
            self.scope_stack.record_binding(object, was_numbered || (before.is_some() && self.is_provisional()));
            if level > 0 {
                self.scope_stack.push_undo((object.address(), before));
                if !matches!(region, DefRegionKind::Simple | DefRegionKind::Recursive) {
                    self.scope_stack.assume_unbound(object);
                }
            }
        }
        Some(self.with_scope_distance(hash, level))
    }

    /// Gives a number to an object whose fields hash to `hash` and that has no further occurrence. Only valid if
    /// [`numbers_are_final`](Self::numbers_are_final).
    #[inline]
    pub(crate) fn number_unshared(&mut self, hash: u64) -> u64 {
        self.given += 1;
        with_next_number(hash, &mut self.root_count)
    }

    /// Whether each object keeps its number until the end of the hash, and an object with one handle occurs once.
    #[inline]
    pub(crate) fn numbers_are_final(&self) -> bool {
        self.are_final
    }

    /// The condition under which a result that refers to these levels is valid, as an index plus one.
    #[inline]
    fn valid_in(&mut self, used: LevelSet) -> u32 {
        if used.is_none() || self.scopes == Scopes::Persistent {
            return 0;
        }
        self.validity_conditions.push(self.scope_stack.valid_in(used));
        narrow(self.validity_conditions.len())
    }

    /// Drops the provisional hashes that depend on an object, which gets a number.
    #[cold]
    fn invalidate_dependents(&mut self, object: ObjectView<'_>) {
        let memo = &mut self.memo;
        self.dependencies.follow(object.address(), |dependent| {
            if matches!(memo.get(&dependent), Some(Memo { validity: Validity::While { .. }, .. })) {
                memo.remove(&dependent);
            }
        });
    }

    /// Records that the hashes in progress depend on the provisional hash of an object, and counts that as a step.
    #[cold]
    pub(crate) fn record_dependency(&mut self, object: ObjectView<'_>, steps: &mut u32) {
        if self.scopes == Scopes::Persistent {
            self.dependencies.record(*steps, object.address());
            *steps = steps.wrapping_add(1);
        }
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
    pub(crate) fn remember(&mut self, object: ObjectView<'_>, hash: u64, used: LevelSet, region: DefRegionKind) {
        self.insert(object, hash, used, region, Validity::Stable);
    }

    fn insert(&mut self, object: ObjectView<'_>, hash: u64, used: LevelSet, region: DefRegionKind, validity: Validity) {
        self.make_room();
        let valid_in = self.valid_in(used);
        self.memo.insert(object.address(), Memo { hash, valid_in, region, validity });
    }

    /// As [`remember`](Self::remember), for a provisional hash. The hasher entered the object when
    /// [`given`](Self::given) was `given_before`, after `steps_before` steps.
    #[cold]
    pub(crate) fn remember_provisional(
        &mut self,
        object: ObjectView<'_>,
        hash: u64,
        used: LevelSet,
        region: DefRegionKind,
        (given_before, steps_before): (u32, u32),
    ) {
        let is_numbered = |memo: &Memo| matches!(memo.validity, Validity::Numbered { .. });
        // A provisional entry rebinds the object, but the object keeps the number that it has around the entry. If
        // numbers were given during the hash, the hash may be different at the next occurrence.
        if given_before != self.given || self.memo.get(&object.address()).is_some_and(is_numbered) {
            return;
        }
        self.insert(object, hash, used, region, Validity::While { given: self.given, floor: self.floor() });
        self.dependencies.move_since(steps_before, object.address());
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

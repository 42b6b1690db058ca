//! Comparing and hashing with several threads: the scopes among the children of one object, such as the functions of a
//! module, get one task each, which begins with the bindings before the first of them.
//!
//! A task does not see the bindings of the other tasks, so its result counts only if it does not depend on them. The
//! tasks of a hash fill caches, and the sequential walk takes a hash from a cache only if the hash is valid there. The
//! result of a comparison counts if the pair is equal, its bindings agree with the bindings of the pairs before it, and
//! these bindings change no fact on which it depends.
//! Under persistent scopes the task then takes its bindings back, and its thread goes on with the next scope.
//! Every other scope is compared or hashed again in order, so verdicts and hashes are the same as with one thread.
//!
//! The walk makes the bindings of a task again, which takes 6 % of the instructions of a comparison.
//!
//! The hash under persistent scopes uses one thread. Each variable counts by its number, which is the count of all
//! variables and `dag` nodes before it, so the hash of a function needs the counts of all functions before it, also if
//! they have nothing in common; and the mixing function is not linear, so no hash follows from the hash with other
//! numbers. A walk that only counts first occurrences takes 43 % of the instructions of the hash (modules of Relax).

use rayon::prelude::*;

use crate::hashing::Mixer;
use crate::object::{AnyView, DefRegionKind, ObjectView};
use crate::structural::engine::comparison::Comparison;
use crate::structural::engine::equal_classes::EqualClasses;
use crate::structural::engine::hash_cache::HashCache;
use crate::structural::engine::lexical_hash::LexicalHasher;
use crate::structural::options::StructuralOptions;
use crate::structural::pairing::counterpart;
use crate::structural::scope::statuses::Given;
use crate::structural::scope::task_bindings::TaskBindings;

/// Compares two scopes.
type PairTask<'a> = fn(&mut Comparison<'a>, ObjectView<'a>, ObjectView<'a>, DefRegionKind) -> bool;

/// Two scopes and the region around them.
type ScopePair<'a> = (ObjectView<'a>, ObjectView<'a>, DefRegionKind);

/// The smallest number of scopes that is worth starting threads.
const WORTH_FORKING: usize = 2;

/// The value as an object, if its type is a scope.
fn as_scope(value: AnyView<'_>) -> Option<ObjectView<'_>> {
    value.as_object().filter(|object| object.type_info().is_scope)
}

impl<'a, M: Mixer> LexicalHasher<'a, M> {
    /// If the options allow threads and `child`, the current child of the frame on top of the stack, is the first scope
    /// among the children, hashes the scopes among the children with threads.
    pub(crate) fn fork_at(&mut self, child: AnyView<'a>) {
        if !self.options.parallel
            || as_scope(child).is_none()
            || self.statuses.scopes.depth() > 0
            || self.cache.is_none()
        {
            return;
        }
        let Some(frame) = self.frames.last_mut().filter(|frame| !frame.is_forked) else { return };
        frame.is_forked = true;
        let rest = frame.rest(&self.listed);
        let scopes = rest.into_iter().filter_map(|(value, region)| Some((as_scope(value)?, region)));
        let mut scopes: Vec<(ObjectView<'a>, DefRegionKind)> = scopes.collect();
        scopes.retain(|(scope, region)| !self.is_cached(*scope, *region));
        if scopes.len() < WORTH_FORKING {
            return;
        }
        let (options, mixer) = (StructuralOptions { parallel: false, ..self.options }, self.mixer);
        let (mut statuses, computed) = (self.statuses.continued(), self.listed.computed());
        let before = statuses.checkpoint();
        let statuses = &statuses;
        let start = || {
            let mut hasher = LexicalHasher::new(options, mixer, computed);
            hasher.statuses = statuses.clone();
            hasher
        };
        let hash = |hasher: &mut LexicalHasher<'a, M>, (scope, region): &(ObjectView<'a>, DefRegionKind)| {
            hasher.cache = Some(HashCache::new());
            if hasher.run(AnyView::Object(*scope), *region).is_err() {
                // The sequential walk finds the error again.
                *hasher = start();
                return HashCache::new();
            }
            hasher.statuses.roll_back(before, &mut Given::default());
            hasher.cache.take().unwrap_or_default()
        };
        let caches: Vec<HashCache> = scopes.par_iter().map_init(start, hash).collect();
        if let Some(cache) = &mut self.cache {
            caches.into_iter().for_each(|other| cache.extend(other));
        }
    }
}

impl<'a> Comparison<'a> {
    /// If the options allow threads, compares the pairs of scopes among `children`. None of the pairs may be compared
    /// before the call.
    pub(crate) fn fork(
        &mut self,
        children: impl Iterator<Item = (AnyView<'a>, AnyView<'a>, DefRegionKind)>,
        task: PairTask<'a>,
    ) {
        if !self.options.parallel || self.bindings.scope_stack.depth() > 0 {
            return;
        }
        let scopes: Vec<ScopePair<'a>> =
            children.filter_map(|(a, b, region)| Some((as_scope(a)?, as_scope(b)?, region))).collect();
        if scopes.len() < WORTH_FORKING {
            return;
        }
        let (options, bindings) = (StructuralOptions { parallel: false, ..self.options }, &self.bindings);
        let unshared = self.unshared;
        let computed = self.listed.contents.computed();
        let start = || {
            let mut comparison = Comparison::new(options, computed);
            comparison.bindings = bindings.clone();
            comparison.unshared = unshared;
            comparison
        };
        let compare = |reused: &mut Option<Comparison<'a>>, (a, b, region): &ScopePair<'a>| {
            let mut comparison = reused.take().unwrap_or_else(start);
            let found = comparison.run_task(*a, *b, *region, task)?;
            // The next pair begins with the bindings before all pairs, as this one did.
            if found.are_taken_back() {
                *reused = Some(comparison);
            }
            Some(((a.address(), b.address(), *region), found))
        };
        let found: Vec<_> = scopes.par_iter().map_init(|| None, compare).flatten_iter().collect();
        self.bindings.reserve(found.iter().map(|(_, made)| made.len()).sum());
        self.task_results.extend(found);
    }

    /// The bindings of a pair of scopes, if the pair is equal.
    fn run_task(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        region: DefRegionKind,
        task: PairTask<'a>,
    ) -> Option<TaskBindings<'a>> {
        let (before, made) = (self.bindings.log().len(), self.bindings.scope_stack.state().made);
        let (_, facts) = self.bindings.enter();
        if !task(self, a, b, region) {
            return None;
        }
        // The remembered pairs may depend on the bindings of this task.
        self.equal_classes = EqualClasses::default();
        Some(self.bindings.task_bindings(before, facts, made))
    }

    /// As [`fork`](Self::fork), for the values of two maps whose keys correspond under the current bindings.
    pub(crate) fn fork_entries(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        region: DefRegionKind,
        task: PairTask<'a>,
    ) {
        let (Some(x), Some(y)) = (a.as_map(), b.as_map()) else { return };
        if self.options.parallel {
            let pairs: Vec<_> = (x.iter().enumerate())
                .filter_map(|(index, (key, value))| {
                    let (other, _) = counterpart(key, &mut self.bindings, true);
                    Some((value, y.find(other?, index)?.2, region))
                })
                .collect();
            self.fork(pairs.into_iter(), task);
        }
    }

    /// Whether a task found two scopes equal in this region, under bindings that agree with the bindings here. If so, adopts
    /// the bindings of the task.
    pub(crate) fn adopt_task_result(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> bool {
        // In another scope, the same scopes are compared under other bindings.
        if self.task_results.is_empty() || self.bindings.scope_stack.depth() > 0 {
            return false;
        }
        let found = self.task_results.remove(&(a.address(), b.address(), region));
        found.is_some_and(|found| self.bindings.adopt(&found))
    }
}

//! Comparing and hashing with several threads: the scopes among the children of one object, such as the functions of a
//! module, get one task each, which begins with the bindings before the first of them.
//!
//! A task does not see the bindings of the other tasks, so its result counts only if it does not depend on them. A hash
//! that satisfies this condition may enter a cache, so each task fills a cache. A comparison satisfies it if the pair
//! is equal and its bindings agree with the bindings of the pairs before it. Every other scope is compared or hashed
//! again in order, so verdicts and hashes are the same as with one thread.

use rayon::prelude::*;

use crate::hashing::Mixer;
use crate::object::{AnyView, DefRegionKind, ObjectView};
use crate::structural::engine::comparison::Comparison;
use crate::structural::engine::hash_cache::HashCache;
use crate::structural::engine::hasher::Hasher;
use crate::structural::options::{Scopes, StructuralOptions};
use crate::structural::pairing::counterpart;

/// Hashes a scope.
type ScopeTask<M> = for<'a> fn(&mut Hasher<'a, M>, ObjectView<'a>);

/// Compares two scopes.
type PairTask<'a> = fn(&mut Comparison<'a>, ObjectView<'a>, ObjectView<'a>, DefRegionKind) -> bool;

/// The smallest number of scopes that is worth starting threads.
const WORTH_FORKING: usize = 2;

/// The value as an object, if its type is a scope.
fn as_scope(value: AnyView<'_>) -> Option<ObjectView<'_>> {
    value.as_object().filter(|object| object.type_info().is_scope)
}

impl<'a, M: Mixer> Hasher<'a, M> {
    /// If the options allow threads, hashes the scopes among `children`. None of `children` may be hashed before the
    /// call.
    pub(crate) fn fork(&mut self, children: impl Iterator<Item = AnyView<'a>>, task: ScopeTask<M>) {
        if !self.options.parallel || self.next_context().is_none() || self.cache.is_none() {
            return;
        }
        let mut scopes: Vec<ObjectView<'a>> = children.filter_map(as_scope).collect();
        scopes.retain(|scope| !self.is_cached(*scope));
        if scopes.len() < WORTH_FORKING {
            return;
        }
        let (options, mixer) = (StructuralOptions { parallel: false, ..self.options }, self.mixer);
        let (numbering, computed) = (self.numbering.outermost_numbers(), self.listed.computed());
        let hash = |scope: &ObjectView<'a>| {
            let mut cache = HashCache::new();
            let mut hasher = Hasher::new(options, mixer, computed);
            hasher.numbering = numbering.clone();
            hasher.cache = Some(&mut cache);
            task(&mut hasher, *scope);
            cache
        };
        let caches: Vec<HashCache> = scopes.par_iter().map(hash).collect();
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
        children: impl Iterator<Item = (AnyView<'a>, AnyView<'a>)>,
        region: DefRegionKind,
        task: PairTask<'a>,
    ) {
        if !self.options.parallel || self.bindings.scope_stack.depth() > 0 {
            return;
        }
        let scopes: Vec<(ObjectView<'a>, ObjectView<'a>)> =
            children.filter_map(|(a, b)| as_scope(a).zip(as_scope(b))).collect();
        if scopes.len() < WORTH_FORKING {
            return;
        }
        let (options, bindings) = (StructuralOptions { parallel: false, ..self.options }, &self.bindings);
        let unshared = self.unshared;
        let computed = self.listed.contents.computed();
        let before = bindings.log().len();
        let compare = |(a, b): &(ObjectView<'a>, ObjectView<'a>)| {
            let mut comparison = Comparison::new(options, computed);
            comparison.bindings = bindings.clone();
            comparison.unshared = unshared;
            let equal = task(&mut comparison, *a, *b, region);
            equal.then(|| ((a.address(), b.address()), comparison.bindings.made_since(before)))
        };
        self.task_results.par_extend(scopes.par_iter().filter_map(compare));
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
                    let (other, _) = counterpart(key, &mut self.bindings);
                    Some((value, y.find(other?, index)?.2))
                })
                .collect();
            self.fork(pairs.into_iter(), region, task);
        }
    }

    /// Whether a task found two scopes equal, with bindings that agree with the bindings here. If so, adopts the
    /// bindings of the task.
    pub(crate) fn adopt_task_result(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> bool {
        let Some(made) = self.task_results.remove(&(a.address(), b.address())) else { return false };
        self.bindings.adopt(&made, self.options.scopes == Scopes::Lexical)
    }
}

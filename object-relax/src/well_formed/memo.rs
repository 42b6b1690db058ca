//! [`Memo`]: which shared objects a walk has visited, and where a further visit would find the same.
//!
//! A visit of an object depends on the bindings of the variables that it uses. All these bindings are visible in the
//! innermost scope among their scopes. So a further visit finds nothing new while that scope is open. Otherwise, the
//! walk visits the object again, because another scope may bind its variables, or none may.

use object_core::ObjectView;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::well_formed::scopes::{Bound, Scope, Scopes};

/// The number of steps that a walk spends on further visits of shared objects.
const REPEATED_STEPS: u64 = 20_000_000;

/// The variables that an object uses, by the depths of the scopes that bind them.
#[derive(Clone, Copy)]
struct Uses {
    /// The outermost and the innermost scope; `None` without uses.
    depths: Option<(u32, u32)>,
    /// A binding in the object.
    binder: Option<Bound>,
}

struct Visited {
    /// The innermost scope that binds a used variable.
    scope: Scope,
    /// The depths of the outermost and the innermost scope that bind used variables.
    depths: Option<(u32, u32)>,
    /// The surroundings of the visit, apart from the bindings, on which its result depends.
    surroundings: usize,
    binder: Option<Bound>,
}

/// An object between the begin and the end of a visit.
pub(super) struct Visit {
    address: usize,
    surroundings: usize,
    /// The depth of the innermost scope at the begin.
    depth: u32,
    /// Whether an earlier visit has ended.
    is_repeated: bool,
}

/// The answer to the begin of a visit.
pub(super) enum Begin {
    /// The object is not shared. Visit it.
    Unshared,
    /// Visit the object, and then call [`Memo::end`].
    Visit(Visit),
    /// A further visit would find the same.
    Known,
    /// The object binds variables, so it must not occur again.
    BindsAgain(Bound),
}

/// The visited shared objects.
pub(super) struct Memo {
    visited: FxHashMap<usize, Visited>,
    /// The uses in each visit that has not ended, and in the whole walk.
    uses: Vec<Uses>,
    /// The number of visits under way that repeat an earlier one.
    open_repeats: usize,
    /// The steps of repeated visits.
    repeated: u64,
}

impl Memo {
    /// Nothing is visited.
    pub(super) fn new() -> Self {
        let uses = vec![Uses { depths: None, binder: None }];
        // A small program has no more shared objects.
        let visited = FxHashMap::with_capacity_and_hasher(100, FxBuildHasher);
        Memo { visited, uses, open_repeats: 0, repeated: 0 }
    }

    /// Makes room for `count` more objects.
    pub(super) fn reserve(&mut self, count: usize) {
        self.visited.reserve(count);
    }

    /// Whether the walk has visited everything, however often a visit had to be repeated.
    pub(super) fn is_complete(&self) -> bool {
        self.repeated <= REPEATED_STEPS
    }

    /// Counts a visit of a shared object that may repeat an earlier one. Returns whether the walk may go on.
    pub(super) fn repeat(&mut self) -> bool {
        self.repeated += 1;
        self.is_complete()
    }

    /// Begins to visit an object.
    pub(super) fn begin(&mut self, object: ObjectView<'_>, surroundings: usize, scopes: &Scopes) -> Begin {
        // A visit inside of several repeated ones counts once, or a deep nest would count the square of its depth.
        self.repeated += u64::from(self.open_repeats > 0);
        if object.use_count() <= 1 {
            return Begin::Unshared;
        }
        let mut is_repeated = false;
        if let Some(visited) = self.visited.get(&object.address()) {
            if let Some(binder) = visited.binder {
                return Begin::BindsAgain(binder);
            }
            if visited.surroundings == surroundings && scopes.is_open(visited.scope) {
                if let Some((least, most)) = visited.depths {
                    self.uses(least);
                    self.uses(most);
                }
                return Begin::Known;
            }
            if !self.is_complete() {
                return Begin::Known;
            }
            is_repeated = true;
            self.open_repeats += 1;
        }
        self.uses.push(Uses { depths: None, binder: None });
        let depth = scopes.innermost().depth;
        Begin::Visit(Visit { address: object.address(), surroundings, depth, is_repeated })
    }

    /// Ends the visit of an object.
    pub(super) fn end(&mut self, visit: &Visit, scopes: &Scopes) {
        let Some(uses) = self.uses.pop() else { return };
        self.open_repeats -= usize::from(visit.is_repeated);
        // Only the scopes that were open at the begin are open now. The exact innermost one of them is unknown if the
        // object also uses variables of its own scopes.
        let depths = uses.depths.filter(|(least, _)| *least <= visit.depth);
        let depths = depths.map(|(least, most)| (least, most.min(visit.depth)));
        let scope = scopes.scope(depths.map_or(0, |(_, most)| most));
        let visited = Visited { scope, depths, surroundings: visit.surroundings, binder: uses.binder };
        self.visited.insert(visit.address, visited);
        if let Some((least, most)) = depths {
            self.uses(least);
            self.uses(most);
        }
        if let Some(binder) = uses.binder {
            self.binds(binder);
        }
    }

    /// Records the use of a variable of the scope at `depth`.
    pub(super) fn uses(&mut self, depth: u32) {
        if let Some(uses) = self.uses.last_mut() {
            let (least, most) = uses.depths.unwrap_or((depth, depth));
            uses.depths = Some((least.min(depth), most.max(depth)));
        }
    }

    /// Records the binding of a Relax variable.
    pub(super) fn binds(&mut self, bound: Bound) {
        if let Some(uses) = self.uses.last_mut() {
            uses.binder.get_or_insert(bound);
        }
    }
}

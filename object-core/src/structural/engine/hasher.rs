//! [`Hasher`]: the state of a hash in progress, and its steps before and after the children of an object.

use crate::hashing::{Mixer, StableMixer};
use crate::object::{Any, AnyView, CompareRule, ComputedEnd, DefRegionKind, HookContents, ObjectView};
use crate::structural::engine::comparison::WORTH_REMEMBERING;
use crate::structural::engine::hash_cache::{Context, HashCache};
use crate::structural::engine::hash_stack::{HashFrame, HashVisit};
use crate::structural::engine::sharing::Shortcut;
use crate::structural::options::{Scopes, StructuralOptions};
use crate::structural::scope::numbering::Numbering;
use crate::structural::scope::scope_stack::{FREE, LevelSet};

/// A hash in progress.
pub(crate) struct Hasher<'a, M = StableMixer> {
    pub(crate) options: StructuralOptions,
    pub(crate) mixer: M,
    pub(crate) stack: Vec<HashFrame<'a>>,
    /// The values that hooks listed and that the hasher has not reached yet: one list after the other.
    pub(crate) listed: HookContents<'a>,
    pub(crate) numbering: Numbering<'a>,
    /// The hashes of scopes from earlier calls.
    pub(crate) cache: Option<&'a mut HashCache>,
    /// The context of the outermost open scope, and the value of `dag_scopes` when the scope was opened.
    context: Option<(Context, u32)>,
    /// The number of `dag` nodes so far that are scopes. The context of another scope does not include their numbers,
    /// so a scope that contains one does not enter the cache.
    dag_scopes: u32,
    /// The number of hashed children, including remembered ones.
    pub(crate) steps: u32,
    /// Whether a value that was hashed since the flag was last cleared may hash differently once more objects have
    /// numbers.
    pub(crate) unstable: bool,
    /// The first object that takes no part in comparison.
    pub(crate) not_comparable: Option<ObjectView<'a>>,
}

/// The state of an object before its children are hashed.
pub(crate) enum HashVerdict<'a> {
    Done(u64),
    Descend(HashVisit<'a>),
}

impl<'a, M: Mixer> Hasher<'a, M> {
    pub(crate) fn new(options: StructuralOptions, mixer: M, computed: ComputedEnd<'a>) -> Self {
        Hasher {
            options,
            mixer,
            stack: Vec::new(),
            listed: HookContents::new(computed),
            numbering: Numbering::new(options.scopes),
            cache: None,
            context: None,
            dag_scopes: 0,
            steps: 0,
            unstable: false,
            not_comparable: None,
        }
    }

    /// Appends the values that a hook lists, and returns the index of the first one.
    pub(crate) fn list(&mut self, object: ObjectView<'a>) -> usize {
        let start = self.listed.values.len();
        if let Some(hooks) = object.type_info().hooks {
            hooks.list(object, &mut self.listed);
        }
        if self.listed.has_computed_objects {
            self.listed.has_computed_objects = false;
            self.numbering.refute_shortcut();
        }
        start
    }

    /// Checks whether the hook of `object` lists objects of which one handle exists, from elsewhere than its own fields,
    /// from the index `start` on. The handles that the hasher then owns keep it from the shortcut for these objects.
    #[cold]
    pub(crate) fn check_list(&mut self, object: ObjectView<'a>, start: usize) {
        if self.numbering.unshared == Shortcut::Forbidden {
            return;
        }
        for index in start..self.listed.values.len() {
            let listed = self.listed.values[index];
            if let AnyView::Object(child) = listed.value
                && child.use_count() == 1
                && child.type_info().plan.compare_rule.has_counterpart()
                && !listed.is_field_of(object)
            {
                self.listed.computed.keep(Any::Object(child.to_object()));
                self.numbering.refute_shortcut();
            }
        }
    }

    /// Whether bindings in an object end with the object.
    #[inline]
    fn opens_scope(&self, object: ObjectView<'_>) -> bool {
        object.type_info().is_scope && self.options.scopes == Scopes::Lexical
    }

    /// The hash of an object, if an earlier occurrence of the object has a hash that is valid here.
    #[inline]
    pub(crate) fn known(&mut self, object: ObjectView<'a>, region: DefRegionKind) -> Option<u64> {
        let known = self.numbering.find(object, region)?;
        if known.unstable {
            self.unstable = true;
            self.numbering.record_dependency(object, &mut self.steps);
        }
        Some(known.hash)
    }

    /// Enters an object whose children are in `region`.
    #[inline(always)]
    pub(crate) fn enter(
        &mut self,
        object: ObjectView<'a>,
        region: DefRegionKind,
        around: DefRegionKind,
    ) -> HashVerdict<'a> {
        let opens_scope = self.opens_scope(object);
        if opens_scope && let Some(hash) = self.find_in_cache(object, around) {
            return HashVerdict::Done(hash);
        }
        let hidden = self.numbering.scope_stack.hidden();
        let used = std::mem::take(&mut self.numbering.scope_stack.used);
        if opens_scope {
            self.enter_scope();
        } else if self.numbering.scope_stack.isolates_fields(object, around) {
            self.numbering.open();
        }
        let unstable = std::mem::take(&mut self.unstable);
        let (entered, steps) = (self.numbering.given(), self.steps);
        HashVerdict::Descend(HashVisit { object, region, around, entered, hidden, used, steps, unstable })
    }

    /// Leaves an object: its hash, after the hasher has mixed the children into `hash`.
    pub(crate) fn exit(&mut self, visit: HashVisit<'a>, hash: u64) -> u64 {
        let object = visit.object;
        let info = object.type_info();
        if self.opens_scope(object) {
            self.exit_scope(object, hash);
        } else if self.numbering.scope_stack.isolates_fields(object, visit.around) {
            self.numbering.close();
        }
        let mut used = self.numbering.scope_stack.used;
        self.numbering.scope_stack.used.add(visit.used);
        let mut unstable = std::mem::replace(&mut self.unstable, visit.unstable);
        if info.plan.compare_rule.has_counterpart() {
            if let Some(numbered) = self.numbering.number(object, visit.around, hash) {
                // The object has a number now, so a later occurrence finds it by identity, even if the hash of its
                // fields is not stable.
                if unstable {
                    self.numbering.forget_dependencies(visit.steps);
                }
                return numbered;
            }
            unstable = true;
            // A scope that binds the variable changes its hash.
            used.add(LevelSet::of(FREE));
            self.numbering.scope_stack.used.add(used);
        } else if object.use_count() == 1 || self.steps.wrapping_sub(visit.steps) < WORTH_REMEMBERING {
            self.unstable |= unstable;
            return hash;
        }
        self.unstable |= unstable;
        if visit.hidden != self.numbering.scope_stack.hidden() {
            return hash;
        }
        if unstable {
            let before = (visit.entered, visit.steps);
            self.numbering.remember_provisional(object, hash, used, visit.around, before);
            self.numbering.record_dependency(object, &mut self.steps);
        } else {
            self.numbering.remember(object, hash, used, visit.around);
        }
        hash
    }

    /// The context of the next scope, if the cache may provide the hash of this scope.
    pub(crate) fn next_context(&self) -> Option<Context> {
        let is_outermost = self.options.scopes == Scopes::Lexical
            && self.numbering.scope_stack.depth() == 0
            && !self.numbering.is_provisional();
        let numbered = self.numbering.outermost;
        is_outermost.then_some(Context { skips_tensors: self.options.skip_tensor_content, numbered })
    }

    /// The hash of a scope in this region, if it is in the cache.
    #[inline(never)]
    fn find_in_cache(&mut self, scope: ObjectView<'a>, region: DefRegionKind) -> Option<u64> {
        let is_dag = scope.type_info().plan.compare_rule == CompareRule::Dag;
        self.dag_scopes += u32::from(is_dag);
        let (hash, used) = self.cache.as_ref()?.find(scope, self.next_context()?)?;
        self.numbering.scope_stack.used.add(used);
        if is_dag { self.numbering.number(scope, region, hash) } else { Some(hash) }
    }

    /// Whether the hash of a scope is in the cache.
    #[cfg(feature = "rayon")]
    pub(crate) fn is_cached(&self, scope: ObjectView<'a>) -> bool {
        let known = |cache: &&mut HashCache| Some(cache.find(scope, self.next_context()?).is_some());
        self.cache.as_ref().and_then(known).unwrap_or(false)
    }

    #[inline(never)]
    fn enter_scope(&mut self) {
        if self.cache.is_some() && self.numbering.scope_stack.depth() == 0 {
            self.context = self.next_context().map(|context| (context, self.dag_scopes));
        }
        self.numbering.open();
    }

    /// Ends a scope, and puts its hash into the cache if later calls can use the hash.
    #[inline(never)]
    fn exit_scope(&mut self, scope: ObjectView<'a>, hash: u64) {
        self.numbering.close();
        let now = self.next_context();
        if let Some(cache) = &mut self.cache
            && let Some((context, dag_scopes)) = self.context
            && now == Some(context)
            && dag_scopes == self.dag_scopes
            && !self.unstable
            && self.not_comparable.is_none()
        {
            cache.insert(scope, context, hash, self.numbering.scope_stack.used);
        }
    }
}

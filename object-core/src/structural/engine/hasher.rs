//! [`Hasher`]: the state of a hash in progress, and its steps before and after the children of an object.

use crate::hashing::{Mixer, StableMixer};
use crate::object::{Any, AnyView, ComputedEnd, DefRegionKind, HookContents, ObjectView};
use crate::stack_budget::StackBudget;
use crate::structural::engine::comparison::WORTH_REMEMBERING;
use crate::structural::engine::hash_stack::{HashFrame, HashVisit};
use crate::structural::engine::sharing::Shortcut;
use crate::structural::options::StructuralOptions;
use crate::structural::scope::numbering::Numbering;

/// A hash in progress.
pub(crate) struct Hasher<'a, M = StableMixer> {
    pub(crate) options: StructuralOptions,
    pub(crate) mixer: M,
    pub(crate) budget: StackBudget,
    pub(crate) stack: Vec<HashFrame<'a>>,
    /// The values that hooks listed and that the hasher has not reached yet: one list after the other.
    pub(crate) listed: HookContents<'a>,
    pub(crate) numbering: Numbering<'a>,
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
            budget: StackBudget::new(),
            stack: Vec::new(),
            listed: HookContents::new(computed),
            numbering: Numbering::new(),
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

    /// The hash of an object, if an earlier occurrence of the object has a hash that is valid here.
    #[inline]
    pub(crate) fn known(&mut self, object: ObjectView<'a>) -> Option<u64> {
        let known = self.numbering.find(object)?;
        if known.unstable {
            self.unstable = true;
            self.numbering.record_dependency(object, &mut self.steps);
        }
        Some(known.hash)
    }

    /// Enters an object whose children are in `region`.
    #[inline(always)]
    pub(crate) fn enter(&mut self, object: ObjectView<'a>, region: DefRegionKind) -> HashVisit<'a> {
        let unstable = std::mem::take(&mut self.unstable);
        let (entered, steps) = (self.numbering.given(), self.steps);
        let has_counterpart = object.type_info().plan.compare_rule.has_counterpart();
        let mark = if has_counterpart { self.numbering.enter(object) } else { 0 };
        HashVisit { object, region, entered, steps, unstable, has_counterpart, mark }
    }

    /// Leaves an object: its hash, after the hasher has mixed the children into `hash`.
    pub(crate) fn exit(&mut self, visit: HashVisit<'a>, hash: u64) -> u64 {
        let object = visit.object;
        let mut unstable = std::mem::replace(&mut self.unstable, visit.unstable);
        if visit.has_counterpart {
            if let Some(numbered) = self.numbering.number(object, visit.mark, hash) {
                // The object has a number now, so a later occurrence finds it by identity, even if the hash of its
                // fields is not stable.
                if unstable {
                    self.numbering.forget_dependencies(visit.steps);
                }
                return numbered;
            }
            unstable = true;
        } else if object.use_count() == 1 || self.steps.wrapping_sub(visit.steps) < WORTH_REMEMBERING {
            self.unstable |= unstable;
            return hash;
        }
        self.unstable |= unstable;
        if unstable {
            self.numbering.remember_provisional(object, hash, visit.entered, visit.steps);
            self.numbering.record_dependency(object, &mut self.steps);
        } else {
            self.numbering.remember(object, hash);
        }
        hash
    }
}

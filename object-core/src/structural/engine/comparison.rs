//! [`Comparison`]: the state of a comparison in progress.

use crate::object::{Any, AnyView, ComputedEnd, DefRegionKind, HookPairs, ObjectView};
use crate::stack_budget::StackBudget;
use crate::structural::engine::equal_classes::EqualClasses;
use crate::structural::engine::equal_stack::{EqualFrame, OnExit};
use crate::structural::engine::sharing::{Shortcut, is_shared_on_both_sides};
use crate::structural::options::StructuralOptions;
use crate::structural::scope::bindings::Bindings;

/// The comparison remembers a pair of shared objects if comparing the pair took at least this many steps. For a shorter
/// comparison, comparing again is cheaper than remembering. The cost stays linear for any constant.
pub(crate) const WORTH_REMEMBERING: u32 = 8;

/// The number of children whose comparison counts as one step if they are plain values.
const PLAIN_PER_STEP: usize = 8;

/// The steps of the comparison of `count` children as if they were plain values.
#[inline]
pub(crate) fn plain_steps(count: usize) -> u32 {
    (count / PLAIN_PER_STEP) as u32
}

/// The number of levels that a comparison or a hash recurses before it looks at its stack budget. They take at most 128 KiB
/// of stack in builds without optimization, as `tests/tests/limits.rs` checks, and far less in optimized builds.
pub(crate) const LEVELS: u32 = 48;

/// The number of further levels each time that the budget is not used up. A number in a register costs less at each level than
/// the budget.
const FURTHER_LEVELS: u32 = 16;

/// The number of levels that an operation may recurse when no level is left.
#[inline]
pub(crate) fn further_levels(budget: &mut StackBudget) -> u32 {
    if budget.is_left() { FURTHER_LEVELS } else { 0 }
}

/// How a comparison treats objects whose type takes no part in comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Uncomparable {
    /// Such an object equals itself and no other.
    EqualItself,
    /// Such an object ends the comparison, which has no result then.
    EndComparison,
}

/// A comparison in progress.
pub(crate) struct Comparison<'a> {
    pub(crate) options: StructuralOptions,
    pub(crate) budget: StackBudget,
    pub(crate) stack: Vec<EqualFrame<'a, OnExit>>,
    /// The pairs that hooks listed and that the comparison has not reached yet: one list after the other.
    pub(crate) listed: HookPairs<'a>,
    pub(crate) bindings: Bindings<'a>,
    pub(crate) equal_classes: EqualClasses<'a>,
    /// The number of compared pairs, including leaves and remembered pairs.
    pub(crate) steps: u32,
    /// Whether the comparison binds no objects that it reaches once.
    pub(crate) unshared: Shortcut,
    pub(crate) uncomparable: Uncomparable,
    /// Whether an object whose type takes no part in comparison ended the comparison.
    pub(crate) is_not_comparable: bool,
}

/// The state of two objects before their children are compared.
pub(crate) enum PairVerdict {
    Equal,
    Differ,
    /// The children decide, in this region. If they are equal, the comparison then does this.
    Descend(OnExit, DefRegionKind),
}

impl From<bool> for PairVerdict {
    fn from(equal: bool) -> Self {
        if equal { PairVerdict::Equal } else { PairVerdict::Differ }
    }
}

impl<'a> Comparison<'a> {
    pub(crate) fn new(options: StructuralOptions, computed: ComputedEnd<'a>) -> Self {
        Comparison {
            options,
            budget: StackBudget::new(),
            stack: Vec::new(),
            listed: HookPairs::new(computed),
            bindings: Bindings::default(),
            equal_classes: EqualClasses::default(),
            steps: 0,
            unshared: Shortcut::Taken,
            uncomparable: Uncomparable::EndComparison,
            is_not_comparable: false,
        }
    }

    /// Counts the steps of the comparison of `count` children as if they were plain values. Children that are objects count
    /// further steps.
    #[inline]
    pub(crate) fn count_children(&mut self, count: usize) {
        self.steps = self.steps.wrapping_add(plain_steps(count));
    }

    /// Appends the pairs that the hook of the type lists, and returns the index of the first one; `None` if the hook
    /// rejects the two objects.
    pub(crate) fn list(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> Option<usize> {
        let start = self.listed.list(a, b);
        if self.listed.contents.has_computed_objects {
            self.listed.contents.has_computed_objects = false;
            if self.refutes_shortcut() {
                return None;
            }
        }
        start
    }

    /// Whether the comparison takes the shortcut for unshared objects. If so, it has to end and to begin again.
    #[cold]
    fn refutes_shortcut(&mut self) -> bool {
        let is_refuted = self.unshared != Shortcut::Forbidden;
        if is_refuted {
            self.unshared = Shortcut::Refuted;
        }
        is_refuted
    }

    /// Whether the pairs from `start` on, which the hook of `a` and `b` lists, refute the shortcut because they come from
    /// elsewhere than fields of `a` and `b`. The computed values then have handles of these objects, which keep the next
    /// attempt from the shortcut for them.
    #[cold]
    pub(crate) fn list_refutes_shortcut(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, start: usize) -> bool {
        if self.unshared == Shortcut::Forbidden {
            return false;
        }
        let mut is_found = false;
        for index in start..self.listed.contents.values.len() {
            let pair = self.listed.contents.values[index];
            if let (AnyView::Object(x), AnyView::Object(y)) = (pair.value, pair.other)
                && x.type_info().plan.compare_rule.has_counterpart()
                && !is_shared_on_both_sides(x, y)
                && !pair.are_fields_of(a, b)
            {
                is_found = true;
                for object in [x, y] {
                    self.listed.contents.computed.keep(Any::Object(object.to_object()));
                }
            }
        }
        is_found && self.refutes_shortcut()
    }
}

#[cfg(test)]
mod tests {
    use crate::container::{Array, Map};
    use crate::object::{Any, AsAnyView, ComputedValues};
    use crate::structural::engine::comparison::{Comparison, LEVELS};
    use crate::structural::options::StructuralOptions;

    /// Otherwise the comparison of an array of `n` handles of an array of `n` numbers takes `n * n` steps.
    #[test]
    fn shared_lists_of_plain_values_are_remembered() {
        let array = || -> Any { Array::from_iter(0..100).into() };
        let map = || -> Any { (0..100).map(|key| (key, key)).collect::<Map<i64, i64>>().into() };
        for [a, b] in [[array(), array()], [map(), map()]] {
            let _handles = [a.clone(), b.clone()];
            let (Some(x), Some(y)) = (a.as_any_view().as_object(), b.as_any_view().as_object()) else { continue };
            let (options, computed) = (StructuralOptions::new(), ComputedValues::default());
            let mut comparison = Comparison::new(options, computed.end());
            assert!(comparison.objects(x, y, options.root_region(), LEVELS));
            assert!(comparison.equal_classes.contains(x, y), "{}", x.type_key());
        }
    }
}

//! [`compare_in_scopes`]: whether two values are equal under lexical scopes.
//!
//! The comparison shares the order of children with the default one ([`EqualFrame`]), but all its levels are frames on the
//! heap: no recursion, no routines by type, and no shortcut for objects that the walk reaches once.

use crate::object::{
    AnyView, ChildSource, CompareRule, ComputedEnd, ComputedValues, DefRegionKind, HookPairs, ObjectView,
};
use crate::structural::engine::comparison::{Uncomparable, WORTH_REMEMBERING, plain_steps};
use crate::structural::engine::equal::Equality;
use crate::structural::engine::equal_classes::EqualClasses;
use crate::structural::engine::equal_stack::{EqualFrame, NextPair, PairChildren};
use crate::structural::engine::leaves::{both_are_empty, leaves, plain_fields, same_plain};
use crate::structural::lexical::recurrence::may_recur_in_scopes;
use crate::structural::options::StructuralOptions;
use crate::structural::scope::bindings::{Binding, Bindings, PairStart};
use crate::structural::scope::relations::FreeOnRecall;

/// The last step of a frame, after all its children were equal.
enum ScopedExit {
    Nothing,
    /// Fail: the objects are different unbound variables.
    Fail,
    /// End the scope if the pair opened one, and remember the pair with the facts on which it depends.
    Leave(EnteredPair),
}

/// A shared pair, or a pair of scopes, whose comparison is in progress.
struct EnteredPair {
    start: PairStart,
    /// The number of steps before it.
    steps: u32,
    region: DefRegionKind,
    /// Whether bindings in the objects end with them.
    closes: bool,
}

/// A comparison under lexical scopes in progress.
struct ScopedComparison<'a> {
    options: StructuralOptions,
    frames: Vec<EqualFrame<'a, ScopedExit>>,
    /// The pairs that hooks listed and that the comparison has not reached yet: one list after the other.
    listed: HookPairs<'a>,
    bindings: Bindings<'a>,
    equal_classes: EqualClasses<'a>,
    /// The number of compared pairs, of remembered pairs, and of facts that were checked.
    steps: u32,
    uncomparable: Uncomparable,
    /// Whether an object whose type takes no part in comparison ended the comparison.
    is_not_comparable: bool,
}

/// Compares two values under lexical scopes.
pub(crate) fn compare_in_scopes(
    options: StructuralOptions,
    a: AnyView<'_>,
    b: AnyView<'_>,
    uncomparable: Uncomparable,
) -> Equality {
    let computed = ComputedValues::default();
    let mut comparison = ScopedComparison::new(options, uncomparable, computed.end());
    match comparison.run(a, b) {
        true => Equality::Equal,
        false if comparison.is_not_comparable => Equality::NotComparable,
        false => Equality::Differ,
    }
}

impl<'a> ScopedComparison<'a> {
    fn new(options: StructuralOptions, uncomparable: Uncomparable, computed: ComputedEnd<'a>) -> Self {
        ScopedComparison {
            options,
            frames: Vec::new(),
            listed: HookPairs::new(computed),
            bindings: Bindings::in_scopes(FreeOnRecall::of(options.map_free_vars)),
            equal_classes: EqualClasses::default(),
            steps: 0,
            uncomparable,
            is_not_comparable: false,
        }
    }

    fn run(&mut self, a: AnyView<'a>, b: AnyView<'a>) -> bool {
        let mut is_equal = self.values(a, b, self.options.root_region());
        while is_equal && let Some(frame) = self.frames.last_mut() {
            if let PairChildren::Fields(fields) = &frame.children
                && let Some(is_exported) = fields.exports_last_field()
            {
                self.bindings.end_field(is_exported);
            }
            is_equal = match frame.next(&mut self.listed, &mut self.bindings) {
                NextPair::Objects(a, b, region) => self.objects(a, b, region),
                NextPair::Values(a, b, region) => self.values(a, b, region),
                NextPair::Differ => false,
                NextPair::End => self.exit(),
            };
        }
        is_equal
    }

    fn values(&mut self, a: AnyView<'a>, b: AnyView<'a>, region: DefRegionKind) -> bool {
        match (a, b) {
            (AnyView::Object(a), AnyView::Object(b)) => self.objects(a, b, region),
            _ => same_plain(a, b),
        }
    }

    /// Applies the rule of the type to two objects. If their children decide, adds a frame.
    fn objects(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> bool {
        self.steps = self.steps.wrapping_add(1);
        let info = a.type_info();
        if !std::ptr::eq(info, b.type_info()) {
            return false;
        }
        match info.plan.compare_rule {
            CompareRule::Leaf => leaves(a, b, self.options.skip_tensor_content, &mut self.equal_classes),
            CompareRule::NotComparable if self.uncomparable == Uncomparable::EqualItself => a.ptr_eq(b),
            CompareRule::NotComparable => {
                self.is_not_comparable = true;
                false
            }
            CompareRule::Identity => a.ptr_eq(b),
            CompareRule::Plain => plain_fields(a, b),
            CompareRule::ConstTree if a.ptr_eq(b) => true,
            CompareRule::Tree | CompareRule::Scope | CompareRule::ConstTree => self.trees(a, b, region),
            CompareRule::Dag => self.counterparts(a, b, region, true),
            CompareRule::Var => self.counterparts(a, b, region, false),
        }
    }

    fn trees(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> bool {
        let info = a.type_info();
        if info.plan.child_source == ChildSource::Entries && both_are_empty(a, b) {
            return true;
        }
        if !may_recur_in_scopes(a, b) {
            return self.push(a, b, ScopedExit::Nothing, region);
        }
        if self.is_known_equal_here(a, b, region) {
            return true;
        }
        let exit = self.enter(info.is_scope, region);
        self.push(a, b, exit, region)
    }

    /// Compares two `dag` nodes or two variables.
    fn counterparts(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind, is_dag: bool) -> bool {
        let info = a.type_info();
        let exit = match self.bindings.relate_in_scope(a, b, region, is_dag) {
            Binding::Matched => return true,
            Binding::Conflict => return false,
            Binding::Unbound if !is_dag && region == DefRegionKind::None && !a.ptr_eq(b) => ScopedExit::Fail,
            // The fields of a free variable count at its first occurrence only.
            Binding::Unbound if !is_dag && region.is_free() => {
                self.enter(info.is_scope || self.bindings.scope_stack.isolates_fields(a, region), region)
            }
            Binding::Unbound if self.is_known_equal_here(a, b, region) => return true,
            Binding::Unbound => self.enter(info.is_scope, region),
        };
        let region = if is_dag { region } else { self.options.variable_region(region) };
        self.push(a, b, exit, region)
    }

    /// Adds a frame for the children of two objects.
    fn push(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, on_exit: ScopedExit, region: DefRegionKind) -> bool {
        let (source, mut start) = (a.type_info().plan.child_source, 0);
        if source == ChildSource::Listed {
            let Some(first) = self.listed.list(a, b) else { return false };
            self.listed.contents.share_recurring(a, first);
            start = first;
        }
        let children = PairChildren::new(source, a, b, start);
        self.steps = self.steps.wrapping_add(plain_steps(children.count(&self.listed)));
        self.frames.push(EqualFrame { children, on_exit, region });
        true
    }

    /// Ends the frame on top of the stack, whose children are equal.
    fn exit(&mut self) -> bool {
        let Some(frame) = self.frames.pop() else { return true };
        match &frame.on_exit {
            ScopedExit::Nothing => true,
            ScopedExit::Fail => false,
            ScopedExit::Leave(pair) => {
                let (a, b) = frame.objects();
                self.leave(a, b, pair);
                true
            }
        }
    }

    /// Enters a scope, or a pair of objects that may occur again.
    fn enter(&mut self, closes: bool, region: DefRegionKind) -> ScopedExit {
        let start = self.bindings.enter();
        if closes {
            self.bindings.scope_stack.open();
        }
        ScopedExit::Leave(EnteredPair { start, steps: self.steps, region, closes })
    }

    fn is_known_equal_here(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> bool {
        let is_known = (region == DefRegionKind::None && self.equal_classes.contains(a, b))
            || self.bindings.recall(a, b, region).is_some();
        self.count_facts();
        is_known
    }

    fn count_facts(&mut self) {
        self.steps = self.steps.wrapping_add(std::mem::take(&mut self.bindings.fact_steps));
    }

    fn leave(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, pair: &EnteredPair) {
        self.count_facts();
        let is_long = self.steps.wrapping_sub(pair.steps) >= WORTH_REMEMBERING;
        // The fields of a free variable do not count again.
        let is_free = a.type_info().plan.compare_rule == CompareRule::Var && pair.region.is_free();
        let found = self.bindings.leave(pair.start, pair.closes, false, is_long && !is_free);
        self.count_facts();
        if let Some(found) = found {
            // A pair that depends on no binding is equal everywhere, unless a definition region around it binds its
            // variables.
            if found.is_independent() && pair.region == DefRegionKind::None {
                self.equal_classes.insert(a, b);
            } else {
                self.bindings.remember(a, b, pair.region, found);
            }
        }
    }
}

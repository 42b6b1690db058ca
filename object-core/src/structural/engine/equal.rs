//! [`compare`]: whether two values are equal by structure.
//!
//! The comparison recurses while its stack budget lasts, which is fast, and uses [`EqualFrame`]s on the heap for deeper
//! objects, so depth costs no stack. The recursion selects the routine for a type by one jump, with the [`Dispatch`] of
//! the type.

use std::ops::Range;

use crate::container::ArrayView;
use crate::object::{
    AnyView, ChildSource, CompareRule, ComputedValues, DefRegionKind, Dispatch, FieldPairs, ListedFields, ListedValue,
    ObjectView, SameType,
};
use crate::stack_budget::with_stack;
use crate::structural::engine::comparison::{
    Comparison, LEVELS, PairVerdict, Uncomparable, WORTH_REMEMBERING, further_levels,
};
use crate::structural::engine::dispatch::{
    COUNTERPART, FIELDS, IDENTITY, ITEMS, LISTED, OTHER, PLAIN, TYPE, TYPE_INT, by_dispatch,
};
use crate::structural::engine::equal_stack::{EqualFrame, ListedPair, NextPair, OnExit, PairChildren};
use crate::structural::engine::leaves::{both_are_empty, leaves, plain_fields, same_plain};
use crate::structural::engine::sharing::{Shortcut, is_shared, is_shared_on_both_sides};
use crate::structural::options::StructuralOptions;
use crate::structural::scope::bindings::Binding;

/// The number of levels at which the comparison does not look for trees that a hook makes it reach again. There, it reaches a
/// tree a few dozen times at most, and most hooks are near the root.
const FREE_LEVELS: u32 = 8;

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Equality {
    Equal,
    Differ,
    /// Before it found a difference, the comparison reached two objects whose type takes no part in comparison.
    NotComparable,
}

/// Compares two values under persistent scopes.
pub(crate) fn compare(
    options: StructuralOptions,
    a: AnyView<'_>,
    b: AnyView<'_>,
    uncomparable: Uncomparable,
) -> Equality {
    with_stack(|| run(options, a, b, uncomparable))
}

fn run(options: StructuralOptions, a: AnyView<'_>, b: AnyView<'_>, uncomparable: Uncomparable) -> Equality {
    let computed = ComputedValues::default();
    let attempt = |forbids_shortcut: bool| {
        let mut comparison = Comparison::new(options, computed.end());
        comparison.uncomparable = uncomparable;
        if forbids_shortcut {
            comparison.unshared = Shortcut::Forbidden;
        }
        let equal = comparison.root(a, b);
        (comparison.unshared != Shortcut::Refuted).then_some(match equal {
            true => Equality::Equal,
            false if comparison.is_not_comparable => Equality::NotComparable,
            false => Equality::Differ,
        })
    };
    // Most modules that refute the shortcut list all objects from elsewhere at their root.
    attempt(false).or_else(|| attempt(false)).or_else(|| attempt(true)).unwrap_or(Equality::Differ)
}

/// The pairs that the hook of two objects listed, up to the current one.
struct HookList<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    pairs: Range<usize>,
}

impl<'a> Comparison<'a> {
    fn root(&mut self, a: AnyView<'a>, b: AnyView<'a>) -> bool {
        let region = self.options.root_region();
        self.child(NextPair::Values(a, b, region), LEVELS) && self.run_frames_above(0, LEVELS)
    }

    #[inline(never)]
    fn values(&mut self, a: AnyView<'a>, b: AnyView<'a>, region: DefRegionKind, levels: u32) -> bool {
        match (a, b) {
            (AnyView::Object(a), AnyView::Object(b)) => self.compare_dispatched(a, b, region, levels),
            _ => same_plain(a, b),
        }
    }

    /// Compares two objects by recursion, `levels` deep.
    pub(crate) fn objects(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind, levels: u32) -> bool {
        match self.verdict(a, b, region) {
            PairVerdict::Equal => true,
            PairVerdict::Differ => false,
            PairVerdict::Descend(on_exit, region)
                if levels > 0 && a.type_info().plan.child_source == ChildSource::Fields =>
            {
                self.node(a, b, region, levels - 1) && self.exit(a, b, on_exit)
            }
            PairVerdict::Descend(on_exit, region) => self.compare_children(a, b, on_exit, region, levels),
        }
    }

    /// Compares the fields of two nodes.
    #[inline(always)]
    fn node(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind, levels: u32) -> bool {
        match a.type_info().plan.compare_rule.has_counterpart() {
            true => self.fields::<true>(a, b, region, levels),
            false => self.fields::<false>(a, b, region, levels),
        }
    }

    /// Compares the fields of two objects, which are bound to each other if `ARE_BOUND`.
    pub(crate) fn fields<const ARE_BOUND: bool>(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        region: DefRegionKind,
        levels: u32,
    ) -> bool {
        FieldPairs::new(a, b).all(
            self,
            |this, role, a, b| {
                let region = region.field(role);
                if ARE_BOUND && this.needs_no_binding(a, b, region, levels) {
                    return this.compare_unshared(a, b, region, levels);
                }
                this.compare_dispatched(a, b, region, levels)
            },
            |this, role, a, b| this.values(a, b, region.field(role), levels),
        )
    }

    /// Whether the comparison of `a` and `b` may skip binding them. The caller has bound the two objects that refer to
    /// `a` and `b`, so it compares their fields once. If nothing else refers to `a` or `b`, no later step looks them
    /// up.
    #[inline]
    fn needs_no_binding(&self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind, levels: u32) -> bool {
        let info = a.type_info();
        let may_bind = info.plan.compare_rule == CompareRule::Dag
            || (info.plan.compare_rule == CompareRule::Var && region != DefRegionKind::None);
        may_bind
            && levels > 0
            && info.plan.child_source == ChildSource::Fields
            && std::ptr::eq(info, b.type_info())
            && !is_shared(a, b)
            && self.unshared == Shortcut::Taken
    }

    /// Compares two objects for which [`needs_no_binding`](Self::needs_no_binding) returned `true`.
    fn compare_unshared(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind, levels: u32) -> bool {
        self.steps = self.steps.wrapping_add(1);
        let is_variable = a.type_info().plan.compare_rule == CompareRule::Var;
        let region = if is_variable { self.options.variable_region(region) } else { region };
        self.fields::<true>(a, b, region, levels - 1)
    }

    /// Compares the children of two objects that are not nodes with fields, or that are too deep for recursion.
    #[inline(never)]
    fn compare_children(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        on_exit: OnExit,
        region: DefRegionKind,
        levels: u32,
    ) -> bool {
        let levels = if levels == 0 { further_levels(&mut self.budget) } else { levels };
        let equal = match a.type_info().plan.child_source {
            ChildSource::Fields if levels > 0 => self.node(a, b, region, levels - 1),
            ChildSource::Items if levels > 0 => self.items(a, b, region, levels - 1),
            ChildSource::Listed if levels > 0 => self.listed(a, b, region, levels - 1),
            _ => {
                let base = self.stack.len();
                return self.push(a, b, on_exit, region) && self.run_frames_above(base, levels);
            }
        };
        equal && self.exit(a, b, on_exit)
    }

    pub(crate) fn items(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind, levels: u32) -> bool {
        let (Some(x), Some(y)) = (a.as_array(), b.as_array()) else { return false };
        let equal = match (x, y) {
            (ArrayView::Objects(x), ArrayView::Objects(y)) => {
                x.iter().zip(y).all(|(x, y)| self.compare_dispatched(x.view(), y.view(), region, levels))
            }
            _ => {
                self.count_children(x.len());
                x.iter().zip(y.iter()).all(|(x, y)| self.values(x, y, region, levels))
            }
        };
        equal && x.len() == y.len()
    }

    pub(crate) fn listed(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind, levels: u32) -> bool {
        let Some(start) = self.list(a, b) else { return false };
        self.count_children(self.listed.contents.values.len() - start);
        let (mut next, mut fields) = (start, ListedFields::default());
        while let Some(pair) = self.listed.contents.values.get(next) {
            next += 1;
            // By reference, because a copy of a value takes more instructions than the comparison of its kind.
            let (AnyView::Object(x), AnyView::Object(y)) = (&pair.value, &pair.other) else {
                if !same_plain(pair.value, pair.other) {
                    return false;
                }
                continue;
            };
            let (x, y, role) = (*x, *y, pair.role);
            let region = region.field(role);
            if x.type_info().plan.compare_rule.has_counterpart() && !is_shared_on_both_sides(x, y) {
                match self.listed_unshared(&HookList { a, b, pairs: start..next }, x, y, region, levels) {
                    ListedPair::Equal => continue,
                    ListedPair::Differs => return false,
                    ListedPair::MayRecur => {}
                }
            } else if levels < LEVELS - FREE_LEVELS
                && !is_shared(x, y)
                && fields.add(a, &self.listed.contents.values[next - 1])
            {
                self.listed.contents.share_recurring(a, start);
            }
            if !self.compare_dispatched(x, y, region, levels) {
                return false;
            }
        }
        self.listed.contents.values.truncate(start);
        true
    }

    /// Compares `x` and `y`, the last pair of `list`, without binding them, if nothing looks the two up later. They are variables or `dag` nodes, and of at least one of them only one handle exists.
    #[inline(always)]
    fn listed_unshared(
        &mut self,
        list: &HookList<'a>,
        x: ObjectView<'a>,
        y: ObjectView<'a>,
        region: DefRegionKind,
        levels: u32,
    ) -> ListedPair {
        let HookList { a, b, pairs } = list;
        let (a, b, last) = (*a, *b, pairs.end - 1);
        if !self.listed.contents.values[last].are_fields_of(a, b) {
            if self.list_refutes_shortcut(a, b, last) {
                return ListedPair::Differs;
            }
        } else if a.type_info().plan.compare_rule.has_counterpart() && self.needs_no_binding(x, y, region, levels) {
            let lists = |pair: &ListedValue<'a>| pair.value.is_object(x) || pair.other.is_object(y);
            let values = &self.listed.contents.values;
            if !values[pairs.start..last].iter().any(lists) && !values[pairs.end..].iter().any(lists) {
                return match self.compare_unshared(x, y, region, levels) {
                    true => ListedPair::Equal,
                    false => ListedPair::Differs,
                };
            }
        }
        ListedPair::MayRecur
    }

    /// Compares until only the first `base` frames are left.
    fn run_frames_above(&mut self, base: usize, levels: u32) -> bool {
        while self.stack.len() > base {
            let Some(frame) = self.stack.last_mut() else { break };
            let next = frame.next(&mut self.listed, &mut self.bindings);
            if !self.child(next, levels) {
                return false;
            }
        }
        true
    }

    /// Compares the next pair of the frame on top of the stack, by recursion or with a new frame.
    fn child(&mut self, next: NextPair<'a>, levels: u32) -> bool {
        match next {
            NextPair::Objects(a, b, region) | NextPair::Values(AnyView::Object(a), AnyView::Object(b), region) => {
                if levels > 0 {
                    return self.objects(a, b, region, levels - 1);
                }
                match self.verdict(a, b, region) {
                    PairVerdict::Equal => true,
                    PairVerdict::Differ => false,
                    PairVerdict::Descend(on_exit, region) => self.push(a, b, on_exit, region),
                }
            }
            NextPair::Values(a, b, _) => same_plain(a, b),
            NextPair::Differ => false,
            NextPair::End => {
                let Some(frame) = self.stack.pop() else { return true };
                let (a, b) = frame.objects();
                self.exit(a, b, frame.on_exit)
            }
        }
    }

    fn push(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, on_exit: OnExit, region: DefRegionKind) -> bool {
        let (source, mut start) = (a.type_info().plan.child_source, 0);
        if source == ChildSource::Listed {
            match self.list(a, b) {
                Some(first) if !self.list_refutes_shortcut(a, b, first) => start = first,
                _ => return false,
            }
            self.listed.contents.share_recurring(a, start);
        }
        let children = PairChildren::new(source, a, b, start);
        self.count_children(children.count(&self.listed));
        self.stack.push(EqualFrame { children, on_exit, region });
        true
    }

    /// Ends the comparison of two objects whose children are equal.
    #[inline(always)]
    fn exit(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, on_exit: OnExit) -> bool {
        if let OnExit::Remember(start) = on_exit
            && self.steps.wrapping_sub(start) >= WORTH_REMEMBERING
        {
            self.equal_classes.insert(a, b);
        }
        on_exit != OnExit::Fail
    }

    /// Applies the rule of the type to two objects, up to the point where their children have to be compared.
    #[inline(always)]
    fn verdict(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> PairVerdict {
        self.steps = self.steps.wrapping_add(1);
        let info = a.type_info();
        if !std::ptr::eq(info, b.type_info()) {
            return PairVerdict::Differ;
        }
        let on_exit = match info.plan.compare_rule {
            CompareRule::Leaf => return leaves(a, b, self.options.skip_tensor_content, &mut self.equal_classes).into(),
            CompareRule::NotComparable if self.uncomparable == Uncomparable::EqualItself => return a.ptr_eq(b).into(),
            CompareRule::NotComparable => {
                self.is_not_comparable = true;
                return PairVerdict::Differ;
            }
            CompareRule::Identity => return a.ptr_eq(b).into(),
            // Comparing plain values again is cheaper than looking the pair up.
            CompareRule::Plain => return plain_fields(a, b).into(),
            CompareRule::ConstTree if a.ptr_eq(b) => return PairVerdict::Equal,
            CompareRule::Tree | CompareRule::Scope | CompareRule::ConstTree => {
                if info.plan.child_source == ChildSource::Entries && both_are_empty(a, b) {
                    return PairVerdict::Equal;
                }
                return self.tree_verdict(a, b, region);
            }
            // Binding before the comparison of the fields is sound: objects are acyclic, so neither contains itself,
            // and one difference ends the comparison.
            CompareRule::Dag => match self.bindings.relate(a, b, true) {
                Binding::Matched => return PairVerdict::Equal,
                Binding::Conflict => return PairVerdict::Differ,
                Binding::Unbound => OnExit::Nothing,
            },
            CompareRule::Var => {
                let may_bind = region != DefRegionKind::None || a.ptr_eq(b);
                let on_exit = match self.bindings.relate(a, b, may_bind) {
                    Binding::Matched => return PairVerdict::Equal,
                    Binding::Conflict => return PairVerdict::Differ,
                    Binding::Unbound if may_bind => OnExit::Nothing,
                    Binding::Unbound => OnExit::Fail,
                };
                return PairVerdict::Descend(on_exit, self.options.variable_region(region));
            }
        };
        PairVerdict::Descend(on_exit, region)
    }

    /// The verdict about two trees or two scopes before the comparison of their children.
    #[inline(always)]
    pub(crate) fn tree_verdict(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> PairVerdict {
        if !is_shared(a, b) {
            return PairVerdict::Descend(OnExit::Nothing, region);
        }
        if self.equal_classes.contains(a, b) {
            PairVerdict::Equal
        } else {
            PairVerdict::Descend(OnExit::Remember(self.steps), region)
        }
    }
}

type Compare<'a> = fn(&mut Comparison<'a>, SameType<'a>, DefRegionKind, u32) -> bool;

impl<'a> Comparison<'a> {
    const BY_DISPATCH: [Compare<'a>; Dispatch::COUNT] = by_dispatch!(Self::on);

    /// The routine for a dispatch.
    const fn on<const DISPATCH: u8>() -> Compare<'a> {
        match DISPATCH {
            TYPE | TYPE_INT => Self::plain_on::<DISPATCH>,
            PLAIN => Self::plain,
            IDENTITY => Self::identities,
            COUNTERPART => Self::counterparts,
            OTHER => Self::other,
            _ => Self::trees::<DISPATCH>,
        }
    }

    /// As [`objects`](Self::objects), but selects the routine for the type by one jump.
    #[inline(always)]
    pub(crate) fn compare_dispatched(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        region: DefRegionKind,
        levels: u32,
    ) -> bool {
        let dispatch = a.type_info().plan.dispatch;
        SameType::new(a, b).is_some_and(|pair| (Self::BY_DISPATCH[dispatch as usize])(self, pair, region, levels))
    }

    fn plain_on<const DISPATCH: u8>(&mut self, pair: SameType<'a>, _: DefRegionKind, _: u32) -> bool {
        self.steps = self.steps.wrapping_add(1);
        pair.all::<DISPATCH, _>(&mut (), |(), _, _| false)
    }

    fn plain(&mut self, pair: SameType<'a>, _: DefRegionKind, _: u32) -> bool {
        self.steps = self.steps.wrapping_add(1);
        let (a, b) = pair.objects();
        plain_fields(a, b)
    }

    fn trees<const DISPATCH: u8>(&mut self, pair: SameType<'a>, region: DefRegionKind, levels: u32) -> bool {
        let (a, b) = pair.objects();
        if levels == 0 {
            return self.objects(a, b, region, levels);
        }
        self.steps = self.steps.wrapping_add(1);
        if is_shared(a, b) {
            return self.shared_trees::<DISPATCH>(pair, region, levels);
        }
        self.contents::<DISPATCH>(pair, region, levels - 1)
    }

    /// Few trees are shared, so the look-up stays out of line, and the routine for all others small.
    #[inline(never)]
    fn shared_trees<const DISPATCH: u8>(&mut self, pair: SameType<'a>, region: DefRegionKind, levels: u32) -> bool {
        let (a, b) = pair.objects();
        match self.tree_verdict(a, b, region) {
            PairVerdict::Equal => true,
            PairVerdict::Differ => false,
            PairVerdict::Descend(on_exit, region) => {
                self.contents::<DISPATCH>(pair, region, levels - 1) && self.exit(a, b, on_exit)
            }
        }
    }

    #[inline(always)]
    fn contents<const DISPATCH: u8>(&mut self, pair: SameType<'a>, region: DefRegionKind, levels: u32) -> bool {
        let (a, b) = pair.objects();
        match DISPATCH {
            FIELDS => self.fields::<false>(a, b, region, levels),
            ITEMS => self.items(a, b, region, levels),
            LISTED => self.listed(a, b, region, levels),
            _ => pair.all::<DISPATCH, _>(self, |this, x, y| this.compare_dispatched(x, y, region, levels)),
        }
    }

    fn identities(&mut self, pair: SameType<'a>, _: DefRegionKind, _: u32) -> bool {
        self.steps = self.steps.wrapping_add(1);
        let (a, b) = pair.objects();
        a.ptr_eq(b)
    }

    fn counterparts(&mut self, pair: SameType<'a>, region: DefRegionKind, levels: u32) -> bool {
        let (a, b) = pair.objects();
        if self.bindings.are_bound(a, b) {
            self.steps = self.steps.wrapping_add(1);
            return true;
        }
        self.objects(a, b, region, levels)
    }

    fn other(&mut self, pair: SameType<'a>, region: DefRegionKind, levels: u32) -> bool {
        let (a, b) = pair.objects();
        self.objects(a, b, region, levels)
    }
}

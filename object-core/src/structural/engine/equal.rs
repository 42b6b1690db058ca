//! [`Comparison`]: a comparison in progress.
//!
//! The first levels are compared by recursion, which is fast; what lies deeper is compared with [`EqualFrame`]s on the heap,
//! so that depth costs no stack. Both take the first look at a pair in the same place. A comparison that has to tell
//! where it ended uses frames from the start: they are the path.

use crate::access_path::AccessPath;
use crate::container::ArrayView;
use crate::error::{Error, Result};
use crate::object::DefRegionKind;
use crate::object::{
    AnyView, ChildSource, CompareRule, ComputedEnd, ComputedValues, FieldPairs, HookPairs, ObjectView,
};
use crate::structural::engine::equal_classes::EqualClasses;
use crate::structural::engine::equal_stack::{Children, EqualFrame, ItemPairs, ListedPairs, Next, OnExit};
use crate::structural::engine::leaves::{both_are_empty, plain_fields, same_plain};
use crate::structural::engine::scoped_pairs::Entered;
use crate::structural::engine::sharing::{is_listed_once, is_shared};
use crate::structural::not_comparable;
use crate::structural::options::{Scopes, StructuralOptions};
use crate::structural::pairing::{EntryPairs, MapOrder};
use crate::structural::report::mismatch::Mismatch;
#[cfg(feature = "rayon")]
use crate::structural::scope::bindings::Bound;
use crate::structural::scope::bindings::{Binding, Bindings};
use crate::structural::scope::scope_stack::ValidIn;
use crate::table::Table;

/// Shared objects whose comparison took at least this many steps are remembered. ChildSource it, comparing again is cheaper
/// than remembering; any constant keeps the cost linear.
pub(crate) const WORTH_REMEMBERING: u32 = 8;

/// How many levels are compared by recursion. In builds without optimization they take at most 128 KiB of stack, as
/// `tests/tests/limits.rs` checks, and far less with it.
pub(crate) const LEVELS: u32 = 48;

/// A comparison in progress.
pub(crate) struct Comparison<'a> {
    pub(crate) options: StructuralOptions,
    order: MapOrder,
    stack: Vec<EqualFrame<'a>>,
    /// The pairs that hooks listed and that are not compared yet, one list after the other.
    pub(crate) listed: HookPairs<'a>,
    pub(crate) bindings: Bindings<'a>,
    pub(crate) equal_classes: EqualClasses,
    /// Under lexical scopes: the pairs that are known to be equal in some environment, and the shared pairs and scopes
    /// that are being compared.
    pub(crate) scoped: Table<(usize, usize, DefRegionKind), ValidIn>,
    pub(crate) entered: Vec<Entered>,
    /// The pairs of scopes that tasks found equal, with the bindings that they made.
    #[cfg(feature = "rayon")]
    pub(crate) forked: Table<(usize, usize), Vec<(ObjectView<'a>, Bound<'a>)>>,
    /// How many pairs were compared, leaves and remembered ones included.
    pub(crate) steps: u32,
    /// Whether an object whose type takes no part in comparison equals itself, instead of being an error.
    is_lenient: bool,
    /// Whether no object was met so far that takes no part in comparison.
    is_comparable: bool,
    /// What the frames compared when they found a difference.
    at: Difference<'a>,
}

/// Two values that differ. One that a side does not have is `None`.
#[derive(Clone, Copy, Default)]
struct Difference<'a> {
    lhs: Option<AnyView<'a>>,
    rhs: Option<AnyView<'a>>,
}

/// What is known of two objects after a first look.
pub(crate) enum Verdict {
    Equal,
    Differ,
    /// It depends on what lies below, in this region; then there is this to do.
    Descend(OnExit, DefRegionKind),
}

fn verdict(equal: bool) -> Verdict {
    if equal { Verdict::Equal } else { Verdict::Differ }
}

impl<'a> Comparison<'a> {
    pub(crate) fn new(options: StructuralOptions, order: MapOrder, computed: ComputedEnd<'a>) -> Self {
        Comparison {
            options,
            order,
            stack: Vec::new(),
            listed: HookPairs::new(computed),
            bindings: Bindings::default(),
            equal_classes: EqualClasses::default(),
            scoped: Table::default(),
            entered: Vec::new(),
            #[cfg(feature = "rayon")]
            forked: Table::default(),
            steps: 0,
            is_lenient: false,
            is_comparable: true,
            at: Difference::default(),
        }
    }

    /// Whether two values are equal.
    pub(crate) fn equal(options: StructuralOptions, a: AnyView<'_>, b: AnyView<'_>) -> Result<bool> {
        let computed = ComputedValues::default();
        let mut comparison = Comparison::new(options, MapOrder::Canonical, computed.end());
        if comparison.root(a, b, LEVELS) {
            return Ok(true);
        }
        if comparison.is_comparable {
            return Ok(false);
        }
        // The error says where.
        Ok(Comparison::mismatch(options, MapOrder::Canonical, a, b)?.is_none())
    }

    /// Whether two values are equal under the default options, where an object whose type takes no part in comparison
    /// equals only itself.
    pub(crate) fn lenient(a: AnyView<'_>, b: AnyView<'_>) -> bool {
        let computed = ComputedValues::default();
        let mut comparison = Comparison::new(StructuralOptions::new(), MapOrder::Canonical, computed.end());
        comparison.is_lenient = true;
        comparison.root(a, b, LEVELS)
    }

    /// The first mismatch of two values, with map entries in the given order.
    pub(crate) fn mismatch(
        options: StructuralOptions,
        order: MapOrder,
        a: AnyView<'_>,
        b: AnyView<'_>,
    ) -> Result<Option<Mismatch>> {
        let computed = ComputedValues::default();
        let mut comparison = Comparison::new(options, order, computed.end());
        if comparison.root(a, b, 0) {
            return Ok(None);
        }
        if comparison.is_comparable { Ok(Some(comparison.at())) } else { Err(comparison.not_comparable()) }
    }

    fn root(&mut self, a: AnyView<'a>, b: AnyView<'a>, levels: u32) -> bool {
        let region = self.options.root_region();
        self.child(Next::Values(a, b, region), levels) && self.drain(0, levels)
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
        #[cfg(feature = "rayon")]
        if a.type_info().is_scope && self.joins(a, b) {
            return true;
        }
        match self.verdict::<false>(a, b, region) {
            Verdict::Equal => true,
            Verdict::Differ => false,
            Verdict::Descend(on_exit, region) if levels > 0 && a.type_info().child_source == ChildSource::Fields => {
                let equal = match a.type_info().compare_rule.has_counterpart() {
                    true => self.fields::<true>(a, b, region, levels - 1),
                    false => self.fields::<false>(a, b, region, levels - 1),
                };
                equal && self.exit(a, b, on_exit)
            }
            Verdict::Descend(on_exit, region) => self.compare_children(a, b, on_exit, region, levels),
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

    /// Whether two objects that bound ones refer to need not be bound to be found again. Bound ones are compared once, and
    /// so is what nothing else refers to.
    #[inline]
    fn needs_no_binding(&self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind, levels: u32) -> bool {
        let info = a.type_info();
        let may_bind = info.compare_rule == CompareRule::Dag
            || (info.compare_rule == CompareRule::Var && region != DefRegionKind::None);
        may_bind
            && levels > 0
            && info.child_source == ChildSource::Fields
            && std::ptr::eq(info, b.type_info())
            && !is_shared(a, b)
            && self.options.scopes == Scopes::Persistent
    }

    /// Compares two such objects.
    fn compare_unshared(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind, levels: u32) -> bool {
        self.steps = self.steps.wrapping_add(1);
        let is_variable = a.type_info().compare_rule == CompareRule::Var;
        let region = if is_variable { self.options.variable_region(region) } else { region };
        self.fields::<true>(a, b, region, levels - 1)
    }

    /// Compares what lies below two objects that are no nodes with fields, or are too deep for recursion.
    #[inline(never)]
    fn compare_children(
        &mut self,
        a: ObjectView<'a>,
        b: ObjectView<'a>,
        on_exit: OnExit,
        region: DefRegionKind,
        levels: u32,
    ) -> bool {
        let equal = match a.type_info().child_source {
            ChildSource::Items if levels > 0 => self.items(a, b, region, levels - 1),
            ChildSource::Listed if levels > 0 => self.listed(a, b, region, levels - 1),
            _ => {
                #[cfg(feature = "rayon")]
                self.fork_entries(a, b, region);
                let base = self.stack.len();
                return self.push(a, b, on_exit, region) && self.drain(base, levels);
            }
        };
        equal && self.exit(a, b, on_exit)
    }

    pub(crate) fn items(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind, levels: u32) -> bool {
        let (Some(x), Some(y)) = (a.as_array(), b.as_array()) else { return false };
        #[cfg(feature = "rayon")]
        self.fork(x.iter().zip(y.iter()), region);
        let equal = match (x, y) {
            (ArrayView::Objects(x), ArrayView::Objects(y)) => {
                x.iter().zip(y).all(|(x, y)| self.compare_dispatched(x.view(), y.view(), region, levels))
            }
            _ => x.iter().zip(y.iter()).all(|(x, y)| self.values(x, y, region, levels)),
        };
        equal && x.len() == y.len()
    }

    pub(crate) fn listed(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind, levels: u32) -> bool {
        let are_bound = a.type_info().compare_rule.has_counterpart();
        let Some(start) = self.list(a, b) else { return false };
        let mut next = start;
        #[cfg(feature = "rayon")]
        let mut is_forked = false;
        while let Some((listed, other)) = self.listed.get(next) {
            next += 1;
            // Earlier pairs may bind what the scopes refer to.
            #[cfg(feature = "rayon")]
            if !is_forked && listed.value.as_object().is_some_and(|object| object.type_info().is_scope) {
                is_forked = true;
                let rest: Vec<_> = (next - 1..self.listed.len()).filter_map(|at| self.listed.get(at)).collect();
                let rest = rest.into_iter().map(|(listed, other)| (listed.value, other));
                self.fork(rest, region);
            }
            let region = region.field(listed.role);
            let equal = match (listed.value, other) {
                (AnyView::Object(x), AnyView::Object(y))
                    if are_bound
                        && self.listed.are_fields(next - 1)
                        && self.needs_no_binding(x, y, region, levels)
                        && is_listed_once(x, &self.listed.lhs.values[start..])
                        && is_listed_once(y, &self.listed.rhs.values[start..]) =>
                {
                    self.compare_unshared(x, y, region, levels)
                }
                (x, y) => self.values(x, y, region, levels),
            };
            if !equal {
                return false;
            }
        }
        self.listed.truncate(start);
        true
    }

    /// Appends the pairs that a hook lists, and gives the place where they begin; `None` if the hook says that the objects
    /// differ.
    fn list(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> Option<usize> {
        let start = self.listed.len();
        a.type_info().hooks.is_none_or(|hooks| hooks.pair(a, b, &mut self.listed)).then_some(start)
    }

    /// Works off the frames above the first `base` ones.
    fn drain(&mut self, base: usize, levels: u32) -> bool {
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
    fn child(&mut self, next: Next<'a>, levels: u32) -> bool {
        let equal = match next {
            Next::Objects(a, b, region) | Next::Values(AnyView::Object(a), AnyView::Object(b), region) => {
                if levels > 0 {
                    return self.objects(a, b, region, levels - 1);
                }
                match self.verdict::<true>(a, b, region) {
                    Verdict::Equal => true,
                    Verdict::Differ => false,
                    Verdict::Descend(on_exit, region) => self.push(a, b, on_exit, region),
                }
            }
            Next::Values(a, b, _) => same_plain(a, b),
            Next::Differ(..) => false,
            Next::End => {
                let Some(frame) = self.stack.pop() else { return true };
                let (a, b) = frame.objects();
                return self.exit(a, b, frame.on_exit);
            }
        };
        if !equal {
            self.at = match next {
                Next::Objects(a, b, _) => Difference::of(AnyView::Object(a), AnyView::Object(b)),
                Next::Values(a, b, _) => Difference::of(a, b),
                Next::Differ(lhs, rhs) => Difference { lhs, rhs },
                Next::End => self.at,
            };
        }
        equal
    }

    fn push(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, on_exit: OnExit, region: DefRegionKind) -> bool {
        let info = a.type_info();
        let children = match info.child_source {
            ChildSource::Fields => Children::Fields(FieldPairs::new(a, b)),
            ChildSource::Items => Children::Items(ItemPairs::new(a, b)),
            ChildSource::Entries => Children::Entries(Box::new(EntryPairs::new(a, b, self.order))),
            ChildSource::Listed => match self.list(a, b) {
                Some(start) => Children::Listed(ListedPairs::new(a, b, start)),
                None => return false,
            },
        };
        self.stack.push(EqualFrame { children, on_exit, region });
        true
    }

    /// What the kind of two objects says of them. If a frame is asked for wherever there are fields, because it is part of
    /// a path, `IS_PATH`.
    #[inline(always)]
    fn verdict<const IS_PATH: bool>(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> Verdict {
        self.steps = self.steps.wrapping_add(1);
        let info = a.type_info();
        if !std::ptr::eq(info, b.type_info()) {
            return Verdict::Differ;
        }
        let on_exit = match info.compare_rule {
            CompareRule::Leaf => return verdict(self.leaves(a, b)),
            CompareRule::NotComparable if self.is_lenient => return verdict(a.ptr_eq(b)),
            CompareRule::NotComparable => {
                self.is_comparable = false;
                return Verdict::Differ;
            }
            CompareRule::Identity => return verdict(a.ptr_eq(b)),
            // Comparing plain values again is cheaper than looking for the pair.
            CompareRule::Plain if !IS_PATH => return verdict(plain_fields(a, b)),
            CompareRule::Plain => OnExit::Nothing,
            CompareRule::ConstTree if a.ptr_eq(b) => return Verdict::Equal,
            CompareRule::Tree | CompareRule::Scope | CompareRule::ConstTree => {
                if info.child_source == ChildSource::Entries && both_are_empty(a, b) {
                    return Verdict::Equal;
                }
                return self.look_at_trees(a, b, region);
            }
            CompareRule::Dag | CompareRule::Var if self.options.scopes == Scopes::Lexical => {
                return self.verdict_in_scopes(a, b, region);
            }
            // Binding before the fields are compared is sound: objects are acyclic, so neither is met below itself,
            // and one difference ends the comparison.
            CompareRule::Dag => match self.bindings.relate(a, b, true) {
                Binding::Matched => return Verdict::Equal,
                Binding::Conflict => return Verdict::Differ,
                Binding::Unbound => OnExit::Nothing,
            },
            CompareRule::Var => {
                let may_bind = region != DefRegionKind::None || a.ptr_eq(b);
                let on_exit = match self.bindings.relate(a, b, may_bind) {
                    Binding::Matched => return Verdict::Equal,
                    Binding::Conflict => return Verdict::Differ,
                    Binding::Unbound if may_bind => OnExit::Nothing,
                    Binding::Unbound => OnExit::Fail,
                };
                return Verdict::Descend(on_exit, self.options.variable_region(region));
            }
        };
        Verdict::Descend(on_exit, region)
    }

    /// What is known of two trees, or scopes.
    #[inline(always)]
    pub(crate) fn look_at_trees(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, region: DefRegionKind) -> Verdict {
        if self.options.scopes == Scopes::Lexical {
            return self.verdict_in_scopes(a, b, region);
        }
        if !is_shared(a, b) {
            return Verdict::Descend(OnExit::Nothing, region);
        }
        if self.equal_classes.contains(a, b) {
            Verdict::Equal
        } else {
            Verdict::Descend(OnExit::Remember(self.steps), region)
        }
    }

    /// What is left to do for two objects when all below them is equal.
    #[inline(always)]
    pub(crate) fn exit(&mut self, a: ObjectView<'a>, b: ObjectView<'a>, on_exit: OnExit) -> bool {
        match on_exit {
            OnExit::Nothing => true,
            OnExit::Remember(start) => {
                if self.steps.wrapping_sub(start) >= WORTH_REMEMBERING {
                    self.equal_classes.insert(a, b);
                }
                true
            }
            OnExit::Scoped => {
                self.exit_scope(a, b);
                true
            }
            OnExit::Confined => {
                self.bindings.close();
                true
            }
            OnExit::Fail => {
                self.at = Difference::of(AnyView::Object(a), AnyView::Object(b));
                false
            }
        }
    }

    /// The mismatch that ended the comparison.
    fn at(&self) -> Mismatch {
        let (lhs, rhs) = self.paths();
        // Keys that differ mean that one map lacks the entry; no path leads into a key.
        let difference = match self.stack.iter().find_map(EqualFrame::value_at_keys) {
            Some(value) => Difference { lhs: Some(value), rhs: None },
            None => self.at,
        };
        let owned = |value: Option<AnyView<'a>>| value.map(AnyView::to_any);
        Mismatch::new(lhs, rhs, owned(difference.lhs), owned(difference.rhs))
    }

    /// The error that ended the comparison.
    fn not_comparable(&self) -> Error {
        let object = self.at.lhs.and_then(AnyView::as_object);
        not_comparable(object.map_or("?", ObjectView::type_key), self.paths().0)
    }

    /// The paths to the current pair, or to the entry whose keys are being compared.
    fn paths(&self) -> (AccessPath, AccessPath) {
        let (mut lhs, mut rhs) = (AccessPath::root(), AccessPath::root());
        for frame in &self.stack {
            let (a, b) = frame.steps(&self.listed);
            lhs.push(a);
            rhs.push(b);
            if frame.value_at_keys().is_some() {
                break;
            }
        }
        (lhs, rhs)
    }
}

impl<'a> Difference<'a> {
    fn of(a: AnyView<'a>, b: AnyView<'a>) -> Self {
        Difference { lhs: Some(a), rhs: Some(b) }
    }
}

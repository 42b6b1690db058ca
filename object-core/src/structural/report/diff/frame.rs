//! [`DiffFrame`]: one level of a diff in progress. The frames of the stack are the path to the current pair.

use crate::container::ArrayView;
use crate::object::{AnyView, DefRegionKind, FieldInfo, FieldPair, FieldPairs, ListedValue, ObjectView};
use crate::structural::pairing::{EntryPairs, NextEntry};
use crate::structural::report::diff::align::Run;
use crate::structural::report::diff::path_tree::{PairStep, Place};
use crate::structural::report::mismatch::MismatchReason;
use crate::structural::scope::bindings::{Bindings, PairStart};
use crate::table::Table;

/// If this many more values of two maps differ than are equal, the next ones are compared part by part at once. An attempt
/// at two values that differ is wasted, and their parts are tried again.
const DIFFERENT: i32 = 2;

/// The next part of two objects to compare.
pub(crate) enum NextDiff<'a> {
    /// Two values to compare in a region.
    Pair(AnyView<'a>, AnyView<'a>, DefRegionKind),
    /// A child that one side does not have, for the given reason.
    Single(Option<AnyView<'a>>, Option<AnyView<'a>>, MismatchReason),
    /// The next elements have no alignment yet.
    Unaligned,
    /// No child is left.
    End,
}

/// The children of two objects.
pub(crate) enum DiffChildren<'a> {
    Fields(FieldPairs<'a>),
    Items(Box<DiffItems<'a>>),
    Listed(Box<DiffListed<'a>>),
    Entries(Box<EntryPairs<'a>>),
}

/// The elements of two arrays.
pub(crate) struct DiffItems<'a> {
    objects: (ObjectView<'a>, ObjectView<'a>),
    runs: Vec<Run>,
    /// The current run.
    run: usize,
    /// The number of elements of the current run that were returned.
    given: usize,
    /// The first elements without an alignment, after those of `runs`.
    rest: Option<(usize, usize)>,
    /// The elements of each side that the other side does not have at their place, by shape.
    pub(super) single: [Table<u64, Vec<ObjectView<'a>>>; 2],
}

/// The pairs that a hook lists.
pub(crate) struct DiffListed<'a> {
    objects: (ObjectView<'a>, ObjectView<'a>),
    pairs: Vec<ListedValue<'a>>,
    /// The number of pairs that were returned.
    given: usize,
}

/// One level of a diff.
pub(crate) struct DiffFrame<'a> {
    pub(crate) children: DiffChildren<'a>,
    pub(crate) region: DefRegionKind,
    /// The region of the objects.
    pub(crate) around: DefRegionKind,
    /// Whether the objects are a scope that ends with the frame.
    pub(crate) is_scope: bool,
    /// The state of the bindings and the number of facts before the frame.
    pub(crate) entered: PairStart,
    /// Whether the objects are variables that are not bound to each other, so they differ even if their fields are
    /// equal.
    pub(crate) is_free: bool,
    /// The number of equal children minus the number of other ones so far.
    pub(crate) surplus: i32,
    /// Whether some descendants of the objects differ.
    pub(crate) differs: bool,
    /// The place of the objects, once it is known.
    pub(crate) place: Option<Place>,
    /// Whether the objects have the same shape, so that the elements of all arrays below correspond by index.
    pub(crate) same_shape: bool,
}

impl<'a> DiffItems<'a> {
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>, runs: Vec<Run>) -> Self {
        DiffItems { objects: (a, b), runs, run: 0, given: 0, rest: None, single: Default::default() }
    }

    /// Forgets the alignment by index, so that the walk aligns the elements.
    pub(super) fn unalign(&mut self) {
        (self.runs, self.run, self.given, self.rest) = (Vec::new(), 0, 0, Some((0, 0)));
    }

    /// The first elements without an alignment.
    pub(super) fn unaligned(&self) -> (usize, usize) {
        self.rest.unwrap_or_default()
    }

    /// Sets the alignment of the next elements, and the first elements after them that have none. The first `equal` pairs, which
    /// are in the first run, are compared already.
    pub(super) fn realign(&mut self, runs: Vec<Run>, equal: usize, rest: Option<(usize, usize)>) {
        (self.runs, self.run, self.given, self.rest) = (runs, 0, equal, rest);
    }

    /// Makes a pair of elements the current one.
    pub(super) fn go_to(&mut self, lhs: usize, rhs: usize) {
        self.runs.clear();
        self.runs.push(Run::Both { lhs, rhs, len: 1, same_shape: false });
        (self.run, self.given) = (0, 1);
    }

    /// Whether the elements of the current pair have the same shape.
    pub(super) fn has_same_shape(&self) -> bool {
        matches!(self.runs.get(self.run), Some(Run::Both { same_shape: true, .. }))
    }

    /// Whether there is more than one element on one side.
    pub(super) fn is_list(&self) -> bool {
        let len = |object: ObjectView<'a>| object.as_array().map_or(0, |array| array.len());
        (len(self.objects.0), len(self.objects.1)) != (1, 1)
    }

    fn step(&self) -> PairStep<'a> {
        let at = self.given.saturating_sub(1);
        match self.runs.get(self.run) {
            Some(Run::Both { lhs, rhs, .. }) => PairStep::Items(lhs + at, rhs + at),
            Some(Run::Lhs { lhs, .. }) => PairStep::LhsItem(lhs + at),
            Some(Run::Rhs { rhs, .. }) => PairStep::RhsItem(rhs + at),
            None => PairStep::Items(0, 0),
        }
    }

    /// Passes the next pairs of objects in the current run for which `is_equal` holds, and returns their number.
    pub(super) fn pass(&mut self, mut is_equal: impl FnMut(ObjectView<'a>, ObjectView<'a>) -> bool) -> usize {
        let Some(Run::Both { lhs, rhs, len, .. }) = self.runs.get(self.run).copied() else { return 0 };
        let (Some(ArrayView::Objects(a)), Some(ArrayView::Objects(b))) =
            (self.objects.0.as_array(), self.objects.1.as_array())
        else {
            return 0;
        };
        let (Some(a), Some(b)) = (a.get(lhs + self.given..lhs + len), b.get(rhs + self.given..rhs + len)) else {
            return 0;
        };
        let passed = a.iter().zip(b).take_while(|(a, b)| is_equal(a.view(), b.view())).count();
        self.given += passed;
        passed
    }

    fn next(&mut self, region: DefRegionKind) -> NextDiff<'a> {
        if let Some(Run::Both { len, .. } | Run::Lhs { len, .. } | Run::Rhs { len, .. }) = self.runs.get(self.run)
            && self.given == *len
        {
            (self.run, self.given) = (self.run + 1, 0);
        }
        if self.run >= self.runs.len() {
            return if self.rest.is_some() { NextDiff::Unaligned } else { NextDiff::End };
        }
        self.given += 1;
        let item = |object: ObjectView<'a>, index| object.as_array().and_then(|array| array.get(index));
        let (lhs, rhs) = match self.step() {
            PairStep::Items(i, j) => (item(self.objects.0, i), item(self.objects.1, j)),
            PairStep::LhsItem(i) => (item(self.objects.0, i), None),
            PairStep::RhsItem(j) => (None, item(self.objects.1, j)),
            _ => (None, None),
        };
        match (lhs, rhs) {
            (Some(a), Some(b)) => NextDiff::Pair(a, b, region),
            (lhs, rhs) => NextDiff::Single(lhs, rhs, MismatchReason::MissingElement),
        }
    }
}

impl<'a> DiffListed<'a> {
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>, pairs: Vec<ListedValue<'a>>) -> Self {
        DiffListed { objects: (a, b), pairs, given: 0 }
    }
}

impl<'a> DiffFrame<'a> {
    /// The two objects.
    pub(crate) fn objects(&self) -> (ObjectView<'a>, ObjectView<'a>) {
        match &self.children {
            DiffChildren::Fields(fields) => fields.objects(),
            DiffChildren::Items(items) => items.objects,
            DiffChildren::Listed(listed) => listed.objects,
            DiffChildren::Entries(entries) => entries.objects(),
        }
    }

    /// Whether an attempt to compare the current pair is worth its cost: of the values of a map, not too many have differed.
    pub(crate) fn is_worth_attempts(&self) -> bool {
        self.surplus >= -DIFFERENT || !matches!(self.children, DiffChildren::Entries(_))
    }

    /// Whether the current pair is one of several that may differ on their own.
    pub(crate) fn has_siblings(&self) -> bool {
        match &self.children {
            DiffChildren::Fields(_) => false,
            DiffChildren::Items(items) => items.is_list(),
            DiffChildren::Listed(listed) => listed.pairs.len() > 1,
            DiffChildren::Entries(entries) => !entries.is_at_keys() && entries.is_list(),
        }
    }

    /// Whether the current pair has the same shape. The entries of maps and the values of hooks may correspond in another
    /// order than in shapes.
    pub(crate) fn child_has_same_shape(&self) -> bool {
        match &self.children {
            DiffChildren::Fields(_) => self.same_shape,
            DiffChildren::Items(items) => self.same_shape || items.has_same_shape(),
            DiffChildren::Listed(_) | DiffChildren::Entries(_) => false,
        }
    }

    /// The next pair of children.
    pub(crate) fn next(&mut self, bindings: &mut Bindings<'a>) -> NextDiff<'a> {
        let region = self.region;
        match &mut self.children {
            DiffChildren::Fields(fields) => match fields.next_unequal() {
                None => NextDiff::End,
                Some((role, pair)) => {
                    let (a, b) = match pair {
                        FieldPair::Objects(a, b) => (AnyView::Object(a), AnyView::Object(b)),
                        FieldPair::Values(a, b) => (a, b),
                        FieldPair::Differ => fields.last_values().unwrap_or_default(),
                    };
                    NextDiff::Pair(a, b, region.field(role))
                }
            },
            DiffChildren::Items(items) => items.next(region),
            DiffChildren::Listed(listed) => match listed.pairs.get(listed.given) {
                Some(pair) => {
                    listed.given += 1;
                    NextDiff::Pair(pair.value, pair.other, region.field(pair.role))
                }
                None => NextDiff::End,
            },
            DiffChildren::Entries(entries) => match entries.next(bindings) {
                NextEntry::Keys(a, b) | NextEntry::Values(a, b) => NextDiff::Pair(a, b, region),
                NextEntry::OnlyLhs(value) => NextDiff::Single(Some(value), None, MismatchReason::MissingKey),
                NextEntry::OnlyRhs(value) => NextDiff::Single(None, Some(value), MismatchReason::MissingKey),
                NextEntry::End => NextDiff::End,
            },
        }
    }

    /// The field that holds the children that [`next`](Self::next) returned last.
    pub(crate) fn field(&self) -> Option<&'static FieldInfo> {
        match &self.children {
            DiffChildren::Fields(fields) => fields.last_field(),
            DiffChildren::Listed(_) | DiffChildren::Items(_) | DiffChildren::Entries(_) => None,
        }
    }

    /// The step to the children that [`next`](Self::next) returned last.
    pub(crate) fn step(&self) -> PairStep<'a> {
        match &self.children {
            DiffChildren::Fields(fields) => PairStep::Attr(fields.last_field().map_or("", |field| field.name)),
            DiffChildren::Listed(listed) => {
                PairStep::Attr(listed.pairs.get(listed.given.wrapping_sub(1)).map_or("", |pair| pair.name))
            }
            DiffChildren::Items(items) => items.step(),
            DiffChildren::Entries(entries) => match entries.keys() {
                (Some(lhs), Some(rhs)) => PairStep::Keys(lhs, rhs),
                (Some(key), None) => PairStep::LhsKey(key),
                (None, Some(key)) => PairStep::RhsKey(key),
                (None, None) => PairStep::Attr(""),
            },
        }
    }
}

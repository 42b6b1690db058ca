//! [`DiffFrame`]: one level of a diff in progress. The frames of the stack are the path to the current pair.

use crate::access_path::AccessStep;
use crate::object::DefRegionKind;
use crate::object::{AnyView, FieldPair, FieldPairs, HookPairs, ObjectView};
use crate::structural::pairing::path_key;
use crate::structural::report::diff::align::Run;
use crate::structural::report::diff::entries::Entries;
use crate::structural::report::diff::path_tree::Place;
use crate::structural::report::mismatch::MismatchReason;
use crate::structural::scope::bindings::Bindings;
use crate::structural::scope::scope_stack::LevelSet;

/// A step from an object to one of its children, on both sides.
#[derive(Clone, Copy)]
pub(crate) enum Step<'a> {
    Attr(&'static str),
    Items(usize, usize),
    LhsItem(usize),
    RhsItem(usize),
    Keys(AnyView<'a>, AnyView<'a>),
    LhsKey(AnyView<'a>),
    RhsKey(AnyView<'a>),
}

impl Step<'_> {
    /// The steps of a path on the left and on the right.
    pub(crate) fn sides(self) -> (AccessStep, AccessStep) {
        match self {
            Step::Attr(name) => (AccessStep::Attr(name.to_owned()), AccessStep::Attr(name.to_owned())),
            Step::Items(lhs, rhs) => (AccessStep::ArrayItem(lhs), AccessStep::ArrayItem(rhs)),
            Step::LhsItem(lhs) => (AccessStep::ArrayItem(lhs), AccessStep::ArrayItemMissing(lhs)),
            Step::RhsItem(rhs) => (AccessStep::ArrayItemMissing(rhs), AccessStep::ArrayItem(rhs)),
            Step::Keys(lhs, rhs) => (AccessStep::MapItem(path_key(lhs)), AccessStep::MapItem(path_key(rhs))),
            Step::LhsKey(key) => (AccessStep::MapItem(path_key(key)), AccessStep::MapItemMissing(path_key(key))),
            Step::RhsKey(key) => (AccessStep::MapItemMissing(path_key(key)), AccessStep::MapItem(path_key(key))),
        }
    }
}

/// What a frame gives next.
pub(crate) enum Next<'a> {
    /// Two values to compare in a region.
    Pair(AnyView<'a>, AnyView<'a>, DefRegionKind),
    /// A child that one side does not have, for the given reason.
    Single { lhs: Option<AnyView<'a>>, rhs: Option<AnyView<'a>>, reason: MismatchReason },
    /// There are no more.
    End,
}

/// The children of two objects.
pub(crate) enum Children<'a> {
    Fields(FieldPairs<'a>),
    Items(Box<Items<'a>>),
    Listed(Box<Listed<'a>>),
    Entries(Box<Entries<'a>>),
}

/// The elements of two arrays.
pub(crate) struct Items<'a> {
    objects: (ObjectView<'a>, ObjectView<'a>),
    runs: Vec<Run>,
    /// The run in progress, and how many of its elements were given.
    run: usize,
    given: usize,
}

/// The pairs that a hook lists.
pub(crate) struct Listed<'a> {
    objects: (ObjectView<'a>, ObjectView<'a>),
    pairs: HookPairs<'a>,
    given: usize,
}

/// One level of a diff.
pub(crate) struct DiffFrame<'a> {
    pub(crate) children: Children<'a>,
    pub(crate) region: DefRegionKind,
    /// The region of the objects.
    pub(crate) around: DefRegionKind,
    /// Whether the objects are a scope that ends with the frame.
    pub(crate) is_scope: bool,
    /// Which levels had been used before the frame.
    pub(crate) used: LevelSet,
    /// Whether the objects are variables that are not bound to each other, and so differ even if all in them is equal.
    pub(crate) is_free: bool,
    /// Whether something in the objects differs.
    pub(crate) differs: bool,
    /// The number of the place of the objects, if it has one.
    pub(crate) place: Option<Place>,
}

impl<'a> Items<'a> {
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>, runs: Vec<Run>) -> Self {
        Items { objects: (a, b), runs, run: 0, given: 0 }
    }

    fn step(&self) -> Step<'a> {
        let at = self.given.saturating_sub(1);
        match self.runs.get(self.run) {
            Some(Run::Both { lhs, rhs, .. }) => Step::Items(lhs + at, rhs + at),
            Some(Run::Lhs { lhs, .. }) => Step::LhsItem(lhs + at),
            Some(Run::Rhs { rhs, .. }) => Step::RhsItem(rhs + at),
            None => Step::Items(0, 0),
        }
    }

    fn next(&mut self, region: DefRegionKind) -> Next<'a> {
        if let Some(Run::Both { len, .. } | Run::Lhs { len, .. } | Run::Rhs { len, .. }) = self.runs.get(self.run)
            && self.given == *len
        {
            (self.run, self.given) = (self.run + 1, 0);
        }
        if self.run == self.runs.len() {
            return Next::End;
        }
        self.given += 1;
        let item = |object: ObjectView<'a>, index| object.as_array().and_then(|array| array.get(index));
        let (lhs, rhs) = match self.step() {
            Step::Items(i, j) => (item(self.objects.0, i), item(self.objects.1, j)),
            Step::LhsItem(i) => (item(self.objects.0, i), None),
            Step::RhsItem(j) => (None, item(self.objects.1, j)),
            _ => (None, None),
        };
        match (lhs, rhs) {
            (Some(a), Some(b)) => Next::Pair(a, b, region),
            (lhs, rhs) => Next::Single { lhs, rhs, reason: MismatchReason::MissingElement },
        }
    }
}

impl<'a> Listed<'a> {
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>, pairs: HookPairs<'a>) -> Self {
        Listed { objects: (a, b), pairs, given: 0 }
    }
}

impl<'a> DiffFrame<'a> {
    /// The two objects.
    pub(crate) fn objects(&self) -> (ObjectView<'a>, ObjectView<'a>) {
        match &self.children {
            Children::Fields(fields) => fields.objects(),
            Children::Items(items) => items.objects,
            Children::Listed(listed) => listed.objects,
            Children::Entries(entries) => entries.objects(),
        }
    }

    /// The next pair of children.
    pub(crate) fn next(&mut self, bindings: &mut Bindings<'a>) -> Next<'a> {
        let region = self.region;
        match &mut self.children {
            Children::Fields(fields) => match fields.next_unequal() {
                None => Next::End,
                Some((role, pair)) => {
                    let (a, b) = match pair {
                        FieldPair::Objects(a, b) => (AnyView::Object(a), AnyView::Object(b)),
                        FieldPair::Values(a, b) => (a, b),
                        FieldPair::Differ => fields.last_values().unwrap_or_default(),
                    };
                    Next::Pair(a, b, region.field(role))
                }
            },
            Children::Items(items) => items.next(region),
            Children::Listed(listed) => match listed.pairs.get(listed.given) {
                Some((lhs, rhs)) => {
                    listed.given += 1;
                    Next::Pair(lhs.value, rhs, region.field(lhs.role))
                }
                None => Next::End,
            },
            Children::Entries(entries) => entries.next(region, bindings),
        }
    }

    /// The step to the children that [`next`](Self::next) gave last.
    pub(crate) fn step(&self) -> Step<'a> {
        match &self.children {
            Children::Fields(fields) => Step::Attr(fields.last_field().map_or("", |field| field.name)),
            Children::Listed(listed) => {
                Step::Attr(listed.pairs.get(listed.given.wrapping_sub(1)).map_or("", |(lhs, _)| lhs.name))
            }
            Children::Items(items) => items.step(),
            Children::Entries(entries) => entries.step(),
        }
    }
}

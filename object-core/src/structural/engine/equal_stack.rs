//! [`EqualFrame`]: one level of a comparison in progress, on the heap.

use crate::container::ArrayView;
use crate::object::{AnyView, ChildSource, DefRegionKind, FieldPair, FieldPairs, HookPairs, ObjectView};
use crate::structural::pairing::{EntryPairs, NextEntry};
use crate::structural::scope::bindings::Bindings;

/// The last step of a frame, after all its children were equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnExit {
    /// Nothing.
    Nothing,
    /// Remember the pair if its comparison took long enough. The number is the count of steps before the comparison.
    Remember(u32),
    /// Fail: the objects are different unbound variables.
    Fail,
}

/// The pairs of children of two objects.
pub(crate) enum PairChildren<'a> {
    /// The fields of two nodes of one type.
    Fields(FieldPairs<'a>),
    /// The elements of two arrays, and then their lengths.
    Items(ItemPairs<'a>),
    /// The pairs that a hook lists: a part of the comparison's list.
    Listed(ListedPairs<'a>),
    /// The entries of two maps, and then the entries that only the right map has.
    Entries(Box<EntryPairs<'a>>),
}

/// The elements of two arrays.
pub(crate) struct ItemPairs<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    lhs: ArrayView<'a>,
    rhs: ArrayView<'a>,
    next: u32,
}

/// A part of the comparison's list of pairs.
pub(crate) struct ListedPairs<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    start: u32,
    next: u32,
}

/// A pair that a hook lists, before it is bound.
pub(crate) enum ListedPair {
    /// The two were compared without a binding.
    Equal,
    Differs,
    /// The walk may reach one of the two again.
    MayRecur,
}

/// One level of a comparison, with its last step.
pub(crate) struct EqualFrame<'a, E> {
    pub(crate) children: PairChildren<'a>,
    pub(crate) on_exit: E,
    pub(crate) region: DefRegionKind,
}

/// The next pair of children of a frame.
#[derive(Clone, Copy)]
pub(crate) enum NextPair<'a> {
    /// Two objects to compare in a region.
    Objects(ObjectView<'a>, ObjectView<'a>, DefRegionKind),
    /// Two values to compare in a region.
    Values(AnyView<'a>, AnyView<'a>, DefRegionKind),
    /// Children that differ, or a child that one side does not have.
    Differ,
    /// No further pair exists.
    End,
}

impl<'a> PairChildren<'a> {
    /// The pairs of children of two objects of one type, whose children are in `source`. If a hook lists them, its list
    /// begins at `start`.
    pub(crate) fn new(source: ChildSource, a: ObjectView<'a>, b: ObjectView<'a>, start: usize) -> Self {
        let items = |object: ObjectView<'a>| object.as_array().unwrap_or(ArrayView::Values(&[]));
        match source {
            ChildSource::Fields => PairChildren::Fields(FieldPairs::new(a, b)),
            ChildSource::Items => PairChildren::Items(ItemPairs { a, b, lhs: items(a), rhs: items(b), next: 0 }),
            ChildSource::Entries => PairChildren::Entries(Box::new(EntryPairs::new(a, b, false))),
            ChildSource::Listed => PairChildren::Listed(ListedPairs::new(a, b, start)),
        }
    }

    /// The number of elements, of listed values, or of entries of the left object; zero for nodes with fields.
    pub(crate) fn count(&self, listed: &HookPairs<'a>) -> usize {
        match self {
            PairChildren::Fields(_) => 0,
            PairChildren::Items(items) => items.lhs.len(),
            PairChildren::Listed(part) => listed.contents.values.len() - part.start as usize,
            PairChildren::Entries(entries) => entries.objects().0.as_map().map_or(0, |map| map.len()),
        }
    }
}

impl<'a> ListedPairs<'a> {
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>, start: usize) -> Self {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        ListedPairs { a, b, start, next: start }
    }
}

impl<'a, E> EqualFrame<'a, E> {
    /// The two objects.
    pub(crate) fn objects(&self) -> (ObjectView<'a>, ObjectView<'a>) {
        match &self.children {
            PairChildren::Fields(fields) => fields.objects(),
            PairChildren::Items(items) => (items.a, items.b),
            PairChildren::Listed(listed) => (listed.a, listed.b),
            PairChildren::Entries(entries) => entries.objects(),
        }
    }

    /// The next pair of children. `listed` is the list of the hooks of all frames; the last part of it belongs to the
    /// last frame.
    #[inline]
    pub(crate) fn next(&mut self, listed: &mut HookPairs<'a>, bindings: &mut Bindings<'a>) -> NextPair<'a> {
        match &mut self.children {
            PairChildren::Fields(fields) => match fields.next_unequal() {
                None => NextPair::End,
                Some((role, FieldPair::Objects(a, b))) => NextPair::Objects(a, b, self.region.field(role)),
                Some((role, FieldPair::Values(a, b))) => NextPair::Values(a, b, self.region.field(role)),
                Some((_, FieldPair::Differ)) => NextPair::Differ,
            },
            PairChildren::Items(items) => {
                items.next += 1;
                let index = items.next as usize - 1;
                match (items.lhs.get(index), items.rhs.get(index)) {
                    (Some(AnyView::Object(a)), Some(AnyView::Object(b))) => NextPair::Objects(a, b, self.region),
                    (Some(a), Some(b)) => NextPair::Values(a, b, self.region),
                    (None, None) => NextPair::End,
                    _ => NextPair::Differ,
                }
            }
            PairChildren::Listed(part) => match listed.contents.values.get(part.next as usize) {
                Some(pair) => {
                    part.next += 1;
                    NextPair::Values(pair.value, pair.other, self.region.field(pair.role))
                }
                None => {
                    listed.contents.values.truncate(part.start as usize);
                    NextPair::End
                }
            },
            PairChildren::Entries(entries) => match entries.next(bindings) {
                NextEntry::Keys(a, b) | NextEntry::Values(a, b) => NextPair::Values(a, b, self.region),
                NextEntry::OnlyLhs(_) | NextEntry::OnlyRhs(_) => NextPair::Differ,
                NextEntry::End => NextPair::End,
            },
        }
    }
}

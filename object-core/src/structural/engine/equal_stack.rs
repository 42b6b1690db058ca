//! [`EqualFrame`]: one level of a comparison in progress. The frames of the stack are the path to the current pair.

use crate::access_path::AccessStep;
use crate::object::DefRegionKind;
use crate::object::{AnyView, FieldPair, FieldPairs, HookPairs, ObjectView};
use crate::structural::pairing::EntryPairs;
use crate::structural::scope::bindings::Bindings;

/// What to do when all children of a frame are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnExit {
    /// Nothing.
    Nothing,
    /// Remember the pair if it took long enough: the number of steps before it is given.
    Remember(u32),
    /// Fail: the objects are different unbound variables.
    Fail,
    /// Under lexical scopes: end what the fields of a free variable bind.
    Confined,
    /// Under lexical scopes: end the scope, and remember the pair and what it refers to.
    Scoped,
}

/// The pairs of children of two objects.
pub(crate) enum Children<'a> {
    /// The fields of two nodes of one type.
    Fields(FieldPairs<'a>),
    /// The elements of two arrays, and then their lengths.
    Items(ItemPairs<'a>),
    /// The pairs that a hook lists: a part of the list that the comparison keeps.
    Listed(ListedPairs<'a>),
    /// The entries of two maps, and then what only the right one has.
    Entries(Box<EntryPairs<'a>>),
}

/// The elements of two arrays.
pub(crate) struct ItemPairs<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    next: u32,
}

/// A part of the list of pairs.
pub(crate) struct ListedPairs<'a> {
    a: ObjectView<'a>,
    b: ObjectView<'a>,
    start: u32,
    next: u32,
}

/// One level of a comparison.
pub(crate) struct EqualFrame<'a> {
    pub(crate) children: Children<'a>,
    pub(crate) on_exit: OnExit,
    pub(crate) region: DefRegionKind,
}

/// What a frame gives next. A child that one side does not have is `None` there.
#[derive(Clone, Copy)]
pub(crate) enum Next<'a> {
    /// Two objects to compare in a region.
    Objects(ObjectView<'a>, ObjectView<'a>, DefRegionKind),
    /// Two values to compare in a region.
    Values(AnyView<'a>, AnyView<'a>, DefRegionKind),
    /// Children that differ.
    Differ(Option<AnyView<'a>>, Option<AnyView<'a>>),
    /// There are no more.
    End,
}

impl<'a> ItemPairs<'a> {
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>) -> Self {
        ItemPairs { a, b, next: 0 }
    }

    /// The elements that were given last.
    fn last(&self) -> (usize, Option<AnyView<'a>>, Option<AnyView<'a>>) {
        let index = (self.next as usize).wrapping_sub(1);
        let item = |object: ObjectView<'a>| object.as_array().and_then(|array| array.get(index));
        (index, item(self.a), item(self.b))
    }
}

impl<'a> ListedPairs<'a> {
    pub(crate) fn new(a: ObjectView<'a>, b: ObjectView<'a>, start: usize) -> Self {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        ListedPairs { a, b, start, next: start }
    }
}

impl<'a> EqualFrame<'a> {
    /// The two objects.
    pub(crate) fn objects(&self) -> (ObjectView<'a>, ObjectView<'a>) {
        match &self.children {
            Children::Fields(fields) => fields.objects(),
            Children::Items(items) => (items.a, items.b),
            Children::Listed(listed) => (listed.a, listed.b),
            Children::Entries(entries) => entries.objects(),
        }
    }

    /// The next pair of children. `listed` is the list of the hooks of all frames; the last frame's part is its end.
    #[inline]
    pub(crate) fn next(&mut self, listed: &mut HookPairs<'a>, bindings: &mut Bindings<'a>) -> Next<'a> {
        match &mut self.children {
            Children::Fields(fields) => match fields.next_unequal() {
                None => Next::End,
                Some((role, FieldPair::Objects(a, b))) => Next::Objects(a, b, self.region.field(role)),
                Some((role, FieldPair::Values(a, b))) => Next::Values(a, b, self.region.field(role)),
                Some((_, FieldPair::Differ)) => {
                    let (a, b) = fields.last_values().unzip();
                    Next::Differ(a, b)
                }
            },
            Children::Items(items) => {
                items.next += 1;
                match items.last() {
                    (_, Some(AnyView::Object(a)), Some(AnyView::Object(b))) => Next::Objects(a, b, self.region),
                    (_, Some(a), Some(b)) => Next::Values(a, b, self.region),
                    (_, None, None) => Next::End,
                    (_, a, b) => Next::Differ(a, b),
                }
            }
            Children::Listed(part) => match listed.get(part.next as usize) {
                Some((lhs, rhs)) => {
                    part.next += 1;
                    Next::Values(lhs.value, rhs, self.region.field(lhs.role))
                }
                None => {
                    listed.truncate(part.start as usize);
                    Next::End
                }
            },
            Children::Entries(entries) => entries.next(self.region, bindings),
        }
    }

    /// The value of the entry whose keys are being compared, if the frame is that of two maps and has come to keys.
    pub(crate) fn value_at_keys(&self) -> Option<AnyView<'a>> {
        match &self.children {
            Children::Entries(entries) => entries.value_at_keys(),
            Children::Fields(_) | Children::Items(_) | Children::Listed(_) => None,
        }
    }

    /// The steps to the child that [`next`](Self::next) gave last, on both sides.
    pub(crate) fn steps(&self, listed: &HookPairs<'a>) -> (AccessStep, AccessStep) {
        let attr = |name: Option<&str>| {
            let step = AccessStep::Attr(name.unwrap_or_default().to_owned());
            (step.clone(), step)
        };
        match &self.children {
            Children::Fields(fields) => attr(fields.last_field().map(|field| field.name)),
            Children::Listed(part) => attr(listed.get(part.next as usize - 1).map(|(lhs, _)| lhs.name)),
            Children::Items(items) => {
                let (index, a, b) = items.last();
                let side = |item: Option<AnyView<'_>>| match item {
                    Some(_) => AccessStep::ArrayItem(index),
                    None => AccessStep::ArrayItemMissing(index),
                };
                (side(a), side(b))
            }
            Children::Entries(entries) => entries.steps(),
        }
    }
}

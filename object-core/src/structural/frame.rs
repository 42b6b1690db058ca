//! [`Frame`]: one level of a comparison in progress. The frames of the stack are the path to the current pair.

use super::bindings::Bindings;
use super::map_order::{compare_plain, is_plain};
use crate::access_path::{AccessStep, PathKey};
use crate::container::{ArrayView, MapData};
use crate::object::{AnyView, FieldPairs, FieldRole, ObjectView, Region, SEqHashKind};

/// Whether variables that are met are bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DefRegion {
    /// They are not: only bound ones and identical ones are equal.
    None,
    /// They are, but those in their fields are not.
    Simple,
    /// They are, and those in their fields too.
    Recursive,
}

impl DefRegion {
    /// The region of a child in this region. A recursive region stays one throughout.
    pub(super) fn child(self, region: Region) -> Self {
        match region {
            _ if self == DefRegion::Recursive => self,
            Region::Inherit => self,
            Region::Def => DefRegion::Recursive,
            Region::DefSimple => DefRegion::Simple,
        }
    }
}

/// In which order map entries are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MapOrder {
    /// In the order of `map_order`, which decides verdicts.
    Canonical,
    /// In the order of the left map, which readers of mismatches expect.
    AsInserted,
}

/// What to do when all children of a frame are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// Nothing.
    Nothing,
    /// Remember the pair if it took long enough: the number of pairs compared before it is given.
    Remember(usize),
    /// Fail: the objects are different unbound variables.
    Fail,
}

/// The pairs of children of two objects.
pub(super) enum Children<'a> {
    /// The fields of two nodes of one type.
    Fields(FieldPairs<'a>),
    /// The pairs that a hook lists.
    Listed { pairs: Vec<(&'static str, AnyView<'a>, AnyView<'a>, Region)>, next: usize },
    /// The elements of two arrays, and then their lengths.
    Items { a: ArrayView<'a>, b: ArrayView<'a>, next: usize },
    /// The entries of two maps, and then what only the right one has.
    Entries { entries: Vec<Entry<'a>>, extra: Option<(AnyView<'a>, AnyView<'a>)>, next: usize },
}

/// An entry of the left map and its counterpart.
pub(super) struct Entry<'a> {
    key: AnyView<'a>,
    value: AnyView<'a>,
    /// Key and value on the right.
    other: Option<(AnyView<'a>, AnyView<'a>)>,
    /// Whether the keys are compared like values: unbound objects that are one and the same on both sides.
    compare_keys: bool,
    /// Whether only the right map has it.
    is_extra: bool,
}

/// One level of a comparison.
pub(super) struct Frame<'a> {
    pub(super) a: ObjectView<'a>,
    pub(super) b: ObjectView<'a>,
    pub(super) region: DefRegion,
    pub(super) leave: Leave,
    pub(super) children: Children<'a>,
}

/// What a frame gives next. A child that one side does not have is `None` there.
pub(super) enum Next<'a> {
    /// Two children to compare in a region.
    Pair(AnyView<'a>, AnyView<'a>, DefRegion),
    /// A child without counterpart.
    Unpaired(Option<AnyView<'a>>, Option<AnyView<'a>>),
    /// There are no more.
    End,
}

impl<'a> Frame<'a> {
    #[inline]
    pub(super) fn next(&mut self) -> Next<'a> {
        match &mut self.children {
            Children::Fields(fields) => {
                for (field, a, b) in fields {
                    let region = match field.role {
                        FieldRole::Ignore => continue,
                        FieldRole::Content => self.region,
                        FieldRole::Def => self.region.child(Region::Def),
                        FieldRole::DefSimple => self.region.child(Region::DefSimple),
                    };
                    return Next::Pair(a, b, region);
                }
                Next::End
            }
            Children::Listed { pairs, next } => match pairs.get(*next) {
                Some((_, a, b, region)) => {
                    *next += 1;
                    Next::Pair(*a, *b, self.region.child(*region))
                }
                None => Next::End,
            },
            Children::Items { a, b, next } => {
                let index = *next;
                *next += 1;
                match (a.get(index), b.get(index)) {
                    (Some(a), Some(b)) => Next::Pair(a, b, self.region),
                    (None, None) => Next::End,
                    (a, b) => Next::Unpaired(a, b),
                }
            }
            Children::Entries { entries, extra, next } => {
                // Each entry takes two turns: its keys, then its values.
                let turn = *next;
                *next += 1;
                match entries.get_mut(turn / 2) {
                    Some(Entry { value, other: None, .. }) => Next::Unpaired(Some(*value), None),
                    Some(Entry { key, other: Some((other, _)), compare_keys: true, .. }) if turn % 2 == 0 => {
                        Next::Pair(*key, *other, self.region)
                    }
                    Some(Entry { value, other: Some((_, other)), .. }) => {
                        *next = (turn | 1) + 1;
                        Next::Pair(*value, *other, self.region)
                    }
                    None => match extra.take() {
                        Some((key, value)) => {
                            entries.push(Entry { key, value, other: None, compare_keys: false, is_extra: true });
                            Next::Unpaired(None, Some(value))
                        }
                        None => Next::End,
                    },
                }
            }
        }
    }

    /// The steps to the child that [`next`](Self::next) gave last, on both sides.
    pub(super) fn steps(&self) -> (AccessStep, AccessStep) {
        match &self.children {
            Children::Fields(fields) => {
                let step = AccessStep::Attr(fields.last_field().map_or("", |field| field.name).to_owned());
                (step.clone(), step)
            }
            Children::Listed { pairs, next } => {
                let step = AccessStep::Attr(pairs[*next - 1].0.to_owned());
                (step.clone(), step)
            }
            Children::Items { a, b, next } => {
                let index = *next - 1;
                let side = |array: &ArrayView<'_>| match array.get(index) {
                    Some(_) => AccessStep::ArrayItem(index),
                    None => AccessStep::ArrayItemMissing(index),
                };
                (side(a), side(b))
            }
            Children::Entries { entries, next, .. } => {
                let entry = &entries[((*next - 1) / 2).min(entries.len() - 1)];
                let key = path_key(entry.key);
                match entry.other {
                    Some((other, _)) => (AccessStep::MapItem(key), AccessStep::MapItem(path_key(other))),
                    None if entry.is_extra => (AccessStep::MapItemMissing(key.clone()), AccessStep::MapItem(key)),
                    None => (AccessStep::MapItem(key.clone()), AccessStep::MapItemMissing(key)),
                }
            }
        }
    }
}

/// Pairs the entries of two maps by key: plain keys by value, bound objects by their binding, other objects by
/// identity.
pub(super) fn pair_entries<'a>(
    a: &'a MapData,
    b: &'a MapData,
    bindings: &Bindings<'a>,
    order: MapOrder,
) -> Children<'a> {
    let mut entries: Vec<(Rank, Entry<'a>)> = Vec::with_capacity(a.len());
    let mut is_paired = vec![false; b.len()];
    for (key, value) in a.iter() {
        let bound = key.as_object().and_then(|key| bindings.get(key));
        let (rank, other_key) = match (bound, key) {
            (Some(bound), _) => (Rank::Bound(bound.order), Some(AnyView::Object(bound.rhs))),
            (None, AnyView::Object(object)) if !is_plain(key) => {
                // An unbound object stands for itself only if no other object of the left side does.
                let stands_for_itself = !bindings.is_bound_rhs(object);
                (Rank::Free(object.address()), stands_for_itself.then_some(key))
            }
            _ => (Rank::Plain, Some(key)),
        };
        let other = other_key.and_then(|key| b.find(key));
        if let Some((index, ..)) = other {
            is_paired[index] = true;
        }
        let other = other.map(|(_, key, value)| (key, value));
        let compare_keys = matches!(rank, Rank::Free(_)) && is_comparable(key);
        entries.push((rank, Entry { key, value, other, compare_keys, is_extra: false }));
    }
    if order == MapOrder::Canonical && entries.len() > 1 {
        entries.sort_by(|(rank, entry), (other_rank, other)| match (rank, other_rank) {
            (Rank::Plain, Rank::Plain) => compare_plain(entry.key, other.key),
            _ => rank.cmp(other_rank),
        });
    }
    let extra = is_paired.iter().position(|paired| !paired).and_then(|index| b.entry(index));
    let entries = entries.into_iter().map(|(_, entry)| entry).collect();
    Children::Entries { entries, extra, next: 0 }
}

/// Whether a key is compared beyond its identity.
fn is_comparable(key: AnyView<'_>) -> bool {
    key.as_object().is_some_and(|object| object.type_info().kind != SEqHashKind::Unsupported)
}

/// Where an entry comes in the canonical order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Plain,
    Bound(usize),
    Free(usize),
}

/// How a key is written in a path.
fn path_key(key: AnyView<'_>) -> PathKey {
    match key {
        AnyView::Int(value) => PathKey::Int(value),
        AnyView::Object(object) => match object.as_str() {
            Some(text) => PathKey::Str(text.to_owned()),
            None => PathKey::Other { type_key: object.type_key(), label: crate::repr::label(object) },
        },
        other => PathKey::Other { type_key: other.type_key(), label: format!("{other:?}") },
    }
}

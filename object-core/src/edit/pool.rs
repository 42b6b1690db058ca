//! The objects that only one side has, and the search for their counterparts at other places: moved objects, renamed
//! functions, arguments that an edit wraps.
//!
//! This is the matching of GumTree (Falleri et al., "Fine-grained and accurate source code differencing", ASE 2014) over
//! what the alignment of a diff leaves: top-down, the largest objects of equal shape first; then bottom-up, objects of which
//! most parts have counterparts.

use std::collections::BinaryHeap;

use crate::error::Result;
use crate::object::{AnyView, DefRegionKind, ObjectView, SEqHashKind};
use crate::structural::matching::{Matcher, Pair};
use crate::table::{AddressSet, AddressTable, Table};

use super::relation::is_whole;

/// The least number of objects in a part that may move on its own. Smaller parts are in many places by chance.
const LEAST_MOVED: u32 = 3;

/// The number of objects of one shape that the search tries for one object.
const CANDIDATES: usize = 4;

/// The rounds of the search. A matched pair leaves further objects without counterparts, which the next round has.
const ROUNDS: usize = 4;

/// The objects of each side that walks have compared with others, part by part or as a whole.
#[derive(Default)]
pub(super) struct Met {
    compared: [AddressSet; 2],
    /// The number of pairs in `compared`.
    count: usize,
}

impl Met {
    /// Adds the objects of the walks since the last call.
    pub(super) fn update(&mut self, matcher: &mut Matcher<'_>) {
        let new = &matcher.record().compared[self.count..];
        self.count += new.len();
        for (a, b) in new {
            self.compared[0].insert(a.address());
            self.compared[1].insert(b.address());
        }
        matcher.index_proofs();
    }

    /// Whether a walk has met an object of a side.
    pub(super) fn contains<'a>(&self, matcher: &Matcher<'a>, side: usize, object: ObjectView<'a>) -> bool {
        self.compared[side].contains(&object.address()) || matcher.is_known(side, object)
    }
}

/// An object of a pool.
struct Member<'a> {
    object: ObjectView<'a>,
    /// The index of the member from which the search for members began.
    root: usize,
    /// The number of objects below, itself included.
    size: u32,
    shape: u64,
    is_matched: bool,
    /// The indices of the children among the members.
    children: Vec<usize>,
}

/// The objects of one side without counterparts, and the objects below them.
#[derive(Default)]
struct Pool<'a> {
    members: Vec<Member<'a>>,
    index: AddressTable<usize>,
}

impl<'a> Pool<'a> {
    /// The pool of a side, without the objects that walks have met.
    fn new(matcher: &mut Matcher<'a>, side: usize, roots: &[ObjectView<'a>], met: &Met) -> Self {
        let mut pool = Pool::default();
        for root in roots {
            let first = pool.members.len();
            pool.add(matcher, (side, *root), first, met);
        }
        for at in (0..pool.members.len()).rev() {
            let size: u32 = pool.members[at].children.iter().fold(1, |sum, child| {
                let below = if *child > at { pool.members[*child].size } else { 1 };
                sum.saturating_add(below)
            });
            pool.members[at].size = size;
        }
        pool
    }

    /// Adds an object and the objects below it.
    fn add(&mut self, matcher: &mut Matcher<'a>, (side, object): (usize, ObjectView<'a>), root: usize, met: &Met) {
        let mut stack = vec![(object, None)];
        while let Some((object, parent)) = stack.pop() {
            if is_whole(object) || met.contains(matcher, side, object) {
                continue;
            }
            let next = self.members.len();
            let at = *self.index.entry(object.address()).or_insert(next);
            if let Some(parent) = parent {
                let above: &mut Member<'a> = &mut self.members[parent];
                above.children.push(at);
            }
            if at == next {
                let shape = matcher.shape(object);
                let member = Member { object, root, size: 1, shape, is_matched: false, children: Vec::new() };
                self.members.push(member);
                stack.extend(object.object_children().map(|child| (child, Some(at))));
            }
        }
    }

    /// The number of members from one root.
    fn count(&self, root: usize) -> u32 {
        self.members[root..].iter().take_while(|member| member.root == root).count() as u32
    }

    /// Marks a member and all members below it as matched.
    fn mark(&mut self, at: usize) {
        let mut stack = vec![at];
        while let Some(at) = stack.pop() {
            let member = &mut self.members[at];
            if !std::mem::replace(&mut member.is_matched, true) {
                stack.extend(&member.children);
            }
        }
    }
}

/// Finds counterparts for the objects that only one side has.
///
/// # Errors
/// As [`Matcher::compare`].
pub(super) fn match_singles<'a>(matcher: &mut Matcher<'a>) -> Result<()> {
    let mut met = Met::default();
    for _ in 0..ROUNDS {
        let [lhs, rhs] = std::mem::take(&mut matcher.record().single);
        if lhs.is_empty() || rhs.is_empty() {
            break;
        }
        met.update(matcher);
        let lhs = Pool::new(matcher, 0, &lhs, &met);
        let rhs = Pool::new(matcher, 1, &rhs, &met);
        let mut search = Search { matcher, lhs, rhs };
        search.match_equal()?;
        search.match_similar()?;
    }
    Ok(())
}

/// Makes the keys of maps correspond whose values do, such as a renamed function and its variable.
///
/// # Errors
/// As [`Matcher::compare`].
pub(super) fn match_keys<'a>(matcher: &mut Matcher<'a>) -> Result<()> {
    let record = matcher.record();
    let maps: Vec<Pair<'a>> = record.compared.iter().filter(|(a, _)| a.as_map().is_some()).copied().collect();
    let is_variable = |key: &ObjectView<'a>| key.type_info().kind == SEqHashKind::FreeVar;
    let entries = |map: ObjectView<'a>| {
        let entries = map.as_map().into_iter().flat_map(|map| map.iter());
        entries.filter_map(move |(key, value)| Some((key.as_object().filter(is_variable)?, value.as_object()?)))
    };
    let values: AddressSet = maps.iter().flat_map(|(map, _)| entries(*map)).map(|(_, value)| value.address()).collect();
    if values.is_empty() {
        return Ok(());
    }
    let mut images: AddressTable<ObjectView<'a>> = AddressTable::default();
    for (a, b) in &record.compared {
        if values.contains(&a.address()) {
            images.entry(a.address()).or_insert(*b);
        }
    }
    matcher.index_proofs();
    for (a, b) in maps {
        let keys: AddressTable<ObjectView<'a>> = entries(b).map(|(key, value)| (value.address(), key)).collect();
        for (key, value) in entries(a) {
            let image = images.get(&value.address()).copied().or_else(|| matcher.counterpart(0, value));
            if let Some(other) = image.and_then(|image| keys.get(&image.address())) {
                matcher.compare(AnyView::Object(key), AnyView::Object(*other), DefRegionKind::Recursive)?;
            }
        }
    }
    Ok(())
}

struct Search<'a, 'm> {
    matcher: &'m mut Matcher<'a>,
    lhs: Pool<'a>,
    rhs: Pool<'a>,
}

impl<'a> Search<'a, '_> {
    /// Matches members of equal shape, the largest first.
    fn match_equal(&mut self) -> Result<()> {
        let mut by_shape: Table<u64, Vec<usize>> = Table::default();
        for (at, member) in self.lhs.members.iter().enumerate().rev() {
            by_shape.entry(member.shape).or_default().push(at);
        }
        let is_root = |(at, member): &(usize, &Member<'a>)| member.root == *at;
        let roots = self.rhs.members.iter().enumerate().filter(is_root);
        let mut queue: BinaryHeap<(u32, std::cmp::Reverse<usize>)> =
            roots.map(|(at, member)| (member.size, std::cmp::Reverse(at))).collect();
        let mut is_queued = vec![false; self.rhs.members.len()];
        while let Some((size, std::cmp::Reverse(at))) = queue.pop() {
            let member = &self.rhs.members[at];
            if member.is_matched || std::mem::replace(&mut is_queued[at], true) {
                continue;
            }
            let may_move = size >= LEAST_MOVED && member.object.type_info().kind != SEqHashKind::FreeVar;
            let candidates = by_shape.get(&member.shape).filter(|_| may_move).cloned().unwrap_or_default();
            match self.counterpart(at, &candidates)? {
                Some(other) => {
                    self.lhs.mark(other);
                    self.rhs.mark(at);
                }
                None => {
                    let children = self.rhs.members[at].children.iter();
                    queue.extend(children.map(|child| (self.rhs.members[*child].size, std::cmp::Reverse(*child))));
                }
            }
        }
        Ok(())
    }

    /// The member of the left side that equals a member of the right side.
    fn counterpart(&mut self, at: usize, candidates: &[usize]) -> Result<Option<usize>> {
        let object = self.rhs.members[at].object;
        let free = candidates.iter().rev().copied().filter(|other| !self.lhs.members[*other].is_matched);
        let mut free: Vec<usize> = free.take(CANDIDATES).collect();
        let names = self.matcher.names(object);
        free.sort_by_key(|other| self.matcher.names(self.lhs.members[*other].object) != names);
        for other in free {
            let lhs = self.lhs.members[other].object;
            if std::ptr::eq(lhs.type_info(), object.type_info()) && self.matcher.match_alike(lhs, object)? {
                return Ok(Some(other));
            }
        }
        Ok(None)
    }

    /// Matches the roots of both pools whose matched parts are most of their parts.
    fn match_similar(&mut self) -> Result<()> {
        // For each shape, the roots with parts of it, and the number of these parts.
        let mut by_shape: Table<u64, Vec<(usize, u32)>> = Table::default();
        for member in &self.lhs.members {
            let roots = by_shape.entry(member.shape).or_default();
            match roots.iter().position(|(root, _)| *root == member.root) {
                Some(known) => roots[known].1 += 1,
                None if roots.len() < CANDIDATES => roots.push((member.root, 1)),
                None => {}
            }
        }
        let mut counts: Table<(usize, u64), u32> = Table::default();
        for member in &self.rhs.members {
            *counts.entry((member.root, member.shape)).or_default() += 1;
        }
        let mut common: Table<(usize, usize), u32> = Table::default();
        for ((rhs_root, shape), count) in counts {
            for (root, other) in by_shape.get(&shape).into_iter().flatten() {
                *common.entry((*root, rhs_root)).or_default() += count.min(*other);
            }
        }
        let mut pairs: Vec<(u32, usize, usize)> = common.into_iter().map(|((i, j), shared)| (shared, i, j)).collect();
        pairs.sort_by_key(|(shared, i, j)| (std::cmp::Reverse(*shared), *j, *i));
        for (shared, i, j) in pairs {
            let (lhs, rhs) = (&self.lhs.members[i], &self.rhs.members[j]);
            let is_alike = std::ptr::eq(lhs.object.type_info(), rhs.object.type_info())
                && u64::from(shared) * 4 >= u64::from(self.lhs.count(i)) + u64::from(self.rhs.count(j));
            if !lhs.is_matched && !rhs.is_matched && is_alike {
                let (a, b) = (lhs.object, rhs.object);
                (self.lhs.members[i].is_matched, self.rhs.members[j].is_matched) = (true, true);
                self.matcher.compare(AnyView::Object(a), AnyView::Object(b), DefRegionKind::None)?;
            }
        }
        Ok(())
    }
}

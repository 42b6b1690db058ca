//! [`EqualClasses`]: a union-find of the shared objects that the comparison found equal, so that it walks each pair
//! once.
//!
//! Equality under a correspondence that only grows is an equivalence: if `a` equals `b` and `c`, and `a'` equals `b`,
//! then `a'` equals `c`, because all four unfold to the same content up to the one-to-one correspondence. So a
//! union-find over objects is enough, and keeps the number of walked pairs linear where a table of pairs would not
//! (Hopcroft and Karp, "A linear algorithm for testing equivalence of finite automata", 1971). An object may occur on
//! both sides; its two occurrences are different members, because the correspondence need not map its variables to
//! themselves.
//!
//! Most objects equal one object of the other side. So each object of the left side has the first object that it equals, and
//! only objects of the right side that equal others of their side are members of the union-find.

use crate::object::ObjectView;
use crate::table::AddressMap;

/// A union-find over the objects of both sides.
#[derive(Default)]
pub(crate) struct EqualClasses<'a> {
    /// For objects of the left side, an object of the right side that is in their class.
    firsts: AddressMap<ObjectView<'a>>,
    /// The numbers of objects of the right side in classes with several of them.
    members: AddressMap<u32>,
    parents: Vec<u32>,
    /// The changes since the last call of [`record`](Self::record), the newest one last; nothing before the first call.
    changes: Vec<Change>,
    is_recording: bool,
}

/// A change of the classes.
enum Change {
    /// The object of the left side at this address got a class.
    First(usize),
    /// The object of the right side at this address became a member.
    Member(usize),
    /// This member got another parent. The second number is the earlier one.
    Parent(u32, u32),
}

impl<'a> EqualClasses<'a> {
    /// Whether `a` of the left and `b` of the right side are in one class.
    #[inline]
    pub(crate) fn contains(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) -> bool {
        self.firsts.get(a.address()).is_some_and(|first| first.ptr_eq(b) || self.are_joined(first, b))
    }

    /// Whether two objects of the right side are in one class.
    fn are_joined(&mut self, first: ObjectView<'a>, b: ObjectView<'a>) -> bool {
        let Some((x, y)) = self.members.get(first.address()).zip(self.members.get(b.address())) else { return false };
        self.root(x) == self.root(y)
    }

    /// Remembers that `a` of the left and `b` of the right side are equal.
    pub(crate) fn insert(&mut self, a: ObjectView<'a>, b: ObjectView<'a>) {
        match self.firsts.slot(a.address()) {
            Some(first) if first.ptr_eq(b) => {}
            Some(first) => {
                let first = *first;
                self.join(first, b);
            }
            slot => {
                *slot = Some(b);
                self.changed(Change::First(a.address()));
            }
        }
    }

    /// Makes two objects of the right side members of one class.
    fn join(&mut self, first: ObjectView<'a>, b: ObjectView<'a>) {
        let (x, y) = (self.member(first), self.member(b));
        let (x, y) = (self.root(x), self.root(y));
        // The older class stays the root: classes are few and paths are halved on each look-up.
        if x != y {
            self.set_parent(x.max(y), x.min(y));
        }
    }

    /// Begins to record changes, and forgets the earlier ones.
    pub(crate) fn record(&mut self) {
        self.changes.clear();
        self.is_recording = true;
    }

    /// The number of recorded changes.
    pub(crate) fn recorded(&self) -> usize {
        self.changes.len()
    }

    /// Takes back all recorded changes after the first `count`.
    pub(crate) fn roll_back(&mut self, count: usize) {
        for change in self.changes.drain(count.min(self.changes.len())..).rev() {
            match change {
                Change::Parent(member, parent) => self.parents[member as usize] = parent,
                Change::First(address) => *self.firsts.slot(address) = None,
                Change::Member(address) => {
                    *self.members.slot(address) = None;
                    self.parents.pop();
                }
            }
        }
    }

    #[inline]
    fn changed(&mut self, change: Change) {
        if self.is_recording {
            self.changes.push(change);
        }
    }

    fn set_parent(&mut self, member: u32, parent: u32) {
        let before = std::mem::replace(&mut self.parents[member as usize], parent);
        self.changed(Change::Parent(member, before));
    }

    fn member(&mut self, object: ObjectView<'a>) -> u32 {
        if let Some(member) = self.members.get(object.address()) {
            return member;
        }
        let member = u32::try_from(self.parents.len()).unwrap_or(u32::MAX);
        self.parents.push(member);
        *self.members.slot(object.address()) = Some(member);
        self.changed(Change::Member(object.address()));
        member
    }

    /// The representative of the class of `member`, halving the path to it.
    fn root(&mut self, mut member: u32) -> u32 {
        while self.parents[member as usize] != member {
            let grandparent = self.parents[self.parents[member as usize] as usize];
            self.set_parent(member, grandparent);
            member = grandparent;
        }
        member
    }
}

//! [`EqualClasses`]: a union-find of the shared objects that the comparison found equal, so that it walks each pair
//! once.
//!
//! Equality under a correspondence that only grows is an equivalence: if `a` equals `b` and `c`, and `a'` equals `b`,
//! then `a'` equals `c`, because all four unfold to the same content up to the one-to-one correspondence. So a
//! union-find over objects is enough, and keeps the number of walked pairs linear where a table of pairs would not
//! (Hopcroft and Karp, "A linear algorithm for testing equivalence of finite automata", 1971). An object may occur on
//! both sides; its two occurrences are different members, because the correspondence need not map its variables to
//! themselves.

use crate::object::ObjectView;
use crate::table::AddressMap;

/// A union-find over the objects of both sides.
#[derive(Default)]
pub(crate) struct EqualClasses {
    /// By address; addresses of the right side have the lowest bit set, which no object's address has.
    members: AddressMap<u32>,
    parents: Vec<u32>,
    /// The changes since the last call of [`record`](Self::record), the newest one last; nothing before the first call.
    changes: Vec<Change>,
    is_recording: bool,
}

/// A change of the classes.
enum Change {
    /// The object with this key became a member.
    Member(usize),
    /// This member got another parent. The second number is the earlier one.
    Parent(u32, u32),
}

fn lhs(object: ObjectView<'_>) -> usize {
    object.address()
}

fn rhs(object: ObjectView<'_>) -> usize {
    object.address() | 1
}

impl EqualClasses {
    /// Whether `a` of the left and `b` of the right side are in one class.
    pub(crate) fn contains(&mut self, a: ObjectView<'_>, b: ObjectView<'_>) -> bool {
        if self.parents.is_empty() {
            return false;
        }
        let Some(a) = self.members.get(lhs(a)) else { return false };
        let Some(b) = self.members.get(rhs(b)) else { return false };
        a == b || self.root(a) == self.root(b)
    }

    /// Remembers that `a` of the left and `b` of the right side are equal.
    pub(crate) fn insert(&mut self, a: ObjectView<'_>, b: ObjectView<'_>) {
        let (a, b) = (self.member(lhs(a)), self.member(rhs(b)));
        let (a, b) = (self.root(a), self.root(b));
        // The older class stays the root: classes are few and paths are halved on each look-up.
        if a != b {
            self.set_parent(a.max(b), a.min(b));
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
                Change::Member(key) => {
                    *self.members.slot(key) = None;
                    self.parents.pop();
                }
            }
        }
    }

    #[inline]
    fn set_parent(&mut self, member: u32, parent: u32) {
        let before = std::mem::replace(&mut self.parents[member as usize], parent);
        if self.is_recording {
            self.changes.push(Change::Parent(member, before));
        }
    }

    fn member(&mut self, key: usize) -> u32 {
        let EqualClasses { members, parents, changes, is_recording } = self;
        *members.slot(key).get_or_insert_with(|| {
            let member = u32::try_from(parents.len()).unwrap_or(u32::MAX);
            parents.push(member);
            if *is_recording {
                changes.push(Change::Member(key));
            }
            member
        })
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

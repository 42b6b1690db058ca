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
use crate::table::AddressTable;

/// A union-find over the objects of both sides.
#[derive(Default)]
pub(crate) struct EqualClasses {
    /// By address; addresses of the right side have the lowest bit set, which no object's address has.
    members: AddressTable<u32>,
    parents: Vec<u32>,
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
        let Some(a) = self.members.get(&lhs(a)).copied() else { return false };
        let Some(b) = self.members.get(&rhs(b)).copied() else { return false };
        a == b || self.root(a) == self.root(b)
    }

    /// Remembers that `a` of the left and `b` of the right side are equal.
    pub(crate) fn insert(&mut self, a: ObjectView<'_>, b: ObjectView<'_>) {
        let (a, b) = (self.member(lhs(a)), self.member(rhs(b)));
        let (a, b) = (self.root(a), self.root(b));
        // The older class stays the root: classes are few and paths are halved on each look-up.
        self.parents[a.max(b) as usize] = a.min(b);
    }

    fn member(&mut self, key: usize) -> u32 {
        let parents = &mut self.parents;
        *self.members.entry(key).or_insert_with(|| {
            let member = u32::try_from(parents.len()).unwrap_or(u32::MAX);
            parents.push(member);
            member
        })
    }

    /// The representative of the class of `member`, halving the path to it.
    fn root(&mut self, mut member: u32) -> u32 {
        while self.parents[member as usize] != member {
            let grandparent = self.parents[self.parents[member as usize] as usize];
            self.parents[member as usize] = grandparent;
            member = grandparent;
        }
        member
    }
}

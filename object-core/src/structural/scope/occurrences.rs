//! [`Occurrences`]: where variables occur in the objects that a hash has visited, in the order of the walk.
//!
//! A position is a product of factors along the path from the innermost open scope to the occurrence. The hasher knows it
//! when it reaches the occurrence, so an occurrence takes one entry of a list. Only the end of a scope and a result that the
//! hasher remembers sum up the entries by variable.

use crate::structural::scope::positions::{Positions, Residue};
use crate::table::AddressTable;

/// The largest number of entries that the end of a scope leaves as they are.
const FEW: usize = 8;

/// An entry of the list.
#[derive(Clone)]
enum Occurrence {
    One(usize, Residue),
    /// The variables of an object that the hasher remembers.
    Many(Positions),
    /// The innermost scope bound a variable or `dag` node.
    Bound(usize),
}

/// The occurrences of variables and `dag` nodes by address, except for the occurrences of variables in the scopes that
/// bind them, once these scopes have ended.
#[derive(Clone, Default)]
pub(crate) struct Occurrences {
    /// Each entry with the number of its occurrence.
    list: Vec<(Occurrence, u64)>,
    /// The numbers of the first occurrences in the first `indexed` entries.
    first: AddressTable<u64>,
    /// The index in `list` of each object in `first`, in ascending order.
    first_at: Vec<(usize, usize)>,
    indexed: usize,
}

impl Occurrences {
    /// The number of entries.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn push_one(&mut self, address: usize, position: Residue, number: u64) {
        self.list.push((Occurrence::One(address, position), number));
    }

    pub(crate) fn push_many(&mut self, positions: Positions, number: u64) {
        if !positions.is_empty() {
            self.list.push((Occurrence::Many(positions), number));
        }
    }

    pub(crate) fn push_bound(&mut self, address: usize) {
        self.list.push((Occurrence::Bound(address), 0));
    }

    /// The number of the first occurrence of an object that nothing binds, if it occurred.
    pub(crate) fn first(&mut self, address: usize) -> Option<u64> {
        let (first, first_at) = (&mut self.first, &mut self.first_at);
        for (index, (occurrence, number)) in self.list.iter().enumerate().skip(self.indexed) {
            let mut add = |address: usize| {
                first.entry(address).or_insert_with(|| {
                    first_at.push((index, address));
                    *number
                });
            };
            match occurrence {
                Occurrence::One(address, _) => add(*address),
                Occurrence::Many(positions) => positions.for_each(|address, _| add(address)),
                Occurrence::Bound(_) => {}
            }
        }
        self.indexed = self.list.len();
        self.first.get(&address).copied()
    }

    /// An empty list, for a walk in another thread that continues here.
    #[cfg(feature = "rayon")]
    pub(crate) fn continued(&mut self) -> Self {
        self.first(0);
        Occurrences { first: self.first.clone(), ..Occurrences::default() }
    }

    /// Removes the entries from `start` on.
    fn take_from(&mut self, start: usize) -> Vec<(Occurrence, u64)> {
        while let Some((_, address)) = self.first_at.pop_if(|(index, _)| *index >= start) {
            self.first.remove(&address);
        }
        self.indexed = self.indexed.min(start);
        self.list.split_off(start)
    }

    /// Removes the occurrences since `start` of the objects that the innermost scope bound since then, after they were
    /// bound, and returns the sum of the positions of each.
    pub(crate) fn take_own(&mut self, start: usize, steps: &mut u32) -> AddressTable<Residue> {
        let mut own = AddressTable::default();
        if !self.list[start..].iter().any(|(it, _)| matches!(it, Occurrence::Bound(_))) {
            return own;
        }
        let (mut many, mut many_number) = (Positions::default(), 0);
        for (occurrence, number) in self.take_from(start) {
            *steps = steps.wrapping_add(1);
            match occurrence {
                Occurrence::One(address, position) => match own.get_mut(&address) {
                    Some(sum) => *sum = sum.plus(position),
                    None => self.push_one(address, position, number),
                },
                Occurrence::Many(positions) if own.is_empty() => self.push_many(positions, number),
                Occurrence::Many(positions) => {
                    (many, many_number) = (std::mem::take(&mut many).plus(positions, steps), number);
                }
                Occurrence::Bound(address) => {
                    let rest = std::mem::take(&mut many).without(&mut own, steps);
                    self.push_many(rest, many_number);
                    own.entry(address).or_insert(Residue::ZERO);
                }
            }
        }
        let rest = many.without(&mut own, steps);
        self.push_many(rest, many_number);
        own
    }

    /// Sums up the occurrences since `start` by object, and removes them. The hasher has taken the own ones out.
    pub(crate) fn take_sum(&mut self, start: usize, steps: &mut u32) -> Positions {
        let all = self.take_from(start).into_iter();
        all.fold(Positions::default(), |sum, (occurrence, _)| match occurrence {
            Occurrence::One(address, position) => sum.plus(Positions::of(address, position), steps),
            Occurrence::Many(positions) => sum.plus(positions, steps),
            Occurrence::Bound(_) => sum,
        })
    }

    /// Multiplies the positions since `start` by `factor`, at the end of a scope.
    pub(crate) fn scale(&mut self, start: usize, factor: Residue, number: u64, steps: &mut u32) {
        if self.list.len() - start > FEW {
            let sum = self.take_sum(start, steps);
            return self.push_many(sum.scaled(factor), number);
        }
        for (occurrence, _) in &mut self.list[start..] {
            match occurrence {
                Occurrence::One(_, position) => *position = position.times(factor),
                Occurrence::Many(positions) => *positions = positions.scaled(factor),
                Occurrence::Bound(_) => {}
            }
        }
    }
}

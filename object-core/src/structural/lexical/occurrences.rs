//! [`Occurrences`]: where variables occur in the objects that a hash has visited, in the order of the walk.
//!
//! A position is a product of factors along the path from the innermost open scope to the occurrence. The hasher knows it
//! when it reaches the occurrence, so an occurrence takes one entry of a list. Only the end of a scope and a result that the
//! hasher remembers sum up the entries by variable.

use std::collections::hash_map::Entry;

use crate::structural::lexical::positions::{Positions, PowerSums, Residue};
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
    /// The innermost scope bound `dag` nodes of an object that the hasher remembers. They occur at these positions.
    BoundMany(Positions),
}

/// The positions of the objects that a scope bound.
#[derive(Default)]
pub(crate) struct OwnPositions {
    /// The objects that it bound one by one, by address.
    single: AddressTable<Residue>,
    many: Positions,
}

impl OwnPositions {
    pub(crate) fn is_empty(&self) -> bool {
        self.single.is_empty() && self.many.is_empty()
    }

    /// The sums of the powers of the positions.
    pub(crate) fn sums(&self, steps: &mut u32) -> PowerSums {
        let single = self.single.values().map(|position| PowerSums::of(*position));
        single.fold(self.many.sums(steps), PowerSums::plus)
    }

    /// The positions as one map.
    pub(crate) fn into_map(self, steps: &mut u32) -> Positions {
        let single = self.single.into_iter().map(|(address, position)| Positions::of(address, position));
        single.fold(self.many, |sum, position| sum.plus(position, steps))
    }
}

/// The occurrences of variables and `dag` nodes by address, except for the occurrences of variables in the scopes that
/// bind them, once these scopes have ended.
#[derive(Clone, Default)]
pub(crate) struct Occurrences {
    /// Each entry with the number of its occurrence.
    list: Vec<(Occurrence, u64)>,
    /// The numbers of the first occurrences in the first `indexed` entries, by the addresses of the objects. The table also has
    /// the addresses of the parts of entries of several objects, so that a part that entries share is entered once.
    first: AddressTable<u64>,
    /// The index in `list` of each address in `first`, in ascending order.
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

    /// Records that the innermost scope bound `dag` nodes, none of which it used before, and that they occur at `positions`.
    pub(crate) fn push_bound_many(&mut self, positions: Positions) {
        self.list.push((Occurrence::BoundMany(positions), 0));
    }

    /// The number of the first occurrence of an object that nothing binds, if it occurred.
    pub(crate) fn first(&mut self, address: usize) -> Option<u64> {
        let (first, first_at) = (&mut self.first, &mut self.first_at);
        for (index, (occurrence, number)) in self.list.iter().enumerate().skip(self.indexed) {
            let mut add = |address: usize| match first.entry(address) {
                Entry::Occupied(_) => false,
                Entry::Vacant(vacant) => {
                    vacant.insert(*number);
                    first_at.push((index, address));
                    true
                }
            };
            match occurrence {
                Occurrence::One(address, _) => {
                    add(*address);
                }
                Occurrence::Many(positions) => {
                    let mut objects = Vec::new();
                    positions.for_each_part(&mut add, |address, _| objects.push(address));
                    for address in objects {
                        add(address);
                    }
                }
                // Nothing looks for the first occurrence of a `dag` node.
                Occurrence::Bound(_) | Occurrence::BoundMany(_) => {}
            }
        }
        self.indexed = self.list.len();
        self.first.get(&address).copied()
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
    pub(crate) fn take_own(&mut self, start: usize, steps: &mut u32) -> OwnPositions {
        let is_bound = |it: &Occurrence| matches!(it, Occurrence::Bound(_) | Occurrence::BoundMany(_));
        if !self.list[start..].iter().any(|(it, _)| is_bound(it)) {
            return OwnPositions::default();
        }
        let OwnPositions { single: mut own, many: mut own_many } = OwnPositions::default();
        // The positions in entries of several objects before each object was bound.
        let mut before: Vec<(usize, Option<Residue>)> = Vec::new();
        let (mut many, mut many_number) = (Positions::default(), 0);
        for (occurrence, number) in self.take_from(start) {
            *steps = steps.wrapping_add(1);
            match occurrence {
                Occurrence::One(address, position) => match own.get_mut(&address) {
                    Some(sum) => *sum = sum.plus(position),
                    None if own_many.contains(address) => {
                        own_many = own_many.plus(Positions::of(address, position), steps);
                    }
                    None => self.push_one(address, position, number),
                },
                Occurrence::Many(positions) => {
                    (many, many_number) = (std::mem::take(&mut many).plus(positions, steps), number);
                }
                Occurrence::Bound(address) => {
                    own.entry(address).or_insert_with(|| {
                        before.push((address, many.get(address)));
                        Residue::ZERO
                    });
                }
                Occurrence::BoundMany(positions) => own_many = own_many.plus(positions, steps),
            }
        }
        for (address, before) in before {
            if let (Some(all), Some(sum)) = (many.get(address), own.get_mut(&address)) {
                *sum = sum.plus(all).minus(before.unwrap_or(Residue::ZERO));
                many.remove(address, steps);
                if let Some(before) = before {
                    many = many.plus(Positions::of(address, before), steps);
                }
            }
        }
        let (inside, many) = many.partition(&own_many, steps);
        self.push_many(many, many_number);
        OwnPositions { single: own, many: own_many.plus(inside, steps) }
    }

    /// Sums up the occurrences since `start` by object, and removes them. The hasher has taken the own ones out.
    pub(crate) fn take_sum(&mut self, start: usize, steps: &mut u32) -> Positions {
        if let [(Occurrence::Many(_), _)] = &self.list[start..]
            && let Some((Occurrence::Many(only), _)) = self.take_from(start).pop()
        {
            return only;
        }
        // A sum shares fewer parts with the next addend than two equal addends with each other, so equal ones come first.
        let (mut ones, mut many) = (AddressTable::default(), Vec::<Positions>::new());
        let mut index_of_part = AddressTable::default();
        for (occurrence, _) in self.take_from(start) {
            *steps = steps.wrapping_add(1);
            match occurrence {
                Occurrence::One(address, position) => {
                    let sum: &mut Residue = ones.entry(address).or_insert(Residue::ZERO);
                    *sum = sum.plus(position);
                }
                Occurrence::Many(positions) => {
                    let index = *index_of_part.entry(positions.address()).or_insert(many.len());
                    match many.get_mut(index) {
                        Some(sum) => *sum = std::mem::take(sum).plus(positions, steps),
                        None => many.push(positions),
                    }
                }
                Occurrence::Bound(_) | Occurrence::BoundMany(_) => {}
            }
        }
        let many = many.into_iter().fold(Positions::default(), |sum, addend| sum.plus(addend, steps));
        ones.into_iter().fold(many, |sum, (address, position)| sum.plus(Positions::of(address, position), steps))
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
                Occurrence::Bound(_) | Occurrence::BoundMany(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// An entry to add.
    #[derive(Clone, Debug)]
    enum Add {
        One(usize, u64),
        /// The sum of the first entries, multiplied by a factor.
        Many(usize, u64),
        Bound(usize),
    }

    type Model = BTreeMap<usize, Residue>;

    fn adds() -> impl Strategy<Value = Vec<Add>> {
        let object = 0..12_usize;
        let add = prop_oneof![
            (object.clone(), any::<u64>()).prop_map(|(object, state)| Add::One(8 * object, state)),
            (0..6_usize, any::<u64>()).prop_map(|(count, state)| Add::Many(count, state)),
            object.prop_map(|object| Add::Bound(8 * object)),
        ];
        prop::collection::vec(add, 0..40)
    }

    fn plus(sums: &mut Model, object: usize, position: Residue) {
        let sum = sums.entry(object).or_insert(Residue::ZERO);
        *sum = sum.plus(position);
    }

    fn entries(positions: &Positions) -> Model {
        let mut model = Model::new();
        positions.for_each(|object, position| plus(&mut model, object, position));
        model
    }

    proptest! {
        #[test]
        fn own_occurrences_are_those_after_the_binding(adds in adds()) {
            let (mut occurrences, mut own, mut outer) = (Occurrences::default(), Model::new(), Model::new());
            let mut parts = vec![Positions::default()];
            for (number, add) in adds.iter().enumerate() {
                let number = number as u64 + 1;
                let added = match add {
                    Add::One(object, state) => {
                        occurrences.push_one(*object, Residue::of_state(*state), number);
                        Positions::of(*object, Residue::of_state(*state))
                    }
                    Add::Many(part, state) => {
                        let many = parts[part % parts.len()].scaled(Residue::of_state(*state));
                        occurrences.push_many(many.clone(), number);
                        many
                    }
                    Add::Bound(object) => {
                        occurrences.push_bound(*object);
                        own.entry(*object).or_insert(Residue::ZERO);
                        continue;
                    }
                };
                added.for_each(|object, position| match own.contains_key(&object) {
                    true => plus(&mut own, object, position),
                    false => plus(&mut outer, object, position),
                });
                let sum = parts[parts.len() - 1].clone().plus(added, &mut 0);
                parts.push(sum);
            }
            let used: Vec<usize> = (0..12).map(|object| 8 * object).collect();
            let expected: Vec<bool> =
                used.iter().map(|it| parts[parts.len() - 1].contains(*it)).collect();
            let found: Vec<bool> = used.iter().map(|it| occurrences.first(*it).is_some()).collect();
            prop_assert_eq!(found, expected);
            prop_assert_eq!(entries(&occurrences.take_own(0, &mut 0).into_map(&mut 0)), own);
            for object in &used {
                prop_assert_eq!(occurrences.first(*object).is_some(), outer.contains_key(object));
            }
            prop_assert_eq!(entries(&occurrences.take_sum(0, &mut 0)), outer);
            prop_assert_eq!(occurrences.len(), 0);
        }

        #[test]
        fn a_factor_and_its_inverse_cancel(state: u64, other: u64) {
            let (factor, position) = (Residue::of_state(state), Residue::of_state(other));
            prop_assert_eq!(position.times(factor).times(factor.inverse()), position);
        }
    }
}

//! [`Occurrences`]: where variables occur in the objects that a hash has visited, in the order of the walk.
//!
//! A position is a product of factors along the path from the innermost open scope to the occurrence. The hasher knows it
//! when it reaches the occurrence, so an occurrence takes one entry of a list. Only the end of a scope and a result that the
//! hasher remembers sum up the entries by variable.

use std::collections::hash_map::Entry;

use crate::structural::lexical::positions::{Positions, PowerSums, Residue};
use crate::table::{AddressTable, OrderedTable};

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
    /// A scope that has ended exports a variable, which occurs at this position in it. The innermost scope binds the variable
    /// anew, so the occurrences so far are occurrences of another one.
    Rebound(usize, Residue),
    /// The innermost scope exports the present binding of the variable.
    Exported(usize),
    /// The innermost scope bound variables in an object that the hasher remembers, and bound others in their place. These
    /// are the sums of powers of their positions.
    Hidden(PowerSums),
}

/// The positions of the objects that a scope bound.
pub(crate) struct OwnPositions {
    /// The objects that it bound one by one, by address.
    single: AddressTable<Residue>,
    many: Positions,
    /// The variables that others have taken the place of.
    hidden: PowerSums,
    /// The variables that the scope exports, or that a scope in the object exports.
    pub(crate) exports: Vec<(usize, Residue)>,
}

impl Default for OwnPositions {
    fn default() -> Self {
        let (single, many) = (AddressTable::default(), Positions::default());
        OwnPositions { single, many, hidden: PowerSums::ZERO, exports: Vec::new() }
    }
}

impl OwnPositions {
    pub(crate) fn is_empty(&self) -> bool {
        self.single.is_empty() && self.many.is_empty() && self.hidden == PowerSums::ZERO
    }

    /// The sums of the powers of the positions of variables that others have taken the place of.
    pub(crate) fn hidden(&self) -> PowerSums {
        self.hidden
    }

    /// The sums of the powers of the positions.
    pub(crate) fn sums(&self, steps: &mut u32) -> PowerSums {
        let single = self.single.values().map(|position| PowerSums::of(*position));
        single.fold(self.many.sums(steps).plus(self.hidden), PowerSums::plus)
    }

    /// The positions as one map, without the exports.
    pub(crate) fn into_map(self, steps: &mut u32) -> Positions {
        let single = self.single.into_iter().map(|(address, position)| Positions::of(address, position));
        single.fold(self.many, |sum, position| sum.plus(position, steps))
    }
}

/// The binding of an object that a scope bound one by one.
struct OwnBinding {
    /// The sum of the positions in entries of one object.
    sum: Residue,
    /// The position in entries of several objects before this binding, and before the first binding of the object.
    before: Residue,
    outer: Option<Residue>,
    is_rebound: bool,
    is_exported: bool,
    /// The position of an earlier binding that the scope exports.
    exported: Option<Residue>,
}

impl OwnBinding {
    /// A binding of an object that occurs at `outer` before it in entries of several objects.
    fn first(outer: Option<Residue>) -> Self {
        let before = outer.unwrap_or(Residue::ZERO);
        OwnBinding { sum: Residue::ZERO, before, outer, is_rebound: false, is_exported: false, exported: None }
    }

    /// The position, if the object occurs at `all` in entries of several objects.
    fn position(&self, all: Residue) -> Residue {
        self.sum.plus(all).minus(self.before)
    }

    /// Begins another binding of the object, which occurs at `position` already. Returns the position of a binding that ends
    /// and that the scope does not export.
    fn rebind(&mut self, position: Residue, all: Residue) -> Residue {
        let mut hidden = self.position(all);
        if self.is_exported {
            hidden = self.exported.replace(hidden).unwrap_or(Residue::ZERO);
        }
        (self.sum, self.before, self.is_rebound, self.is_exported) = (position, all, true, false);
        hidden
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

    /// Records that a scope that has ended exports a variable, which occurs at `position` in it.
    pub(crate) fn push_rebound(&mut self, address: usize, position: Residue) {
        self.list.push((Occurrence::Rebound(address, position), 0));
    }

    /// Records that the innermost scope exports the present binding of a variable.
    pub(crate) fn push_exported(&mut self, address: usize) {
        self.list.push((Occurrence::Exported(address), 0));
    }

    /// Records variables that the innermost scope bound and that others have taken the place of, by the sums of powers of
    /// their positions.
    pub(crate) fn push_hidden(&mut self, sums: PowerSums) {
        if sums != PowerSums::ZERO {
            self.list.push((Occurrence::Hidden(sums), 0));
        }
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
                // Nothing looks for the first occurrence of a `dag` node, or of a bound variable.
                Occurrence::Bound(_) | Occurrence::BoundMany(_) => {}
                Occurrence::Rebound(..) | Occurrence::Exported(_) | Occurrence::Hidden(_) => {}
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
    /// bound, and returns the sum of the positions of each. `closes` says whether the scope has ended.
    pub(crate) fn take_own(&mut self, start: usize, closes: bool, steps: &mut u32) -> OwnPositions {
        if self.list[start..].iter().all(|(it, _)| matches!(it, Occurrence::One(..) | Occurrence::Many(_))) {
            return OwnPositions::default();
        }
        let mut own = OrderedTable::<usize, OwnBinding>::default();
        let mut own_many = Positions::default();
        let mut hidden = PowerSums::ZERO;
        let (mut many, mut many_number) = (Positions::default(), 0);
        for (occurrence, number) in self.take_from(start) {
            *steps = steps.wrapping_add(1);
            match occurrence {
                Occurrence::One(address, position) => match own.get_mut(&address) {
                    Some(binding) => binding.sum = binding.sum.plus(position),
                    None if own_many.contains(address) => {
                        own_many = own_many.plus(Positions::of(address, position), steps);
                    }
                    None => self.push_one(address, position, number),
                },
                Occurrence::Many(positions) => {
                    (many, many_number) = (std::mem::take(&mut many).plus(positions, steps), number);
                }
                Occurrence::Bound(address) => {
                    own.entry(address).or_insert_with(|| OwnBinding::first(many.get(address)));
                }
                Occurrence::BoundMany(positions) => own_many = own_many.plus(positions, steps),
                Occurrence::Rebound(address, position) => {
                    let all = many.get(address);
                    let binding = own.entry(address).or_insert_with(|| OwnBinding::first(all));
                    let ended = binding.rebind(position, all.unwrap_or(Residue::ZERO));
                    hidden = hidden.plus(PowerSums::of(ended));
                }
                Occurrence::Exported(address) => {
                    if let Some(binding) = own.get_mut(&address) {
                        binding.is_exported = true;
                    }
                }
                Occurrence::Hidden(sums) => hidden = hidden.plus(sums),
            }
        }
        let (mut single, mut exports) = (AddressTable::default(), Vec::new());
        for (address, binding) in own {
            let all = many.get(address);
            let position = binding.position(all.unwrap_or(Residue::ZERO));
            if all.is_some() {
                many.remove(address, steps);
                if let Some(outer) = binding.outer {
                    many = many.plus(Positions::of(address, outer), steps);
                }
            }
            let is_export = if closes { binding.is_exported } else { binding.is_rebound };
            match binding.exported {
                Some(earlier) if is_export => hidden = hidden.plus(PowerSums::of(earlier)),
                earlier => exports.extend(earlier.map(|position| (address, position))),
            }
            match is_export {
                true => exports.push((address, position)),
                false => drop(single.insert(address, position)),
            }
        }
        let (inside, many) = many.partition(&own_many, steps);
        self.push_many(many, many_number);
        OwnPositions { single, many: own_many.plus(inside, steps), hidden, exports }
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
                _ => {}
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
                _ => {}
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
            prop_assert_eq!(entries(&occurrences.take_own(0, true, &mut 0).into_map(&mut 0)), own);
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

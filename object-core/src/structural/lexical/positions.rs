//! [`Positions`]: where each variable occurs in an object, as one number per variable.
//!
//! The number of a variable is a polynomial in the states of the hash along the paths to its occurrences, modulo a
//! prime. The numbers in an object are a linear combination of the numbers in its children, so the hasher walks an
//! object once, whatever binds the variables in it. The factor of a child is made of the state before the child, so the
//! hasher knows the position of an occurrence when it reaches the occurrence. Maziarz et al. describe hashes of this kind ("Hashing modulo
//! alpha-equivalence", 2021).
//!
//! The map is a treap with shared nodes. A factor for a whole subtree takes constant time, and so does the sum of a
//! subtree with itself: an object that refers to another one twice costs no step per variable. The hash of a map takes
//! the sums of powers of its positions ([`PowerSums`]), which follow from the sums of its parts.

use std::sync::{Arc, OnceLock};

use crate::hashing::{Mixer, SEED_PLAIN, finish};
use crate::steps::step;

/// A number modulo the prime 2^61 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Residue(u64);

const PRIME: u64 = (1 << 61) - 1;

impl Residue {
    pub(crate) const ZERO: Residue = Residue(0);
    pub(crate) const ONE: Residue = Residue(1);

    /// A factor for the child before which the hash has this state. It is not zero.
    pub(crate) fn of_state(state: u64) -> Self {
        Residue((finish(state) >> 3 | 1).min(PRIME - 1))
    }

    /// The number by which a product with this one becomes a product without it. Zero has none.
    pub(crate) fn inverse(self) -> Residue {
        // By Fermat's little theorem: the power with the exponent `PRIME - 2`.
        let (mut power, mut result, mut exponent) = (self, Residue::ONE, PRIME - 2);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result.times(power);
            }
            power = power.times(power);
            exponent >>= 1;
        }
        result
    }

    /// The number, as the input of a hash.
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    pub(crate) fn plus(self, other: Residue) -> Residue {
        let sum = self.0 + other.0;
        Residue(if sum >= PRIME { sum - PRIME } else { sum })
    }

    pub(crate) fn minus(self, other: Residue) -> Residue {
        self.plus(Residue(PRIME - other.0))
    }

    pub(crate) fn times(self, other: Residue) -> Residue {
        let product = u128::from(self.0) * u128::from(other.0);
        Residue((product as u64) & PRIME).plus(Residue((product >> 61) as u64))
    }
}

/// A hash of a set of positions that does not depend on the variables: the sums of the second, third and fifth powers of
/// the positions. The first powers add up to the same number whichever of the variables occurs in each place. The others
/// do not: a square counts each pair of occurrences of one variable. A factor of all positions changes each sum by a
/// factor, so a set that several scopes have in common is summed up once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PowerSums([Residue; 3]);

impl PowerSums {
    pub(crate) const ZERO: PowerSums = PowerSums([Residue::ZERO; 3]);

    /// The powers of one position.
    pub(crate) fn of(position: Residue) -> Self {
        let square = position.times(position);
        let cube = square.times(position);
        PowerSums([square, cube, cube.times(square)])
    }

    pub(crate) fn plus(self, other: PowerSums) -> PowerSums {
        PowerSums(std::array::from_fn(|index| self.0[index].plus(other.0[index])))
    }

    /// The sums after a multiplication of all positions with `factor`.
    pub(crate) fn scaled(self, factor: Residue) -> PowerSums {
        if factor == Residue::ONE {
            return self;
        }
        let factors = PowerSums::of(factor);
        PowerSums(std::array::from_fn(|index| self.0[index].times(factors.0[index])))
    }

    pub(crate) fn hash(self, mixer: impl Mixer) -> u64 {
        self.0.iter().fold(SEED_PLAIN, |state, sum| mixer.mix(state, sum.0))
    }
}

/// The positions of variables and `dag` nodes, by address.
#[derive(Clone)]
pub(crate) struct Positions {
    root: Option<Arc<Node>>,
    /// The factor of all positions.
    factor: Residue,
}

struct Node {
    key: usize,
    position: Residue,
    size: usize,
    /// The entries with smaller keys.
    less: Positions,
    /// The entries with larger keys.
    more: Positions,
    /// The sums of powers of all positions, once the hash of a scope needs them.
    sums: OnceLock<PowerSums>,
    /// The sum of all positions, each times the number of its variable, once a table needs it.
    by_variable: OnceLock<Residue>,
}

/// Orders the nodes from the root down. The function is one-to-one, so no two keys have the same rank.
fn rank(key: usize) -> u64 {
    let product = (key as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ (product >> 32)).wrapping_mul(0xbb67_ae85_84ca_a73b)
}

impl Default for Positions {
    fn default() -> Self {
        Positions { root: None, factor: Residue::ONE }
    }
}

impl Positions {
    /// The position of one object.
    pub(crate) fn of(key: usize, position: Residue) -> Self {
        Positions::node(key, position, Positions::default(), Positions::default())
    }

    fn node(key: usize, position: Residue, less: Positions, more: Positions) -> Self {
        let size = 1 + less.len() + more.len();
        let node = Node { key, position, size, less, more, sums: OnceLock::new(), by_variable: OnceLock::new() };
        Positions { root: Some(Arc::new(node)), factor: Residue::ONE }
    }

    pub(crate) fn len(&self) -> usize {
        self.root.as_ref().map_or(0, |node| node.size)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// An address that maps have in common if they differ in the factor of all positions only; zero for an empty map.
    pub(crate) fn address(&self) -> usize {
        self.root.as_ref().map_or(0, |node| Arc::as_ptr(node) as usize)
    }

    /// The same objects with all positions multiplied by `factor`.
    pub(crate) fn scaled(&self, factor: Residue) -> Self {
        Positions { root: self.root.clone(), factor: self.factor.times(factor) }
    }

    /// The sum of the positions in both maps. The recursion is as deep as the treaps, which is logarithmic.
    /// `steps` counts the visited nodes.
    pub(crate) fn plus(self, other: Positions, steps: &mut u32) -> Positions {
        let (Some(x), Some(y)) = (&self.root, &other.root) else {
            return if self.root.is_some() { self } else { other };
        };
        step();
        *steps = steps.wrapping_add(1);
        if Arc::ptr_eq(x, y) {
            return Positions { factor: self.factor.plus(other.factor), root: self.root };
        }
        let (upper, lower) = if rank(x.key) >= rank(y.key) { (&self, &other) } else { (&other, &self) };
        let Some(top) = &upper.root else { return Positions::default() };
        let (less, same, more) = lower.split(top.key, steps);
        let position = top.position.times(upper.factor).plus(same.unwrap_or(Residue::ZERO));
        let less = top.less.scaled(upper.factor).plus(less, steps);
        Positions::node(top.key, position, less, top.more.scaled(upper.factor).plus(more, steps))
    }

    /// The entries whose keys are in `keys`, and the other entries. `steps` counts the visited nodes.
    pub(crate) fn partition(self, keys: &Positions, steps: &mut u32) -> (Positions, Positions) {
        let (Some(x), Some(y)) = (&self.root, &keys.root) else { return (Positions::default(), self) };
        if Arc::ptr_eq(x, y) {
            return (self, Positions::default());
        }
        let (is_top, key) = if rank(x.key) >= rank(y.key) { (true, x.key) } else { (false, y.key) };
        let (less, position, more) = self.split(key, steps);
        let (less_keys, is_key, more_keys) = match is_top {
            true => keys.split(key, steps),
            false => (y.less.clone(), Some(Residue::ONE), y.more.clone()),
        };
        let (less_inside, less_outside) = less.partition(&less_keys, steps);
        let (more_inside, more_outside) = more.partition(&more_keys, steps);
        match (position, is_key) {
            (Some(position), Some(_)) => {
                let inside = Positions::node(key, position, less_inside, more_inside);
                (inside, less_outside.join(more_outside, steps))
            }
            (Some(position), None) => {
                let outside = Positions::node(key, position, less_outside, more_outside);
                (less_inside.join(more_inside, steps), outside)
            }
            (None, _) => (less_inside.join(more_inside, steps), less_outside.join(more_outside, steps)),
        }
    }

    /// The sums of the powers of all positions. `steps` counts the nodes whose sums were not known.
    pub(crate) fn sums(&self, steps: &mut u32) -> PowerSums {
        let Some(node) = &self.root else { return PowerSums::ZERO };
        let sums = node.sums.get_or_init(|| {
            step();
            *steps = steps.wrapping_add(1);
            PowerSums::of(node.position).plus(node.less.sums(steps)).plus(node.more.sums(steps))
        });
        sums.scaled(self.factor)
    }

    /// A number that depends on the variable of each position. It holds in this process only.
    pub(crate) fn by_variable(&self) -> Residue {
        let Some(node) = &self.root else { return Residue::ZERO };
        let sum = node.by_variable.get_or_init(|| {
            step();
            let own = node.position.times(Residue::of_state(node.key as u64));
            own.plus(node.less.by_variable()).plus(node.more.by_variable())
        });
        sum.times(self.factor)
    }

    /// The entries with smaller keys than `key`, the position of `key`, and the entries with larger keys.
    fn split(&self, key: usize, steps: &mut u32) -> (Positions, Option<Residue>, Positions) {
        let Some(node) = &self.root else { return (Positions::default(), None, Positions::default()) };
        step();
        *steps = steps.wrapping_add(1);
        let (less, more) = (node.less.scaled(self.factor), node.more.scaled(self.factor));
        let position = node.position.times(self.factor);
        match key.cmp(&node.key) {
            std::cmp::Ordering::Equal => (less, Some(position), more),
            std::cmp::Ordering::Less => {
                let (below, same, above) = less.split(key, steps);
                (below, same, Positions::node(node.key, position, above, more))
            }
            std::cmp::Ordering::Greater => {
                let (below, same, above) = more.split(key, steps);
                (Positions::node(node.key, position, less, below), same, above)
            }
        }
    }

    /// The position of `key`.
    pub(crate) fn get(&self, key: usize) -> Option<Residue> {
        step();
        let (mut at, mut factor) = (self, Residue::ONE);
        loop {
            let node = at.root.as_ref()?;
            factor = factor.times(at.factor);
            at = match key.cmp(&node.key) {
                std::cmp::Ordering::Equal => return Some(node.position.times(factor)),
                std::cmp::Ordering::Less => &node.less,
                std::cmp::Ordering::Greater => &node.more,
            };
        }
    }

    /// Whether `key` has a position.
    pub(crate) fn contains(&self, key: usize) -> bool {
        self.get(key).is_some()
    }

    /// Removes `key`.
    pub(crate) fn remove(&mut self, key: usize, steps: &mut u32) {
        if self.contains(key) {
            let (less, _, more) = self.split(key, steps);
            *self = less.join(more, steps);
        }
    }

    /// The entries of both maps. The keys of `self` are smaller than the keys of `more`.
    fn join(self, more: Positions, steps: &mut u32) -> Positions {
        let (Some(x), Some(y)) = (&self.root, &more.root) else {
            return if self.root.is_some() { self } else { more };
        };
        step();
        *steps = steps.wrapping_add(1);
        if rank(x.key) >= rank(y.key) {
            let right = x.more.scaled(self.factor).join(more, steps);
            Positions::node(x.key, x.position.times(self.factor), x.less.scaled(self.factor), right)
        } else {
            let left = self.join(y.less.scaled(more.factor), steps);
            Positions::node(y.key, y.position.times(more.factor), left, y.more.scaled(more.factor))
        }
    }

    /// Calls `f` with each object and its position, in no particular order.
    #[cfg(test)]
    pub(crate) fn for_each(&self, f: impl FnMut(usize, Residue)) {
        self.for_each_part(|_| true, f);
    }

    /// As [`for_each`](Self::for_each), except for the parts of the map for whose address `enters` returns `false`.
    pub(crate) fn for_each_part(&self, mut enters: impl FnMut(usize) -> bool, mut f: impl FnMut(usize, Residue)) {
        let mut rest = vec![(self, Residue::ONE)];
        while let Some((map, factor)) = rest.pop() {
            if let Some(node) = &map.root
                && enters(Arc::as_ptr(node) as usize)
            {
                let factor = factor.times(map.factor);
                f(node.key, node.position.times(factor));
                rest.extend([(&node.less, factor), (&node.more, factor)]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn made(entries: &BTreeMap<usize, u64>) -> Positions {
        entries.iter().fold(Positions::default(), |sum, (key, state)| {
            sum.plus(Positions::of(8 * key, Residue::of_state(*state)), &mut 0)
        })
    }

    fn entries(positions: &Positions) -> BTreeMap<usize, u64> {
        let mut entries = BTreeMap::new();
        positions.for_each(|key, position| {
            entries.insert(key, position.0);
        });
        entries
    }

    fn maps() -> impl Strategy<Value = BTreeMap<usize, u64>> {
        prop::collection::btree_map(0..40_usize, any::<u64>(), 0..30)
    }

    proptest! {
        #[test]
        fn parts_and_sums_of_powers_follow_from_the_entries(a in maps(), keys in maps(), state: u64) {
            let all = made(&a).scaled(Residue::of_state(state));
            let (inside, outside) = all.clone().partition(&made(&keys), &mut 0);
            let (expected_inside, expected_outside): (BTreeMap<_, _>, BTreeMap<_, _>) =
                entries(&all).into_iter().partition(|(key, _)| keys.contains_key(&(key / 8)));
            prop_assert_eq!(entries(&inside), expected_inside);
            prop_assert_eq!(entries(&outside), expected_outside);
            prop_assert_eq!((inside.len(), inside.len() + outside.len()), (entries(&inside).len(), all.len()));
            let powers = entries(&all).into_values().map(|position| PowerSums::of(Residue(position)));
            let sums = powers.fold(PowerSums::ZERO, PowerSums::plus);
            prop_assert_eq!(all.sums(&mut 0), sums);
            prop_assert_eq!(inside.sums(&mut 0).plus(outside.sums(&mut 0)), sums);
            let factor = Residue::of_state(!state);
            prop_assert_eq!(all.scaled(factor).sums(&mut 0), sums.scaled(factor));
        }
    }

    #[test]
    fn sums_of_powers_distinguish_how_variables_share_places() {
        // The places of two pairs in an array of pairs: a factor of the array times a factor of the pair.
        let [s1, s2, g1, g2] = [1, 2, 3, 4].map(Residue::of_state);
        let place = |s: Residue, g: Residue| s.times(g);
        let hash = |variables: &[&[Residue]]| {
            let sum = |places: &&[Residue]| places.iter().copied().fold(Residue::ZERO, Residue::plus);
            variables.iter().map(|it| PowerSums::of(sum(it))).fold(PowerSums::ZERO, PowerSums::plus)
        };
        let [a, b, c, d] = [place(s1, g1), place(s1, g2), place(s2, g1), place(s2, g2)];
        let partitions: [&[&[Residue]]; 8] = [
            &[&[a], &[b], &[c], &[d]],
            &[&[a, d], &[b], &[c]], // The products of these two places
            &[&[b, c], &[a], &[d]], // and of these two are the same.
            &[&[a, d], &[b, c]],
            &[&[a, c], &[b, d]],
            &[&[a, b], &[c, d]],
            &[&[a, b, c], &[d]],
            &[&[a, b, c, d]],
        ];
        for (index, partition) in partitions.iter().enumerate() {
            for other in &partitions[..index] {
                assert_ne!(hash(partition), hash(other));
            }
        }
    }
}

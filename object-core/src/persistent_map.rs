//! [`PersistentMaps`]: maps and sets of small numbers that share their parts, for facts about each object of a graph.

use std::hash::{Hash, Hasher};

use crate::steps::step;
use crate::table::Table;

/// A map in a [`PersistentMaps`]. Two maps with the same entries in the same [`PersistentMaps`] have the same id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct MapId(u32);

impl MapId {
    /// The map without entries.
    pub(crate) const EMPTY: MapId = MapId(0);

    /// Whether the map has no entries.
    pub(crate) fn is_empty(self) -> bool {
        self == MapId::EMPTY
    }
}

/// Immutable maps from numbers to numbers. A set is a map in which each value is 0.
///
/// The maps are Patricia tries (Okasaki and Gill, "Fast Mergeable Integer Maps", 1998) with one copy of each node. So a
/// comparison of two maps is a comparison of two numbers, and an operation on two maps skips the parts that they have
/// in common: its cost is the size of the difference times the number of bits of the keys. Tables remember the results
/// of operations, so the same operation on the same parts takes its time once.
///
/// Keys should be dense (0, 1, 2 and so on): then maps that are built from each other share the most. The nodes live as
/// long as the `PersistentMaps`.
#[derive(Clone)]
pub(crate) struct PersistentMaps {
    nodes: Vec<Node>,
    /// The number of entries of each map.
    lengths: Vec<u32>,
    ids: Table<Node, MapId>,
    results: Table<Request, MapId>,
}

/// An entry, or a branch that covers all keys with the same high bits.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Node {
    /// The number of low bits in which covered keys differ: 0 for an entry.
    level: u8,
    /// The key of an entry, or the common high bits of all covered keys; the low bits are 0.
    prefix: u32,
    /// Of a branch, the parts in which the highest of the low bits is 0 and 1. An entry has its value in the first.
    parts: [MapId; 2],
}

impl Node {
    fn covers(&self, key: u32) -> bool {
        u64::from(key ^ self.prefix) >> self.level == 0
    }

    /// The number of the part that covers `key`.
    fn side(&self, key: u32) -> usize {
        (key >> (self.level - 1) & 1) as usize
    }
}

/// Fewer and wider writes than a derived impl makes: most of the time of an operation goes into the tables.
impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.level) << 32 | u64::from(self.prefix));
        state.write_u64(pair(self.parts[0], self.parts[1]));
    }
}

/// An operation on two maps.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Request(Operation, MapId, MapId);

/// As for [`Node`].
impl Hash for Request {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0 as u64);
        state.write_u64(pair(self.1, self.2));
    }
}

/// Two ids as one number.
fn pair(a: MapId, b: MapId) -> u64 {
    u64::from(a.0) << 32 | u64::from(b.0)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Union,
    Restrict,
    Without,
    Differing,
}

impl Default for PersistentMaps {
    fn default() -> Self {
        // No operation reads the node of the empty map.
        let empty = Node { level: 0, prefix: 0, parts: [MapId::EMPTY; 2] };
        PersistentMaps { nodes: vec![empty], lengths: vec![0], ids: Table::default(), results: Table::default() }
    }
}

impl PersistentMaps {
    /// The map with one entry.
    pub(crate) fn entry(&mut self, key: u32, value: u32) -> MapId {
        self.node(Node { level: 0, prefix: key, parts: [MapId(value), MapId::EMPTY] })
    }

    /// The entries of both maps. If both have a key, the value is the one in `b`.
    pub(crate) fn union(&mut self, a: MapId, b: MapId) -> MapId {
        self.combine(Operation::Union, a, b)
    }

    /// The entries of `map` whose keys are in `keys`.
    pub(crate) fn restrict(&mut self, map: MapId, keys: MapId) -> MapId {
        self.combine(Operation::Restrict, map, keys)
    }

    /// The entries of `map` whose keys are not in `keys`.
    pub(crate) fn without(&mut self, map: MapId, keys: MapId) -> MapId {
        self.combine(Operation::Without, map, keys)
    }

    /// The entries of `map` that `other` does not have with the same value.
    pub(crate) fn differing(&mut self, map: MapId, other: MapId) -> MapId {
        self.combine(Operation::Differing, map, other)
    }

    /// The number of entries.
    pub(crate) fn len(&self, map: MapId) -> u32 {
        self.lengths[map.0 as usize]
    }

    /// The key of a map with one entry.
    pub(crate) fn only_key(&self, map: MapId) -> Option<u32> {
        let node = self.nodes[map.0 as usize];
        (!map.is_empty() && node.level == 0).then_some(node.prefix)
    }

    /// The value of `key`.
    pub(crate) fn get(&self, map: MapId, key: u32) -> Option<u32> {
        let mut map = map;
        while !map.is_empty() {
            let node = self.nodes[map.0 as usize];
            if !node.covers(key) {
                return None;
            }
            if node.level == 0 {
                return Some(node.parts[0].0);
            }
            map = node.parts[node.side(key)];
        }
        None
    }

    /// The entries in the order of their keys.
    pub(crate) fn entries(&self, map: MapId) -> impl Iterator<Item = (u32, u32)> + '_ {
        let mut rest = vec![map];
        std::iter::from_fn(move || {
            loop {
                let map = rest.pop()?;
                if map.is_empty() {
                    continue;
                }
                let node = self.nodes[map.0 as usize];
                if node.level == 0 {
                    return Some((node.prefix, node.parts[0].0));
                }
                rest.extend([node.parts[1], node.parts[0]]);
            }
        })
    }

    /// Recurses at most 65 times: each call goes to a lower level of one map.
    fn combine(&mut self, operation: Operation, a: MapId, b: MapId) -> MapId {
        use Operation::{Differing, Restrict, Union, Without};
        match operation {
            Union if a == b || b.is_empty() => return a,
            Union if a.is_empty() => return b,
            Restrict if a == b => return a,
            Restrict if a.is_empty() || b.is_empty() => return MapId::EMPTY,
            Without | Differing if a == b || a.is_empty() => return MapId::EMPTY,
            Without | Differing if b.is_empty() => return a,
            _ => {}
        }
        step();
        let (x, y) = (self.nodes[a.0 as usize], self.nodes[b.0 as usize]);
        if x.level == 0 && y.level == 0 && x.prefix == y.prefix {
            return match operation {
                Union => b,
                Restrict | Differing => a,
                Without => MapId::EMPTY,
            };
        }
        // A walk to one entry takes about as long as the look-up of its result.
        let is_remembered = x.level > 0 && y.level > 0;
        if is_remembered && let Some(known) = self.results.get(&Request(operation, a, b)) {
            return *known;
        }
        let result = if x.level == y.level && x.prefix == y.prefix {
            let parts = [0, 1].map(|side| self.combine(operation, x.parts[side], y.parts[side]));
            self.branch(Node { parts, ..x })
        } else if x.level > y.level && x.covers(y.prefix) {
            let side = x.side(y.prefix);
            let part = self.combine(operation, x.parts[side], b);
            if operation == Restrict { part } else { self.with_part(x, side, part) }
        } else if y.level > x.level && y.covers(x.prefix) {
            let side = y.side(x.prefix);
            let part = self.combine(operation, a, y.parts[side]);
            if operation == Union { self.with_part(y, side, part) } else { part }
        } else {
            match operation {
                Union => self.join(a, x.prefix, b, y.prefix),
                Restrict => MapId::EMPTY,
                Without | Differing => a,
            }
        };
        if is_remembered {
            self.results.insert(Request(operation, a, b), result);
        }
        result
    }

    /// The union of two maps with these prefixes, neither of which covers the other one.
    fn join(&mut self, a: MapId, a_prefix: u32, b: MapId, b_prefix: u32) -> MapId {
        let level = 32 - (a_prefix ^ b_prefix).leading_zeros();
        let prefix = u64::from(a_prefix) >> level << level;
        let parts = if a_prefix < b_prefix { [a, b] } else { [b, a] };
        self.node(Node { level: level as u8, prefix: prefix as u32, parts })
    }

    fn with_part(&mut self, mut node: Node, side: usize, part: MapId) -> MapId {
        node.parts[side] = part;
        self.branch(node)
    }

    /// The map of a branch, one part of which may be empty.
    fn branch(&mut self, node: Node) -> MapId {
        match node.parts {
            [MapId::EMPTY, part] | [part, MapId::EMPTY] => part,
            _ => self.node(node),
        }
    }

    fn node(&mut self, node: Node) -> MapId {
        *self.ids.entry(node).or_insert_with(|| {
            let length = match node.level {
                0 => 1,
                _ => node.parts.iter().map(|part| self.lengths[part.0 as usize]).sum(),
            };
            self.nodes.push(node);
            self.lengths.push(length);
            MapId(u32::try_from(self.nodes.len() - 1).expect("a node takes memory, so there are fewer than 2^32"))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    type Model = BTreeMap<u32, u32>;

    fn made(maps: &mut PersistentMaps, model: &Model) -> MapId {
        model.iter().fold(MapId::EMPTY, |map, (key, value)| {
            let entry = maps.entry(*key, *value);
            maps.union(map, entry)
        })
    }

    fn models() -> impl Strategy<Value = Model> {
        let key = prop_oneof![0..40u32, any::<u32>(), Just(u32::MAX), Just(1 << 31)];
        prop::collection::btree_map(key, 0..3u32, 0..30)
    }

    proptest! {
        #[test]
        fn operations_agree_with_ordered_maps(x in models(), y in models()) {
            let mut maps = PersistentMaps::default();
            let (a, b) = (made(&mut maps, &x), made(&mut maps, &y));
            let (union, restricted, rest) = (maps.union(a, b), maps.restrict(a, b), maps.without(a, b));
            let mut expected = x.clone();
            expected.extend(&y);
            prop_assert_eq!(maps.entries(union).collect::<Model>(), expected.clone());
            prop_assert!(maps.entries(union).is_sorted());
            // One map, one id, however it is made.
            prop_assert_eq!(made(&mut maps, &expected), union);
            let (common, other): (Model, Model) = x.iter().partition(|(key, _)| y.contains_key(key));
            prop_assert_eq!(made(&mut maps, &common), restricted);
            prop_assert_eq!(made(&mut maps, &other), rest);
            prop_assert_eq!(maps.union(rest, restricted), a);
            let differing = maps.differing(a, b);
            let other_values = x.iter().filter(|(key, value)| y.get(key) != Some(value));
            let other_values: Model = other_values.map(|(key, value)| (*key, *value)).collect();
            prop_assert_eq!(made(&mut maps, &other_values), differing);
            for key in x.keys().chain(y.keys()).flat_map(|key| [*key, key ^ 1, key ^ 1 << 31]) {
                prop_assert_eq!(maps.get(union, key), expected.get(&key).copied());
                prop_assert_eq!(maps.get(rest, key), other.get(&key).copied());
            }
            prop_assert_eq!(maps.len(a) as usize, x.len());
            prop_assert_eq!(maps.only_key(a), if x.len() == 1 { x.keys().next().copied() } else { None });
        }
    }

    #[test]
    fn operations_on_almost_equal_maps_cost_the_difference() {
        let mut maps = PersistentMaps::default();
        let all = (0..100_000).fold(MapId::EMPTY, |map, key| {
            let entry = maps.entry(key, 0);
            maps.union(map, entry)
        });
        let before = maps.nodes.len() + maps.results.len();
        for key in 0..1_000 {
            let entry = maps.entry(key * 97, 0);
            let other = maps.without(all, entry);
            assert!(maps.get(other, key * 97).is_none());
            assert_eq!(maps.union(other, all), all);
            assert_eq!(maps.restrict(other, all), other);
            assert_eq!(maps.without(all, other), entry);
        }
        let made = maps.nodes.len() + maps.results.len() - before;
        assert!(made < 1_000 * 17 * 6, "{made} nodes and steps");
    }
}

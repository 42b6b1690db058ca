//! Hash tables for look-ups in memory. Their hashes do not affect any result, and the order of their entries differs
//! between processes.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use crate::steps::step;

/// Numbers that no author of an input can predict. Each call returns others.
pub(crate) fn random_seeds() -> [u64; 4] {
    let secret = RandomState::new();
    [0u64, 1, 2, 3].map(|index| secret.hash_one(index))
}

/// Builds ahash hashers with seeds that are random in each process, so that nobody can choose keys of a file that make a
/// table slow. All tables of a process have the same seeds.
#[derive(Clone, Debug)]
pub struct SeededState(ahash::RandomState);

impl Default for SeededState {
    fn default() -> Self {
        // The features of ahash that seed its own tables at run time need a further dependency.
        static SEEDED: OnceLock<ahash::RandomState> = OnceLock::new();
        let seeded = SEEDED.get_or_init(|| {
            let [k0, k1, k2, k3] = random_seeds();
            ahash::RandomState::with_seeds(k0, k1, k2, k3)
        });
        SeededState(seeded.clone())
    }
}

impl BuildHasher for SeededState {
    type Hasher = ahash::AHasher;

    fn build_hasher(&self) -> ahash::AHasher {
        step();
        self.0.build_hasher()
    }
}

/// A hash table for keys that somebody else chooses, such as the names of a file.
pub type Table<K, V> = std::collections::HashMap<K, V, SeededState>;

/// A hash set of such keys.
pub type Set<T> = std::collections::HashSet<T, SeededState>;

/// A hash table in insertion order.
pub(crate) type OrderedTable<K, V> = indexmap::IndexMap<K, V, SeededState>;

/// A hash set in insertion order.
pub(crate) type OrderedSet<T> = indexmap::IndexSet<T, SeededState>;

/// Hashes one address by one multiplication. The author of an input cannot choose addresses, so the hash needs no secret.
#[derive(Clone, Default)]
pub(crate) struct AddressHasher(u64);

impl Hasher for AddressHasher {
    #[inline]
    fn write_usize(&mut self, address: usize) {
        step();
        let product = (address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // Tables select buckets by the lowest bits, which are zero in every address and so in the product.
        self.0 = product ^ (product >> 32);
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_usize(self.0 as usize ^ usize::from(*byte)));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// The slots of a table by address that can neither list its entries nor make an entry free again. A look-up takes less
/// than half of the instructions of a look-up in an [`AddressTable`].
///
/// An address is in the first slot from the slot of its hash on that was free. At most half of the slots are in use.
#[derive(Clone)]
pub(crate) struct Slots<S> {
    slots: Vec<S>,
    count: usize,
}

/// The smallest number of slots in a table with slots.
const FIRST_SLOTS: usize = 32;

/// A slot of [`Slots`].
pub(crate) trait Slot: Clone {
    /// A slot without an address.
    const FREE: Self;

    /// The slot of a new address.
    fn of(address: usize) -> Self;

    /// The address; zero in a free slot.
    fn address(&self) -> usize;
}

impl<S> Default for Slots<S> {
    fn default() -> Self {
        Slots { slots: Vec::new(), count: 0 }
    }
}

impl<S: Slot> Slots<S> {
    /// The slot of `address`, if the table has one.
    #[inline(always)]
    pub(crate) fn get(&self, address: usize) -> Option<&S> {
        if self.slots.is_empty() {
            return None;
        }
        let slot = &self.slots[self.index(address)];
        (slot.address() == address).then_some(slot)
    }

    /// The slot of `address`, which the call adds if it is not in the table, and whether the call did so.
    #[inline(always)]
    pub(crate) fn slot(&mut self, address: usize) -> (bool, &mut S) {
        if self.count * 2 >= self.slots.len() {
            self.grow();
        }
        let index = self.index(address);
        let slot = &mut self.slots[index];
        let is_new = slot.address() == 0;
        if is_new {
            *slot = S::of(address);
            self.count += 1;
        }
        (is_new, slot)
    }

    /// The index of the slot of `address`, or else of the free slot for it. There are slots.
    #[inline(always)]
    fn index(&self, address: usize) -> usize {
        step();
        let mask = self.slots.len() - 1;
        // The upper half of a product depends on all bits of an address.
        let product = (address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut index = (product >> 32) as usize & mask;
        while self.slots[index].address() != address && self.slots[index].address() != 0 {
            index = (index + 1) & mask;
        }
        index
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.resize(match self.slots.len() {
            len @ 0..512 => (len * 4).max(FIRST_SLOTS),
            len => len * 2,
        });
    }

    /// Moves the addresses into `larger` slots. The number is a power of two, and larger than the present one.
    fn resize(&mut self, larger: usize) {
        for old in std::mem::replace(&mut self.slots, vec![S::FREE; larger]) {
            if old.address() != 0 {
                let index = self.index(old.address());
                self.slots[index] = old;
            }
        }
    }
}

/// The bits of a slot for a state. An address is a multiple of eight.
pub(crate) const STATE_BITS: usize = 7;

/// An address plus a state of three bits.
impl Slot for usize {
    const FREE: Self = 0;

    #[inline(always)]
    fn of(address: usize) -> Self {
        address
    }

    #[inline(always)]
    fn address(&self) -> usize {
        self & !STATE_BITS
    }
}

/// A map from addresses to values. The slot of a removed value stays with its address.
#[derive(Clone)]
pub(crate) struct AddressMap<V> {
    slots: Slots<(usize, Option<V>)>,
}

impl<V: Copy> Slot for (usize, Option<V>) {
    const FREE: Self = (0, None);

    #[inline(always)]
    fn of(address: usize) -> Self {
        (address, None)
    }

    #[inline(always)]
    fn address(&self) -> usize {
        self.0
    }
}

impl<V> Default for AddressMap<V> {
    fn default() -> Self {
        AddressMap { slots: Slots::default() }
    }
}

impl<V: Copy> AddressMap<V> {
    /// The value of `address`.
    #[inline(always)]
    pub(crate) fn get(&self, address: usize) -> Option<V> {
        self.slots.get(address)?.1
    }

    /// The value of `address`, which the caller may set or remove.
    #[inline(always)]
    pub(crate) fn slot(&mut self, address: usize) -> &mut Option<V> {
        &mut self.slots.slot(address).1.1
    }
}

/// A set of addresses.
pub(crate) type AddressSet = std::collections::HashSet<usize, BuildHasherDefault<AddressHasher>>;

/// A set of few addresses, which rejects most other addresses without a look-up.
#[derive(Default)]
pub(crate) struct FewAddresses {
    addresses: AddressSet,
    /// A bit for each address, by six bits of the address.
    bits: u64,
}

impl FewAddresses {
    pub(crate) fn insert(&mut self, address: usize) {
        self.bits |= Self::bit(address);
        self.addresses.insert(address);
    }

    #[inline(always)]
    pub(crate) fn contains(&self, address: usize) -> bool {
        self.bits & Self::bit(address) != 0 && self.addresses.contains(&address)
    }

    /// The bit of an address. The lowest four bits of most addresses are zero.
    #[inline(always)]
    fn bit(address: usize) -> u64 {
        1 << (address >> 4 & 63)
    }
}

/// A hash table by address.
pub(crate) type AddressTable<V> = std::collections::HashMap<usize, V, BuildHasherDefault<AddressHasher>>;

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::HashMap;
    use std::hash::{BuildHasher, Hash, Hasher};

    use super::{AddressMap, SeededState, Table};

    thread_local! {
        static COMPARED: Cell<usize> = const { Cell::new(0) };
    }

    /// A key that counts comparisons.
    struct Counted(u64);

    impl Hash for Counted {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.hash(state);
        }
    }

    impl PartialEq for Counted {
        fn eq(&self, other: &Self) -> bool {
            COMPARED.set(COMPARED.get() + 1);
            self.0 == other.0
        }
    }

    impl Eq for Counted {}

    /// Hashes with known seeds, as a small table sees them: it distinguishes keys by the lowest and the highest bits.
    struct LowestAndHighest(ahash::RandomState);

    const BITS: u64 = 0xfe00_0000_0000_007f;

    impl BuildHasher for LowestAndHighest {
        type Hasher = Bits;

        fn build_hasher(&self) -> Bits {
            Bits(self.0.build_hasher())
        }
    }

    /// A hasher that keeps these bits only, so that the test does not depend on the bits that the tables of std use.
    struct Bits(ahash::AHasher);

    impl Hasher for Bits {
        fn write(&mut self, bytes: &[u8]) {
            self.0.write(bytes);
        }

        fn write_u64(&mut self, value: u64) {
            self.0.write_u64(value);
        }

        fn finish(&self) -> u64 {
            self.0.finish() & BITS
        }
    }

    #[test]
    fn a_map_from_addresses_is_a_map() {
        let (mut map, mut expected) = (AddressMap::default(), HashMap::new());
        assert_eq!(map.get(8), None);
        // Addresses of objects side by side, and odd keys, over several sizes of the table.
        for step in 1..20_000_usize {
            let key = 0x7f00_0000_0000 + step.wrapping_mul(0x9e37_79b9) % 4000 * 8 + step % 2;
            assert_eq!(map.get(key), expected.get(&key).copied(), "{key:#x}");
            match step % 3 {
                0 => assert_eq!(map.slot(key).take(), expected.remove(&key)),
                _ => assert_eq!(map.slot(key).replace(step), expected.insert(key, step)),
            }
        }
        assert!(expected.len() > 1000 && expected.iter().all(|(key, value)| map.get(*key) == Some(*value)));
    }

    #[test]
    fn keys_that_collide_under_known_seeds_are_compared_rarely() {
        // Constants that tables could have in every process.
        let known = ahash::RandomState::with_seeds(
            0x243f_6a88_85a3_08d3,
            0x1319_8a2e_0370_7344,
            0xa409_3822_299f_31d0,
            0x082e_fa98_ec4e_6c89,
        );
        let known = LowestAndHighest(known);
        let colliding = |key: &u64| known.hash_one(key) == 0;
        let keys: Vec<u64> = (0..).filter(colliding).take(64).collect();
        let compared = |table: &mut dyn FnMut(Counted)| {
            COMPARED.set(0);
            keys.iter().for_each(|key| table(Counted(*key)));
            COMPARED.get()
        };
        let mut slow = std::collections::HashMap::with_hasher(LowestAndHighest(known.0.clone()));
        let mut table: Table<Counted, ()> = Table::default();
        assert!(compared(&mut |key| assert!(slow.insert(key, ()).is_none())) >= 64 * 63 / 2);
        assert!(compared(&mut |key| assert!(table.insert(key, ()).is_none())) <= 256);
        assert_eq!(SeededState::default().hash_one(1), SeededState::default().hash_one(1));
    }
}

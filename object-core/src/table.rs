//! Hash tables for look-ups in memory. Their hashes do not affect any result.

use std::hash::{BuildHasher, BuildHasherDefault, Hasher};

use crate::steps::step;

/// Builds ahash hashers with fixed seeds, so that all runs of a program take the same steps.
#[derive(Clone)]
pub(crate) struct FixedState(ahash::RandomState);

impl Default for FixedState {
    fn default() -> Self {
        // Digits of pi.
        const SEEDS: [u64; 4] =
            [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89];
        FixedState(ahash::RandomState::with_seeds(SEEDS[0], SEEDS[1], SEEDS[2], SEEDS[3]))
    }
}

impl BuildHasher for FixedState {
    type Hasher = ahash::AHasher;

    fn build_hasher(&self) -> ahash::AHasher {
        step();
        self.0.build_hasher()
    }
}

/// A hash table.
pub(crate) type Table<K, V> = std::collections::HashMap<K, V, FixedState>;

/// A hash set.
pub(crate) type Set<T> = std::collections::HashSet<T, FixedState>;

/// A hash table in insertion order.
pub(crate) type OrderedTable<K, V> = indexmap::IndexMap<K, V, FixedState>;

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

/// A set of addresses.
pub(crate) type AddressSet = std::collections::HashSet<usize, BuildHasherDefault<AddressHasher>>;

/// A hash table by address.
pub(crate) type AddressTable<V> = std::collections::HashMap<usize, V, BuildHasherDefault<AddressHasher>>;

//! [`Table`]: the hash table behind look-ups in memory. Its hash decides nothing that a user can see.

use std::hash::BuildHasher;

/// Builds ahash hashers with fixed seeds, so that runs are reproducible.
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
        self.0.build_hasher()
    }
}

/// A hash table.
pub(crate) type Table<K, V> = std::collections::HashMap<K, V, FixedState>;

/// A hash set.
pub(crate) type Set<T> = std::collections::HashSet<T, FixedState>;

/// A hash table in insertion order.
pub(crate) type OrderedTable<K, V> = indexmap::IndexMap<K, V, FixedState>;

//! [`DirectMapped`]: a direct-mapped cache, with one entry for each value of a small hash.

/// A cache with one entry for each of `N` hashes. `N` is a power of two. Another key may have written the entry, so an
/// entry has to contain its key.
pub(crate) struct DirectMapped<T, const N: usize>([Option<T>; N]);

impl<T: Copy, const N: usize> Default for DirectMapped<T, N> {
    fn default() -> Self {
        DirectMapped([None; N])
    }
}

impl<T: Copy, const N: usize> DirectMapped<T, N> {
    /// The entry that `key` shares with all keys of its hash.
    #[inline(always)]
    pub(crate) fn slot(&mut self, key: u64) -> &mut Option<T> {
        // The upper half of the product depends on all bits of the key.
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        &mut self.0[hash as usize >> const { 32 - N.trailing_zeros() }]
    }
}

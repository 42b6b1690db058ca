//! [`DirectMapped`]: the last entry for each value of a small hash.

/// The last entry for each of `N` hashes, a power of two: what is needed again and again is found with one look. An
/// entry may be another one than the one sought, so it has to say what it is.
pub(crate) struct DirectMapped<T, const N: usize>([Option<T>; N]);

impl<T: Copy, const N: usize> Default for DirectMapped<T, N> {
    fn default() -> Self {
        DirectMapped([None; N])
    }
}

impl<T: Copy, const N: usize> DirectMapped<T, N> {
    /// Where the entry for `key` is, if it was the last one there.
    #[inline(always)]
    pub(crate) fn slot(&mut self, key: u64) -> &mut Option<T> {
        // The upper half of the product depends on all bits of the key.
        let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        &mut self.0[hash as usize >> const { 32 - N.trailing_zeros() }]
    }
}

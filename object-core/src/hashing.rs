//! The mixing function of structural hashes: 64 bits, the same on every platform and in every release.
//!
//! One step multiplies the state and the input, each combined with a constant of its own, and folds the 128-bit product to
//! 64 bits. This is the construction of wyhash by Wang Yi, which is in the public domain. The functions read text as
//! little-endian words, so a hash does not depend on the byte order of the platform. Callers mix neither addresses nor type
//! indices.

/// Odd constants with 32 set bits: the fractional digits of the golden ratio and of the square root of 3, made odd.
const K1: u64 = 0x9e37_79b9_7f4a_7c15;
const K2: u64 = 0xbb67_ae85_84ca_a73b;

/// A mixing function, as a type, so that a walk with constants known to the compiler pays nothing for the choice.
pub(crate) trait Mixer: Copy + Send + Sync + 'static {
    /// The constants that the function combines with the state and with the input.
    fn constants(self) -> [u64; 2];

    /// Mixes `value` into `state`. The result depends on the order of calls.
    #[inline]
    fn mix(self, state: u64, value: u64) -> u64 {
        mix_with(self.constants(), state, value)
    }

    /// Mixes the length and the content of `bytes` into `state`.
    fn mix_bytes(self, state: u64, bytes: &[u8]) -> u64 {
        mix_bytes_with(self.constants(), state, bytes)
    }
}

/// The mixing function of structural hashes, which is public and never changes.
#[derive(Clone, Copy, Default)]
pub(crate) struct StableMixer;

impl Mixer for StableMixer {
    #[inline]
    fn constants(self) -> [u64; 2] {
        [K1, K2]
    }
}

/// A mixing function with other constants. If they are secret, nobody can search for values with equal hashes.
#[derive(Clone, Copy)]
pub(crate) struct KeyedMixer([u64; 2]);

impl KeyedMixer {
    /// The function for the second half of 128-bit hashes: the fractional digits of the square roots of 5 and of 7.
    pub(crate) const SECOND: KeyedMixer = KeyedMixer([0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1]);

    /// The function with the given constants.
    pub(crate) const fn new(key: [u64; 2]) -> Self {
        KeyedMixer(key)
    }
}

impl Mixer for KeyedMixer {
    #[inline]
    fn constants(self) -> [u64; 2] {
        self.0
    }
}

#[inline]
const fn mix_with([k1, k2]: [u64; 2], state: u64, value: u64) -> u64 {
    // The constants keep the common inputs zero and one from making a product of zero or of one factor. If a factor is zero
    // all the same, the sum still depends on the state and on the input.
    let product = ((state ^ k1) as u128).wrapping_mul((value ^ k2) as u128);
    (product as u64) ^ ((product >> 64) as u64).wrapping_add(state.rotate_left(23)).wrapping_add(value)
}

const fn mix_bytes_with(constants: [u64; 2], state: u64, bytes: &[u8]) -> u64 {
    // The last word is filled up with zeros, so the length tells them from zeros of the text.
    let mut state = mix_with(constants, state, bytes.len() as u64);
    let mut rest = bytes;
    while let Some((word, tail)) = rest.split_first_chunk::<8>() {
        state = mix_with(constants, state, u64::from_le_bytes(*word));
        rest = tail;
    }
    let mut last = 0;
    let mut i = 0;
    while i < rest.len() {
        last |= (rest[i] as u64) << (8 * i);
        i += 1;
    }
    if rest.is_empty() { state } else { mix_with(constants, state, last) }
}

/// Mixes `value` into `state` by [`StableMixer`].
#[inline]
pub(crate) const fn mix(state: u64, value: u64) -> u64 {
    mix_with([K1, K2], state, value)
}

/// Makes a hash from a state. The value that was mixed last affects some bits of the state less than others; it affects
/// all bits of the hash alike. Different states give different hashes.
#[inline]
pub(crate) const fn finish(state: u64) -> u64 {
    let folded = (state ^ (state >> 32)).wrapping_mul(K1);
    folded ^ (folded >> 32)
}

/// Mixes the length and the content of `bytes` into `state` by [`StableMixer`].
pub(crate) const fn mix_bytes(state: u64, bytes: &[u8]) -> u64 {
    mix_bytes_with([K1, K2], state, bytes)
}

/// The seed of the hashes of all objects of the type `type_key`.
pub(crate) const fn hash_key(type_key: &str) -> u64 {
    mix_bytes(0, type_key.as_bytes())
}

/// The seed of the hashes of plain values.
pub(crate) const SEED_PLAIN: u64 = hash_key("plain");
/// The seed of the hashes of variables, which are numbered.
pub(crate) const SEED_NUMBER: u64 = hash_key("number");

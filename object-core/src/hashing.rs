//! The mixing function of structural hashing: 64 bits, the same on every platform and in every release.
//!
//! A step folds the 128-bit product of the state and the input, each under its own constant (the construction of
//! wyhash by Wang Yi, public domain, and of the structural-hash prototypes of this project). Text is read as
//! little-endian words, so byte order does not matter. No address and no type index ever enters.

/// Odd constants with 32 set bits: the fractional digits of the golden ratio and of the square root of 3, made odd.
const K1: u64 = 0x9e37_79b9_7f4a_7c15;
const K2: u64 = 0xbb67_ae85_84ca_a73b;

/// Mixes `value` into `state`. Order matters.
#[inline]
pub(crate) const fn mix(state: u64, value: u64) -> u64 {
    let product = ((state ^ K1) as u128).wrapping_mul((value ^ K2) as u128);
    (product as u64) ^ ((product >> 64) as u64).wrapping_add(state.rotate_left(23)).wrapping_add(value)
}

/// Ends a hash. A value that was mixed in last moves some bits of the state seldom; afterwards it moves all of them
/// alike. No two states give the same hash.
#[inline]
pub(crate) const fn finish(state: u64) -> u64 {
    let folded = (state ^ (state >> 32)).wrapping_mul(K1);
    folded ^ (folded >> 32)
}

/// Mixes the length and the content of `bytes` into `state`.
pub(crate) const fn mix_bytes(state: u64, bytes: &[u8]) -> u64 {
    let mut state = mix(state, bytes.len() as u64);
    let mut rest = bytes;
    while let Some((word, tail)) = rest.split_first_chunk::<8>() {
        state = mix(state, u64::from_le_bytes(*word));
        rest = tail;
    }
    let mut last = 0;
    let mut i = 0;
    while i < rest.len() {
        last |= (rest[i] as u64) << (8 * i);
        i += 1;
    }
    if rest.is_empty() { state } else { mix(state, last) }
}

/// The seed of the hash of everything of the type `type_key`.
pub(crate) const fn hash_key(type_key: &str) -> u64 {
    mix_bytes(0, type_key.as_bytes())
}

/// The seeds of plain values and of the numbers of variables.
pub(crate) const SEED_PLAIN: u64 = hash_key("plain");
pub(crate) const SEED_NUMBER: u64 = hash_key("number");

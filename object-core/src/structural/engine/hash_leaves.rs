//! Hashes of values without child objects: plain values, leaves, and nodes whose fields are all plain values.

use crate::hashing::{Mixer, SEED_PLAIN, mix};
use crate::object::{AnyView, Body, DefRegionKind, ObjectView, PlainBits};
use crate::structural::engine::hasher::Hasher;
use crate::structural::engine::leaves::LONG_LEAF;
use crate::structural::scope::scope_stack::LevelSet;
use crate::value::Tensor;

impl<'a, M: Mixer> Hasher<'a, M> {
    /// The hash of an object without children.
    #[inline(never)]
    pub(crate) fn leaf(&mut self, object: ObjectView<'a>) -> u64 {
        let (seed, mixer) = (object.type_info().plan.key_hash, self.mixer);
        match object.type_info().body {
            Body::Str => {
                let bytes = object.as_str().unwrap_or_default().as_bytes();
                self.hash_long_content(object, bytes.len(), || mixer.mix_bytes(seed, bytes))
            }
            Body::Bytes => {
                let bytes = object.as_bytes().unwrap_or_default();
                self.hash_long_content(object, bytes.len(), || mixer.mix_bytes(seed, bytes))
            }
            Body::Shape => {
                let extents = object.as_shape().unwrap_or_default();
                self.hash_long_content(object, size_of_val(extents), || mix_extents(mixer, seed, extents))
            }
            _ => {
                let Some(tensor) = object.to_handle::<Tensor>() else { return 0 };
                let content = if self.options.skip_tensor_content { None } else { Some(&tensor.data[..]) };
                self.hash_long_content(object, content.map_or(0, <[u8]>::len), || {
                    let state = mixer.mix(seed, hash_plain(mixer, AnyView::DataType(tensor.dtype)));
                    let state = mix_extents(mixer, state, &tensor.shape);
                    content.map_or(state, |content| mixer.mix_bytes(state, content))
                })
            }
        }
    }

    /// Hashes content of `bytes` bytes. Long content of shared objects is hashed once.
    #[inline]
    fn hash_long_content(&mut self, object: ObjectView<'a>, bytes: usize, hash: impl FnOnce() -> u64) -> u64 {
        if bytes < LONG_LEAF || object.use_count() == 1 {
            return hash();
        }
        if let Some(hashed) = self.numbering.find(object, DefRegionKind::None) {
            return hashed.hash;
        }
        let hash = hash();
        self.numbering.remember(object, hash, LevelSet::default(), DefRegionKind::None);
        hash
    }
}

/// Mixes extents into the state of a hash.
fn mix_extents(mixer: impl Mixer, state: u64, extents: &[i64]) -> u64 {
    let start = mixer.mix(state, extents.len() as u64);
    extents.iter().fold(start, |state, extent| mixer.mix(state, extent.cast_unsigned()))
}

/// The hash of a node whose fields are all plain values.
#[inline(never)]
pub(crate) fn hash_plain_fields(mixer: impl Mixer, object: ObjectView<'_>) -> u64 {
    object.fold_contents(
        &mut (),
        object.type_info().plan.fields_seed,
        |(), state, _, _| state,
        |(), state, _, value| mixer.mix(state, hash_plain(mixer, value)),
    )
}

/// The hash of a singleton.
pub(crate) fn hash_identity(mixer: impl Mixer, object: ObjectView<'_>) -> u64 {
    let key = object.singleton_key().unwrap_or_default();
    mixer.mix_bytes(object.type_info().plan.key_hash, key.as_bytes())
}

/// The hash of a plain value.
#[inline]
pub(crate) fn hash_plain(mixer: impl Mixer, value: AnyView<'_>) -> u64 {
    /// The initial hash states of the kinds.
    const SEEDS: [u64; PlainBits::KINDS] = {
        let mut seeds = [0; PlainBits::KINDS];
        let mut kind = 0;
        while kind < seeds.len() {
            seeds[kind] = mix(SEED_PLAIN, kind as u64);
            kind += 1;
        }
        seeds
    };
    let PlainBits { kind, bits } = value.plain_bits().unwrap_or(PlainBits::NONE);
    mixer.mix(SEEDS[kind as usize], bits)
}

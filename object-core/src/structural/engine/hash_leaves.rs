//! Hashes of values without child objects: plain values, leaves, and nodes whose fields are all plain values.

use crate::hashing::{Mixer, SEED_PLAIN, mix};
use crate::object::{AnyView, Body, ObjectView, PlainBits};
use crate::structural::engine::hasher::Hasher;
use crate::structural::engine::leaves::LONG_LEAF;
use crate::structural::options::StructuralOptions;
use crate::value::Tensor;

impl<'a, M: Mixer> Hasher<'a, M> {
    /// The hash of an object without children. Long content of shared objects is hashed once.
    #[inline(never)]
    pub(crate) fn leaf(&mut self, object: ObjectView<'a>) -> u64 {
        let content = LeafContent::of(object, self.options.skip_tensor_content);
        if !content.is_long() || object.use_count() == 1 {
            return content.hash(self.mixer, object);
        }
        if let Some(hashed) = self.numbering.find(object) {
            return hashed.hash;
        }
        let hash = content.hash(self.mixer, object);
        self.numbering.remember(object, hash);
        hash
    }
}

/// The content of an object without children.
pub(crate) enum LeafContent<'a> {
    Bytes(&'a [u8]),
    Extents(&'a [i64]),
    Tensor(Tensor),
    /// A tensor that counts without its data.
    TensorType(Tensor),
    None,
}

impl<'a> LeafContent<'a> {
    /// The content of `object`. If `skips_tensors`, tensors count without their data.
    #[inline]
    pub(crate) fn of(object: ObjectView<'a>, skips_tensors: bool) -> Self {
        match object.type_info().body {
            Body::Str => LeafContent::Bytes(object.as_str().unwrap_or_default().as_bytes()),
            Body::Bytes => LeafContent::Bytes(object.as_bytes().unwrap_or_default()),
            Body::Shape => LeafContent::Extents(object.as_shape().unwrap_or_default()),
            _ => match object.to_handle::<Tensor>() {
                Some(tensor) if skips_tensors => LeafContent::TensorType(tensor),
                Some(tensor) => LeafContent::Tensor(tensor),
                None => LeafContent::None,
            },
        }
    }

    /// Whether hashing the content costs more than a look-up.
    #[inline]
    pub(crate) fn is_long(&self) -> bool {
        let bytes = match self {
            LeafContent::Bytes(bytes) => bytes.len(),
            LeafContent::Extents(extents) => size_of_val(*extents),
            LeafContent::Tensor(tensor) => tensor.data.len(),
            LeafContent::TensorType(_) | LeafContent::None => 0,
        };
        bytes >= LONG_LEAF
    }

    /// The hash of `object`, which has this content.
    #[inline]
    pub(crate) fn hash(&self, mixer: impl Mixer, object: ObjectView<'_>) -> u64 {
        let seed = object.type_info().plan.key_hash;
        match self {
            LeafContent::Bytes(bytes) => mixer.mix_bytes(seed, bytes),
            LeafContent::Extents(extents) => mix_extents(mixer, seed, extents),
            LeafContent::Tensor(tensor) => mixer.mix_bytes(hash_tensor_type(mixer, seed, tensor), &tensor.data),
            LeafContent::TensorType(tensor) => hash_tensor_type(mixer, seed, tensor),
            LeafContent::None => 0,
        }
    }
}

fn hash_tensor_type(mixer: impl Mixer, seed: u64, tensor: &Tensor) -> u64 {
    let state = mixer.mix(seed, hash_plain(mixer, AnyView::DataType(tensor.dtype)));
    mix_extents(mixer, state, &tensor.shape)
}

/// Mixes extents into the state of a hash.
fn mix_extents(mixer: impl Mixer, state: u64, extents: &[i64]) -> u64 {
    let start = mixer.mix(state, extents.len() as u64);
    extents.iter().fold(start, |state, extent| mixer.mix(state, extent.cast_unsigned()))
}

/// As [`hash_plain_fields`], without fields that have their defaults if `options` say so.
#[inline]
pub(crate) fn hash_plain_node(options: StructuralOptions, mixer: impl Mixer, object: ObjectView<'_>) -> u64 {
    if !options.skip_default_fields {
        return hash_plain_fields(mixer, object);
    }
    let seed = object.type_info().plan.fields_seed;
    object.contents(true).fold(seed, |state, (_, value)| mixer.mix(state, hash_plain(mixer, value)))
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

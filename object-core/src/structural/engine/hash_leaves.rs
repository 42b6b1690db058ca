//! Hashes of values without child objects: plain values, leaves, and nodes whose fields are all plain values.

use crate::hashing::{SEED_PLAIN, mix, mix_bytes};
use crate::object::{AnyView, Body, ObjectView, PlainBits};
use crate::structural::engine::hasher::Hasher;
use crate::structural::engine::leaves::LONG_LEAF;
use crate::structural::scope::numbering::Hashed;
use crate::value::Tensor;

impl<'a> Hasher<'a> {
    /// The hash of an object without children. Long content of shared objects is hashed once.
    #[inline(never)]
    pub(crate) fn leaf(&mut self, object: ObjectView<'a>) -> u64 {
        let skips_tensors = self.options.skip_tensor_content;
        if !has_long_content(object, skips_tensors) || object.use_count() == 1 {
            return hash_leaf(object, skips_tensors);
        }
        if let Some(hashed) = self.numbering.find(object) {
            return hashed.hash;
        }
        let hash = hash_leaf(object, skips_tensors);
        self.numbering.remember(object, Hashed { hash, unstable: false }, 0);
        hash
    }
}

/// Whether hashing the content of an object without children costs more than a look-up.
pub(crate) fn has_long_content(object: ObjectView<'_>, skips_tensors: bool) -> bool {
    let bytes = match object.type_info().body {
        Body::Str => object.as_str().map(str::len),
        Body::Bytes => object.as_bytes().map(<[u8]>::len),
        Body::Shape => object.as_shape().map(size_of_val),
        _ if skips_tensors => None,
        _ => object.to_handle::<Tensor>().map(|tensor| tensor.data.len()),
    };
    bytes.is_some_and(|bytes| bytes >= LONG_LEAF)
}

/// The hash of an object without children. If `skips_tensors`, tensors count without their content.
pub(crate) fn hash_leaf(object: ObjectView<'_>, skips_tensors: bool) -> u64 {
    let seed = object.type_info().plan.key_hash;
    match object.type_info().body {
        Body::Str => mix_bytes(seed, object.as_str().unwrap_or_default().as_bytes()),
        Body::Bytes => mix_bytes(seed, object.as_bytes().unwrap_or_default()),
        Body::Shape => mix_extents(seed, object.as_shape().unwrap_or_default()),
        _ => {
            let Some(tensor) = object.to_handle::<Tensor>() else { return 0 };
            let state = mix(seed, hash_plain(AnyView::DataType(tensor.dtype)));
            let state = mix_extents(state, &tensor.shape);
            if skips_tensors { state } else { mix_bytes(state, &tensor.data) }
        }
    }
}

/// Mixes extents into the state of a hash.
fn mix_extents(state: u64, extents: &[i64]) -> u64 {
    extents.iter().fold(mix(state, extents.len() as u64), |state, extent| mix(state, extent.cast_unsigned()))
}

/// The hash of a node whose fields are all plain values.
#[inline(never)]
pub(crate) fn hash_plain_fields(object: ObjectView<'_>) -> u64 {
    object.fold_contents(
        &mut (),
        object.type_info().plan.fields_seed,
        |(), state, _, _| state,
        |(), state, _, value| mix(state, hash_plain(value)),
    )
}

/// The hash of a singleton.
pub(crate) fn hash_identity(object: ObjectView<'_>) -> u64 {
    let key = object.singleton_key().unwrap_or_default();
    mix_bytes(object.type_info().plan.key_hash, key.as_bytes())
}

/// The hash of a plain value.
#[inline]
pub(crate) fn hash_plain(value: AnyView<'_>) -> u64 {
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
    let PlainBits { kind, bits } = value.plain_bits().unwrap_or(PlainBits::NONE).canonical();
    mix(SEEDS[kind as usize], bits)
}

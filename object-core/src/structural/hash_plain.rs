//! The hashes of plain values.

use crate::hashing::{SEED_PLAIN, mix};
use crate::object::{AnyView, ObjectView};

/// Takes extents into the state of a hash.
pub(super) fn mix_extents(state: u64, extents: &[i64]) -> u64 {
    extents.iter().fold(mix(state, extents.len() as u64), |state, extent| mix(state, extent.cast_unsigned()))
}

/// The hash of a node with nothing below but plain values.
#[inline(never)]
pub(super) fn hash_plain_fields(object: ObjectView<'_>) -> u64 {
    object.fold_contents(
        &mut (),
        object.type_info().fields_seed,
        |(), state, _, _| state,
        |(), state, _, value| mix(state, hash_plain(value)),
    )
}

/// The hash of a plain value.
#[inline]
pub(super) fn hash_plain(value: AnyView<'_>) -> u64 {
    /// The seeds of the kinds.
    const KINDS: [u64; 6] = {
        let mut kinds = [0; 6];
        let mut kind = 0;
        while kind < kinds.len() {
            kinds[kind] = mix(SEED_PLAIN, kind as u64);
            kind += 1;
        }
        kinds
    };
    let (kind, bits) = match value {
        AnyView::None | AnyView::Object(_) => (0, 0),
        AnyView::Bool(value) => (1, u64::from(value)),
        AnyView::Int(value) => (2, value.cast_unsigned()),
        AnyView::Float(value) if value.is_nan() => (3, f64::NAN.to_bits()),
        AnyView::Float(value) => (3, value.to_bits()),
        AnyView::DataType(value) => {
            (4, u64::from(value.code.0) | u64::from(value.bits) << 8 | u64::from(value.raw_lanes) << 16)
        }
        AnyView::Device(value) => {
            let (kind, id) = (value.device_type.cast_unsigned(), value.device_id.cast_unsigned());
            (5, u64::from(kind) | u64::from(id) << 32)
        }
    };
    mix(KINDS[kind], bits)
}

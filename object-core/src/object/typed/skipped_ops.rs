//! [`skipped_field`]: the operations on skipped fields of one Rust type.

use crate::object::model::skipped_field::{SkippedField, SkippedOps};
use crate::object::typed::field_place::FieldPlace;

/// The field of type `T` at `place` in a node `N`, which reflection skips.
#[must_use]
pub const fn skipped_field<T: Clone + Default + Send + Sync + 'static, N>(place: &FieldPlace<N, T>) -> SkippedField {
    SkippedField {
        offset: place.offset(),
        ops: const { &SkippedOps { default: default::<T>, copy: copy::<T>, drop: drop::<T> } },
    }
}

/// Writes the default value of `T` to `at`.
///
/// # Safety
/// `at` is valid for writes of a `T` and aligned for it.
unsafe fn default<T: Default>(at: *mut u8) {
    // SAFETY: by the contract.
    unsafe { at.cast::<T>().write(T::default()) }
}

/// Clones the value at `from` to `to`.
///
/// # Safety
/// `from` points to a `T`, and `to` is valid for writes of a `T` and aligned for it.
unsafe fn copy<T: Clone>(from: *const u8, to: *mut u8) {
    // SAFETY: by the contract.
    unsafe { to.cast::<T>().write((*from.cast::<T>()).clone()) }
}

/// Drops the value at `at`.
///
/// # Safety
/// `at` points to a `T`, and nothing uses it afterwards.
unsafe fn drop<T>(at: *mut u8) {
    // SAFETY: by the contract.
    unsafe { at.cast::<T>().drop_in_place() }
}

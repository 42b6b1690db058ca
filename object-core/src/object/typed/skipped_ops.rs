//! [`skipped_field`] and [`cache_field`]: the operations on skipped fields of one Rust type.

use crate::object::model::skipped_field::{SkippedField, SkippedOps};
use crate::object::typed::field_place::FieldPlace;

/// The field of type `T` at `place` in a node `N`, which reflection skips. A copy of the object has a clone of the value.
#[must_use]
pub const fn skipped_field<T: Clone + Default + Send + Sync + 'static, N>(place: &FieldPlace<N, T>) -> SkippedField {
    let ops = const { &SkippedOps { default: default::<T>, copy: copy::<T>, drop: drop::<T> } };
    SkippedField { offset: place.offset(), ops, is_cache: false }
}

/// As [`skipped_field`], for a value that the program computes from other fields. A copy of the object has the default.
#[must_use]
pub const fn cache_field<T: Default + Send + Sync + 'static, N>(place: &FieldPlace<N, T>) -> SkippedField {
    let ops = const { &SkippedOps { default: default::<T>, copy: default_copy::<T>, drop: drop::<T> } };
    SkippedField { offset: place.offset(), ops, is_cache: true }
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

/// As [`default`], in place of a clone of the value at the first place.
///
/// # Safety
/// As [`default`] with `to`.
unsafe fn default_copy<T: Default>(_: *const u8, to: *mut u8) {
    // SAFETY: by the contract.
    unsafe { default::<T>(to) }
}

/// Drops the value at `at`.
///
/// # Safety
/// `at` points to a `T`, and nothing uses it afterwards.
unsafe fn drop<T>(at: *mut u8) {
    // SAFETY: by the contract.
    unsafe { at.cast::<T>().drop_in_place() }
}

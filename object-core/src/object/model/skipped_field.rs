//! [`SkippedField`]: a field that is part of a node struct and not of reflection.

use std::ptr::NonNull;

use crate::object::model::object_ref::{DATA_OFFSET, Header, ObjectView};
use crate::object::model::type_info::TypeInfo;

/// A field marked `skip` or `cache`: its place, and the operations on its value. No algorithm reads it.
#[derive(Clone, Copy)]
pub struct SkippedField {
    /// The offset in the node struct that declares the field, in bytes.
    pub(crate) offset: u32,
    pub(crate) ops: &'static SkippedOps,
    /// Whether the value depends on other fields, so that an object whose fields change gets a new one.
    pub(crate) is_cache: bool,
}

/// Whether one of the fields is a cache.
pub(crate) const fn has_cache(fields: &[SkippedField]) -> bool {
    matches!(fields, [first, rest @ ..] if first.is_cache || has_cache(rest))
}

/// The operations on a field of one type. They call code of the user, which may panic.
pub(crate) struct SkippedOps {
    /// Writes the default value.
    pub(crate) default: unsafe fn(*mut u8),
    /// Writes the value in a copy to the second place: a clone of the value at the first place, or for a cache the default.
    pub(crate) copy: unsafe fn(*const u8, *mut u8),
    /// Drops the value.
    pub(crate) drop: unsafe fn(*mut u8),
}

/// The values of all skipped fields in the memory of an object that has no owner yet. Dropping it drops them.
pub(crate) struct SkippedValues {
    info: &'static TypeInfo,
    ptr: NonNull<Header>,
    /// The number of fields with a value, in the order of [`fields`].
    n_written: usize,
}

impl SkippedValues {
    /// Writes all skipped fields of the object of the type `info` at `ptr`: clones of the values in `source`, or defaults.
    ///
    /// # Safety
    /// The memory at `ptr` has the layout of `info`, and the fields have no values. It stays allocated as long as the result
    /// is in use. `source` has the type `info`.
    pub(crate) unsafe fn write(info: &'static TypeInfo, ptr: NonNull<Header>, source: Option<ObjectView<'_>>) -> Self {
        let mut values = SkippedValues { info, ptr, n_written: 0 };
        for (offset, ops) in fields(info) {
            // SAFETY: by the contract, the field is at this offset in both objects, and has a value in `source` alone.
            unsafe {
                let to = ptr.as_ptr().cast::<u8>().add(offset as usize);
                match source {
                    Some(source) => (ops.copy)(source.at(offset), to),
                    None => (ops.default)(to),
                }
            }
            values.n_written += 1;
        }
        values
    }

    /// Takes over the values of all skipped fields of the object of the type `info` at `ptr`.
    ///
    /// # Safety
    /// All fields have values, and nothing else drops them. The memory stays allocated as long as the result is in use.
    pub(crate) unsafe fn of_dead(info: &'static TypeInfo, ptr: NonNull<Header>) -> Self {
        SkippedValues { info, ptr, n_written: usize::MAX }
    }
}

impl Drop for SkippedValues {
    fn drop(&mut self) {
        for (offset, ops) in fields(self.info).take(self.n_written) {
            // SAFETY: the field has a value, and nothing uses it afterwards.
            unsafe { (ops.drop)(self.ptr.as_ptr().cast::<u8>().add(offset as usize)) };
        }
    }
}

/// The skipped fields of objects of the type `info`, the fields of ancestors first: the offset in the object, and the
/// operations.
fn fields(info: &'static TypeInfo) -> impl Iterator<Item = (u32, &'static SkippedOps)> {
    let ancestors = info.ancestors.iter().map(|ancestor| (ancestor.offset, ancestor.info.skipped));
    let all = ancestors.chain([(DATA_OFFSET as u32, info.skipped)]);
    all.flat_map(|(node, fields)| fields.iter().map(move |field| (node + field.offset, field.ops)))
}

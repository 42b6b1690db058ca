//! The operations on the bytes of fields of one Rust type.

use std::any::TypeId;

use crate::error::Result;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::field_info::{FieldInfo, FieldMeta, FieldOps, Storage};
use crate::object::model::object_ref::{DATA_OFFSET, ObjectRef};
use crate::object::typed::field_type::FieldType;

impl FieldOps {
    /// The operations of `T`. Those of all handles are the same functions, which saves compiling them for each.
    pub(crate) const fn of<T: FieldType>() -> &'static Self {
        const {
            let (view, copy, drop): (unsafe fn(*const u8) -> AnyView<'static>, _, _) = match T::STORAGE {
                Storage::Object => (view::<ObjectRef> as _, copy::<ObjectRef> as _, drop::<ObjectRef> as _),
                Storage::OptionalObject => {
                    (view::<Option<ObjectRef>> as _, copy::<Option<ObjectRef>> as _, drop::<Option<ObjectRef>> as _)
                }
                _ => (view::<T> as _, copy::<T> as _, drop::<T> as _),
            };
            &FieldOps {
                type_id: TypeId::of::<T>(),
                view,
                write: write::<T>,
                accepts: T::accepts,
                copy,
                drop,
                schema: T::schema,
                contents: T::CONTENTS,
            }
        }
    }
}

// The callers of all four, in this crate, pass addresses of fields of type `T`: initialized for `view`, `copy` and `drop`,
// and for `view` borrowed for as long as the view is used.

unsafe fn view<T: FieldType>(at: *const u8) -> AnyView<'static> {
    // SAFETY: see above.
    unsafe { &*at.cast::<T>() }.view()
}

unsafe fn write<T: FieldType>(at: *mut u8, value: Any) -> Result<()> {
    match T::from_any(value) {
        Ok(value) => {
            // SAFETY: see above.
            unsafe { (at as *mut T).write(value) };
            Ok(())
        }
        Err(error) => Err(error),
    }
}

unsafe fn copy<T: FieldType>(from: *const u8, to: *mut u8) {
    // SAFETY: see above.
    unsafe { to.cast::<T>().write((*from.cast::<T>()).clone()) }
}

unsafe fn drop<T: FieldType>(at: *mut u8) {
    // SAFETY: see above.
    unsafe { at.cast::<T>().drop_in_place() }
}

/// A field of type `T` that begins `offset` bytes after the start of its node.
///
/// # Safety
/// In every node of the type that lists this field, a `T` lies at `offset`.
#[must_use]
pub const unsafe fn field_info<T: FieldType>(name: &'static str, offset: usize, meta: FieldMeta) -> FieldInfo {
    FieldInfo {
        name,
        meta,
        offset: (offset + DATA_OFFSET) as u32,
        storage: T::STORAGE,
        ops: FieldOps::of::<T>(),
        default: None,
        runtime: None,
    }
}

impl FieldInfo {
    /// The same field with a default.
    #[must_use]
    pub const fn with_default(mut self, default: fn() -> Any) -> Self {
        self.default = Some(default);
        self
    }
}

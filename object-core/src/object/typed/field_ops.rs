//! The operations on fields of one Rust type, as function pointers, and the [`FieldInfo`] of such a field.

use std::any::TypeId;

use crate::error::Result;
use crate::object::model::any::{Any, AnyView};
use crate::object::model::field_info::{FieldInfo, FieldMeta, FieldOps, Storage, ValueFns, ValueOps};
use crate::object::model::handle_ops::HandleOps;
use crate::object::model::object_ref::{DATA_OFFSET, ObjectRef};
use crate::object::typed::field_place::FieldPlace;
use crate::object::typed::field_type::FieldType;

impl FieldOps {
    /// The operations of `T`. All handles share their functions, so the compiler compiles these functions once.
    pub(crate) const fn of<T: FieldType>() -> &'static Self {
        const {
            &match T::STORAGE.handle() {
                Some(handle) => FieldOps::of_handle::<T>(handle),
                None => FieldOps {
                    type_id: TypeId::of::<T>(),
                    storage: T::STORAGE.get(),
                    owns_objects: T::STORAGE.owns_objects(),
                    view: view::<T>,
                    copy: copy::<T>,
                    needs_drop: std::mem::needs_drop::<T>(),
                    drop: drop::<T>,
                    values: ValueOps::Other(ValueFns {
                        write: write::<T>,
                        accepts: T::accepts,
                        accepts_type: T::accepts_type,
                        schema: T::schema,
                        enumeration: T::enumeration,
                    }),
                    contents: T::CONTENTS,
                },
            }
        }
    }

    /// The operations of the handle or the optional handle `T`.
    const fn of_handle<T: FieldType>(handle: HandleOps) -> Self {
        let storage = T::STORAGE.get();
        let (type_id, contents) = (TypeId::of::<T>(), T::CONTENTS);
        match storage {
            Storage::OptionalObject => FieldOps {
                type_id,
                storage,
                owns_objects: true,
                view: view::<Option<ObjectRef>>,
                copy: copy::<Option<ObjectRef>>,
                needs_drop: true,
                drop: drop::<Option<ObjectRef>>,
                values: ValueOps::OptionalHandle(handle),
                contents,
            },
            _ => FieldOps {
                type_id,
                storage,
                owns_objects: true,
                view: view::<ObjectRef>,
                copy: copy::<ObjectRef>,
                needs_drop: true,
                drop: drop::<ObjectRef>,
                values: ValueOps::Handle(handle),
                contents,
            },
        }
    }
}

/// Borrows the value at `at`.
///
/// # Safety
/// `at` points to a valid `T`, or, for handles, to a transparent wrapper of a `T`. The value is borrowed as long as the
/// result is in use.
unsafe fn view<T: FieldType>(at: *const u8) -> AnyView<'static> {
    // SAFETY: by the contract.
    unsafe { &*at.cast::<T>() }.view()
}

/// Converts `value` to a `T` and writes it to `at`.
///
/// # Safety
/// `at` is valid for writes of a `T` and aligned for it.
unsafe fn write<T: FieldType>(at: *mut u8, value: Any) -> Result<()> {
    match T::from_any(value) {
        Ok(value) => {
            // SAFETY: by the contract.
            unsafe { (at as *mut T).write(value) };
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// Clones the value at `from` to `to`.
///
/// # Safety
/// `from` is as `at` for [`view`], and `to` is valid for writes of a `T` and aligned for it.
unsafe fn copy<T: FieldType>(from: *const u8, to: *mut u8) {
    // SAFETY: by the contract.
    unsafe { to.cast::<T>().write((*from.cast::<T>()).clone()) }
}

/// Drops the value at `at`.
///
/// # Safety
/// `at` is as for [`view`], and nothing uses the value afterwards.
unsafe fn drop<T: FieldType>(at: *mut u8) {
    // SAFETY: by the contract.
    unsafe { at.cast::<T>().drop_in_place() }
}

/// The field of type `T` at `place` in a node `N`.
#[must_use]
#[expect(
    clippy::needless_pass_by_value,
    reason = "each generated table calls it for each field, and a value is less code"
)]
pub const fn field_info<T: FieldType, N>(name: &'static str, place: FieldPlace<N, T>, meta: FieldMeta) -> FieldInfo {
    FieldInfo {
        name,
        meta,
        offset: place.offset() + DATA_OFFSET as u32,
        storage: T::STORAGE.get(),
        ops: FieldOps::of::<T>(),
        default: None,
        runtime: None,
    }
}

impl FieldInfo {
    /// The same field with a default. Generated code calls this function.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_default(mut self, default: fn() -> Any) -> Self {
        self.default = Some(default);
        self
    }
}

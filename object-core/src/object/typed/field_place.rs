//! [`FieldPlace`]: the offset of a field in a struct, as a proof that the field is there and has its type.

use std::marker::PhantomData;

/// A field of type `T` in each struct `N`, by its offset in bytes.
///
/// Only [`field_place!`](crate::field_place) makes one. So an offset in a type table does not depend on the meaning of the
/// names in the code that wrote the table.
pub struct FieldPlace<N, T> {
    offset: u32,
    of: PhantomData<(*mut N, *mut T)>,
}

impl<N, T> FieldPlace<N, T> {
    /// The field at `offset`, to which `_field` leads: a pointer does not convert to a pointer to another type, so the field has
    /// the type `T`.
    ///
    /// # Panics
    /// At compile time, as [`new`](Self::new).
    ///
    /// # Safety
    /// The place to which `_field` leads is a field of `N` itself, and not a part of a field, at `offset`.
    #[must_use]
    pub const unsafe fn at(_field: fn(&N) -> *const T, offset: usize) -> Self {
        FieldPlace::checked(offset)
    }

    /// The field that `field` points to, in the struct that `node` points to.
    ///
    /// # Panics
    /// At compile time, if references to the field may be misaligned, or if the struct is larger than 4 GiB.
    ///
    /// # Safety
    /// Every `N` has a field of type `T` itself, and not a part of a field, at `offset`. The field lies there in `node`.
    #[must_use]
    pub const unsafe fn new(node: *mut N, field: *mut T, offset: usize) -> Self {
        // SAFETY: by the contract, both pointers are in one struct.
        assert!(unsafe { field.byte_offset_from(node) } == offset as isize, "the offset is the offset of the field");
        FieldPlace::checked(offset)
    }

    /// The place at `offset`, which is a field.
    const fn checked(offset: usize) -> Self {
        assert!(
            align_of::<T>() <= align_of::<N>() && offset.is_multiple_of(align_of::<T>()),
            "a node struct cannot be packed, because its fields are read in place"
        );
        assert!(size_of::<N>() <= u32::MAX as usize, "a node struct must not have more than 4 GiB");
        FieldPlace { offset: offset as u32, of: PhantomData }
    }

    /// The offset in bytes from the start of the struct.
    pub(crate) const fn offset(&self) -> u32 {
        self.offset
    }
}

/// Checks in generated code that a field, to which `_field` points, has the type `T`, which is [`Send`] and [`Sync`].
pub const fn is_thread_safe<T: ThreadSafe>(_field: *const T) {}

/// A type whose values threads share and move: it is [`Send`] and [`Sync`].
#[diagnostic::on_unimplemented(
    message = "threads cannot share a `{Self}`, but they share objects",
    label = "not `Send` and `Sync`",
    note = "write `Arc` for `Rc`, `Mutex` or `RwLock` for `RefCell`, `OnceLock` for `OnceCell`, and an atomic number for `Cell`"
)]
pub trait ThreadSafe {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync> ThreadSafe for T {}

//! [`TensorView`]: a tensor of another library as an argument of a function, without a copy of its elements.

use std::ffi::c_void;
use std::sync::Arc;

use object_core::dlpack::{DlpackTensor, READ_ONLY, RawDataType, RawDevice, RawManagedTensor, RawTensor, VERSION};
use object_core::error::Result;
use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_core::{DataType, Device, Tensor};

use crate::handle::Handle;

/// The data of a [`TensorView`].
///
/// ```
/// use object_core::dlpack::DlpackTensor;
/// use object_core::{DataType, Tensor};
/// use object_ffi::TensorView;
/// let tensor = Tensor::new(DataType::uint(8), [2, 2], vec![1, 2, 3, 4])?;
/// let view = TensorView::of(DlpackTensor::of(&tensor)?);
/// assert_eq!((view.shape(), view.strides()), (&[2, 2][..], Some(&[2, 1][..])));
/// assert_eq!(view.data().cast_const().cast(), tensor.data.as_ptr());
/// assert!(view.is_read_only());
/// assert_eq!(view.to_tensor()?.data, tensor.data);
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Object, Clone)]
#[object(type_key = "object_ffi.TensorView", opaque, may_contain())]
pub struct TensorViewNode {
    tensor: Arc<DlpackTensor>,
}

impl TensorViewNode {
    fn raw(&self) -> &RawTensor {
        &self.tensor.raw().dl_tensor
    }

    /// The type of an element.
    #[must_use]
    pub fn dtype(&self) -> DataType {
        let RawDataType { code, bits, lanes } = self.raw().dtype;
        DataType { code: TypeCode(code), bits, raw_lanes: lanes }
    }

    /// The device of the memory.
    #[must_use]
    pub fn device(&self) -> Device {
        let RawDevice { device_type, device_id } = self.raw().device;
        Device { device_type, device_id }
    }

    /// The extents, the outermost first.
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        self.per_dimension(self.raw().shape).unwrap_or_default()
    }

    /// The distances of neighbours in each dimension, in elements; `None` for C order without gaps.
    #[must_use]
    pub fn strides(&self) -> Option<&[i64]> {
        self.per_dimension(self.raw().strides)
    }

    fn per_dimension(&self, numbers: *const i64) -> Option<&[i64]> {
        let rank = usize::try_from(self.raw().ndim).unwrap_or(0);
        // SAFETY: who made the `DlpackTensor` promised a valid tensor, whose shape and strides have a number for each dimension
        // and stay as they are.
        (!numbers.is_null()).then(|| unsafe { std::slice::from_raw_parts(numbers, rank) })
    }

    /// The address of the first element, on the [device](Self::device). It is valid while the view lives.
    ///
    /// Rust does not control who else uses the memory: a program that reads or writes there has to know that nobody writes there
    /// meanwhile, and that the memory is not [read-only](Self::is_read_only) and not the memory of a [`Tensor`] of Rust if the
    /// program writes.
    #[must_use]
    pub fn data(&self) -> *mut c_void {
        let offset = usize::try_from(self.raw().byte_offset).unwrap_or(usize::MAX);
        self.raw().data.wrapping_byte_add(offset)
    }

    /// Whether the library that made the tensor forbids to write into it. tvm-ffi does not pass this flag on.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.tensor.raw().flags & READ_ONLY != 0
    }

    /// A copy of the elements in C order. Nobody may write into the memory meanwhile.
    ///
    /// # Errors
    /// As [`DlpackTensor::to_tensor`].
    pub fn to_tensor(&self) -> Result<Tensor> {
        self.tensor.to_tensor()
    }
}

impl TensorView {
    /// A view of a tensor, which is released with the last handle of the view, on any thread.
    #[must_use]
    pub fn of(tensor: DlpackTensor) -> Self {
        TensorViewNode { tensor: Arc::new(tensor) }.into()
    }

    /// A managed tensor over the same memory, which keeps the view alive.
    ///
    /// # Errors
    /// None, because the version of the managed tensor is known.
    pub(crate) fn share(&self) -> Result<DlpackTensor> {
        managed(*self.raw(), self.tensor.raw().flags, Owner::View(self.clone()))
    }

    /// The tensor of tvm-ffi that the view came from.
    pub(crate) fn origin(&self) -> Option<&Handle> {
        let raw = self.tensor.raw();
        if !raw.deleter.is_some_and(|deleter| std::ptr::fn_addr_eq(deleter, DELETER)) {
            return None;
        }
        // SAFETY: a managed tensor with this deleter comes from `managed`, and the view keeps it alive.
        match unsafe { &*raw.manager_ctx.cast::<Owner>() } {
            Owner::Peer(handle) => Some(handle),
            Owner::View(_) | Owner::Caller => None,
        }
    }
}

/// The owner of the memory of a managed tensor.
#[expect(dead_code, reason = "the drop of an owner releases it")]
pub(crate) enum Owner {
    /// A tensor of tvm-ffi.
    Peer(Handle),
    /// A view, which owns a managed tensor of another library.
    View(TensorView),
    /// The caller, who lends the memory for the time of a call.
    Caller,
}

/// The deleter of [`managed`]. Its address tells these managed tensors from others, so there is one static for it.
static DELETER: unsafe extern "C" fn(*mut RawManagedTensor) = delete;

/// A managed tensor over memory that `owner` keeps alive.
///
/// # Errors
/// As [`TensorView::share`].
pub(crate) fn managed(dl_tensor: RawTensor, flags: u64, owner: Owner) -> Result<DlpackTensor> {
    let (major, minor) = VERSION;
    let manager_ctx = Box::into_raw(Box::new(owner)).cast();
    let managed = RawManagedTensor { major, minor, manager_ctx, deleter: Some(DELETER), flags, dl_tensor };
    // SAFETY: the managed tensor is new. The callers pass a tensor whose memory lives as long as the owner, which each thread
    // may release.
    unsafe { DlpackTensor::from_raw(Box::into_raw(Box::new(managed))) }
}

/// Releases a managed tensor.
///
/// # Safety
/// `raw` comes from [`managed`], and nobody uses it later.
unsafe extern "C" fn delete(raw: *mut RawManagedTensor) {
    // SAFETY: by the contract, both are boxes.
    unsafe {
        let managed = Box::from_raw(raw);
        crate::release::release(Box::from_raw(managed.manager_ctx.cast::<Owner>()));
    }
}

//! Tensors as DLPack's managed tensors, which other libraries exchange in memory (dlpack.h, version 1.1).

use std::ffi::c_void;
use std::fmt;
use std::ptr::{self, NonNull};

use super::{Shape, Tensor};
use crate::error::{Error, ErrorKind, Result};
use crate::scalar::{DataType, Device, TypeCode};

/// The version of the structures: the major and the minor number.
pub const VERSION: (u32, u32) = (1, 1);

/// The flag of tensors that nobody may write into.
pub const READ_ONLY: u64 = 1;

/// The flag of tensors that are copies.
pub const IS_COPIED: u64 = 2;

/// The flag of tensors whose elements of less than 8 bits take whole bytes.
pub const PADDED_SUBBYTES: u64 = 4;

/// The most dimensions of a tensor from another library.
const MAX_RANK: usize = 1 << 10;

/// DLPack's `DLDevice`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawDevice {
    /// The kind of the device.
    pub device_type: i32,
    /// The ordinal among the devices of this kind.
    pub device_id: i32,
}

/// DLPack's `DLDataType`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawDataType {
    /// The number of the [`TypeCode`].
    pub code: u8,
    /// The bits of a lane.
    pub bits: u8,
    /// The number of lanes.
    pub lanes: u16,
}

/// DLPack's `DLTensor`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawTensor {
    /// The memory, in which the tensor begins at `byte_offset`.
    pub data: *mut c_void,
    /// The device of the memory.
    pub device: RawDevice,
    /// The number of dimensions.
    pub ndim: i32,
    /// The type of an element.
    pub dtype: RawDataType,
    /// The extents, `ndim` of them.
    pub shape: *mut i64,
    /// The distances of neighbours in each dimension, in elements; null for C order without gaps.
    pub strides: *mut i64,
    /// The distance of the first element from `data`, in bytes.
    pub byte_offset: u64,
}

/// DLPack's `DLManagedTensor`, without a version: the content of capsules with the name `dltensor`.
#[derive(Debug)]
#[repr(C)]
pub struct RawLegacyManagedTensor {
    /// The tensor.
    pub dl_tensor: RawTensor,
    /// The data of the library that made the tensor.
    pub manager_ctx: *mut c_void,
    /// Releases the tensor.
    pub deleter: Option<unsafe extern "C" fn(*mut RawLegacyManagedTensor)>,
}

/// DLPack's `DLManagedTensorVersioned`: the content of capsules with the name `dltensor_versioned`.
#[derive(Debug)]
#[repr(C)]
pub struct RawManagedTensor {
    /// The major number of the version.
    pub major: u32,
    /// The minor number of the version.
    pub minor: u32,
    /// The data of the library that made the tensor.
    pub manager_ctx: *mut c_void,
    /// Releases the tensor.
    pub deleter: Option<unsafe extern "C" fn(*mut RawManagedTensor)>,
    /// [`READ_ONLY`], [`IS_COPIED`] and [`PADDED_SUBBYTES`].
    pub flags: u64,
    /// The tensor.
    pub dl_tensor: RawTensor,
}

/// The memory that an exported tensor points to.
struct Owner {
    /// The elements of a tensor that the consumer only reads.
    _tensor: Option<Tensor>,
    /// The elements of a tensor that the consumer may write into, in words of 16 bytes.
    copy: Vec<u128>,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

/// The distances of neighbours in C order, in elements.
fn compact_strides(shape: &[i64]) -> Vec<i64> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = shape[axis].max(1).saturating_mul(strides[axis]);
    }
    strides
}

impl Owner {
    /// The owner of a tensor, and the tensor as DLPack describes it; a copy of the elements if `copies`.
    fn new(tensor: &Tensor, copies: bool) -> (Box<Owner>, RawTensor) {
        let copy = if copies { words(&tensor.data) } else { Vec::new() };
        let kept = (!copies).then(|| tensor.clone());
        let (shape, strides) = (tensor.shape.to_vec(), compact_strides(&tensor.shape));
        let mut owner = Box::new(Owner { _tensor: kept, copy, shape, strides });
        let data: *mut c_void = match copies {
            true => owner.copy.as_mut_ptr().cast(),
            // The flag `READ_ONLY` forbids the consumer to write.
            false => tensor.data.as_slice().as_ptr().cast_mut().cast(),
        };
        let DataType { code, bits, .. } = tensor.dtype;
        let raw = RawTensor {
            data,
            device: RawDevice { device_type: tensor.device.device_type, device_id: tensor.device.device_id },
            ndim: i32::try_from(owner.shape.len()).unwrap_or(i32::MAX),
            dtype: RawDataType { code: code.0, bits, lanes: tensor.dtype.raw_lanes },
            shape: owner.shape.as_mut_ptr(),
            strides: owner.strides.as_mut_ptr(),
            byte_offset: 0,
        };
        (owner, raw)
    }
}

/// The bytes in words, which are aligned like the bytes of tensors.
fn words(bytes: &[u8]) -> Vec<u128> {
    let word = |chunk: &[u8]| {
        let mut word = [0; 16];
        word[..chunk.len()].copy_from_slice(chunk);
        u128::from_ne_bytes(word)
    };
    bytes.chunks(16).map(word).collect()
}

/// Releases what `Owner::new` made.
///
/// # Safety
/// `owner` is a box of [`Owner`] as a raw pointer, which nobody uses later.
unsafe fn release(owner: *mut c_void) {
    // SAFETY: by the contract.
    drop(unsafe { Box::from_raw(owner.cast::<Owner>()) });
}

/// The deleter of [`DlpackTensor::of`].
///
/// # Safety
/// `managed` is what that function made, and nobody uses it later.
unsafe extern "C" fn delete(managed: *mut RawManagedTensor) {
    // SAFETY: by the contract, it comes from a box, and so does its context.
    unsafe {
        let managed = Box::from_raw(managed);
        release(managed.manager_ctx);
    }
}

/// The deleter of [`LegacyDlpackTensor::of`].
///
/// # Safety
/// As for [`delete`].
unsafe extern "C" fn delete_legacy(managed: *mut RawLegacyManagedTensor) {
    // SAFETY: as in `delete`.
    unsafe {
        let managed = Box::from_raw(managed);
        release(managed.manager_ctx);
    }
}

/// An owned managed tensor of DLPack, which another library or [`of`](DlpackTensor::of) has made. The drop releases it.
///
/// ```
/// use object_core::dlpack::DlpackTensor;
/// use object_core::{DataType, Tensor};
/// let tensor = Tensor::new(DataType::uint(8), [2, 2], vec![1, 2, 3, 4])?;
/// let exported: *mut _ = DlpackTensor::of(&tensor)?.into_raw();
/// // SAFETY: the pointer comes from `into_raw`, and is used once.
/// let imported = unsafe { DlpackTensor::from_raw(exported) }?;
/// assert_eq!(imported.to_tensor()?.data, tensor.data);
/// # Ok::<(), object_core::Error>(())
/// ```
pub struct DlpackTensor(NonNull<RawManagedTensor>);

// SAFETY: who made the value promised that each thread may release the managed tensor, whose description nobody changes.
unsafe impl Send for DlpackTensor {}
// SAFETY: as above; a shared value only reads.
unsafe impl Sync for DlpackTensor {}

/// Like [`DlpackTensor`], in the older format without a version.
pub struct LegacyDlpackTensor(NonNull<RawLegacyManagedTensor>);

/// The size of an element of this type, if DLPack and this crate agree about it: DLPack rounds the bits of all lanes up to
/// whole bytes, and this crate the bits of each lane. Elements of less than a byte have this size if they are padded.
fn agreed_size(dtype: DataType) -> Option<usize> {
    let is_whole = dtype.bits.is_multiple_of(8) || (dtype.bits < 8 && dtype.lanes() == 1);
    dtype.byte_size(1).filter(|_| is_whole)
}

/// Checks that DLPack can describe a tensor.
fn check_export(tensor: &Tensor) -> Result<()> {
    if agreed_size(tensor.dtype).is_some() {
        return Ok(());
    }
    let message = format!("expected a tensor whose elements take whole bytes, got the type {:?}", tensor.dtype);
    Err(Error::new(ErrorKind::NotSerializable, message))
}

fn null() -> Error {
    Error::new(ErrorKind::Malformed, "expected the address of a managed tensor, got null")
}

impl DlpackTensor {
    /// The tensor without a copy of its elements. The consumer must not write into it, as the flag [`READ_ONLY`] says.
    ///
    /// # Errors
    /// [`NotSerializable`](ErrorKind::NotSerializable) for a scalable vector as the type of an element, and for a vector
    /// whose lanes do not take whole bytes.
    pub fn of(tensor: &Tensor) -> Result<Self> {
        Self::new(tensor, false)
    }

    /// A copy of the tensor, which the consumer may write into.
    ///
    /// # Errors
    /// Like [`of`](Self::of).
    pub fn copy_of(tensor: &Tensor) -> Result<Self> {
        Self::new(tensor, true)
    }

    fn new(tensor: &Tensor, copies: bool) -> Result<Self> {
        check_export(tensor)?;
        let (owner, dl_tensor) = Owner::new(tensor, copies);
        let padded = if tensor.dtype.bits < 8 { PADDED_SUBBYTES } else { 0 };
        let managed = Box::new(RawManagedTensor {
            major: VERSION.0,
            minor: VERSION.1,
            manager_ctx: Box::into_raw(owner).cast(),
            deleter: Some(delete),
            flags: padded | if copies { IS_COPIED } else { READ_ONLY },
            dl_tensor,
        });
        Ok(DlpackTensor(NonNull::from(Box::leak(managed))))
    }

    /// Takes over a managed tensor.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for null and for another major version; the tensor is then released.
    ///
    /// # Safety
    /// `managed` is null, or a managed tensor as dlpack.h describes it that nobody else releases and each thread may release.
    /// Nobody writes into its memory during [`to_tensor`](Self::to_tensor), and nobody changes its description.
    pub unsafe fn from_raw(managed: *mut RawManagedTensor) -> Result<Self> {
        let managed = DlpackTensor(NonNull::new(managed).ok_or_else(null)?);
        // Only the first three fields are the same in all versions, so there is no reference to the whole structure yet.
        // SAFETY: by the contract, the structure begins with its version.
        let major = unsafe { (&raw const (*managed.0.as_ptr()).major).read() };
        if major == VERSION.0 {
            return Ok(managed);
        }
        let message = format!("expected version {} of DLPack, got version {major}", VERSION.0);
        Err(Error::new(ErrorKind::Malformed, message))
    }

    /// The managed tensor, which the caller must release by its deleter.
    #[must_use]
    pub fn into_raw(self) -> *mut RawManagedTensor {
        std::mem::ManuallyDrop::new(self).0.as_ptr()
    }

    /// The managed tensor.
    #[must_use]
    pub fn raw(&self) -> &RawManagedTensor {
        // SAFETY: the value owns the managed tensor, and `from_raw` has checked its version.
        unsafe { self.0.as_ref() }
    }

    /// A copy of the tensor, whose elements may have any strides.
    ///
    /// # Errors
    /// [`NotSerializable`](ErrorKind::NotSerializable) for a tensor that is not on the CPU,
    /// [`Malformed`](ErrorKind::Malformed) for elements that do not take whole bytes and for missing memory, and
    /// [`OutOfRange`](ErrorKind::OutOfRange) for a shape that no tensor has, or for more elements than the memory holds: an
    /// array of one element that is repeated by a stride of zero can have any shape.
    pub fn to_tensor(&self) -> Result<Tensor> {
        let raw = self.raw();
        // SAFETY: who made this value promised that the managed tensor is valid.
        unsafe { copied(&raw.dl_tensor, raw.flags & PADDED_SUBBYTES != 0) }
    }
}

impl Drop for DlpackTensor {
    fn drop(&mut self) {
        // SAFETY: the value owns the managed tensor, and nobody uses it later. All versions have a deleter in this place.
        unsafe {
            if let Some(deleter) = (&raw const (*self.0.as_ptr()).deleter).read() {
                deleter(self.0.as_ptr());
            }
        }
    }
}

impl LegacyDlpackTensor {
    /// The tensor with a copy of its elements, because this format cannot forbid the consumer to write.
    ///
    /// # Errors
    /// [`NotSerializable`](ErrorKind::NotSerializable) for a scalable vector as the type of an element, and for elements of
    /// less than 8 bits, which this format packs.
    pub fn of(tensor: &Tensor) -> Result<Self> {
        check_export(tensor)?;
        if tensor.dtype.bits < 8 {
            let message = format!("the format packs elements of less than 8 bits, got the type {:?}", tensor.dtype);
            return Err(Error::new(ErrorKind::NotSerializable, message));
        }
        let (owner, dl_tensor) = Owner::new(tensor, true);
        let manager_ctx = Box::into_raw(owner).cast();
        let managed = Box::new(RawLegacyManagedTensor { dl_tensor, manager_ctx, deleter: Some(delete_legacy) });
        Ok(LegacyDlpackTensor(NonNull::from(Box::leak(managed))))
    }

    /// Takes over a managed tensor.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for null.
    ///
    /// # Safety
    /// As for [`DlpackTensor::from_raw`].
    pub unsafe fn from_raw(managed: *mut RawLegacyManagedTensor) -> Result<Self> {
        NonNull::new(managed).map(LegacyDlpackTensor).ok_or_else(null)
    }

    /// The managed tensor, which the caller must release by its deleter.
    #[must_use]
    pub fn into_raw(self) -> *mut RawLegacyManagedTensor {
        std::mem::ManuallyDrop::new(self).0.as_ptr()
    }

    /// The managed tensor.
    #[must_use]
    pub fn raw(&self) -> &RawLegacyManagedTensor {
        // SAFETY: the value owns the managed tensor, which has no other version of the structure.
        unsafe { self.0.as_ref() }
    }

    /// A copy of the tensor: see [`DlpackTensor::to_tensor`].
    ///
    /// # Errors
    /// Like [`DlpackTensor::to_tensor`].
    pub fn to_tensor(&self) -> Result<Tensor> {
        // SAFETY: who made this value promised that the managed tensor is valid.
        unsafe { copied(&self.raw().dl_tensor, false) }
    }
}

impl Drop for LegacyDlpackTensor {
    fn drop(&mut self) {
        if let Some(deleter) = self.raw().deleter {
            // SAFETY: the value owns the managed tensor, and nobody uses it later.
            unsafe { deleter(self.0.as_ptr()) }
        }
    }
}

impl fmt::Debug for DlpackTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.raw(), f)
    }
}

impl fmt::Debug for LegacyDlpackTensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.raw(), f)
    }
}

/// `count` numbers at `address`; none for null.
///
/// # Safety
/// `address` is null, or the address of `count` numbers.
unsafe fn numbers(address: *const i64, count: usize) -> Option<Vec<i64>> {
    // SAFETY: by the contract. The address may be unaligned.
    let number = |index: usize| unsafe { ptr::read_unaligned(address.add(index)) };
    (!address.is_null()).then(|| (0..count).map(number).collect())
}

/// The elements of a tensor of another library in C order.
///
/// # Safety
/// `raw` is a valid tensor of dlpack.h.
unsafe fn copied(raw: &RawTensor, is_padded: bool) -> Result<Tensor> {
    let malformed = |message: String| Error::new(ErrorKind::Malformed, message);
    let device = Device { device_type: raw.device.device_type, device_id: raw.device.device_id };
    if device.device_type != Device::cpu(0).device_type {
        let message = format!("expected a tensor on the CPU, got one on {device}; copy it to the CPU first");
        return Err(Error::new(ErrorKind::NotSerializable, message));
    }
    let RawDataType { code, bits, lanes } = raw.dtype;
    let dtype = DataType { code: TypeCode(code), bits, raw_lanes: lanes };
    let Some(size) = agreed_size(dtype).filter(|_| bits >= 8 || is_padded) else {
        return Err(malformed(format!("expected elements of whole bytes, got elements of the type {dtype:?}")));
    };
    let rank = usize::try_from(raw.ndim).ok().filter(|rank| *rank <= MAX_RANK);
    let rank = rank.ok_or_else(|| malformed(format!("expected at most {MAX_RANK} dimensions, got {}", raw.ndim)))?;
    // SAFETY: the shape and the strides have a number for each dimension.
    let (shape, strides) = unsafe { (numbers(raw.shape, rank), numbers(raw.strides, rank)) };
    let shape = shape.or_else(|| (rank == 0).then(Vec::new)).ok_or_else(|| malformed("the shape is null".into()))?;
    let strides = strides.unwrap_or_else(|| compact_strides(&shape));
    let elements = Shape::new(&shape).elements();
    let bytes = elements.and_then(|elements| dtype.byte_size(elements)).filter(|bytes| isize::try_from(*bytes).is_ok());
    let out_of_range = |message: String| Error::new(ErrorKind::OutOfRange, message);
    let (Some(elements), Some(bytes)) = (elements, bytes) else {
        return Err(out_of_range(format!("no tensor has the shape {shape:?} and the type {dtype:?}")));
    };
    let mut data = Vec::new();
    if data.try_reserve_exact(bytes).is_err() {
        return Err(out_of_range(format!(
            "the memory has no room for the {bytes} bytes of a tensor of shape {shape:?}"
        )));
    }
    data.resize(bytes, 0);
    if bytes > 0 && raw.data.is_null() {
        return Err(malformed(format!("expected {bytes} bytes of elements, got null")));
    }
    let first = raw.data.cast::<u8>().wrapping_add(usize::try_from(raw.byte_offset).unwrap_or(usize::MAX));
    if strides == compact_strides(&shape) {
        // SAFETY: a tensor without gaps has `bytes` bytes from its first element on.
        unsafe { ptr::copy_nonoverlapping(first, data.as_mut_ptr(), bytes) };
        return Tensor::new(dtype, shape, data);
    }
    let mut index = vec![0_i64; rank];
    for target in data.chunks_exact_mut(size.max(1)).take(elements) {
        let distance =
            index.iter().zip(&strides).map(|(at, stride)| at.wrapping_mul(*stride)).fold(0, i64::wrapping_add);
        let from = first.wrapping_offset((distance as isize).wrapping_mul(size as isize));
        // SAFETY: the index is inside of the shape, so the tensor has an element there.
        unsafe { ptr::copy_nonoverlapping(from, target.as_mut_ptr(), size) };
        for (at, extent) in index.iter_mut().zip(&shape).rev() {
            *at += 1;
            if *at < *extent {
                break;
            }
            *at = 0;
        }
    }
    Tensor::new(dtype, shape, data)
}

//! [`Tensor`]: a tensor that programs write into.

use std::cmp::Ordering;
use std::hash::Hasher as _;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};
use std::sync::{RwLockReadGuard, RwLockWriteGuard};

use object_core::meter::Meter;
use object_core::prelude::*;
use object_core::register_impl;
use object_core::value::WritableTensor;

use super::dimensions::PerDimension;
use super::element::{Element, ElementType, with_element};
use super::storage::{Storage, zeroed_words};

/// The data of a [`Tensor`].
#[derive(Object, Clone)]
#[object(type_key = "object_ir.eval.Tensor", opaque)]
pub struct TensorNode {
    storage: Storage,
    offset: usize,
    element: ElementType,
    shape: Shape,
    elements: usize,
}

/// The elements that `shape` would have with 1 in place of each extent of 0. A budget counts them, because a reduction over
/// an empty dimension has elements, and so do arrays of extents, which multiply them.
///
/// # Errors
/// [`OutOfRange`](ErrorKind::OutOfRange) for a negative extent, and for too many elements.
pub(crate) fn room_of(shape: &[i64]) -> Result<usize, Error> {
    let product = |product: usize, extent: &i64| product.checked_mul(usize::try_from(*extent).ok()?.max(1));
    let room = shape.iter().try_fold(1, product).filter(|room| *room <= isize::MAX as usize / 16);
    room.ok_or_else(|| {
        let message =
            format!("a tensor of shape {shape:?} does not exist: expected extents of at least 0 that fit memory");
        Error::new(ErrorKind::OutOfRange, message)
    })
}

impl Tensor {
    /// A tensor of zeros in its own memory, which `meter` counts.
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) for a shape that no tensor has, [`TypeMismatch`](ErrorKind::TypeMismatch) for
    /// an element type that [`ElementType`] lacks, and [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses
    /// the memory.
    pub fn zeros(dtype: DataType, shape: &[i64], meter: &Meter) -> Result<Self, Error> {
        let element = ElementType::of(dtype)?;
        let bytes = if shape.contains(&0) { 0 } else { room_of(shape)? * element.size() };
        Tensor::in_storage(&Storage::zeros(bytes, meter)?, 0, dtype, shape)
    }

    /// A tensor in `storage`, from the byte `offset` on. It shares the memory with all tensors there.
    ///
    /// # Errors
    /// Like [`zeros`](Self::zeros), and [`OutOfRange`](ErrorKind::OutOfRange) if the tensor does not fit the memory, or
    /// begins between two of its elements.
    pub fn in_storage(storage: &Storage, offset: usize, dtype: DataType, shape: &[i64]) -> Result<Self, Error> {
        let element = ElementType::of(dtype)?;
        let room = room_of(shape)?;
        let elements = if shape.contains(&0) { 0 } else { room };
        if elements == 0 {
            storage.meter().check((room * element.size()) as u64)?;
        }
        let (size, available) = (elements * element.size(), storage.byte_len());
        let end = offset.checked_add(size);
        if end.is_none_or(|end| end > available) {
            let message = format!(
                "a tensor of shape {shape:?} and type {dtype} has {size} bytes, from byte {offset} on; the memory has only \
                 {available} bytes"
            );
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        if !offset.is_multiple_of(element.size()) {
            let message =
                format!("a tensor of type {dtype} begins at a multiple of {} bytes, got {offset}", element.size());
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        Ok(TensorNode { storage: storage.clone(), offset, element, shape: Shape::new(shape), elements }.into())
    }

    /// A tensor with `elements` in C order.
    ///
    /// # Errors
    /// Like [`zeros`](Self::zeros), and [`OutOfRange`](ErrorKind::OutOfRange) for another number of elements.
    pub fn from_elements<T: Element>(
        shape: &[i64],
        elements: impl IntoIterator<Item = T::Bits>,
        meter: &Meter,
    ) -> Result<Self, Error> {
        let tensor = Tensor::zeros(T::TYPE.dtype(), shape, meter)?;
        let mut given = 0;
        {
            let mut places = tensor.write::<T>()?;
            let mut places = places.iter_mut();
            for element in elements {
                given += 1;
                if let Some(place) = places.next() {
                    *place = element;
                }
            }
        }
        if given == tensor.elements {
            return Ok(tensor);
        }
        let message = format!("a tensor of shape {shape:?} has {} elements, got {given}", tensor.elements);
        Err(Error::new(ErrorKind::OutOfRange, message))
    }

    /// A tensor whose elements `fill` writes, in C order. They are 0 before. It shares the object of its shape.
    ///
    /// # Errors
    /// Like [`zeros`](Self::zeros).
    pub(crate) fn filled<T: Element>(
        shape: impl Into<Shape>,
        meter: &Meter,
        fill: impl FnOnce(&mut [T::Bits]),
    ) -> Result<Self, Error> {
        let shape = shape.into();
        let size = size_of::<T::Bits>();
        let room = room_of(&shape)?;
        let elements = if shape.contains(&0) { 0 } else { room };
        if elements == 0 {
            meter.check((room * size) as u64)?;
        }
        let (mut words, charge) = zeroed_words(elements * size, meter)?;
        // Nothing else has the memory yet, so no lock is necessary.
        fill(&mut bytemuck::cast_slice_mut(&mut words)[..elements]);
        let storage = Storage::of_words(words, elements * size, charge);
        Ok(TensorNode { storage, offset: 0, element: T::TYPE, shape, elements }.into())
    }

    /// A copy of a constant in its own memory.
    ///
    /// # Errors
    /// Like [`zeros`](Self::zeros).
    pub fn from_constant(constant: &object_core::Tensor, meter: &Meter) -> Result<Self, Error> {
        let tensor = Tensor::zeros(constant.dtype, &constant.shape, meter)?;
        tensor.write_bytes().copy_from_slice(&constant.data);
        Ok(tensor)
    }

    /// The elements as a constant, which later writes do not change.
    ///
    /// # Errors
    /// Like [`object_core::Tensor::new`].
    pub fn to_constant(&self) -> Result<object_core::Tensor, Error> {
        object_core::Tensor::new(self.dtype(), self.shape.clone(), self.bytes())
    }

    /// The memory of the tensor as a tensor of another shape and type, from the byte `offset` of the tensor on.
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) if the view does not fit the tensor, or begins between two of its elements.
    pub fn view(&self, shape: &[i64], dtype: DataType, offset: i64) -> Result<Self, Error> {
        let size = Shape::new(shape).elements().and_then(|count| dtype.byte_size(count));
        let end = usize::try_from(offset).ok().zip(size).and_then(|(offset, size)| offset.checked_add(size));
        let available = self.byte_range().len();
        if end.is_none_or(|end| end > available) {
            let size = size.map_or("too many".to_owned(), |size| size.to_string());
            let message = format!(
                "a view of shape {shape:?} and type {dtype} has {size} bytes, from byte {offset} on; the tensor has only \
                 {available} bytes"
            );
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        Tensor::in_storage(&self.storage, self.offset + usize::try_from(offset).unwrap_or_default(), dtype, shape)
    }

    /// A copy in its own memory.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses the memory.
    pub fn copied(&self, meter: &Meter) -> Result<Self, Error> {
        self.copied_as(self.shape.clone(), meter)
    }

    /// A copy in its own memory, of another shape.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded) if the meter refuses the memory, and
    /// [`OutOfRange`](ErrorKind::OutOfRange) for a shape of another number of elements.
    pub(crate) fn copied_as(&self, shape: Shape, meter: &Meter) -> Result<Self, Error> {
        if shape.elements() != Some(self.len()) {
            let message = format!("expected a shape of {} elements, got {:?}", self.len(), &shape[..]);
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        with_element!(self.element, T => {
            let from = self.read::<T>()?;
            Tensor::filled::<T>(shape, meter, |to| to.copy_from_slice(&from))
        })
    }

    /// Overwrites the elements with the elements of `source`, which has as many bytes.
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) for another number of bytes.
    pub fn fill_from(&self, source: &Tensor) -> Result<(), Error> {
        let (from, to) = (source.byte_range(), self.byte_range());
        if to.len() != from.len() {
            let message = format!("expected a source of {} bytes, got {}", to.len(), from.len());
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        if self.storage.as_object().ptr_eq(source.storage.as_object()) {
            bytemuck::cast_slice_mut::<u64, u8>(&mut self.storage.write()).copy_within(from, to.start);
        } else {
            // Another thread may copy in the other direction, so one memory is free before the other one is locked.
            let bytes = source.bytes();
            self.write_bytes().copy_from_slice(&bytes);
        }
        Ok(())
    }

    /// The element type as a data type.
    #[must_use]
    pub fn dtype(&self) -> DataType {
        self.element.dtype()
    }

    /// The element type.
    #[must_use]
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// The extents.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The extents as indices of arrays.
    #[must_use]
    pub fn dims(&self) -> Vec<usize> {
        self.sizes().into_vec()
    }

    /// Like [`dims`](Self::dims), without memory of its own for few dimensions.
    pub(crate) fn sizes(&self) -> PerDimension {
        let mut sizes = PerDimension::new();
        self.shape.iter().for_each(|extent| sizes.push(usize::try_from(*extent).unwrap_or_default()));
        sizes
    }

    /// The number of dimensions.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.elements
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.elements == 0
    }

    /// The meter that counts the memory of the tensor.
    pub(crate) fn meter(&self) -> &Meter {
        self.storage.meter()
    }

    /// The memory of the tensor.
    #[must_use]
    pub fn storage(&self) -> &Storage {
        &self.storage
    }

    /// The place of the first element in the memory, in bytes.
    #[must_use]
    pub fn byte_offset(&self) -> usize {
        self.offset
    }

    /// The bytes of the tensor in the memory.
    #[must_use]
    pub fn byte_range(&self) -> Range<usize> {
        self.offset..self.offset + self.elements * self.element.size()
    }

    /// The bytes of all elements in C order.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.read_bytes().to_vec()
    }

    /// A hash of the elements, which differs after almost each change of them.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write(&self.read_bytes());
        hasher.finish()
    }

    /// The bytes of all elements in C order. The memory stays locked for writing until the result is dropped.
    pub(crate) fn read_bytes(&self) -> Elements<'_, u8> {
        Elements { words: self.storage.read(), range: self.byte_range(), bits: PhantomData }
    }

    /// The bytes of all elements in C order, to write. The memory stays locked until the result is dropped.
    pub(crate) fn write_bytes(&self) -> ElementsMut<'_, u8> {
        ElementsMut { words: self.storage.write(), range: self.byte_range(), bits: PhantomData }
    }

    /// The elements in C order. The memory stays locked for writing until the result is dropped.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) for another element type.
    pub fn read<T: Element>(&self) -> Result<Elements<'_, T::Bits>, Error> {
        self.check_type::<T>()?;
        let words = self.storage.read();
        Ok(Elements { words, range: self.range_of(size_of::<T::Bits>()), bits: PhantomData })
    }

    /// The elements in C order, to write. The memory stays locked until the result is dropped.
    ///
    /// # Errors
    /// Like [`read`](Self::read).
    pub fn write<T: Element>(&self) -> Result<ElementsMut<'_, T::Bits>, Error> {
        self.check_type::<T>()?;
        let words = self.storage.write();
        Ok(ElementsMut { words, range: self.range_of(size_of::<T::Bits>()), bits: PhantomData })
    }

    /// Calls `f` with the elements of this tensor and of `other`, which may have the same memory.
    ///
    /// # Errors
    /// Like [`read`](Self::read).
    pub(crate) fn read_with<T: Element, R>(
        &self,
        other: &Tensor,
        f: impl FnOnce(&[T::Bits], &[T::Bits]) -> R,
    ) -> Result<R, Error> {
        self.check_type::<T>()?;
        other.check_type::<T>()?;
        let ranges = [self, other].map(|tensor| tensor.range_of(size_of::<T::Bits>()));
        let [a, b] = [self, other].map(|tensor| tensor.storage.as_object().view().address());
        let call = |a: &[u64], b: &[u64]| {
            let [of_a, of_b] = ranges;
            f(&bytemuck::cast_slice(a)[of_a], &bytemuck::cast_slice(b)[of_b])
        };
        // Loop programs lock memory in the order of addresses too, so no thread waits for itself or in a circle.
        Ok(match a.cmp(&b) {
            Ordering::Equal => {
                let both = self.storage.read();
                call(&both, &both)
            }
            Ordering::Less => {
                let a = self.storage.read();
                call(&a, &other.storage.read())
            }
            Ordering::Greater => {
                let b = other.storage.read();
                call(&self.storage.read(), &b)
            }
        })
    }

    fn range_of(&self, size: usize) -> Range<usize> {
        self.offset / size..self.offset / size + self.elements
    }

    fn check_type<T: Element>(&self) -> Result<(), Error> {
        if T::TYPE == self.element {
            return Ok(());
        }
        let message = format!("expected a tensor of type {}, got {}", T::TYPE, self.element);
        Err(Error::new(ErrorKind::TypeMismatch, message))
    }
}

/// The elements of a tensor, which dereference to a slice.
pub struct Elements<'a, B> {
    words: RwLockReadGuard<'a, Vec<u64>>,
    range: Range<usize>,
    bits: PhantomData<B>,
}

impl<B: bytemuck::Pod> Deref for Elements<'_, B> {
    type Target = [B];

    fn deref(&self) -> &[B] {
        &bytemuck::cast_slice(&self.words)[self.range.clone()]
    }
}

/// The elements of a tensor, which dereference to a slice that can be written.
pub struct ElementsMut<'a, B> {
    words: RwLockWriteGuard<'a, Vec<u64>>,
    range: Range<usize>,
    bits: PhantomData<B>,
}

impl<B: bytemuck::Pod> Deref for ElementsMut<'_, B> {
    type Target = [B];

    fn deref(&self) -> &[B] {
        &bytemuck::cast_slice(&self.words)[self.range.clone()]
    }
}

impl<B: bytemuck::Pod> DerefMut for ElementsMut<'_, B> {
    fn deref_mut(&mut self) -> &mut [B] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[self.range.clone()]
    }
}

impl WritableTensor for Tensor {
    fn to_tensor(&self) -> Result<object_core::Tensor, Error> {
        self.to_constant()
    }

    fn overwrite(&self, elements: &[u8]) -> Result<(), Error> {
        let mut bytes = self.write_bytes();
        if bytes.len() != elements.len() {
            let message = format!("expected {} bytes of elements, got {}", bytes.len(), elements.len());
            return Err(Error::new(ErrorKind::OutOfRange, message));
        }
        bytes.copy_from_slice(elements);
        Ok(())
    }
}

register_impl!(Tensor as dyn WritableTensor);

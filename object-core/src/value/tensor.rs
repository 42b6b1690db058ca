//! [`Tensor`]: dense data with a data type and a shape.

use super::{Bytes, Shape};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{
    Body, FieldContents, ObjectRef, SEqHashKind, TypeInfo, builtin_handle, builtin_identity, builtin_node, new_object,
};
use crate::scalar::{DataType, Device};
use std::fmt;

// SAFETY: code that reads objects with this body expects a `TensorNode`.
pub(crate) static TENSOR: TypeInfo = unsafe {
    TypeInfo::builtin::<TensorNode>(
        "ffi.Tensor",
        Body::Tensor,
        SEqHashKind::TreeNode,
        "Dense data with a data type and a shape.",
    )
};

/// The data of a [`Tensor`].
pub struct TensorNode {
    /// The type of an element.
    pub dtype: DataType,
    /// The device of the data. [`Tensor::new`] sets it to the CPU.
    pub device: Device,
    /// The extents, the outermost first.
    pub shape: Shape,
    /// The elements in C order without padding. Each lane takes a whole number of bytes, in little-endian order.
    pub data: Bytes,
}

/// Dense data with a data type and a shape, in the layout of DLPack's `DLTensor` without strides: immutable and
/// reference-counted.
#[derive(Clone)]
#[repr(transparent)]
pub struct Tensor(ObjectRef);

builtin_node!(TensorNode, Tensor, TENSOR);
builtin_handle!(Tensor, TENSOR, FieldContents::Plain);
builtin_identity!(Tensor);

impl Tensor {
    /// A tensor on the CPU with the elements `data`, which are in the format of [`TensorNode::data`].
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) if an extent is negative, or if the length of `data` in bytes does not
    /// match the data type and the shape.
    pub fn new(dtype: DataType, shape: impl Into<Shape>, data: impl Into<Bytes>) -> Result<Self> {
        let (shape, data) = (shape.into(), data.into());
        let expected = shape.elements().and_then(|elements| dtype.byte_size(elements));
        if expected == Some(data.len()) {
            return Ok(new_object(TensorNode { dtype, device: Device::cpu(0), shape, data }));
        }
        let expected = expected.map_or("no valid size".to_owned(), |size| format!("{size} bytes"));
        let message = format!(
            "a tensor of {dtype:?} with shape {:?} needs {expected}, got {} bytes",
            shape.as_slice(),
            data.len(),
        );
        Err(Error::new(ErrorKind::OutOfRange, message))
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

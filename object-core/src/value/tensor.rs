//! [`Tensor`]: dense data with a data type and a shape.

use super::{Bytes, Shape};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Body, FieldContents, ObjectRef, SEqHashKind, TypeInfo, builtin_handle, builtin_node, new_object};
use crate::scalar::{DataType, Device};
use std::fmt;

pub(crate) static TENSOR: TypeInfo = TypeInfo::builtin::<TensorNode>(
    "ffi.Tensor",
    Body::Tensor,
    SEqHashKind::TreeNode,
    "Dense data with a data type and a shape.",
);

/// The data of a [`Tensor`].
pub struct TensorNode {
    /// The type of an element.
    pub dtype: DataType,
    /// Where the data lives. Data held here is always on the CPU.
    pub device: Device,
    /// The extents, outermost first.
    pub shape: Shape,
    /// The elements in C order without gaps, each lane rounded up to whole bytes, in little-endian order.
    pub data: Bytes,
}

/// Dense data with a data type and a shape, in the layout of DLPack's `DLTensor` without strides. The bytes are
/// shared by counting.
#[derive(Clone)]
#[repr(transparent)]
pub struct Tensor(ObjectRef);

builtin_node!(TensorNode, Tensor, TENSOR);
builtin_handle!(Tensor, TENSOR, FieldContents::Plain);

impl Tensor {
    /// A CPU tensor over `data`.
    ///
    /// # Errors
    /// [`OutOfRange`](ErrorKind::OutOfRange) if an extent is negative or `data` does not have the length that data
    /// type and shape ask for.
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

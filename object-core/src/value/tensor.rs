//! [`Tensor`]: dense data with a data type and a shape.

use std::fmt;
use std::ops::Deref;

use super::{Bytes, Shape};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{
    Ancestor, Body, ComparedField, FieldContents, FieldInfo, Object, ObjectHandle, ObjectRef, ObjectView, TypeInfo,
    TypeSchema, TypedHandle, new_object, node_of,
};
use crate::scalar::{DataType, Device};

pub(crate) static TENSOR: TypeInfo =
    TypeInfo::builtin::<TensorNode>("ffi.Tensor", Body::Tensor, "Dense data with a data type and a shape.");

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

// SAFETY: the table lists no fields and no ancestors.
unsafe impl Object for TensorNode {
    type Handle = Tensor;
    const TYPE_INFO: &'static TypeInfo = &TENSOR;
    const FIELDS: &'static [FieldInfo] = &[];
    const COMPARED_FIELDS: &'static [ComparedField] = &[];
    const ANCESTORS: &'static [Ancestor] = &[];
    const FINAL: bool = true;
}

/// Dense data with a data type and a shape, in the layout of DLPack's `DLTensor` without strides. The bytes are
/// shared by counting.
#[derive(Clone)]
#[repr(transparent)]
pub struct Tensor(ObjectRef);

// SAFETY: a transparent wrapper that accepts the instances of its node's type.
unsafe impl ObjectHandle for Tensor {
    const CONTENTS: FieldContents = FieldContents::Plain;

    fn accepts_object(object: ObjectView<'_>) -> bool {
        object.is_instance(&TENSOR)
    }

    fn handle_schema() -> TypeSchema {
        TypeSchema::leaf(TENSOR.type_key)
    }
}

// SAFETY: as above.
unsafe impl TypedHandle for Tensor {
    type Node = TensorNode;
}

impl Deref for Tensor {
    type Target = TensorNode;

    fn deref(&self) -> &TensorNode {
        node_of(self)
    }
}

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

impl From<Tensor> for ObjectRef {
    fn from(tensor: Tensor) -> Self {
        tensor.0
    }
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

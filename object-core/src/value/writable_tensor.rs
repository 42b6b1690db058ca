//! [`WritableTensor`]: tensors of other crates that programs write into.

use super::Tensor;
use crate::error::Result;

/// A tensor that programs write into, as evaluators have them. [`register_impl!`](crate::register_impl) declares the type that
/// implements it.
///
/// A call of a function of another runtime passes a copy of the elements, and takes over what the function has written.
pub trait WritableTensor {
    /// A copy of the elements.
    ///
    /// # Errors
    /// Like [`Tensor::new`].
    fn to_tensor(&self) -> Result<Tensor>;

    /// Replaces the elements. `elements` is in the format of [`data`](super::TensorNode::data).
    ///
    /// # Errors
    /// [`OutOfRange`](crate::ErrorKind::OutOfRange) for another number of bytes.
    fn overwrite(&self, elements: &[u8]) -> Result<()>;
}

//! Values that are objects: [`Str`], [`Bytes`], [`Shape`] and [`Tensor`].

mod bytes;
pub mod dlpack;
pub(crate) mod function;
#[cfg(feature = "binary")]
mod mapped_file;
mod shape;
mod slices;
mod str;
mod str_comparison;
mod str_conversions;
mod tensor;
mod writable_tensor;

pub(crate) use bytes::BYTES;
pub use bytes::Bytes;
pub(crate) use shape::SHAPE;
pub use shape::Shape;
pub(crate) use str::STR;
pub use str::Str;
pub(crate) use tensor::TENSOR;
pub use tensor::{Tensor, TensorNode};
pub use writable_tensor::WritableTensor;

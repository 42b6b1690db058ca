//! The values of a run: tensors that programs write into, and the kinds of other values.
//!
//! A value is an [`Any`](object_core::Any): a [`Tensor`] of this module, a [`Shape`](object_core::Shape), a tuple as an
//! [`Array`](object_core::Array), a function as a [`Function`](object_core::Function), a text, a number and so on. [`Value`]
//! tells the kinds apart.

mod dimensions;
mod element;
mod storage;
mod tensor;
mod numbers;
mod places;
mod strided;
mod view;
mod kind;
mod members;

pub(crate) use dimensions::PerDimension;
pub(crate) use element::with_element;
pub use element::{Bool, Element, ElementType, F8E4M3, F8E5M2, I4, U4};
pub use kind::Value;
pub(crate) use members::{from_constants, to_constants, with_tensors};
pub use numbers::{Numbers, round_to};
pub(crate) use numbers::{counted, shaped};
pub use object_core::meter::Meter;
pub use places::{PADDING, Places};
pub use storage::Storage;
pub(crate) use storage::{keep_words, zeroed_words};
pub(crate) use strided::Strided;
pub(crate) use tensor::room_of;
pub use tensor::{Elements, ElementsMut, Tensor};
pub(crate) use view::{Ordered, View};

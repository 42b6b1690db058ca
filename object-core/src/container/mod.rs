//! Objects that hold other values: [`Array`] and [`Map`].

mod array;
mod elements;
mod map;

pub(crate) use array::ARRAY;
pub use array::{Array, ArrayView};
pub(crate) use map::MAP;
pub use map::{Map, MapData};

//! Containers of values that are objects themselves: [`Array`] and [`Map`].

mod array;
mod assembly;
mod elements;
mod map;

pub(crate) use array::{ARRAY, LIST, exchange_items, is_sequence_of, sequence_of, sequence_of_objects};
pub use array::{Array, ArrayView};
pub(crate) use assembly::{Assembly, PartialField, PartialObject};
pub(crate) use elements::ElementRule;
pub(crate) use map::{DICT, MAP, entries_of, entries_of_file, exchange_values, is_map_of};
pub use map::{Map, MapData};

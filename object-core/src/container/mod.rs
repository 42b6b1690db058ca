//! Containers of values that are objects themselves: [`Array`] and [`Map`].

mod any_equality;
mod argument;
mod array;
mod array_edit;
mod array_exchange;
mod array_meta;
mod array_methods;
mod array_traits;
mod array_view;
mod assembly;
mod elements;
mod map;
mod map_edit;
mod map_entry;
mod map_methods;
mod map_traits;
mod stored;

pub use argument::IntoContainer;
pub use array::Array;
pub(crate) use array::{
    ARRAY, LIST, SPLICE, copy_sequence_with, is_sequence_of, sequence_of, sequence_of_objects, spliced_values,
};
pub(crate) use array_exchange::exchange_items;
pub use array_traits::{IntoIter, PlainIter};
pub use array_view::ArrayView;
pub(crate) use assembly::{Assembly, AssemblySlots, PartialField, PartialObject};
pub(crate) use elements::{ElementBound, ElementRule};
pub(crate) use map::{DICT, ENTRY_BYTES, MAP, copy_map_with, entries_of, entries_of_file, exchange_values, is_map_of};
pub use map::{Map, MapData};
pub use map_entry::Entry;
pub use map_methods::MapKey;
pub use map_traits::{MapIntoIter, MapIter};
#[doc(hidden)]
pub use stored::StoredBound;
pub use stored::StoredValue;

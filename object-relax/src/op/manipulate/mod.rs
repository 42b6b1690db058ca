//! Operators that rearrange the elements of tensors.

mod combine;
mod extend;
mod gather;
mod index_map;
mod reshape;
mod scatter;
mod slice;

pub use combine::*;
pub use extend::*;
pub use gather::*;
pub use reshape::*;
pub use scatter::*;
pub use slice::*;

use super::Operator;

/// The operators of this folder, by file.
pub(super) static FAMILIES: &[&[Operator]] = &[
    combine::OPERATORS,
    extend::OPERATORS,
    gather::OPERATORS,
    reshape::OPERATORS,
    scatter::OPERATORS,
    slice::OPERATORS,
];

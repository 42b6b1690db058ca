//! [`PerDimension`]: numbers for the dimensions of a tensor.

use smallvec::SmallVec;

/// A number for each dimension of a tensor, without memory of its own for few dimensions.
pub(crate) type PerDimension = SmallVec<[usize; 6]>;

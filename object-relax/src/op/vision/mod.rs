//! Operators for object detection: `relax.vision.*`.

mod boxes;
mod regions;

pub use boxes::*;
pub use regions::*;

use crate::op::Operator;

/// The operators of this namespace, by file.
pub(in crate::op) static FAMILIES: &[&[Operator]] = &[boxes::OPERATORS, regions::OPERATORS];

//! Operators of neural networks: `relax.nn.*`.

mod activation;
mod attention;
mod conv;
mod layer;
mod loss;
mod norm;
mod pool;

pub use activation::*;
pub use attention::*;
pub use conv::*;
pub use layer::*;
pub use loss::*;
pub use norm::*;
pub use pool::*;

use crate::op::Operator;

/// The operators of this namespace, by file.
pub(in crate::op) static FAMILIES: &[&[Operator]] = &[
    activation::OPERATORS,
    attention::OPERATORS,
    conv::OPERATORS,
    layer::OPERATORS,
    loss::OPERATORS,
    norm::OPERATORS,
    pool::OPERATORS,
];

//! The results of operators: a file per family, with a function over arrays for each operator.
//!
//! The functions follow the definitions of TVM 0.25 (`python/tvm/relax/transform/legalize_ops`, `python/tvm/topi`). They
//! compute with numbers of 64 bits and round results to the element type, so results are at least as precise.

pub(crate) mod evaluation;
pub(crate) mod arrays;
pub(crate) mod exponential;
pub(crate) mod vectors;
pub(crate) mod unary;
pub(crate) mod binary;
pub(crate) mod statistical;
pub(crate) mod search;
pub(crate) mod sorting;
pub(crate) mod create;
pub(crate) mod datatype;
pub(crate) mod runtime;
pub(crate) mod memory;
pub(crate) mod transform;
pub(crate) mod gather;
pub(crate) mod scatter;
pub(crate) mod matrix_product;
pub(crate) mod linear_algebra;
pub(crate) mod nn;
pub(crate) mod norm;
pub(crate) mod window;
pub(crate) mod image;
pub(crate) mod vision;
pub(crate) mod table;

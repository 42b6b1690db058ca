//! The results of operators: a file per family, with a function over arrays for each operator.
//!
//! The functions follow the definitions of TVM 0.25 (`python/tvm/relax/transform/legalize_ops`, `python/tvm/topi`). They
//! compute with numbers of 64 bits and round results to the element type, so results are at least as precise.
//!
//! One function serves all element types: it computes with arrays of `f64` or `i128`. For tensors of `float32`, the
//! most common type, elements, pairs of elements and rows have loops from operands to the result without arrays between
//! them (`vectors`), and so do products with few rows on the left (`matrix_product`). `pulp` selects the vector
//! instructions of the machine at run time. An operator that only moves elements is a function over arrays of places.
//! The shape of a result comes from inference with the concrete arguments where it depends on attributes.
//!
//! `data/eval_exceptions.txt` lists the operators without a function. Random calls of all others, drawn from the
//! templates of `tests/data/op/random_calls.txt`, check that a value has the inferred structural information, and that
//! it is the value of TVM (`fixtures/op_values.records.gz`).

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

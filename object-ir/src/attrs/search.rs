//! Attributes of searching for values.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;

/// Attributes of `argmax` and `argmin`.
///
/// TVM 0.25 `relax.attrs.ArgmaxArgminAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.ArgmaxArgminAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct ArgmaxArgminAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The dimension to search; none for the flattened tensor.
    pub axis: Option<i64>,
    /// Whether to keep the dimension, with extent 1.
    pub keepdims: bool,
}

/// Attributes of `bucketize`, which finds the interval of each value.
///
/// TVM 0.25 `relax.attrs.BucketizeAttrs`.
#[derive(Object)]
#[object(type_key = "relax.attrs.BucketizeAttrs", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct BucketizeAttrsNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// Whether the result is int32 instead of int64.
    pub out_int32: bool,
    /// Whether a value on a boundary belongs to the interval on its right.
    pub right: bool,
}

impl Default for ArgmaxArgminAttrs {
    /// Over the flattened tensor.
    fn default() -> Self {
        ArgmaxArgminAttrs::new(None, false)
    }
}

impl Default for BucketizeAttrs {
    /// Intervals of type `int64`; a value on a boundary belongs to the interval on its left.
    fn default() -> Self {
        BucketizeAttrs::new(false, false)
    }
}

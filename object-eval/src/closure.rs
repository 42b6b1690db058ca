//! [`Closure`]: a local function with the values that it captured.

use std::sync::Arc;

use object_core::Function;
use object_core::prelude::*;
use object_ir::ir::StructInfo;

use super::scalar::Scalar;

/// The data of a [`Closure`].
#[derive(Object, Clone)]
#[object(type_key = "object_ir.eval.Closure", opaque)]
pub struct ClosureNode {
    /// The number of the code in the program.
    pub(super) code: usize,
    /// The program that the code belongs to, by identity.
    pub(super) program: Arc<()>,
    pub(super) captured: Vec<Any>,
    pub(super) scalars: Vec<Option<Scalar>>,
    /// The structural information of the function.
    pub(super) info: Option<StructInfo>,
}

/// The closure that a function is, if it is one.
pub(super) fn closure_of(function: &Function) -> Option<&Closure> {
    function.context()?.downcast_ref()
}

/// The structural information of a function that is a closure.
pub(super) fn info(function: &Function) -> Option<StructInfo> {
    closure_of(function)?.info.clone()
}

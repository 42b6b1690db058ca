//! The structural information of a result that a call states itself.

use super::dims::{object, tuple};
use crate::ir::call::CallNode;
use crate::ir::expr::StructInfo;

/// The structural information in `sinfo_args`: of the result, of the members of a tuple, or nothing.
pub(super) fn given_result(call: &CallNode) -> StructInfo {
    match call.sinfo_args.as_slice() {
        [] => object(),
        [result] => result.clone(),
        results => tuple(results.iter().cloned()),
    }
}

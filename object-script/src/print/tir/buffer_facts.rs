//! Facts about buffers and functions that determine their forms.

use object_core::{DataType, ObjectHandle};
use object_ir::ir::{IntImm, IntImmNode, PrimExpr, PrimExprNode};
use object_ir::tir::{BufferNode, PrimFuncNode, buffer_type};

pub(crate) use crate::memory::scope;
use crate::memory::{DEFAULT_ALIGNMENT, S_TIR, is_default};
use crate::print::tir::expr::is_int;

/// Whether the buffer prints as a scalar variable. `at_start` asks whether its element is also the first one of the memory.
pub(crate) fn is_scalar(buffer: &BufferNode, at_start: bool) -> bool {
    let [extent] = buffer.shape.as_slice() else { return false };
    is_int(extent, 1)
        && buffer.strides.is_empty()
        && buffer.axis_separators.is_empty()
        && (!at_start || is_int(&buffer.elem_offset, 0))
        && buffer.data_alignment == DEFAULT_ALIGNMENT
        && buffer.offset_factor == 1
        && buffer.buffer_type == buffer_type::DEFAULT
        && buffer.allocated_addr.is_empty()
        && buffer
            .layout
            .as_ref()
            .is_some_and(|layout| is_default(layout, &[PrimExpr::from(IntImm::new(DataType::int(32), 1))]))
}

/// The type of an integer constant, if the expression is one.
pub(crate) fn int_constant(expr: &PrimExpr) -> Option<(&PrimExprNode, i64)> {
    let imm = expr.as_object().view().node::<IntImmNode>()?;
    Some((&imm.base, imm.value))
}

/// Whether the function is in the language of the scheduler, whose buffers have no layout by default.
pub(crate) fn is_s_tir(func: &PrimFuncNode) -> bool {
    func.attrs.dict.contains_key(S_TIR)
}

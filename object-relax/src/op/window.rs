//! The sizes of results of operators that move a window over a tensor: convolutions and pooling.

use object_core::prelude::*;
use object_ir::ir::PrimExpr;
use object_ir::tir::{add, ceil_div, floor_div, greater_equal, mul, select, sub};

use super::checks::{check_rank, counted, written_dims};
use super::dims::{Dims, constant};
use super::layout::Layout;
use super::op_call::OpCall;

/// How a window moves over one dimension.
pub(crate) struct Window {
    /// The number of elements under the window.
    pub(crate) size: PrimExpr,
    /// The distance between two positions of the window.
    pub(crate) stride: i64,
    /// The padding before and after the elements.
    pub(crate) padding: [i64; 2],
    /// The distance between two elements under the window.
    pub(crate) dilation: i64,
}

impl Window {
    /// The distance between the first and the last element under the window.
    fn reach(&self) -> Result<PrimExpr, Error> {
        mul(sub(&self.size, 1)?, self.dilation)
    }

    /// The number of positions of the window, of which the last one is inside of the padded dimension.
    pub(crate) fn positions(&self, size: &PrimExpr) -> Result<PrimExpr, Error> {
        add(floor_div(self.last_position(size)?, self.stride)?, 1)
    }

    /// The number of positions of the window, of which the last one may reach past the padded dimension, but begins
    /// before the padding at its end.
    pub(crate) fn positions_rounded_up(&self, size: &PrimExpr) -> Result<PrimExpr, Error> {
        let more = ceil_div(self.last_position(size)?, self.stride)?;
        let last_begins_too_late = greater_equal(mul(&more, self.stride)?, add(size, self.padding[0])?)?;
        select(&last_begins_too_late, more.clone(), add(&more, 1)?)
    }

    /// The offset in the padded dimension of the last position that is inside.
    fn last_position(&self, size: &PrimExpr) -> Result<PrimExpr, Error> {
        let padded = add(add(size, self.padding[0])?, self.padding[1])?;
        sub(sub(padded, self.reach()?)?, 1)
    }

    /// The size of the dimension over which a window has `positions` positions, for transposed convolutions.
    pub(crate) fn covered(&self, positions: &PrimExpr, output_padding: i64) -> Result<PrimExpr, Error> {
        let begin = mul(sub(positions, 1)?, self.stride)?;
        let padded = sub(sub(begin, self.padding[0])?, self.padding[1])?;
        add(add(add(padded, self.reach()?)?, output_padding)?, 1)
    }
}

/// The attribute `name` as a list of `count` numbers, each of which is at least `least`.
pub(crate) fn numbers<'a>(
    call: &OpCall<'_>,
    name: &'static str,
    values: &'a [i64],
    count: usize,
    least: i64,
) -> Result<&'a [i64], Error> {
    if values.len() != count {
        return Err(call.attribute_error(name, format!("expected {}, got {values:?}", counted(count, "number"))));
    }
    match values.iter().find(|value| **value < least) {
        Some(value) => Err(call.attribute_error(name, format!("expected numbers of at least {least}, got {value}"))),
        None => Ok(values),
    }
}

/// The simplified size of a dimension of the result.
///
/// # Errors
/// [`OutOfRange`](ErrorKind::OutOfRange) if the size is a negative constant.
pub(crate) fn result_size(call: &OpCall<'_>, name: char, size: &PrimExpr) -> Result<PrimExpr, Error> {
    let size = call.analyzer().simplify(size);
    match constant(&size) {
        Some(value) if value < 0 => {
            let message =
                format!("the window does not fit into the dimension `{name}`: the result has the size {value}");
            Err(call.error(ErrorKind::OutOfRange, message))
        }
        _ => Ok(size),
    }
}

/// Reads the layout in the attribute `name`, of the dimensions `names`.
pub(crate) fn layout(call: &OpCall<'_>, name: &'static str, text: &str, names: &str) -> Result<Layout, Error> {
    Layout::parse(text, names).map_err(|reason| call.attribute_error(name, reason))
}

/// The sizes of the dimensions `names` of the tensor at `index`, which has the layout `layout`; `None` if they are
/// unknown.
///
/// # Errors
/// Names the argument if its rank or a size contradicts the layout.
pub(crate) fn sizes_in(
    call: &OpCall<'_>,
    index: usize,
    layout: &Layout,
    names: &str,
) -> Result<Option<Vec<PrimExpr>>, Error> {
    check_rank(call, index, layout.rank())?;
    let Dims::Known(dims) = written_dims(call.tensor(index)?) else { return Ok(None) };
    let sizes = layout.sizes(&dims, names);
    sizes.map(Some).map_err(|error| call.argument_error(ErrorKind::TypeMismatch, index, error.message()))
}

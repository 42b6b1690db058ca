//! The sizes of results of operators that move a window over a tensor: convolutions and pooling.

use object_core::counted;
use object_core::prelude::*;
use object_ir::attrs::{Step, Window};
use object_ir::ir::PrimExpr;
use object_ir::tir::{add, ceil_div, floor_div, greater_equal, mul, select, sub};

use super::checks::{check_rank, written_dims};
use super::completion::Completion;
use super::dims::{Dims, constant};
use super::layout::Layout;
use super::op_call::OpCall;

/// The completions of the parameters of a window over `rank` dimensions, with one number of `list` and of each other list for
/// each dimension. The result has the layout of the data, the attribute `layout`.
pub(crate) const fn window_completions(rank: usize, list: &'static str, layout: &'static str) -> [Completion; 6] {
    [
        Completion::Repeated { name: "strides", count: rank },
        Completion::Repeated { name: "dilation", count: rank },
        Completion::Repeated { name: list, count: rank },
        Completion::Repeated { name: "padding", count: 2 * rank },
        Completion::BothSides { name: "padding", rank },
        Completion::Same { to: "out_layout", from: layout },
    ]
}

/// The distance between the first and the last of the `count` elements under a window.
fn reach(step: &Step, count: &PrimExpr) -> Result<PrimExpr, Error> {
    mul(sub(count, 1)?, step.dilation)
}

/// The number of positions of a window of `count` elements over a dimension of the given size. The last position is inside of
/// the padded dimension.
pub(crate) fn positions(step: &Step, count: &PrimExpr, size: &PrimExpr) -> Result<PrimExpr, Error> {
    add(floor_div(last_position(step, count, size)?, step.stride)?, 1)
}

/// As [`positions`], but the last position may reach past the padded dimension, and begins before the padding at its end.
pub(crate) fn positions_rounded_up(step: &Step, count: &PrimExpr, size: &PrimExpr) -> Result<PrimExpr, Error> {
    let more = ceil_div(last_position(step, count, size)?, step.stride)?;
    let last_begins_too_late = greater_equal(mul(&more, step.stride)?, add(size, step.padding[0])?)?;
    select(&last_begins_too_late, more.clone(), add(&more, 1)?)
}

/// The offset in the padded dimension of the last position that is inside.
fn last_position(step: &Step, count: &PrimExpr, size: &PrimExpr) -> Result<PrimExpr, Error> {
    let padded = add(add(size, step.padding[0])?, step.padding[1])?;
    sub(sub(padded, reach(step, count)?)?, 1)
}

/// The size of the dimension over which a window of `count` elements has `positions` positions, for transposed convolutions.
pub(crate) fn covered(
    step: &Step,
    count: &PrimExpr,
    positions: &PrimExpr,
    output_padding: i64,
) -> Result<PrimExpr, Error> {
    let begin = mul(sub(positions, 1)?, step.stride)?;
    let padded = sub(sub(begin, step.padding[0])?, step.padding[1])?;
    add(add(add(padded, reach(step, count)?)?, output_padding)?, 1)
}

/// Checks the attributes `strides`, `padding` and `dilation`.
pub(crate) fn check_window(call: &OpCall<'_>, window: &Window) -> Result<(), Error> {
    let rank = window.space.len();
    numbers(call, "strides", &window.strides, rank, 1)?;
    numbers(call, "padding", &window.padding, 2 * rank, i64::MIN)?;
    numbers(call, "dilation", &window.dilation, rank, 1).map(drop)
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

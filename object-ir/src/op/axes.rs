//! Axes: positions of dimensions, which count from the end if they are negative.

use object_core::prelude::*;

use super::op_call::OpCall;

/// The position of the dimension `axis` among `rank` dimensions.
///
/// # Errors
/// Names the attribute if the tensor does not have this dimension.
pub(crate) fn axis(call: &OpCall<'_>, attribute: &'static str, axis: i64, rank: usize) -> Result<usize, Error> {
    let signed = i64::try_from(rank).unwrap_or(i64::MAX);
    let position = if axis < 0 { axis.checked_add(signed) } else { Some(axis) };
    position
        .filter(|position| (0..signed).contains(position))
        .and_then(|position| usize::try_from(position).ok())
        .ok_or_else(|| {
            let range = if rank == 0 {
                "none, because the tensor has no dimensions".into()
            } else {
                format!("-{rank} to {}", rank - 1)
            };
            call.attribute_error(attribute, format!("expected an axis in the range {range}, got {axis}"))
        })
}

/// The positions of the dimensions `axes` among `rank` dimensions, in the given order.
///
/// # Errors
/// Names the attribute if the tensor does not have one of these dimensions, or if two of them are the same.
pub(crate) fn axes(
    call: &OpCall<'_>,
    attribute: &'static str,
    given: &[i64],
    rank: usize,
) -> Result<Vec<usize>, Error> {
    let mut is_used = vec![false; rank];
    let mut positions = Vec::with_capacity(given.len());
    for &value in given {
        let position = axis(call, attribute, value, rank)?;
        if std::mem::replace(&mut is_used[position], true) {
            let message = format!("expected different axes, got axis {position} twice in {given:?}");
            return Err(call.attribute_error(attribute, message));
        }
        positions.push(position);
    }
    Ok(positions)
}

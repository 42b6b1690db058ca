//! Axes: positions of dimensions, which count from the end if they are negative.

use object_core::prelude::*;
use smallvec::{SmallVec, smallvec};

use super::op_call::OpCall;

/// Positions of dimensions.
pub type Positions = SmallVec<[usize; 8]>;

/// The position of the dimension `axis` among `rank` dimensions.
///
/// # Errors
/// Lists the valid values if the tensor lacks this dimension.
pub fn position(axis: i64, rank: usize) -> Result<usize, String> {
    let distance = usize::try_from(axis.unsigned_abs()).unwrap_or(usize::MAX);
    match axis {
        0.. if distance < rank => Ok(distance),
        ..0 if distance <= rank => Ok(rank - distance),
        _ if rank == 0 => Err("no axis, because the tensor has no dimensions".to_owned()),
        _ => Err(format!("an axis in the range -{rank} to {}", rank - 1)),
    }
}

/// The position of the dimension `axis` among `rank` dimensions.
///
/// # Errors
/// Names the attribute if the tensor does not have this dimension.
pub(crate) fn axis(call: &OpCall<'_>, attribute: &'static str, axis: i64, rank: usize) -> Result<usize, Error> {
    position(axis, rank).map_err(|expected| call.attribute_error(attribute, format!("expected {expected}, got {axis}")))
}

/// The positions of the dimensions `axes` among `rank` dimensions, in the given order.
///
/// # Errors
/// Names the attribute if the tensor does not have one of these dimensions, or if two of them are the same.
pub(crate) fn axes(call: &OpCall<'_>, attribute: &'static str, given: &[i64], rank: usize) -> Result<Positions, Error> {
    positions(given, rank).map_err(|reason| call.attribute_error(attribute, reason))
}

/// The positions of the dimensions `axes` among `rank` dimensions; the reason if they have none.
pub fn positions(axes: &[i64], rank: usize) -> Result<Positions, String> {
    let mut is_used: SmallVec<[bool; 16]> = smallvec![false; rank];
    let mut positions = Positions::with_capacity(axes.len());
    for &axis in axes {
        let position = position(axis, rank).map_err(|expected| format!("expected {expected}, got {axis}"))?;
        if std::mem::replace(&mut is_used[position], true) {
            return Err(format!("expected different axes, got axis {position} twice in {axes:?}"));
        }
        positions.push(position);
    }
    Ok(positions)
}

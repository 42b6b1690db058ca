//! The memory of a run by columns, which its loops share.

use super::MAX_LOOPS;
use super::domain::Lanes;

/// The columns of a run, and the elements that its accesses use.
#[derive(Default)]
pub(in crate::eval::loop_program) struct Scratch {
    pub(super) ints: Vec<Vec<i64>>,
    pub(super) floats: Vec<Vec<f64>>,
    pub(super) singles: Vec<Vec<f32>>,
    pub(super) resolved: Vec<Resolved>,
}

/// An access in a run. If the indices are linear, an iteration uses the element `first`, plus a distance for each iteration
/// before, of each loop.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) first: i64,
    /// The distances, 0 for loops of one iteration.
    pub(super) steps: [i64; MAX_LOOPS],
    /// The same for the lanes.
    pub(super) lanes: Lanes,
    /// Whether each iteration computes its indices and checks them.
    pub(super) is_checked: bool,
    /// The number of the bytes, and the range in them.
    pub(super) bytes: (usize, std::ops::Range<usize>),
}

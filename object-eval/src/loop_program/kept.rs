//! [`Kept`]: what a run leaves for the next one.

use super::columns::scratch::Scratch;

/// The registers and the columns of a run that is over. The next run does not have to make them, or to plan its nests again.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) ints: Vec<i64>,
    pub(super) floats: Vec<f64>,
    pub(super) scratch: Scratch,
}

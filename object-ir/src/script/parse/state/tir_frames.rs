//! [`TirFrames`]: the state of the loop program at hand.

/// The state of the loop program at hand.
#[derive(Debug, Default)]
pub(crate) struct TirFrames {}

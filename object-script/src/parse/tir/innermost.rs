//! The region that a function has to be directly in: a block, or the function at hand.

use ruff_text_size::TextRange;

use crate::parse::state::parser::{Eval, Parser};
use crate::parse::state::tir_frames::{BlockFacts, FunctionFacts, RegionKind};

impl Parser<'_> {
    /// The block whose statements are at hand, for a function that has to be directly in it.
    ///
    /// # Errors
    /// Reports that the innermost region is not a block.
    pub(crate) fn innermost_block(&mut self, function: &str, range: TextRange) -> Eval<&mut BlockFacts> {
        let is_block = matches!(self.tir.regions.last().map(|region| &region.kind), Some(RegionKind::Block(_)));
        if !is_block {
            let message = format!("`{function}` has to be directly in `with T.sblock(...)`");
            return Err(self.error(range, message));
        }
        let reported = self.follow_up();
        match self.tir.regions.last_mut().map(|region| &mut region.kind) {
            Some(RegionKind::Block(block)) => Ok(block),
            _ => Err(reported),
        }
    }

    /// The function whose statements are at hand, for a function that has to be directly in it.
    ///
    /// # Errors
    /// Reports that the innermost region is not a function.
    pub(crate) fn innermost_function(&mut self, function: &str, range: TextRange) -> Eval<&mut FunctionFacts> {
        if self.tir.regions.len() != 1 {
            let message = format!("`{function}` has to be directly in the function");
            return Err(self.error(range, message));
        }
        let reported = self.follow_up();
        self.tir.function().ok_or(reported)
    }
}

//! Where and how two values differ.
//!
//! The comparison (`engine`) returns verdicts only. Another walk (`diff`) reports the first difference or all
//! differences. It continues after a difference, so it remembers the reported pairs and the place of each binding. A
//! diff is empty exactly if the comparison finds the values equal. Paths follow the insertion order of the left map, as
//! readers expect.

pub(crate) mod diff;
pub(crate) mod mismatch;
mod underlined;

//! [`CallStack`]: the calls under way when a run failed.

use std::fmt;

use object_ir::ir::Binding;

/// The most entries that a stack keeps at each end.
const KEPT: usize = 16;

/// A call under way.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The function.
    pub function: String,
    /// The binding whose value the function was computing.
    pub binding: Option<Binding>,
}

/// The calls under way when a run failed, the innermost first. It is the source of the error of the run.
#[derive(Clone, Debug)]
pub struct CallStack {
    /// The calls: of a deep recursion, some at each end.
    pub entries: Vec<Entry>,
    /// The calls between the two ends that are left out.
    pub left_out: usize,
}

impl CallStack {
    pub(super) fn new(count: usize, calls: impl Iterator<Item = Entry>) -> Self {
        let kept = |index: usize| index < KEPT || index + KEPT >= count;
        let entries: Vec<_> = calls.enumerate().filter(|(index, _)| kept(*index)).map(|(_, entry)| entry).collect();
        CallStack { left_out: count - entries.len(), entries }
    }
}

impl fmt::Display for CallStack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, entry) in self.entries.iter().enumerate() {
            if index == KEPT && self.left_out > 0 {
                write!(f, ", {} calls left out", self.left_out)?;
            }
            f.write_str(if index == 0 { "in " } else { ", called by " })?;
            write!(f, "`{}`", entry.function)?;
            if let Some(binding) = &entry.binding {
                write!(f, " at `{}`", binding.var.vid.name_hint)?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for CallStack {}

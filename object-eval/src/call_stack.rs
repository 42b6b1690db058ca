//! [`CallStack`]: the calls under way when a run failed.

use std::error::Error as _;
use std::fmt;

use object_core::Error;
use object_core::limits::Excess;
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
    /// The limit that ended the run, which is the source of the stack.
    excess: Option<Excess>,
}

impl CallStack {
    pub(super) fn new(count: usize, calls: impl Iterator<Item = Entry>) -> Self {
        let kept = |index: usize| index < KEPT || index + KEPT >= count;
        let entries: Vec<_> = calls.enumerate().filter(|(index, _)| kept(*index)).map(|(_, entry)| entry).collect();
        CallStack { left_out: count - entries.len(), entries, excess: None }
    }

    /// The stack of a run that ended with this error.
    pub(super) fn of_error(mut self, error: &Error) -> Self {
        self.excess = error.source().and_then(|source| source.downcast_ref().copied());
        self
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

impl std::error::Error for CallStack {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.excess.as_ref().map(|excess| -> &(dyn std::error::Error + 'static) { excess })
    }
}

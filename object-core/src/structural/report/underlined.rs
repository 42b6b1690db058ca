//! [`Mismatch::underlined`]: a difference in the texts of both sides.

use std::fmt;

use crate::print::PrintedText;
use crate::structural::report::mismatch::{Mismatch, shown};

/// The number of lines around an underlined one.
const CONTEXT: usize = 1;

/// A difference in the texts of both sides: see [`Mismatch::underlined`].
struct Underlined<'a> {
    mismatch: &'a Mismatch,
    texts: [&'a PrintedText; 2],
}

impl Mismatch {
    /// The difference with its places underlined in `texts`, the printed left and right value. A side that has no value at
    /// the place is left out. Where a text does not show the place itself, it underlines the innermost place around it, and the
    /// value follows the path. [`Printer`](crate::print::Printer) has an example.
    pub fn underlined<'a>(&'a self, texts: [&'a PrintedText; 2]) -> impl fmt::Display + 'a {
        Underlined { mismatch: self, texts }
    }
}

impl fmt::Display for Underlined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { lhs, rhs, lhs_value, rhs_value, variants, reason } = self.mismatch;
        match (lhs_value, rhs_value) {
            (Some(_), None) => f.write_str("on the left only")?,
            (None, Some(_)) => f.write_str("on the right only")?,
            _ => write!(f, "{reason}")?,
        }
        let sides = [("left", lhs, lhs_value), ("right", rhs, rhs_value)];
        for (((side, path, value), variant), text) in sides.into_iter().zip(*variants).zip(self.texts) {
            let Some(value) = shown(value.as_ref(), variant) else { continue };
            write!(f, "\n{side}: {path}")?;
            if !text.shows(path) {
                write!(f, " is {value}")?;
            }
            write!(f, "\n{}", text.excerpt().underline(path).line_numbers(true).context_lines(CONTEXT))?;
        }
        Ok(())
    }
}

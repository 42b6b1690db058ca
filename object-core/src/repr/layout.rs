//! [`Layout`]: the text of a repr on several lines.
//!
//! The writer marks where brackets open and close, and where items end. A pair of brackets with its content stays on one
//! line if it fits; otherwise, each item has a line of its own.

use std::fmt;

use crate::graph::ChildSlot;

/// The number of characters of a line.
const MAX_LINE: usize = 100;
/// The number of spaces of a level.
const INDENT: usize = 4;
/// Levels after this one have no more indentation, so that the text of a deep value stays linear in its size.
const MAX_LEVELS: usize = 16;

/// The text that a repr is written to.
pub(crate) trait Output<'a>: fmt::Write {
    /// An opening bracket was written, and items follow.
    fn open(&mut self) {}

    /// An item was written, and another one follows.
    ///
    /// # Errors
    /// As the text.
    fn separate(&mut self) -> fmt::Result {
        self.write_str(", ")
    }

    /// The last item was written, and the closing bracket follows.
    fn close(&mut self) {}

    /// The child at `slot` of the current value follows. It is the current value up to the matching [`leave`](Self::leave).
    fn enter(&mut self, _slot: ChildSlot<'a>) {}

    /// The current value was written.
    fn leave(&mut self) {}
}

/// The text on one line.
pub(super) struct Line<'a, 'f>(pub(super) &'a mut fmt::Formatter<'f>);

impl fmt::Write for Line<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write_str(text)
    }
}

impl<'a> Output<'a> for Line<'_, '_> {}

/// A place between two parts of the text.
enum Mark<'a> {
    Open,
    Separator,
    Close,
    Enter(ChildSlot<'a>),
    Leave,
}

/// A text with marks, which becomes lines when all of it is written.
#[derive(Default)]
pub(super) struct Layout<'a> {
    text: String,
    /// The marks, each with its place in `text`.
    marks: Vec<(usize, Mark<'a>)>,
}

impl fmt::Write for Layout<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text);
        Ok(())
    }
}

impl<'a> Output<'a> for Layout<'a> {
    fn open(&mut self) {
        self.marks.push((self.text.len(), Mark::Open));
    }

    fn separate(&mut self) -> fmt::Result {
        self.marks.push((self.text.len(), Mark::Separator));
        Ok(())
    }

    fn close(&mut self) {
        self.marks.push((self.text.len(), Mark::Close));
    }

    fn enter(&mut self, slot: ChildSlot<'a>) {
        self.marks.push((self.text.len(), Mark::Enter(slot)));
    }

    fn leave(&mut self) {
        self.marks.push((self.text.len(), Mark::Leave));
    }
}

impl<'a> Layout<'a> {
    /// The number of characters between each opening mark and its closing mark on one line, by the index of the opening
    /// mark. Other marks have none.
    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![0; self.marks.len()];
        let mut open: Vec<(usize, usize)> = Vec::new();
        let (mut column, mut place) = (0, 0);
        for (index, (end, mark)) in self.marks.iter().enumerate() {
            column += self.text[place..*end].chars().count();
            place = *end;
            match mark {
                Mark::Open => open.push((index, column)),
                Mark::Separator => column += ", ".len(),
                Mark::Close => {
                    if let Some((index, start)) = open.pop() {
                        widths[index] = column - start;
                    }
                }
                Mark::Enter(_) | Mark::Leave => {}
            }
        }
        widths
    }

    /// Writes the lines.
    ///
    /// # Errors
    /// As `f`.
    pub(super) fn write(&self, f: &mut impl Output<'a>) -> fmt::Result {
        let widths = self.widths();
        // Whether each open bracket has its items on lines of their own.
        let mut open: Vec<bool> = Vec::new();
        let (mut column, mut place) = (0, 0);
        for ((end, mark), width) in self.marks.iter().zip(widths) {
            let part = &self.text[place..*end];
            f.write_str(part)?;
            column += part.chars().count();
            place = *end;
            let is_broken = open.last().copied().unwrap_or(true);
            match mark {
                // After the bracket comes its closing bracket, and a comma or another closing bracket.
                Mark::Open => {
                    open.push(is_broken && column + width + 2 > MAX_LINE);
                    if open.last() == Some(&true) {
                        column = new_line(f, open.len())?;
                    }
                }
                Mark::Separator if is_broken => {
                    f.write_str(",")?;
                    column = new_line(f, open.len())?;
                }
                Mark::Separator => {
                    f.write_str(", ")?;
                    column += ", ".len();
                }
                Mark::Close => {
                    if open.pop() == Some(true) {
                        column = new_line(f, open.len())?;
                    }
                }
                Mark::Enter(slot) => f.enter(*slot),
                Mark::Leave => f.leave(),
            }
        }
        f.write_str(&self.text[place..])
    }
}

/// Begins a line of the level `level`. Returns its column.
fn new_line(f: &mut impl fmt::Write, level: usize) -> Result<usize, fmt::Error> {
    let column = INDENT * level.min(MAX_LEVELS);
    write!(f, "\n{:column$}", "")?;
    Ok(column)
}

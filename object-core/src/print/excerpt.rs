//! [`Excerpt`]: a printed text, or lines of it, with line numbers and underlined places, in the form of scripts of TVM (TVM 0.25
//! src/script/printer/doc_printer/base_doc_printer.cc).

use std::fmt;
use std::ops::Range;

use crate::access_path::AccessPath;
use crate::print::printed_text::PrintedText;

/// If only one line lies between two shown parts, it is shown too.
const LEAST_CUT: usize = 2;

/// A printed text with line numbers and underlined places, which displays as text. [`PrintedText::excerpt`] makes it.
///
/// ```
/// use object_core::Array;
/// use object_core::access_path::{AccessPath, AccessStep};
/// use object_core::repr::Repr;
///
/// let text = Repr::new(&Array::from([10, 20])).printed();
/// let second = AccessPath::from_steps([AccessStep::ArrayItem(1)]);
/// let excerpt = text.excerpt().underline(&second).line_numbers(true);
/// assert_eq!(excerpt.to_string(), "1 [10, 20]\n       ^^");
/// ```
#[derive(Clone, Debug)]
pub struct Excerpt<'s> {
    printed: &'s PrintedText,
    underlined: Vec<Range<usize>>,
    has_line_numbers: bool,
    context_lines: usize,
}

impl PrintedText {
    /// The text with line numbers and underlined places.
    #[must_use]
    pub fn excerpt(&self) -> Excerpt<'_> {
        Excerpt { printed: self, underlined: Vec::new(), has_line_numbers: false, context_lines: usize::MAX }
    }
}

impl Excerpt<'_> {
    /// Underlines the pieces of the text that show the place: see [`PrintedText::pieces_of`]. Indentation and comments are not
    /// underlined.
    #[must_use]
    pub fn underline(mut self, path: &AccessPath) -> Self {
        self.underlined.extend(self.printed.pieces_of(path));
        self
    }

    /// Whether each line begins with its number. The default is `false`. Empty lines between functions have no number.
    #[must_use]
    pub fn line_numbers(mut self, show: bool) -> Self {
        self.has_line_numbers = show;
        self
    }

    /// The number of lines around each underlined line; all lines by default.
    #[must_use]
    pub fn context_lines(mut self, lines: usize) -> Self {
        self.context_lines = lines;
        self
    }

    /// The pieces to underline, without indentation and comments, in order; adjacent ones are one.
    fn marked(&self) -> Vec<Range<usize>> {
        let mut marked = self.underlined.clone();
        marked.sort_by_key(|range| (range.start, range.end));
        let mut merged: Vec<Range<usize>> = Vec::new();
        for range in marked {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        let exempt = &self.printed.lines.exempt;
        let mut pieces = Vec::new();
        for range in merged {
            let mut start = range.start;
            let first = exempt.partition_point(|gap| gap.end <= start);
            for gap in exempt[first..].iter().take_while(|gap| gap.start < range.end) {
                if start < gap.start {
                    pieces.push(start..gap.start);
                }
                start = start.max(gap.end);
            }
            if start < range.end {
                pieces.push(start..range.end);
            }
        }
        pieces
    }

    fn line_of(&self, offset: usize) -> usize {
        self.printed.lines.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The lines to show, each part with its pieces to underline.
    fn parts(&self, marked: &[Range<usize>], lines: usize) -> Vec<(Range<usize>, Range<usize>)> {
        if marked.is_empty() {
            return vec![(0..lines, 0..0)];
        }
        let mut parts: Vec<(Range<usize>, Range<usize>)> = Vec::new();
        for (index, range) in marked.iter().enumerate() {
            let start = self.line_of(range.start).saturating_sub(self.context_lines);
            let end = (self.line_of(range.end - 1) + 1).saturating_add(self.context_lines).min(lines);
            match parts.last_mut() {
                Some((shown, pieces)) if start < shown.end + LEAST_CUT => {
                    shown.end = end;
                    pieces.end = index + 1;
                }
                _ => parts.push((start..end, index..index + 1)),
            }
        }
        if let Some((first, _)) = parts.first_mut()
            && first.start < LEAST_CUT
        {
            first.start = 0;
        }
        if let Some((last, _)) = parts.last_mut()
            && lines - last.end < LEAST_CUT
        {
            last.end = lines;
        }
        parts
    }

    fn write_lines(&self, out: &mut String, lines: Range<usize>, marked: &[Range<usize>], number_width: usize) {
        let (text, starts) = (self.printed.text(), &self.printed.lines.starts);
        let mut marked = marked.iter().cloned().peekable();
        for line in lines {
            let start = starts.get(line).copied().unwrap_or(text.len());
            let end = starts.get(line + 1).copied().unwrap_or(text.len());
            if self.has_line_numbers {
                out.push_str(&format!("{:>width$} ", line + 1, width = number_width.saturating_sub(1)));
            }
            out.push_str(&text[start..end]);
            if !out.ends_with('\n') {
                out.push('\n');
            }
            let mut carets = String::new();
            let mut position = start;
            while let Some(range) = marked.next_if(|range| range.start < end) {
                let piece = range.start.max(position)..range.end.min(end);
                carets.extend(std::iter::repeat_n(' ', width(&text[position..piece.start])));
                carets.extend(std::iter::repeat_n('^', width(&text[piece.clone()])));
                position = piece.end;
            }
            if !carets.is_empty() {
                out.extend(std::iter::repeat_n(' ', number_width));
                out.push_str(&carets);
                out.push('\n');
            }
        }
    }
}

/// The number of columns that a text takes.
fn width(text: &str) -> usize {
    text.chars().filter(|char| !char.is_control()).count()
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.printed.lines.starts.len();
        let number_width = if self.has_line_numbers { lines.to_string().len() + 1 } else { 0 };
        let marked = self.marked();
        let mut out = self.printed.text()[..self.printed.lines.body].to_owned();
        let mut end = 0;
        let skipped = |out: &mut String, count: usize| {
            if count > 0 {
                out.push_str(&format!("(... {count} lines skipped ...)\n"));
            }
        };
        for (shown, pieces) in self.parts(&marked, lines) {
            skipped(&mut out, shown.start - end);
            end = shown.end;
            self.write_lines(&mut out, shown, &marked[pieces], number_width);
        }
        skipped(&mut out, lines - end);
        f.write_str(out.trim_end())
    }
}

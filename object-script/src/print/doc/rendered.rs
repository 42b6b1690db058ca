//! [`Rendered`]: a text with its places, and its memory.

use std::ops::Range;

use object_core::Error;
use object_core::meter::Charge;

use object_core::print::Path;

/// A text with its places.
#[derive(Debug)]
pub(crate) struct Rendered {
    pub(crate) text: String,
    /// The pieces of the text, in the order of their ends, each with the place that it shows.
    pub(crate) spans: Vec<(Range<usize>, Path)>,
    /// The starts of lines. An empty line after a function does not start a line.
    pub(crate) line_starts: Vec<usize>,
    /// The pieces that are never underlined: indentation and comments.
    pub(crate) exempt: Vec<Range<usize>>,
    /// The memory of all this.
    pub(crate) charge: Charge,
    /// The reason why the text ends early.
    pub(crate) excess: Option<Error>,
}

impl Rendered {
    /// The memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let pieces = self.spans.capacity() * size_of::<(Range<usize>, Path)>();
        let lines = self.line_starts.capacity() * size_of::<usize>();
        self.text.capacity() + pieces + lines + self.exempt.capacity() * size_of::<Range<usize>>()
    }

    /// Whether there is room for a text of `more` bytes and for the places of a node.
    pub(crate) fn fits(&self, more: usize) -> bool {
        fn fits<T>(vec: &Vec<T>) -> bool {
            vec.capacity() - vec.len() >= SLACK.1
        }
        self.text.capacity() - self.text.len() >= more + SLACK.0
            && fits(&self.spans)
            && fits(&self.line_starts)
            && fits(&self.exempt)
    }

    /// Makes room for a text of `more` bytes and for the places of a node, if the memory suffices.
    #[cold]
    pub(crate) fn grow(&mut self, more: usize) {
        fn target<T>(vec: &Vec<T>) -> usize {
            if vec.capacity() - vec.len() >= SLACK.1 { vec.capacity() } else { (2 * vec.len()).max(64) }
        }
        let needed = self.text.len() + more + SLACK.0;
        let text = if needed <= self.text.capacity() { self.text.capacity() } else { needed.max(2 * self.text.len()) };
        let (spans, lines, exempt) = (target(&self.spans), target(&self.line_starts), target(&self.exempt));
        let places = spans * size_of::<(Range<usize>, Path)>() + exempt * size_of::<Range<usize>>();
        match self.charge.cover((text + lines * size_of::<usize>() + places) as u64) {
            Ok(()) => {
                self.text.reserve_exact(text - self.text.len());
                self.spans.reserve_exact(spans - self.spans.len());
                self.line_starts.reserve_exact(lines - self.line_starts.len());
                self.exempt.reserve_exact(exempt - self.exempt.len());
            }
            Err(error) => self.excess = Some(error),
        }
    }
}

/// The bytes of the text that a node writes, and its places, without a check. Longer pieces are checked one by one.
pub(crate) const SLACK: (usize, usize) = (256, 8);

//! [`Unread`]: the pieces of a text that were not read as a whole, so that further mistakes follow from the one that is reported.

use std::collections::HashSet;
use std::ops::Range;

use crate::token::Token;

/// The pieces of a text that were not read as a whole.
#[derive(Debug)]
pub(crate) struct Unread<'t> {
    source: &'t str,
    /// The pieces in their order. They do not overlap.
    pieces: Vec<Range<usize>>,
    /// The tokens in the pieces: a name may be bound there.
    names: HashSet<&'t str>,
}

impl<'t> Unread<'t> {
    /// The pieces `pieces` of `source`, in any order.
    pub(crate) fn new(source: &'t str, tokens: &[Token], mut pieces: Vec<Range<usize>>) -> Self {
        pieces.sort_by_key(|piece| (piece.start, piece.end));
        let mut all: Vec<Range<usize>> = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match all.last_mut() {
                // A piece inside of another one.
                Some(last) if piece.start < last.end => last.end = last.end.max(piece.end),
                _ => all.push(piece),
            }
        }
        let mut unread = Unread { source, pieces: all, names: HashSet::new() };
        if !unread.pieces.is_empty() {
            let ranges = tokens.iter().map(Token::range);
            unread.names = ranges.filter(|range| unread.contains(range)).map(|range| &source[range]).collect();
        }
        unread
    }

    /// Whether `range` is in a piece.
    pub(crate) fn contains(&self, range: &Range<usize>) -> bool {
        let after = self.pieces.partition_point(|piece| piece.start <= range.start);
        let around = after.checked_sub(1).map(|index| &self.pieces[index]);
        around.is_some_and(|piece| range.end <= piece.end)
    }

    /// Whether the text of `range` stands in a piece.
    pub(crate) fn has_name(&self, range: &Range<usize>) -> bool {
        self.names.contains(&self.source[range.clone()])
    }
}

//! [`align`]: decides which elements of two arrays a diff compares with each other.
//!
//! The first step matches elements of the same shape. The second step matches the elements between two such matches by
//! outline, and the third step matches the rest by type. The elements that are still unmatched are compared in pairs if
//! both sides have the same number of them; otherwise each of them is on one side only.

use std::ops::Range;

use super::lcs;
use crate::container::ArrayView;
use crate::object::AnyView;
use crate::structural::report::diff::align_hash::{AlignHashes, type_of};
use crate::structural::report::diff::use_sites::use_sites;
use crate::structural::scope::bindings::Bindings;

/// Consecutive elements with the same alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// `len` elements are compared in pairs, beginning at the indices `lhs` and `rhs`. `same_shape` says whether the
    /// elements of each pair have the same shape.
    Both { lhs: usize, rhs: usize, len: usize, same_shape: bool },
    /// `len` elements are on the left only.
    Lhs { lhs: usize, len: usize },
    /// `len` elements are on the right only.
    Rhs { rhs: usize, len: usize },
}

/// The criterion of a match, the strictest first.
#[derive(Clone, Copy)]
enum Level {
    Shape,
    Outline,
    Type,
}

/// The elements at both ends of two arrays that have the same shape.
#[derive(Clone, Copy, Default)]
pub(crate) struct Ends {
    /// The number of pairs at the beginning.
    pub(crate) start: usize,
    /// The number of pairs at the end.
    pub(crate) end: usize,
}

/// Aligns the elements of two arrays. `bindings` has the objects that are bound outside of the arrays; `max_edits` is the
/// limit of [`lcs::matches`]. The elements of `ends` get no hashes.
pub(crate) fn align<'a>(
    [lhs, rhs]: [ArrayView<'a>; 2],
    ends: Ends,
    bindings: &Bindings<'a>,
    align_hashes: &mut AlignHashes<'a>,
    max_edits: usize,
) -> Vec<Run> {
    let mut aligner = Aligner { lhs, rhs, bindings, align_hashes, max_edits, runs: Vec::new(), uses: None };
    aligner.align(Level::Shape, ends, 0..lhs.len(), 0..rhs.len());
    aligner.runs
}

/// The elements by their index, without an alignment.
pub(crate) fn by_index(lhs: ArrayView<'_>, rhs: ArrayView<'_>) -> Vec<Run> {
    let len = lhs.len().min(rhs.len());
    let mut runs = Vec::new();
    push(&mut runs, Run::Both { lhs: 0, rhs: 0, len, same_shape: false });
    push(&mut runs, Run::Lhs { lhs: len, len: lhs.len() - len });
    push(&mut runs, Run::Rhs { rhs: len, len: rhs.len() - len });
    runs
}

/// Adds a run, unless it is empty.
fn push(runs: &mut Vec<Run>, run: Run) {
    let (Run::Both { len, .. } | Run::Lhs { len, .. } | Run::Rhs { len, .. }) = run;
    if len > 0 {
        runs.push(run);
    }
}

struct Aligner<'a, 's> {
    lhs: ArrayView<'a>,
    rhs: ArrayView<'a>,
    bindings: &'s Bindings<'a>,
    align_hashes: &'s mut AlignHashes<'a>,
    max_edits: usize,
    runs: Vec<Run>,
    /// The use sites of the elements of both sides (see [`use_sites`]); `None` until they are needed.
    uses: Option<[Vec<u64>; 2]>,
}

impl<'a> Aligner<'a, '_> {
    /// Aligns a part of both arrays. The recursion ends after the levels.
    fn align(&mut self, level: Level, ends: Ends, lhs: Range<usize>, rhs: Range<usize>) {
        let inner = |range: &Range<usize>| range.start + ends.start..range.end - ends.end;
        let is_hashed = !inner(&lhs).is_empty() && !inner(&rhs).is_empty();
        let a = self.tokens(level, self.lhs, inner(&lhs), is_hashed);
        let b = self.tokens(level, self.rhs, inner(&rhs), is_hashed);
        let (len_a, len_b) = (lhs.len(), rhs.len());
        let found = lcs::matches(&a.tokens, &b.tokens, self.max_edits);
        let mut matches: Vec<(usize, usize)> = (0..ends.start).map(|i| (i, i)).collect();
        matches.extend(found.into_iter().map(|(i, j)| (ends.start + i, ends.start + j)));
        matches.extend((0..ends.end).rev().map(|back| (len_a - 1 - back, len_b - 1 - back)));
        let mut blocks = blocks(&matches, len_a, len_b);
        self.slide(&mut blocks, [&a, &b], [lhs.start, rhs.start]);
        let same_shape = matches!(level, Level::Shape);
        let (mut i, mut j) = (lhs.start, rhs.start);
        for block in blocks {
            let (next_i, next_j) = (lhs.start + block.lhs, rhs.start + block.rhs);
            self.align_rest(level, i..next_i, j..next_j);
            push(&mut self.runs, Run::Both { lhs: next_i, rhs: next_j, len: block.len, same_shape });
            (i, j) = (next_i + block.len, next_j + block.len);
        }
    }

    /// Aligns the elements between two matches of a level.
    fn align_rest(&mut self, level: Level, lhs: Range<usize>, rhs: Range<usize>) {
        let next = match level {
            Level::Shape => Some(Level::Outline),
            Level::Outline => Some(Level::Type),
            Level::Type => None,
        };
        match next {
            Some(next) if !lhs.is_empty() && !rhs.is_empty() => self.align(next, Ends::default(), lhs, rhs),
            _ if lhs.len() == rhs.len() => {
                let run = Run::Both { lhs: lhs.start, rhs: rhs.start, len: lhs.len(), same_shape: false };
                push(&mut self.runs, run);
            }
            _ => {
                push(&mut self.runs, Run::Lhs { lhs: lhs.start, len: lhs.len() });
                push(&mut self.runs, Run::Rhs { rhs: rhs.start, len: rhs.len() });
            }
        }
    }

    /// The tokens of a part of an array; of no element unless `is_hashed`.
    fn tokens(&mut self, level: Level, array: ArrayView<'a>, range: Range<usize>, is_hashed: bool) -> Tokens<'a> {
        let mut tokens = Tokens { array, level, first: range.start, tokens: Vec::new() };
        if is_hashed {
            tokens.tokens = range.map(|index| tokens.of(index, self.align_hashes)).collect();
        }
        tokens
    }

    /// Moves each gap on one side to its best position. In `a a` against `a a a`, any of the three elements may be the
    /// new one. The best choice leaves the most pairs that are the same object, have the same use sites, or have the
    /// same names. Among equally good choices, the last element is the new one.
    fn slide(&mut self, blocks: &mut [Block], [a, b]: [&Tokens<'a>; 2], [from_a, from_b]: [usize; 2]) {
        for index in 1..blocks.len() {
            let (left, right) = (blocks[index - 1], blocks[index]);
            let (gap_a, gap_b) = (right.lhs - left.lhs - left.len, right.rhs - left.rhs - left.len);
            if (gap_a > 0) == (gap_b > 0) {
                continue;
            }
            // Moving the gap by one moves one element from one block to the other, where it has another counterpart.
            let back = (1..=left.len).map(|shift| {
                let (i, j) = (left.lhs + left.len - shift, left.rhs + left.len - shift);
                ((i, j), (i + gap_a, j + gap_b))
            });
            let forth = (0..right.len).map(|shift| {
                let (i, j) = (right.lhs + shift, right.rhs + shift);
                ((i, j), (i - gap_a, j - gap_b))
            });
            let (mut best, mut best_gain) = (0, 0);
            let mut gain = 0;
            for (shift, (from, to)) in back.enumerate() {
                if a.of(from_a + to.0, self.align_hashes) != b.of(from_b + to.1, self.align_hashes) {
                    break;
                }
                gain += self.hint(from_a + to.0, from_b + to.1) - self.hint(from_a + from.0, from_b + from.1);
                if gain > best_gain {
                    (best, best_gain) = (-shift.cast_signed() - 1, gain);
                }
            }
            gain = 0;
            for (shift, (from, to)) in forth.enumerate() {
                if a.of(from_a + to.0, self.align_hashes) != b.of(from_b + to.1, self.align_hashes) {
                    break;
                }
                gain += self.hint(from_a + to.0, from_b + to.1) - self.hint(from_a + from.0, from_b + from.1);
                if gain >= best_gain {
                    (best, best_gain) = (shift.cast_signed() + 1, gain);
                }
            }
            blocks[index - 1].len = left.len.wrapping_add_signed(best);
            blocks[index] = Block {
                lhs: right.lhs.wrapping_add_signed(best),
                rhs: right.rhs.wrapping_add_signed(best),
                len: right.len.wrapping_add_signed(-best),
            };
        }
    }

    /// A score of how likely two elements of the same shape are one element before and after an edit.
    fn hint(&mut self, i: usize, j: usize) -> i64 {
        let (a, b) = (self.lhs.get(i).unwrap_or_default(), self.rhs.get(j).unwrap_or_default());
        let is_same = matches!((a, b), (AnyView::Object(a), AnyView::Object(b)) if a.ptr_eq(b));
        let [of_a, of_b] = self.uses.get_or_insert_with(|| {
            let (align_hashes, bindings) = (&mut *self.align_hashes, self.bindings);
            [
                use_sites(self.lhs, align_hashes, |object| bindings.get(object).is_some()),
                use_sites(self.rhs, align_hashes, |object| bindings.is_bound_rhs(object)),
            ]
        });
        let is_used_alike = of_a.get(i) == of_b.get(j);
        let is_named_alike = self.align_hashes.names(a) == self.align_hashes.names(b);
        4 * i64::from(is_same) + 2 * i64::from(is_used_alike) + i64::from(is_named_alike)
    }
}

/// The tokens of the elements of an array: two elements match if their tokens are equal.
struct Tokens<'a> {
    array: ArrayView<'a>,
    level: Level,
    /// The index of the first element in `tokens`.
    first: usize,
    tokens: Vec<u64>,
}

impl<'a> Tokens<'a> {
    /// The token of an element.
    fn of(&self, index: usize, align_hashes: &mut AlignHashes<'a>) -> u64 {
        if let Some(token) = index.checked_sub(self.first).and_then(|place| self.tokens.get(place)) {
            return *token;
        }
        let item = self.array.get(index).unwrap_or_default();
        match self.level {
            Level::Shape => align_hashes.of(item),
            Level::Outline => align_hashes.outline(item),
            Level::Type => type_of(item),
        }
    }
}

/// Consecutive matches.
#[derive(Clone, Copy)]
struct Block {
    lhs: usize,
    rhs: usize,
    len: usize,
}

/// The blocks of matches, with an empty block at the beginning of both sides and one at their ends.
fn blocks(matches: &[(usize, usize)], len_a: usize, len_b: usize) -> Vec<Block> {
    let mut blocks = vec![Block { lhs: 0, rhs: 0, len: 0 }];
    for &(lhs, rhs) in matches {
        match blocks.last_mut() {
            Some(block) if (block.lhs + block.len, block.rhs + block.len) == (lhs, rhs) => block.len += 1,
            _ => blocks.push(Block { lhs, rhs, len: 1 }),
        }
    }
    blocks.push(Block { lhs: len_a, rhs: len_b, len: 0 });
    blocks
}

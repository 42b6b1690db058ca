//! [`align`]: decides which elements of two arrays a diff compares with each other.
//!
//! The first step matches elements of the same shape whose variables have corresponding bindings, and the second step elements
//! of the same shape. The third step matches the elements between two such matches by outline, and the fourth step matches the
//! rest by type. The elements that are still unmatched are compared in pairs if both sides have the same number of them;
//! otherwise each of them is on one side only.

use std::ops::Range;

use super::lcs;
use crate::container::ArrayView;
use crate::object::{AnyView, ObjectView};
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
    Exact,
    Shape,
    Outline,
    Type,
}

/// The number of consecutive matches after which an alignment is certain.
const CERTAIN: usize = 3;

/// The alignment of a part of two arrays.
pub(crate) struct Alignment {
    pub(crate) runs: Vec<Run>,
    /// Where the matches begin at which the alignment ends early.
    pub(crate) certain: Option<(usize, usize)>,
}

/// How far an alignment goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// To the first certain matches that are at least this many elements after the first ones.
    Certain(usize),
    /// To the first certain matches if elements contain variables. Their bindings then improve the rest of the alignment.
    CertainIfVariables,
    /// To the end.
    End,
}

/// Aligns a part of the elements of two arrays. The elements before `from` are equal by index, but may have better counterparts.
/// `bindings` has the objects that are bound outside of the part; `max_edits` is the limit of [`lcs::matches`].
pub(crate) fn align<'a>(
    [lhs, rhs]: [ArrayView<'a>; 2],
    parts: [Range<usize>; 2],
    from: (usize, usize),
    bindings: &Bindings<'a>,
    align_hashes: &mut AlignHashes<'a>,
    (until, max_edits): (Until, usize),
) -> Alignment {
    let alignment = Alignment { runs: Vec::new(), certain: None };
    let [of_lhs, of_rhs] = parts.clone();
    let first = [(Side::Lhs, lhs.get(from.0)), (Side::Rhs, rhs.get(from.1))];
    let is_small = first.into_iter().all(|(side, item)| match item {
        Some(item) => align_hashes.exact_small(item, counterpart(bindings, side)).is_some(),
        None => true,
    });
    let mut aligner =
        Aligner { lhs, rhs, parts, from, until, bindings, align_hashes, max_edits, alignment, is_small, uses: None };
    let equal = (from.0 - of_lhs.start).min(from.1 - of_rhs.start);
    aligner.align(Level::Exact, of_lhs, of_rhs, equal);
    aligner.alignment
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

/// Adds a run, as a part of the last one if it goes on with it.
pub(crate) fn join(runs: &mut Vec<Run>, run: Run) {
    if let (Some(Run::Both { lhs, rhs, len, same_shape: is_same }), Run::Both { lhs: i, rhs: j, len: more, same_shape }) =
        (runs.last_mut(), run)
        && (*lhs + *len, *rhs + *len, *is_same) == (i, j, same_shape)
    {
        *len += more;
        return;
    }
    push(runs, run);
}

struct Aligner<'a, 's> {
    lhs: ArrayView<'a>,
    rhs: ArrayView<'a>,
    bindings: &'s Bindings<'a>,
    align_hashes: &'s mut AlignHashes<'a>,
    max_edits: usize,
    parts: [Range<usize>; 2],
    from: (usize, usize),
    until: Until,
    alignment: Alignment,
    /// Whether the first elements without a match have few values.
    is_small: bool,
    /// The use sites of the elements of both parts (see [`use_sites`]); `None` until they are needed.
    uses: Option<[Vec<u64>; 2]>,
}

impl<'a> Aligner<'a, '_> {
    /// Aligns a part of both arrays, whose first `equal` elements match. The recursion ends after the levels.
    fn align(&mut self, level: Level, lhs: Range<usize>, rhs: Range<usize>, equal: usize) {
        // Few of the first elements need a hash, because a gap seldom slides to them.
        let (rest_lhs, rest_rhs) = (lhs.start + equal..lhs.end, rhs.start + equal..rhs.end);
        let is_hashed = !rest_lhs.is_empty() && !rest_rhs.is_empty();
        let a = self.tokens(level, Side::Lhs, rest_lhs, is_hashed);
        let b = self.tokens(level, Side::Rhs, rest_rhs, is_hashed);
        if self.until == Until::CertainIfVariables && matches!(level, Level::Exact) && !self.has_variables() {
            self.until = Until::End;
        }
        let rest = lcs::matches(&a.tokens, &b.tokens, self.max_edits);
        let rest = rest.into_iter().map(|(i, j)| (equal + i, equal + j));
        let matches: Vec<_> = (0..equal).map(|index| (index, index)).chain(rest).collect();
        let mut blocks = blocks(&matches, lhs.len(), rhs.len());
        self.slide(&mut blocks, [&a, &b], [lhs.start, rhs.start]);
        let same_shape = matches!(level, Level::Exact | Level::Shape);
        let (mut i, mut j) = (lhs.start, rhs.start);
        for block in blocks {
            let (next_i, next_j) = (lhs.start + block.lhs, rhs.start + block.rhs);
            self.align_rest(level, i..next_i, j..next_j);
            let is_certain = matches!(level, Level::Exact) && block.len >= CERTAIN;
            let least = match self.until {
                Until::Certain(least) => least,
                Until::CertainIfVariables => 1,
                Until::End => usize::MAX,
            };
            if is_certain
                && let (Some(after_i), Some(after_j)) =
                    (next_i.checked_sub(self.from.0), next_j.checked_sub(self.from.1))
                && after_i.max(after_j) >= least
            {
                self.alignment.certain = Some((next_i, next_j));
                return;
            }
            self.push(Run::Both { lhs: next_i, rhs: next_j, len: block.len, same_shape });
            (i, j) = (next_i + block.len, next_j + block.len);
        }
    }

    /// Whether an element of the parts contains a variable or a `dag` node.
    fn has_variables(&mut self) -> bool {
        let items = [self.lhs, self.rhs].into_iter().zip(self.parts.clone());
        let mut objects = items.flat_map(|(array, part)| part.filter_map(move |index| array.get(index)?.as_object()));
        objects.any(|object| !self.align_hashes.bindable(object).is_empty())
    }

    fn push(&mut self, run: Run) {
        push(&mut self.alignment.runs, run);
    }

    /// Aligns the elements between two matches of a level.
    fn align_rest(&mut self, level: Level, lhs: Range<usize>, rhs: Range<usize>) {
        let next = match level {
            Level::Exact => Some(Level::Shape),
            Level::Shape => Some(Level::Outline),
            Level::Outline => Some(Level::Type),
            Level::Type => None,
        };
        match next {
            Some(next) if !lhs.is_empty() && !rhs.is_empty() => self.align(next, lhs, rhs, 0),
            _ if lhs.len() == rhs.len() => {
                self.push(Run::Both { lhs: lhs.start, rhs: rhs.start, len: lhs.len(), same_shape: false });
            }
            _ => {
                self.push(Run::Lhs { lhs: lhs.start, len: lhs.len() });
                self.push(Run::Rhs { rhs: rhs.start, len: rhs.len() });
            }
        }
    }

    /// The tokens of a part of an array; of no element unless `is_hashed`.
    fn tokens(&mut self, level: Level, side: Side, range: Range<usize>, is_hashed: bool) -> Tokens {
        let mut tokens = Tokens { side, level, first: range.start, tokens: Vec::new() };
        if is_hashed {
            tokens.tokens = range.map(|index| self.token(&tokens, index)).collect();
        }
        tokens
    }

    /// The token of an element.
    fn token(&mut self, tokens: &Tokens, index: usize) -> u64 {
        if let Some(token) = index.checked_sub(tokens.first).and_then(|place| tokens.tokens.get(place)) {
            return *token;
        }
        let array = if tokens.side == Side::Lhs { self.lhs } else { self.rhs };
        let item = array.get(index).unwrap_or_default();
        match tokens.level {
            Level::Exact => {
                let counterpart = counterpart(self.bindings, tokens.side);
                let small = if self.is_small { self.align_hashes.exact_small(item, &counterpart) } else { None };
                small.unwrap_or_else(|| self.align_hashes.exact(item, counterpart))
            }
            Level::Shape => self.align_hashes.of(item),
            Level::Outline => self.align_hashes.outline(item),
            Level::Type => type_of(item),
        }
    }

    /// Moves each gap on one side to its best position. In `a a` against `a a a`, any of the three elements may be the
    /// new one. The best choice leaves the most pairs that are the same object, have the same use sites, or have the
    /// same names. Among equally good choices, the last element is the new one.
    fn slide(&mut self, blocks: &mut [Block], [a, b]: [&Tokens; 2], [from_a, from_b]: [usize; 2]) {
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
                if self.token(a, from_a + to.0) != self.token(b, from_b + to.1) {
                    break;
                }
                gain += self.hint(from_a + to.0, from_b + to.1) - self.hint(from_a + from.0, from_b + from.1);
                if gain > best_gain {
                    (best, best_gain) = (-shift.cast_signed() - 1, gain);
                }
            }
            gain = 0;
            for (shift, (from, to)) in forth.enumerate() {
                if self.token(a, from_a + to.0) != self.token(b, from_b + to.1) {
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
            let [lhs, rhs] = self.parts.clone();
            [
                use_sites(self.lhs, lhs, align_hashes, |object| bindings.get(object).is_some()),
                use_sites(self.rhs, rhs, align_hashes, |object| bindings.is_bound_rhs(object)),
            ]
        });
        let is_used_alike = of_a.get(i - self.parts[0].start) == of_b.get(j - self.parts[1].start);
        let is_named_alike = self.align_hashes.names(a) == self.align_hashes.names(b);
        4 * i64::from(is_same) + 2 * i64::from(is_used_alike) + i64::from(is_named_alike)
    }
}

/// A function that returns a number for the object to which a variable of a side is bound.
fn counterpart<'a>(bindings: &Bindings<'a>, side: Side) -> impl Fn(ObjectView<'a>) -> Option<usize> {
    move |object| match side {
        Side::Lhs => bindings.get(object).map(|bound| bound.other.address()),
        Side::Rhs => bindings.is_bound_rhs(object).then_some(object.address()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lhs,
    Rhs,
}

/// The tokens of the elements of an array: two elements match if their tokens are equal.
struct Tokens {
    side: Side,
    level: Level,
    /// The index of the first element in `tokens`.
    first: usize,
    tokens: Vec<u64>,
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

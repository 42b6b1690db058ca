//! [`matches`]: a longest common subsequence of two sequences of tokens.
//!
//! The greedy forward search of Myers, "An O(ND) difference algorithm and its variations" (1986). Before the search,
//! the common prefix and suffix are removed, and tokens that occur on one side only. The search takes time in the
//! product of the length and the number of differences. After a given number of differences the search keeps the matches
//! that it has and starts again after them. So the result is a longest common subsequence if there are at most that
//! many differences, and a good one otherwise, at a cost that stays linear in the length.

use crate::table::Table;

/// The pairs of indices of a common subsequence of `a` and `b`, in order. After `max_edits` differences the search commits
/// to its matches.
pub(crate) fn matches(a: &[u64], b: &[u64], max_edits: usize) -> Vec<(usize, usize)> {
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&a[start..], &b[start..]);
    let end = rest_a.iter().rev().zip(rest_b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (rest_a, rest_b) = (&rest_a[..rest_a.len() - end], &rest_b[..rest_b.len() - end]);

    let mut found: Vec<(usize, usize)> = (0..start).map(|i| (i, i)).collect();
    if !rest_a.is_empty() && !rest_b.is_empty() {
        // A token that the other side does not have matches nothing and would only add cost.
        let (kept_a, kept_b) = (kept(rest_a, rest_b), kept(rest_b, rest_a));
        let tokens = |kept: &[usize], all: &[u64]| -> Vec<u64> { kept.iter().map(|&place| all[place]).collect() };
        let (a, b) = (tokens(&kept_a, rest_a), tokens(&kept_b, rest_b));
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            let (x, y, pairs) = search(&a[i..], &b[j..], max_edits.max(1));
            found.extend(pairs.into_iter().rev().map(|(x, y)| (start + kept_a[i + x], start + kept_b[j + y])));
            (i, j) = (i + x, j + y);
        }
    }
    found.extend((0..end).rev().map(|back| (a.len() - 1 - back, b.len() - 1 - back)));
    found
}

/// The indices in `of` whose tokens also occur in `other`.
fn kept(of: &[u64], other: &[u64]) -> Vec<usize> {
    let other: Table<u64, ()> = other.iter().map(|&token| (token, ())).collect();
    (0..of.len()).filter(|&place| other.contains_key(&of[place])).collect()
}

/// How far the search came on both sides, at least by one token, and the matches that it found, the last one first.
fn search(a: &[u64], b: &[u64], max_edits: usize) -> (usize, usize, Vec<(usize, usize)>) {
    // `reach[edits][place]` is the furthest x after `edits` edits on the diagonal x - y = 2 * place - edits.
    let mut reach: Vec<Vec<usize>> = Vec::new();
    loop {
        let edits = reach.len();
        let mut row = Vec::with_capacity(edits + 1);
        let mut best = (0, 0, 0);
        for place in 0..=edits {
            let (mut x, _) = enter(reach.last().map_or(&[], Vec::as_slice), place);
            let mut y = x + edits - 2 * place;
            while x < a.len() && y < b.len() && a[x] == b[y] {
                (x, y) = (x + 1, y + 1);
            }
            row.push(x);
            if x <= a.len() && y <= b.len() && x + y >= best.0 + best.1 {
                best = (x, y, place);
            }
        }
        reach.push(row);
        let (x, y, place) = best;
        if (x == a.len() && y == b.len()) || edits == max_edits {
            return (x, y, trace(&reach, place));
        }
    }
}

/// The x at which a diagonal begins after the edits of `before`, and the index in `before` that it comes from.
fn enter(before: &[usize], place: usize) -> (usize, usize) {
    let insert = before.get(place).map(|&x| (x, place));
    let delete = place.checked_sub(1).and_then(|place| before.get(place).map(|&x| (x + 1, place)));
    insert.max(delete).unwrap_or_default()
}

/// The matches on the path to the last row of `reach`, the last one first.
fn trace(reach: &[Vec<usize>], mut place: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for edits in (0..reach.len()).rev() {
        let before = edits.checked_sub(1).map_or(&[] as &[usize], |edits| &reach[edits]);
        let (from, came_from) = enter(before, place);
        pairs.extend((from..reach[edits][place]).rev().map(|x| (x, x + edits - 2 * place)));
        place = came_from;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::matches;

    const MAX_EDITS: usize = 256;

    /// The length of a longest common subsequence, by the textbook algorithm.
    fn longest(a: &[u64], b: &[u64]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    /// Two sequences of at most `len` tokens, which are numbers below `tokens`.
    fn sequences(len: usize, tokens: u64, state: &mut u64) -> [Vec<u64>; 2] {
        let mut next = |bound: u64| {
            *state = crate::hashing::finish(crate::hashing::mix(*state, 1));
            *state % bound
        };
        [0, 1].map(|_| (0..next(len as u64 + 1)).map(|_| next(tokens)).collect())
    }

    #[test]
    fn it_is_common_and_longest() {
        let mut state = 1;
        for case in 0..2000 {
            let [a, b] = sequences(30, 2 + case % 12, &mut state);
            let found = matches(&a, &b, MAX_EDITS);
            assert!(found.iter().all(|&(i, j)| a[i] == b[j]), "{a:?} {b:?} {found:?}");
            assert!(found.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1), "{a:?} {b:?} {found:?}");
            assert_eq!(found.len(), longest(&a, &b), "{a:?} {b:?} {found:?}");
        }
    }

    #[test]
    fn a_limit_below_the_distance_costs_matches() {
        let mut state = 3;
        let lost = (0..200).map(|_| {
            let [a, b] = sequences(30, 6, &mut state);
            let few = matches(&a, &b, 1);
            assert!(few.iter().all(|&(i, j)| a[i] == b[j]), "{a:?} {b:?} {few:?}");
            longest(&a, &b) - few.len()
        });
        assert!(lost.sum::<usize>() > 0);
    }

    #[test]
    fn beyond_the_bound_it_is_still_common() {
        let mut state = 7;
        let [a, b] = [0, 1].map(|_| sequences(1, 1, &mut state)).map(|_| {
            let [mut long, more] = sequences(4000, 3, &mut state);
            long.extend(more);
            long
        });
        let found = matches(&a, &b, MAX_EDITS);
        assert!(a.len().abs_diff(b.len()) + 2 * a.len().min(b.len()) > MAX_EDITS + 2 * found.len());
        assert!(found.iter().all(|&(i, j)| a[i] == b[j]));
        assert!(found.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
        assert!(found.len() * 3 > a.len().min(b.len()), "{} of {} and {}", found.len(), a.len(), b.len());
    }
}

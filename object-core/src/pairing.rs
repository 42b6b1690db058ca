//! [`align_keys`]: the elements of two lists in pairs, in the order of both.

use std::collections::hash_map::Entry;
use std::hash::Hash;

use crate::table::Table;

/// An element on the left and an element on the right, as indices; at least one of them.
pub type Row = (Option<usize>, Option<usize>);

/// Pairs equal keys, in the order of both sides. An absent key has no pair.
///
/// The longest increasing subsequence of the pairs of equal keys, in O(n log n).
#[must_use]
pub fn align_keys<K: Eq + Hash>(left: Vec<Option<K>>, right: Vec<Option<K>>) -> Vec<Row> {
    let (left_count, right_count) = (left.len(), right.len());
    // The places of a key on the right, the last first.
    let mut places: Table<K, Vec<usize>> = Table::default();
    for (place, key) in right.into_iter().enumerate().rev() {
        if let Some(key) = key {
            places.entry(key).or_default().push(place);
        }
    }
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (l, key) in left.into_iter().enumerate() {
        if let Some(Entry::Occupied(mut found)) = key.map(|key| places.entry(key)) {
            pairs.extend(found.get_mut().pop().map(|r| (l, r)));
        }
    }
    let mut rows = Vec::with_capacity(left_count.max(right_count));
    let (mut l, mut r) = (0, 0);
    let end = std::iter::once((left_count, right_count));
    for (pair_l, pair_r) in longest_increasing(&pairs).into_iter().chain(end) {
        rows.extend((l..pair_l).map(|l| (Some(l), None)));
        rows.extend((r..pair_r).map(|r| (None, Some(r))));
        if pair_l < left_count {
            rows.push((Some(pair_l), Some(pair_r)));
        }
        (l, r) = (pair_l + 1, pair_r + 1);
    }
    rows
}

/// The longest subsequence whose second numbers increase.
fn longest_increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the index of the pair with the smallest end; and for each pair, the pair before it.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, (_, place)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *place);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut chosen = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(index) = next {
        chosen.push(pairs[index]);
        next = before[index];
    }
    chosen.reverse();
    chosen
}

#[cfg(test)]
mod tests {
    use super::align_keys;

    #[test]
    fn equal_keys_stand_side_by_side() {
        let keys = |text: &str| text.chars().map(|it| (it != '-').then_some(it)).collect();
        let rows = align_keys::<char>(keys("abc-d"), keys("axcd-"));
        let expected = [
            (Some(0), Some(0)),
            (Some(1), None),
            (None, Some(1)),
            (Some(2), Some(2)),
            (Some(3), None),
            (Some(4), Some(3)),
            (None, Some(4)),
        ];
        assert_eq!(rows, expected);
        assert_eq!(align_keys::<char>(keys("ab"), keys("ba")).len(), 3, "a moved line has no pair");
    }
}

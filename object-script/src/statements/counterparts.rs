//! [`counterparts()`]: the statements of two texts of one value in pairs.

use std::collections::hash_map::Entry;

use object_core::pairing::align_keys;
use object_core::table::Table;

use crate::statements::{Statement, Statements};

/// For each statement of the left text, its counterpart in the right text.
pub(crate) fn counterparts(left: &Statements, right: &Statements) -> Vec<Option<usize>> {
    let mut pairs = vec![None; left.all.len()];
    let mut open = vec![(None, None)];
    while let Some((l, r)) = open.pop() {
        let (l_list, r_list) = (written(left, l), written(right, r));
        // The printer sorts the functions of a module.
        let is_module = l.is_some_and(|l: usize| left.all[l].key == "class");
        let found =
            if is_module { unordered(left, right, &l_list, &r_list) } else { ordered(left, right, &l_list, &r_list) };
        for (l, r) in found {
            pairs[l] = Some(r);
            open.push((Some(l), Some(r)));
        }
    }
    pairs
}

/// The inner statements of a statement, without imports.
fn written(statements: &Statements, parent: Option<usize>) -> Vec<usize> {
    statements.children(parent).iter().copied().filter(|number| !statements.all[*number].is_import).collect()
}

/// Pairs of equal keys, in any order. Of several equal keys, the first ones form a pair.
fn unordered(left: &Statements, right: &Statements, l_list: &[usize], r_list: &[usize]) -> Vec<(usize, usize)> {
    let mut places: Table<&str, Vec<usize>> = Table::default();
    for number in r_list.iter().rev() {
        places.entry(&right.all[*number].key).or_default().push(*number);
    }
    let mut next = |l: usize| match places.entry(&left.all[l].key) {
        Entry::Occupied(mut found) => found.get_mut().pop().map(|r| (l, r)),
        Entry::Vacant(_) => None,
    };
    l_list.iter().filter_map(|l| next(*l)).collect()
}

/// Pairs of equal keys in the order of both texts, between them pairs of equal loose keys, and between those pairs that call the
/// same function.
fn ordered(left: &Statements, right: &Statements, l_list: &[usize], r_list: &[usize]) -> Vec<(usize, usize)> {
    aligned(left, right, l_list, r_list, &[|it| Some(&it.key), |it| Some(&it.loose_key), |it| it.called.as_ref()])
}

/// Pairs of statements by the first key, and between them by the next ones.
fn aligned(
    left: &Statements,
    right: &Statements,
    l_list: &[usize],
    r_list: &[usize],
    keys: &[Key],
) -> Vec<(usize, usize)> {
    let Some((key, keys)) = keys.split_first() else { return Vec::new() };
    let mut pairs = Vec::new();
    let (mut l_gap, mut r_gap) = (Vec::new(), Vec::new());
    // The row at the end closes the last gap.
    for row in same_keys(left, right, l_list, r_list, *key).into_iter().map(Some).chain([None]) {
        match row {
            Some((l, r)) if l.is_none() || r.is_none() => {
                l_gap.extend(l);
                r_gap.extend(r);
            }
            pair => {
                pairs.extend(aligned(left, right, &l_gap, &r_gap, keys));
                pairs.extend(pair.and_then(|(l, r)| l.zip(r)));
                l_gap.clear();
                r_gap.clear();
            }
        }
    }
    pairs
}

/// A key of statements.
type Key = for<'s> fn(&'s Statement) -> Option<&'s String>;

/// The statements of two lists, aligned by a key.
fn same_keys(
    left: &Statements,
    right: &Statements,
    l_list: &[usize],
    r_list: &[usize],
    key: Key,
) -> Vec<(Option<usize>, Option<usize>)> {
    let l_keys = l_list.iter().map(|number| key(&left.all[*number])).collect();
    let r_keys = r_list.iter().map(|number| key(&right.all[*number])).collect();
    let rows = align_keys(l_keys, r_keys).into_iter();
    rows.map(|(l, r)| (l.map(|l| l_list[l]), r.map(|r| r_list[r]))).collect()
}

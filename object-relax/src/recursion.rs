//! [`Recursion`]: functions that are defined by recursion over objects.
//!
//! A rule computes the result for one key from the results for other keys. The results are remembered, so an object that
//! has several references is evaluated once.

use std::hash::Hash;

use object_core::stack_budget::with_stack;
use rustc_hash::FxHashMap;

/// An evaluation under way.
pub(crate) struct Recursion<S, K, R> {
    /// The facts that the rule uses beside its key.
    pub(crate) state: S,
    rule: Rule<S, K, R>,
    results: FxHashMap<K, R>,
    /// The number of uses of the rule that are left.
    left: usize,
}

/// The result for a key. `None` says that too few uses of the rule are left.
type Rule<S, K, R> = fn(&mut Recursion<S, K, R>, &K) -> Option<R>;

impl<S, K: Hash + Eq, R: Clone> Recursion<S, K, R> {
    /// The result of `rule` for `root`, with at most `limit` uses of the rule. `None` if they do not suffice: the keys of a
    /// rule that makes new objects can be many more than the objects of its input.
    pub(crate) fn run(limit: usize, state: S, root: &K, rule: Rule<S, K, R>) -> Option<R> {
        let mut recursion = Recursion { state, rule, results: FxHashMap::default(), left: limit };
        with_stack(|| rule(&mut recursion, root))
    }

    /// The result for `key`, which is smaller than the key of the rule that asks.
    pub(crate) fn get(&mut self, key: K) -> Option<R> {
        if let Some(known) = self.results.get(&key) {
            return Some(known.clone());
        }
        self.left = self.left.checked_sub(1)?;
        let rule = self.rule;
        let result = with_stack(|| rule(self, &key))?;
        self.results.insert(key, result.clone());
        Some(result)
    }

    /// The results for all keys.
    pub(crate) fn all(&mut self, keys: impl IntoIterator<Item = K>) -> Option<Vec<R>> {
        keys.into_iter().map(|key| self.get(key)).collect()
    }
}

/// The result of `rule` for `root`.
pub(crate) fn evaluate<K: Hash + Eq, R: Clone>(root: &K, rule: Rule<(), K, R>) -> R {
    let result = Recursion::run(usize::MAX, (), root, rule);
    result.unwrap_or_else(|| unreachable!("there are fewer keys than addresses"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_keys_are_evaluated_once() {
        let sum = |known: &mut Recursion<usize, u64, u64>, &n: &u64| {
            known.state += 1;
            if n < 2 || known.state > 100_001 {
                return (n < 2).then_some(1);
            }
            let results = known.all([n - 1, n - 2])?;
            Some((results[0] + results[1]) % 1_000_007)
        };
        assert!(Recursion::run(usize::MAX, 0, &100_000, sum).is_some_and(|result| result < 1_000_007));
        assert_eq!(Recursion::run(1000, 0, &100_000, sum), None);
    }
}

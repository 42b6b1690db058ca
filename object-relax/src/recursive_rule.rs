//! [`evaluate`]: functions that are defined by recursion over objects, without recursion on the machine stack.
//!
//! A rule computes the result for one key from the results for other keys. The results are remembered, so an object that
//! has several references is evaluated once.

use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

use object_core::{ObjectHandle, ObjectRef};
use rustc_hash::FxHashMap;

/// A handle as a key, by identity.
#[derive(Clone, Debug)]
pub(crate) struct ById<H>(pub(crate) H);

impl<H: ObjectHandle> PartialEq for ById<H> {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_object() == other.0.as_object()
    }
}

impl<H: ObjectHandle> Eq for ById<H> {}

impl<H: ObjectHandle> Hash for ById<H> {
    fn hash<S: Hasher>(&self, state: &mut S) {
        self.0.as_object().hash(state);
    }
}

/// A look-up by a borrowed object. Objects are compared and hashed by identity.
impl<H: ObjectHandle> Borrow<ObjectRef> for ById<H> {
    fn borrow(&self) -> &ObjectRef {
        self.0.as_object()
    }
}

/// The results that a rule can use.
pub(crate) struct Known<K, R> {
    results: FxHashMap<K, R>,
    /// The keys whose results the rule asked for in vain.
    missing: Vec<K>,
}

impl<K: Hash + Eq + Clone, R: Clone> Known<K, R> {
    /// The result for `key`. `None` says that it is not yet known: the rule returns `None` too, and runs again when all
    /// results are known that it asked for.
    pub(crate) fn get(&mut self, key: K) -> Option<R> {
        let known = self.results.get(&key).cloned();
        if known.is_none() {
            self.missing.push(key);
        }
        known
    }

    /// The results for all keys.
    pub(crate) fn all(&mut self, keys: impl IntoIterator<Item = K>) -> Option<Vec<R>> {
        let mut results = Some(Vec::new());
        for key in keys {
            match (self.get(key), &mut results) {
                (Some(result), Some(all)) => all.push(result),
                _ => results = None,
            }
        }
        results
    }
}

/// The result of `rule` for `root`. The rule must ask for the results of smaller keys only.
pub(crate) fn evaluate<K: Hash + Eq + Clone, R: Clone>(
    root: K,
    rule: impl FnMut(&K, &mut Known<K, R>) -> Option<R>,
) -> R {
    evaluate_within(usize::MAX, root, rule).unwrap_or_else(|| unreachable!("there are fewer keys than addresses"))
}

/// Like [`evaluate`], with at most `limit` uses of the rule. `None` if they do not suffice: the keys of a rule that makes
/// new objects can be many more than the objects of its input.
pub(crate) fn evaluate_within<K: Hash + Eq + Clone, R: Clone>(
    mut limit: usize,
    root: K,
    mut rule: impl FnMut(&K, &mut Known<K, R>) -> Option<R>,
) -> Option<R> {
    let mut known: Known<K, R> = Known { results: FxHashMap::default(), missing: Vec::new() };
    let mut pending = vec![root];
    loop {
        let Some(key) = pending.last() else { unreachable!("the root stays until the end") };
        if let Some(result) = known.results.get(key) {
            let result = result.clone();
            pending.pop();
            if pending.is_empty() {
                return Some(result);
            }
            continue;
        }
        limit = limit.checked_sub(1)?;
        match rule(key, &mut known) {
            Some(result) => {
                known.missing.clear();
                if pending.len() == 1 {
                    return Some(result);
                }
                let key = pending.pop().unwrap_or_else(|| unreachable!("the key is the last one"));
                known.results.insert(key, result);
            }
            None => {
                debug_assert!(!known.missing.is_empty(), "a rule without a result asks for one");
                pending.append(&mut known.missing);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_keys_are_evaluated_once_without_recursion() {
        let mut calls = 0;
        let result = evaluate(100_000_u64, |&n, known: &mut Known<u64, u64>| {
            calls += 1;
            if n < 2 {
                return Some(1);
            }
            let results = known.all([n - 1, n - 2])?;
            Some((results[0] + results[1]) % 1_000_007)
        });
        assert!(result < 1_000_007 && calls <= 200_002, "{calls}");
    }
}

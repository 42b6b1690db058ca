//! [`Reducer`]: the value, the test, and the search for the parts that can go.

use std::ops::Range;

use crate::error::Result;
use crate::object::{Any, ObjectView};
use crate::reduce::parts::{Part, levels, without};
use crate::structural::structural_hash;
use crate::table::Set;

/// The test of several candidates: the index of the first one for which the test holds.
type Test<'t> = Box<dyn FnMut(&[Any]) -> Result<Option<usize>> + 't>;

/// A value that becomes smaller while a test still holds for it.
///
/// ```
/// use object_core::reduce::Reducer;
/// use object_core::{Any, Array};
///
/// let numbers = Array::<i64>::new(0..100);
/// let mut tests = 0;
/// let has_both = |value: &Any| {
///     tests += 1;
///     let numbers: Array<i64> = value.clone().cast()?;
///     Ok(numbers.iter().any(|it| it == 7) && numbers.iter().any(|it| it == 42))
/// };
/// let mut reducer = Reducer::new(numbers.into(), has_both);
/// reducer.reduce()?;
/// assert_eq!(reducer.into_value().cast::<Array<i64>>()?, [7, 42]);
/// assert!(tests < 40, "{tests}");
/// # Ok::<(), object_core::Error>(())
/// ```
pub struct Reducer<'t> {
    value: Any,
    test: Test<'t>,
    is_valid: Box<dyn Fn(&Any) -> bool + 't>,
    is_whole: Box<dyn Fn(ObjectView<'_>) -> bool + 't>,
    /// The number of candidates that the test gets at one time.
    batch: usize,
    /// The structural hashes of the values that the test has had.
    tested: Set<u64>,
}

impl<'t> Reducer<'t> {
    /// A reducer of a value for which the test holds. An error of the test is the error of the operation.
    pub fn new(value: Any, mut test: impl FnMut(&Any) -> Result<bool> + 't) -> Self {
        let first = move |candidates: &[Any]| {
            for (index, candidate) in candidates.iter().enumerate() {
                if test(candidate)? {
                    return Ok(Some(index));
                }
            }
            Ok(None)
        };
        Reducer::in_batches(value, 1, first)
    }

    /// As [`new`](Self::new), with a test that gets up to `batch` candidates at one time, for example to run them in
    /// parallel. It returns the index of the first candidate for which it holds.
    pub fn in_batches(value: Any, batch: usize, test: impl FnMut(&[Any]) -> Result<Option<usize>> + 't) -> Self {
        let tested = Set::from_iter([structural_hash(&value)]);
        Reducer {
            value,
            test: Box::new(test),
            is_valid: Box::new(|_| true),
            is_whole: Box::new(|_| false),
            batch: batch.max(1),
            tested,
        }
    }

    /// Tests only the candidates that this predicate accepts.
    #[must_use]
    pub fn valid(mut self, is_valid: impl Fn(&Any) -> bool + 't) -> Self {
        self.is_valid = Box::new(is_valid);
        self
    }

    /// Removes no parts of the objects that this predicate accepts, nor of objects below them: for objects whose fields
    /// depend on each other in ways that the types do not say.
    #[must_use]
    pub fn whole(mut self, is_whole: impl Fn(ObjectView<'_>) -> bool + 't) -> Self {
        self.is_whole = Box::new(is_whole);
        self
    }

    /// The smallest value so far, also after an error.
    #[must_use]
    pub fn value(&self) -> &Any {
        &self.value
    }

    /// As [`value`](Self::value), without the reducer.
    #[must_use]
    pub fn into_value(self) -> Any {
        self.value
    }

    /// Removes as many of `count` parts of the value as possible, the last ones first. `without` makes the value without the
    /// parts whose flag is set, or `None` if it cannot. Returns whether any part went.
    ///
    /// # Errors
    /// The errors of the test. The value then lacks the parts that went before.
    pub fn remove_parts(&mut self, count: usize, without: impl Fn(&[bool]) -> Option<Any>) -> Result<bool> {
        let mut kept: Vec<usize> = (0..count).collect();
        let mut size = count;
        while size > 0 && !kept.is_empty() {
            let before = kept.len();
            self.remove_chunks(size, count, &mut kept, &without)?;
            size = match size {
                // The parts that stayed may go without the parts that went later.
                1 if kept.len() < before => 1,
                1 => 0,
                _ => size.div_ceil(2).min(kept.len().max(1)),
            };
        }
        Ok(kept.len() < count)
    }

    /// Removes chunks of `size` adjacent parts from the ones that are kept.
    fn remove_chunks(
        &mut self,
        size: usize,
        count: usize,
        kept: &mut Vec<usize>,
        without: &impl Fn(&[bool]) -> Option<Any>,
    ) -> Result<()> {
        let mut end = kept.len();
        while end > 0 {
            let mut chunks: Vec<Range<usize>> = Vec::new();
            let mut candidates: Vec<Any> = Vec::new();
            while end > 0 && candidates.len() < self.batch {
                let chunk = end.saturating_sub(size)..end;
                end = chunk.start;
                let mut is_removed = vec![true; count];
                kept[..chunk.start].iter().chain(&kept[chunk.end..]).for_each(|part| is_removed[*part] = false);
                if let Some(candidate) = without(&is_removed).filter(|it| self.is_new(it)) {
                    chunks.push(chunk);
                    candidates.push(candidate);
                }
            }
            if let Some(found) = self.take_first(&candidates)? {
                kept.drain(chunks[found].clone());
                end = chunks[found].start;
            }
        }
        Ok(())
    }

    /// Whether the candidate is valid and the test has not had it. Notes that it gets it.
    fn is_new(&mut self, candidate: &Any) -> bool {
        self.tested.insert(structural_hash(candidate)) && (self.is_valid)(candidate)
    }

    /// Tests candidates, and takes the first one for which the test holds as the value.
    fn take_first(&mut self, candidates: &[Any]) -> Result<Option<usize>> {
        if candidates.is_empty() {
            return Ok(None);
        }
        let found = (self.test)(candidates)?;
        if let Some(candidate) = found.and_then(|index| candidates.get(index)) {
            self.value = candidate.clone();
        }
        Ok(found)
    }

    /// Removes parts that the reflection of the types finds, level by level from the root, until no single part can go.
    /// Returns whether any part went.
    ///
    /// # Errors
    /// The errors of the test. [`value`](Self::value) is then the smallest value so far.
    pub fn reduce(&mut self) -> Result<bool> {
        let mut is_smaller = false;
        while self.reduce_once()? {
            is_smaller = true;
        }
        Ok(is_smaller)
    }

    /// Removes parts of each level once.
    fn reduce_once(&mut self) -> Result<bool> {
        let (mut is_smaller, mut depth) = (false, 0);
        let mut parts = levels(&self.value, &self.is_whole);
        while let Some(level) = parts.get(depth) {
            if self.remove_level(level)? {
                is_smaller = true;
                parts = levels(&self.value, &self.is_whole);
            }
            depth += 1;
        }
        Ok(is_smaller)
    }

    /// Removes parts of objects at one distance from the root.
    fn remove_level(&mut self, parts: &[Part]) -> Result<bool> {
        let value = self.value.clone();
        self.remove_parts(parts.len(), |is_removed| without(&value, parts, is_removed))
    }
}

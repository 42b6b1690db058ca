//! The operations of [`StructuralOptions`], and the same operations under the default options.

use crate::error::{Error, Result};
use crate::hashing::{KeyedMixer, Mixer, StableMixer};
use crate::limits::Limits;
use crate::object::{AnyView, AsAnyView};
use crate::structural::engine::comparison::Uncomparable;
use crate::structural::engine::equal::{Equality, compare};
use crate::structural::engine::hash::{hash_leniently, hash_strictly};
use crate::structural::lexical::equal::compare_in_scopes;
use crate::structural::lexical::hash::{hash_in_scopes, hash_leniently_in_scopes};
use crate::structural::lexical::hash_cache::HashCache;
use crate::structural::options::{Scopes, StructuralOptions};
use crate::structural::report::diff::{differences, first_difference, not_comparable_error};
use crate::structural::report::mismatch::Mismatch;

/// The maximum number of differences that [`structural_diff`] reports.
pub const DIFF_LIMIT: usize = 1000;

impl StructuralOptions {
    /// Whether `a` and `b` are equal.
    ///
    /// # Errors
    /// [`NotComparable`](crate::ErrorKind::NotComparable), with the path, if the comparison reaches an object whose
    /// type takes no part in structural comparison before it finds a difference.
    pub fn equal(&self, a: &impl AsAnyView, b: &impl AsAnyView) -> Result<bool> {
        let (a, b) = (a.as_any_view(), b.as_any_view());
        match self.compare(a, b, Uncomparable::EndComparison) {
            Equality::Equal => Ok(true),
            Equality::Differ => Ok(false),
            Equality::NotComparable => Err(not_comparable_error(self, a, b)),
        }
    }

    /// As [`structural_equal`], under these options.
    pub(crate) fn equal_leniently(&self, a: &impl AsAnyView, b: &impl AsAnyView) -> bool {
        self.compare(a.as_any_view(), b.as_any_view(), Uncomparable::EqualItself) == Equality::Equal
    }

    fn compare(&self, a: AnyView<'_>, b: AnyView<'_>, uncomparable: Uncomparable) -> Equality {
        match self.scopes {
            Scopes::Persistent => compare(*self, a, b, uncomparable),
            Scopes::Lexical => compare_in_scopes(*self, a, b, uncomparable),
        }
    }

    /// As [`structural_hash`], under these options.
    pub(crate) fn hash_leniently(&self, value: &impl AsAnyView) -> u64 {
        self.hash_leniently_with(StableMixer, value.as_any_view())
    }

    /// As [`hash_leniently`](Self::hash_leniently), by another mixing function.
    pub(crate) fn hash_leniently_with(&self, mixer: impl Mixer, value: AnyView<'_>) -> u64 {
        match self.scopes {
            Scopes::Persistent => hash_leniently(*self, mixer, value),
            Scopes::Lexical => hash_leniently_in_scopes(*self, mixer, value),
        }
    }

    /// The hash of `value`: 64 bits, the same in every process. Equal values have the same hash.
    ///
    /// [`structural_hash`] says what the hash promises.
    ///
    /// # Errors
    /// [`NotComparable`](crate::ErrorKind::NotComparable), with the path, if `value` contains an object whose type
    /// takes no part in structural comparison.
    pub fn hash(&self, value: &impl AsAnyView) -> Result<u64> {
        self.hash_with(StableMixer, value.as_any_view(), None)
    }

    /// As [`hash`](Self::hash), with 128 bits: the upper half is [`hash`](Self::hash), the lower half a second hash with
    /// other constants. It takes about twice the time of [`hash`](Self::hash).
    ///
    /// Use it to name values where no comparison confirms a match, such as in a cache of results on disk. Values that
    /// nobody crafted practically never collide: a pair of them among `n` has the same hash with a chance of about
    /// `n * n / 2^129`. Each half is computed on its own and has no secret, so an author of values who tries hard can still
    /// craft a collision; for values of an untrusted author, use a cryptographic hash of their JSON text.
    ///
    /// # Errors
    /// As [`hash`](Self::hash).
    ///
    /// ```
    /// use object_core::prelude::*;
    /// let (options, value) = (StructuralOptions::new(), Array::from([1, 2]));
    /// assert_eq!((options.hash_128(&value)? >> 64) as u64, options.hash(&value)?);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    pub fn hash_128(&self, value: &impl AsAnyView) -> Result<u128> {
        let second = self.hash_with(KeyedMixer::SECOND, value.as_any_view(), None)?;
        Ok(u128::from(self.hash(value)?) << 64 | u128::from(second))
    }

    /// As [`hash`](Self::hash), with the hashes of scopes that earlier calls put into `cache`. The call adds the hashes
    /// of new scopes to `cache`. Under [`Scopes::Persistent`](super::Scopes::Persistent) the cache stays empty.
    ///
    /// # Errors
    /// As [`hash`](Self::hash).
    pub fn hash_cached(&self, value: &impl AsAnyView, cache: &mut HashCache) -> Result<u64> {
        let hash = self.hash_and_keep(value.as_any_view(), cache);
        cache.retain_shared();
        hash
    }

    /// As [`hash_cached`](Self::hash_cached), but the cache keeps objects that nobody else owns.
    pub(crate) fn hash_and_keep(&self, value: AnyView<'_>, cache: &mut HashCache) -> Result<u64> {
        self.hash_with(StableMixer, value, Some(cache))
    }

    fn hash_with(&self, mixer: impl Mixer, value: AnyView<'_>, cache: Option<&mut HashCache>) -> Result<u64> {
        match self.scopes {
            Scopes::Persistent => hash_strictly(*self, mixer, value),
            Scopes::Lexical => hash_in_scopes(*self, mixer, value, cache),
        }
    }

    /// The first mismatch of `a` and `b`, in the order of declaration of fields and of insertion into maps. `None`
    /// exactly if `a` and `b` are [equal](Self::equal).
    ///
    /// # Errors
    /// As [`equal`](Self::equal).
    pub fn first_mismatch(&self, a: &impl AsAnyView, b: &impl AsAnyView) -> Result<Option<Mismatch>> {
        // The walk that tracks paths costs more, so it runs only if there is a difference.
        let equal = self.equal(a, b)?;
        Ok((!equal).then(|| first_difference(self, a.as_any_view(), b.as_any_view())))
    }

    /// The differences of `a` and `b`: at most `limit` of them, but at least one if there is any. The list is empty
    /// exactly if `a` and `b` are [equal](Self::equal).
    ///
    /// They come in the order of the walk: fields as declared, elements by index, map entries sorted by plain keys. The
    /// first difference usually has the paths of [`first_mismatch`](Self::first_mismatch). The paths can differ within
    /// one array, because a diff aligns the elements, and within one map. If maps have objects as keys, the order of
    /// the entries may also lead to another place. The diff of `b` and `a` has the same differences mirrored, unless
    /// several alignments of an array are equally good, or only one side shares an object.
    ///
    /// Besides `limit`, the list ends early if its paths together have more than a million steps. A shared object that
    /// differs from 16 others is not compared with further objects. So the cost is linear in the objects and references of
    /// both values, also if only one of them shares objects.
    ///
    /// # Errors
    /// As [`equal`](Self::equal). After the first difference, a type that takes no part in comparison is reported as a
    /// difference with the reason [`NotComparable`](super::MismatchReason::NotComparable), not as an error.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// let (a, b) = (Array::from([1, 2, 3, 4]), Array::from([1, 9, 2, 3, 5]));
    /// let found = StructuralOptions::new().diff(&a, &b, 10)?;
    /// let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    /// assert_eq!(found, [
    ///     "<root>[1] is 9, on the right only",
    ///     "<root>[3] is 4, but <root>[4] is 5: the values differ",
    /// ]);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    pub fn diff(&self, a: &impl AsAnyView, b: &impl AsAnyView, limit: usize) -> Result<Vec<Mismatch>> {
        self.diff_within(&Limits::new(), a, b, limit)
    }

    /// As [`diff`](Self::diff), within the steps and the edit distance of `limits`.
    ///
    /// # Errors
    /// As [`diff`](Self::diff), and [`LimitExceeded`](crate::ErrorKind::LimitExceeded) if the diff takes more than
    /// `limits.max_steps` steps.
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::{ErrorKind, limits::Limits};
    /// let (a, b) = (Array::from_iter(0..100), Array::from_iter(1..101));
    /// let options = StructuralOptions::new();
    /// assert_eq!(options.diff_within(&Limits::untrusted(), &a, &b, 10)?.len(), 2);
    /// let error = options.diff_within(&Limits::new().max_steps(50), &a, &b, 10).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    /// # Ok::<(), object_core::Error>(())
    /// ```
    pub fn diff_within(
        &self,
        limits: &Limits,
        a: &impl AsAnyView,
        b: &impl AsAnyView,
        limit: usize,
    ) -> Result<Vec<Mismatch>> {
        let (found, ended) = self.diff_so_far(limits, a, b, limit)?;
        ended.map_or(Ok(found), Err)
    }

    /// As [`diff_within`](Self::diff_within), but beyond `limits.max_steps` steps, the differences found until then, and the
    /// error that says so. There is at least one if `a` and `b` are not equal.
    ///
    /// # Errors
    /// As [`diff`](Self::diff).
    ///
    /// ```
    /// use object_core::prelude::*;
    /// use object_core::{ErrorKind, limits::Limits};
    /// let (a, b) = (Array::from_iter(0..100), Array::from_iter(1..101));
    /// let options = StructuralOptions::new();
    /// let (found, ended) = options.diff_so_far(&Limits::new().max_steps(50), &a, &b, 10)?;
    /// assert!(found[0].to_string().starts_with("<root>[0] is 0"));
    /// assert!(ended.is_some_and(|error| error.kind() == ErrorKind::LimitExceeded));
    /// # Ok::<(), object_core::Error>(())
    /// ```
    pub fn diff_so_far(
        &self,
        limits: &Limits,
        a: &impl AsAnyView,
        b: &impl AsAnyView,
        limit: usize,
    ) -> Result<(Vec<Mismatch>, Option<Error>)> {
        match self.equal(a, b)? {
            true => Ok((Vec::new(), None)),
            false => differences(self, a.as_any_view(), b.as_any_view(), limit, *limits),
        }
    }
}

/// Whether `a` and `b` are equal under the default options. An object whose type takes no part in structural comparison
/// equals only itself; [`StructuralOptions::equal`] reports an error for it.
///
/// ```
/// use object_core::{Str, structural_equal};
/// assert!(structural_equal(&Str::from("a"), &Str::from("a")));
/// assert!(!structural_equal(&1i64, &1.0));
/// ```
#[must_use]
pub fn structural_equal(a: &impl AsAnyView, b: &impl AsAnyView) -> bool {
    StructuralOptions::new().equal_leniently(a, b)
}

/// The hash of `value` under the default options. An object whose type takes no part in structural comparison
/// contributes only its type; [`StructuralOptions::hash`] reports an error for it.
///
/// The hash has 64 bits. Equal values have the same hash, on every platform, in every process and in every release. So it
/// can name a value in a file or a cache, if a comparison confirms each match.
///
/// Values that nobody crafted collide as rarely as random numbers: among `n` different values, about `n * n / 2^65` pairs
/// have the same hash. But the hash is not a cryptographic one, and has no secret: an author of values can search for
/// different values with one hash, and finds them within seconds. Therefore never conclude from equal hashes that values
/// of an untrusted author are equal. [`StructuralMap`], [`StructuralSet`] and [`Interner`] compare values, and take the
/// same time for crafted values. So does a `HashMap` with keys in [`ByStructure`]; one with [`StructuralKey`]s compares all
/// its keys of one structural hash.
///
/// [`ByStructure`]: crate::structural::ByStructure
/// [`Interner`]: crate::structural::Interner
/// [`StructuralKey`]: crate::structural::StructuralKey
/// [`StructuralMap`]: crate::structural::StructuralMap
/// [`StructuralSet`]: crate::structural::StructuralSet
///
/// ```
/// use object_core::{Array, structural_hash};
/// assert_eq!(structural_hash(&Array::from([1, 2])), structural_hash(&Array::from([1, 2])));
/// ```
#[must_use]
pub fn structural_hash(value: &impl AsAnyView) -> u64 {
    StructuralOptions::new().hash_leniently(value)
}

/// The first mismatch of two values under the default options: see [`StructuralOptions::first_mismatch`].
///
/// # Errors
/// As [`StructuralOptions::equal`].
pub fn structural_first_mismatch(a: &impl AsAnyView, b: &impl AsAnyView) -> Result<Option<Mismatch>> {
    StructuralOptions::new().first_mismatch(a, b)
}

/// The differences of two values under the default options, at most [`DIFF_LIMIT`] of them: see
/// [`StructuralOptions::diff`].
///
/// # Errors
/// As [`StructuralOptions::equal`].
pub fn structural_diff(a: &impl AsAnyView, b: &impl AsAnyView) -> Result<Vec<Mismatch>> {
    StructuralOptions::new().diff(a, b, DIFF_LIMIT)
}

//! [`Limits`]: bounds of the memory and the work that an operation spends on its input; and [`Budget`], which counts the
//! work.

use std::fmt;
use std::io::{self, Read};

use crate::error::{Error, ErrorKind, Result};
use crate::interrupt;

/// Bounds of the memory and the work that an operation spends on its input.
///
/// Readers, parsers and operations on graphs take `Limits`. An operation that exceeds a limit returns an error of the
/// kind [`LimitExceeded`](ErrorKind::LimitExceeded), which names the limit and its value. The limit of edit distances
/// and the limit of messages are exceptions: beyond them, the result is less precise or shorter.
///
/// [`new`](Self::new) has generous values, for input from a source that the program trusts.
/// [`untrusted`](Self::untrusted) has values for files from strangers.
///
/// ```
/// use object_core::{ErrorKind, json::JsonReader, limits::Limits};
/// let text = br#"{"root_index":1,"nodes":[{"type":"int","data":1},{"type":"ffi.Array","data":[0]}]}"#;
/// let error = JsonReader::new().limits(Limits::new().max_nodes(1)).read(text).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::LimitExceeded);
/// assert!(error.to_string().contains("the limit `max_nodes` is 1"), "{error}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Limits {
    /// The largest number of bytes of a text, after its decompression.
    pub max_bytes: u64,
    /// The largest number of bytes to which a byte of an archive unpacks, for the bytes of a text beyond [`FREE_EXPANSION`].
    pub max_expansion: u64,
    /// The largest number of nodes of a graph. Each element of a list counts as a node, too.
    pub max_nodes: u64,
    /// The largest number of objects on a path from the root of a graph, and of brackets inside each other in a text. No
    /// operation of this crate recurses without a bound, so only programs whose own code does need a small limit.
    pub max_depth: u64,
    /// The largest number of steps of one operation. A step is one object or one reference that the operation visits.
    pub max_steps: u64,
    /// The largest number of characters of the message of an error. A longer message loses its middle.
    pub max_message: usize,
    /// The largest edit distance of two arrays for which a diff finds the shortest edit. Beyond it, a diff is still
    /// complete, but not the shortest one.
    pub max_edit_distance: usize,
}

impl Limits {
    /// Generous limits, which stop only operations that a program practically cannot finish.
    #[must_use]
    pub const fn new() -> Self {
        Limits {
            max_bytes: 1 << 40,
            max_expansion: u32::MAX as u64,
            max_nodes: u32::MAX as u64,
            max_depth: u32::MAX as u64,
            max_steps: 1 << 36,
            max_message: 4000,
            max_edit_distance: 256,
        }
    }

    /// Limits for input from strangers: a text of 256 MiB, 20 million nodes, a billion steps. A reader takes at most about
    /// two gigabytes of memory. With a [`Meter`](crate::meter::Meter), which bounds the memory, a text may have more bytes:
    /// an archive then unpacks to at most 64 times its size beyond [`FREE_EXPANSION`].
    #[must_use]
    pub const fn untrusted() -> Self {
        Limits {
            max_bytes: 1 << 28,
            max_expansion: 64,
            max_nodes: 20_000_000,
            max_depth: 20_000_000,
            max_steps: 1_000_000_000,
            max_message: 1000,
            max_edit_distance: 64,
        }
    }

    /// Sets the largest number of bytes of a text, after its decompression.
    #[must_use]
    pub const fn max_bytes(mut self, count: u64) -> Self {
        self.max_bytes = count;
        self
    }

    /// Sets the largest number of bytes to which a byte of an archive unpacks.
    #[must_use]
    pub const fn max_expansion(mut self, factor: u64) -> Self {
        self.max_expansion = factor;
        self
    }

    /// The most bytes that an archive of so many bytes unpacks to.
    #[must_use]
    pub const fn unpacked(&self, packed: u64) -> u64 {
        let most = packed.saturating_mul(self.max_expansion);
        if most > FREE_EXPANSION { most } else { FREE_EXPANSION }
    }

    /// Sets the largest number of nodes of a graph, with the elements of its lists.
    #[must_use]
    pub const fn max_nodes(mut self, count: u64) -> Self {
        self.max_nodes = count;
        self
    }

    /// Sets the largest depth of a graph or text.
    #[must_use]
    pub const fn max_depth(mut self, depth: u64) -> Self {
        self.max_depth = depth;
        self
    }

    /// Sets the largest number of steps of one operation.
    #[must_use]
    pub const fn max_steps(mut self, count: u64) -> Self {
        self.max_steps = count;
        self
    }

    /// Sets the largest number of characters of a message.
    #[must_use]
    pub const fn max_message(mut self, count: usize) -> Self {
        self.max_message = count;
        self
    }

    /// Sets the largest edit distance for which a diff finds the shortest edit.
    #[must_use]
    pub const fn max_edit_distance(mut self, distance: usize) -> Self {
        self.max_edit_distance = distance;
        self
    }

    /// The value of `limit`.
    #[must_use]
    pub const fn get(&self, limit: Limit) -> u64 {
        match limit {
            Limit::Bytes => self.max_bytes,
            Limit::Expansion => self.max_expansion,
            Limit::Nodes => self.max_nodes,
            Limit::Depth => self.max_depth,
            Limit::Steps => self.max_steps,
        }
    }

    /// A reader of the bytes of `stream`. It fails after [`max_bytes`](Self::max_bytes) of them, with an [`io::Error`]
    /// that contains an [`Error`] of the kind [`LimitExceeded`](ErrorKind::LimitExceeded); [`Error::from`] takes it out.
    ///
    /// A program that unpacks a stream puts this reader around the unpacker.
    ///
    /// ```
    /// use std::io::Read;
    /// use object_core::{Error, ErrorKind, limits::Limits};
    /// let mut endless = Limits::new().max_bytes(1000).bounded(std::io::repeat(b' '));
    /// let error = Error::from(endless.read_to_end(&mut Vec::new()).unwrap_err());
    /// assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    /// ```
    #[must_use]
    pub const fn bounded<R>(&self, stream: R) -> BoundedReader<R> {
        BoundedReader { stream, budget: Budget::new(self, Limit::Bytes) }
    }

    /// Checks that `count` does not exceed `limit`.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded), with the name and the value of the limit.
    #[inline]
    pub fn check(&self, limit: Limit, count: u64) -> Result<()> {
        if count <= self.get(limit) { Ok(()) } else { Err(exceeded(limit, self.get(limit), count)) }
    }
}

impl Default for Limits {
    /// The limits of [`new`](Self::new).
    fn default() -> Self {
        Limits::new()
    }
}

/// A limit whose excess is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::max_bytes`].
    Bytes,
    /// [`Limits::max_expansion`].
    Expansion,
    /// [`Limits::max_nodes`].
    Nodes,
    /// [`Limits::max_depth`].
    Depth,
    /// [`Limits::max_steps`].
    Steps,
}

impl Limit {
    /// The name of the field of [`Limits`].
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Limit::Bytes => "max_bytes",
            Limit::Expansion => "max_expansion",
            Limit::Nodes => "max_nodes",
            Limit::Depth => "max_depth",
            Limit::Steps => "max_steps",
        }
    }
}

impl fmt::Display for Limit {
    /// Writes the [name](Self::name).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The part of a limit that an operation has not used yet.
///
/// ```
/// use object_core::{ErrorKind, limits::{Budget, Limits}};
/// let mut budget = Budget::steps(&Limits::new().max_steps(3));
/// budget.spend(3)?;
/// assert_eq!(budget.spend(1).unwrap_err().kind(), ErrorKind::LimitExceeded);
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
    limit: Limit,
    value: u64,
}

impl Budget {
    /// The whole of `limit`.
    #[must_use]
    pub const fn new(limits: &Limits, limit: Limit) -> Self {
        let value = limits.get(limit);
        Budget { left: value, limit, value }
    }

    /// All steps of an operation.
    #[must_use]
    pub const fn steps(limits: &Limits) -> Self {
        Budget::new(limits, Limit::Steps)
    }

    /// Uses `count` of the budget.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded), if less than `count` is left; then nothing is left. The error of an
    /// [interruption](interrupt).
    #[inline]
    pub fn spend(&mut self, count: u64) -> Result<()> {
        match self.left.checked_sub(count) {
            Some(left) => {
                let is_due = interrupt::is_due(self.left, left);
                self.left = left;
                if is_due { interrupt::check() } else { Ok(()) }
            }
            None => {
                let needed = self.spent().saturating_add(count);
                self.left = 0;
                Err(exceeded(self.limit, self.value, needed))
            }
        }
    }

    /// The count that the operation can still use.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// The count that the operation has used.
    #[must_use]
    pub(crate) const fn spent(&self) -> u64 {
        self.value - self.left
    }
}

/// A reader that fails after a number of bytes: see [`Limits::bounded`].
#[derive(Debug)]
pub struct BoundedReader<R> {
    stream: R,
    budget: Budget,
}

impl<R: Read> Read for BoundedReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(out)?;
        self.budget.spend(count as u64).map_err(io::Error::other)?;
        Ok(count)
    }
}

/// The bytes of a text for which [`Limits::max_expansion`] does not count.
pub const FREE_EXPANSION: u64 = 1 << 28;

/// A limit that ended an operation, as the [source](std::error::Error::source) of the error.
///
/// ```
/// use std::error::Error;
/// use object_core::limits::{Excess, Limit, Limits};
/// let error = Limits::new().max_bytes(10).check(Limit::Bytes, 12).unwrap_err();
/// let excess: &Excess = error.source().unwrap().downcast_ref().unwrap();
/// assert_eq!((excess.limit, excess.needed), ("max_bytes", 12));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excess {
    /// The name of the limit: of a field of [`Limits`], or `max_memory`.
    pub limit: &'static str,
    /// The value with which the step that failed succeeds. Later steps can need more.
    pub needed: u64,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the limit `{}` must be at least {}", self.limit, self.needed)
    }
}

impl std::error::Error for Excess {}

impl Excess {
    /// The error for `needed` more than `limit` allows.
    pub(crate) fn error(limit: &'static str, needed: u64, message: String) -> Error {
        Error::new(ErrorKind::LimitExceeded, message).with_source(Excess { limit, needed })
    }
}

/// The error for more than `value` of `limit`.
#[cold]
fn exceeded(limit: Limit, value: u64, needed: u64) -> Error {
    let given = match limit {
        Limit::Bytes => format!("the text has more than {value} bytes"),
        Limit::Expansion => {
            format!(
                "the text has more than {FREE_EXPANSION} bytes and more than {value} times the bytes of its archive"
            )
        }
        Limit::Nodes => format!("the input has more than {value} nodes"),
        Limit::Depth => format!("values are nested more than {value} levels deep"),
        Limit::Steps => format!("the operation takes more than {value} steps"),
    };
    let message = format!("{given}; the limit `{limit}` is {value}, raise it for input that you trust");
    Excess::error(limit.name(), needed, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_ends_exactly_at_its_limit() {
        let limits = Limits::new().max_steps(10);
        let mut budget = Budget::steps(&limits);
        assert!(budget.spend(4).is_ok() && budget.spend(6).is_ok());
        assert_eq!((budget.left(), budget.spent()), (0, 10));
        let error = budget.spend(1).expect_err("nothing is left");
        assert_eq!(error.kind(), ErrorKind::LimitExceeded);
        assert_eq!(
            error.message(),
            "the operation takes more than 10 steps; the limit `max_steps` is 10, raise it for input that you trust"
        );
        let mut budget = Budget::steps(&limits);
        assert!(budget.spend(11).is_err() && budget.spend(1).is_err(), "after an error nothing is left");
    }

    #[test]
    fn a_check_includes_the_limit_itself() {
        let limits = Limits::untrusted().max_bytes(5).max_nodes(6).max_depth(7).max_steps(8);
        for (limit, value) in [(Limit::Bytes, 5), (Limit::Nodes, 6), (Limit::Depth, 7), (Limit::Steps, 8)] {
            assert!(limits.check(limit, value).is_ok());
            let error = limits.check(limit, value + 1).expect_err("it is one more");
            assert!(error.message().contains(&format!("the limit `{limit}` is {value},")), "{error}");
        }
    }
}

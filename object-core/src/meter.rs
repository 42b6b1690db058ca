//! [`Meter`]: an account of memory with a limit, which all parts of a program share; and [`Charge`], a part of the account.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, ErrorKind, Result};
use crate::limits::Excess;

/// Counts bytes in use, and refuses more than a limit. Clones count together, so one account serves texts, results and
/// tensors at the same time.
///
/// ```
/// use object_core::meter::Meter;
/// let meter = Meter::with_limit(100);
/// let charge = meter.reserve(60)?;
/// assert!(meter.reserve(60).is_err());
/// drop(charge);
/// assert!(meter.reserve(60).is_ok());
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Meter(Arc<Counter>);

#[derive(Debug)]
struct Counter {
    live: AtomicU64,
    /// The part of `live` that the open scopes hold.
    held: AtomicU64,
    /// The number of open scopes.
    scopes: AtomicU64,
    limit: u64,
}

impl Meter {
    /// A meter that refuses more than `limit` bytes at once.
    #[must_use]
    pub fn with_limit(limit: u64) -> Self {
        let counter = Counter { live: AtomicU64::new(0), held: AtomicU64::new(0), scopes: AtomicU64::new(0), limit };
        Meter(Arc::new(counter))
    }

    /// A meter that refuses nothing but sizes that no machine has.
    #[must_use]
    pub fn unlimited() -> Self {
        Meter::with_limit(1 << 47)
    }

    /// The bytes that are in use.
    #[must_use]
    pub fn live(&self) -> u64 {
        self.0.live.load(Ordering::Relaxed)
    }

    /// Whether more than half of the limit is in use, so that optional work leaves the rest to work that needs it.
    #[must_use]
    pub fn is_half_full(&self) -> bool {
        self.live() > self.0.limit / 2
    }

    /// Checks that `bytes` more do not exceed the limit, and reserves nothing.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded), with the limit.
    pub fn check(&self, bytes: u64) -> Result<()> {
        match self.live().checked_add(bytes) {
            Some(total) if total <= self.0.limit => Ok(()),
            _ => Err(self.exceeded(bytes)),
        }
    }

    /// Counts `bytes` until the result is dropped.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded), with the limit.
    pub fn reserve(&self, bytes: u64) -> Result<Charge> {
        let mut charge = self.nothing();
        charge.cover(bytes)?;
        Ok(charge)
    }

    /// A charge of no bytes, which [`cover`](Charge::cover) raises.
    #[must_use]
    pub fn nothing(&self) -> Charge {
        Charge { meter: self.clone(), bytes: 0, used: 0 }
    }

    /// Counts the bytes that [`hold`](Self::hold) adds, until the result is dropped.
    #[must_use]
    pub fn scope(&self) -> Scope {
        self.0.scopes.fetch_add(1, Ordering::Relaxed);
        Scope { before: self.0.held.load(Ordering::Relaxed), meter: self.clone() }
    }

    /// Counts `bytes` of values that do not outlive the innermost open scope. Without an open scope, this only checks that
    /// they do not exceed the limit.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded), with the limit.
    pub fn hold(&self, bytes: u64) -> Result<()> {
        if self.0.scopes.load(Ordering::Relaxed) == 0 {
            return self.check(bytes);
        }
        self.add(bytes)?;
        self.0.held.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    fn add(&self, bytes: u64) -> Result<()> {
        let add = |live: u64| live.checked_add(bytes).filter(|total| *total <= self.0.limit);
        let added = self.0.live.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        added.map(drop).map_err(|_| self.exceeded(bytes))
    }

    #[cold]
    fn exceeded(&self, bytes: u64) -> Error {
        let needed = self.live().saturating_add(bytes);
        let [bytes, live, limit] = [bytes, self.live(), self.0.limit].map(ByteSize);
        let message = format!(
            "{bytes} more than the {live} in use exceed the memory; the limit `max_memory` is {limit}, raise it for input \
             that you trust"
        );
        Excess::error("max_memory", needed, message)
    }
}

/// The bytes that a vector takes when some elements more are in it. A vector that is almost full counts twice, because it doubles
/// next.
#[must_use]
pub fn grown_bytes<T>(vec: &Vec<T>) -> usize {
    let is_almost_full = vec.len() > vec.capacity() / 4 * 3;
    vec.capacity() * size_of::<T>() * if is_almost_full { 2 } else { 1 }
}

/// The bytes by which a [`Charge`] [grows](Charge::grow) at once, while the limit is far.
const BLOCK: u64 = 1 << 16;

/// Bytes that a [`Meter`] counts. A clone counts them again, even beyond the limit, because it cannot fail.
#[derive(Debug)]
pub struct Charge {
    meter: Meter,
    bytes: u64,
    /// The part of `bytes` that [`grow`](Self::grow) has handed out.
    used: u64,
}

impl Charge {
    /// The meter that counts the bytes.
    #[must_use]
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Raises the charge to `bytes`. A greater charge stays as it is.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded), with the limit. The charge stays as it is.
    #[inline]
    pub fn cover(&mut self, bytes: u64) -> Result<()> {
        if let Some(more) = bytes.checked_sub(self.bytes).filter(|more| *more > 0) {
            self.meter.add(more)?;
            self.bytes = bytes;
        }
        Ok(())
    }
}

impl Charge {
    /// Adds `bytes` to the sum of the calls so far, and covers the sum. Most calls are an addition and a comparison,
    /// because the charge takes the bytes from the meter in blocks.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded), with the limit.
    #[inline]
    pub(crate) fn grow(&mut self, bytes: u64) -> Result<()> {
        self.used = self.used.saturating_add(bytes);
        if self.used <= self.bytes { Ok(()) } else { self.cover_block() }
    }

    #[cold]
    fn cover_block(&mut self) -> Result<()> {
        self.cover(self.used.saturating_add(BLOCK)).or_else(|_| self.cover(self.used))
    }
}

impl Clone for Charge {
    fn clone(&self) -> Self {
        self.meter.0.live.fetch_add(self.bytes, Ordering::Relaxed);
        Charge { meter: self.meter.clone(), bytes: self.bytes, used: self.used }
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.meter.0.live.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A part of a program that [holds](Meter::hold) bytes until its end.
#[derive(Debug)]
pub struct Scope {
    meter: Meter,
    /// The bytes of the scopes around this one.
    before: u64,
}

impl Drop for Scope {
    fn drop(&mut self) {
        let counter = &*self.meter.0;
        // Scopes of several threads may end in any order. Each one releases what the ones before it left.
        let release = |held: u64| Some(held.min(self.before));
        if let Ok(held) = counter.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, release) {
            counter.live.fetch_sub(held.saturating_sub(self.before), Ordering::Relaxed);
        }
        counter.scopes.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A number of bytes, as text with a suffix: `K`, `M`, `G` or `T` for powers of 1024, as `2G`, which `2GiB` writes in full, and
/// `KB`, `MB`, `GB` or `TB` for powers of 1000.
///
/// ```
/// use object_core::meter::ByteSize;
/// let size: ByteSize = "64M".parse()?;
/// assert_eq!((size.0, size.to_string()), (64 << 20, "64M".to_owned()));
/// assert_eq!("64MiB".parse::<ByteSize>()?, size);
/// assert_eq!("64MB".parse::<ByteSize>()?.0, 64_000_000);
/// assert_eq!(ByteSize(1000).to_string(), "1000 bytes");
/// # Ok::<(), object_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteSize(pub u64);

/// The suffixes of sizes, each 1024 times the one before it.
const SUFFIXES: [char; 4] = ['K', 'M', 'G', 'T'];

impl fmt::Display for ByteSize {
    /// Writes the size with the greatest suffix that divides it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut units = SUFFIXES.iter().enumerate().rev().map(|(index, suffix)| (1_u64 << (10 * (index + 1)), suffix));
        match units.find(|(unit, _)| self.0 > 0 && self.0.is_multiple_of(*unit)) {
            Some((unit, suffix)) => write!(f, "{}{suffix}", self.0 / unit),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

impl FromStr for ByteSize {
    type Err = Error;

    /// Reads a number, with or without a suffix of either case.
    ///
    /// # Errors
    /// [`Malformed`](ErrorKind::Malformed) for another text, and for a size of more than 64 bits.
    fn from_str(text: &str) -> Result<Self> {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, suffix) = text.split_at(digits);
        let suffix = suffix.to_ascii_uppercase();
        let (unit, base) = match suffix.strip_suffix("IB") {
            Some(unit) => (unit, 1024_u64),
            None => suffix.strip_suffix('B').map_or((&*suffix, 1024), |unit| (unit, 1000)),
        };
        let power = match unit {
            "" if suffix.is_empty() => Some(0),
            _ => SUFFIXES.iter().position(|known| *unit == *known.to_string()).map(|position| position as u32 + 1),
        };
        let number = number.parse::<u64>().ok();
        let size = number.zip(power).and_then(|(number, power)| number.checked_mul(base.pow(power)));
        size.map(ByteSize).ok_or_else(|| {
            let message = format!("expected a size such as `1000000`, `512M` or `2G`, got `{text}`");
            Error::new(ErrorKind::Malformed, message)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charge_counts_until_its_end() {
        let meter = Meter::with_limit(100);
        let mut charge = meter.reserve(60).expect("there is room");
        assert!(charge.cover(100).is_ok() && charge.cover(50).is_ok());
        assert_eq!(meter.live(), 100);
        let error = charge.cover(101).expect_err("the limit is lower");
        assert_eq!(error.kind(), ErrorKind::LimitExceeded);
        assert!(error.message().contains("the limit `max_memory` is 100 bytes,"), "{error}");
        drop(charge.clone());
        drop(charge);
        assert_eq!(meter.live(), 0);
    }

    #[test]
    fn a_charge_grows_up_to_the_limit() {
        let meter = Meter::with_limit(BLOCK + 100);
        let mut charge = meter.nothing();
        for _ in 0..BLOCK + 100 {
            charge.grow(1).expect("there is room");
        }
        assert_eq!(charge.grow(1).expect_err("the limit is lower").kind(), ErrorKind::LimitExceeded);
        drop(charge);
        assert_eq!(meter.live(), 0);
    }

    #[test]
    fn a_scope_releases_what_it_holds() {
        let meter = Meter::with_limit(100);
        assert!(meter.hold(100).is_ok() && meter.hold(101).is_err());
        assert_eq!(meter.live(), 0, "nothing is open");
        let outer = meter.scope();
        meter.hold(40).expect("there is room");
        let inner = meter.scope();
        meter.hold(60).expect("there is room");
        assert!(meter.hold(1).is_err());
        drop(inner);
        assert_eq!(meter.live(), 40);
        drop(outer);
        assert_eq!(meter.live(), 0);
    }

    #[test]
    fn scopes_of_threads_end_in_any_order() {
        let meter = Meter::with_limit(100);
        let first = meter.scope();
        meter.hold(10).expect("there is room");
        let second = meter.scope();
        meter.hold(20).expect("there is room");
        drop(first);
        assert_eq!(meter.live(), 0);
        drop(second);
        assert_eq!(meter.live(), 0);
    }

    #[test]
    fn sizes_have_suffixes() {
        for (text, size) in
            [("0", 0), ("1000", 1000), ("1k", 1 << 10), ("3M", 3 << 20), ("2G", 2 << 30), ("1T", 1 << 40)]
        {
            assert_eq!(text.parse::<ByteSize>().expect("a size").0, size, "{text}");
        }
        for (text, size) in [("2GiB", 2 << 30), ("2gib", 2 << 30), ("5KB", 5000), ("3tb", 3_000_000_000_000)] {
            assert_eq!(text.parse::<ByteSize>().expect("a size").0, size, "{text}");
        }
        for text in ["", "G", "many", "-1", "1.5G", "2B", "2iB", "2GiBB", "18446744073709551616", "17179869184G", "1µ"]
        {
            let error = text.parse::<ByteSize>().expect_err(text);
            assert!(error.message().contains("such as"), "{error}");
        }
        for (size, text) in
            [(0, "0 bytes"), (1000, "1000 bytes"), (1 << 10, "1K"), (1536 << 20, "1536M"), (2 << 30, "2G")]
        {
            assert_eq!(ByteSize(size).to_string(), text);
        }
    }
}

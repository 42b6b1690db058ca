//! [`Storage`]: the memory of tensors.

use std::cell::RefCell;
use std::collections::TryReserveError;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use object_core::prelude::*;

use object_core::meter::{Charge, Meter};

/// The data of a [`Storage`].
#[derive(Object)]
#[object(type_key = "object_ir.eval.Storage", opaque)]
pub struct StorageNode {
    words: RwLock<Vec<u64>>,
    bytes: usize,
    charge: Charge,
}

/// Copies the memory. The copy counts even where the meter would refuse it, because a copy cannot fail.
impl Clone for StorageNode {
    fn clone(&self) -> Self {
        let words = self.words.read().unwrap_or_else(PoisonError::into_inner).clone();
        StorageNode { words: RwLock::new(words), bytes: self.bytes, charge: self.charge.clone() }
    }
}

/// The greatest number of bytes that are asked for like the memory of any other object: without them, the process ends.
const SMALL: usize = 1 << 16;

/// The most words of small memories that stay with a thread.
const MOST_KEPT: usize = 1 << 17;

/// The number of sizes of small memories in words: the powers of 2.
const SIZES: usize = (SMALL / size_of::<u64>()).ilog2() as usize + 1;

/// Small memories that are free again, by their size. A run makes and frees a tensor for each operation, and to get the
/// memory takes as long as a small operation.
struct Kept {
    memories: [Vec<Vec<u64>>; SIZES],
    words: usize,
}

thread_local! {
    static KEPT: RefCell<Kept> = const { RefCell::new(Kept { memories: [const { Vec::new() }; SIZES], words: 0 }) };
}

/// Small memory of `count` words, all 0.
fn small_words(count: usize) -> Vec<u64> {
    let size = count.next_power_of_two();
    let take = |kept: &RefCell<Kept>| {
        let mut kept = kept.try_borrow_mut().ok()?;
        let words = kept.memories[size.ilog2() as usize].pop()?;
        kept.words -= size;
        Some(words)
    };
    // Without the list, at the end of the thread, the memory is new.
    let mut words = KEPT.try_with(take).ok().flatten().unwrap_or_else(|| Vec::with_capacity(size));
    words.resize(count, 0);
    words
}

/// Keeps small memory for later.
pub(crate) fn keep_words(mut words: Vec<u64>) {
    let size = words.capacity();
    if !size.is_power_of_two() || size * size_of::<u64>() > SMALL {
        return;
    }
    _ = KEPT.try_with(|kept| {
        let Ok(mut kept) = kept.try_borrow_mut() else { return };
        if kept.words + size <= MOST_KEPT {
            words.clear();
            kept.words += size;
            kept.memories[size.ilog2() as usize].push(words);
        }
    });
}

impl Drop for StorageNode {
    fn drop(&mut self) {
        let words = self.words.get_mut().unwrap_or_else(PoisonError::into_inner);
        keep_words(std::mem::take(words));
    }
}

/// The error for memory that the machine does not have.
pub(crate) fn no_memory(bytes: u64, error: &TryReserveError) -> Error {
    Error::new(ErrorKind::LimitExceeded, format!("no memory for a value of {bytes} bytes: {error}"))
}

/// Words with room for `bytes` bytes, all 0, and the bytes as `meter` counts them.
///
/// # Errors
/// [`LimitExceeded`](ErrorKind::LimitExceeded), if the meter refuses the memory, or the machine does not have it.
pub(crate) fn zeroed_words(bytes: usize, meter: &Meter) -> Result<(Vec<u64>, Charge), Error> {
    let charge = meter.reserve(bytes as u64)?;
    let count = bytes.div_ceil(size_of::<u64>());
    if bytes <= SMALL {
        return Ok((if count == 0 { Vec::new() } else { small_words(count) }, charge));
    }
    let mut words = Vec::new();
    words.try_reserve_exact(count).map_err(|error| no_memory(bytes as u64, &error))?;
    words.resize(count, 0);
    Ok((words, charge))
}

impl Storage {
    /// Memory of `bytes` bytes, all 0, which `meter` counts.
    ///
    /// # Errors
    /// [`LimitExceeded`](ErrorKind::LimitExceeded), if the meter refuses it, or the machine does not have it.
    pub fn zeros(bytes: usize, meter: &Meter) -> Result<Self, Error> {
        let (words, charge) = zeroed_words(bytes, meter)?;
        Ok(Storage::of_words(words, bytes, charge))
    }

    /// Memory of `bytes` bytes in `words`, which `charge` counts.
    pub(super) fn of_words(words: Vec<u64>, bytes: usize, charge: Charge) -> Self {
        StorageNode { words: RwLock::new(words), bytes, charge }.into()
    }

    /// The meter that counts the memory.
    pub(super) fn meter(&self) -> &Meter {
        self.charge.meter()
    }

    /// The size in bytes.
    #[must_use]
    pub fn byte_len(&self) -> usize {
        self.bytes
    }

    /// The memory, as words that begin at its first byte. The last word may have more bytes than the memory.
    ///
    /// A thread that holds the result must not ask for the memory again.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Vec<u64>> {
        // A panic may leave any numbers in the memory, which are values of each element type.
        self.words.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The memory, to write into it: see [`read`](Self::read).
    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Vec<u64>> {
        self.words.write().unwrap_or_else(PoisonError::into_inner)
    }
}

//! The length of messages, and the advice in them.

use std::error::Error as StdError;
use std::iter;
use std::sync::OnceLock;

use object_core::limits::{Excess, Limits};
use object_core::meter::ByteSize;
use object_core::{Error, ErrorKind};

/// The number of characters of the longest message, which the arguments set once.
static MAX_MESSAGE: OnceLock<usize> = OnceLock::new();

/// Sets [`max_message`] for all messages after this call.
pub(crate) fn set_max_message(max: usize) {
    let _ = MAX_MESSAGE.set(max);
}

/// The number of characters of the longest message.
pub(crate) fn max_message() -> usize {
    MAX_MESSAGE.get().copied().unwrap_or(Limits::untrusted().max_message)
}

/// The first of the errors that caused an error which is of this type.
pub(crate) fn source_of<T: StdError + 'static>(error: &Error) -> Option<&T> {
    iter::successors(error.source(), |source| (*source).source()).find_map(|it| it.downcast_ref())
}

/// The option that lets the work of an error go on: the limit that ended it, with a value that suffices for the step that failed.
pub(crate) fn advice(error: &Error) -> Option<String> {
    if error.kind() != ErrorKind::LimitExceeded {
        return None;
    }
    let excess = source_of::<Excess>(error);
    let Some(Excess { limit, needed, .. }) = excess else {
        return Some("the options `--max-...` set the limits, such as `--max-memory 8G`".to_owned());
    };
    // Later steps can need more: the size of a file is known, and the others grow.
    let value = match *limit {
        "max_bytes" => ByteSize(needed.next_multiple_of(1 << 20)).to_string(),
        "max_memory" => {
            ByteSize(needed.saturating_mul(2).checked_next_power_of_two().unwrap_or(u64::MAX).max(8 << 30)).to_string()
        }
        _ => needed.saturating_mul(2).to_string(),
    };
    Some(format!("`--{} {value}` raises it", limit.replace('_', "-")))
}

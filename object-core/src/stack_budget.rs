//! [`with_stack`]: recursion that takes stack from the heap. `StackBudget`: how deep an operation of this crate may recurse.

/// The bytes of the machine stack that the recursion of an operation may take before it asks how much is left. Threads with a
/// stack of 128 KiB are the smallest that `tests/tests/limits.rs` uses.
const BYTES: usize = 48 * 1024;

/// The bytes that a recursion leaves at least when it takes more than [`BYTES`], for the callbacks of users and for operations
/// in them.
const RESERVE: usize = 256 * 1024;

/// The most bytes of a large stack that a recursion takes, so that deep graphs do not keep much memory in use.
const MOST: usize = 4 * 1024 * 1024;

/// The least bytes of the machine stack that an operation begins with. They suffice for one level of every recursion of this
/// workspace in builds without optimizations; the parser of scripts has the largest frames.
const LEAST: usize = 128 * 1024;

/// The bytes of a further segment of the stack. The part of it that [`LEAST`] keeps free takes no memory, but addresses.
const SEGMENT: usize = 2 * 1024 * 1024;

/// Runs an operation that begins here, on a new segment of the stack if little is left of this one: callbacks of operations call
/// operations, as deep inside each other as a program needs.
///
/// A function that recurses over the parts of a program does it once for each level: then only memory limits the depth.
///
/// In WebAssembly, calls are on a stack of the engine, which no program can extend. There, the operation runs on the stack of
/// the caller, so a program bounds the depth of its input by [`Limits::max_depth`](crate::Limits::max_depth).
///
/// ```
/// use object_core::stack_budget::with_stack;
///
/// fn depth(levels: u64) -> u64 {
///     with_stack(|| if levels == 0 { 0 } else { 1 + depth(levels - 1) })
/// }
/// assert_eq!(depth(100_000), 100_000);
/// ```
#[inline]
pub fn with_stack<R>(operation: impl FnOnce() -> R) -> R {
    if cfg!(target_family = "wasm") {
        return operation();
    }
    stacker::maybe_grow(LEAST, SEGMENT, operation)
}

/// The part of the machine stack that one operation may still use for its recursion. The operation asks at each level, and
/// goes on with frames on the heap when nothing is left. Bytes instead of levels allow far more levels in optimized builds,
/// whose frames are small.
///
/// An operation takes [`BYTES`] without a further question, or a quarter of what outer operations have left if that is less,
/// because most graphs are not deep. A deeper recursion asks again, and takes up to half of the stack.
#[derive(Clone, Copy)]
pub(crate) struct StackBudget {
    /// The lowest address of the window in which the operation needs no question: [`BYTES`] on either side of the frame that
    /// asked last.
    lowest: usize,
    /// The bytes of the stack that the operation leaves; `None` before the first question.
    rest: Option<usize>,
}

impl StackBudget {
    /// No budget: the operation uses frames on the heap for all levels.
    pub(crate) const NONE: Self = StackBudget { lowest: 0usize.wrapping_sub(BYTES), rest: Some(usize::MAX) };

    /// The budget of an operation that begins here.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        let window = stacker::remaining_stack().map_or(BYTES, |remaining| (remaining / 4).min(BYTES));
        StackBudget { lowest: address_in_frame().wrapping_sub(window), rest: None }
    }

    /// Whether the operation may recurse further. Where the locals of a function are not on the machine stack, as under some
    /// sanitizers and interpreters, the distance does not measure the stack, but it is still bounded.
    #[inline(always)]
    pub(crate) fn is_left(&mut self) -> bool {
        address_in_frame().wrapping_sub(self.lowest) < 2 * BYTES || self.move_window()
    }

    /// As [`is_left`](Self::is_left), for a frame outside of the window.
    #[cold]
    #[inline(never)]
    fn move_window(&mut self) -> bool {
        let Some(remaining) = stacker::remaining_stack() else { return false };
        let taken = (remaining.saturating_sub(RESERVE) / 2).min(MOST);
        let rest = *self.rest.get_or_insert(remaining - taken);
        let is_left = remaining.saturating_sub(BYTES) >= rest;
        if is_left {
            self.lowest = address_in_frame().wrapping_sub(BYTES);
        }
        is_left
    }
}

/// An address in the frame of the caller.
#[inline(always)]
fn address_in_frame() -> usize {
    let local = 0_u8;
    std::ptr::from_ref(&local).addr()
}

#[cfg(test)]
mod tests {
    use super::StackBudget;

    fn levels(budget: &mut StackBudget, level: u32) -> u32 {
        let frame = std::hint::black_box([level; 64]);
        match budget.is_left() {
            true => levels(budget, level + 1).max(frame[0]),
            false => level,
        }
    }

    fn levels_in(stack: usize) -> u32 {
        let thread = std::thread::Builder::new().stack_size(stack).spawn(|| levels(&mut StackBudget::new(), 0));
        thread.expect("a thread starts").join().expect("the stack does not overflow")
    }

    // Each level takes 256 bytes or more.

    #[test]
    fn a_budget_ends_before_a_small_stack_does() {
        let levels = levels_in(128 * 1024);
        assert!(levels <= 32 * 4, "{levels} levels");
    }

    #[test]
    fn a_budget_takes_no_more_than_half_of_a_large_stack() {
        let levels = levels_in(2 * 1024 * 1024);
        assert!(levels > 2 * 48 * 4 / 10, "{levels} levels");
        assert!(levels <= 1024 * 4, "{levels} levels");
    }

    #[test]
    fn no_budget_allows_no_level() {
        assert_eq!(levels(&mut { StackBudget::NONE }, 0), 0);
    }
}

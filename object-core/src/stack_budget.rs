//! [`StackBudget`]: how deep an operation may recurse on the machine stack.

/// The bytes of the machine stack that the recursion of one operation may take. Threads with a stack of 128 KiB are the
/// smallest that `tests/tests/limits.rs` uses.
const BYTES: usize = 48 * 1024;

/// The part of the machine stack that one operation may still use for its recursion. The operation asks at each level, and
/// goes on with frames on the heap when nothing is left. A number of bytes instead of a number of levels allows far more
/// levels in optimized builds, whose frames are small.
#[derive(Clone, Copy)]
pub(crate) struct StackBudget {
    /// The lowest address of the stack that the operation may use. The function that began the operation has a frame at the
    /// address [`BYTES`] above. On a machine whose stack grows upwards, the operation uses as much on the other side.
    lowest: usize,
}

impl StackBudget {
    /// No budget: the operation uses frames on the heap for all levels.
    pub(crate) const NONE: Self = StackBudget { lowest: 0usize.wrapping_sub(BYTES) };

    /// The budget of an operation that begins here.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        StackBudget { lowest: address_in_frame().wrapping_sub(BYTES) }
    }

    /// Whether the operation may recurse further. Where the locals of a function are not on the machine stack, as under some
    /// sanitizers and interpreters, the distance does not measure the stack, but it is still bounded.
    #[inline(always)]
    pub(crate) fn is_left(self) -> bool {
        address_in_frame().wrapping_sub(self.lowest) < 2 * BYTES
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

    fn levels(budget: StackBudget, level: u32) -> u32 {
        let frame = std::hint::black_box([level; 64]);
        match budget.is_left() {
            true => levels(budget, level + 1).max(frame[0]),
            false => level,
        }
    }

    #[test]
    fn a_budget_ends_before_a_small_stack_does() {
        let thread = std::thread::Builder::new().stack_size(128 * 1024).spawn(|| levels(StackBudget::new(), 0));
        let levels = thread.expect("a thread starts").join().expect("the stack does not overflow");
        // Each level takes 256 bytes or more.
        assert!(levels <= 48 * 4, "{levels} levels");
    }
}

//! The release of values by tvm-ffi: on any thread, without recursion, and without an unwinding into C++.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// The values that wait while this thread drops another one; `None` while it drops none.
    static WAITING: RefCell<Option<Vec<Box<dyn Any>>>> = const { RefCell::new(None) };
}

/// Drops a value. A value that its drop releases waits until the drop is done, so that a chain of any length through objects
/// of both sides takes no further stack.
pub(crate) fn release<T: 'static>(value: T) {
    let mut value = Some(value);
    let waits = WAITING.try_with(|waiting| match &mut *waiting.borrow_mut() {
        Some(waiting) => {
            waiting.extend(value.take().map(|value| Box::new(value) as Box<dyn Any>));
            true
        }
        nothing => {
            *nothing = Some(Vec::new());
            false
        }
    });
    match waits {
        Ok(true) => {}
        Ok(false) => {
            drop_without_panic(value);
            while let Some(next) = next() {
                drop_without_panic(next);
            }
        }
        // The thread is ending, and its queue is gone.
        Err(_) => drop_without_panic(value),
    }
}

/// The next value that waits; ends the release if there is none.
fn next() -> Option<Box<dyn Any>> {
    WAITING.with(|waiting| {
        let mut waiting = waiting.borrow_mut();
        let next = waiting.as_mut().and_then(Vec::pop);
        if next.is_none() {
            *waiting = None;
        }
        next
    })
}

/// Drops a value of a user, whose `Drop` may panic.
fn drop_without_panic<T>(value: T) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        // The drop of the payload may panic again, so the payload leaks.
        std::mem::forget(payload);
    }
}

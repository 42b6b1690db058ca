//! The functions that a page calls: a plain C interface of WebAssembly.
//!
//! The page calls `init` once. For a request, it calls `buffer` with the length of each content, the request in JSON first, and
//! copies the contents to the addresses that the calls return. `answer` then answers the request and returns the length of the
//! answer, which begins at `answer_start`; `release` gives the memory back. A panic calls `report` with its message and ends the
//! module, so the page starts a new one.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The contents of the next request and the last answer.
struct State {
    buffers: Vec<Vec<u8>>,
    answer: String,
}

static STATE: Mutex<State> = Mutex::new(State { buffers: Vec::new(), answer: String::new() });

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[allow(unsafe_code, reason = "the linker and the page define these functions")]
mod outside {
    unsafe extern "C" {
        /// The constructors of the module, which register types. The linker writes it.
        fn __wasm_call_ctors();
    }

    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Shows a message.
        fn report(start: *const u8, length: usize);
    }

    /// Runs the constructors.
    pub(super) fn run_constructors() {
        // SAFETY: the linker defines the function, which takes nothing and returns nothing, and `init` calls it once, before
        // anything else of the module runs.
        unsafe { __wasm_call_ctors() }
    }

    /// Passes a message to the page.
    pub(super) fn show(message: &str) {
        // SAFETY: the page reads the bytes of the message during the call.
        unsafe { report(message.as_ptr(), message.len()) }
    }
}

/// Prepares the module.
#[allow(unsafe_code, reason = "the page finds the function by this name, which no other function of the module has")]
#[unsafe(no_mangle)]
extern "C" fn init() {
    outside::run_constructors();
    std::panic::set_hook(Box::new(|panic| outside::show(&panic.to_string())));
}

/// The address of a new buffer of `length` bytes for the next request.
#[allow(unsafe_code, reason = "as for `init`")]
#[unsafe(no_mangle)]
extern "C" fn buffer(length: usize) -> *mut u8 {
    let mut state = state();
    let mut buffer = vec![0; length];
    let start = buffer.as_mut_ptr();
    state.buffers.push(buffer);
    start
}

/// Answers the request in the first buffer about the contents of the others. Returns the length of the answer.
#[allow(unsafe_code, reason = "as for `init`")]
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    let mut buffers = std::mem::take(&mut state().buffers);
    let contents = buffers.split_off(buffers.len().min(1));
    let request = buffers.pop().unwrap_or_default();
    let answer = crate::answer(&request, &contents);
    let length = answer.len();
    state().answer = answer;
    length
}

/// The address of the answer.
#[allow(unsafe_code, reason = "as for `init`")]
#[unsafe(no_mangle)]
extern "C" fn answer_start() -> *const u8 {
    state().answer.as_ptr()
}

/// Gives the memory of the answer back.
#[allow(unsafe_code, reason = "as for `init`")]
#[unsafe(no_mangle)]
extern "C" fn release() {
    state().answer = String::new();
}

//! The command `objir` as a function of C, which the script of the package calls.

use std::ffi::{CStr, OsStr, OsString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;

/// Runs the command of the arguments, as `main` of C has them. Returns the exit code.
///
/// # Safety
/// `args` has `count` strings of C, which live during the call.
#[unsafe(no_mangle)]
unsafe extern "C" fn objir_main(count: c_int, args: *const *const c_char) -> c_int {
    // SAFETY: by the contract.
    let arg = |index| unsafe { CStr::from_ptr(*args.add(index)) };
    let count = usize::try_from(count).unwrap_or_default();
    let args: Vec<OsString> = (0..count).map(|index| OsStr::from_bytes(arg(index).to_bytes()).to_owned()).collect();
    object_cli::run(args).into()
}

//! Panics, which are defects of this program: exit code 2, and a message that asks for a report.

use std::env;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::output::{Verdict, print_remark};

/// The result of `work`, or [`Failed`](Verdict::Failed) if it panics in this thread or in one that this thread waits for.
/// The first panic is reported on standard error, with a backtrace if `RUST_BACKTRACE` asks for it.
pub(crate) fn reporting(work: impl FnOnce() -> Verdict) -> Verdict {
    let default = panic::take_hook();
    let was_reported = AtomicBool::new(false);
    panic::set_hook(Box::new(move |info| {
        // A panic of a thread goes on in the thread that waits for it.
        if was_reported.swap(true, Ordering::Relaxed) {
            return;
        }
        if env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            default(info);
        }
        report(info);
    }));
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or(Verdict::Failed)
}

fn report(info: &PanicHookInfo<'_>) {
    let message = info.payload_as_str().unwrap_or("no message");
    let place = info.location().map(|place| format!(" (at {place})")).unwrap_or_default();
    let repository = env!("CARGO_PKG_REPOSITORY");
    print_remark(format_args!(
        "this is a defect of objir: {message}{place}; please report it, with the command and its files, at \
         {repository}/issues"
    ));
}

#[cfg(test)]
mod tests {
    use std::process::{self, Command};
    use std::thread;

    use super::*;

    /// The child of the test below: panics in a thread, as the work on a file of a batch does.
    #[test]
    #[ignore = "it ends the process; another test runs it as a child"]
    fn panics_in_a_thread() {
        let verdict = reporting(|| {
            thread::scope(|scope| {
                scope.spawn(|| panic!("the cause"));
            });
            Verdict::Same
        });
        process::exit(if verdict == Verdict::Failed { 2 } else { 0 });
    }

    #[test]
    fn a_panic_is_an_error_with_a_report() {
        let child = |backtrace: &str| {
            let mut child = Command::new(env::current_exe().expect("the tests have a path"));
            child.args(["--exact", "defect::tests::panics_in_a_thread", "--ignored", "--nocapture"]);
            let output = child.env("RUST_BACKTRACE", backtrace).output().expect("the child runs");
            (output.status.code(), String::from_utf8(output.stderr).expect("text"))
        };
        let (code, text) = child("0");
        assert_eq!(code, Some(2), "{text}");
        assert!(
            text.starts_with("objir: this is a defect of objir: the cause") && text.contains("defect.rs:"),
            "{text}"
        );
        assert!(text.ends_with("/issues\n") && text.lines().count() == 1, "{text}");
        let (code, text) = child("1");
        assert!(code == Some(2) && text.contains("stack backtrace:") && text.contains("/issues"), "{text}");
    }
}

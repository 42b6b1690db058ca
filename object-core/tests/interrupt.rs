//! Work that counts its steps ends when the program says so. The check of a process is set once, so this test is alone.

use std::thread::sleep;
use std::time::Duration;

use object_core::interrupt::{self, STEPS};
use object_core::limits::{Budget, Limits};
use object_core::{Error, ErrorKind};

const STOPPED: ErrorKind = ErrorKind::Custom("test.Stopped");

#[test]
fn a_budget_asks_whether_the_work_ends() {
    let limits = Limits::new().max_steps(4 * STEPS);
    let mut budget = Budget::steps(&limits);
    budget.spend(STEPS + 1).expect("nobody interrupts");
    interrupt::set(|| Err(Error::new(STOPPED, "stopped")));
    // The program is asked at intervals of time.
    interrupt::check().ok();
    sleep(Duration::from_millis(200));
    budget.spend(1).expect("between two multiples of the steps");
    assert_eq!(budget.spend(STEPS).expect_err("a multiple").kind(), STOPPED);
    assert_eq!(budget.spend(u64::MAX).expect_err("the limit").kind(), ErrorKind::LimitExceeded);
}

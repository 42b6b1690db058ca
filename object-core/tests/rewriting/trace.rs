//! Records of passes: stages, steps, failures, files.

use std::time::Duration;

use object_core::Result;
use object_core::json::{JsonReader, JsonWriter};
use object_core::prelude::*;
use object_core::trace::{PassManager, Recorder, Trace};

fn numbers(numbers: &[i64]) -> Array<i64> {
    numbers.iter().copied().collect()
}

/// Records `(depth, stage)` events: a pass of each depth begins with the stage before it.
fn nested() -> Trace {
    let stages = [numbers(&[1]), numbers(&[2]), numbers(&[3]), numbers(&[4])];
    let mut recorder = Recorder::new();
    recorder.begin("pipeline", &stages[0]);
    recorder.begin("a", &stages[0]);
    recorder.end(&stages[1], Duration::from_nanos(7));
    // Something outside of the passes changes the program.
    recorder.begin("b", &stages[2]);
    recorder.end(&stages[2], Duration::ZERO);
    recorder.begin("c", &stages[2]);
    // Equal to the first stage, and another object.
    recorder.end(&numbers(&[1]), Duration::ZERO);
    recorder.end(&stages[3], Duration::ZERO);
    recorder.finish("test")
}

#[test]
fn a_step_belongs_to_the_innermost_pass_that_made_it() -> Result<()> {
    let trace = nested();
    assert_eq!(trace.stages.len(), 4);
    let steps: Vec<_> = trace.steps()?.iter().map(|it| (it.before, it.after, it.to_string())).collect();
    let expected = [(0, 1, "a, inside pipeline"), (1, 2, "pipeline"), (2, 0, "c, inside pipeline"), (0, 3, "pipeline")];
    assert_eq!(steps, expected.map(|(before, after, text)| (before, after, text.to_owned())));
    assert_eq!(trace.passes.iter().map(|it| it.depth).collect::<Vec<_>>(), [0, 1, 1, 1]);
    assert_eq!(trace.passes.get(1).map(|it| it.nanoseconds), Some(7));
    Ok(())
}

#[test]
fn the_first_failing_stage_names_its_step() -> Result<()> {
    let trace = nested();
    let mut seen = Vec::new();
    let found = trace.first_failing(|index, _| {
        seen.push(index);
        Ok((index == 2).then_some("bad"))
    })?;
    let (step, failure) = found.expect("stage 2 fails");
    assert_eq!((step.before, step.after, failure), (1, 2, "bad"));
    assert_eq!(seen, [0, 1, 2]);
    let first = trace.first_failing(|_, _| Ok(Some(())))?.expect("the first stage fails");
    assert_eq!(first.0.to_string(), "the program before all passes");
    assert!(trace.first_failing(|_, _| Ok(None::<()>))?.is_none());
    Ok(())
}

#[test]
fn a_trace_is_a_file() -> Result<()> {
    let trace = nested();
    let text = JsonWriter::new().to_string(&trace)?;
    let read: Trace = JsonReader::new().read(text.as_bytes())?.root.cast()?;
    assert!(structural_equal(&trace, &read));
    assert_eq!(read.steps()?.len(), 4);
    Ok(())
}

#[test]
fn a_pass_that_refers_to_no_stage_is_an_error() -> Result<()> {
    let text = JsonWriter::new().to_string(&nested())?.replace("\"after\":3", "\"after\":9");
    let read: Trace = JsonReader::new().read(text.as_bytes())?.root.cast()?;
    let error = read.steps().expect_err("there are four stages");
    assert_eq!(error.to_string(), "pass `pipeline`: expected a stage from 0 to 3, got 9");
    assert_eq!(nested().stage(4).expect_err("there are four stages").kind(), ErrorKind::OutOfRange);
    Ok(())
}

/// A pass that puts `number` at the end.
fn push(number: i64) -> impl Fn(&Array<i64>) -> Result<Array<i64>> {
    move |program| Ok(program.iter().chain([number]).collect())
}

#[test]
fn a_check_names_the_pass_that_breaks_the_program() {
    let is_sorted = |program: &Array<i64>| match program.iter().is_sorted() {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::Call, "the numbers are not in order")),
    };
    let passes = PassManager::new().pass("one", push(1)).pass("zero", push(0)).pass("two", push(2)).verify(is_sorted);
    assert_eq!(passes.names().collect::<Vec<_>>(), ["one", "zero", "two"]);
    let (result, trace) = passes.trace(&numbers(&[]), "test");
    assert_eq!(result.expect_err("0 is after 1").to_string(), "pass `zero`: the numbers are not in order");
    let failures: Vec<_> = trace.passes.iter().map(|it| it.failure.clone()).collect();
    assert_eq!(failures, [None, Some("the numbers are not in order".into())]);
    // The program that the check refuses is in the trace.
    assert!(structural_equal(&trace.stage(2).expect("three stages"), &numbers(&[1, 0])));
    let error = passes.run(&numbers(&[2, 1])).expect_err("no pass runs");
    assert_eq!(error.to_string(), "the program before all passes: the numbers are not in order");
}

#[test]
fn an_observer_sees_the_program_after_each_pass() -> Result<()> {
    let seen = std::cell::RefCell::new(Vec::new());
    let passes = PassManager::new()
        .pass("one", push(1))
        .pass("two", push(2))
        .observe(|name, program: &Array<i64>| seen.borrow_mut().push((name.to_owned(), program.len())));
    passes.run(&numbers(&[]))?;
    drop(passes);
    assert_eq!(seen.into_inner(), [("one".to_owned(), 1), ("two".to_owned(), 2)]);
    Ok(())
}

//! Recorded pipelines as functions by name.

#![allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]

use std::time::Duration;

use object_core::prelude::*;
use object_core::register_function;
use object_core::trace::{Recorder, Trace};
use object_ir::results::Limits;

use crate::trace::{PassTable, RecordedPipeline, trace_page};

register_function!(
    /// The trace of a pipeline from its events, each a list of four. When a pass begins: its name, the program, 0, and nothing. When
    /// the innermost pass that runs ends: nothing, the program, the nanoseconds of the pass, and why it failed, if it did.
    /// `producer` is the program that ran the pipeline, such as `TVM 0.27.0`.
    "objir.record"(events, producer) = record
);
register_function!(
    /// The passes of a trace as a table.
    "objir.trace_text"(trace, limits) = trace_text
);
register_function!(
    /// A page in HTML that steps through the passes of a trace.
    "objir.trace_page"(trace, limits) = page_of_trace
);

fn record(events: Array<Any>, producer: Str) -> Result<Trace, Error> {
    let mut recorder = Recorder::new();
    for (index, event) in events.iter().enumerate() {
        replay(&mut recorder, event).map_err(|error| error.context(format_args!("event {index}")))?;
    }
    Ok(recorder.finish(producer))
}

fn replay(recorder: &mut Recorder, event: Any) -> Result<(), Error> {
    let event = event.cast::<Array<Any>>()?;
    let [name, program, time, failure] = [0, 1, 2, 3].map(|index| event.get(index));
    let (Some(name), Some(program), Some(time), Some(failure)) = (name, program, time, failure) else {
        let message = format!("expected a name, a program, nanoseconds and a failure, got a list of {}", event.len());
        return Err(Error::new(ErrorKind::TypeMismatch, message));
    };
    let time = Duration::from_nanos(time.cast::<i64>()?.max(0).cast_unsigned());
    match (name.cast::<Option<Str>>()?, failure.cast::<Option<Str>>()?) {
        (Some(name), _) => recorder.begin(name, &program),
        (None, None) => recorder.end(&program, time),
        (None, Some(failure)) => recorder.fail(&program, time, failure),
    }
    Ok(())
}

/// The pipeline of a trace, and all its passes.
fn table(trace: Trace, limits: Option<Limits>) -> Result<(RecordedPipeline, PassTable), Error> {
    let limits = limits.unwrap_or_default();
    let pipeline = RecordedPipeline::new(trace, limits.to_limits()?, &limits.meter()?)?;
    let table = PassTable::of(&pipeline, false)?;
    Ok((pipeline, table))
}

fn trace_text(trace: Trace, limits: Option<Limits>) -> Result<Str, Error> {
    Ok(table(trace, limits)?.1.to_string().into())
}

fn page_of_trace(trace: Trace, limits: Option<Limits>) -> Result<Str, Error> {
    let (pipeline, table) = table(trace, limits)?;
    Ok(trace_page(&table.producer, &pipeline, &table)?.into())
}

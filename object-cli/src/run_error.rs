//! The error of a run, with the line of the script and the calls under way.

use std::error::Error as _;
use std::io::{self, Write as _};

use annotate_snippets::{AnnotationKind, Group, Level};
use object_core::{Error, Result};
use object_eval::{CallStack, Entry};
use object_ir::ir::IRModule;
use object_script::print::ScriptPrinter;
use object_script::rendering::ShownScript;

use crate::finding::InFile;
use crate::message::advice;
use crate::output::{Output, Verdict, renderer};
use crate::source::Source;

/// The call in words.
fn call(entry: &Entry) -> String {
    match &entry.binding {
        Some(binding) => format!("`{}` at `{}`", entry.function, binding.var.vid.name_hint),
        None => format!("`{}`", entry.function),
    }
}

/// The calls in words, one a line.
fn calls(stack: &CallStack) -> String {
    let mut lines: Vec<String> = stack.entries.iter().map(|entry| format!("called by {}", call(entry))).collect();
    if let (Some(first), Some(entry)) = (lines.first_mut(), stack.entries.first()) {
        *first = format!("in {}", call(entry));
    }
    if stack.left_out > 0 {
        lines.insert(lines.len() / 2, format!("{} calls left out", stack.left_out));
    }
    lines.join("\n")
}

/// Prints the error of a run of the module in `file` on standard error, with its line of the script, if the output is text; `given` is
/// the text of the file if it is a script.
///
/// # Errors
/// The error, if it has no place in the script, or for other forms of output.
pub(crate) fn show(
    file: &Source,
    given: Option<&str>,
    module: &IRModule,
    (printer, error): (ScriptPrinter, Error),
    output: &Output,
) -> Result<Verdict> {
    let stack = error.source().and_then(|source| source.downcast_ref::<CallStack>());
    let (Some(path), Some(stack)) = (error.path(), stack) else { return Err(file.name_in(error)) };
    let script = printer.print(module);
    let name = file.to_string();
    let shown = ShownScript::new(&name, &script, given);
    if !output.is_text() {
        let place = shown.line_column_of(path);
        return Err(InFile::named(name, place, error));
    }
    let place = shown.snippet(path, AnnotationKind::Primary, None);
    let Some(place) = place else { return Err(file.name_in(error)) };
    let message = error.message().strip_prefix(&format!("{stack}: ")).unwrap_or(error.message());
    let calls = calls(stack);
    let mut group = Group::with_title(Level::ERROR.primary_title(message)).element(place);
    group = group.element(Level::NOTE.message(calls.as_str()));
    if let Some(advice) = advice(&error) {
        group = group.element(Level::HELP.message(advice));
    }
    // The exit code also reports the error.
    let _ = writeln!(io::stderr(), "{}", renderer(&io::stderr()).render(&[group]));
    Ok(Verdict::Failed)
}

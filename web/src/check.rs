//! The request `check`: the violations of a program, underlined in its script.

use object_core::meter::Meter;
use object_relax::well_formed::{Checker, Diagnostic, Profile, Severity};
use object_script::SourcePlaces;
use object_script::print::ScriptPrinter;
use object_script::rendering::check_verdict;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::place::{Mark, ShownText};
use crate::program::{File, Program};

/// The largest number of errors, and of warnings.
const LIMIT: usize = 100;

/// The verdict, and the text of the file, or of the printed program, with its violations.
pub(crate) fn answer(file: &File<'_>, meter: &Meter) -> Result<Value, Failure> {
    let program = Program::of(file, meter)?;
    let profile = Profile::of(program.version);
    let report = Checker::new().limit(LIMIT).profile(profile).check(&program.graph.root);
    let script = ScriptPrinter::new().version(program.version).meter(meter).try_print(&program.graph.root)?;
    // The file was read before, so its syntax has no errors.
    let given = program.script.as_deref().and_then(|text| SourcePlaces::new(text, &script).ok());
    let mut shown = ShownText::new(given.as_ref().map_or(script.text(), SourcePlaces::source));
    for it in &report.diagnostics {
        let range = match &given {
            Some(given) => given.piece_of(&it.path),
            None => script.pieces_of(&it.path).into_iter().next(),
        };
        shown.mark(Mark {
            level: if it.severity == Severity::Error { "error" } else { "warning" },
            rule: Some(it.rule.name),
            message: &message(it),
            help: it.fix.as_deref(),
            path: Some(it.path.to_string()),
            range,
        });
    }
    Ok(json!({
        "verdict": check_verdict(report.errors, report.warnings, report.is_well_formed()),
        "is_well_formed": report.is_well_formed(),
        "is_complete": report.is_complete,
        "profile": profile.name(),
        "version": program.version.name(),
        "remark": program.remark,
        "shown": shown.into_json(),
    }))
}

/// The message with the expected and the given value.
fn message(it: &Diagnostic) -> String {
    match (&it.expected, &it.given) {
        (Some(expected), Some(given)) => format!("{} (expected {expected}, got {given})", it.message),
        _ => it.message.clone(),
    }
}

//! `objir parse`: a script as a JSON graph; `objir fmt`: a script as the printer writes it.

use std::fs;

use object_core::json::JsonWriter;
use object_core::{Error, ErrorKind, Result};
use object_ir::script::print::ScriptPrinter;
use serde_json::json;

use crate::args::{FmtArgs, ParseArgs};
use crate::input::Reading;
use crate::output::{Output, Verdict};
use crate::script::is_script;
use crate::source::Source;

pub(crate) fn run(args: &ParseArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let graph = args.file.load(reading)?.graph;
    let text = JsonWriter::new().metadata(graph.metadata.as_ref()).to_string(&graph.root)?;
    match &args.output {
        None => output.show_text(text)?,
        Some(path) => {
            fs::write(path, &text).map_err(|error| Error::from(error).context(path.display()))?;
            if output.is_json() {
                output.show_text(json!({
                    "file": args.file.to_string(),
                    "root": graph.root.type_key(),
                    "output": path.display().to_string(),
                    "bytes": text.len(),
                }))?;
            }
        }
    }
    Ok(Verdict::Same)
}

pub(crate) fn format(args: &FmtArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let mut is_formatted = true;
    for source in &args.files {
        let given = source.read(&reading.limits)?;
        let graph = source.load_for("fmt", reading)?;
        let printer = ScriptPrinter::new().show_meta(true).indent_spaces(args.indent).verbose_expr(true);
        let mut text = printer.print_text(&graph.root);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        let is_same = given == text.as_bytes();
        is_formatted &= is_same;
        match source {
            _ if args.check => {
                if output.is_json() {
                    output.show_text(json!({"file": source.to_string(), "formatted": is_same}))?;
                } else if !is_same {
                    output.show_text(format_args!("{source}: not formatted"))?;
                }
            }
            Source::File(path) if args.write => {
                if !is_same {
                    check_replaceable(source, &given, &text)?;
                    fs::write(path, &text).map_err(|error| Error::from(error).context(path.display()))?;
                }
            }
            _ => output.show(text.trim_end_matches('\n'), || json!({"file": source.to_string(), "script": text}))?,
        }
    }
    Ok(Verdict::of(is_formatted || !args.check))
}

/// Whether a file loses nothing if `text` replaces its content.
///
/// # Errors
/// For a file that is not a script, and for a script with a comment that `text` does not have.
fn check_replaceable(source: &Source, given: &[u8], text: &str) -> Result<()> {
    let name = source.to_string();
    if !is_script(&name, given) || name.ends_with(".gz") {
        let message = format!("{name}: `fmt --write` writes scripts, and this file is not a plain script; use `print`");
        return Err(Error::new(ErrorKind::Malformed, message));
    }
    let given = String::from_utf8_lossy(given);
    let mut comments = given.lines().filter_map(|line| Some(line[line.find('#')?..].trim_end()));
    match comments.find(|comment| !text.contains(comment)) {
        None => Ok(()),
        Some(comment) => {
            let message = format!("{name}: `fmt --write` keeps no comments, such as `{comment}`; remove them first");
            Err(Error::new(ErrorKind::Malformed, message))
        }
    }
}

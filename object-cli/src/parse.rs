//! `objir parse`: a script as a JSON graph; `objir fmt`: a script as the printer writes it.

use object_codegen::files::write_files;
use object_core::json::{Graph, JsonWriter};
use object_core::{Error, ErrorKind, Result};
use object_ir::script::print::ScriptPrinter;
use serde_json::json;

use crate::args::{FmtArgs, ParseArgs};
use crate::file_set::Arguments;
use crate::input::Reading;
use crate::output::{Output, Verdict, unwritten, write_file};
use crate::script::{self, is_script};
use crate::source::Source;

pub(crate) fn run(args: &ParseArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let graph = args.file.load(reading)?.graph;
    let text = JsonWriter::new().metadata(graph.metadata.as_ref()).to_string(&graph.root)?;
    match &args.output {
        None => output.show_text(text)?,
        Some(path) => {
            write_file(path, &text)?;
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
    let (mut is_formatted, mut changed) = (true, Vec::new());
    let files = Arguments::of(&args.files)?;
    for source in &files.sources {
        let given = source.read(&reading.limits)?;
        let name = source.to_string();
        if files.has_sets && !is_script(&name, &given) {
            continue;
        }
        let text = if is_script(&name, &given) {
            let text = reading.check_reads_scripts().and_then(|()| script::format(&name, &given, args.indent));
            text.map_err(|error| source.name_in(error))?
        } else {
            printed(&source.graph_for("fmt", &given, reading)?, args)
        };
        let is_same = given == text.as_bytes();
        is_formatted &= is_same;
        match source {
            _ if args.check => {
                if output.is_json() {
                    output.show_text(json!({"file": name, "formatted": is_same}))?;
                } else if !is_same {
                    output.show_text(format_args!("{name}: not formatted"))?;
                }
            }
            Source::File(path) if args.write => {
                if !is_script(&name, &given) || name.ends_with(".gz") {
                    let message = format!(
                        "{name}: `fmt --write` writes scripts, and this file is not a plain script; use `print`"
                    );
                    return Err(Error::new(ErrorKind::Malformed, message));
                }
                if !is_same {
                    changed.push((path, text));
                }
            }
            _ => output.show(text.trim_end_matches('\n'), || json!({"file": name, "script": text}))?,
        }
    }
    write_files(changed).map_err(unwritten)?;
    Ok(Verdict::of(is_formatted || !args.check))
}

/// The script of a graph.
fn printed(graph: &Graph, args: &FmtArgs) -> String {
    let printer = ScriptPrinter::new().show_meta(true).indent_spaces(args.indent).verbose_expr(true);
    printer.print_text(&graph.root) + "\n"
}

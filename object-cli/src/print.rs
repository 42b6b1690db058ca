//! `objir print`: a file as TVMScript.

use object_core::Result;
use object_core::json::Graph;
use object_core::meter::Charge;
use object_script::page::ScriptPage;
use object_script::print::Script;
use serde_json::{Value, json};

use crate::args::PrintArgs;
use crate::input::Reading;
use crate::output::{Output, Verdict, write_file};

/// The memory of the JSON of a piece of the text, without the text of its path.
const SPAN: u64 = 256;

pub(crate) fn run(args: &PrintArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let graph = args.file.load_for("print", reading)?;
    show(args, &graph, reading, output).map_err(|error| args.file.name_in(error))?;
    Ok(Verdict::Same)
}

fn show(args: &PrintArgs, graph: &Graph, reading: &Reading, output: &Output) -> Result<()> {
    let printer = args.printer().meter(&reading.meter);
    if args.exact {
        let text = printer.print_exact(&graph.root)?;
        return output
            .show(&text, || json!({"file": args.file.to_string(), "root": graph.root.type_key(), "script": text}));
    }
    if let Some(file) = &args.html {
        let script = printer.try_print(&graph.root)?;
        return write_file(file, ScriptPage::new(args.file.to_string(), &script, &graph.root).to_html()?);
    }
    if output.is_json() {
        let script = printer.try_print(&graph.root)?;
        let mut charge = reading.meter.reserve(2 * script.text().len() as u64)?;
        let spans = spans(&script, &mut charge)?;
        return output.show_text(json!({
            "file": args.file.to_string(),
            "root": graph.root.type_key(),
            "script": script.text(),
            "spans": spans,
        }));
    }
    if args.line_numbers {
        return output.show_text(printer.try_print(&graph.root)?.excerpt().line_numbers(true));
    }
    output.show_text(printer.try_print_text(&graph.root)?)
}

/// The pieces of the text, each with the path that it shows.
fn spans(script: &Script, charge: &mut Charge) -> Result<Vec<Value>> {
    let mut spans = Vec::new();
    let mut paths = 2 * script.text().len() as u64;
    for (range, path) in script.spans() {
        let path = path.to_string();
        paths += path.len() as u64;
        charge.cover(SPAN * (spans.len() as u64 + 1) + paths)?;
        spans.push(json!([range.start, range.end, path]));
    }
    Ok(spans)
}

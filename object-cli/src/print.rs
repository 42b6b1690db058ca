//! `objir print`: a file as TVMScript.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use object_core::json::Graph;
use object_core::meter::Charge;
use object_core::{DataType, Result};
use object_script::page::page;
use object_script::print::{Script, ScriptPrinter};
use serde_json::{Value, json};

use crate::input::Reading;
use crate::output::{Output, Verdict, write_file};
use crate::source::Source;

/// `objir print`.
#[derive(ClapArgs)]
pub(crate) struct PrintArgs {
    /// The file, or `-`.
    pub(crate) file: Source,

    /// Print the tensors and other values that the text refers to as `metadata[...]`, before the text.
    #[arg(long)]
    pub(crate) show_meta: bool,

    /// Begin each line with its number.
    #[arg(long)]
    pub(crate) line_numbers: bool,

    /// Write the script as a page to a file, instead of as text to standard output.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["line_numbers", "json"])]
    pub(crate) html: Option<PathBuf>,

    /// The name of the module or function.
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// The number of spaces for each level of indentation.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) indent: usize,

    /// Leave out structural information that the values of bindings determine.
    #[arg(long)]
    pub(crate) hide_struct_info: bool,

    /// Print for people: small tensors as their values, large ones as their shapes, no data types of constants, and nothing
    /// that other parts of the text determine. The text is not byte for byte the one of TVM, and may not parse.
    #[arg(long)]
    pub(crate) readable: bool,

    /// Print a text that reads back as the same value, also where the text of TVM leaves out facts.
    #[arg(long, conflicts_with_all = ["readable", "html", "line_numbers", "hide_struct_info"])]
    pub(crate) exact: bool,

    /// Use no short forms, such as `T.grid` for nested loops.
    #[arg(long)]
    pub(crate) no_sugar: bool,

    /// Print an expression with the declarations of its free variables.
    #[arg(long)]
    pub(crate) verbose: bool,

    /// The name for the module inside of its functions; empty for the name of the module.
    #[arg(long, value_name = "NAME", default_value = "cls")]
    pub(crate) module_alias: String,

    /// The prefix of module-level names.
    #[arg(long, value_name = "NAME", default_value = "I")]
    pub(crate) ir_prefix: String,

    /// The prefix of names of TIR.
    #[arg(long, value_name = "NAME", default_value = "T")]
    pub(crate) tir_prefix: String,

    /// The prefix of names of Relax.
    #[arg(long, value_name = "NAME", default_value = "R")]
    pub(crate) relax_prefix: String,

    /// The data type of integers that print without data type in TIR.
    #[arg(long, value_name = "DTYPE", default_value = "int32")]
    pub(crate) int_dtype: DataType,

    /// The data type of floating-point numbers that print without data type; none by default.
    #[arg(long, value_name = "DTYPE", default_value = "")]
    pub(crate) float_dtype: DataType,
}

impl PrintArgs {
    /// The printer that these arguments describe.
    pub(crate) fn printer(&self) -> ScriptPrinter {
        let printer = ScriptPrinter::new()
            .show_meta(self.show_meta)
            .indent_spaces(self.indent)
            .show_all_struct_info(!self.hide_struct_info)
            .syntax_sugar(!self.no_sugar)
            .verbose_expr(self.verbose)
            .module_alias(&*self.module_alias)
            .ir_prefix(&*self.ir_prefix)
            .tir_prefix(&*self.tir_prefix)
            .relax_prefix(&*self.relax_prefix)
            .int_dtype(self.int_dtype)
            .float_dtype(self.float_dtype);
        let printer = if self.readable { printer.readable() } else { printer };
        match &self.name {
            Some(name) => printer.name(&**name),
            None => printer,
        }
    }
}

/// The memory of the JSON of a piece of the text, without the text of its path.
const SPAN: u64 = 256;

pub(crate) fn run(args: &PrintArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let loaded = args.file.load(reading)?;
    let version = loaded.origin.version("print").map_err(|error| args.file.name_in(error))?;
    let graph = loaded.into_linked("print").map_err(|error| args.file.name_in(error))?;
    let printer = args.printer().version(version).meter(&reading.meter);
    show(args, &graph, &printer, (reading, output)).map_err(|error| args.file.name_in(error))?;
    Ok(Verdict::Same)
}

fn show(
    args: &PrintArgs,
    graph: &Graph,
    printer: &ScriptPrinter,
    (reading, output): (&Reading, &Output),
) -> Result<()> {
    if args.exact {
        let text = printer.print_exact(&graph.root)?;
        return output
            .show(&text, || json!({"file": args.file.to_string(), "root": graph.root.type_key(), "script": text}));
    }
    if let Some(file) = &args.html {
        let script = printer.try_print(&graph.root)?;
        return write_file(file, page(args.file.to_string(), &script, &graph.root).to_html()?);
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

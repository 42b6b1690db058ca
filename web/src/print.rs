//! The request `print`: a program as TVMScript.

use object_core::meter::Meter;
use object_script::page::page;
use object_script::print::ScriptPrinter;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::program::{File, Program};

/// The script; with the option `page`, a page with the script, in which a place shows its path and its type.
pub(crate) fn answer(file: &File<'_>, options: &Value, meter: &Meter) -> Result<Value, Failure> {
    let program = Program::of(file, meter)?;
    let printer = ScriptPrinter::new().version(program.version).meter(meter);
    let root = &program.graph.root;
    if options["page"] == true {
        let script = printer.try_print(root)?;
        return Ok(json!({ "page": page(file.name, &script, root).to_html()? }));
    }
    Ok(json!({
        "script": printer.try_print_text(root)?,
        "version": program.version.name(),
        "remark": program.remark,
    }))
}

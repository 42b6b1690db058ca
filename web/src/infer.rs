//! The request `infer`: a program with inferred structural information.

use object_core::meter::Meter;
use object_relax::derivation::Derivation;
use object_relax::root::Root;
use object_script::print::ScriptPrinter;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::place::{Mark, ShownText};
use crate::program::{File, Program};

/// The script of the program with complete structural information, and the findings of the inference.
pub(crate) fn answer(file: &File<'_>, meter: &Meter) -> Result<Value, Failure> {
    let program = Program::of(file, meter)?;
    let derivation = Derivation::new().version(Some(program.version));
    let derived = Root::of(&program.graph.root)?.derived(derivation)?;
    let script = ScriptPrinter::new().version(program.version).meter(meter).try_print(&derived.result)?;
    let mut shown = ShownText::new(script.text());
    for it in derived.findings() {
        // The derivation changes annotations and keeps the places of expressions.
        let (path, range) = (Some(it.path.to_string()), script.pieces_of(&it.path).into_iter().next());
        shown.mark(Mark { level: "note", rule: None, message: &it.message, help: None, path, range });
    }
    Ok(json!({
        "is_changed": derived.result != program.graph.root,
        "version": program.version.name(),
        "remark": program.remark,
        "shown": shown.into_json(),
    }))
}

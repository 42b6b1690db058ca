//! `print`: values print as the recorded TVMScript.

use object_script::print::ScriptPrinter;
use serde_json::Value;

use super::Checked;
use super::facts::{self, Corpus, Fact, Problem};

pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Checked {
    let root = corpus.load_module(fact.text("obj")?)?.root;
    let config = fact.get("cfg");
    let printer = configured(ScriptPrinter::new(), config)?;
    let script = printer.print(&root);
    facts::same_text("the text without places", script.text().as_bytes(), printer.print_text(&root).as_bytes())?;
    let text = match config["print_line_numbers"].as_bool() {
        Some(true) => script.excerpt().line_numbers(true).to_string(),
        _ => script.into_text(),
    };
    match fact.text("expect")? {
        "ok" => facts::same_text("script", &corpus.script(fact.text("script")?)?, text.as_bytes()),
        // TVM fails. Here, everything prints.
        "error" => Ok(()),
        other => Err(Problem::new("a known expectation", other)),
    }
}

/// The printer with the recorded options.
fn configured(mut printer: ScriptPrinter, config: &Value) -> Result<ScriptPrinter, Problem> {
    let empty = serde_json::Map::new();
    for (name, value) in config.as_object().unwrap_or(&empty) {
        let unknown = || Problem::new("a known option", format!("{name}={value}"));
        let text = || value.as_str().ok_or_else(unknown);
        let flag = || value.as_bool().ok_or_else(unknown);
        let number = || value.as_u64().and_then(|value| usize::try_from(value).ok()).ok_or_else(unknown);
        printer = match name.as_str() {
            "name" => printer.name(text()?),
            "show_meta" => printer.show_meta(flag()?),
            "ir_prefix" => printer.ir_prefix(text()?),
            "tirx.prefix" => printer.tir_prefix(text()?),
            "module_alias" => printer.module_alias(text()?),
            "int_dtype" => printer.int_dtype(text()?.parse().map_err(|_| unknown())?),
            "float_dtype" => printer.float_dtype(text()?.parse().map_err(|_| unknown())?),
            "verbose_expr" => printer.verbose_expr(flag()?),
            "indent_spaces" => printer.indent_spaces(number()?),
            // Without underlined places, the number of lines around them has no effect.
            "print_line_numbers" | "num_context_lines" => printer,
            "syntax_sugar" => printer.syntax_sugar(flag()?),
            "show_all_struct_info" | "relax.show_all_struct_info" => printer.show_all_struct_info(flag()?),
            "extra_config" => configured(printer, value)?,
            _ => return Err(unknown()),
        };
    }
    Ok(printer)
}

//! Scripts read back: recorded scripts, scripts that TVM rejects, and the own scripts of all modules.

use std::collections::BTreeMap;

use object_core::Any;
use object_core::structural::StructuralOptions;
use object_script::parse::{Errors, ScriptParser};
use object_script::print::ScriptPrinter;
use serde_json::Value;

use super::facts::{Corpus, Fact, Problem};
use super::{Checked, Outcome};

/// `roundtrip/script`: a recorded script reads as the recorded object. If TVM reads another object or none, the printed
/// object is right, too.
pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Outcome {
    let group = if has_loop_programs(corpus, fact) { "with loop programs" } else { "without loop programs" };
    Outcome::of_group(group.to_owned(), recorded(corpus, fact))
}

fn recorded(corpus: &Corpus, fact: &Fact) -> Checked {
    let printed = corpus.load_module(fact.text("obj")?)?.root;
    let script = corpus.script(fact.text("script")?)?;
    let read = configured(fact.get("cfg")).parse(&text(&script)?);
    match (fact.text("expect")?, read) {
        ("equal", read) => is_equal(&printed, read),
        ("not_equal", read) => {
            let other = match fact.text("parsed") {
                Ok(parsed) => Some(corpus.load_module(parsed)?.root),
                Err(_) => None,
            };
            let is_other = match (&other, &read) {
                (Some(other), Ok(value)) => mismatch(other, value).is_ok(),
                _ => false,
            };
            if is_other { Ok(()) } else { is_equal(&printed, read) }
        }
        // A text that TVM rejects is rejected, or reads as the printed object.
        ("parse_error" | "eq_error", Err(_)) => Ok(()),
        ("parse_error" | "eq_error", read) => is_equal(&printed, read),
        (other, _) => Err(Problem::new("a known expectation", other)),
    }
}

/// `parse`: a script that TVM rejects. The exceptions list the ones that read here, with reasons.
pub(super) fn check_rejected(corpus: &Corpus, fact: &Fact) -> Checked {
    let script = corpus.script(fact.text("script")?)?;
    match configured(fact.get("cfg")).parse(&text(&script)?) {
        Err(errors) if errors.diagnostics().is_empty() => Err(Problem::new("an error", "no error")),
        Err(_) => Ok(()),
        Ok(_) => {
            let reason = fact.get("error").as_str().unwrap_or("not said why");
            Err(Problem::new(format!("an error ({})", reason.lines().next().unwrap_or(reason)), "it reads"))
        }
    }
}

/// `reparse`: the own script of a module, with all metadata, reads as the module.
pub(super) fn check_own(corpus: &Corpus, fact: &Fact) -> Outcome {
    let Ok(graph) = corpus.load_module(fact.id().trim_start_matches("reparse/")) else {
        // The facts of the kind `load` check texts that do not load.
        return Ok(()).into();
    };
    let script = ScriptPrinter::new().show_meta(true).verbose_expr(true).print_text(&graph.root);
    let is_loops = script.contains("@T.prim_func");
    let group = if is_loops { "with loop programs" } else { "without loop programs" };
    let checked = is_equal(&graph.root, ScriptParser::new().parse(&script));
    Outcome { groups: BTreeMap::from([(group.to_owned(), (usize::from(checked.is_ok()), 1))]), checked }
}

/// `exact`: the exact script of a value reads as the value.
pub(super) fn check_exact(corpus: &Corpus, fact: &Fact) -> Outcome {
    let Ok(graph) = corpus.load_module(fact.id().trim_start_matches("exact/")) else {
        return Ok(()).into();
    };
    let script = match ScriptPrinter::new().print_exact(&graph.root) {
        Ok(script) => script,
        Err(error) => return Err(Problem::failed("it prints", error)).into(),
    };
    let refers = script.lines().last().is_some_and(|line| line.starts_with("metadata[\""));
    let kind = if graph.root.type_key() == "ir.IRModule" { "modules" } else { "other values" };
    let group = format!("{kind}, {}", if refers { "in the metadata" } else { "as text" });
    Outcome::of_group(group, is_equal(&graph.root, ScriptParser::new().parse(&script)))
}

fn has_loop_programs(corpus: &Corpus, fact: &Fact) -> bool {
    let script = fact.text("script").ok().and_then(|hash| corpus.script(hash).ok());
    script.is_some_and(|script| String::from_utf8_lossy(&script).contains("@T.prim_func"))
}

fn text(script: &[u8]) -> Result<String, Problem> {
    String::from_utf8(script.to_vec()).map_err(|error| Problem::failed("the script is UTF-8", error))
}

fn is_equal(expected: &Any, read: Result<Any, Errors>) -> Checked {
    match read {
        Ok(value) => mismatch(expected, &value),
        Err(errors) => Err(Problem::new("it reads", errors)),
    }
}

/// Fails unless the values are structurally equal. Free variables of two graphs are different variables, so they match by
/// position.
fn mismatch(expected: &Any, got: &Any) -> Checked {
    match StructuralOptions::new().map_free_vars(true).first_mismatch(expected, got) {
        Ok(None) => Ok(()),
        Ok(Some(mismatch)) => Err(Problem::new("the same object", format!("a difference at {}", mismatch.lhs))),
        Err(error) => Err(Problem::failed("it compares", error)),
    }
}

/// The parser for a text that was printed with these options.
fn configured(config: &Value) -> ScriptParser {
    let option = |name: &str| config[name].as_str().or_else(|| config["extra_config"][name].as_str());
    let mut parser = ScriptParser::new();
    if let Some(prefix) = option("ir_prefix") {
        parser = parser.ir_prefix(prefix);
    }
    if let Some(prefix) = option("tirx.prefix") {
        parser = parser.tir_prefix(prefix);
    }
    if let Some(prefix) = option("relax.prefix") {
        parser = parser.relax_prefix(prefix);
    }
    parser
}

//! `objir normalize`, `objir infer` and `objir rewrite`: programs in normal form, with structural information, and after
//! rules.

use std::fmt;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use object_core::json::{Graph, JsonWriter};
use object_core::{Any, Result};
use object_ir::ir::IRModule;
use object_relax::derivation::Finding;
use object_relax::root::Root;
use object_relax::transform::{BindingRule, BindingRules};
use object_script::file::packed;
use serde_json::{Value, json};

use crate::input::Reading;
use crate::output::{Output, Verdict, print_remark, write_file};
use crate::source::Source;

/// `objir normalize` and `objir infer`.
#[derive(ClapArgs)]
pub(crate) struct ProgramArgs {
    /// The file of a module, a function or another expression, or `-`.
    pub(crate) file: Source,

    /// Write the program into this file, packed if its name ends in .gz, and print a summary. Without it, the program is
    /// the output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

/// `objir rewrite`.
#[derive(ClapArgs)]
pub(crate) struct RewriteArgs {
    #[command(flatten)]
    pub(crate) program: ProgramArgs,

    /// The rules: each is the file of a module with the functions `pattern` and `replacement`, which have the same
    /// parameters. Of several rules for one binding, the first one applies.
    #[arg(long, value_name = "RULE", required = true, num_args = 1..)]
    pub(crate) rules: Vec<Source>,
}

pub(crate) fn normalize(args: &ProgramArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    run(args, reading, output, ("normalize", "normalized"), |program| Ok((program.normalized()?, Vec::new())))
}

pub(crate) fn infer(args: &ProgramArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    run(args, reading, output, ("infer", "inferred"), |program| {
        let derived = program.derived()?;
        let findings = derived.findings();
        Ok((derived.result, findings))
    })
}

pub(crate) fn rewrite(args: &RewriteArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let mut rules = BindingRules::new().max_steps(reading.limits.max_steps);
    for file in &args.rules {
        let root = file.load_for("rewrite", reading)?.root;
        let rule = root.cast::<IRModule>().and_then(|module| BindingRule::from_module(&module));
        rules = rules.rule(rule.map_err(|error| file.name_in(error))?.named(file.to_string()));
    }
    run(&args.program, reading, output, ("rewrite", "rewritten"), |program| {
        Ok((program.changed(|module| rules.run(module), |expr| rules.run(expr))?, Vec::new()))
    })
}

fn run(
    args: &ProgramArgs,
    reading: &Reading,
    output: &Output,
    (command, done): (&str, &'static str),
    change: impl FnOnce(&Root) -> Result<(Any, Vec<Finding>)>,
) -> Result<Verdict> {
    let Graph { root, metadata, .. } = &args.file.load_for(command, reading)?;
    let changed = Root::of(root).and_then(|program| change(&program));
    let (program, findings) = changed.map_err(|error| args.file.name_in(error))?;
    let text = JsonWriter::new().metadata(metadata.as_ref()).to_string(&program)?;
    let Some(path) = &args.output else {
        findings.iter().for_each(|finding| print_remark(format_args!("{}: {finding}", args.file)));
        output.show_text(text)?;
        return Ok(Verdict::Same);
    };
    write_file(path, packed(path, text)?)?;
    let summary = Summary {
        done,
        file: args.file.to_string(),
        output: path.display().to_string(),
        is_changed: program != *root,
        findings: &findings,
    };
    output.show(&summary, || summary.to_json())?;
    Ok(Verdict::Same)
}

struct Summary<'a> {
    done: &'static str,
    file: String,
    output: String,
    is_changed: bool,
    findings: &'a [Finding],
}

impl Summary<'_> {
    fn to_json(&self) -> Value {
        let finding = |it: &Finding| json!({"kind": format!("{:?}", it.kind), "path": it.path.to_string(), "message": it.message});
        json!({
            "file": self.file,
            "output": self.output,
            "changed": self.is_changed,
            "findings": self.findings.iter().map(finding).collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done = if self.is_changed { self.done } else { "unchanged" };
        write!(f, "{done}: {}, written to {}", self.file, self.output)?;
        self.findings.iter().try_for_each(|finding| write!(f, "\n  {finding}"))
    }
}

//! `objir normalize`, `objir infer`, `objir rewrite`, `objir transform` and `objir convert`: programs in normal form, with
//! structural information, after rules, after transforms, and in another version of TVM.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::Args as ClapArgs;
use clap::builder::{PossibleValue, PossibleValuesParser};
use object_core::json::{Graph, JsonWriter};
use object_core::meter::Meter;
use object_core::trace::PassManager;
use object_core::{Any, Error, ErrorKind, ObjectHandle, Result, Tensor, counted, structural_equal};
use object_eval::Evaluator;
use object_ir::ir::{Function, IRModule};
use object_ir::tvm::TvmVersion;
use object_relax::derivation::{Derivation, Finding};
use object_relax::root::Root;
use object_relax::transform::{
    BindingRule, BindingRules, ModuleCompiler, ModuleTransform, SharedTransform, SortDirection, SortOrder, TRANSFORMS,
    TransformOptions,
};
use object_relax::well_formed::{Checker, Profile};
use object_script::file::packed;
use serde_json::{Value, json};

use crate::file_program::{is_binary_name, is_script_name, program_text, write_graph};
use crate::input::Reading;
use crate::output::{Output, Verdict, print_remark, write_file};
use crate::run_args::{name_and_size, name_and_value};
use crate::run_arguments::{literal, no_parameter};
use crate::source::Source;
use crate::tvm_arg::version;
use crate::types::Loaded;

/// `objir normalize` and `objir infer`.
#[derive(ClapArgs)]
pub(crate) struct ProgramArgs {
    /// The file of a module, a function or another expression, or `-`.
    pub(crate) file: Source,

    /// Write the program into this file, packed if its name ends in .gz and as a binary graph if it ends in .safetensors, and
    /// print a summary. Without it, the program is the output.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// Write the program for this version of TVM: 0.25, 0.26 or 0.27. Without it, the version of the file stays.
    #[arg(long, value_name = "VERSION", value_parser = version)]
    to: Option<TvmVersion>,
}

/// `objir infer`.
#[derive(ClapArgs)]
pub(crate) struct InferArgs {
    #[command(flatten)]
    program: ProgramArgs,

    /// Replace stated structural information by the inferred one also where both are right, and add it to the variables of
    /// loop programs. Without it, a program that TVM calls normal stays as it is.
    #[arg(long)]
    complete: bool,
}

/// `objir convert`.
#[derive(ClapArgs)]
#[command(mut_arg("to", |to| to.required_unless_present_any(["out", "output"])))]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    program: ProgramArgs,

    /// The same as `--output`: a script if its name ends in .py, and a binary graph if it ends in .safetensors.
    #[arg(value_name = "OUT", conflicts_with = "output")]
    out: Option<PathBuf>,
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

    /// Print for each rule the bindings to which it applies in the program, and the nearest one to which it does not, with the
    /// reason. A program that stays unchanged always gets these reasons.
    #[arg(long)]
    explain: bool,
}

/// `objir transform`.
#[derive(ClapArgs)]
pub(crate) struct TransformArgs {
    #[command(flatten)]
    program: ProgramArgs,

    /// The transforms in order, by the names of TVM's passes.
    #[arg(value_name = "NAME", required = true, value_parser = transform_names())]
    names: Vec<String>,

    /// Check the program before the first transform and after each of them, and end at the first error.
    #[arg(long)]
    check: bool,

    /// Write what each transform did into this file, for `objir trace` and `objir bisect`.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// A function that stays, besides the ones with a `global_symbol`; may stand several times.
    #[arg(long = "entry", value_name = "FUNCTION")]
    entries: Vec<String>,

    /// The size of a symbolic dimension for `BindSymbolicVars`; may stand several times.
    #[arg(long = "dim", value_name = "NAME=SIZE", value_parser = name_and_size)]
    sizes: Vec<(String, i64)>,

    /// The function for `BindParams`.
    #[arg(long, value_name = "NAME", default_value = "main")]
    func: String,

    /// The constant of a parameter for `BindParams`, as `--arg` of `objir run` takes it; may stand several times.
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = name_and_value)]
    params: Vec<(String, String)>,

    /// One function for all functions, for `LiftTransformParams`.
    #[arg(long)]
    shared: bool,

    /// The order for `TopologicalSort`.
    #[arg(long, value_name = "ORDER", default_value = "depth-first", value_parser = SortOrder::NAMES.map(|(name, _)| name))]
    order: String,

    /// The direction for `TopologicalSort`.
    #[arg(long, value_name = "DIRECTION", default_value = "from-inputs", value_parser = SortDirection::NAMES.map(|(name, _)| name))]
    direction: String,
}

/// The names of transforms, with a line about each of them.
fn transform_names() -> PossibleValuesParser {
    PossibleValuesParser::new(TRANSFORMS.iter().map(|it| PossibleValue::new(it.name).help(it.about)))
}

pub(crate) fn normalize(args: &ProgramArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    run(args, reading, output, ("normalize", "normalized"), |program, _| Ok((program.normalized()?, Vec::new())))
}

pub(crate) fn infer(args: &InferArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    run(&args.program, reading, output, ("infer", "inferred"), |program, version| {
        let derivation = Derivation::new().version(Some(version));
        let derivation = if args.complete { derivation } else { derivation.keep_stated() };
        let derived = program.derived(derivation)?;
        let findings = derived.findings();
        Ok((derived.result, findings))
    })
}

pub(crate) fn convert(args: &ConvertArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let ConvertArgs { program: args, out } = args;
    let out = out.as_deref().or(args.output.as_deref());
    // Weights may be larger than memory, and a binary graph takes them one after the other.
    let loaded = match out.filter(|out| is_binary_name(out)).map(|out| out.parent()) {
        Some(folder) => {
            let folder = folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            args.file.load_through_files(reading, folder)?
        }
        None => args.file.load(reading)?,
    };
    let Loaded { graph, origin } = loaded;
    let from = origin.version("convert")?;
    let to = args.to.unwrap_or(from);
    let summary = Summary { done: "converted", is_changed: true, findings: &[] };
    match out {
        Some(out) if is_script_name(out) => {
            let graph = from.to_rust_types(graph).map_err(|error| args.file.name_in(error))?;
            let text = program_text(graph, None, Some(reading.printer().version(to)))?;
            write_file(out, packed(out, text)?)?;
            summary.show(&args.file, out, output)
        }
        out => {
            let converted = to.convert(graph, from).map_err(|error| args.file.name_in(error))?;
            show(&args.file, out, output, &converted, summary)
        }
    }
}

pub(crate) fn rewrite(args: &RewriteArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let mut rules = BindingRules::new().max_steps(reading.limits.max_steps);
    for file in &args.rules {
        let root = file.load_for("rewrite", reading)?.root;
        let rule = root.cast::<IRModule>().and_then(|module| BindingRule::from_module(&module));
        rules = rules.rule(rule.map_err(|error| file.name_in(error))?.named(file.to_string()));
    }
    run(&args.program, reading, output, ("rewrite", "rewritten"), |program, _| {
        let original = program.normalized()?;
        let changed = program.changed(|module| rules.run(module), |expr| rules.run(expr))?;
        if args.explain || structural_equal(&changed, &original) {
            rules.explain(&original)?.iter().for_each(print_remark);
        }
        Ok((changed, Vec::new()))
    })
}

pub(crate) fn transform(args: &TransformArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    let entries: Vec<&str> = args.entries.iter().map(String::as_str).collect();
    let sizes: Vec<(&str, i64)> = args.sizes.iter().map(|(name, size)| (name.as_str(), *size)).collect();
    run(&args.program, reading, output, ("transform", "transformed"), |program, version| {
        let Root::Module(module) = program else {
            let message = "expected a module, got a function or another expression";
            return Err(Error::new(ErrorKind::TypeMismatch, message));
        };
        let params = constants(args, module, &reading.meter)?;
        let params: Vec<_> = params.iter().map(|(name, tensor)| (&**name, tensor.clone())).collect();
        let (max_steps, meter) = (reading.limits.max_steps, &reading.meter);
        let compile = |calls: &IRModule| Evaluator::new(calls).max_steps(max_steps).meter(meter).into_compiled();
        let options = TransformOptions {
            compiler: Some(ModuleCompiler(&compile)),
            entries: &entries,
            sizes: &sizes,
            function: Some(&args.func),
            params: &params,
            shared_transform: if args.shared { SharedTransform::All } else { SharedTransform::No },
            order: SortOrder::named(&args.order)?,
            direction: SortDirection::named(&args.direction)?,
        };
        let transforms = args.names.iter().filter_map(|name| ModuleTransform::find(name));
        let passes = transforms.fold(PassManager::new(), |passes, it| {
            passes.pass(it.name, move |module: &IRModule| it.run(module, options))
        });
        let passes = if args.check { passes.verify(|module| verify(module, version)) } else { passes };
        let Some(file) = &args.trace else { return Ok((passes.run(module)?.into(), Vec::new())) };
        let (result, trace) = passes.trace(module, &format!("TVM {version}"));
        // The trace of a failure shows the program before it.
        write_file(file, packed(file, TvmVersion::V0_25.to_json(&trace.into())?)?)?;
        Ok((result?.into(), Vec::new()))
    })
}

/// Whether a module keeps the rules of a version of TVM.
fn verify(module: &IRModule, version: TvmVersion) -> Result<()> {
    let report = Checker::new().profile(Profile::of(version)).limit(1).check(module);
    report.first_error().map_or(Ok(()), |first| {
        let message = format!("{first}, the first of {}", counted(report.errors, "error"));
        Err(Error::new(ErrorKind::Malformed, message))
    })
}

/// The constants of parameters.
fn constants(args: &TransformArgs, module: &IRModule, meter: &Meter) -> Result<Vec<(String, Tensor)>> {
    let function = module.functions.iter().find(|(var, _)| *var.name_hint == *args.func);
    let params =
        function.and_then(|(_, it)| it.downcast::<Function>().ok()).map_or_else(Vec::new, |it| it.params.to_vec());
    let constant = |(name, text): &(String, String)| -> Result<Tensor> {
        let Some(param) = params.iter().find(|param| *param.vid.name_hint == **name) else {
            return Err(no_parameter(&args.func, name, params.iter().map(|param| &*param.vid.name_hint)));
        };
        literal(text, param.struct_info.as_ref(), meter)?.cast::<object_eval::Tensor>()?.to_constant()
    };
    let named = |it: &(String, String)| {
        let tensor = constant(it).map_err(|error| error.context(format_args!("parameter `{}`", it.0)))?;
        Ok((it.0.clone(), tensor))
    };
    args.params.iter().map(named).collect()
}

fn run(
    args: &ProgramArgs,
    reading: &Reading,
    output: &Output,
    (command, done): (&str, &'static str),
    change: impl FnOnce(&Root, TvmVersion) -> Result<(Any, Vec<Finding>)>,
) -> Result<Verdict> {
    let loaded = args.file.load(reading)?;
    let version = loaded.origin.version(command)?;
    let original = Graph::new(loaded.graph.root.clone(), loaded.graph.metadata.clone());
    let Graph { root, metadata, .. } = loaded.into_linked(command).map_err(|error| args.file.name_in(error))?;
    let changed = Root::of(&root).and_then(|program| change(&program, version)).and_then(|(program, findings)| {
        let is_changed = program != root;
        // The way to Rust types and back orders the nodes anew.
        if !is_changed && args.to.is_none_or(|to| to == version) {
            return Ok((original, false, findings));
        }
        let program = args.to.unwrap_or(version).from_rust_types(Graph::new(program, metadata))?;
        Ok((program, is_changed, findings))
    });
    let (program, is_changed, findings) = changed.map_err(|error| args.file.name_in(error))?;
    show(&args.file, args.output.as_deref(), output, &program, Summary { done, is_changed, findings: &findings })
}

/// Prints the program, or writes it into the file `out` and prints a summary.
fn show(file: &Source, out: Option<&Path>, output: &Output, program: &Graph, summary: Summary<'_>) -> Result<Verdict> {
    let Some(out) = out else {
        let text = JsonWriter::new().metadata(program.metadata.as_ref()).to_string(&program.root)?;
        summary.findings.iter().for_each(|finding| print_remark(format_args!("{file}: {finding}")));
        output.show_text(text)?;
        return Ok(Verdict::Same);
    };
    write_graph(program, out)?;
    summary.show(file, out, output)
}

/// The outcome of a command.
struct Summary<'a> {
    done: &'static str,
    is_changed: bool,
    findings: &'a [Finding],
}

impl Summary<'_> {
    /// Prints the outcome of a command that wrote the file `out`.
    fn show(self, file: &Source, out: &Path, output: &Output) -> Result<Verdict> {
        let written = Written { summary: self, file: file.to_string(), output: out.display().to_string() };
        output.show(&written, || written.to_json())?;
        Ok(Verdict::Same)
    }
}

/// The outcome of a command that wrote a file.
struct Written<'a> {
    summary: Summary<'a>,
    file: String,
    output: String,
}

impl Written<'_> {
    fn to_json(&self) -> Value {
        let finding = |it: &Finding| json!({"kind": format!("{:?}", it.kind), "path": it.path.to_string(), "message": it.message});
        json!({
            "file": self.file,
            "output": self.output,
            "changed": self.summary.is_changed,
            "findings": self.summary.findings.iter().map(finding).collect::<Vec<_>>(),
        })
    }
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let done = if self.summary.is_changed { self.summary.done } else { "unchanged" };
        write!(f, "{done}: {}, written to {}", self.file, self.output)?;
        self.summary.findings.iter().try_for_each(|finding| write!(f, "\n  {finding}"))
    }
}

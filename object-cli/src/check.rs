//! `objir check`: whether programs are well-formed, with every violation.

use std::fmt::{self, Write};
use std::io;

use clap::Args as ClapArgs;
use object_core::{Error, Result, counted, inert};
use object_relax::well_formed::{
    Checker, Diagnostic, Level, Phase, Profile, Report, Rule, RuleCount, Severity, find_rule, reason_of_levels,
};
use object_script::print::ScriptPrinter;
use object_script::rendering::{CheckText, ShownScript, check_verdict, short_repr};
use serde_json::{Value, json};

use crate::batch;
use crate::file_set::Arguments;
use crate::finding::{self, Finding, failure};
use crate::format::FormatArgs;
use crate::input::{Program, Reading};
use crate::message::max_message;
use crate::output::{Output, Verdict, renderer};
use crate::source::Source;

/// `objir check`.
#[derive(ClapArgs)]
pub(crate) struct CheckArgs {
    /// The files, folders, patterns, or `-`.
    #[arg(required_unless_present = "explain", value_name = "FILE")]
    files: Vec<Source>,

    /// Check the rules of this phase and of earlier phases: ast, normal or typed.
    #[arg(long, default_value_t = Phase::Typed, value_parser = phase)]
    phase: Phase,

    /// Whose rules give errors: tvm-0.25, tvm-0.27, strict (of TVM and of the specification) or spec (of the specification;
    /// each message cites it). Without it, the version of TVM that wrote the file decides.
    #[arg(long, value_parser = Profile::find)]
    profile: Option<Profile>,

    /// Show each warning with its place. Without it, each rule with warnings has one line with their number.
    #[arg(long)]
    details: bool,

    /// Do not report violations of this rule.
    #[arg(long, value_name = "RULE", value_parser = find_rule, value_delimiter = ',')]
    allow: Vec<&'static Rule>,

    /// Report violations of this rule as warnings.
    #[arg(long, value_name = "RULE", value_parser = find_rule, value_delimiter = ',')]
    warn: Vec<&'static Rule>,

    /// Report violations of this rule as errors.
    #[arg(long, value_name = "RULE", value_parser = find_rule, value_delimiter = ',')]
    deny: Vec<&'static Rule>,

    /// Print the text, the source and two examples of a rule, and check nothing.
    #[arg(long, value_name = "RULE", value_parser = find_rule, conflicts_with = "files")]
    explain: Option<&'static Rule>,

    /// The largest number of errors, and of warnings, to show for a file.
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// The phase of this name.
fn phase(name: &str) -> Result<Phase, String> {
    let names = Phase::ALL.map(Phase::name).join(", ");
    Phase::ALL.into_iter().find(|phase| phase.name() == name).ok_or_else(|| format!("the phases are {names}"))
}

pub(crate) fn run(args: &CheckArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    if let Some(rule) = args.explain {
        output.show(Explained(rule), || explanation(rule))?;
        return Ok(Verdict::Same);
    }
    let rules = Rules::of(args)?;
    let arguments = Arguments::of(&args.files)?;
    if arguments.has_sets {
        return check_sets(&arguments.sources, &rules, reading, output);
    }
    let mut reports = Reports { files: Vec::new(), failed: Vec::new() };
    let is_single = arguments.sources.len() == 1;
    let check =
        |source: &Source| Checked::of(source.clone(), &rules, reading).map_err(|error| (source.to_string(), error));
    batch::for_each(&arguments.sources, check, |file: Result<Checked, (String, Error)>| match file {
        Ok(file) => {
            reports.files.push(file);
            Ok(())
        }
        Err((_, error)) if is_single => Err(error),
        Err(failed) => {
            output.fail_in_report(&failed.1);
            reports.failed.push(failed);
            Ok(())
        }
    })?;
    output.show(&reports, || reports.to_json())?;
    output.find(|| reports.files.iter().flat_map(Checked::findings).collect())?;
    let is_well_formed = reports.files.iter().all(|file| file.report.is_well_formed());
    Ok(if reports.failed.is_empty() { Verdict::of(is_well_formed) } else { Verdict::Failed })
}

/// Checks the files of folders and patterns, with one line for each file.
fn check_sets(sources: &[Source], rules: &Rules, reading: &Reading, output: &Output) -> Result<Verdict> {
    let check = |source: &Source| {
        let checked = Checked::of(source.clone(), rules, reading);
        let has_findings = !(output.is_text() || output.is_json());
        checked.map(|checked| Summary::of(checked, has_findings)).map_err(|error| (source.to_string(), error))
    };
    let (mut total, mut failed, mut files) = (Summary::default(), 0, Vec::new());
    batch::for_each(sources, check, |result: Result<Summary, (String, Error)>| match result {
        Ok(summary) => {
            (total.errors, total.warnings) = (total.errors + summary.errors, total.warnings + summary.warnings);
            files.push(summary.json);
            output.find(|| summary.findings)?;
            if output.is_text() { output.show_text(inert(&summary.line)) } else { Ok(()) }
        }
        Err((file, error)) => {
            failed += 1;
            output.fail_in_report(&error);
            files.push(failure(&file, &error));
            if output.is_text() { output.show_text(format_args!("failed       {}", inert(&file))) } else { Ok(()) }
        }
    })?;
    let line = verdict(total.errors, total.warnings, sources.len(), failed, total.errors == 0);
    output.show(line, || json!({"errors": total.errors, "warnings": total.warnings, "files": files}))?;
    Ok(if failed > 0 { Verdict::Failed } else { Verdict::of(total.errors == 0) })
}

/// The result for a file in a few words.
#[derive(Default)]
struct Summary {
    errors: usize,
    warnings: usize,
    line: String,
    json: Value,
    findings: Vec<Finding>,
}

impl Summary {
    // The graph is released in the thread that loaded it.
    #[allow(clippy::needless_pass_by_value, reason = "the summary replaces the graph")]
    fn of(checked: Checked, has_findings: bool) -> Self {
        let Checked { source, report, .. } = &checked;
        let word = if report.is_well_formed() { "well-formed" } else { "ill-formed" };
        let mut line = format!("{word:<11}  {source}");
        if let Some(first) = report.diagnostics.first() {
            let (errors, warnings) = (counted(report.errors, "error"), counted(report.warnings, "warning"));
            let _ = write!(line, ": {errors}, {warnings}; first: {} at {}", first.rule.name, first.path);
        }
        let findings = if has_findings { checked.findings() } else { Vec::new() };
        Summary { errors: report.errors, warnings: report.warnings, line, json: checked.to_json(), findings }
    }
}

/// The rules that the options choose.
struct Rules {
    /// The checker without a profile.
    checker: Checker,
    profile: Option<Profile>,
    /// Whether to show each warning.
    details: bool,
}

impl Rules {
    /// The chosen phase, profile and levels. The later of two options does not count more: `--deny` outranks `--warn`, and
    /// `--warn` outranks `--allow`.
    fn of(args: &CheckArgs) -> Result<Self> {
        let mut checker = Checker::new().phase(args.phase).limit(args.limit);
        let chosen = [(&args.allow, Level::Allow), (&args.warn, Level::Warn), (&args.deny, Level::Deny)];
        for (rules, level) in chosen {
            for rule in rules {
                checker = checker.level(rule.name, level)?;
            }
        }
        Ok(Rules { checker, profile: args.profile, details: args.details })
    }

    /// The result for a program of a version.
    fn check(&self, program: &Program) -> Report {
        let profile = self.profile.unwrap_or(Profile::of(program.version));
        self.checker.clone().profile(profile).check(&program.graph.root)
    }
}

/// A rule in full.
struct Explained(&'static Rule);

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = self.0;
        writeln!(f, "{}: phase {}\n\n{}\n", rule.name, rule.phase, rule.text)?;
        Profile::ALL.into_iter().try_for_each(|it| writeln!(f, "Under {it}: {}.", rule.level(it)))?;
        let reason = reason_of_levels(rule);
        if !reason.is_empty() {
            writeln!(f, "They differ because: {reason}.")?;
        }
        writeln!(f, "Source: {}.\n\nBreaks the rule:\n\n    {}\n", rule.source, rule.failing)?;
        write!(f, "Keeps it:\n\n    {}\n\nPage: {}", rule.passing, rule.page())
    }
}

fn explanation(rule: &'static Rule) -> Value {
    let levels = Profile::ALL.map(|profile| (profile.name().to_owned(), rule.level(profile).name().into()));
    let levels: serde_json::Map<String, Value> = levels.into_iter().collect();
    json!({
        "rule": rule.name,
        "levels": levels,
        "reason": reason_of_levels(rule),
        "phase": rule.phase.name(),
        "criteria": rule.criteria,
        "text": rule.text,
        "source": rule.source,
        "failing": rule.failing,
        "passing": rule.passing,
        "page": rule.page(),
    })
}

/// The result for a file.
struct Checked {
    source: Source,
    program: Program,
    report: Report,
    shown: Shown,
}

/// How the violations in a file are shown.
struct Shown {
    printer: ScriptPrinter,
    details: bool,
    cites: bool,
}

impl Checked {
    fn of(source: Source, rules: &Rules, reading: &Reading) -> Result<Self> {
        let program = source.load_program("check", reading)?;
        let report = rules.check(&program);
        let cites = rules.profile == Some(Profile::Spec);
        let shown = Shown { printer: reading.printer(), details: rules.details, cites };
        Ok(Checked { source, program, report, shown })
    }

    /// The violations as findings.
    fn findings(&self) -> Vec<Finding> {
        self.with_places(|name, shown| {
            let finding = |it: &Diagnostic| {
                let level = match it.severity {
                    Severity::Error => finding::Level::Error,
                    Severity::Warning => finding::Level::Warning,
                };
                Finding {
                    rule: Some(it.rule.name),
                    file: Some(name.to_owned()),
                    place: shown.and_then(|shown| shown.line_column_of(&it.path)),
                    path: Some(it.path.to_string()),
                    help: it.fix.clone(),
                    ..Finding::new(level, "violation", &it.message)
                }
            };
            self.report.diagnostics.iter().map(finding).collect()
        })
    }

    /// Calls `then` with the name of the file and, if the file is a script with violations, the places of the script.
    fn with_places<R>(&self, then: impl FnOnce(&str, Option<&ShownScript<'_>>) -> R) -> R {
        let Checked { source, program: Program { graph, script, .. }, report, shown } = self;
        let is_script = script.is_some() && !report.diagnostics.is_empty();
        let printed = is_script.then(|| shown.printer.print(&graph.root));
        let name = source.to_string();
        let shown = printed.as_ref().map(|printed| ShownScript::new(&name, printed, script.as_deref()));
        then(&name, shown.as_ref())
    }

    fn to_json(&self) -> Value {
        let Checked { program, report, .. } = self;
        self.with_places(|name, shown| {
            json!({
                "file": name,
                "version": program.version.name(),
                "errors": report.errors,
                "warnings": report.warnings,
                "rules": report.counts.iter().map(count).collect::<Vec<_>>(),
                "is_complete": report.is_complete,
                "diagnostics": report.diagnostics.iter().map(|it| diagnostic(it, shown)).collect::<Vec<_>>(),
            })
        })
    }
}

/// The results for all files.
struct Reports {
    files: Vec<Checked>,
    /// The files that cannot be read, with the reasons.
    failed: Vec<(String, Error)>,
}

impl Reports {
    fn count(&self, count: impl Fn(&Report) -> usize) -> usize {
        self.files.iter().map(|file| count(&file.report)).sum()
    }

    fn to_json(&self) -> Value {
        let failed = self.failed.iter().map(|(file, error)| failure(file, error));
        json!({
            "errors": self.count(|report| report.errors),
            "warnings": self.count(|report| report.warnings),
            "files": self.files.iter().map(Checked::to_json).chain(failed).collect::<Vec<_>>(),
        })
    }
}

/// The number of violations of a rule.
fn count(it: &RuleCount) -> Value {
    json!({"rule": it.rule.name, "severity": it.severity.to_string(), "count": it.count})
}

/// A violation, with the line and the column if the file is a script.
fn diagnostic(it: &Diagnostic, shown: Option<&ShownScript<'_>>) -> Value {
    let (line, column) = shown.and_then(|shown| shown.line_column_of(&it.path)).unzip();
    let related = it.related.iter().map(|related| {
        json!({
            "path": related.path.to_string(),
            "message": related.message,
            "value": short_repr(&related.object),
        })
    });
    json!({
        "rule": it.rule.name,
        "severity": it.severity.to_string(),
        "page": it.rule.page(),
        "criteria": it.rule.criteria,
        "source": it.rule.source,
        "path": it.path.to_string(),
        "line": line,
        "column": column,
        "value": short_repr(&it.object),
        "message": it.message,
        "related": related.collect::<Vec<_>>(),
        "expected": it.expected,
        "given": it.given,
        "fix": it.fix,
    })
}

impl fmt::Display for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let renderer = renderer(&io::stdout());
        for Checked { source, program, report, shown } in &self.files {
            let text = CheckText {
                name: &source.to_string(),
                root: &program.graph.root,
                report,
                given: program.script.as_deref(),
                printer: &shown.printer,
                renderer: &renderer,
                max_message: max_message(),
                details: shown.details,
                cites: shown.cites,
            };
            write!(f, "{text}")?;
        }
        let (errors, warnings) = (self.count(|report| report.errors), self.count(|report| report.warnings));
        let is_well_formed = self.files.iter().all(|file| file.report.is_well_formed());
        let files = self.files.len() + self.failed.len();
        f.write_str(&verdict(errors, warnings, files, self.failed.len(), is_well_formed))
    }
}

/// The line after the results of all files.
fn verdict(errors: usize, warnings: usize, files: usize, failed: usize, is_well_formed: bool) -> String {
    let mut line = check_verdict(errors, warnings, is_well_formed);
    if files != 1 {
        let _ = write!(line, " in {}", counted(files, "file"));
    }
    if failed > 0 {
        let _ = write!(line, ", {} not checked", counted(failed, "file"));
    }
    line
}

//! `objir fmt`: files with the scripts in them as the printer writes them.

use clap::Args as ClapArgs;
use object_codegen::unified_diff::unified_diff;
use object_core::{Error, ErrorKind, Result};
use object_script::file::is_script;
use serde_json::json;

use crate::batch;
use crate::file_set::Arguments;
use crate::finding::{Finding, Level};
use crate::format::FormatArgs;
use crate::input::Reading;
use crate::output::{Output, Verdict, print_remark, write_file};
use crate::script;
use crate::source::{Content, Source};
use crate::types::Loaded;

/// `objir fmt`.
#[derive(ClapArgs)]
pub(crate) struct FmtArgs {
    /// The files, folders, patterns, or `-`. Of folders and patterns, it takes the scripts.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<Source>,

    /// Write to the files instead of standard output.
    #[arg(short, long, conflicts_with = "check")]
    write: bool,

    /// Write nothing, name the files that are not formatted, and exit with 1 if there is one.
    #[arg(long)]
    check: bool,

    /// Write nothing, show the changes as a unified diff, and exit with 1 if there is one.
    #[arg(long, conflicts_with_all = ["write", "check"])]
    diff: bool,

    /// The number of spaces for each level of indentation.
    #[arg(long, value_name = "N", default_value_t = 4)]
    indent: usize,

    #[command(flatten)]
    pub(crate) format: FormatArgs,
}

/// A file before and after formatting.
struct Formatted {
    source: Source,
    name: String,
    given: Content,
    text: String,
    /// Whether the file is a script that is not packed, which `--write` can write.
    is_plain: bool,
}

pub(crate) fn run(args: &FmtArgs, reading: &Reading, output: &Output) -> Result<Verdict> {
    if !(args.check || output.is_text() || output.is_json()) {
        let message =
            "`fmt` has findings for `--format sarif` and `--format github` with `--check` alone; add `--check`";
        return Err(Error::new(ErrorKind::Io, message));
    }
    let files = Arguments::of(&args.files)?;
    let mut is_formatted = true;
    let verdict = batch::for_each_file(
        &files.sources,
        output,
        |source| formatted(source, files.has_sets, args, reading),
        |formatted| {
            let Some(formatted) = formatted else { return Ok(()) };
            is_formatted &= formatted.is_same();
            formatted.show(args, output)
        },
    )?;
    if verdict == Verdict::Failed {
        if files.sources.len() > 1 && output.is_text() {
            print_remark("a file with an error stays as it is; the other files are formatted");
        }
        return Ok(verdict);
    }
    Ok(Verdict::of(is_formatted || !(args.check || args.diff)))
}

/// The formatted file. `None` for a file of a folder or a pattern that is not a script.
fn formatted(source: &Source, is_set: bool, args: &FmtArgs, reading: &Reading) -> Result<Option<Formatted>> {
    let given = source.read(&reading.limits)?;
    let name = source.to_string();
    let is_script = is_script(&name, &given);
    if is_set && !is_script {
        return Ok(None);
    }
    let is_plain = is_script && !name.ends_with(".gz");
    if args.write && !is_plain && *source != Source::Stdin {
        let message = "`fmt --write` writes scripts, and this file is not a plain script; use `print`";
        return Err(source.name_in(Error::new(ErrorKind::Malformed, message)));
    }
    let text = if is_script {
        let text =
            reading.check_reads_scripts().and_then(|()| script::format(&name, &given, args.indent, &reading.meter));
        text.map_err(|error| source.name_in(error))?
    } else {
        let loaded = reading.graph(&name, &given);
        loaded.and_then(|loaded| printed(loaded, args, reading)).map_err(|error| source.name_in(error))?
    };
    Ok(Some(Formatted { source: source.clone(), name, given, text, is_plain }))
}

impl Formatted {
    fn is_same(&self) -> bool {
        *self.given == *self.text.as_bytes()
    }

    /// Writes the file, or shows what the options ask for.
    fn show(&self, args: &FmtArgs, output: &Output) -> Result<()> {
        let Formatted { name, text, .. } = self;
        match &self.source {
            _ if args.check && output.is_json() => output.show_text(json!({"file": name, "formatted": self.is_same()})),
            _ if args.check && self.is_same() => Ok(()),
            _ if args.check && !output.is_text() => output.find(|| vec![self.finding()]),
            _ if args.check => output.show_text(format_args!("{name}: not formatted")),
            _ if args.diff && output.is_json() => output.show_text(json!({"file": name, "diff": self.diff()})),
            _ if args.diff && self.is_same() => Ok(()),
            _ if args.diff => output.show_text(self.diff().trim_end_matches('\n')),
            Source::File(_) if args.write && self.is_same() => Ok(()),
            Source::File(path) if args.write && self.is_plain => write_file(path, text),
            _ => output.show(text.strip_suffix('\n').unwrap_or(text), || json!({"file": name, "script": text})),
        }
    }

    /// The finding that the file is not formatted, at its first line that changes.
    fn finding(&self) -> Finding {
        let given = String::from_utf8_lossy(&self.given);
        let same = given.lines().zip(self.text.lines()).take_while(|(given, text)| given == text).count();
        let message = "the script is not formatted";
        Finding {
            file: Some(self.name.clone()),
            place: Some((same + 1, 1)),
            help: Some(format!("`objir fmt --write {}` formats it", self.name)),
            ..Finding::new(Level::Error, "unformatted", message)
        }
    }

    /// The change as a unified diff, which `patch` applies. It is empty for a formatted file.
    fn diff(&self) -> String {
        unified_diff(&self.name, &String::from_utf8_lossy(&self.given), &self.text)
    }
}

/// The script of a graph, of the version of the graph.
///
/// # Errors
/// The errors of `ScriptPrinter::try_print_text`.
fn printed(loaded: Loaded, args: &FmtArgs, reading: &Reading) -> Result<String> {
    let printer = reading
        .printer()
        .version(loaded.origin.version("fmt")?)
        .show_meta(true)
        .indent_spaces(args.indent)
        .verbose_expr(true);
    Ok(printer.try_print_text(&loaded.into_linked("fmt")?.root)? + "\n")
}

//! Replays the facts of an unpacked corpus folder against this project and prints the disagreements.
//!
//! The exit code is 0 if all facts except the listed exceptions hold, 1 if one does not, 2 if the folder cannot be
//! read.

#![forbid(unsafe_code)]

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::registry::Types;
use object_tests::corpus::{self, Exceptions, Options, Report};

/// Replays the facts of an unpacked corpus folder against this project.
#[derive(Parser)]
struct Args {
    /// The folder, which contains `index.jsonl` and `modules/`.
    dir: PathBuf,

    /// The kinds of facts to run; all if not given.
    #[arg(long = "kind", value_name = "KIND", value_delimiter = ',')]
    kinds: Vec<String>,

    /// Run only a sample of N facts of each kind.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,

    /// The seed of the sample.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Take types that are not linked from this schema.
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// Take types whose keys begin with PREFIX from the schema even if they are linked.
    #[arg(long, value_name = "PREFIX", requires = "schema")]
    dynamic_only: Vec<String>,

    /// The number of threads; one per processor by default.
    #[arg(long, value_name = "T")]
    threads: Option<usize>,
}

fn main() -> ExitCode {
    corpus::hide_panics_of_checks();
    let args = Args::parse();
    match run(args) {
        Ok(report) => {
            // A closed pipe, such as after `| head`, does not change the exit code.
            let _ = write!(io::stdout(), "{report}");
            if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::from(1) }
        }
        Err(error) => {
            let _ = writeln!(io::stderr(), "corpus: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: Args) -> Result<Report, String> {
    let defaults = Options::default();
    let threads = args.threads.unwrap_or(defaults.threads);
    let types = args.schema.map(|file| types(&file, &args.dynamic_only)).transpose()?;
    let options = Options { kinds: args.kinds, sample: args.sample, seed: args.seed, threads, types };
    corpus::run(&args.dir, &options, &Exceptions::listed()?)
}

/// The linked types and the types of the schema in `file`.
fn types(file: &Path, dynamic_only: &[String]) -> Result<Types, String> {
    let text = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let loader = SchemaLoader::new().name(file.display().to_string()).prefer_linked(true);
    let loader = dynamic_only.iter().fold(loader, |loader, prefix| loader.replace_linked(prefix));
    Schema::parse(&text).and_then(|schema| loader.load(&schema)).map_err(|error| error.to_string())
}

//! The arguments of `objir codegen`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use object_codegen::Target;

use crate::source::Source;

/// `objir codegen`.
#[derive(ClapArgs)]
pub(crate) struct CodegenArgs {
    /// The types: schemas in JSON, and Python files with `@declare` or `py_class` classes, which are read and not run.
    /// Without them, the types of this program.
    #[arg(value_name = "FILE")]
    pub(crate) inputs: Vec<Source>,

    /// The target.
    #[arg(long, value_name = "TARGET", help = format!("The target: {}", Target::ALL.map(Target::name).join(", ")))]
    pub(crate) lang: Target,

    /// Types that the generated types refer to, and that other files contain.
    #[arg(long, value_name = "FILE")]
    pub(crate) context: Vec<Source>,

    /// Also take the types of this program as context.
    #[arg(long)]
    pub(crate) linked: bool,

    /// Generate only types whose keys begin with PREFIX.
    #[arg(long, value_name = "PREFIX")]
    pub(crate) prefix: Vec<String>,

    /// Write the classes of the namespace FROM into the namespace TO. An empty FROM is for names without dots.
    #[arg(long, value_name = "FROM=TO", value_parser = namespace_pair)]
    pub(crate) namespace: Vec<(String, String)>,

    /// The types whose keys begin with PREFIX are in the module MODULE of Python, such as `shapes.base`, or of Rust, such as
    /// `crate::base`.
    #[arg(long, value_name = "PREFIX=MODULE", value_parser = home_pair)]
    pub(crate) module: Vec<(String, String)>,

    /// The types whose keys begin with PREFIX are in the header HEADER of C++.
    #[arg(long, value_name = "PREFIX=HEADER", value_parser = home_pair)]
    pub(crate) include: Vec<(String, String)>,

    /// Write the text into this file instead of to standard output.
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place")]
    pub(crate) output: Option<PathBuf>,

    /// The name of the header, as `#include` writes it.
    #[arg(long, value_name = "NAME")]
    pub(crate) header: Option<String>,

    /// Update the regions of these files.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) in_place: Vec<PathBuf>,

    /// Replace generated lines that somebody edited, and files that objir did not write.
    #[arg(long)]
    pub(crate) overwrite: bool,

    /// Write nothing; exit with 1 and show the difference if a file is not current.
    #[arg(long)]
    pub(crate) check: bool,
}

/// `FROM=TO`.
pub(crate) fn namespace_pair(text: &str) -> Result<(String, String), String> {
    pair(text, "FROM=TO, such as `relax.expr=tvm.relax`")
}

/// `PREFIX=PLACE`.
fn home_pair(text: &str) -> Result<(String, String), String> {
    pair(text, "PREFIX=PLACE, such as `demo.=demo_types`")
}

fn pair(text: &str, form: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').map(|(from, to)| (from.to_owned(), to.to_owned()));
    pair.ok_or_else(|| format!("`{text}` has no `=`; write {form}"))
}

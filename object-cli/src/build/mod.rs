//! `objir build`: declarations to a library that a process with tvm-ffi loads.

mod cpp;
mod program;
mod rust;

use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, ValueEnum};
use object_codegen::files::write_files;
use object_codegen::model::Model;
use object_codegen::{Target, generate};
use object_core::{Error, ErrorKind, Result};

use crate::codegen::{check_origin, none, read, renamed};
use crate::codegen_args::namespace_pair;
use crate::input::Reading;
use crate::output::{Verdict, unwritten};
use crate::source::Source;

/// `objir build`.
#[derive(ClapArgs)]
pub(crate) struct BuildArgs {
    /// The types, as `objir codegen` takes them.
    #[arg(value_name = "FILE", required = true)]
    inputs: Vec<Source>,

    /// The library. The module of Python is beside it, and loads it: `libshapes.so` has the module `shapes_types.py`.
    #[arg(short, long, value_name = "LIBRARY")]
    output: PathBuf,

    /// The language of the library. C++ needs a compiler and tvm-ffi; Rust needs cargo and `--crates`.
    #[arg(long, value_name = "LANGUAGE", default_value = "cpp")]
    lang: BuildLanguage,

    /// The folder with the crates `object-core` and `object-ffi`, for a library of Rust.
    #[arg(long, value_name = "FOLDER")]
    crates: Option<PathBuf>,

    /// The profile of cargo, for a library of Rust: `dev` compiles faster, to a slower library.
    #[arg(long, value_name = "NAME", default_value = "release")]
    profile: String,

    /// As in `objir codegen`.
    #[arg(long, value_name = "FROM=TO", value_parser = namespace_pair)]
    namespace: Vec<(String, String)>,

    /// For a library of C++, the program of tvm-ffi that prints the options of compilers.
    #[arg(long, value_name = "PROGRAM", default_value = "tvm-ffi-config")]
    config: PathBuf,

    /// Replace a module that somebody edited, or that objir did not write.
    #[arg(long)]
    overwrite: bool,
}

/// The language of a library.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum BuildLanguage {
    Cpp,
    Rust,
}

/// Runs the command. The environment variables `CXX` and `CARGO` name the programs, which are `c++` and `cargo` by default, and
/// `CARGO_TARGET_DIR` a folder that keeps what cargo has compiled.
pub(crate) fn run(args: &BuildArgs, reading: &Reading) -> Result<Verdict> {
    let [schema, context] = renamed(&args.namespace, &[read(&args.inputs, &none(), reading)?, none()]);
    let module = module_of(&args.output);
    if !args.overwrite {
        check_origin(&module)?;
    }
    let name = args.output.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let model = Model::new(&schema, &context)?.meter(&reading.meter).library(&name);
    check_code(&model, args.lang)?;
    let folder = tempfile::tempdir().map_err(Error::from)?;
    let library = match args.lang {
        BuildLanguage::Cpp => cpp::library(&model, &args.config, folder.path())?,
        BuildLanguage::Rust => rust::library(&model, args.crates.as_deref(), &args.profile, &name, folder.path())?,
    };
    let library = std::fs::read(library).map_err(Error::from)?;
    let wrappers = generate(Target::PythonWrappers, &model, "")?.into_bytes();
    write_files([(&args.output, library), (&module, wrappers)]).map_err(unwritten)?;
    Ok(Verdict::Same)
}

/// The module of a library. Its name differs from the one of the library, which Python would take for a module as well.
fn module_of(library: &Path) -> PathBuf {
    let stem = library.file_stem().unwrap_or_default().to_string_lossy();
    library.with_file_name(format!("{}_types.py", stem.strip_prefix("lib").unwrap_or(&stem)))
}

/// Checks that no type needs code that people write.
///
/// # Errors
/// [`NotConstructible`](ErrorKind::NotConstructible), naming the type.
fn check_code(model: &Model<'_>, language: BuildLanguage) -> Result<()> {
    let decls = model.generated().into_iter().map(|index| model.decl(index));
    let Some(decl) = decls.into_iter().find(|decl| decl.is_custom || !decl.methods.is_empty()) else { return Ok(()) };
    let what = if decl.is_custom { "hooks" } else { "methods" };
    let (title, files) = match language {
        BuildLanguage::Cpp => ("C++", "the header and the source"),
        BuildLanguage::Rust => ("Rust", "the structs"),
    };
    let message = format!(
        "`{}` has {what} that people write in {title}; write {files} by `objir codegen`, and compile them with that code",
        decl.key
    );
    Err(Error::new(ErrorKind::NotConstructible, message))
}

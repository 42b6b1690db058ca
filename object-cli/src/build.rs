//! `objir build`: declarations to a library that a process with tvm-ffi loads.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use clap::Args as ClapArgs;
use object_codegen::files::write_files;
use object_codegen::model::Model;
use object_codegen::{Target, generate};
use object_core::{Error, ErrorKind, Result};

use crate::codegen::{check_origin, none, read};
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

    /// The program of tvm-ffi that prints the options of compilers.
    #[arg(long, value_name = "PROGRAM", default_value = "tvm-ffi-config")]
    config: PathBuf,

    /// Replace a module that somebody edited, or that objir did not write.
    #[arg(long)]
    overwrite: bool,
}

/// Runs the command. The environment variable `CXX` names the compiler, which is `c++` by default.
pub(crate) fn run(args: &BuildArgs, reading: &Reading) -> Result<Verdict> {
    let (schema, context) = (read(&args.inputs, &none(), reading)?, none());
    let module = module_of(&args.output);
    if !args.overwrite {
        check_origin(&module)?;
    }
    let name = args.output.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let model = Model::new(&schema, &context)?.meter(&reading.meter).library(&name);
    check_code(&model)?;
    let folder = tempfile::tempdir().map_err(Error::from)?;
    let file = |name: &str| folder.path().join(name);
    let header = generate(Target::Cpp, &model, "types.h")?;
    let source = generate(Target::CppSource, &model, "types.h")?;
    write_files([(file("types.h"), header), (file("types.cc"), source)]).map_err(unwritten)?;
    compile(args, &file("types.cc"), &file("library"))?;
    let library = std::fs::read(file("library")).map_err(Error::from)?;
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
fn check_code(model: &Model<'_>) -> Result<()> {
    let decls = model.generated().into_iter().map(|index| model.decl(index));
    let Some(decl) = decls.into_iter().find(|decl| decl.is_custom || !decl.methods.is_empty()) else { return Ok(()) };
    let what = if decl.is_custom { "hooks" } else { "methods" };
    let message = format!(
        "`{}` has {what} that people write in C++; write the header and the source by `objir codegen`, and compile them with \
         that code",
        decl.key
    );
    Err(Error::new(ErrorKind::NotConstructible, message))
}

/// Compiles the source into a library.
///
/// # Errors
/// [`Io`](ErrorKind::Io) if a program does not run or fails, with its messages.
fn compile(args: &BuildArgs, source: &Path, library: &Path) -> Result<()> {
    let option = |name: &str| {
        let advice = "install tvm-ffi (`pip install apache-tvm-ffi`), or name its program by `--config`";
        let output = succeed(Command::new(&args.config).arg(name), advice)?;
        Ok::<_, Error>(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let (include, dlpack, libraries) = (option("--includedir")?, option("--dlpack-includedir")?, option("--libdir")?);
    let compiler = env::var_os("CXX").filter(|it| !it.is_empty()).unwrap_or_else(|| OsStr::new("c++").to_owned());
    let mut command = Command::new(compiler);
    command.args(["-std=c++17", "-O2", "-fPIC", "-shared", "-I", &include, "-I", &dlpack]).arg(source);
    command.arg("-o").arg(library).arg(format!("-L{libraries}")).arg("-ltvm_ffi");
    succeed(command.arg(format!("-Wl,-rpath,{libraries}")), "install a compiler of C++17, or name it by `CXX`")
        .map(drop)
}

/// The output of a program that succeeds.
///
/// # Errors
/// As [`compile`]. `advice` is for a program that does not run.
fn succeed(command: &mut Command, advice: &str) -> Result<Output> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .map_err(|error| Error::new(ErrorKind::Io, format!("`{name}` does not run: {error}; {advice}")))?;
    if output.status.success() {
        return Ok(output);
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    Err(Error::new(ErrorKind::Io, format!("`{name}` failed: {}", messages.trim())))
}

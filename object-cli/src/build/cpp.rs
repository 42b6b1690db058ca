//! A library of C++.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use object_codegen::files::write_files;
use object_codegen::model::Model;
use object_codegen::{Target, generate};
use object_core::{Error, Result};

use super::program::succeed;
use crate::output::unwritten;

/// The library of the types, in `folder`. `config` is the program of tvm-ffi that prints the options of compilers.
///
/// # Errors
/// As [`generate`], and [`Io`](object_core::ErrorKind::Io) if a program does not run or fails, with its messages.
pub(super) fn library(model: &Model<'_>, config: &Path, folder: &Path) -> Result<PathBuf> {
    let file = |name: &str| folder.join(name);
    let header = generate(Target::Cpp, model, "types.h")?;
    let source = generate(Target::CppSource, model, "types.h")?;
    write_files([(file("types.h"), header), (file("types.cc"), source)]).map_err(unwritten)?;
    let option = |name: &str| {
        let advice = "install tvm-ffi (`pip install apache-tvm-ffi`), or name its program by `--config`";
        let output = succeed(Command::new(config).arg(name), advice)?;
        Ok::<_, Error>(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let (include, dlpack, libraries) = (option("--includedir")?, option("--dlpack-includedir")?, option("--libdir")?);
    let compiler = env::var_os("CXX").filter(|it| !it.is_empty()).unwrap_or_else(|| OsStr::new("c++").to_owned());
    let mut command = Command::new(compiler);
    command.args(["-std=c++17", "-O2", "-fPIC", "-shared", "-I", &include, "-I", &dlpack]).arg(file("types.cc"));
    command.arg("-o").arg(file("library")).arg(format!("-L{libraries}")).arg("-ltvm_ffi");
    command.arg(format!("-Wl,-rpath,{libraries}"));
    succeed(&mut command, "install a compiler of C++17, or name it by `CXX`")?;
    Ok(file("library"))
}

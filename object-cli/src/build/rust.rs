//! A library of Rust: a crate with the types as structs, which cargo compiles.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf, absolute};
use std::process::Command;

use object_codegen::files::write_files;
use object_codegen::model::Model;
use object_codegen::{Target, generate};
use object_core::{Error, ErrorKind, Result};
use serde_json::Value;

use super::program::succeed;
use crate::output::unwritten;

const SOURCE: &str = "//! Types of declarations, for tvm-ffi.\n\npub mod types;\n\nobject_ffi::export!();\n";

/// The library of the types, by a crate in `folder`. `crates` is the folder with the crates that it uses, `profile` a profile
/// of cargo, and `name` the name of the library.
///
/// # Errors
/// As [`generate`]; [`Io`](ErrorKind::Io) if `crates` lacks a crate, or if cargo does not run or fails, with its messages.
pub(super) fn library(
    model: &Model<'_>,
    crates: Option<&Path>,
    profile: &str,
    name: &str,
    folder: &Path,
) -> Result<PathBuf> {
    let crates = crates_in(crates)?;
    let package = package_of(name);
    let types = generate(Target::Rust, model, "")?;
    std::fs::create_dir(folder.join("src")).map_err(Error::from)?;
    let files =
        [("Cargo.toml", manifest(&package, &crates)?), ("src/lib.rs", SOURCE.to_owned()), ("src/types.rs", types)];
    write_files(files.map(|(file, text)| (folder.join(file), text))).map_err(unwritten)?;
    // The versions of the dependencies are the ones that the crates are tested with, so no registry is asked for others.
    let lock = crates.join("Cargo.lock");
    if lock.is_file() {
        std::fs::copy(lock, folder.join("Cargo.lock")).map_err(Error::from)?;
    }
    let of_user = env::var_os("CARGO_TARGET_DIR").filter(|it| !it.is_empty());
    let target = of_user.map_or_else(|| Ok(folder.join("target")), absolute).map_err(Error::from)?;
    let cargo = env::var_os("CARGO").filter(|it| !it.is_empty()).unwrap_or_else(|| OsStr::new("cargo").to_owned());
    let mut command = Command::new(cargo);
    command.args(["build", "--profile", profile, "--manifest-path"]).arg(folder.join("Cargo.toml"));
    // In the folder of the crates, their configuration and their version of the compiler count.
    command.arg("--target-dir").arg(&target).current_dir(&crates).env_remove("CARGO_BUILD_TARGET");
    succeed(&mut command, "install Rust, or name cargo by `CARGO`")?;
    let outputs = if profile == "dev" { "debug" } else { profile };
    Ok(target.join(outputs).join(format!("{}{package}{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX)))
}

/// The folder with the crates, as an absolute path.
fn crates_in(folder: Option<&Path>) -> Result<PathBuf> {
    let wrong = |found: String| {
        let message = format!(
            "expected a folder with the crates `object-core` and `object-ffi`, {found}; name one by `--crates`, such as a clone of \
             the repository of objir"
        );
        Error::new(ErrorKind::Io, message)
    };
    let folder = folder.ok_or_else(|| wrong("got none".to_owned()))?;
    for name in ["object-core", "object-ffi"] {
        if !folder.join(name).join("Cargo.toml").is_file() {
            return Err(wrong(format!("`{}` has no `{name}`", folder.display())));
        }
    }
    absolute(folder).map_err(Error::from)
}

/// The package of the library `libshapes.so`: `objir_shapes`.
fn package_of(library: &str) -> String {
    let stem = library.strip_prefix(env::consts::DLL_PREFIX).unwrap_or(library);
    let stem = stem.split_once('.').map_or(stem, |(stem, _)| stem);
    format!("objir_{}", stem.replace(|it: char| !it.is_ascii_alphanumeric(), "_"))
}

/// The text of `Cargo.toml`. A text of TOML in double quotes is written as in JSON.
fn manifest(package: &str, crates: &Path) -> Result<String> {
    let not_text = || Error::new(ErrorKind::Io, format!("the path `{}` is not UTF-8", crates.display()));
    let quoted = |name: &str| Ok::<_, Error>(Value::from(crates.join(name).to_str().ok_or_else(not_text)?).to_string());
    let (core, ffi) = (quoted("object-core")?, quoted("object-ffi")?);
    Ok(format!(
        "[package]\nname = \"{package}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[lib]\ncrate-type = [\"cdylib\"]\n\n\
         [dependencies]\nobject-core = {{ path = {core} }}\nobject-ffi = {{ path = {ffi} }}\n\n[workspace]\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_of_a_library_gives_a_package() {
        for (library, package) in [
            ("libshapes.so", "objir_shapes"),
            ("my-shapes.v2.so", "objir_my_shapes"),
            ("lib.so", "objir_"),
            ("libtest.so", "objir_test"),
        ] {
            assert_eq!(package_of(library), package);
        }
    }
}

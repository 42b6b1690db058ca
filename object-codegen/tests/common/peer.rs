//! [`Peer`]: a Python with tvm-ffi, and a compiler of C++ with the headers of that tvm-ffi.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Python with tvm-ffi.
pub(crate) struct Peer {
    pub(crate) python: String,
    /// The folder of the package.
    package: PathBuf,
}

/// The output of a program that succeeds.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{command:?}\n{errors}\n{shown}");
    shown.trim().to_owned()
}

impl Peer {
    /// The Pythons that `PEER_PYTHONS` names. Without it, prints that the test is skipped.
    pub(crate) fn all() -> Vec<Peer> {
        let Ok(pythons) = env::var("PEER_PYTHONS") else {
            println!("skipped: PEER_PYTHONS names no Python with tvm-ffi");
            return Vec::new();
        };
        pythons.split(':').map(Peer::new).collect()
    }

    pub(crate) fn new(python: &str) -> Peer {
        let package = run(Command::new(python).args(["-c", "import tvm_ffi; print(tvm_ffi.__path__[0])"]));
        Peer { python: python.to_owned(), package: package.into() }
    }

    /// The version of tvm-ffi.
    pub(crate) fn version(&self) -> String {
        run(Command::new(&self.python).args(["-c", "import tvm_ffi; print(tvm_ffi.__version__)"]))
    }

    /// The compiler with the headers of tvm-ffi and of `folder`. Every warning is an error.
    fn compiler(&self, folder: &Path) -> Command {
        let mut compiler = Command::new(env::var("CXX").unwrap_or_else(|_| "g++".to_owned()));
        compiler.args(["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror"]);
        for include in [&self.package.join("include"), &self.package.join("3rdparty/dlpack/include"), folder] {
            compiler.arg("-I").arg(include);
        }
        compiler.current_dir(folder);
        compiler
    }

    /// Checks that a file of `folder` compiles.
    pub(crate) fn check(&self, folder: &Path, source: &str) {
        run(self.compiler(folder).args(["-fsyntax-only", source]));
    }

    /// Compiles sources into a library of `folder`.
    pub(crate) fn library<P: AsRef<Path>>(&self, folder: &Path, sources: &[P], library: &str) {
        let libraries = self.package.join("lib").display().to_string();
        let mut compiler = self.compiler(folder);
        compiler.args(["-fPIC", "-shared", "-o", library]).args(sources.iter().map(AsRef::as_ref));
        run(compiler.args([format!("-L{libraries}"), "-ltvm_ffi".to_owned(), format!("-Wl,-rpath,{libraries}")]));
    }

    /// The output of a program of Python in `folder`.
    pub(crate) fn python(&self, folder: &Path, program: &str) -> String {
        run(Command::new(&self.python).args(["-c", program]).current_dir(folder))
    }
}

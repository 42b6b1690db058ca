//! Runs `objir` from the root of the workspace. `BLESS=1` renews the snapshots.

use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{self, Command, Stdio};
use std::sync::Once;

use flate2::read::GzDecoder;
use serde_json::Value;

/// The files of `fixtures/` that contain modules.
pub(crate) const FIXTURES: [&str; 9] = [
    "constants.json.gz",
    "decoder.json.gz",
    "decoder_legalized.json.gz",
    "mlp.json.gz",
    "mlp_changed.json.gz",
    "mlp_renamed.json.gz",
    "odd.json.gz",
    "odd_subnormal.json.gz",
    "te_inputs.json.gz",
];

/// The result of a run.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The result as a snapshot shows it.
    pub(crate) fn show(&self) -> String {
        let Run { code, stdout, stderr } = self;
        let code = code.map_or("none".to_owned(), |code| code.to_string());
        format!("{stdout}{stderr}[exit code {code}]\n")
    }

    /// Standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.show()))
    }

    /// Whether standard error is empty.
    pub(crate) fn is_quiet(&self) -> bool {
        self.stderr.is_empty()
    }
}

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// With `BLESS=1`, runs the same tests in a new process with `UPDATE_EXPECT=1`, the variable that expect-test reads, and
/// exits with its code. (Setting a variable of this process is unsafe while other tests run.)
fn renew_snapshots_if_blessed() {
    static ONCE: Once = Once::new();
    if env::var_os("BLESS").is_none() || env::var_os("UPDATE_EXPECT").is_some() {
        return;
    }
    ONCE.call_once(|| {
        let tests = env::current_exe().expect("the test program has a path");
        let run = Command::new(tests).args(env::args_os().skip(1)).env("UPDATE_EXPECT", "1").status();
        process::exit(run.expect("the tests run again").code().unwrap_or(1));
    });
}

/// `objir` without arguments.
pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_objir"))
}

/// `objir` with arguments, which runs in the root of the workspace.
pub(crate) fn command(args: &[&str]) -> Command {
    renew_snapshots_if_blessed();
    let mut command = program();
    command.args(args).current_dir(root()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs `objir`.
pub(crate) fn objir(args: &[&str]) -> Run {
    finish(command(args).output())
}

/// Runs `objir` with `input` on its standard input.
pub(crate) fn objir_with(args: &[&str], input: &[u8]) -> Run {
    let mut child = command(args).stdin(Stdio::piped()).spawn().expect("objir starts");
    // A write error is fine: `objir` stops reading at the first mistake.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(input));
    finish(child.wait_with_output())
}

pub(crate) fn finish(output: io::Result<std::process::Output>) -> Run {
    let output = output.expect("objir runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is text");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The bytes of a fixture, still gzipped.
pub(crate) fn packed(name: &str) -> Vec<u8> {
    fs::read(root().join("fixtures").join(name)).expect("the fixture is there")
}

/// The unpacked text of a fixture.
pub(crate) fn text(name: &str) -> String {
    let file = File::open(root().join("fixtures").join(name)).expect("the fixture is there");
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("the fixture is gzipped text");
    text
}

/// Writes a file into the temporary folder of the tests and returns its path.
pub(crate) fn own_file(name: &str, content: &[u8]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).expect("the folder of the tests can be written");
    path.display().to_string()
}

/// A text with `TMP` for the folder of the tests, as the snapshots show it.
pub(crate) fn hidden(text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    text.replace(&format!("{}/", folder.display()), "TMP/")
}

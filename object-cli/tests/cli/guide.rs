//! The commands in the README and in the guide: their output and exit codes are the ones in the text.

use std::env;
use std::fs::{self, File};
use std::iter::Peekable;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::slice::Iter;

use object_eval::{Meter, Tensor, TensorFile, npy};

use crate::harness::{finish, root};

/// A document with commands.
struct Guide {
    /// The path from the root of the workspace.
    file: &'static str,
    /// The least number of commands, so that a change of the form of the text cannot hide them.
    least: usize,
    /// Whether the output of each command follows the command.
    shows_output: bool,
    /// Writes the files that the commands need besides the blocks of the document.
    prepare: fn(&Path),
    /// The files that exist after the commands.
    results: &'static [&'static str],
}

const GUIDES: [Guide; 9] = [
    Guide { file: "README.md", least: 1, shows_output: true, prepare: nothing, results: &[] },
    Guide { file: "docs/20_commands_and_versions.md", least: 4, shows_output: true, prepare: nothing, results: &[] },
    Guide { file: "docs/a_tvm_day.md", least: 9, shows_output: true, prepare: nothing, results: &["later.json"] },
    Guide { file: "docs/7_scripts.md", least: 2, shows_output: true, prepare: nothing, results: &[] },
    Guide {
        file: "docs/8_running_a_module.md",
        least: 5,
        shows_output: false,
        prepare: write_arrays,
        results: &["result.npy", "result.params"],
    },
    Guide {
        file: "docs/18_binary_graphs.md",
        least: 3,
        shows_output: true,
        prepare: nothing,
        results: &["decoder.safetensors", "decoder.py"],
    },
    Guide { file: "docs/19_objir_in_other_tools.md", least: 3, shows_output: true, prepare: nothing, results: &[] },
    Guide { file: "docs/16_which_pass_broke_it.md", least: 4, shows_output: true, prepare: nothing, results: &[] },
    Guide {
        file: "docs/9_one_schema_three_languages.md",
        least: 15,
        shows_output: true,
        prepare: nothing,
        results: &[],
    },
];

fn nothing(_: &Path) {}

/// Writes the arrays that the chapter about running a module takes as arguments.
fn write_arrays(folder: &Path) {
    let ones = |shape: &[i64]| {
        let count = usize::try_from(shape.iter().product::<i64>()).expect("a size");
        Tensor::from_elements::<f32>(shape, vec![1.0; count], &Meter::unlimited()).expect("a tensor")
    };
    fs::write(folder.join("b0.npy"), npy::write_npy(&ones(&[32])).expect("an array")).expect("a file");
    let weights = File::create(folder.join("weights.npz")).expect("a file");
    npy::write_npz(weights, [("w0", &ones(&[16, 32]))]).expect("arrays");
    let weights = File::create(folder.join("weights.safetensors")).expect("a file");
    let tensors = [("w0", ones(&[16, 32])), ("b0", ones(&[32])), ("w1", ones(&[32, 8])), ("b1", ones(&[8]))];
    let tensors = tensors.iter().map(|(name, tensor)| (*name, tensor));
    TensorFile::Safetensors.write(weights, tensors).expect("tensors");
}

/// The code blocks of a document: the language and the lines of each.
pub(crate) fn blocks(document: &str) -> Vec<(&str, Vec<&str>)> {
    let mut blocks: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut is_open = false;
    for line in document.lines() {
        match (line.strip_prefix("```"), is_open) {
            (Some(language), false) => blocks.push((language, Vec::new())),
            (None, true) => blocks.last_mut().expect("an open block").1.push(line),
            _ => {}
        }
        is_open ^= line.starts_with("```");
    }
    blocks
}

impl Guide {
    /// Runs the commands of all blocks in `folder`, in order. A block of a program whose first line is a comment with a
    /// name is a file.
    fn check(&self, folder: &Path) {
        let document = fs::read_to_string(root().join(self.file)).expect("the document is there");
        let mut count = 0;
        for (language, lines) in blocks(&document) {
            if language == "sh tvm-ffi" && env::var_os("PEER_PYTHONS").is_none() {
                println!("{}: skipped commands that need tvm-ffi: PEER_PYTHONS names no Python", self.file);
                continue;
            }
            match language {
                "sh" | "sh tvm-ffi" | "text" if lines.iter().any(|line| line.starts_with("$ ")) => {
                    let mut lines = lines.iter().peekable();
                    while lines.peek().is_some() {
                        self.check_command(&mut lines, folder);
                        count += 1;
                    }
                }
                "python" | "cpp" => {
                    let name = lines[0].trim_start_matches(['#', '/', ' ']);
                    if [".py", ".h", ".cc"].iter().any(|ending| name.ends_with(ending)) {
                        fs::write(folder.join(name), lines[1..].join("\n") + "\n").expect("a writable folder");
                    }
                }
                _ => {}
            }
        }
        assert!(count >= self.least, "{}: only {count} commands", self.file);
        for name in self.results {
            assert!(folder.join(name).exists(), "{}: no command writes {name}", self.file);
        }
    }

    /// Runs the next command. Its output follows it, and then its exit code as `[exit code N]` if that is not 0.
    fn check_command(&self, lines: &mut Peekable<Iter<'_, &str>>, folder: &Path) {
        let line = lines.next().expect("a command");
        let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("{}: `{line}` follows no command", self.file));
        let mut expected = String::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
            expected.push_str(line);
            expected.push('\n');
        }
        if !expected.ends_with("]\n") || !expected.contains("[exit code ") {
            expected.push_str("[exit code 0]\n");
        }
        let shown = run(command, folder);
        let is_expected = if self.shows_output { shown == expected } else { shown.ends_with(&expected) };
        assert!(is_expected, "{}: `{command}`\nexpected:\n{expected}\ngot:\n{shown}", self.file);
    }
}

/// The output and the exit code of a line of a shell in `folder`. `objir` is the program under test, and `python` and the
/// programs of tvm-ffi are the ones beside the first Python of `PEER_PYTHONS`.
pub(crate) fn run(line: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_objir")).parent().expect("a folder");
    let pythons = env::var("PEER_PYTHONS").unwrap_or_default();
    let peer = pythons.split(':').next().and_then(|python| Path::new(python).parent()).map(Path::display);
    let peer = peer.map(|folder| format!("{folder}:")).unwrap_or_default();
    let path = format!("{}:{peer}{}", program.display(), env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    finish(shell.args(["-c", line]).env("PATH", path).current_dir(folder).stdin(Stdio::null()).output()).show()
}

#[test]
fn the_commands_of_the_documents_are_true() {
    for (index, guide) in GUIDES.iter().enumerate() {
        let folder = env::temp_dir().join(format!("objir-guide-{}-{index}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let fixtures = root().join("fixtures").canonicalize().expect("the fixtures are there");
        symlink(fixtures, folder.join("fixtures")).expect("a link");
        (guide.prepare)(&folder);
        guide.check(&folder);
        fs::remove_dir_all(&folder).expect("the folder");
    }
}

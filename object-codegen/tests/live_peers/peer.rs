//! [`Peer`]: generated types in a live tvm-ffi.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use object_codegen::model::Model;
use object_codegen::{Target, generate, regions};
use object_core::dynamic::Schema;
use serde_json::{Value, json};

use crate::common;

/// The result of one side on a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The pair written again as a JSON graph.
    pub(crate) graph: String,
    /// The verdict; `None` if the values cannot be compared.
    pub(crate) equal: Option<bool>,
    /// The paths of the first mismatch, without the root.
    pub(crate) paths: Option<[String; 2]>,
}

/// Generated types in a live tvm-ffi.
pub(crate) struct Peer {
    /// The name for messages.
    pub(crate) name: String,
    /// Whether `def_simple` inside of a binding region leaves the region, as before 0.1.13. With mapped free variables, the
    /// whole value is such a region.
    pub(crate) leaves_regions: bool,
    python: String,
    /// The generated module, and the library of the generated C++.
    files: Vec<PathBuf>,
    /// Removes the files at the end.
    _folder: tempfile::TempDir,
}

fn generated(target: Target, schema: &Schema, header: &str) -> String {
    let none = Schema::new(Vec::new(), Vec::new());
    let model = Model::new(schema, &none).unwrap_or_else(|error| panic!("{error}"));
    generate(target, &model, header).unwrap_or_else(|error| panic!("{target}: {error}"))
}

/// A file with current regions.
fn in_place(schema: &Schema, file: &Path) -> Vec<u8> {
    let none = Schema::new(Vec::new(), Vec::new());
    let model = Model::new(schema, &none).unwrap_or_else(|error| panic!("{error}"));
    let text = fs::read(file).expect("the file can be read");
    let updated = regions::update(Target::Cpp, &model, "in_place.h", &text);
    updated.unwrap_or_else(|faults| panic!("{faults:?}")).text
}

impl Peer {
    fn new(language: &str, python: &str, files: Vec<PathBuf>, folder: tempfile::TempDir) -> Peer {
        let version = common::peer::Peer::new(python).version();
        Peer {
            name: format!("{language}, tvm-ffi {version}"),
            leaves_regions: version.starts_with("0.1.12"),
            python: python.to_owned(),
            files,
            _folder: folder,
        }
    }

    /// The Python classes that stand alone.
    pub(crate) fn python(python: &str, schema: &Schema) -> Peer {
        let folder = tempfile::tempdir().expect("a folder");
        let module = folder.path().join("types.py");
        fs::write(&module, generated(Target::Python, schema, "")).expect("the module can be written");
        Peer::new("Python", python, vec![module], folder)
    }

    /// The C++ classes, compiled, with Python classes over them.
    pub(crate) fn cpp(python: &str, schema: &Schema) -> Peer {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let (module, library) = (path("types.py"), path("types.so"));
        fs::write(path("types.h"), generated(Target::Cpp, schema, "types.h")).expect("the header can be written");
        let source = generated(Target::CppSource, schema, "types.h");
        fs::write(path("types.cc"), source).expect("the source can be written");
        let wrappers = generated(Target::PythonWrappers, schema, "");
        fs::write(&module, wrappers).expect("the module can be written");
        let (peer, data) = (common::peer::Peer::new(python), common::path("data/live"));
        peer.library(folder.path(), &[path("types.cc"), data.join("constructors.cc")], "types.so");
        fs::write(path("in_place.h"), in_place(schema, &data.join("in_place.h"))).expect("the header can be written");
        fs::write(path("in_place.cc"), "#include \"in_place.h\"\nint main() { return live::Leaf().Depth(); }\n")
            .expect("the source can be written");
        peer.check(folder.path(), "in_place.cc");
        Peer::new("C++", python, vec![module, library], folder)
    }

    /// The answers on all pairs, in one run; the text of an error for a pair that the peer cannot read.
    pub(crate) fn ask(&self, questions: &[(String, bool)]) -> Vec<Result<Answer, String>> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/peer_codegen.py");
        let mut child = Command::new(&self.python)
            .arg(script)
            .args(&self.files)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("PEER_PYTHONS names programs");
        let mut input = child.stdin.take().expect("it is piped");
        let lines: Vec<String> =
            questions.iter().map(|(text, free)| json!({"graph": text, "free": free}).to_string()).collect();
        // A thread writes, because the peer answers while it still reads.
        let writer = std::thread::spawn(move || lines.iter().try_for_each(|line| writeln!(input, "{line}")));
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let answers: Vec<Result<Answer, String>> =
            output.lines().map(|line| answer(&line.expect("the peer writes UTF-8"))).collect();
        let status = child.wait().expect("the peer ends");
        let _ = writer.join().expect("the thread ends");
        assert!(status.success(), "{}: {status} after {} answers", self.name, answers.len());
        assert_eq!(answers.len(), questions.len(), "{}", self.name);
        answers
    }
}

fn answer(line: &str) -> Result<Answer, String> {
    let read: Value = serde_json::from_str(line).expect("the peer answers in JSON");
    if let Some(error) = read["error"].as_str() {
        return Err(error.to_owned());
    }
    let (equal, hash_equal) = (read["equal"].as_bool(), read["hash_equal"].as_bool());
    assert!(equal != Some(true) || hash_equal == Some(true), "equal values with different hashes: {line}");
    let path = |value: &Value| value.as_str().expect("a path").to_owned();
    let paths = read["paths"].as_array().map(|paths| [path(&paths[0]), path(&paths[1])]);
    Ok(Answer { graph: read["graph"].as_str().expect("a graph").to_owned(), equal, paths })
}

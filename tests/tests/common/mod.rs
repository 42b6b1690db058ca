//! Shared parts of the tests: the files of the workspace, and checks of any graph.
#![allow(dead_code, reason = "each test file uses its part")]

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use flate2::read::GzDecoder;
use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::json::{Graph, JsonReader, JsonWriter};
use object_core::structural::{Mismatch, StructuralOptions};
use object_core::{Any, AnyView};
use object_ir::tvm::TvmVersion;
use serde_json::{Value, json};

/// The file at `path`, which is relative to the root of the workspace.
pub(crate) fn at_root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The unpacked bytes of the file `name` of the folder `fixtures`.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let path = at_root("fixtures").join(name);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("fixtures/{name}: {error}"));
    if !name.ends_with(".gz") {
        return bytes;
    }
    let mut text = Vec::new();
    let unpacked = GzDecoder::new(&bytes[..]).read_to_end(&mut text);
    unpacked.unwrap_or_else(|error| panic!("fixtures/{name}: {error}"));
    text
}

/// The JSON file `name` of the folder `fixtures`.
pub(crate) fn json_fixture(name: &str) -> Value {
    serde_json::from_slice(&fixture(name)).unwrap_or_else(|error| panic!("fixtures/{name}: {error}"))
}

/// The names of the modules of TVM 0.25 in the folder `fixtures`, sorted.
pub(crate) fn modules() -> Vec<String> {
    let files = fs::read_dir(at_root("fixtures")).expect("the folder of fixtures");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a plain name"));
    // The tests of the version read the others, with its types.
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".json.gz") && !name.starts_with("tvm2")).collect();
    names.sort();
    names
}

/// The list `name` of `file`, which must not be empty.
pub(crate) fn list<'v>(file: &'v Value, name: &str) -> &'v [Value] {
    match file[name].as_array() {
        Some(list) if !list.is_empty() => list,
        _ => panic!("the file has no list `{name}`"),
    }
}

/// The values of some modules of the folder `fixtures` and of the cases of scripts, with their names.
pub(crate) fn printed_values<'n>(modules: &'n [&str]) -> impl Iterator<Item = (String, Any)> + use<'n> {
    let read = |text: &[u8]| JsonReader::new().read(text).expect("a graph").root;
    let cases = json_fixture("scripts.records.gz").as_array().expect("a list of cases").clone();
    let cases =
        cases.into_iter().map(move |case| (text(&case, "name").to_owned(), read(text(&case, "graph").as_bytes())));
    modules.iter().map(move |name| ((*name).to_owned(), read(&fixture(name)))).chain(cases)
}

/// The text `name` of `case`.
pub(crate) fn text<'v>(case: &'v Value, name: &str) -> &'v str {
    case[name].as_str().unwrap_or_else(|| panic!("no text `{name}` in the case {}", case["id"]))
}

/// Fails if there are findings, and prints one per line.
#[track_caller]
pub(crate) fn report(wrong: &[String], checked: usize) {
    assert!(wrong.is_empty(), "{} findings in {checked} cases:\n{}\n", wrong.len(), wrong.join("\n"));
    println!("{checked} cases, nothing found");
}

/// Runs `work` in a thread with a small stack.
pub(crate) fn in_small_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let builder = std::thread::Builder::new().stack_size(256 << 10);
    std::thread::scope(|scope| builder.spawn_scoped(scope, work).expect("a thread").join()).expect("no panic")
}

/// Reads a graph, writes it, and checks that the bytes are the same.
pub(crate) fn round_trip(text: &[u8]) -> Result<Any, String> {
    round_trip_by(JsonReader::new(), text)
}

/// Like [`round_trip`], with the given reader.
pub(crate) fn round_trip_by(reader: JsonReader<'_>, text: &[u8]) -> Result<Any, String> {
    let graph = reader.read(text).map_err(|error| format!("cannot be read: {error}"))?;
    let again = JsonWriter::new()
        .metadata(graph.metadata.as_ref())
        .to_string(&graph.root)
        .map_err(|error| format!("cannot be written: {error}"))?;
    let Some(at) = (0..text.len().max(again.len())).find(|&at| text.get(at) != again.as_bytes().get(at)) else {
        return Ok(graph.root);
    };
    let near = |bytes: &[u8]| {
        let end = bytes.len().min(at + 60);
        String::from_utf8_lossy(&bytes[at.saturating_sub(60).min(end)..end]).into_owned()
    };
    Err(format!("another text at byte {at}:\n    read    {}\n    written {}", near(text), near(again.as_bytes())))
}

/// The element `index` of the array `root`.
pub(crate) fn element(root: &Any, index: usize) -> Result<Any, String> {
    let array = root.view().as_object().and_then(|object| object.as_array()).ok_or("the root is not an array")?;
    array.get(index).map(AnyView::to_any).ok_or_else(|| format!("the root has no element {index}"))
}

/// The recorded results for two values.
pub(crate) struct Expected<'v> {
    pub(crate) map_free_vars: bool,
    pub(crate) skip_tensor_content: bool,
    pub(crate) equal: bool,
    /// The two paths of the first mismatch, or null.
    pub(crate) mismatch: &'v Value,
}

impl<'v> Expected<'v> {
    /// The results of a case of `fixtures/records.json`.
    pub(crate) fn of(case: &'v Value) -> Self {
        Expected {
            map_free_vars: case["map_free_vars"] == true,
            skip_tensor_content: case["skip_tensor_content"] == true,
            equal: case["equal"] == true,
            mismatch: &case["mismatch"],
        }
    }
}

/// Compares two values with every operation, and compares the results with the record.
pub(crate) fn compare(lhs: &Any, rhs: &Any, expected: &Expected<'_>) -> Result<(), String> {
    let failed = |error: object_core::Error| format!("error: {error}");
    let options = StructuralOptions::new()
        .map_free_vars(expected.map_free_vars)
        .skip_tensor_content(expected.skip_tensor_content);
    let verdict = options.equal(lhs, rhs).map_err(failed)?;
    if verdict != expected.equal {
        let mismatch = options.first_mismatch(lhs, rhs).map_err(failed)?;
        let found = mismatch.map_or("no mismatch".to_owned(), |mismatch| mismatch.to_string());
        return Err(format!("expected {}, got {verdict}: {found}", expected.equal));
    }
    let mismatch = options.first_mismatch(lhs, rhs).map_err(failed)?;
    let paths = mismatch.as_ref().map_or(Value::Null, |it| json!([it.lhs.to_string(), it.rhs.to_string()]));
    if *expected.mismatch != paths {
        return Err(format!("expected the mismatch {}, got {paths}", expected.mismatch));
    }
    if let Some(Mismatch { lhs: lhs_path, rhs: rhs_path, lhs_value, rhs_value, .. }) = &mismatch {
        check_value(lhs, lhs_path, lhs_value.as_ref()).map_err(|wrong| format!("lhs: {wrong}"))?;
        check_value(rhs, rhs_path, rhs_value.as_ref()).map_err(|wrong| format!("rhs: {wrong}"))?;
    }
    if options.equal(rhs, lhs).map_err(failed)? != verdict {
        return Err(format!("{verdict}, but the opposite from right to left"));
    }
    let hashes = [options.hash(lhs).map_err(failed)?, options.hash(rhs).map_err(failed)?];
    if verdict && hashes[0] != hashes[1] {
        return Err(format!("equal, but the hashes are {:016x} and {:016x}", hashes[0], hashes[1]));
    }
    Ok(())
}

/// Checks that a mismatch reports the value at its path.
fn check_value(root: &Any, path: &AccessPath, reported: Option<&Any>) -> Result<(), String> {
    let mut at = Some(root.clone());
    for step in path.steps() {
        let view = at.as_ref().map_or(AnyView::None, Any::view);
        let Some(object) = view.as_object() else {
            return Err(format!("{path} goes through {view:?}"));
        };
        let next = match step {
            AccessStep::Attr(name) => object.type_info().field(name).and_then(|(_, field)| field.get(object)),
            AccessStep::ArrayItem(index) => object.as_array().and_then(|array| array.get(*index)),
            AccessStep::MapItem(key) => object
                .as_map()
                .and_then(|map| map.iter().find_map(|(candidate, value)| is_key(candidate, key).then_some(value))),
            _ => {
                at = None;
                continue;
            }
        };
        at = Some(next.ok_or_else(|| format!("{path} leads nowhere at the step {step}"))?.to_any());
    }
    let same = match (&at, reported) {
        (None, None) => true,
        (Some(Any::Object(found)), Some(Any::Object(reported))) => found.ptr_eq(reported),
        (Some(found), Some(reported)) => object_core::structural_equal(found, reported),
        _ => false,
    };
    if same { Ok(()) } else { Err(format!("at {path} is {at:?}, but {reported:?} is reported")) }
}

/// Whether `key` in a path names `candidate`; the label of an object contains one of its texts.
fn is_key(candidate: AnyView<'_>, key: &PathKey) -> bool {
    match (key, candidate) {
        (PathKey::Str(text), _) => candidate.as_str() == Some(text),
        (PathKey::Int(number), AnyView::Int(value)) => *number == value,
        (PathKey::Other { label, .. }, AnyView::Object(object)) => object.fields().any(|(_, value)| {
            value.as_str().is_some_and(|text| label == text || label.contains(&format!("\"{text}\"")))
        }),
        (PathKey::Other { label, .. }, plain) => *label == format!("{plain:?}"),
        _ => false,
    }
}

/// The golden file `name`, if it is present beside the workspace.
pub(crate) fn golden(name: &str) -> Option<Value> {
    let path = format!("../shared/golden/{name}");
    let Ok(bytes) = fs::read(at_root(&path)) else {
        println!("skipped: there is no {path}");
        return None;
    };
    Some(serde_json::from_slice(&bytes).unwrap_or_else(|error| panic!("{path}: {error}")))
}

/// The unpacked development corpus, if it is present beside the workspace.
pub(crate) fn corpus() -> Option<PathBuf> {
    unpacked("dev.tar.gz", "dev")
}

/// The folder `folder` of the corpus archive `name`, if it is present beside the workspace.
pub(crate) fn unpacked(name: &str, folder: &str) -> Option<PathBuf> {
    let path = format!("../shared/corpus/{name}");
    let archive = at_root(&path);
    if !archive.exists() {
        println!("skipped: there is no {path}");
        return None;
    }
    Some(unpack(&archive, folder).expect("the archive can be unpacked"))
}

/// Unpacks the archive into `target/corpus`, unless it is already there, and returns its folder.
fn unpack(archive: &Path, folder: &str) -> io::Result<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../corpus");
    let (dir, done) = (target.join(folder), target.join(format!("{folder}.unpacked")));
    let version = format!("{} bytes", fs::metadata(archive)?.len());
    // Tests of one program run at once.
    static UNPACKING: Mutex<()> = Mutex::new(());
    let _unpacking = UNPACKING.lock();
    if fs::read_to_string(&done).is_ok_and(|text| text == version) {
        return Ok(dir);
    }
    fs::create_dir_all(&target)?;
    tar::Archive::new(GzDecoder::new(File::open(archive)?)).unpack(&target)?;
    fs::write(done, version)?;
    Ok(dir)
}

/// The graph of `root`, a value of the version `from`, with the types of the other version.
pub(crate) fn in_other_version(root: &Any, from: TvmVersion) -> object_core::Result<Any> {
    let other = if from == TvmVersion::V0_25 { TvmVersion::V0_27 } else { TvmVersion::V0_25 };
    Ok(other.convert(Graph::new(root.clone(), None), from)?.root)
}

/// The first difference of a value from its conversion to the other version and back.
pub(crate) fn there_and_back(root: &Any, version: TvmVersion) -> object_core::Result<Option<Mismatch>> {
    let there = in_other_version(root, version)?;
    let other = if version == TvmVersion::V0_25 { TvmVersion::V0_27 } else { TvmVersion::V0_25 };
    StructuralOptions::new().map_free_vars(true).first_mismatch(root, &in_other_version(&there, other)?)
}

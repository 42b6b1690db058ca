//! Files in each form that this project ever wrote, with the value or the error that they give today: the folder `past_forms`.
//!
//! `table.txt` has a block for each file. `BLESS=1` writes the files of the current forms that are missing, and the outcome of each
//! file that has none. It changes neither a file nor an outcome: a file of the past gives the same value with the same hash in
//! every release.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use object_core::dynamic::Schema;
use object_core::evolution::OldObject;
use object_core::json::{Graph, JsonReader, JsonWriter};
use object_core::prelude::*;
use object_core::{Bytes, Tensor, binary, structural_equal, structural_hash};

/// The first declaration had `Slow = 0` and `Fast = 1`.
#[derive(Object, Clone, Copy)]
enum Mode {
    Fast = 0,
    Medium = 1,
    Slow = 5,
}

/// In all declarations alike.
#[derive(Object)]
#[object(type_key = "past.Step", base)]
#[structural_eq(tree)]
struct StepNode {
    #[field(ignore)]
    span: Option<Str>,
    name: Str,
}

/// The first declaration had feet, without a count.
#[derive(Object)]
#[object(type_key = "past.Move", parent = StepNode, base_args(span: Option<Str>, name: Str), version = 2, migrate(from = 1, with = metres))]
#[structural_eq(tree)]
struct MoveNode {
    base: StepNode,
    #[field(default = 1)]
    count: i64,
    metres: f64,
}

fn metres(old: &mut OldObject) -> Result<(), Error> {
    let feet: f64 = old.take("feet")?.cast()?;
    old.set("metres", feet * 0.25);
    Ok(())
}

/// The first declaration had the name `by` for `on`.
#[derive(Object)]
#[object(type_key = "past.Plan")]
#[structural_eq(tree)]
struct PlanNode {
    mode: Mode,
    maybe: Option<Mode>,
    modes: Array<Mode>,
    #[field(alias = "by")]
    on: Str,
    steps: Array<Step>,
    limits: Map<Str, f64>,
    extra: Array<Any>,
}

/// The value of the files of the current forms. The files of the first declaration have it without `Medium`.
fn plan() -> Plan {
    let go = Move::new(Some("a.plan:1".into()), "go", 250.0);
    let back = Move::new(None, "back", 0.125);
    let steps = Array::<Step>::from([go.clone().into(), back.into(), go.into()]);
    let limits = Map::new([("no".into(), f64::INFINITY), ("half".into(), 0.5)]);
    let text = Str::new("\u{e9}\n");
    let list = Any::from(Array::from([1, 2]));
    let extra =
        Array::from([Any::None, true.into(), 7.into(), f64::NEG_INFINITY.into(), text.into(), list, weights().into()]);
    let modes = Array::from([Mode::Slow, Mode::Fast, Mode::Medium]);
    Plan::new(Mode::Fast, Some(Mode::Slow), modes, "id", steps, limits, extra)
}

/// A tensor that is small enough to stand in the columns of a binary graph.
fn weights() -> Tensor {
    let data: Vec<u8> = [1.0_f32, -0.0, 0.5, 3.0].iter().flat_map(|element| element.to_le_bytes()).collect();
    Tensor::new(DataType::float(32), [2, 2], data).expect("the data fits")
}

/// Values of all types that every program has. The tensor has an entry of its own in a binary graph.
fn built_in() -> Array<Any> {
    let data: Vec<u8> = (0..4096_u32).map(|index| (index % 251) as u8).collect();
    let tensor = Tensor::new(DataType::uint(8), [64, 64], data).expect("the data fits");
    let plain = Array::from([Any::None, false.into(), (-3).into(), 0.5.into(), DataType::float(16).into()]);
    let bytes = Bytes::from_owner(vec![0, 255, 7]);
    let keys = Map::<Any, Any>::new([(1.into(), plain.clone().into()), ("two".into(), Device::cpu(1).into())]);
    Array::from([tensor.into(), Shape::from([2, -1]).into(), bytes.into(), keys.into(), plain.into()])
}

/// The bytes of a value in a form that this program writes.
fn current(form: &str) -> Vec<u8> {
    let saved = match form {
        "declared" => JsonWriter::new().to_string(&plan()).map(String::into_bytes),
        "tvm" => JsonWriter::new().tvm_form().to_string(&plan()).map(String::into_bytes),
        "binary" => binary::to_vec(&plan(), None),
        "built-in types" => binary::to_vec(&built_in(), None),
        "schema" => Schema::of(&[StepNode::TYPE_INFO, MoveNode::TYPE_INFO, PlanNode::TYPE_INFO])
            .to_json()
            .map(String::into_bytes),
        _ => panic!("no form `{form}`"),
    };
    saved.unwrap_or_else(|error| panic!("{form}: {error}"))
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/evolution/past_forms")
}

fn file(name: &str) -> Bytes {
    Bytes::from_owner(std::fs::read(folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}")))
}

/// The lines of the outcome of a file: the text form and the hash of its value, or the error.
fn outcome(name: &str, release: Option<&str>) -> String {
    let lines = |read: Result<Graph, Error>| match read {
        Ok(Graph { root, .. }) => format!("value: {root}\nhash: {:016x}", structural_hash(&root)),
        Err(error) => format!("error: {:?}: {error}", error.kind()),
    };
    let bytes = file(name);
    if name.ends_with(".schema.json") {
        return match Schema::parse(&bytes).and_then(|schema| schema.release()) {
            Ok(release) => {
                let print = |key| format!("{key} {:016x}", release.get(key).expect("it has the type").fingerprint());
                format!("fingerprints: {}, {}", print("past.Move"), print("past.Plan"))
            }
            Err(error) => format!("error: {:?}: {error}", error.kind()),
        };
    }
    let release = release.map(|name| {
        let schema = Schema::parse(&file(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        schema.release().unwrap_or_else(|error| panic!("{name}: {error}"))
    });
    let reader = match &release {
        Some(release) => JsonReader::new().release(release),
        None => JsonReader::new(),
    };
    if name.ends_with(".safetensors") {
        return lines(reader.read_binary(&bytes));
    }
    let read = lines(reader.read(&bytes));
    assert_eq!(read, lines(reader.read_from(&*bytes)), "{name} as a stream");
    read
}

#[test]
fn files_of_the_past_load() {
    let path = folder().join("table.txt");
    let table = std::fs::read_to_string(&path).expect("the table");
    let bless = std::env::var_os("BLESS").is_some();
    let (mut written, mut files) = (String::new(), vec!["table.txt".to_owned()]);
    for block in table.split("\n\n").map(str::trim).filter(|block| !block.is_empty()) {
        if block.starts_with('#') {
            writeln!(written, "{block}\n").expect("a text");
            continue;
        }
        let line = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let name = line("file").unwrap_or_else(|| panic!("no file in {block}"));
        files.push(name.to_owned());
        if let Some(form) = line("written as") {
            let (bytes, path) = (current(form), folder().join(name));
            if bless && !path.exists() {
                std::fs::write(&path, &bytes).expect("it is written");
            }
            assert!(
                *file(name) == *bytes,
                "this program writes other bytes than {name}. If its format has to change, remove `written as: {form}` from the \
                 block of {name}, which stays, and add a block for a file in the new form. BLESS=1 writes the file"
            );
        }
        let found = outcome(name, line("release"));
        let is_head =
            |line: &&str| ["file: ", "form: ", "release: ", "written as: "].iter().any(|it| line.starts_with(it));
        let known: Vec<&str> = block.lines().filter(|line| !is_head(line)).collect();
        assert!(
            bless && known.is_empty() || known.join("\n") == found,
            "{name} gives\n{found}\nand gave\n{}",
            known.join("\n")
        );
        let head: Vec<&str> = block.lines().filter(is_head).collect();
        writeln!(written, "{}\n{found}\n", head.join("\n")).expect("a text");
    }
    if bless {
        std::fs::write(&path, format!("{}\n", written.trim())).expect("it is written");
    }
    let entries = std::fs::read_dir(folder()).expect("the folder");
    let mut all: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect();
    all.sort();
    files.sort();
    assert_eq!(all, files, "each file has a block");
}

/// The current forms lose nothing.
#[test]
fn files_of_today_give_the_value() {
    for form in ["declared", "tvm", "binary"] {
        let bytes = Bytes::from_owner(current(form));
        let reader = JsonReader::new();
        let read = if form == "binary" { reader.read_binary(&bytes) } else { reader.read(&bytes) };
        let root = read.unwrap_or_else(|error| panic!("{form}: {error}")).root;
        assert!(structural_equal(&root, &plan()), "{form}: {root}");
    }
}

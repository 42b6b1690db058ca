//! The law of declarations: the reader accepts what each target of Python writes, and the types that it reads have the same
//! text; every other target accepts all of them. `ROUND_TRIPS` is the number of files, and `ROUND_TRIP_SEED` the first seed.

use std::fmt::Write;
use std::fs;

use crate::common::peer::Peer;
use crate::common::{file_text, no_types};
use object_codegen::Target;
use object_codegen::python_input::{self, SourceFile};
use object_core::dynamic::Schema;

/// The types without arguments, with defaults.
const LEAVES: [(&str, &[&str]); 9] = [
    ("ty.bool", &["True", "False"]),
    ("ty.int64_t", &["0", "-9223372036854775808", "9223372036854775807"]),
    ("ty.double", &["0.5", "-0.0025", "3", "-0.0"]),
    ("ty.String", &["''", "'a\"b\\\\ \\n\\u00e9 \\U0001f600 ??/'"]),
    ("ty.Bytes", &["b''", "b'\\x00\\xff\"'"]),
    ("ty.DataType", &["dtype('float32')", "dtype('int8x4')", "dtype('bool')"]),
    ("ty.Device", &["device('cpu')", "device('cuda', 3)"]),
    ("ty.Shape", &["()", "(2, 3)"]),
    ("ty.Any", &["None", "1", "'x'", "[1, None, 2.5, {'a': b'b'}]"]),
];

/// The types of whole fields: numbers with a width, numbers that containers in JSON do not have, and enums. Rust has no field of
/// the type `ty.uint64_t`.
const FIELDS: [(&str, &[&str]); 6] = [
    ("ty.int8_t", &["-128", "127"]),
    ("ty.uint32_t", &["4294967295"]),
    ("ty.float", &["0.5", "math.nan"]),
    ("ty.double", &["math.inf", "-math.inf", "math.nan"]),
    ("Mode", &["0", "Mode.SLOW", "Mode.FAST"]),
    ("ty.Optional[Mode]", &["None", "Mode.SLOW", "1"]),
];

/// A type with at most `depth` containers around each other, and a default.
fn ty(rng: &mut fastrand::Rng, depth: usize) -> (String, String) {
    let choice = if depth == 0 { 0 } else { rng.usize(..10) };
    let (inner, value) = if choice < 4 { Default::default() } else { ty(rng, depth - 1) };
    let list = if rng.bool() { "[]".to_owned() } else { format!("[{value}, {value}]") };
    let dict = if rng.bool() { "{}".to_owned() } else { format!("{{'k': {value}}}") };
    match choice {
        0..=3 => {
            let (name, values) = LEAVES[rng.usize(..LEAVES.len())];
            (name.to_owned(), values[rng.usize(..values.len())].to_owned())
        }
        4 => (format!("ty.Array[{inner}]"), list),
        5 => (format!("ty.List[{inner}]"), list),
        6 => (format!("ty.Map[ty.String, {inner}]"), dict),
        7 => (format!("ty.Dict[ty.String, {inner}]"), dict),
        _ => (format!("ty.Optional[{inner}]"), if rng.bool() { "None".to_owned() } else { value }),
    }
}

/// A file with random declarations, each in the namespace `random`.
fn declarations(rng: &mut fastrand::Rng) -> String {
    let mut text =
        "from enum import IntEnum\nclass Mode(IntEnum):\n    FAST = 0\n    SLOW = 1\n    None_ = -5\n".to_owned();
    for class in 0..rng.usize(1..5) {
        let parent = (class > 0 && rng.bool()).then(|| rng.usize(..class));
        let parent = parent.map_or("Object".to_owned(), |parent| format!("C{parent}Node"));
        let kind = ["'tree'", "'dag'", "'const-tree'", "'var'", "None"][rng.usize(..5)];
        let _ = write!(
            text,
            "@declare\nclass C{class}Node({parent}):\n    type_key = 'random.C{class}'\n    structural_eq = {kind}\n"
        );
        for field in 0..rng.usize(..5) {
            let (annotation, value) = match rng.usize(..8) {
                0 => (format!("ty.Array[C{class}]"), "[]".to_owned()),
                1..=3 => {
                    let (name, values) = FIELDS[rng.usize(..FIELDS.len())];
                    (name.to_owned(), values[rng.usize(..values.len())].to_owned())
                }
                _ => ty(rng, 2),
            };
            let role = if rng.usize(..4) == 0 { ", structural_eq='ignore'" } else { "" };
            let default = if rng.bool() { format!(" = field(default={value}{role})") } else { String::new() };
            let _ = writeln!(text, "    c{class}_f{field}: {annotation}{default}");
        }
    }
    text
}

fn parse(text: &str) -> Schema {
    let read = python_input::read(&[SourceFile { name: "random.py", text }], &no_types());
    read.unwrap_or_else(|faults| panic!("{text}\n{}", faults.iter().map(|it| format!("{it}\n")).collect::<String>()))
        .schema
}

fn text(target: Target, schema: &Schema) -> String {
    let name = if target == Target::CppSource { "random.h" } else { "" };
    file_text(target, schema, &no_types(), name).unwrap_or_else(|error| panic!("{target}: {error}"))
}

/// The lines without comments and constructors, which the reader does not read. Classes over C++ have no other text of defaults.
fn code(text: &str) -> Vec<&str> {
    let mut is_constructor = false;
    let is_read = |line: &&str| {
        is_constructor |= *line == "    if typing.TYPE_CHECKING:";
        let is_read = !is_constructor && !line.trim_start().starts_with('#');
        is_constructor &= !line.ends_with(") -> None: ...");
        is_read
    };
    text.lines().filter(is_read).collect()
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

#[test]
fn written_declarations_are_read() {
    let first = setting("ROUND_TRIP_SEED", 1);
    for seed in first..first + setting("ROUND_TRIPS", 100) {
        let declared = declarations(&mut fastrand::Rng::with_seed(seed));
        let schema = parse(&declared);
        for target in [Target::Python, Target::PythonWrappers] {
            let written = text(target, &schema);
            let again = text(target, &parse(&written));
            assert_eq!(code(&again), code(&written), "{target}, seed {seed}:\n{declared}\n{written}");
        }
        let written = text(Target::Schema, &schema);
        let again = Schema::parse(written.as_bytes()).unwrap_or_else(|error| panic!("{error}: {written}"));
        assert_eq!(text(Target::Schema, &again), written, "seed {seed}");
        for target in [Target::Cpp, Target::CppSource] {
            assert_eq!(text(target, &again), text(target, &schema), "{target}, seed {seed}");
        }
        // Graphs in Rust have the digits of the reader.
        assert_eq!(text(Target::Rust, &again).lines().count(), text(Target::Rust, &schema).lines().count());
    }
}

/// A compiler and Python accept the texts with all their defaults.
#[test]
fn written_classes_run() {
    for peer in Peer::all() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut includes, mut program) = (String::new(), "import importlib\n".to_owned());
        for seed in setting("ROUND_TRIP_SEED", 1)..setting("ROUND_TRIP_SEED", 1) + 20 {
            let declared =
                declarations(&mut fastrand::Rng::with_seed(seed)).replace("random.", &format!("random{seed}."));
            let schema = parse(&declared);
            let write =
                |target, name: &str| fs::write(folder.path().join(name), text(target, &schema)).expect("writable");
            write(Target::Cpp, &format!("random{seed}.h"));
            write(Target::Python, &format!("random{seed}.py"));
            let _ = writeln!(includes, "#include \"random{seed}.h\"");
            let _ = writeln!(program, "importlib.import_module('random{seed}')");
        }
        fs::write(folder.path().join("all.cc"), includes).expect("writable");
        peer.check(folder.path(), "all.cc");
        peer.python(folder.path(), &program);
    }
}

//! Generated C++ and Python in live tvm-ffi, against the same types in Rust: JSON bytes, verdicts, and paths of
//! mismatches on random graphs of the types in `tests/data/live/types.py`.
//!
//! `PEER_PYTHONS` names Pythons with tvm-ffi, with `:` between them. Without it, the test prints that it is skipped.
//! `LIVE_PAIRS` is the number of pairs, and `LIVE_SEED` the first seed.

#[path = "../common/mod.rs"]
mod common;
mod graphs;
mod peer;

use std::fs;

use object_codegen::python_input::{SourceFile, read};
use object_core::StructuralOptions;
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::json::{JsonReader, JsonWriter};
use object_core::object::Any;
use object_core::prelude::Array;
use serde_json::Value;

use graphs::Maker;
use peer::{Answer, Peer};

/// The declarations as a schema, with a type whose defaults are objects, which declarations in Python cannot write.
fn schema() -> Schema {
    let read_file = |name: &str| {
        let path = format!("{}/tests/data/live/{name}", env!("CARGO_MANIFEST_DIR"));
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let text = read_file("types.py");
    let read = read(&[SourceFile { name: "types.py", text: &text }], &Schema::new(Vec::new(), Vec::new()));
    let read =
        read.unwrap_or_else(|faults| panic!("{}", faults.iter().map(|it| format!("{it}\n")).collect::<String>()));
    let more = Schema::parse(read_file("object_defaults.json").as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let types = read.schema.types().iter().chain(more.types()).cloned().collect();
    Schema::new(types, read.schema.enums().to_vec())
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// The result of Rust on a pair: the graph written again, the verdict, and the paths without the root.
fn ours(reader: JsonReader<'_>, text: &str, map_free_vars: bool) -> Answer {
    let pair = reader.read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let pair = Array::<Any>::try_from(pair.root).expect("a pair");
    let (lhs, rhs) = (pair.get(0).expect("two values"), pair.get(1).expect("two values"));
    let options = StructuralOptions::new().map_free_vars(map_free_vars);
    let path = |path: &object_core::access_path::AccessPath| path.to_string().trim_start_matches("<root>").to_owned();
    let mismatch = options.first_mismatch(&lhs, &rhs);
    Answer {
        graph: JsonWriter::new().tvm_form().to_string(&pair).expect("the graph has a form in JSON"),
        equal: mismatch.as_ref().ok().map(Option::is_none),
        paths: mismatch.ok().flatten().map(|found| [path(&found.lhs), path(&found.rhs)]),
    }
}

/// The graph without the fields that have a default. `None` if it has numbers such as `NaN`, which are not JSON.
fn without_defaults(schema: &Schema, text: &str) -> Option<String> {
    let mut graph: Value = serde_json::from_str(text).ok()?;
    for node in graph["nodes"].as_array_mut().expect("nodes") {
        let mut key = node["type"].as_str().map(str::to_owned);
        while let Some(decl) = key.and_then(|key| schema.types().iter().find(|decl| decl.key == key)) {
            if let Some(data) = node["data"].as_object_mut() {
                for field in decl.fields.iter().filter(|field| field.default.is_some()) {
                    data.shift_remove(&field.name);
                }
            }
            key = decl.parent.clone();
        }
    }
    Some(graph.to_string())
}

#[test]
fn generated_types_agree_with_rust() {
    let Ok(pythons) = std::env::var("PEER_PYTHONS") else {
        println!("skipped: PEER_PYTHONS names no Python with tvm-ffi");
        return;
    };
    let schema = schema();
    let types = SchemaLoader::new().load(&schema).unwrap_or_else(|error| panic!("{error}"));
    let reader = JsonReader::new().types(&types);
    let (pairs, seed) = (setting("LIVE_PAIRS", 60), setting("LIVE_SEED", 1));
    let mut questions = Vec::new();
    for seed in seed..seed + pairs {
        let pair = Maker::pair(&schema, &types, seed);
        let text = JsonWriter::new().tvm_form().to_string(&pair).expect("the graph has a form in JSON");
        questions.extend(without_defaults(&schema, &text).map(|text| (text, false)));
        questions.push((text, seed.is_multiple_of(2)));
    }
    let ours: Vec<Answer> = questions.iter().map(|(text, free)| ours(reader, text, *free)).collect();
    let mut failures = Vec::new();
    // The compiler of C++ takes most of the time, so the peers answer side by side.
    let peers: Vec<(Peer, Vec<Result<Answer, String>>)> = std::thread::scope(|scope| {
        let start = |python, make: fn(&str, &Schema) -> Peer| {
            let (schema, questions) = (&schema, &questions);
            scope.spawn(move || {
                let peer = make(python, schema);
                let answers = peer.ask(questions);
                (peer, answers)
            })
        };
        let threads: Vec<_> =
            pythons.split(':').flat_map(|python| [start(python, Peer::cpp), start(python, Peer::python)]).collect();
        threads.into_iter().map(|thread| thread.join().expect("a peer that answers")).collect()
    });
    for (peer, answers) in peers {
        let is_same = |index: usize| match &answers[index] {
            Ok(theirs) if peer.leaves_regions && questions[index].1 && questions[index].0.contains("\"live.Let\"") => {
                theirs.graph == ours[index].graph
            }
            theirs => theirs.as_ref() == Ok(&ours[index]),
        };
        let wrong: Vec<usize> = (0..questions.len()).filter(|index| !is_same(*index)).collect();
        println!("{}: {} pairs, {} differ", peer.name, questions.len(), wrong.len());
        for index in wrong.iter().take(3) {
            let (ours, theirs) = (&ours[*index], &answers[*index]);
            failures.push(format!("{}, pair {index}\nours   {ours:?}\ntheirs {theirs:?}", peer.name));
        }
    }
    let verdicts = |verdict| ours.iter().filter(|answer| answer.equal == verdict).count();
    println!("equal {}, different {}, not comparable {}", verdicts(Some(true)), verdicts(Some(false)), verdicts(None));
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

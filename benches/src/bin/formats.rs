//! Measures JSON and binary graphs side by side: the size, loading the whole, and the hash of one function.
//!
//!     cargo run --release -p object-benches --bin formats [FILE...]
//!
//! Without files, the graphs are the modules of [`workloads::modules`] and a module of 64 functions. The forms are loaded in turns; a
//! time is the least CPU time of the rounds, without the release of the results. A copy in memory makes the same objects and reads no
//! file, so it bounds the time of every reader.

#![forbid(unsafe_code)]

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;
use object_benches as workloads;
use object_core::binary::{self, BinaryFile};
use object_core::data::deep_copy;
use object_core::json::{JsonReader, JsonWriter};
use object_core::stats::GraphStats;
use object_core::structural::StructuralOptions;
use object_core::{Any, Bytes};
use object_ir::tvm::GraphReader;

const ROUNDS: usize = 15;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "| graph | objects | size | load, JSON / binary | copy in memory / binary | hash of the graph of JSON / of binary | load / first hash of one function |"
    );
    println!("|---|---|---|---|---|---|---|");
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        let graph = GraphReader::new().read(&workloads::read(Path::new(file))?)?.graph;
        measure(file, &graph.root)?;
    }
    if files.is_empty() {
        for module in workloads::modules()? {
            measure(&module.name, &GraphReader::new().read(&module.text)?.graph.root)?;
        }
        measure("64 functions of 200 bindings", &workloads::relax_module(64, 200).build(0))?;
    }
    Ok(())
}

/// The least CPU time of two operations in turns.
fn least<A, B>(mut first: impl FnMut() -> A, mut second: impl FnMut() -> B) -> [Duration; 2] {
    let mut times = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        let start = ThreadTime::now();
        let result = first();
        times[0] = times[0].min(start.elapsed());
        drop(result);
        let start = ThreadTime::now();
        let result = second();
        times[1] = times[1].min(start.elapsed());
        drop(result);
    }
    times
}

fn measure(name: &str, root: &Any) -> Result<(), Box<dyn Error>> {
    let text = JsonWriter::new().to_string(root)?;
    let bytes = Bytes::from_owner(binary::to_vec(root, None)?);
    let read = GraphReader::new().read_binary(&bytes)?.graph.root;
    let hash = StructuralOptions::new().map_free_vars(true);
    assert_eq!(hash.hash(root)?, hash.hash(&read)?, "{name}: the hashes differ");
    let reader = JsonReader::new();
    let [json, whole] = least(|| reader.read(text.as_bytes()), || reader.read_binary(&bytes));
    let [copy, _] = least(|| deep_copy(root), || ());
    // The order of the objects in memory decides how fast walks are.
    let graph = reader.read(text.as_bytes())?.root;
    let [json_hash, binary_hash] = least(|| hash.hash(&graph), || hash.hash(&read));
    // One function in the middle.
    let part = || -> Option<u64> {
        let file = BinaryFile::open(&bytes, reader).ok()?;
        let functions = file.root().field("functions")?;
        let middle = functions.entries().count() / 2;
        hash.hash(&functions.entries().nth(middle)?.1.load().ok()?).ok()
    };
    let [first, _] = least(part, || ());
    let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
    println!(
        "| {name} | {} | {:.3} | {:.2} | {:.2} | {:.2} | {:.1} |",
        GraphStats::of(root).nodes,
        bytes.len() as f64 / text.len() as f64,
        ratio(json, whole),
        ratio(copy, whole),
        ratio(json_hash, binary_hash),
        ratio(whole, first),
    );
    Ok(())
}

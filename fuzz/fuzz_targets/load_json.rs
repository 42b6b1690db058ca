//! Reads any bytes as a JSON graph. A graph is saved and read again, which gives the same text and an equal graph. If
//! it is an array, its first two elements are compared, which may share objects.

#![no_main]

#[path = "../../tests/tests/laws/paths.rs"]
mod paths;
#[path = "../../tests/tests/laws/reference.rs"]
#[expect(dead_code, reason = "only the paths of keys are needed: the reference is recursive")]
mod reference;

use std::collections::HashSet;

use libfuzzer_sys::fuzz_target;
use object_core::json::{JsonReader, JsonWriter};
use object_core::object::{ObjectView, SEqHashKind};
use object_core::prelude::*;
use object_core::stats::GraphStats;
use object_ir as _;

fuzz_target!(|text: &[u8]| {
    let read = JsonReader::new().read(text);
    let streamed = JsonReader::new().read_from(text);
    assert_eq!(read.is_ok(), streamed.is_ok(), "from memory {read:?}, as a stream {streamed:?}");
    let Ok(graph) = read else { return };
    let first = JsonWriter::new()
        .metadata(graph.metadata.as_ref())
        .to_string(&graph.root)
        .expect("what was read can be written");
    let again = JsonReader::new().read(first.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{first}"));
    let second = JsonWriter::new()
        .metadata(again.metadata.as_ref())
        .to_string(&again.root)
        .expect("what was read can be written");
    assert_eq!(first, second, "the text does not stay the same");
    let stats = GraphStats::of(&graph.root);
    assert_eq!(stats.nodes, GraphStats::of(&again.root).nodes, "{first}");
    let _ = (graph.root.to_string(), format!("{:?}", graph.root));

    // Unbound keys that are compared by identity differ in a second load, and the order of several is unspecified.
    let keys = most_keys_by_identity(&graph.root);
    let equal = compare(&graph.root, &again.root, keys < 2, true);
    assert!(keys > 0 || equal != Some(false), "unequal to itself, saved and read again: {first}");
    let hashes = [&graph.root, &again.root].map(|root| StructuralOptions::new().hash(root).ok());
    assert!(keys > 1 || hashes[0] == hashes[1], "saved and read again, it hashes otherwise: {first}");
    let pair = graph.root.view().as_object().and_then(|root| root.as_array());
    if let Some((a, b)) = pair.and_then(|pair| pair.get(0).zip(pair.get(1))) {
        let (a, b) = (a.to_any(), b.to_any());
        for map_free_vars in [false, true] {
            compare(&a, &b, keys < 2, map_free_vars);
            assert_ne!(compare(&a, &a, true, map_free_vars), Some(false), "unequal to itself: {a}");
        }
    }
});

/// Checks the laws on two values. Returns whether they are equal, or `None` if they cannot be compared.
fn compare(a: &Any, b: &Any, ordered: bool, map_free_vars: bool) -> Option<bool> {
    let engine = StructuralOptions::new().map_free_vars(map_free_vars);
    let mismatch = engine.first_mismatch(a, b);
    let Ok(equal) = engine.equal(a, b) else {
        assert!(mismatch.is_err(), "`first_mismatch` compares what `equal` does not: {a} and {b}");
        return None;
    };
    let mismatch = mismatch.expect("`equal` compares it");
    assert_eq!(mismatch.is_none(), equal, "{a} and {b}: {mismatch:?}");
    if let Some(fault) = mismatch.and_then(|found| paths::fault(&found, a.view(), b.view(), engine)) {
        panic!("{fault}: {a} and {b}");
    }
    let hashes = [a, b].map(|value| engine.hash(value));
    let [Ok(of_a), Ok(of_b)] = hashes else { return None };
    if ordered {
        assert_eq!(engine.equal(b, a).ok(), Some(equal), "from right to left: {a} and {b}");
        assert!(!equal || of_a == of_b, "equal, but {of_a:016x} and {of_b:016x}: {a} and {b}");
    }
    Some(equal)
}

/// The largest number of keys of one map that are compared by identity: see `object_core::structural`.
fn most_keys_by_identity(root: &Any) -> usize {
    let (mut seen, mut open, mut most) = (HashSet::new(), vec![root.view()], 0);
    while let Some(value) = open.pop() {
        let Some(object) = value.as_object().filter(|object| seen.insert(object.address())) else { continue };
        open.extend(object.fields().map(|(_, value)| value));
        open.extend(object.as_array().into_iter().flat_map(|array| (0..array.len()).filter_map(move |i| array.get(i))));
        if let Some(map) = object.as_map() {
            let keys = map.iter().filter_map(|(key, _)| key.as_object());
            let by_identity = |key: &ObjectView<'_>| {
                let singleton = key.type_info().kind() == SEqHashKind::UniqueInstance;
                key.as_str().is_none() && key.as_bytes().is_none() && !singleton
            };
            most = most.max(keys.filter(by_identity).count());
            open.extend(map.iter().flat_map(|(key, value)| [key, value]));
        }
    }
    most
}

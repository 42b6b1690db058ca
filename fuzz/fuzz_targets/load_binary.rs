//! Reads any bytes as a binary graph. A graph is written again and read again, which gives the same text. Each node of the file loads
//! alone.

#![no_main]

use libfuzzer_sys::fuzz_target;
use object_core::binary::{self, BinaryFile};
use object_core::json::{self, JsonReader};
use object_core::meter::Meter;
use object_core::prelude::*;
use object_core::Bytes;
use object_ir as _;

fuzz_target!(|bytes: &[u8]| {
    let bytes = Bytes::new(bytes);
    // A graph takes memory in proportion to its file.
    let meter = Meter::with_limit(400 * bytes.len() as u64 + (1 << 16));
    let options = JsonReader::new().meter(&meter);
    let Ok(graph) = options.read_binary(&bytes) else { return };
    let text = json::to_string(&graph.root).expect("what was read can be written");
    let again = Bytes::from_owner(binary::to_vec(&graph.root, graph.metadata.as_ref()).expect("it has a binary form"));
    let again = JsonReader::new().read_binary(&again).expect("what was written can be read");
    assert_eq!(text, json::to_string(&again.root).expect("what was read can be written"));
    let file = BinaryFile::open(&bytes, options).expect("it was open before");
    for node in file.root().elements().take(100) {
        let _ = node.load().map(|value: Any| value.to_string());
    }
});

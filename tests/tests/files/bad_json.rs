//! Texts that are not graphs return an error with a position and a reason. They never cause a panic, at any depth of
//! nesting.

use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::common::{fixture, in_small_stack, json_fixture, list, report, text};
use object_core::json::{self, JsonReader, JsonWriter};
use object_core::structural::StructuralOptions;
use object_core::{Any, Array, ErrorKind};
use object_ir as _;

/// Reads `text` from memory and as a stream, which must agree, and returns the error, if any.
fn read_both(text: &[u8]) -> Result<(), String> {
    let (whole, streamed) = (JsonReader::new().read(text), JsonReader::new().read_from(text));
    let message = |error: &object_core::Error| format!("{:?}: {error}", error.kind());
    let (whole, streamed) = (whole.err().as_ref().map(message), streamed.err().as_ref().map(message));
    assert_eq!(whole.is_some(), streamed.is_some(), "from memory: {whole:?}, from a stream: {streamed:?}");
    whole.map_or(Ok(()), Err)
}

#[test]
fn ignored_values_must_be_utf_8() {
    const PRIM: &str =
        r#"{"root_index":1,"nodes":[{"type":"None"},{"type":"ir.PrimType","data":{"span":0,"dtype":"int8","#;
    for (before, after) in [
        (r#"{"root_index":0,"nodes":[{"type":"None"}],"#, "}"),
        (r#"{"root_index":0,"nodes":[{"type":"None","#, "}]}"),
        (PRIM, "}}]}"),
    ] {
        let with =
            |value: &[u8]| [before.as_bytes(), b"\"more\":[1,{\"a\":\"", value, b"\"}]", after.as_bytes()].concat();
        assert_eq!(read_both(&with("é".as_bytes())), Ok(()), "{before}");
        let error = read_both(&with(b"\xff")).expect_err("it is not UTF-8");
        assert!(error.starts_with("Malformed"), "{error}");
    }
}

/// A misspelt field is an error if the type requires the field, and otherwise only where a reader denies unknown fields.
#[test]
fn misspelt_fields_are_named() {
    let node = |key: &str, data: &str| {
        format!(r#"{{"root_index":1,"nodes":[{{"type":"None"}},{{"type":"{key}","data":{{{data}}}}}]}}"#)
    };
    let misspelt = node("ir.IntImm", r#""span":0,"dtype":"int8","valeu":1"#);
    let error = read_both(misspelt.as_bytes()).expect_err("a required field is missing");
    assert!(error.starts_with("MissingField"), "{error}");
    assert!(error.contains("required field `value` is not set, and the type has no field `valeu`"), "{error}");
    let more = node("ir.IntImm", r#""span":0,"dtype":"int8","value":1,"valeu":1"#);
    assert_eq!(read_both(more.as_bytes()), Ok(()));
    for read in [JsonReader::read, |reader: JsonReader<'_>, text: &[u8]| reader.read_from(text)] {
        let error = read(JsonReader::new().deny_unknown_fields(), more.as_bytes()).expect_err("a field too many");
        assert_eq!(error.kind(), ErrorKind::UnknownField, "{error}");
    }
}

#[test]
fn errors_name_the_fault() {
    let records = json_fixture("records.json");
    let cases = list(&records, "bad_json");
    let mut wrong = Vec::new();
    for case in cases {
        let id = text(case, "id");
        match in_small_stack(|| read_both(text(case, "text").as_bytes())) {
            Ok(()) => wrong.push(format!("{id}: it is read without an error")),
            Err(error) => {
                let says = case["says"].as_array().expect("a list of words").iter().filter_map(|word| word.as_str());
                let missing: Vec<&str> = says.filter(|word| !is_said(word, &error)).collect();
                if !missing.is_empty() {
                    wrong.push(format!("{id}: the error does not say {missing:?}: {error}"));
                }
            }
        }
    }
    report(&wrong, cases.len());
}

/// Whether an error, as kind and message, contains `word`.
fn is_said(word: &str, error: &str) -> bool {
    match word {
        "cycle" => error.starts_with("Cycle"),
        // The error may also name one node.
        "nodes" => error.contains("nodes") || error.contains("node "),
        _ => error.contains(word),
    }
}

/// Every special kind of node, in a short text.
const SMALL: &str = concat!(
    r#"{"root_index":10,"nodes":[{"type":"None"},{"type":"ffi.String","data":"n\u00e9\n"},"#,
    r#"{"type":"tirx.Var","data":{"span":0,"dtype":"int64","name":1,"type_annotation":11}},"#,
    r#"{"type":"ir.FloatImm","data":{"span":0,"dtype":"float32","value":-Infinity}},{"type":"float","data":NaN},"#,
    r#"{"type":"ffi.Bytes","data":"AAE="},{"type":"ffi.Shape","data":[2,-1]},{"type":"Device","data":[1,0]},"#,
    r#"{"type":"ir.Op","data":"relax.add"},{"type":"ffi.Map","data":[1,4]},"#,
    r#"{"type":"ffi.Array","data":[2,3,5,6,7,8,9]},{"type":"ir.PrimType","data":{"span":0,"dtype":"int64"}}],"#,
    r#""metadata":{"tvm_version":"0.25.0"}}"#,
);

#[test]
fn a_truncated_text_is_an_error() {
    read_both(SMALL.as_bytes()).expect("the whole text is good");
    let wrong: Vec<String> = (0..SMALL.len())
        .filter(|&end| read_both(&SMALL.as_bytes()[..end]).is_ok())
        .map(|end| format!("the first {end} bytes are read: {}", &SMALL[..end]))
        .collect();
    report(&wrong, SMALL.len());
}

/// A sequence of pseudo-random numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % bound as u64).expect("it is below the bound")
    }
}

/// Reads a text. If it is a graph, hashes, compares and writes it.
fn use_graph(text: &[u8]) {
    let Ok(graph) = JsonReader::new().read(text) else { return };
    let hash = StructuralOptions::new().hash(&graph.root);
    let equal = StructuralOptions::new().equal(&graph.root, &graph.root);
    assert_eq!(hash.is_ok(), equal.is_ok(), "{hash:?}, {equal:?}");
    assert!(equal.unwrap_or(true), "it is not equal to itself");
    if let Ok(text) = JsonWriter::new().metadata(graph.metadata.as_ref()).to_string(&graph.root) {
        let again = JsonReader::new().read(text.as_bytes()).expect("what was written is read");
        let text_again = JsonWriter::new()
            .metadata(again.metadata.as_ref())
            .to_string(&again.root)
            .expect("what was read is written");
        assert_eq!(text, text_again, "the second text differs");
    }
}

#[test]
fn no_change_of_one_byte_makes_the_reader_panic() {
    const BYTES: &[u8] = b"0123456789-+.eE\"\\/{}[]:, ntfuNaI\x00\x7f\xc3\xff";
    const ROUNDS: usize = 1000;
    let texts = [SMALL.as_bytes().to_vec(), fixture("mlp.json.gz"), fixture("odd.json.gz")];
    let mut numbers = Numbers(2);
    let mut wrong = Vec::new();
    for (round, text) in std::iter::repeat_n(&texts, ROUNDS).flatten().enumerate() {
        let (at, byte) = (numbers.below(text.len()), BYTES[numbers.below(BYTES.len())]);
        let mut changed = text.clone();
        match numbers.below(6) {
            0 => changed[at] = byte,
            1 => changed.insert(at, byte),
            2 => drop(changed.remove(at)),
            // The result is mostly well-formed JSON with other references.
            _ => {
                if let Some(digit) = changed[at..].iter_mut().find(|byte| byte.is_ascii_digit()) {
                    *digit = b'0' + byte % 10;
                }
            }
        }
        let outcome = in_small_stack(|| catch_unwind(AssertUnwindSafe(|| use_graph(&changed))));
        if outcome.is_err() {
            let near =
                String::from_utf8_lossy(&changed[at.saturating_sub(80)..changed.len().min(at + 80)]).into_owned();
            wrong.push(format!("round {round}: byte {at} of a text of {} bytes: {near}", changed.len()));
        }
    }
    report(&wrong, ROUNDS * texts.len());
}

/// A graph of `count` arrays. Each array contains the array with the number that `next` returns.
fn arrays(count: usize, root: usize, next: impl Fn(usize) -> Option<usize>) -> String {
    let mut text = format!("{{\"root_index\":{root},\"nodes\":[");
    for i in 0..count {
        let next = next(i).map_or(String::new(), |next| next.to_string());
        let comma = if i == 0 { "" } else { "," };
        write!(text, "{comma}{{\"type\":\"ffi.Array\",\"data\":[{next}]}}").expect("a string grows");
    }
    text + "]}"
}

const MANY: usize = 100_000;

#[test]
fn a_long_cycle_is_an_error() {
    let text = arrays(MANY, 0, |i| Some((i + 1) % MANY));
    let error = in_small_stack(|| JsonReader::new().read(text.as_bytes()).map(|_| ())).expect_err("a cycle");
    assert_eq!(error.kind(), ErrorKind::Cycle, "{error}");
}

#[test]
fn a_long_chain_is_read_in_any_order() {
    let forward = arrays(MANY, 0, |i| (i + 1 < MANY).then_some(i + 1));
    let backward = arrays(MANY, MANY - 1, |i| i.checked_sub(1));
    in_small_stack(|| {
        let read = |text: &str| json::from_slice::<Any>(text.as_bytes()).expect("a chain");
        assert!(StructuralOptions::new().equal(&read(&forward), &read(&backward)).expect("arrays can be compared"));
        // The writer writes a node after the nodes that it refers to.
        for text in [&forward, &backward] {
            assert!(json::to_string(&read(text)).expect("a chain is written") == backward);
        }
    });
}

#[test]
fn an_array_may_contain_one_node_many_times() {
    let indices = vec!["0"; 1_000_000].join(",");
    let text = format!(
        r#"{{"root_index":1,"nodes":[{{"type":"ffi.Array","data":[]}},{{"type":"ffi.Array","data":[{indices}]}}]}}"#
    );
    let root = in_small_stack(|| JsonReader::new().read(text.as_bytes())).expect("a good graph").root;
    assert_eq!(root.cast::<Array<Array<i64>>>().expect("arrays of integers").len(), 1_000_000);
    let missing = text.replace(r#"{"type":"ffi.Array","data":[]},"#, "");
    let error =
        in_small_stack(|| JsonReader::new().read(missing.as_bytes()).map(|_| ())).expect_err("it contains itself");
    assert_eq!(error.kind(), ErrorKind::Cycle, "{error}");
    let outside = text.replacen("[0,", "[7,", 1);
    let error =
        in_small_stack(|| JsonReader::new().read(outside.as_bytes()).map(|_| ())).expect_err("there is no node 7");
    assert_eq!(error.kind(), ErrorKind::BadReference, "{error}");
}

const DEPTH: usize = 1_000_000;

/// Deep nesting of lists and of maps.
fn nested() -> [String; 2] {
    [
        format!("{}{}", "[".repeat(DEPTH), "]".repeat(DEPTH)),
        format!("{}0{}", "{\"a\":".repeat(DEPTH), "}".repeat(DEPTH)),
    ]
}

#[test]
fn deep_nesting_of_ignored_values_is_skipped() {
    let patterns = [
        r#"{"root_index":0,"unknown":@,"nodes":[{"type":"None"}]}"#,
        r#"{"root_index":0,"nodes":[{"unknown":@,"type":"None"}]}"#,
        concat!(
            r#"{"root_index":1,"nodes":[{"type":"None"},"#,
            r#"{"type":"ir.PrimType","data":{"span":0,"unknown":@,"dtype":"int8"}}]}"#,
        ),
    ];
    for (pattern, nested) in patterns.iter().flat_map(|pattern| nested().map(|nested| (pattern, nested))) {
        let read = in_small_stack(|| read_both(pattern.replace('@', &nested).as_bytes()));
        read.unwrap_or_else(|error| panic!("{pattern}: {error}"));
    }
}

#[test]
fn deep_nesting_elsewhere_is_an_error() {
    let patterns = [
        "@",
        r#"{"root_index":@,"nodes":[{"type":"None"}]}"#,
        r#"{"root_index":0,"nodes":@}"#,
        r#"{"root_index":0,"nodes":[@]}"#,
        r#"{"root_index":0,"nodes":[{"type":@}]}"#,
        r#"{"root_index":0,"nodes":[{"type":"int","data":@}]}"#,
        r#"{"root_index":0,"nodes":[{"data":@,"type":"int"}]}"#,
        r#"{"root_index":0,"nodes":[{"type":"ffi.Array","data":[@]}]}"#,
        r#"{"root_index":0,"nodes":[{"type":"ir.PrimType","data":{"span":@}}]}"#,
        r#"{"root_index":0,"nodes":[{"type":"ir.PrimType","data":{"dtype":@}}]}"#,
    ];
    for (pattern, nested) in patterns.iter().flat_map(|pattern| nested().map(|nested| (pattern, nested))) {
        let read = in_small_stack(|| read_both(pattern.replace('@', &nested).as_bytes()));
        assert!(read.is_err(), "{pattern}: it is read without an error");
    }
}

#[test]
fn metadata_may_be_deeply_nested() {
    for nested in nested() {
        let text = format!(r#"{{"root_index":0,"nodes":[{{"type":"None"}}],"metadata":{nested}}}"#);
        let graph = in_small_stack(|| JsonReader::new().read(text.as_bytes())).expect("good JSON");
        assert_eq!(
            JsonWriter::new()
                .metadata(graph.metadata.as_ref())
                .to_string(&graph.root)
                .expect("what was read is written"),
            text
        );
    }
}

#[test]
fn metadata_keeps_its_text() {
    for metadata in [r#"{"a":NaN,"b":[1.0e5,-Infinity]}"#, "1e400", r#""\u0000NaN""#, " { } "] {
        let text = format!(r#"{{"root_index":0,"nodes":[{{"type":"None"}}],"metadata":{}}}"#, metadata.trim());
        for graph in [JsonReader::new().read(text.as_bytes()), JsonReader::new().read_from(text.as_bytes())] {
            let graph = graph.expect("good JSON");
            assert_eq!(
                JsonWriter::new()
                    .metadata(graph.metadata.as_ref())
                    .to_string(&graph.root)
                    .expect("what was read is written"),
                text
            );
        }
    }
}

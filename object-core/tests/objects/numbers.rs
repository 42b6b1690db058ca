//! Numbers at the edge: values that are not a number, negative zero, numbers that an `f32` cannot represent; and repeated
//! keys of maps in files.

use std::cmp::Ordering;

use object_core::data::{value_equal, value_order};
use object_core::json::{self, JsonReader};
use object_core::prelude::*;
use object_core::repr::{self, Repr};
use object_core::stats::GraphStats;
use object_core::{AnyView, ErrorKind, ObjectBuilder, ObjectRef, ObjectView};

/// Values that are not a number: both signs, quiet and signaling, with different payloads.
const NANS: [u64; 5] =
    [0x7ff8_0000_0000_0000, 0xfff8_0000_0000_0000, 0x7ff8_0000_0000_0001, 0x7ff0_0000_0000_0001, 0xffff_ffff_ffff_ffff];

#[test]
fn all_nans_are_one_value_for_every_operation() {
    for (a, b) in NANS.iter().flat_map(|a| NANS.iter().map(|b| (f64::from_bits(*a), f64::from_bits(*b)))) {
        let (x, y) = (Any::from(a), Any::from(b));
        assert!(structural_equal(&x, &y) && value_equal(&x, &y));
        assert_eq!(structural_hash(&x), structural_hash(&y));
        assert_eq!(value_order(&x, &y), Ordering::Equal);
        // Two entries with one key are one entry, with the last value.
        let map = Map::<f64, i64>::from([(a, 1), (b, 2)]);
        assert_eq!((map.len(), map.get(&a), map.get(&b)), (1, Some(2), Some(2)));
        let single = Map::<f64, i64>::from([(b, 2)]);
        assert!(structural_equal(&map, &single) && value_equal(&map, &single));
        assert_eq!(structural_hash(&map), structural_hash(&single));
        // The JSON has one node for both, so it reads and writes as the same text.
        let both = Array::from([a, b]);
        assert_eq!(GraphStats::of(&both).nodes, 2);
        let text = json::to_string(&both).expect("floats are written");
        assert_eq!(text.matches("NaN").count(), 1, "{text}");
        let back: Array<f64> = json::from_slice(text.as_bytes()).expect("what was written is read");
        assert!(structural_equal(&both, &back));
        assert_eq!(json::to_string(&back).expect("floats are written"), text);
        // The repr and the memory keep the bits, which no operation looks at.
        let shown = Repr::new(&x).to_string();
        let read: f64 = repr::parse(&shown).and_then(Any::cast).expect("a float");
        assert_eq!(read.to_bits(), a.to_bits(), "{shown}");
    }
    // Zeros differ by their sign, and JSON keeps it.
    let zeros = Map::<f64, i64>::from([(0.0, 1), (-0.0, 2)]);
    assert_eq!(zeros.len(), 2);
    let text = json::to_string(&zeros).expect("floats are written");
    assert!(structural_equal(&zeros, &json::from_slice::<Any>(text.as_bytes()).expect("it is read back")));
}

/// The number `-0`, as TVM 0.25 reads it: an integer, which becomes `0` and not `-0.0`.
#[test]
fn negative_zero_without_a_point_is_an_integer() {
    let root = |ty: &str, data: &str| {
        let text = format!(r#"{{"root_index":-0,"nodes":[{{"type":"{ty}","data":{data}}}]}}"#);
        let (slice, stream) = (JsonReader::new().read(text.as_bytes()), JsonReader::new().read_from(text.as_bytes()));
        let (slice, stream) = (slice.map(|graph| graph.root), stream.map(|graph| graph.root));
        let shown = |root: &Result<Any, _>| root.as_ref().map_or("an error".to_owned(), Any::to_string);
        assert_eq!(shown(&slice), shown(&stream), "{text}");
        shown(&slice)
    };
    for (ty, data, expected) in [
        ("int", "-0", "0"),
        ("int", " -0 ", "0"),
        ("float", "-0", "0.0"),
        ("float", "-0.0", "-0.0"),
        ("float", "-0e0", "-0.0"),
        ("bool", "-0", "false"),
        ("int", "-0.0", "an error"),
        ("int", "-0e0", "an error"),
        ("int", "-00", "an error"),
        ("int", "- 0", "an error"),
        ("float", "-01", "an error"),
        ("ffi.Shape", "[-0,1]", "Shape[0, 1]"),
        ("ffi.String", r#""-0""#, r#""-0""#),
        ("ffi.String", "-0", "an error"),
        ("ffi.String", "NaN", "an error"),
        ("ffi.String", r#""NaN""#, r#""NaN""#),
        // Strings that begin with a NUL character, as the reader marks numbers inside.
        ("ffi.String", r#""\u0000no JSON: -0""#, r#""\x00no JSON: -0""#),
        ("ffi.String", r#""\u0000\u006eo JSON: NaN""#, r#""\x00no JSON: NaN""#),
        ("ffi.String", r#""\u0000\u0000""#, r#""\x00\x00""#),
        ("float", r#""\u0000no JSON: NaN""#, "an error"),
    ] {
        assert_eq!(root(ty, data), expected, "{ty} {data}");
    }
    let array = br#"{"root_index":1,"nodes":[{"type":"int","data":5},{"type":"ffi.Array","data":[0,-0]}]}"#;
    assert_eq!(json::from_slice::<Any>(array).expect("-0 is an index").to_string(), "[5, 5]");
    let text = br#"{"root_index":0,"nodes":[{"type":"int","data":-0}],"metadata":{"a":[-0,-0.0,"-0"]}}"#;
    let graph = JsonReader::new().read_from(&text[..]).expect("a graph");
    assert_eq!(graph.metadata.expect("metadata").as_str(), r#"{"a":[-0,-0.0,"-0"]}"#);
}

#[derive(Clone, Object)]
enum Num {
    Whole(i64),
    Double(f64),
}

#[derive(Object)]
#[object(type_key = "numbers.Floats")]
#[structural_eq(tree)]
pub struct FloatsNode {
    single: f32,
    num: Num,
}

#[test]
fn an_f32_refuses_what_it_cannot_represent() {
    let exact = [0.0, -0.0, 0.5, 16_777_216.0, f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE) / 8.0, f64::INFINITY];
    for value in exact.into_iter().flat_map(|value| [value, -value]) {
        assert_eq!(Any::from(value).cast::<f32>().map(f64::from).expect("it is exact").to_bits(), value.to_bits());
    }
    assert!(Any::from(f64::NAN).cast::<f32>().expect("not a number").is_nan());
    for value in [0.1, 1e300, -1e300, 16_777_217.0, 1e-50, f64::from(f32::MAX) * 1.01] {
        let error = Any::from(value).cast::<f32>().expect_err("it would be rounded");
        assert_eq!(error.kind(), ErrorKind::OutOfRange);
        let error = Floats::build(value).expect_err("it would be rounded");
        assert!(error.message().contains("is not in `f32`, whose nearest value is"), "{error}");
    }
    assert_eq!(Any::Int(1 << 24).cast::<f32>().expect("it is exact").to_bits(), 16_777_216f32.to_bits());
    assert_eq!(Any::Int((1 << 24) + 1).cast::<f32>().expect_err("not exact").kind(), ErrorKind::OutOfRange);
    // TVM reads an integer as the nearest 64-bit float.
    assert!(Any::Int(i64::MAX).cast::<f64>().is_ok());
}

impl Floats {
    /// An object with the field `single` set by name.
    fn build(single: f64) -> object_core::Result<ObjectRef> {
        let mut builder = ObjectBuilder::new(FloatsNode::TYPE_INFO)?;
        builder.set("single", single)?.set("num", 1.5)?;
        builder.build()
    }
}

#[test]
fn a_float_in_an_enum_keeps_its_value() {
    for value in [0.1, 2.0, 1e300, 1.0 / 3.0] {
        let floats = Floats::new(0.5, Num::Double(value));
        let text = json::to_string(&floats).expect("floats are written");
        let back: Floats = json::from_slice(text.as_bytes()).expect("it is read back");
        assert!(matches!(back.num, Num::Double(read) if read.to_bits() == value.to_bits()), "{text}");
        let parsed: Floats = repr::parse(&floats.to_string()).and_then(Any::cast).expect("it is read back");
        assert!(structural_equal(&floats, &parsed) && matches!(parsed.num, Num::Double(_)));
    }
    assert!(matches!(Floats::new(0.5, Num::Whole(2)).num, Num::Whole(2)));
    let text = json::to_string(&Floats::new(0.5, Num::Double(0.1))).expect("it is written");
    let error = json::from_slice::<Any>(text.replace("\"single\":0.5", "\"single\":1e300").as_bytes());
    assert_eq!(error.expect_err("it would be infinite").kind(), ErrorKind::OutOfRange);
}

/// A graph of a map with one text key for each character, and the number of the entry as its value. The readers take
/// another way for a graph whose root comes first.
fn map_text(keys: &str, ty: &str, root_first: bool) -> String {
    let shift = usize::from(root_first);
    let entries = keys
        .chars()
        .enumerate()
        .map(|(i, key)| format!(r#"{{"type":"ffi.String","data":"{key}"}},{{"type":"int","data":{i}}}"#));
    let entries: Vec<String> = entries.collect();
    let indices: Vec<String> = (0..2 * keys.len()).map(|i| (i + shift).to_string()).collect();
    let map = format!(r#"{{"type":"{ty}","data":[{}]}}"#, indices.join(","));
    let (root, nodes) =
        if root_first { (0, [vec![map], entries].concat()) } else { (2 * keys.len(), [entries, vec![map]].concat()) };
    format!(r#"{{"root_index":{root},"nodes":[{}]}}"#, nodes.join(","))
}

/// The keys of a file, and the keys and values of the map that TVM 0.25 reads, recorded from TVM.
const REPEATED: [(&str, &str); 15] = [
    ("aba", "a2 b1"),
    ("aab", "a1 b2"),
    ("abcad", "a3 b1 c2 d4"),
    ("abcda", "b1 c2 d3 a4"),
    ("abcdea", "b1 c2 d3 e4 a5"),
    ("abcdab", "c2 d3 a4 b5"),
    ("abcdabe", "c2 d3 a4 b5 e6"),
    ("abcdeab", "c2 d3 e4 a5 b6"),
    ("abcdaebf", "c2 d3 a4 e5 b6 f7"),
    ("abcdefb", "a0 c2 d3 e4 f5 b6"),
    ("abcdefgbh", "a0 c2 d3 e4 f5 g6 b7 h8"),
    ("abacdef", "a2 b1 c3 d4 e5 f6"),
    ("aabcde", "a1 b2 c3 d4 e5"),
    ("abcdefgha", "b1 c2 d3 e4 f5 g6 h7 a8"),
    ("abcdefghib", "a0 c2 d3 e4 f5 g6 h7 i8 b9"),
];

#[test]
fn a_repeated_key_has_the_place_and_value_of_tvm() {
    for (keys, expected) in REPEATED {
        for (ty, root_first) in [("ffi.Map", false), ("ffi.Map", true), ("ffi.Dict", false), ("ffi.Dict", true)] {
            let text = map_text(keys, ty, root_first);
            let graph: Any = json::from_slice(text.as_bytes()).expect("TVM reads it");
            let map = graph.view().as_object().and_then(ObjectView::as_map).expect("a map");
            let number = |value: AnyView<'_>| value.cast::<i64>().expect("an integer");
            let found: Vec<String> =
                map.iter().map(|(key, value)| format!("{}{}", key.as_str().expect("a text"), number(value))).collect();
            assert_eq!(found.join(" "), expected, "{keys} {ty}");
            for (key, value) in map.iter() {
                assert_eq!(map.get(key).map(number), Some(number(value)), "{keys}");
            }
        }
    }
}

/// Moves of repeated keys are linear: each of many keys stands twice.
#[test]
fn many_repeated_keys_are_read() {
    let count = 100_000;
    let nodes: Vec<String> = (0..count).map(|i| format!(r#"{{"type":"int","data":{i}}}"#)).collect();
    let entries: Vec<String> = (0..2 * count).map(|i| format!("{0},{0}", i % count)).collect();
    let text = format!(
        r#"{{"root_index":{count},"nodes":[{},{{"type":"ffi.Map","data":[{}]}}]}}"#,
        nodes.join(","),
        entries.join(",")
    );
    let map: Map<i64, i64> = json::from_slice(text.as_bytes()).expect("a map");
    assert!(map.iter().map(|(key, _)| key).eq(0..count));
}

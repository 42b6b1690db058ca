//! Graphs as values of serde: round trips in several formats, in structs of serde, from old declarations, and faults.

use std::fmt::Debug;

use object_core::evolution::OldObject;
use object_core::json::{self, JsonReader};
use object_core::limits::Limits;
use object_core::meter::Meter;
use object_core::prelude::*;
use object_core::{Bytes, Error, Shape, Tensor};
use proptest::prelude::*;
use serde::de::{DeserializeOwned, DeserializeSeed};
use serde::{Deserialize, Serialize};

#[derive(Object, Clone, Copy, Debug)]
pub enum Mode {
    Slow,
    Fast,
}

#[derive(Object)]
#[object(type_key = "serde_test.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    #[field(default)]
    pub note: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "serde_test.Leaf", parent = ExprNode)]
#[structural_eq(tree)]
pub struct LeafNode {
    pub base: ExprNode,
    pub mode: Mode,
    pub size: u8,
    pub weight: f64,
    pub dtype: DataType,
    pub value: Any,
}

#[derive(Object)]
#[object(type_key = "serde_test.Pair", parent = ExprNode)]
#[structural_eq(tree)]
pub struct PairNode {
    pub base: ExprNode,
    pub first: Expr,
    pub second: Expr,
    pub entries: Map<Any, Any>,
}

/// JSON has one field for all of it.
#[derive(Object)]
#[object(type_key = "serde_test.Id", json = name)]
#[structural_eq(tree)]
pub struct IdNode {
    pub name: Str,
}

#[derive(Object, Clone)]
pub enum Label {
    Text(Str),
    Number(f64),
}

#[derive(Object)]
#[object(type_key = "serde_test.Whole", json = value)]
#[structural_eq(tree)]
pub struct WholeNode {
    pub value: Label,
}

#[derive(Object)]
#[object(type_key = "serde_test.Real", json = value)]
#[structural_eq(tree)]
pub struct RealNode {
    pub value: f64,
}

/// A format: writes a value and reads it again.
struct Format {
    name: &'static str,
    is_for_people: bool,
}

const FORMATS: [Format; 5] = [
    Format { name: "JSON", is_for_people: true },
    Format { name: "JSON value", is_for_people: true },
    Format { name: "CBOR", is_for_people: false },
    Format { name: "MessagePack", is_for_people: false },
    Format { name: "YAML", is_for_people: true },
];

impl Format {
    fn pass<A: Serialize, B: DeserializeOwned>(&self, value: &A) -> Result<B, String> {
        fn text<T>(result: Result<T, impl ToString>) -> Result<T, String> {
            result.map_err(|error| error.to_string())
        }
        match self.name {
            "JSON" => text(serde_json::from_slice(&text(serde_json::to_vec(value))?)),
            "JSON value" => text(serde_json::from_value(text(serde_json::to_value(value))?)),
            "CBOR" => {
                let mut bytes = Vec::new();
                text(ciborium::into_writer(value, &mut bytes))?;
                text(ciborium::from_reader(&bytes[..]))
            }
            "MessagePack" => text(rmp_serde::from_slice(&text(rmp_serde::to_vec(value))?)),
            _ => text(serde_norway::from_str(&text(serde_norway::to_string(value))?)),
        }
    }
}

/// Checks that a value is the same after each format, with its sharing.
fn round_trip<T: Serialize + DeserializeOwned + object_core::AsAnyView + Debug>(value: &T) {
    // The text of a graph has a node for each object.
    let expected = json::to_string(value).expect("a JSON graph");
    for format in FORMATS {
        let back: T = format.pass(value).unwrap_or_else(|error| panic!("{}: {value:?}: {error}", format.name));
        assert_eq!(structural_hash(&back), structural_hash(value), "{}", format.name);
        assert_eq!(json::to_string(&back).expect("a JSON graph"), expected, "{}", format.name);
    }
    let text = serde_json::to_string(value).expect("a JSON graph");
    let graph = JsonReader::new().read(text.as_bytes()).expect("it is a JSON graph");
    assert_eq!(json::to_string(&graph.root).expect("a JSON graph"), expected);
}

fn leaf(value: impl Into<Any>) -> Expr {
    Leaf::new(Mode::Fast, 7, 0.1, DataType::float(32), value).into()
}

fn tensor(data: &[u8]) -> Tensor {
    Tensor::new(DataType::uint(8), Shape::new(&[data.len() as i64]), data).expect("a tensor")
}

/// The values of fields of any type.
fn plain() -> impl Strategy<Value = Any> {
    prop_oneof![
        Just(Any::None),
        any::<bool>().prop_map(Any::Bool),
        any::<i64>().prop_map(Any::Int),
        prop_oneof![any::<f64>(), Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY)].prop_map(Any::Float),
        prop_oneof![".{0,8}", Just("\0NaN".into()), Just("\0no JSON: NaN".into()), Just("Infinity".into())]
            .prop_map(|text: String| Str::from(text).into()),
        any::<Vec<u8>>().prop_map(|bytes| Bytes::from(bytes).into()),
        any::<Vec<u8>>().prop_map(|bytes| tensor(&bytes).into()),
        any::<Vec<i64>>().prop_map(|extents| Shape::new(&extents).into()),
        Just(Any::DataType(DataType::int(64))),
        (any::<i32>(), any::<i32>())
            .prop_map(|(device_type, device_id)| Any::Device(Device { device_type, device_id })),
        ".{0,4}".prop_map(|name| Id::new(Str::from(name)).into()),
        any::<f64>().prop_map(|value| Real::new(value).into()),
        Just(Real::new(f64::NAN).into()),
    ]
}

/// Expressions in which each leaf can stand many times.
fn expr() -> impl Strategy<Value = Expr> {
    let leaf = (plain(), any::<u8>(), prop_oneof![any::<f64>(), Just(f64::NAN)], any::<bool>()).prop_map(
        |(value, size, weight, fast)| {
            let mode = if fast { Mode::Fast } else { Mode::Slow };
            Leaf::new(mode, size, weight, DataType::float(16), value).into()
        },
    );
    leaf.prop_recursive(4, 16, 2, move |below: BoxedStrategy<Expr>| {
        let entries = prop::collection::vec((plain(), plain()), 0..3);
        (below.clone(), below, entries, any::<bool>()).prop_map(|(first, second, entries, is_shared)| {
            let second = if is_shared { first.clone() } else { second };
            Pair::new(first, second, Map::new(entries)).into()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn graphs_survive_each_format(expr in expr(), more in plain()) {
        round_trip(&expr);
        round_trip(&Any::from(Array::<Any>::new([expr.clone().into(), more, expr.into()])));
    }

    /// Bytes from strangers lead to an error or to a graph.
    #[test]
    fn changed_bytes_never_panic(
        expr in expr(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        end in any::<prop::sample::Index>(),
    ) {
        let mut cbor = Vec::new();
        ciborium::into_writer(&expr, &mut cbor).expect("a graph");
        let mut pack = rmp_serde::to_vec(&expr).expect("a graph");
        for bytes in [&mut cbor, &mut pack] {
            for (at, byte) in &edits {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
        }
        for bytes in [&cbor[..], &cbor[..end.index(cbor.len())]] {
            drop(ciborium::from_reader::<Expr, _>(bytes));
        }
        for bytes in [&pack[..], &pack[..end.index(pack.len())]] {
            drop(rmp_serde::from_slice::<Any>(bytes));
        }
    }
}

#[test]
fn values_of_each_type_survive_each_format() {
    round_trip(&Any::None);
    round_trip(&ObjectRef::from(leaf(1)));
    round_trip(&Array::from([1, 2, 1]));
    round_trip(&Array::<f64>::from([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0]));
    round_trip(&Map::<Str, Array<i64>>::new([("a".into(), [1].into())]));
    for text in ["", "null", "1", "NaN", "\0", "\0NaN", "~", "é\n"] {
        round_trip(&Str::from(text));
    }
    round_trip(&Bytes::from([0, 255]));
    round_trip(&Shape::new(&[1, -2]));
    round_trip(&tensor(&[1, 2, 3]));
    // A list of one object, a million times.
    let ladder = (0..20).fold(leaf(1), |below, _| Pair::new(below.clone(), below, Map::default()).into());
    round_trip(&ladder);
    let deep = (0..20_000).fold(leaf(1), |below, _| Pair::new(below, leaf(2), Map::default()).into());
    for format in FORMATS {
        let back: Expr = format.pass(&deep).expect("a graph");
        assert_eq!(structural_hash(&back), structural_hash(&deep), "{}", format.name);
    }
}

#[derive(Serialize, Deserialize, Debug)]
struct Request {
    name: String,
    plan: Pair,
    absent: Option<Pair>,
    present: Option<Expr>,
    all: Vec<Leaf>,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(tag = "kind")]
enum Message {
    Run { plan: Expr },
}

#[test]
fn handles_are_fields_of_structs_of_serde() {
    let leaf: Leaf = Leaf::new(Mode::Slow, 1, 2.0, DataType::int(8), Bytes::from([1]));
    let plan = Pair::new(&leaf, &leaf, Map::default());
    let (present, all) = (Some(leaf.clone().into()), vec![leaf.clone(), leaf]);
    let request = Request { name: "a".into(), plan: plan.clone(), absent: None, present, all };
    for format in FORMATS {
        let back: Request = format.pass(&request).unwrap_or_else(|error| panic!("{}: {error}", format.name));
        assert!(structural_equal(&back.plan, &request.plan), "{}", format.name);
        assert!(back.plan.first.ptr_eq(&back.plan.second), "{}", format.name);
        assert_eq!((back.absent.is_none(), back.name.as_str()), (true, "a"));
        assert!(structural_equal(
            &back.present.expect("it is present"),
            request.present.as_ref().expect("it is present")
        ));
        assert!(back.all.iter().zip(&request.all).all(|(back, leaf)| structural_equal(back, leaf)));
        assert_eq!(back.all.len(), 2);
        assert!(!back.all[0].ptr_eq(&back.all[1]), "each field is a graph of its own");
        // serde keeps the content of a tagged enum, in which bytes stay bytes.
        let Message::Run { plan: back } = format.pass(&Message::Run { plan: plan.clone().into() }).expect("a message");
        assert!(structural_equal(&back, &plan), "{}", format.name);
    }
}

/// Gives all maps the opposite order: data before types, nodes before declarations.
fn reverse(value: &mut ciborium::Value) {
    match value {
        ciborium::Value::Array(list) => list.iter_mut().for_each(reverse),
        ciborium::Value::Map(entries) => {
            entries.reverse();
            entries.iter_mut().for_each(|(_, value)| reverse(value));
        }
        _ => {}
    }
}

#[test]
fn maps_may_have_any_order() {
    let value = Array::<Any>::new([
        leaf(Bytes::from([1, 2])).into(),
        tensor(&[3]).into(),
        Real::new(f64::NAN).into(),
        Any::None,
        "\0NaN".into(),
        u32::MAX.into(),
        Shape::new(&[1, 2]).into(),
        Map::<Str, Any>::new([("a".into(), Any::Float(0.5))]).into(),
    ]);
    let mut cbor = ciborium::Value::serialized(&value).expect("a value");
    reverse(&mut cbor);
    let back: Array<Any> = cbor.deserialized().expect("a graph");
    assert_eq!(json::to_string(&back).expect("a graph"), json::to_string(&value).expect("a graph"));
}

mod release_1 {
    use object_core::prelude::*;

    #[derive(Object, Clone, Copy)]
    pub enum Surface {
        Gravel,
        Asphalt,
    }

    #[derive(Object)]
    #[object(type_key = "serde_test.OldRoad")]
    #[structural_eq(tree)]
    pub struct RoadNode {
        pub name: Str,
        pub surface: Surface,
        pub feet: f64,
    }
}

#[derive(Object, Clone, Copy, Debug, PartialEq)]
enum Surface {
    Asphalt,
    Gravel,
}

fn metres(old: &mut OldObject) -> Result<(), Error> {
    let feet: f64 = old.take("feet")?.cast()?;
    old.set("metres", feet * 0.3048);
    Ok(())
}

#[derive(Object)]
#[object(type_key = "serde_test.Road", version = 2, migrate(from = 1, with = metres))]
#[structural_eq(tree)]
struct RoadNode {
    metres: f64,
    surface: Surface,
    name: Str,
    #[field(default = 2)]
    lanes: i64,
}

#[test]
fn old_declarations_are_converted() {
    let old = release_1::Road::new("Ring", release_1::Surface::Gravel, 1000.0);
    let text = serde_json::to_string(&old).expect("a graph").replace("OldRoad", "Road");
    let file: serde_json::Value = serde_json::from_str(&text).expect("a value");
    for format in FORMATS {
        let road: Road = format.pass(&file).unwrap_or_else(|error| panic!("{}: {error}", format.name));
        assert_eq!((road.metres, road.surface, road.name.as_str(), road.lanes), (304.8, Surface::Gravel, "Ring", 2));
    }
}

#[test]
fn other_declarations_stand_before_the_nodes() {
    let text = serde_json::to_string(&Road::new(1.0, Surface::Gravel, "Ring")).expect("a graph");
    let fingerprint = format!("{:016x}", object_core::evolution::fingerprint(RoadNode::TYPE_INFO));
    for (text, is_read) in [(text.clone(), true), (text.replace(&fingerprint, "1"), false)] {
        let file: serde_json::Value = serde_json::from_str(&text).expect("a value");
        let mut cbor = ciborium::Value::serialized(&file).expect("a value");
        assert!(cbor.deserialized::<Road>().is_ok());
        reverse(&mut cbor);
        match cbor.deserialized::<Road>() {
            Ok(_) => assert!(is_read),
            Err(error) => {
                assert!(!is_read && error.to_string().contains("`declarations` stands after `nodes`"), "{error}");
            }
        }
    }
}

/// Faults of graphs of `Expr`, each with a part of the message.
const FAULTS: [(&str, &str); 18] = [
    (r#"{"root_index":0}"#, "it has no `nodes`"),
    (r#"{"nodes":[]}"#, "it has no `root_index`"),
    (r#"{"root_index":0,"nodes":[]}"#, "`root_index` is 0, but the graph has 0 nodes"),
    (r#"{"root_index":[],"nodes":[]}"#, "`root_index`: expected `the index of a node`, got `a list`"),
    (r#"{"root_index":0,"root_index":0,"nodes":[]}"#, "the key `root_index` stands twice"),
    (r#"[1]"#, "invalid type: sequence, expected a map with the keys `root_index` and `nodes`"),
    (r#"{"root_index":0,"nodes":[{"type":"int","data":1}]}"#, "the root: expected `serde_test.Expr`, got `int`"),
    (r#"{"root_index":0,"nodes":[{"type":"serde_test.Lea","data":{}}]}"#, "did you mean `serde_test.Leaf`?"),
    (r#"{"root_index":0,"nodes":[{"data":1}]}"#, "node 0: the node has no `type`"),
    (r#"{"root_index":0,"nodes":[{"type":{},"data":1}]}"#, "node 0: `type`: expected `string`, got `a map`"),
    (
        r#"{"root_index":0,"nodes":[{"type":"int","data":[1]}]}"#,
        "node 0: `int`: expected `a single value`, got `a list`",
    ),
    (
        r#"{"root_index":0,"nodes":[{"data":{"a":[[1]]},"type":"int"}]}"#,
        "node 0: `int`: expected `a single value`, got `a map`",
    ),
    (
        r#"{"root_index":0,"nodes":[{"type":"ffi.Array","data":[[0]]}]}"#,
        "`ffi.Array`: element 0: expected `the index of a node`, got `a list`",
    ),
    (r#"{"root_index":0,"nodes":[{"type":"ffi.Array","data":[0]}]}"#, "cycle"),
    (r#"{"root_index":0,"nodes":[{"type":"ffi.Bytes","data":"!"}]}"#, "node 0: `ffi.Bytes`: base64"),
    (
        r#"{"root_index":0,"nodes":[{"type":"serde_test.Leaf","data":{"size":{}}}]}"#,
        "node 0: `serde_test.Leaf`: field `size`: expected `a single value`, got `a map`",
    ),
    (
        r#"{"root_index":0,"nodes":[{"data":{"size":true,"size":1},"type":"serde_test.Leaf"}]}"#,
        "node 0: `serde_test.Leaf`: field `size`: it stands twice",
    ),
    (
        r#"{"root_index":0,"nodes":[{"type":"serde_test.Leaf","data":{"mode":"Fst"}}]}"#,
        "field `mode`: the enum `Mode` has no variant `Fst`; did you mean `Fast`?",
    ),
];

#[test]
fn errors_name_the_node_the_type_and_the_field() {
    for (text, expected) in FAULTS {
        let error = serde_json::from_str::<Expr>(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let text = r#"{"root_index":0,"nodes":[{"type":"int","data":1}]}"#;
    let value: serde_json::Value = serde_json::from_str(text).expect("a value");
    for format in FORMATS {
        let error = format.pass::<_, Expr>(&value).expect_err("an int");
        assert!(error.contains("the root: expected `serde_test.Expr`, got `int`"), "{}: {error}", format.name);
    }
}

#[test]
fn values_without_a_form_are_errors() {
    for format in FORMATS {
        let number = Whole::new(Label::Number(f64::NAN));
        let read = format.pass::<_, Whole>(&number);
        if format.is_for_people {
            let error = read.expect_err("it has no form");
            assert!(error.contains("`serde_test.Whole`: `value` stands there for all"), "{}: {error}", format.name);
        } else {
            assert!(read.is_ok_and(|back| structural_equal(&back, &number)), "{}", format.name);
        }
        let function = object_core::Function::new(|number: i64| number);
        let error = format.pass::<_, Any>(&Any::from(function)).expect_err("functions exist in memory only");
        assert!(error.contains("ffi.Function"), "{}: {error}", format.name);
        let unknown = r#"{"root_index":0,"nodes":[{"type":"serde_test.Nobody","data":{}}]}"#;
        let unknown = JsonReader::new().keep_unknown_types().read(unknown.as_bytes()).expect("a graph").root;
        let error = format.pass::<_, Any>(&unknown).expect_err("only JSON has the text");
        assert!(error.contains("serde_test.Nobody"), "{}: {error}", format.name);
    }
}

#[test]
fn the_options_of_a_reader_hold_in_each_format() {
    let value = Array::from([1, 2, 3, 4]);
    let mut cbor = ciborium::Value::serialized(&value).expect("a value");
    for _ in 0..2 {
        let json = serde_json::to_value(&cbor).expect("a value");
        let read = |reader: JsonReader<'_>| reader.deserialize(json.clone()).map_err(|error| error.to_string());
        assert!(read(JsonReader::new().limits(Limits::new().max_nodes(9))).is_ok());
        let error = read(JsonReader::new().limits(Limits::new().max_nodes(8))).expect_err("there are more");
        assert!(error.contains("the limit `max_nodes` is 8"), "{error}");
        let error = read(JsonReader::new().limits(Limits::new().max_depth(1))).expect_err("it is deeper");
        assert!(error.contains("the limit `max_depth` is 1"), "{error}");
        let meter = Meter::with_limit(100);
        let error = read(JsonReader::new().meter(&meter)).expect_err("it has more bytes");
        assert!(error.contains("memory"), "{error}");
        assert_eq!(meter.live(), 0);
        // The second round has the data before the types.
        reverse(&mut cbor);
    }
    let text = r#"{"root_index":0,"nodes":[{"type":"None"}],"metadata":{"a":[1,"\u0000b"]}}"#;
    let graph = JsonReader::new().deserialize(&mut serde_json::Deserializer::from_str(text)).expect("a graph");
    assert_eq!(graph.metadata.expect("the text has it").as_str(), r#"{"a":[1,"\u0000b"]}"#);
}

#[test]
fn hostile_values_are_errors() {
    let graph = |data: &str| format!(r#"{{"root_index":0,"nodes":[{{"data":{data},"more":{data},"type":"int"}}]}}"#);
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        for depth in [1, 50, 200, 100_000] {
            let text = graph(&format!("{}1{}", open.repeat(depth), close.repeat(depth)));
            assert!(serde_json::from_str::<Any>(&text).is_err());
            // The parser of YAML takes quadratic time.
            assert!(depth > 200 || serde_norway::from_str::<Any>(&text).is_err());
        }
    }
    // A length that nothing follows reserves no memory: a map with a list of 2^32 - 1 nodes.
    let cbor = [&[0xa1, 0x65][..], b"nodes", &[0x9a, 0xff, 0xff, 0xff, 0xff]].concat();
    assert!(ciborium::from_reader::<Any, _>(&cbor[..]).is_err());
    let pack = [&[0x81, 0xa5][..], b"nodes", &[0xdd, 0xff, 0xff, 0xff, 0xff]].concat();
    assert!(rmp_serde::from_slice::<Any>(&pack).is_err());
}

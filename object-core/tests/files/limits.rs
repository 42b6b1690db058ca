//! Limits: every reader stops exactly at its limits, messages quote a bounded part of the input, and the cost of hostile
//! input is bounded.

use std::fmt::Write;
use std::io::Read;

use object_core::dynamic::{Schema, SchemaLoader};
use object_core::json::{self, JsonReader};
use object_core::limits::{Limit, Limits};
use object_core::picture::Picture;
use object_core::prelude::*;
use object_core::repr::ReprReader;
use object_core::{Error, ErrorKind, registry};

#[derive(Object)]
#[object(type_key = "limits.Pair")]
#[structural_eq(tree)]
pub struct PairNode {
    first: Any,
    second: Any,
}

#[derive(Object)]
#[object(type_key = "limits.Named")]
#[structural_eq(singleton, key = name, table = all_named)]
pub struct NamedNode {
    name: Str,
}

fn all_named() -> Vec<NamedNode> {
    vec![NamedNode { name: "one".into() }]
}

const GRAPH: &str = concat!(
    r#"{"root_index":4,"nodes":[{"type":"int","data":1},{"type":"ffi.Array","data":[0,0]},{"type":"ffi.Shape","data":[7]},"#,
    r#"{"type":"limits.Pair","data":{"first":1,"second":2}},{"type":"ffi.Map","data":[0,3]}]}"#
);
const SCHEMA: &str = r#"{"format":"object-schema","version":1,"types":[
    {"key":"limits.A","kind":"tree","fields":[{"name":"a,[{","type":"int"}]},{"key":"limits.B","kind":"tree"}]}"#;
const REPR: &str = r#"[limits.Pair(first=[1], second=Shape[2, 3]), {"a": None}]"#;

/// An operation under limits.
type Work = fn(Limits) -> object_core::Result<()>;

/// The operations, with the smallest value of each limit under which they succeed.
const WORK: [(&str, Work, Limit, u64); 11] = [
    (
        "graph in memory",
        |limits| JsonReader::new().limits(limits).read(GRAPH.as_bytes()).map(drop),
        Limit::Bytes,
        GRAPH.len() as u64,
    ),
    ("graph in memory", |limits| JsonReader::new().limits(limits).read(GRAPH.as_bytes()).map(drop), Limit::Nodes, 10),
    ("graph in memory", |limits| JsonReader::new().limits(limits).read(GRAPH.as_bytes()).map(drop), Limit::Depth, 4),
    (
        "stream",
        |limits| JsonReader::new().limits(limits).read_from(GRAPH.as_bytes()).map(drop),
        Limit::Bytes,
        GRAPH.len() as u64,
    ),
    ("stream", |limits| JsonReader::new().limits(limits).read_from(GRAPH.as_bytes()).map(drop), Limit::Nodes, 10),
    ("stream", |limits| JsonReader::new().limits(limits).read_from(GRAPH.as_bytes()).map(drop), Limit::Depth, 4),
    ("schema", |limits| Schema::parse_with(SCHEMA.as_bytes(), &limits).map(drop), Limit::Bytes, SCHEMA.len() as u64),
    // Fourteen values: each counts as 16 nodes.
    ("schema", |limits| Schema::parse_with(SCHEMA.as_bytes(), &limits).map(drop), Limit::Nodes, 14 * 16),
    ("repr", |limits| ReprReader::new().limits(limits).read(REPR).map(drop), Limit::Bytes, REPR.len() as u64),
    ("repr", |limits| ReprReader::new().limits(limits).read(REPR).map(drop), Limit::Nodes, 10),
    ("repr", |limits| ReprReader::new().limits(limits).read(REPR).map(drop), Limit::Depth, 3),
];

fn with(limit: Limit, value: u64) -> Limits {
    match limit {
        Limit::Bytes => Limits::new().max_bytes(value),
        Limit::Nodes => Limits::new().max_nodes(value),
        Limit::Depth => Limits::new().max_depth(value),
        _ => Limits::new().max_steps(value),
    }
}

#[test]
fn every_reader_stops_exactly_at_its_limits() {
    for (name, work, limit, enough) in WORK {
        let smallest = (0..1000).find(|value| work(with(limit, *value)).is_ok());
        assert_eq!(smallest, Some(enough), "{name}: {limit}");
        for value in 0..enough {
            let error = work(with(limit, value)).expect_err("it is too small");
            assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{name}: {error}");
            assert!(error.message().contains(&format!("the limit `{limit}` is {value}, raise it")), "{name}: {error}");
        }
        work(Limits::untrusted()).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let schema = Schema::parse(SCHEMA.replace("a,[{", "a").as_bytes()).expect("a schema");
    let load = |limits| SchemaLoader::new().limits(limits).load(&schema).map(drop);
    assert_eq!(load(with(Limit::Nodes, 3 * 16 - 1)).expect_err("too small").kind(), ErrorKind::LimitExceeded);
    load(with(Limit::Nodes, 3 * 16)).expect("two types and one field");
}

/// A stream without an end that counts its bytes.
struct Endless(u64);

impl Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        out.fill(b' ');
        self.0 += out.len() as u64;
        Ok(out.len())
    }
}

#[test]
fn a_stream_is_read_up_to_the_limit() {
    let mut stream = Endless(0);
    let limits = Limits::new().max_bytes(1_000_000);
    let error = JsonReader::new().limits(limits).read_from(&mut stream).expect_err("it has no end");
    assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{error}");
    assert!(stream.0 < 2_000_000, "{} bytes", stream.0);
}

/// The number of characters of a message that quotes a long text: the quote and the words around it.
const MESSAGE: usize = 700;

/// Makes an error that quotes a text.
type Fail = fn(&str) -> Option<Error>;

/// Long texts in every place that a message quotes.
const QUOTES: [(&str, Fail); 27] = [
    ("type key", |x| graph(&format!(r#"{{"type":"{x}","data":1}}"#))),
    ("scalar for a list", |x| graph(&format!(r#"{{"type":"ffi.Array","data":"{x}"}}"#))),
    ("data type", |x| graph(&format!(r#"{{"type":"DataType","data":"{x}"}}"#))),
    ("lanes", |x| graph(&format!(r#"{{"type":"DataType","data":"int32{x}"}}"#))),
    ("base64", |x| graph(&format!(r#"{{"type":"ffi.Bytes","data":"-{x}"}}"#))),
    ("singleton", |x| graph(&format!(r#"{{"type":"limits.Named","data":"{x}"}}"#))),
    ("text for a map", |x| JsonReader::new().read(format!("\"{x}\"").as_bytes()).err()),
    ("text for the nodes", |x| JsonReader::new().read(format!(r#"{{"root_index":0,"nodes":"{x}"}}"#).as_bytes()).err()),
    ("word in a repr", |x| repr(x)),
    ("number in a repr", |x| repr(&format!("1{x}"))),
    ("mark in a repr", |x| repr(&format!("%{}", "1".repeat(x.len())))),
    ("device in a repr", |x| repr(&format!("{x}:0"))),
    ("type in a repr", |x| repr(&format!("{x}(a=1)"))),
    ("field in a repr", |x| repr(&format!("limits.Pair({x}=1)"))),
    ("key in a path", |x| repr(&format!(r#"{{"{x}": @}}"#))),
    ("schema", |x| Schema::parse(format!("\"{x}\"").as_bytes()).err()),
    ("format of a schema", |x| Schema::parse(format!(r#"{{"format":"{x}","types":[]}}"#).as_bytes()).err()),
    ("version of a schema", |x| {
        Schema::parse(format!(r#"{{"format":"object-schema","version":"{x}","types":[]}}"#).as_bytes()).err()
    }),
    ("word of a schema", |x| load(&format!(r#"{{"key":"a.B","kind":"tree","{x}":1}}"#))),
    ("kind in a schema", |x| load(&format!(r#"{{"key":"a.B","kind":"{x}"}}"#))),
    ("key in a schema", |x| load(&format!(r#"{{"key":"{x} ","kind":"tree"}}"#))),
    ("parent in a schema", |x| load(&format!(r#"{{"key":"a.B","kind":"tree","parent":"{x}"}}"#))),
    ("type in a schema", |x| {
        load(&format!(r#"{{"key":"a.B","kind":"tree","fields":[{{"name":"a","type":"{x}>"}}]}}"#))
    }),
    ("name of a type in a schema", |x| {
        load(&format!(r#"{{"key":"a.B","kind":"tree","fields":[{{"name":"a","type":"{x}<int>"}}]}}"#))
    }),
    ("name in a schema", |x| {
        load(&format!(r#"{{"key":"a.B","kind":"tree","fields":[{{"name":"{x}-","type":"int"}}]}}"#))
    }),
    ("label in a schema", |x| load(&format!(r#"{{"key":"a.B","kind":"tree","label":"{{{x}}}"}}"#))),
    ("default in a schema", |x| {
        load(&format!(r#"{{"key":"a.B","kind":"tree","fields":[{{"name":"a","type":"Device","default":"{x}"}}]}}"#))
    }),
];

fn graph(node: &str) -> Option<Error> {
    JsonReader::new().read(format!(r#"{{"root_index":0,"nodes":[{node}]}}"#).as_bytes()).err()
}

fn repr(text: &str) -> Option<Error> {
    ReprReader::new().read(text).err()
}

fn load(types: &str) -> Option<Error> {
    let text = format!(r#"{{"format":"object-schema","version":1,"types":[{types}]}}"#);
    Schema::parse(text.as_bytes()).and_then(|schema| SchemaLoader::new().load(&schema)).err()
}

#[test]
fn messages_quote_a_bounded_part_of_the_input() {
    // One letter takes one byte, the other two.
    for long in ["x".repeat(100_000), "\u{e4}".repeat(100_000)] {
        for (name, fail) in QUOTES {
            let error = fail(&long).unwrap_or_else(|| panic!("{name}: it is read without an error"));
            let (message, text) = (error.message().chars().count(), error.to_string().chars().count());
            assert!(message <= MESSAGE, "{name}: {message} characters: {}", error.message());
            assert!(text <= MESSAGE + 1100, "{name}: {text} characters with the path");
        }
    }
    let error = registry::type_info(&"x".repeat(1_000_000)).expect_err("no type");
    assert!(error.message().len() <= MESSAGE, "{error}");
}

#[test]
fn a_limit_shortens_any_message() {
    for max in [0, 1, 10, 50] {
        let limits = Limits::new().max_message(max);
        let errors = [
            JsonReader::new().limits(limits).read(b"{}").map(drop),
            JsonReader::new().limits(limits).read_from(&b"{}"[..]).map(drop),
            ReprReader::new().limits(limits).read("[1, 2").map(drop),
            Schema::parse_with(b"{}", &limits).map(drop),
        ];
        for error in errors.map(|result| result.expect_err("it is wrong")) {
            assert!(error.message().len() <= max.max(3), "{max}: {}", error.message());
        }
    }
}

/// The parts of a list may stand after it. Each part is looked at once, however many of them wait for others.
#[test]
fn a_list_may_stand_before_its_many_elements() {
    let count = 200_000;
    let mut text = r#"{"root_index":0,"nodes":[{"type":"ffi.Array","data":["#.to_owned();
    let indices: Vec<String> = (1..=count).map(|i| i.to_string()).collect();
    text += &indices.join(",");
    text += "]}";
    // Each element waits for the last node.
    for _ in 0..count {
        write!(text, r#",{{"type":"ffi.Array","data":[{}]}}"#, count + 1).expect("a string grows");
    }
    text += r#",{"type":"None"}]}"#;
    let root: Array<Array<Any>> = json::from_slice(text.as_bytes()).expect("a graph");
    assert_eq!(root.len(), count);
}

/// A schema in TVM's format may leave types out. The reason of each costs one look-up and no search for a near name.
#[test]
fn many_types_of_a_foreign_schema_are_left_out() {
    let types: Vec<String> = (0..20_000)
        .map(|i| {
            format!(
                r#""left.out.With.A.Rather.Long.Name{i}":{{"parent":"left.out.With.A.Rather.Long.Nome{i}",
                "seq_hash_kind":"tree","has_creator":true,"own_fields":[]}}"#
            )
        })
        .collect();
    let schema = Schema::parse(format!(r#"{{"types":{{{}}}}}"#, types.join(",")).as_bytes()).expect("a schema");
    let types = SchemaLoader::new().load(&schema).expect("it leaves types out");
    assert_eq!(types.left_out().count(), 20_000);
    let error = types.get("left.out.With.A.Rather.Long.Name7").expect_err("it is left out");
    assert!(error.message().contains("Nome7"), "{error}");
}

#[test]
fn a_picture_costs_as_much_as_it_shows() {
    const MANY: usize = 3_000_000;
    let leaf = Any::from(Pair::new(Any::Int(1), Any::Int(2)));
    let many_pairs: Array<Any> = (0..MANY).map(|_| leaf.clone()).collect();
    let many_arrays: Array<Any> =
        (0..MANY).map(|i| Any::from(Array::from([Any::from(i as i64), leaf.clone()]))).collect();
    let many_numbers: Array<i64> = (0..MANY as i64).collect();
    let users: Array<Any> = (0..1000).map(|_| Any::from(Pair::new(many_numbers.clone(), Any::None))).collect();
    let map: Map<i64, Any> = (0..100_000).map(|i| (i, Any::from(Array::from([leaf.clone()])))).collect();
    let shape = Shape::new(&vec![1; MANY]);
    let shapes = Pair::new(Any::from(shape), Any::from("x".repeat(MANY)));
    let values: [Any; 6] =
        [many_pairs.into(), many_arrays.into(), many_numbers.into(), users.into(), map.into(), shapes.into()];
    for value in &values {
        let dot = Picture::new(value).to_dot();
        let (boxes, arrows) = (dot.matches("label=\"{").count(), dot.matches("->").count());
        assert!(boxes <= 301 && arrows <= 301 * 301, "{boxes} boxes, {arrows} arrows");
        assert!(dot.len() < 1_000_000, "{} bytes", dot.len());
    }
    let dot = Picture::new(&values[1]).max_boxes(3).to_dot();
    assert!(dot.contains("... 2999936 more"), "{dot}");
    // A limit of steps cuts a picture anywhere.
    for steps in 0..50 {
        let dot = Picture::new(&values[4]).limits(Limits::new().max_steps(steps)).to_dot();
        assert!(dot.matches("->").count() as u64 <= steps && dot.ends_with("}\n"), "{dot}");
    }
}

/// Boxes that refer to many boxes after them: the layout of the picture is bounded, too.
#[cfg(feature = "svg")]
#[test]
fn a_dense_graph_is_drawn() {
    // Each box refers to all others, or to the one before it and a box far away.
    for is_dense in [true, false] {
        let mut all: Vec<Any> = vec![Any::from(Pair::new(Any::Int(1), Any::Int(2)))];
        for i in 0..300 {
            let last = all.last().cloned().expect("there is one");
            let children = if is_dense { all.clone() } else { vec![last, all[i / 2].clone()] };
            all.push(Any::from(Array::from_iter(children)));
        }
        let svg = Picture::new(&all.pop().expect("there is one")).to_svg();
        assert!(svg.ends_with("</svg>\n") && svg.matches("<rect").count() >= 300);
    }
}

/// Changes of single bytes of a repr: an error or a value whose repr is read back.
#[test]
fn no_change_of_one_byte_makes_a_repr_panic() {
    const BYTES: &[u8] = b"0-.,:=%()[]{}\"\\ aN\x7f";
    let text = r#"[%0 = limits.Pair(first=[1, -2.5], second=Shape[2, 3]), %0, {"a\n": None}, b"\x01", int32, cuda:0, NaN(0x7ff8000000000001)]"#;
    ReprReader::new().read(text).expect("it is read unchanged");
    let mut read = 0;
    for (at, byte) in (0..text.len()).flat_map(|at| BYTES.iter().map(move |byte| (at, *byte))) {
        let mut texts = [text.as_bytes().to_vec(), text.as_bytes().to_vec(), text.as_bytes()[..at].to_vec()];
        texts[0][at] = byte;
        texts[1].insert(at, byte);
        for changed in texts {
            let changed = String::from_utf8(changed).expect("the text is ASCII");
            if let Ok(value) = ReprReader::new().limits(Limits::untrusted()).read(&changed) {
                let written = object_core::repr::Repr::new(&value).tensor_data(true).to_string();
                let again = ReprReader::new().read(&written).unwrap_or_else(|error| panic!("{error}: {written}"));
                assert_eq!(object_core::repr::Repr::new(&again).tensor_data(true).to_string(), written);
                read += 1;
            }
        }
    }
    assert!(read > text.len(), "only {read} changed texts are read");
}

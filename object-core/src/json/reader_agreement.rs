//! Tests that the fast reader and the general reader agree on every text that the fast reader reads.

use super::{Graph, JsonReader, JsonWriter, fast, general};
use crate::limits::Limits;
use crate::prelude::*;

/// A node with a field of every storage.
#[derive(Object)]
#[object(type_key = "canonical.Node")]
#[structural_eq(tree)]
pub struct NodeNode {
    name: Str,
    next: Option<Node>,
    items: Array<Node>,
    any: Any,
    int: i64,
    small: i8,
    flag: bool,
    float: f64,
    dtype: DataType,
    #[field(default = 7)]
    field_with_a_name_longer_than_a_pattern: i64,
}

/// The root and the metadata of a graph as text.
fn write(graph: &Graph) -> String {
    JsonWriter::new().metadata(graph.metadata.as_ref()).to_string(&graph.root).expect("what was read is written")
}

/// Reads `text` with both readers. Returns whether the fast reader reads it, and panics if the readers disagree then.
fn agree(text: &[u8]) -> bool {
    let Some((usual, account)) = fast::read(text, JsonReader::new()) else { return false };
    let shown = String::from_utf8_lossy(text);
    let (general, general_account) = general::read(text, JsonReader::new())
        .unwrap_or_else(|error| panic!("the general reader says {error}: {shown}"));
    let [count, general_count] = [account, general_account].map(|account| account.finish().0);
    assert_eq!((write(&usual), count), (write(&general), general_count), "{shown}");
    // Both readers accept exactly this number of nodes and elements.
    for (max, is_enough) in [(count, true), (count - 1, false)] {
        let reader = JsonReader::new().limits(Limits::new().max_nodes(max));
        assert_eq!(fast::read(text, reader).is_some(), is_enough, "{shown}");
        let error = general::read(text, reader).err().map(|error| error.kind());
        assert_eq!(error, (!is_enough).then_some(ErrorKind::LimitExceeded), "{shown}");
    }
    true
}

const NODES: [&str; 19] = [
    r#"{"type":"None"}"#,
    r#"{"type":"ffi.String","data":"ab\n\/\u00e9"}"#,
    r#"{"type":"ffi.Array","data":[]}"#,
    concat!(
        r#"{"type":"canonical.Node","data":{"name":1,"next":0,"items":2,"any":0,"int":-12,"small":3,"flag":true,"#,
        r#""float":1.5,"dtype":"int64","field_with_a_name_longer_than_a_pattern":123456789012}}"#
    ),
    r#"{"type":"ffi.Array","data":[3,3]}"#,
    r#"{"type":"int","data":-9223372036854775808}"#,
    concat!(
        r#"{"type":"canonical.Node","data":{"name":1,"next":3,"items":4,"any":5,"int":0,"small":-128,"#,
        r#""flag":false,"float":-Infinity,"dtype":"float8_e4m3b11fnuz"}}"#
    ),
    r#"{"type":"ffi.Shape","data":[2,-1]}"#,
    r#"{"type":"Device","data":[1,0]}"#,
    r#"{"type":"float","data":NaN}"#,
    r#"{"type":"bool","data":true}"#,
    r#"{"type":"DataType","data":"bool"}"#,
    r#"{"type":"ffi.Bytes","data":"AAE="}"#,
    r#"{"type":"ffi.String","data":"é as it is"}"#,
    r#"{"type":"ffi.Map","data":[1,3,0,6]}"#,
    r#"{"type":"ffi.Array","data":[1,5,9]}"#,
    r#"{"type":"ffi.Map","data":[0,1,1,5,5,1,9,1,10,1,0,5]}"#,
    r#"{"type":"int","data":-0}"#,
    r#"{"type":"ffi.Array","data":[2,6,7,8,10,11,12,13,14,15,16,17]}"#,
];

fn text() -> String {
    let nodes = NODES.join(",");
    format!(r#"{{"root_index":{},"nodes":[{nodes}],"metadata":{{"a":[NaN,{{}}]}}}}"#, NODES.len() - 1)
}

#[test]
fn what_is_written_is_read_here() {
    assert!(agree(text().as_bytes()));
    let (graph, _) = fast::read(text().as_bytes(), JsonReader::new()).expect("it was read just now");
    let written = write(&graph);
    assert!(agree(written.as_bytes()), "{written}");
    let without_metadata = written.replace(r#","metadata":{"a":[NaN,{}]}"#, "");
    assert!(without_metadata != written && agree(without_metadata.as_bytes()), "{without_metadata}");
    // Each kind of node at the end of the text, and each node as the root: the nodes after it are in no value.
    for end in 1..=NODES.len() {
        for root in 0..end {
            let text = format!(r#"{{"root_index":{root},"nodes":[{}]}}"#, NODES[..end].join(","));
            assert!(agree(text.as_bytes()), "{text}");
        }
        let text = format!(r#"{{"root_index":{end},"nodes":[{}]}}"#, NODES[..end].join(","));
        assert!(!agree(text.as_bytes()), "{text}");
    }
}

#[test]
fn references_to_later_nodes_and_circles_are_noticed() {
    let node = |next: usize| {
        let fields = format!(
            r#""name":0,"next":{next},"items":1,"any":0,"int":1,"small":1,"flag":true,"float":2,"dtype":"int8""#
        );
        format!(r#"{{"type":"canonical.Node","data":{{{fields}}}}}"#)
    };
    let start = r#"{"type":"ffi.String","data":""},{"type":"ffi.Array","data":[]},{"type":"None"}"#;
    // Each node refers to one of the nodes 2 to 5 by its field `next`.
    for root in 3..6 {
        for (a, b, c) in (2..6).flat_map(|a| (2..6).flat_map(move |b| (2..6).map(move |c| (a, b, c)))) {
            let nodes = [node(a), node(b), node(c)].join(",");
            let text = format!(r#"{{"root_index":{root},"nodes":[{start},{nodes}]}}"#);
            let is_usual = a < 3 && b < 4 && c < 5;
            assert!(agree(text.as_bytes()) || !is_usual, "{text}");
        }
    }
}

#[test]
fn metadata_may_look_like_nodes() {
    let metadata = r#"[{"type":"None"},{"type":"int","data":1},{"type":"x"}]"#;
    let text = text().replace(r#"[NaN,{}]"#, metadata);
    let read = JsonReader::new().read(text.as_bytes()).expect("it is a graph");
    assert!(write(&read).ends_with(&format!(r#""metadata":{{"a":{metadata}}}}}"#)));
}

#[test]
fn white_space_is_no_obstacle() {
    let spaced: String =
        text().chars().map(|c| if "{}[]:,".contains(c) { format!("\t{c} \r\n") } else { c.into() }).collect();
    // In the strings it is not white space.
    let spaced = spaced.replace("ab\\n\\/", "ab\\n\\/ ");
    assert!(agree(spaced.as_bytes()), "{spaced}");
}

#[test]
fn fields_may_stand_in_any_order() {
    let node = r#"{"float":2,"dtype":"int8x4","any":0,"next":0,"flag":0,"small":1,"items":2,"int":4,"name":1}"#;
    let start = NODES[..3].join(",");
    let text = format!(r#"{{"root_index":3,"nodes":[{start},{{"type":"canonical.Node","data":{node}}}]}}"#);
    assert!(agree(text.as_bytes()), "{text}");
    for again in ["int", "name", "next", "any", "small", "flag", "float"] {
        let text = text.replace(r#","name":1}"#, &format!(r#","name":1,"{again}":0}}"#));
        assert!(!agree(text.as_bytes()), "{text}");
        assert!(general::read(text.as_bytes(), JsonReader::new()).is_err(), "{text}");
    }
}

#[test]
fn an_object_that_is_given_up_takes_nothing_along() {
    // The node is refused after it took the only handles of its children.
    let nodes = NODES[..3].join(",");
    for (last, kind) in [(r#""int":"x""#, "text"), (r#""int":1"#, "missing"), (r#""next":1"#, "another type")] {
        let node = format!(r#"{{"type":"canonical.Node","data":{{"name":1,"items":2,"any":1,{last}}}}}"#);
        let text = format!(r#"{{"root_index":3,"nodes":[{nodes},{node}]}}"#);
        assert!(
            !agree(text.as_bytes()) && general::read(text.as_bytes(), JsonReader::new()).is_err(),
            "{kind}: {text}"
        );
    }
}

#[test]
fn counts_are_those_of_the_references() {
    let (graph, _) = fast::read(text().as_bytes(), JsonReader::new()).expect("it is usual");
    let root = graph.root.cast::<Array<Any>>().expect("an array");
    let node = root.get(1).expect("an element").cast::<Node>().expect("a node");
    let first = node.next.as_ref().expect("a node");
    // Twice in an array, in `next`, and as a value of the map.
    assert_eq!(first.as_object().use_count(), 4);
    // In the array, in the map and here.
    assert_eq!(node.as_object().use_count(), 3);
}

#[test]
fn no_change_of_one_byte_makes_a_difference() {
    const BYTES: &[u8] = b"09-.e\"\\{],: t\xff";
    let text = text().into_bytes();
    let mut read = 0;
    for at in 0..text.len() {
        let mut removed = text.clone();
        removed.remove(at);
        read += usize::from(agree(&removed));
        for byte in BYTES {
            let mut changed = text.clone();
            changed[at] = *byte;
            read += usize::from(agree(&changed));
            changed[at] = text[at];
            changed.insert(at, *byte);
            read += usize::from(agree(&changed));
        }
    }
    assert!(read > text.len(), "of the changed texts only {read} are read in the usual way");
}

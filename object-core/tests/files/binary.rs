//! Binary graphs: round trips, parts, mapped tensors, and files with faults.

use std::fs::File;
use std::io::Write;

use object_core::binary::{self, BinaryFile, BinaryParts};
use object_core::json::{self, JsonReader, Metadata};
use object_core::meter::Meter;
use object_core::prelude::*;
use object_core::{AnyView, Bytes, Device, Limits, Shape, Tensor};
use proptest::prelude::*;

/// An operator, which its name determines.
#[derive(Object)]
#[object(type_key = "binary.Op", json = name)]
#[structural_eq(tree)]
pub struct OpNode {
    /// The name.
    pub name: Str,
}

/// A mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Object)]
pub enum Mode {
    /// Exact.
    Exact,
    /// Fast.
    Fast,
}

/// A node with a field of each storage.
#[derive(Object)]
#[object(type_key = "binary.Node")]
#[structural_eq(dag)]
pub struct EverythingNode {
    /// An integer.
    pub int: i64,
    /// A smaller integer.
    pub small: i32,
    /// A number.
    pub float: f64,
    /// A boolean.
    pub flag: bool,
    /// A data type.
    pub dtype: DataType,
    /// A device.
    pub device: Device,
    /// An enum.
    pub mode: Mode,
    /// A number that may be absent, so its values have two kinds.
    pub limit: Option<i64>,
    /// Any value.
    pub any: Any,
    /// Children.
    pub items: Array<Any>,
    /// An object that may be absent.
    pub op: Option<Op>,
}

/// A text or a number.
#[derive(Clone, Object)]
pub enum Label {
    /// A text.
    Text(Str),
    /// A number.
    Number(f64),
}

/// An object that a text or a number determines.
#[derive(Object)]
#[object(type_key = "binary.Labelled", json = label)]
#[structural_eq(tree)]
pub struct LabelledNode {
    /// The text or the number.
    pub label: Label,
}

/// A link of a chain.
#[derive(Object)]
#[object(type_key = "binary.Link")]
#[structural_eq(tree)]
pub struct LinkNode {
    /// The next link.
    pub next: Option<Link>,
}

fn bytes_of(value: &impl object_core::AsAnyView) -> Bytes {
    Bytes::from_owner(binary::to_vec(value, None).expect("it has a binary form"))
}

fn text_of(value: &impl object_core::AsAnyView) -> String {
    json::to_string(value).expect("it has a form in JSON")
}

fn back(value: &impl object_core::AsAnyView) -> Any {
    JsonReader::new().read_binary(&bytes_of(value)).expect("the file is whole").root
}

/// A graph of each kind of node.
fn everything() -> Any {
    let tensor = |bytes: usize| {
        Tensor::new(DataType::uint(8), Shape::new(&[bytes as i64]), vec![7; bytes]).expect("the size matches")
    };
    let op = Op::new("add");
    let node = |int: i64, limit: Option<i64>, any: Any| {
        let items = Array::<Any>::new([Any::from(op.clone()), any.clone(), Any::None, Any::Float(-0.0)]);
        Everything::new(
            int,
            -3,
            f64::NAN,
            int % 2 == 0,
            DataType::float(32),
            Device::cpu(-1),
            Mode::Fast,
            limit,
            any,
            items,
            Some(op.clone()),
        )
    };
    let shared = node(i64::MIN, None, Any::from("text"));
    let map = Map::<Any, Any>::new([
        (Any::from("a"), Any::from(shared.clone())),
        (Any::Int(3), Any::from(Shape::new(&[1, -1, i64::MAX]))),
        (Any::from(Bytes::from([0, 255])), Any::from(tensor(3))),
        (Any::Bool(true), Any::from(tensor(5000))),
    ]);
    let empty = Array::<Any>::new([Any::from(Array::<Any>::new([])), Any::from(""), Any::from(tensor(0))]);
    Any::from(Array::<Any>::new([
        Any::from(node(i64::MAX, Some(5), Any::from(map))),
        Any::from(shared),
        Any::from(empty),
        Any::DataType(DataType::boolean()),
    ]))
}

#[test]
fn a_graph_comes_back_with_its_sharing() {
    let graph = everything();
    let read = back(&graph);
    assert_eq!(text_of(&graph), text_of(&read));
    assert!(bytes_of(&graph) == bytes_of(&read), "one graph has one form");
    for value in [Any::None, Any::Int(-5), Any::Bool(false), Any::Float(1.5), Any::from("x")] {
        assert_eq!(text_of(&back(&value)), text_of(&value));
    }
}

#[test]
fn metadata_and_types_stand_in_the_header() {
    let metadata = Metadata::new(r#"{"made_by":"a \"test\""}"#).expect("it is JSON");
    let bytes = Bytes::from_owner(binary::to_vec(&Op::new("add"), Some(&metadata)).expect("it has a binary form"));
    let parts = BinaryParts::of(&bytes, &Limits::new()).expect("the header is whole");
    assert_eq!(parts.type_keys().collect::<Vec<_>>(), ["binary.Op"]);
    assert_eq!(parts.metadata.as_ref(), Some(&metadata));
    let read = parts.open(JsonReader::new()).and_then(|file| file.load()).expect("the file is whole");
    assert_eq!((read.root.type_key(), read.metadata), ("binary.Op", Some(metadata)));
    let none = Limits::new().max_bytes(1);
    let error = parts.open(JsonReader::new().limits(none)).map(drop).expect_err("the limit is lower");
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    assert_eq!(BinaryParts::of(&bytes, &none).expect_err("the limit is lower").kind(), ErrorKind::LimitExceeded);
    let start = &bytes[..binary::START];
    assert!(binary::is_binary(start) && !binary::is_binary(b"{\"root_index\":0"));
}

#[test]
fn a_deep_chain_needs_no_stack() {
    let work = || {
        let mut chain = Link::new(None);
        for _ in 0..200_000 {
            chain = Link::new(Some(chain));
        }
        let bytes = bytes_of(&chain);
        let file = BinaryFile::open(&bytes, JsonReader::new()).expect("the file is whole");
        assert!(structural_equal(&file.load().expect("a graph").root, &chain));
        assert!(structural_equal(&file.root().load().expect("a graph"), &chain));
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(work).expect("a thread starts");
    thread.join().expect("the stack does not overflow");
}

#[test]
fn a_part_loads_alone() {
    let parts: Array<Array<Any>> =
        (0..64).map(|part| (0..100).map(|number| Any::Int(part * number)).collect::<Array<Any>>()).collect();
    let bytes = bytes_of(&parts);
    let file = BinaryFile::open(&bytes, JsonReader::new()).expect("the file is whole");
    assert_eq!(file.root().type_key(), "ffi.Array");
    for (node, part) in file.root().elements().zip(&parts) {
        assert!(structural_equal(&node.load().expect("a part"), part));
    }
    let map = Map::<Str, Any>::new([("op".into(), Any::from(Op::new("add")))]);
    let bytes = bytes_of(&map);
    let file = BinaryFile::open(&bytes, JsonReader::new()).expect("the file is whole");
    let (key, value) = file.root().entries().next().expect("the map has an entry");
    assert_eq!((key.load().expect("a text").to_string(), value.type_key()), ("\"op\"".to_owned(), "binary.Op"));
    assert!(file.root().field("op").is_none());
    let link = bytes_of(&Link::new(Some(Link::new(None))));
    let file = BinaryFile::open(&link, JsonReader::new()).expect("the file is whole");
    assert_eq!(file.root().field("next").and_then(|next| next.field("next")).map(|it| it.type_key()), Some("None"));
}

#[test]
fn large_tensors_stay_in_a_mapped_file() {
    let data: Vec<u8> = (0..1 << 20).map(|index| (index % 251) as u8).collect();
    let tensors: Array<Tensor> = [1 << 20, 5001, 64, 4096]
        .map(|size| {
            Tensor::new(DataType::uint(8), Shape::new(&[size as i64]), &data[..size]).expect("the size matches")
        })
        .into_iter()
        .collect();
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    binary::to_writer(&mut file, &tensors, None).expect("a file");
    file.flush().expect("a file");
    // SAFETY: nobody else knows the file.
    let bytes = unsafe { Bytes::map_file(&File::open(file.path()).expect("a file")) }.expect("a mapping");
    // The account of the reader has no data of mapped tensors.
    let meter = Meter::with_limit(100_000);
    let read = JsonReader::new().meter(&meter).read_binary(&bytes).expect("a graph").root;
    let read: Array<Tensor> = read.cast().expect("tensors");
    let range = bytes.as_ptr_range();
    for (tensor, original) in read.iter().zip(&tensors) {
        assert!(tensor.data[..] == original.data[..]);
        let is_mapped = range.contains(&tensor.data.as_ptr());
        assert_eq!(is_mapped, tensor.data.len() >= 4096, "{}", tensor.data.len());
        assert!(!is_mapped || (tensor.data.as_ptr().addr() - range.start.addr()).is_multiple_of(64));
    }
    drop(bytes);
    assert_eq!(read[0].data[250], 250, "a tensor keeps the mapping");
}

#[test]
fn readers_of_safetensors_see_the_tensors() {
    let floats: Vec<u8> = (0..2000).flat_map(|index| (index as f32).to_le_bytes()).collect();
    let tensor = Tensor::new(DataType::float(32), Shape::new(&[20, 100]), floats.clone()).expect("the size matches");
    let bytes = binary::to_vec(&tensor, None).expect("it has a binary form");
    let file = safetensors::SafeTensors::deserialize(&bytes).expect("the container is whole");
    let view = file.tensor("tensor.0").expect("the entry");
    assert_eq!((view.dtype(), view.shape(), view.data()), (safetensors::Dtype::F32, &[20, 100][..], &floats[..]));
}

/// The file of a link whose directory has `change` instead of `from`.
fn changed(bytes: &[u8], from: &str, change: &str) -> Bytes {
    assert_eq!(from.len(), change.len(), "the header keeps its length");
    let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).expect("the text is in the file");
    let mut changed = bytes.to_vec();
    changed[at..at + from.len()].copy_from_slice(change.as_bytes());
    Bytes::from_owner(changed)
}

#[test]
fn faults_have_a_message() {
    let link = binary::to_vec(&Link::new(None), None).expect("it has a binary form");
    let read = |bytes: &Bytes| JsonReader::new().read_binary(bytes).expect_err("the file has a fault").to_string();
    let directory = r#"[\"next\",\"node\",0,0,1]"#;
    let cases = [
        (r#""object_graph":"2""#, r#""object_graph":"1""#, "expected version 2 of the format, got `1`"),
        ("binary.Link", "binary.Lonk", "binary.Lonk"),
        (directory, r#"[\"nexd\",\"node\",0,0,1]"#, "the type has no field `nexd`, did you mean `next`?"),
        // Node 0 is `None`, and node 1 the link.
        (directory, r#"[\"next\",\"node\",0,1,1]"#, "does not come before"),
        (directory, r#"[\"next\",\"node\",0,9,1]"#, "the reference to node 9"),
        (r#"\"order\",\"int\",0,1,1"#, r#"\"order\",\"int\",0,2,1"#, "the order of the nodes"),
        (r#"\"order\",\"int\",0,1,1"#, r#"\"order\",\"int\",0,0,1"#, "the order of the nodes"),
        (r#"\"order\",\"int\",0,1,1"#, r#"\"order\",\"int\",0,1,2"#, "once"),
        (r#"\"order\",\"int\""#, r#"\"order\",\"bit\""#, "the directory"),
        (directory, r#"[\"next\",\"bool\",0,1,1]"#, "`next`"),
        (directory, r#"[\"next\",\"byte\",0,0,1]"#, "the field `next` has bytes"),
        (directory, r#"[\"next\",\"node\",8,0,1]"#, "too short"),
        (directory, r#"[\"next\",\"node\",9,0,1]"#, "too short"),
        (directory, r#"[\"next\",\"node\",0,0,2]"#, "expected a column of 1 numbers"),
        (r#"\"root\":1"#, r#"\"root\":7"#, "or no root"),
    ];
    for (from, change, message) in cases {
        let bytes = changed(&link, from, change);
        let error = read(&bytes);
        assert!(error.contains(message), "{change}: {error}");
    }
    let cycle = changed(&link, directory, r#"[\"next\",\"node\",0,1,1]"#);
    let file = BinaryFile::open(&cycle, JsonReader::new()).expect("nodes are checked when they are read");
    assert_eq!(file.root().load().expect_err("a part with a cycle").kind(), ErrorKind::Cycle);
    let unknown = changed(&link, directory, r#"[\"nexd\",\"node\",0,0,1]"#);
    let error = JsonReader::new().deny_unknown_fields().read_binary(&unknown).expect_err("no such field");
    assert!(error.to_string().contains("did you mean `next`?"), "{error}");
    assert!(read(&Bytes::new(b"{\"root_index\"")).contains("do not begin as a binary graph does"));
}

#[test]
fn texts_and_numbers_stand_for_objects_of_one_type() {
    let [text, number] = [Label::Text("a".into()), Label::Number(2.5)].map(Labelled::new);
    for labels in [[&text, &text], [&number, &number], [&text, &number], [&number, &text]] {
        let values: Array<Labelled> = labels.into_iter().cloned().collect();
        assert_eq!(text_of(&back(&values)), text_of(&values));
    }
}

#[test]
fn a_small_file_makes_no_large_graph() {
    let link = binary::to_vec(&Link::new(None), None).expect("it has a binary form");
    let many = changed(&link, r#"\"rows\":1,\"columns\":[[\"next"#, r#"\"rows\":9,\"columns\":[[\"next"#);
    assert!(JsonReader::new().read_binary(&many).is_err());
    let ints: Array<Any> = [1, 1, 1].map(Any::Int).into_iter().collect();
    let bytes = binary::to_vec(&ints, None).expect("it has a binary form");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    assert!(text.contains(r#"[\"elements\",\"node\",1,0,3]"#), "elements take a byte each: {text}");
    let wide = changed(&bytes, r#"[\"elements\",\"node\",1,0,3]"#, r#"[\"elements\",\"node\",0,0,3]"#);
    let error = JsonReader::new().read_binary(&wide).expect_err("the elements have no bytes");
    assert!(error.to_string().contains("no bytes"), "{error}");
    let limits = Limits::new().max_nodes(3);
    let error = JsonReader::new().limits(limits).read_binary(&Bytes::new(&bytes)).expect_err("the limit is lower");
    assert_eq!(error.kind(), ErrorKind::LimitExceeded);
}

/// A random value over few texts and numbers.
fn value() -> impl Strategy<Value = Any> {
    let leaf = prop_oneof![
        Just(Any::None),
        any::<bool>().prop_map(Any::Bool),
        (-2_i64..300).prop_map(Any::Int),
        any::<i64>().prop_map(Any::Int),
        any::<f64>().prop_map(Any::Float),
        "[a-c]{0,3}".prop_map(Any::from),
        "[a-c]{0,3}".prop_map(|name| Any::from(Op::new(name))),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6)
                .prop_map(|items| Any::from(items.into_iter().collect::<Array<Any>>())),
            prop::collection::vec((inner.clone(), inner.clone()), 0..4).prop_map(|entries| {
                let keys = entries.into_iter().filter(|(key, _)| !matches!(key.view(), AnyView::Object(_)));
                Any::from(Map::<Any, Any>::new(keys.collect::<Vec<_>>()))
            }),
            inner.prop_map(|item| Any::from(Array::<Any>::new([item.clone(), item]))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_come_back(value in value()) {
        prop_assert_eq!(text_of(&back(&value)), text_of(&value));
    }

    /// No change of a file makes the reader panic or take much memory.
    #[test]
    fn damaged_files_are_errors_or_graphs(at in 0_usize..4000, byte in any::<u8>(), cut in any::<bool>()) {
        let mut bytes = binary::to_vec(&everything(), None).expect("it has a binary form");
        let at = at % bytes.len();
        if cut {
            bytes.truncate(at);
        } else {
            bytes[at] = byte;
        }
        let bytes = Bytes::from_owner(bytes);
        let meter = Meter::with_limit(10 << 20);
        if let Ok(graph) = JsonReader::new().meter(&meter).read_binary(&bytes) {
            json::to_string(&graph.root).expect("a graph from a file has a form in JSON");
        }
        if let Ok(file) = BinaryFile::open(&bytes, JsonReader::new()) {
            let _ = file.root().elements().map(|node| node.load()).collect::<Vec<_>>();
        }
    }
}

//! Checks in declarations: every way to make an object accepts exactly the values that the checker accepts, and the checker finds
//! all violations.

use std::panic::{AssertUnwindSafe, catch_unwind};

use object_core::access_path::AccessPath;
use object_core::dynamic::{Compatibility, Schema, SchemaLoader};
use object_core::json::{self, JsonReader};
use object_core::limits::Limits;
use object_core::prelude::*;
use object_core::repr::{self, Repr};
use object_core::rewrite::mutate;
use object_core::verify::{Findings, Verifier, try_new_object, verify};
use object_core::{Bytes, ObjectBuilder, Shape, registry};
use proptest::prelude::*;

#[derive(Object, Debug)]
#[object(type_key = "checks.Base", base, verify = has_plain_name)]
pub struct BaseNode {
    #[field(len = 1..=4)]
    pub name: Str,
}

fn has_plain_name(node: &BaseNode, findings: &mut Findings) {
    if node.name.contains('-') {
        findings.add("plain_name", AccessPath::root().field("name"), format!("`{}` has a `-`", node.name));
    }
}

#[derive(Object, Debug)]
#[object(
    type_key = "checks.Op",
    parent = BaseNode,
    base_args(name: Str),
    same_len(params, args),
    same_len(name, data, shape),
    verify = is_in_order
)]
#[structural_eq(tree)]
pub struct OpNode {
    pub base: BaseNode,
    #[field(one_of = ["add", "sub"])]
    pub op: Str,
    #[field(range = 0..64, one_of = [-1, 0, 8, 63, 64])]
    pub bits: i64,
    #[field(range = 1..=200)]
    pub byte: u8,
    #[field(range = -1.0..1.0)]
    pub weight: Option<f64>,
    #[field(len = ..=2)]
    pub params: Array<Str>,
    pub args: Map<Str, Any>,
    pub data: Option<Bytes>,
    pub shape: Option<Shape>,
}

fn is_in_order(node: &OpNode, findings: &mut Findings) {
    for (index, pair) in node.params.windows(2).enumerate().filter(|(_, pair)| pair[0] > pair[1]) {
        let message = format!("`{}` follows `{}`", pair[1], pair[0]);
        findings.add("order", AccessPath::root().field("params").item(index + 1), message);
    }
}

/// The declaration, written once more.
fn is_allowed(op: &OpNode) -> bool {
    let name = op.name.chars().count();
    (1..=4).contains(&name)
        && ["add", "sub"].contains(&op.op.as_str())
        && [0, 8, 63].contains(&op.bits)
        && (1..=200).contains(&op.byte)
        && op.weight.is_none_or(|weight| (-1.0..1.0).contains(&weight))
        && op.params.len() <= 2
        && op.params.len() == op.args.len()
        && op.data.as_ref().is_none_or(|data| data.len() == name)
        && op.shape.as_ref().is_none_or(|shape| shape.len() == name)
}

fn texts<const N: usize>(texts: [&str; N]) -> Array<Str> {
    texts.into_iter().map(Str::from).collect()
}

fn args<const N: usize>(names: [&str; N]) -> Map<Str, Any> {
    Map::new(names.map(|name| (Str::from(name), Any::None)))
}

fn op(name: &str, params: [&str; 2]) -> Op {
    Op::new(name, "add", 8, 1, None, texts(params), args(["a", "b"]), None, None)
}

fn allowed() -> Op {
    op("n", ["a", "b"])
}

prop_compose! {
    /// Nodes that break few words, so that some break none.
    fn nodes()(
        name in prop_oneof![4 => "[a-z]{1,2}", 1 => "[äß]{0,6}"],
        op in prop_oneof![4 => Just("add"), 4 => Just("sub"), 1 => Just(""), 1 => Just("Add")],
        bits in prop_oneof![Just(0), Just(8), Just(63), Just(8), Just(0), Just(64), Just(-1), Just(7), Just(i64::MIN)],
        byte in prop_oneof![6 => 1u8..=200, 1 => Just(0), 1 => Just(201), 1 => Just(255)],
        weight in prop_oneof![4 => Just(None), 4 => (-1.0..1.0).prop_map(Some), 1 => Just(Some(1.0)), 1 => Just(Some(f64::NAN))],
        lens in prop_oneof![6 => (0usize..=2).prop_map(|len| (len, len)), 1 => (0usize..=3, 0usize..=3)],
        sized in prop_oneof![6 => Just(None), 2 => Just(Some(0)), 1 => Just(Some(1)), 1 => Just(Some(-1))],
    ) -> OpNode {
        let size = name.chars().count();
        let size = sized.map(|more: isize| size.saturating_add_signed(more));
        OpNode {
            base: BaseNode { name: name.into() },
            op: op.into(),
            bits,
            byte,
            weight,
            params: (0..lens.0).map(|index| Str::from(format!("p{index}"))).collect(),
            args: Map::new((0..lens.1).map(|index| (Str::from(format!("a{index}")), Any::None))),
            data: size.map(|size| Bytes::new(&vec![0; size])),
            shape: size.map(|size| Shape::new(&vec![1; size])),
        }
    }
}

fn copy(node: &OpNode) -> OpNode {
    OpNode {
        base: BaseNode { name: node.name.clone() },
        op: node.op.clone(),
        params: node.params.clone(),
        args: node.args.clone(),
        data: node.data.clone(),
        shape: node.shape.clone(),
        ..*node
    }
}

/// An object with the values of a node, without a check.
fn unchecked(node: OpNode) -> Op {
    let mut op = allowed();
    *op.make_mut() = node;
    op
}

/// The results of all ways to make an object with the values of `op`. The names are for messages.
fn ways(op: &Op) -> Vec<(&'static str, Result<Any, Error>)> {
    let view = op.as_object().view();
    let by_name = ObjectBuilder::new(OpNode::TYPE_INFO).and_then(|mut builder| {
        for field in OpNode::TYPE_INFO.fields() {
            builder.set(field.name(), view.get(field.name()).expect("its own field").to_any())?;
        }
        builder.build()
    });
    let text = json::to_string(op).expect("a text");
    #[allow(unused_mut, reason = "without features, there are fewer ways")]
    let mut ways = vec![
        ("try_new_object", try_new_object(copy(op)).map(Any::from)),
        ("builder", by_name.map(Any::Object)),
        ("copy", ObjectBuilder::from_object(view).and_then(ObjectBuilder::build).map(Any::Object)),
        ("json", json::from_str(&text)),
        ("json stream", JsonReader::new().read_from(text.as_bytes()).map(|graph| graph.root)),
        ("repr", repr::parse(&Repr::new(op).to_string())),
    ];
    #[cfg(feature = "binary")]
    {
        let bytes = Bytes::from_owner(object_core::binary::to_vec(op, None).expect("it has a binary form"));
        ways.push(("binary", JsonReader::new().read_binary(&bytes).map(|graph| graph.root)));
    }
    #[cfg(feature = "serde")]
    {
        let value = serde_json::to_value(op).expect("a value");
        let read = serde_json::from_value::<Op>(value);
        ways.push((
            "serde",
            read.map(Any::from).map_err(|error| Error::new(ErrorKind::CheckFailed, error.to_string())),
        ));
    }
    ways
}

proptest! {
    #[test]
    fn all_ways_accept_what_the_checker_accepts(node in nodes()) {
        let expected = is_allowed(&node);
        let op = unchecked(node);
        let words: Vec<&str> = verify(&op).expect("no limit").iter().map(|it| it.rule()).collect();
        prop_assert_eq!(words.is_empty(), expected, "{:?}", words);
        for (way, made) in ways(&op) {
            match made {
                Ok(made) => {
                    prop_assert!(expected, "{} accepts what breaks {:?}", way, words);
                    prop_assert!(structural_equal(&made, &op), "{way}");
                }
                Err(error) => {
                    prop_assert!(!expected, "{}: {}", way, error);
                    prop_assert_eq!(error.kind(), ErrorKind::CheckFailed, "{}: {}", way, error);
                }
            }
        }
        let panics = catch_unwind(AssertUnwindSafe(|| Op::from(copy(&op)))).is_err();
        prop_assert_eq!(panics, !expected);
    }
}

#[test]
fn files_name_the_place() {
    let mut op = allowed();
    op.make_mut().bits = 7;
    op.make_mut().params = texts(["a", "b", "c"]);
    let first = "field `bits` of `checks.Op`: expected one of -1, 0, 8, 63, 64, got 7";
    for (way, made) in ways(&op) {
        let error = made.expect_err(way);
        assert!(error.message().contains(first), "{way}: {error}");
    }
    let rules: Vec<String> =
        verify(&op).expect("no limit").iter().map(|it| format!("{} {}", it.rule(), it.path())).collect();
    assert_eq!(rules, ["one_of <root>.bits", "len <root>.params", "same_len <root>.args"]);
}

#[test]
fn constructors_panic_or_return_an_error() {
    let new = |bits| Op::try_new("n", "add", bits, 1, None, texts([]), args([]), None, None);
    assert!(new(63).is_ok());
    let error = new(64).expect_err("out of the range");
    assert_eq!(error.path().map(ToString::to_string).as_deref(), Some("<root>.bits"));
    let panic = catch_unwind(|| allowed().with_changes(|op| op.op = "mul".into())).expect_err("it is not allowed");
    let message = panic.downcast_ref::<String>().expect("a message");
    assert!(message.starts_with(r#"field `op` of `checks.Op`: expected one of "add", "sub", got "mul""#), "{message}");
}

#[test]
fn rewrites_keep_the_words() {
    // Alone, so that the rewrite could change it in place.
    let rename = |to: &'static str| mutate(allowed(), move |text: &Str, _| (text == "add").then(|| Str::from(to)));
    assert_eq!(rename("sub").expect("an allowed value").op, "sub");
    assert_eq!(rename("mul").expect_err("another value").kind(), ErrorKind::CheckFailed);
    let kept = allowed();
    let shared = mutate(kept.clone(), |text: &Str, _| (text == "n").then(|| Str::from("")));
    assert_eq!(shared.expect_err("an empty name").kind(), ErrorKind::CheckFailed);
    assert_eq!(kept.name, "n");
}

#[test]
fn verifiers_of_ancestors_run_first() {
    let op = op("a-b", ["b", "a"]);
    // Shared objects once.
    let root = Array::<Any>::from([op.clone().into(), Any::from(Array::from([op.clone()])), op.into()]);
    let found = verify(&root).expect("no limit");
    let shown: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "`checks.Op`: `a-b` has a `-` [plain_name] (at <root>[0].name)",
            "`checks.Op`: `a` follows `b` [order] (at <root>[0].params[1])",
        ]
    );
    let data = serde_json::to_value(&found).expect("JSON");
    assert_eq!(data[1]["path"], "<root>[0].params[1]");
    assert_eq!((&data[1]["type"], &data[1]["rule"]), (&"checks.Op".into(), &"order".into()));
    let text = json::to_string(&root).expect("a text");
    assert!(JsonReader::new().read(text.as_bytes()).is_ok());
    let error = JsonReader::new().verify().read(text.as_bytes()).expect_err("a violation");
    assert_eq!(error.to_string(), shown[0]);
    assert!(Verifier::new().require(&Array::from([1, 2])).is_ok());
}

#[derive(Object)]
#[object(type_key = "checks.Link", verify = is_positive)]
#[structural_eq(tree)]
pub struct LinkNode {
    #[field(range = 0..)]
    pub value: i64,
    pub next: Any,
}

fn is_positive(node: &LinkNode, findings: &mut Findings) {
    if node.value <= 0 {
        findings.add("positive", AccessPath::root().field("value"), "expected a positive number");
    }
}

/// A chain in which every object has a violation: the memory of all paths together is linear, and nothing recurses.
#[test]
fn long_chains_are_linear() {
    let count = 200_000;
    let mut root = Link::new(0, Any::None);
    for _ in 1..count {
        root = Link::new(0, root);
    }
    let found = verify(&root).expect("no limit");
    assert_eq!(found.len(), count);
    assert_eq!(found[count - 1].path().steps().len(), count);
    assert!(found[count - 1].to_string().len() < 2000);
    let limited = Verifier::new().limits(Limits::new().max_steps(1000)).verify(&root);
    assert_eq!(limited.expect_err("a limit").kind(), ErrorKind::LimitExceeded);
    // A ladder of shared objects has exponentially many paths.
    let mut top = Any::from(Link::new(0, Any::None));
    for _ in 0..100 {
        top = Any::from(Array::<Any>::from([top.clone(), top]));
    }
    assert_eq!(verify(&top).expect("no limit").len(), 1);
}

#[test]
fn hostile_values_have_short_messages() {
    let long = "x".repeat(1 << 20);
    let mut op = allowed();
    op.make_mut().op = long.as_str().into();
    op.make_mut().base.name = long.as_str().into();
    let messages: Vec<usize> = verify(&op).expect("no limit").iter().map(|it| it.message().len()).collect();
    assert!(messages.iter().all(|len| *len < 300) && messages.len() == 2, "{messages:?}");
}

#[test]
fn schemas_have_the_words() {
    let schema = Schema::of(&[BaseNode::TYPE_INFO, OpNode::TYPE_INFO]);
    let text = schema.to_json().expect("JSON");
    for part in [
        r#""version":5"#,
        r#""len":{"from":1,"to":4}"#,
        r#""range":{"from":0,"to":63},"one_of":[-1,0,8,63,64]"#,
        r#""range":{"from":-1.0,"below":1.0}"#,
        r#""same_len":[["params","args"],["name","data","shape"]],"verify":true"#,
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let read = Schema::parse(text.as_bytes()).expect("a schema");
    assert_eq!(read.to_json().expect("JSON"), text);
    // The types that a program makes of the schema enforce the words.
    let loader = SchemaLoader::new().replace_linked("checks.");
    let types = loader.load(&read).expect("the types fit");
    let mut op = allowed();
    let text = |op: &Op| json::to_string(op).expect("a text");
    let read = |text: &str| JsonReader::new().types(&types).read(text.as_bytes()).map(|graph| graph.root);
    assert!(read(&text(&op)).is_ok());
    op.make_mut().args = args(["a"]);
    let error = read(&text(&op)).expect_err("another length");
    assert!(error.message().contains("expected a length of 2, as `params` has, got 1"), "{error}");
}

#[test]
fn narrower_words_need_a_migration() {
    let schema = |field: &str| {
        let text = format!(
            r#"{{"format": "object-schema", "version": 5, "types": [{{"key": "my.Const", "kind": "tree", "fields": [{field}]}}]}}"#
        );
        Schema::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
    };
    let plain = schema(r#"{"name": "value", "type": "int"}"#);
    let wide = schema(r#"{"name": "value", "type": "int", "range": {"from": 0, "to": 255}}"#);
    let narrow = schema(r#"{"name": "value", "type": "int", "range": {"from": 0, "to": 15}}"#);
    let change = |new: &Schema, old: &Schema| {
        let changes = new.changes_since(old);
        assert_eq!(changes.len(), 1);
        changes[0].compatibility
    };
    assert_eq!(change(&narrow, &wide), Compatibility::NeedsMigration);
    assert_eq!(change(&wide, &plain), Compatibility::NeedsMigration);
    assert_eq!(change(&wide, &narrow), Compatibility::Compatible);
    assert_eq!(change(&plain, &narrow), Compatibility::Compatible);
    assert_eq!(
        narrow.changes_since(&wide)[0].to_string(),
        "needs a migration: my.Const.value: the field had range 0..=255 and has range 0..=15; write `version = 2, \
         migrate(from = 1, with = function)`"
    );
}

#[test]
fn reflection_has_the_words() {
    let info = registry::type_info("checks.Op").expect("it is linked");
    let groups: Vec<Vec<&str>> = info.same_len().map(|group| group.map(|field| field.name()).collect()).collect();
    assert_eq!(groups, [vec!["params", "args"], vec!["name", "data", "shape"]]);
    assert!(info.has_verifier() && OpNode::TYPE_INFO.fields()[0].meta().checks.is_some());
    let (_, bits) = info.field("bits").expect("its field");
    assert!(bits.check(Any::Int(63).view()).is_ok() && bits.check(Any::Int(62).view()).is_err());
}

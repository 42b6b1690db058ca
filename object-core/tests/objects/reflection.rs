//! Type tables: fields, defaults, renames, documentation, metadata; objects built by name; singletons; enums.

use std::sync::atomic::{AtomicBool, Ordering};

use object_core::prelude::*;
use object_core::{ErrorKind, ObjectBuilder, SEqHashKind, registry};

/// How a loop runs.
#[derive(Object, Clone, Copy, Debug, PartialEq)]
pub enum LoopKind {
    /// One after the other.
    Serial = 0,
    /// All at once.
    Parallel = 3,
}

#[derive(Object)]
#[object(type_key = "reflection.Stmt", base)]
pub struct StmtNode {
    #[field(ignore, default)]
    pub span: Option<Str>,
}

/// A loop over a range.
#[derive(Object)]
#[object(type_key = "reflection.For", parent = StmtNode, meta(dialect = "tir"))]
#[structural_eq(tree)]
pub struct ForNode {
    pub base: StmtNode,
    /// Number of rounds.
    #[field(meta(unit = "rounds"))]
    pub extent: i64,
    #[field(default = LoopKind::Serial)]
    pub kind: LoopKind,
    #[field(rename = "type", default = "int32".parse::<DataType>().unwrap_or(DataType::void()))]
    pub ty: DataType,
    #[field(default)]
    pub tags: Array<Str>,
    pub r#where: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "reflection.Op")]
#[structural_eq(singleton, key = name)]
pub struct OpNode {
    pub name: Str,
    #[field(ignore, default)]
    pub arity: Option<i64>,
}

/// The default of a field of this type looks up another instance.
#[derive(Object)]
#[object(type_key = "reflection.Linked")]
#[structural_eq(singleton, key = name)]
pub struct LinkedNode {
    pub name: Str,
    #[field(ignore, default = first_link())]
    pub first: Option<Linked>,
}

/// The instance `first`, in the first call; then `None`.
fn first_link() -> Option<Linked> {
    static IS_MADE: AtomicBool = AtomicBool::new(false);
    (!IS_MADE.swap(true, Ordering::SeqCst)).then(|| Linked::get("first").expect("an open set"))
}

#[derive(Object)]
#[object(type_key = "reflection.Target")]
#[structural_eq(singleton, key = name, table = targets)]
pub struct TargetNode {
    pub name: Str,
    #[field(ignore)]
    pub bits: i64,
}

fn targets() -> Vec<TargetNode> {
    [("cpu", 64), ("gpu", 32)].map(|(name, bits)| TargetNode { name: name.into(), bits }).into()
}

fn for_info() -> &'static object_core::TypeInfo {
    registry::type_info("reflection.For").expect("registered by linking alone")
}

#[test]
fn the_table_contains_the_declaration() {
    let info = for_info();
    let names: Vec<&str> = info.fields().iter().map(|field| field.name()).collect();
    assert_eq!(names, ["span", "extent", "kind", "type", "tags", "where"]);
    assert_eq!(info.own_fields().len(), 5);
    assert_eq!(info.doc(), "A loop over a range.");
    assert_eq!(info.meta(), [("dialect", "tir")]);
    let (_, extent) = info.field("extent").expect("a field");
    assert_eq!((extent.meta().doc, extent.meta().pairs), ("Number of rounds.", &[("unit", "rounds")][..]));
    assert_eq!(info.field("where").expect("a field").1.schema().to_string(), "Optional<ffi.String>");
    assert_eq!(info.parent().map(|parent| parent.type_key()), Some("reflection.Stmt"));
    assert_eq!(info.kind(), SEqHashKind::TreeNode);
    assert!(info.parent().is_some_and(|parent| parent.is_abstract() && info.is_or_extends(parent)));
}

#[test]
fn objects_are_built_by_name() {
    let mut builder = ObjectBuilder::new(for_info()).expect("it has fields");
    builder.set("extent", 4).and_then(|builder| builder.set("where", "here")).expect("both fit");
    let built: For = builder.build().expect("the others have defaults").try_into().expect("it is one");
    assert_eq!((built.extent, built.kind, built.ty), (4, LoopKind::Serial, DataType::int(32)));
    assert_eq!(built.as_object().view().get("where").and_then(|value| value.as_str()), Some("here"));
    assert!(structural_equal(&built, &For::new(4, Some("here".into()))));
}

#[test]
fn building_reports_every_mistake() {
    let build = |name: &str, value: Any| {
        let mut builder = ObjectBuilder::new(for_info())?;
        builder.set(name, value)?;
        builder.build()
    };
    let cases = [
        ("extend", Any::Int(1), ErrorKind::UnknownField, "did you mean `extent`"),
        ("extent", Any::from("x"), ErrorKind::TypeMismatch, "field `extent` of `reflection.For`: expected `int`"),
        ("kind", Any::Int(1), ErrorKind::OutOfRange, "Serial"),
        ("tags", Any::from(Array::from([1])), ErrorKind::TypeMismatch, "element 0"),
        ("type", Any::from("flot32"), ErrorKind::Malformed, "did you mean `float32`"),
        ("where", Any::from("x"), ErrorKind::MissingField, "required field `extent`"),
    ];
    for (name, value, kind, says) in cases {
        let error = build(name, value).expect_err(name);
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.message().contains(says), "{error}");
    }
    let info = registry::type_info("reflection.Stmt").expect("registered");
    let error = ObjectBuilder::new(info).err().expect("it is abstract");
    assert_eq!(error.kind(), ErrorKind::NotConstructible);
}

#[test]
fn instances_of_singletons_are_made_without_a_lock() {
    let second = Linked::get("second").expect("an open set");
    let first = second.first.as_ref().expect("made by the default");
    assert!(first.ptr_eq(&Linked::get("first").expect("an open set")) && first.first.is_none());
}

#[test]
fn a_singleton_has_one_instance_per_key() {
    let (a, b) = (Op::get("add").expect("an open set"), Op::get("add").expect("an open set"));
    assert!(a.ptr_eq(&b) && structural_equal(&a, &b));
    assert!(!structural_equal(&a, &Op::get("mul").expect("an open set")));
    assert_eq!(Target::get("gpu").expect("in the table").bits, 32);
    let error = Target::get("gpx").expect_err("not in the table");
    assert_eq!(error.kind(), ErrorKind::UnknownSingleton);
    assert!(error.message().contains("did you mean `gpu`"), "{error}");
    let text = object_core::json::to_string(&a).expect("serializable");
    assert!(text.ends_with(r#""root_index":0,"nodes":[{"type":"reflection.Op","data":"add"}]}"#), "{text}");
    let back: Op = object_core::json::from_slice(text.as_bytes()).expect("readable");
    assert!(back.ptr_eq(&a));
}

#[test]
fn an_unknown_key_names_the_nearest() {
    let error = registry::type_info("reflection.Four").expect_err("no such type");
    assert_eq!(error.kind(), ErrorKind::UnknownType);
    assert!(error.message().contains("did you mean `reflection.For`"), "{error}");
    let types = registry::types().expect("no duplicates");
    assert!(types.is_sorted_by_key(|info| info.type_key()));
}

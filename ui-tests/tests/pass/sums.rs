//! An enum with one value in each variant is a field type that holds a value of one of several types.
use object_core::json;
use object_core::prelude::*;
use ui_tests::{Const, Expr, Var};

/// The value of a name.
#[derive(Object, Clone, Debug)]
pub enum Meaning {
    /// A variable.
    Variable(Var),
    Constant(Const),
    Number(i64),
    r#Many(Array<Expr>),
}

#[derive(Object)]
#[object(type_key = "sums.Name")]
#[structural_eq(tree)]
struct NameNode {
    text: Str,
    meaning: Meaning,
    other: Option<Meaning>,
    #[field(default)]
    more: Map<Str, Meaning>,
}

fn describe(meaning: &Meaning) -> String {
    match meaning {
        Meaning::Variable(var) => format!("variable {}", var.name),
        Meaning::Constant(constant) => format!("constant {}", constant.value),
        Meaning::Number(number) => format!("number {number}"),
        Meaning::Many(all) => format!("{} expressions", all.len()),
    }
}

/// A variant for each kind of value, the more specific objects first.
#[derive(Object, Clone, Debug)]
enum Every {
    Flag(bool),
    Integer(i64),
    Number(f64),
    Dtype(DataType),
    Device(Device),
    Missing(Option<Bytes>),
    Text(Str),
    Shape(Shape),
    Items(Array<Var>),
    Table(Map<Str, i64>),
    Meaning(Nested),
    Expr(Expr),
    Object(ObjectRef),
}

#[derive(Object, Clone, Debug)]
enum Nested {
    Variable(Var),
    Constant(Const),
}

#[derive(Object)]
#[object(type_key = "sums.Holder")]
#[structural_eq(tree)]
struct HolderNode {
    every: Every,
}

/// A value has the variant with which it was written: after a conversion to `Any`, a copy, and a file.
fn variants_survive() {
    let all: [Every; 15] = [
        true.into(),
        1.into(),
        1.0.into(),
        "int1".parse::<DataType>().unwrap().into(),
        Device::cpu(0).into(),
        None.into(),
        Some(Bytes::from(&b"int1"[..])).into(),
        Str::from("int1").into(),
        Shape::from([1]).into(),
        Array::<Var>::default().into(),
        Map::<Str, i64>::default().into(),
        Nested::Variable(Var::new("x")).into(),
        Nested::Constant(Const::new(1)).into(),
        Every::Expr(Plain::new().into()),
        Every::Object(Name::new("a", 1, None).into()),
    ];
    for every in all {
        let holder = Holder::new(every.clone());
        let copy = object_core::data::deep_copy(&holder).unwrap();
        let text = json::to_string(&holder).unwrap();
        let read = Holder::try_from(json::from_slice::<Any>(text.as_bytes()).unwrap()).unwrap();
        let converted = Every::try_from(Any::from(every.clone())).unwrap();
        for other in [&copy.every, &read.every, &converted] {
            assert_eq!(format!("{other:?}"), format!("{every:?}"));
        }
    }
    // An object is the first variant that accepts it, whatever handle the program had.
    let expr: Expr = Var::new("x").into();
    let converted = Every::try_from(Any::from(Every::Expr(expr))).unwrap();
    assert!(matches!(converted, Every::Meaning(Nested::Variable(_))));
}

#[derive(Object)]
#[object(type_key = "sums.Plain", parent = ui_tests::ExprNode)]
#[structural_eq(tree)]
struct PlainNode {
    base: ui_tests::ExprNode,
}

/// A variant for all other values. `From<Any>` would take each value without a look at the other variants.
#[derive(Object, Clone, Debug)]
enum Open {
    Number(i64),
    Other(Any),
}

pub(super) fn main() {
    variants_survive();
    assert!(matches!(Open::try_from(Any::from(1)), Ok(Open::Number(1))));
    assert!(matches!(Open::try_from(Any::from("a")), Ok(Open::Other(_))));
    let x = Var::new("x");
    let a = Name::new("a", x.clone(), Some(7.into()));
    let b = Name::new("a", Meaning::Variable(x.clone()), Some(Meaning::Number(7)));
    assert!(structural_equal(&a, &b));
    assert_eq!(structural_hash(&a), structural_hash(&b));
    assert!(!structural_equal(&a, &Name::new("a", Const::new(1), Some(7.into()))));
    assert_eq!(describe(&a.meaning), "variable x");
    let list = Array::<Expr>::from([x.clone().into(), Const::new(2).into()]);
    assert_eq!(describe(&list.into()), "2 expressions");

    let text = json::to_string(&a).unwrap();
    let back = Name::try_from(json::from_slice::<Any>(text.as_bytes()).unwrap()).unwrap();
    assert_eq!(format!("{back}"), format!("{a}"));

    assert_eq!(describe(&Meaning::try_from(Any::Int(3)).unwrap()), "number 3");
    let error = Meaning::try_from(Any::Bool(true)).unwrap_err();
    assert!(error.message().contains("Variant<upstream.Var,upstream.Const,int,ffi.Array<"), "{error}");
    let schema = NameNode::TYPE_INFO.field("other").unwrap().1.schema().to_string();
    assert!(schema.starts_with("Optional<Variant<upstream.Var"), "{schema}");
    let _: Expr = x.into();
}

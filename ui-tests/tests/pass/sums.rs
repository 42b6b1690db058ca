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
    r#Many(Option<Array<Expr>>),
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
        Meaning::Many(all) => format!("{} expressions", all.as_ref().map_or(0, Array::len)),
    }
}

pub(super) fn main() {
    let x = Var::new("x");
    let a = Name::new("a", x.clone(), Some(7.into()));
    let b = Name::new("a", Meaning::Variable(x.clone()), Some(Meaning::Number(7)));
    assert!(structural_equal(&a, &b));
    assert_eq!(structural_hash(&a), structural_hash(&b));
    assert!(!structural_equal(&a, &Name::new("a", Const::new(1), Some(7.into()))));
    assert_eq!(describe(&a.meaning), "variable x");
    let list = Array::<Expr>::from([x.clone().into(), Const::new(2).into()]);
    assert_eq!(describe(&Some(list).into()), "2 expressions");

    let text = json::to_string(&a).unwrap();
    let back = Name::try_from(json::from_slice::<Any>(text.as_bytes()).unwrap()).unwrap();
    assert_eq!(format!("{back}"), format!("{a}"));

    assert_eq!(describe(&Meaning::try_from(Any::Int(3)).unwrap()), "number 3");
    assert!(matches!(Meaning::try_from(Any::None), Ok(Meaning::Many(None))));
    let error = Meaning::try_from(Any::Bool(true)).unwrap_err();
    assert!(error.message().contains("Variant<upstream.Var,upstream.Const,int,Optional<ffi.Array<"), "{error}");
    let schema = NameNode::TYPE_INFO.field("other").unwrap().1.schema().to_string();
    assert!(schema.starts_with("Optional<Variant<upstream.Var"), "{schema}");
    let _: Expr = x.into();
}

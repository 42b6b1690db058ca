//! Fields of several types in schemas.

use object_core::ObjectBuilder;
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::json::{self, JsonReader};
use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "choice.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {}

#[derive(Object)]
#[object(type_key = "choice.Leaf", parent = ExprNode)]
#[structural_eq(tree)]
pub struct LeafNode {
    pub base: ExprNode,
    pub value: i64,
}

/// A value of one of several types.
#[derive(Clone, Object)]
pub enum Choice {
    Number(i64),
    Text(Str),
    Texts(Array<Str>),
    Expr(Expr),
}

#[derive(Object)]
#[object(type_key = "choice.Holder")]
#[structural_eq(tree)]
pub struct HolderNode {
    pub choice: Choice,
    pub maybe: Option<Choice>,
    pub many: Array<Choice>,
    #[field(default = Choice::Text("none".into()))]
    pub other: Choice,
}

#[test]
fn a_schema_with_variants_is_read_as_it_is_written() {
    let schema = Schema::of(&[HolderNode::TYPE_INFO]);
    let text = schema.to_json().expect("it is written");
    assert!(text.contains("Variant<int,ffi.String,ffi.Array<ffi.String>,choice.Expr>"), "{text}");
    let again = Schema::parse(text.as_bytes()).expect("what was written is read");
    assert_eq!(again.to_json().expect("it is written"), text);
    let types = SchemaLoader::new().replace_linked("choice.Holder").load(&again).expect("it loads");
    assert_eq!(Schema::of(&[types.get("choice.Holder").expect("it is there")]).to_json().expect("a schema"), text);

    // Values that the linked type holds, and the same values in the dynamic type.
    let expr = Leaf::new(7);
    let choices = [Choice::Number(1), Choice::Text("a".into()), Choice::Expr(expr.into())];
    let holder = Holder::new(Choice::Texts(Array::from([Str::from("b")])), Some(choices[0].clone()), choices);
    let text = json::to_string(&holder).expect("it is saved");
    let read = JsonReader::new().types(&types).read(text.as_bytes()).expect("the dynamic type accepts the values").root;
    assert_eq!(json::to_string(&read).expect("it is saved"), text);
    assert_eq!(read.to_string(), holder.to_string());
    for value in [Any::Bool(true), Any::Float(1.0), Array::from([1]).into(), Any::None] {
        let mut builder = ObjectBuilder::new(types.get("choice.Holder").expect("it is there")).expect("it is concrete");
        let error = builder.set("choice", value.clone()).map(drop).expect_err("it is none of the types");
        assert!(error.message().contains("expected `Variant<int,ffi.String,"), "{error}");
        let linked = ObjectBuilder::new(HolderNode::TYPE_INFO).expect("it is concrete").set("choice", value).map(drop);
        assert_eq!(linked.expect_err("it is none of the types").message(), error.message());
    }
}

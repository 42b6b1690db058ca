//! The dialect `small` in object-syntax: a constant, a sum, a comparison, a function and its return.
//!
//! Reads each file of the arguments, and prints the text of its function, or the errors.

// [declaration]
use object_core::access_path::AccessPath;
use object_core::prelude::*;
use object_core::verify::Findings;

#[derive(Object, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Int,
    Bool,
}

#[derive(Object)]
#[object(type_key = "small.Value", format = "$name: $ty")]
#[structural_eq(var)]
pub struct ValueNode {
    #[field(ignore)]
    pub name: Str,
    pub ty: Type,
}

#[derive(Object)]
#[object(type_key = "small.Op", base)]
pub struct OpNode {}

#[derive(Object)]
#[object(type_key = "small.Const", parent = OpNode, format = "const $value -> $result;")]
#[structural_eq(tree)]
pub struct ConstNode {
    pub base: OpNode,
    pub value: i64,
    #[field(def_simple)]
    pub result: Value,
}

#[derive(Object)]
#[object(type_key = "small.Add", parent = OpNode, verify = add_types, format = "add $lhs, $rhs -> $result;")]
#[structural_eq(tree)]
pub struct AddNode {
    pub base: OpNode,
    #[field(outer)]
    pub lhs: Value,
    #[field(outer)]
    pub rhs: Value,
    #[field(def_simple)]
    pub result: Value,
}

#[derive(Object)]
#[object(type_key = "small.Less", parent = OpNode, verify = less_types, format = "less $lhs < $rhs -> $result;")]
#[structural_eq(tree)]
pub struct LessNode {
    pub base: OpNode,
    #[field(outer)]
    pub lhs: Value,
    #[field(outer)]
    pub rhs: Value,
    #[field(def_simple)]
    pub result: Value,
}

#[derive(Object)]
#[object(type_key = "small.Return", parent = OpNode, format = "return $value;")]
#[structural_eq(tree)]
pub struct ReturnNode {
    pub base: OpNode,
    pub value: Value,
}

#[derive(Object)]
#[object(
    type_key = "small.Func",
    format = "
        func ${name:word}($($params), *) {
            $($body)*
        }
    "
)]
#[structural_eq(tree, scope)]
pub struct FuncNode {
    pub name: Str,
    #[field(def_simple)]
    pub params: Array<Value>,
    pub body: Array<Op>,
}

fn add_types(node: &AddNode, findings: &mut Findings) {
    have_types(
        [("lhs", &node.lhs, Type::Int), ("rhs", &node.rhs, Type::Int), ("result", &node.result, Type::Int)],
        findings,
    );
}

fn less_types(node: &LessNode, findings: &mut Findings) {
    have_types(
        [("lhs", &node.lhs, Type::Int), ("rhs", &node.rhs, Type::Int), ("result", &node.result, Type::Bool)],
        findings,
    );
}

fn have_types(values: [(&'static str, &Value, Type); 3], findings: &mut Findings) {
    for (field, value, ty) in values.into_iter().filter(|(_, value, ty)| value.ty != *ty) {
        findings.add("types", AccessPath::root().field(field), format!("expected {ty:?}, got {:?}", value.ty));
    }
}
// [end]

fn main() {
    let language = object_syntax::LanguageOptions::new().verify(true).language::<Func>();
    let language = language.unwrap_or_else(|error| {
        println!("load: {error}");
        std::process::exit(0)
    });
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).expect("a file");
        match language.parse_file(&text, "text") {
            Ok(parsed) => println!("ok:\n{}", language.print(&parsed.value).expect("a text")),
            Err(errors) => println!("parse: {errors}"),
        }
    }
}

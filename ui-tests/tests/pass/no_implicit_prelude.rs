//! A module in which no name of std is in scope.
#![no_implicit_prelude]
#![allow(dead_code, missing_docs, reason = "compiling it is the test")]

use ::object_core::prelude::*;
use ::object_core::{Object, object_methods, register_function, variants_of, visitor};
use ::std::clone::Clone;
use ::std::prelude::v1::derive;
#[derive(Object)]
#[object(type_key = "bare.Base", base, label = "Base({number})")]
#[structural_eq(tree)]
pub struct BaseNode {
    pub number: i64,
    #[field(ignore)]
    pub span: ::std::option::Option<Str>,
}
#[derive(Object)]
#[object(type_key = "bare.Child", parent = BaseNode, base_args(number: i64))]
#[structural_eq(tree, custom, scope)]
pub struct ChildNode {
    pub base: BaseNode,
    #[field(default = 3)]
    pub other: i64,
    #[field(default = "a", rename = "b", meta(a = "b"))]
    pub text: Str,
    #[field(default)]
    pub items: Array<Base>,
    pub map: Map<Str, i64>,
    pub sum: Sum,
    pub kind: Kind,
}
impl StructuralHook for ChildNode {
    fn structural_contents<'a>(&'a self, _contents: &mut ::object_core::object::HookContents<'a>) {}
}
#[derive(Object)]
#[object(type_key = "bare.Op")]
#[structural_eq(singleton, key = name)]
pub struct OpNode {
    pub name: Str,
    #[field(default = 1 + 1)]
    pub level: i64,
}
#[derive(Object)]
#[object(type_key = "bare.Closed")]
#[structural_eq(singleton, key = name, table = list)]
pub struct ClosedNode {
    pub name: Str,
}
fn list() -> ::std::vec::Vec<ClosedNode> {
    ::std::vec::Vec::new()
}
#[derive(Object, Clone)]
#[object(type_key = "bare.Opaque", opaque)]
pub struct OpaqueNode {
    pub lines: ::std::vec::Vec<i64>,
}
#[derive(Object, Clone)]
pub enum Sum {
    A(i64),
    B(Str),
    C(::std::option::Option<Base>),
}
#[derive(Object, Clone)]
pub enum Kind {
    A,
    B,
}
variants_of! {
    pub enum Kinds of Base { Child, }
}
variants_of! {
    pub enum Anything of ObjectRef { Str, Array<Base>, Base, }
}
visitor! {
    pub trait Visitor { child: Child, items: Array<Base>, }
}
#[object_methods]
impl Child {
    pub fn double(&self, by: i64, text: &str, list: Array<Base>) -> ::std::result::Result<i64, Error> {
        let _ = (text, list);
        ::std::result::Result::Ok(self.number * by)
    }
    pub fn maybe() -> ::std::option::Option<Base> {
        ::std::option::Option::None
    }
}
fn plus(a: i64, b: i64) -> i64 {
    a + b
}
register_function!("bare.plus"(a, b) = plus);

pub(super) fn main() {
    let child = Child::new(1, [(Str::new("a"), 2)], Sum::A(1), Kind::B);
    ::std::assert!(::std::matches!(Kinds::of(<Child as ::std::convert::AsRef<Base>>::as_ref(&child)), Kinds::Child(_)));
    ::std::assert!(::object_core::structural_equal(&child, &child));
}

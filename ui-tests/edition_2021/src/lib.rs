//! The macros in a crate of edition 2021, where `gen` is a name like any other. Their own edition is a later one.
#![cfg(test)]

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "edition.Base", base, label = "Base({gen})")]
#[structural_eq(tree)]
struct BaseNode {
    gen: i64,
}

#[derive(Object)]
#[object(type_key = "edition.Child", parent = BaseNode, base_args(gen: i64))]
#[structural_eq(tree)]
struct ChildNode {
    base: BaseNode,
    r#type: Str,
    #[field(default = 1 + 1)]
    r#async: i64,
}

#[derive(Object)]
#[object(type_key = "edition.Named", json = gen)]
#[structural_eq(tree)]
struct NamedNode {
    #[field(rename = "generation")]
    gen: Str,
    #[field(default = 1 + 1)]
    level: i64,
}

#[derive(Object)]
#[object(type_key = "edition.Op")]
#[structural_eq(singleton, key = gen)]
struct OpNode {
    gen: Str,
}

#[derive(Object)]
#[object(type_key = "edition.Defaulted")]
#[structural_eq(tree)]
struct DefaultedNode {
    #[field(default = "a")]
    gen: Str,
}

#[derive(Object, Clone, Copy)]
#[allow(non_camel_case_types, reason = "`gen` is the test")]
enum Kind {
    gen,
    r#loop,
}

#[derive(Object, Clone)]
#[allow(non_camel_case_types, reason = "`gen` is the test")]
enum Sum {
    gen(i64),
    r#loop(Str),
}

object_core::variants_of! {
    #[allow(non_camel_case_types, reason = "`gen` is the test")]
    enum Bases of Base { gen(Child), Base }
}

object_core::visitor! {
    trait Visitor { gen: Child }
}

#[object_methods]
impl Child {
    #[allow(unreachable_pub, reason = "reflection sees `pub` functions")]
    pub fn gen(&self, gen: i64) -> i64 {
        self.base.gen + gen
    }
}

struct Sums(i64);

impl Visitor for Sums {
    fn enter_gen(&mut self, node: &Child, _: &mut object_core::visit::Visit<'_>) {
        self.0 += node.gen(1);
    }
}

#[test]
fn gen_is_a_name() {
    let child = Child::new(2, "a");
    assert_eq!((child.base.gen, child.r#async), (2, 2));
    assert_eq!(BaseNode::FIELDS[0].name(), "gen");
    let mut sums = Sums(0);
    sums.run(&child);
    assert_eq!(sums.0, 3);
    let base: Base = child.into();
    assert!(matches!(Bases::of(&base), Bases::gen(_)));
    assert!(matches!(Bases::of(&Base::new(1)), Bases::Base(_)));
    assert_eq!(base.as_object().call_method("gen", &[AnyView::Int(3)]).unwrap().cast::<i64>().unwrap(), 5);
    let text = object_core::json::to_string(&Named::new("b")).unwrap();
    let named: Named = object_core::json::from_slice(text.as_bytes()).unwrap();
    assert_eq!((named.gen.as_str(), named.level), ("b", 2));
    assert_eq!((Op::get("c").unwrap().gen.as_str(), Defaulted::new().gen.as_str()), ("c", "a"));
    assert!(matches!(Kind::try_from(Any::Int(0)), Ok(Kind::gen)));
    assert!(matches!(Kind::try_from(Any::Int(1)), Ok(Kind::r#loop)));
    assert!(matches!(Sum::try_from(Any::Int(7)), Ok(Sum::gen(7))));
    assert!(matches!(Sum::try_from(Any::from("d")), Ok(Sum::r#loop(_))));
}

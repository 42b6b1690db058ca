//! Keywords as names of fields: with `r#` in Rust, without it in reflection.
use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "raw_identifiers.Raw", label = "Raw({type})", json = r#type)]
#[structural_eq(tree)]
struct RawNode {
    r#type: Str,
    #[field(default = 3, rename = "struct_info_")]
    r#struct: i64,
    #[field(rename = "__dict__", default)]
    dict: Map<Str, Any>,
}

#[derive(Object)]
#[object(type_key = "raw_identifiers.RawKey", handle = Self_)]
#[structural_eq(singleton, key = r#type)]
struct RawKeyNode {
    r#type: Str,
}

#[derive(Object, Clone, Copy, PartialEq, Debug)]
#[allow(non_camel_case_types, reason = "a raw identifier is a keyword, and these are lower case")]
enum Words {
    r#loop,
    r#while,
}

pub(super) fn main() {
    let raw = Raw::new("int");
    let info = RawNode::TYPE_INFO;
    let names: Vec<&str> = info.fields().iter().map(|field| field.name()).collect();
    assert_eq!(names, ["type", "struct_info_", "__dict__"]);
    assert_eq!((&*raw.r#type, raw.r#struct, raw.dict.len()), ("int", 3, 0));
    assert_eq!(&*Self_::get("key").unwrap().r#type, "key");
    let error = Words::try_from(Any::Int(7)).unwrap_err();
    assert_eq!(error.message(), "expected a variant of `Words`, got 7; the variants are 0 `loop`, 1 `while`");
}

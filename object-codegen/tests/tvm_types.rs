//! The record of TVM's types as Rust: the generated file compiles, and its registry has the types of the record.
//! `goldens.rs` renews the file.

mod common;

#[allow(unreachable_pub, reason = "the items of a generated file are public")]
#[rustfmt::skip]
#[path = "goldens/tvm.rs.txt"]
mod types;

use std::collections::BTreeMap;

use common::record;
use object_core::dynamic::{Schema, TypeDecl, TypeText};
use object_core::object::{HookContents, Object, StructuralHook};
use object_core::registry;

/// Hooks are code, which people write. These have the right form, and not the meaning of TVM's.
macro_rules! hooks {
    ($($node:path: $field:ident),*) => {$(
        impl StructuralHook for $node {
            fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
                contents.add(stringify!($field), &self.$field);
            }
        }
    )*};
}

hooks!(
    types::ir::IRModuleNode: functions,
    types::relax::expr::VarNode: vid,
    types::relax::expr::VarBindingNode: value
);

/// The type of a field as Rust has it: mutable containers and several types are any value.
fn in_rust(ty: &TypeText) -> String {
    if ["Variant", "ffi.List", "ffi.Dict"].contains(&ty.name.as_str()) {
        return "Any".to_owned();
    }
    let args: Vec<String> = ty.args.iter().map(in_rust).collect();
    match (ty.name.as_str(), &args[..]) {
        ("Optional", [arg]) if arg == "Any" => arg.clone(),
        // Functions of Rust check their arguments at each call.
        ("ffi.Function", _) | (_, []) => ty.name.clone(),
        ("ffi.Array", [arg]) if arg == "Any" => format!("ffi.Array<{arg}>"),
        (name, args) => format!("{name}<{}>", args.join(",")),
    }
}

/// The facts of a type that both sides state.
fn facts(decl: &TypeDecl) -> String {
    let TypeDecl { parent, kind, is_base, is_abstract, singleton_key, json, .. } = decl;
    // Reading needs a default for each field that JSON does not show.
    let is_whole = singleton_key.is_none() && json.is_none();
    let fields = decl.fields.iter().map(|field| {
        let default = if is_whole { format!("{:?}", field.default.is_some()) } else { String::new() };
        format!("{}: {} {:?} {default}", field.name, in_rust(&field.ty), field.role)
    });
    let fields: Vec<String> = fields.collect();
    format!("{parent:?} {kind:?} {is_base} {is_abstract} {singleton_key:?} {json:?} {fields:?}")
}

/// The test of `object-ir` compares its types with the same record.
#[test]
fn the_registry_has_the_types_of_the_record() {
    // The module is linked, because a type of it is used.
    assert_eq!(types::ir::EnvFuncNode::TYPE_INFO.type_key(), "ir.EnvFunc");
    let linked = Schema::of(&registry::types().expect("unique keys"));
    let linked: BTreeMap<&str, &TypeDecl> = linked.types().iter().map(|decl| (decl.key.as_str(), decl)).collect();
    let mut wrong = Vec::new();
    for decl in record().types() {
        let found = linked.get(decl.key.as_str()).map_or_else(|| "not linked".to_owned(), |found| facts(found));
        if found != facts(decl) {
            wrong.push(format!("{}:\n  {found}\n  {}", decl.key, facts(decl)));
        }
    }
    assert!(wrong.is_empty(), "{} of {} types differ\n{}", wrong.len(), linked.len(), wrong.join("\n"));
}

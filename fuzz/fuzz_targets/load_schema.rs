//! Any bytes, read as a schema; the first one says how it is loaded. What can be read is written and read again: the same
//! text, and types can be made of both or of none. Of each type that can be made, one object is built of whatever its
//! fields take, and shown, saved, read, compared and hashed.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::object::JsonForm;
use object_core::prelude::*;
use object_core::registry::Types;
use object_core::json::{JsonReader, to_json};
use object_core::{Error, ErrorKind, ObjectBuilder, TypeInfo};

/// A linked type for those of the schema to extend.
#[derive(Object)]
#[object(type_key = "linked.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    #[field(ignore, default)]
    pub span: Option<Str>,
}

/// A linked type for those of the schema to refer to, or to take the place of.
#[derive(Object)]
#[object(type_key = "linked.Var", parent = ExprNode)]
#[structural_eq(var)]
pub struct VarNode {
    pub base: ExprNode,
    #[field(ignore)]
    pub name: Str,
}

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let [options, text @ ..] = bytes else { return Corpus::Reject };
    let Ok(schema) = Schema::parse(text) else { return Corpus::Keep };
    let loader = SchemaLoader::new().name("fuzz").prefer_linked(options & 1 != 0).custom_by_fields(options & 2 != 0);
    let loader = if options & 4 != 0 { loader.replace_linked("linked.") } else { loader };
    let again = match schema.to_json() {
        Ok(written) => {
            let again = Schema::parse(written.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{written}"));
            let twice = again.to_json().expect("what was written can be written");
            assert_eq!(written, twice, "the text does not stay the same");
            Some(again)
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::NotSerializable, "{error}");
            None
        }
    };
    let types = loader.load(&schema);
    // What TVM's format refers to and does not have is left out; in our own it is an error.
    let is_own = serde_json::from_slice::<serde_json::Value>(text).is_ok_and(|value| value.get("format").is_some());
    if let Some(again) = again.filter(|_| is_own) {
        let again = loader.load(&again);
        assert_eq!(types.is_ok(), again.is_ok(), "{:?}, written and read {:?}", types.err(), again.err());
    }
    if let Ok(types) = types {
        build_all(&types);
    }
    Corpus::Keep
});

/// Builds objects of as many types as it can, one after the other, the fields of the next out of those before.
fn build_all(types: &Types) {
    let mut values: Vec<Any> = vec![
        Any::None,
        1.into(),
        true.into(),
        0.5.into(),
        "text".into(),
        DataType::int(32).into(),
        Array::<Any>::from([]).into(),
        Map::<Any, Any>::new([]).into(),
    ];
    let mut left: Vec<&'static TypeInfo> = types.own();
    loop {
        let before = left.len();
        left.retain(|info| match build(info, &values) {
            Ok(object) => {
                values.push(object);
                false
            }
            Err(_) => true,
        });
        if left.len() == before {
            break;
        }
    }
    // Of objects that JSON shows by one field, the others are not saved.
    let is_saved = |info: &&TypeInfo| matches!(info.json, JsonForm::Fields) || info.singleton_key().is_some();
    let is_all_saved = types.own().iter().all(is_saved);
    for value in values.iter().filter(|value| value.view().as_object().is_some()) {
        check(value, types, is_all_saved);
    }
}

/// An object with the first of `values` in each field that takes it.
fn build(info: &'static TypeInfo, values: &[Any]) -> Result<Any, Error> {
    let mut builder = ObjectBuilder::new(info)?;
    for field in info.fields() {
        // What no value fits may have a default; the latest ones are the most interesting.
        let _ = values.iter().rev().any(|value| builder.set(field.name, value.clone()).is_ok());
    }
    builder.build().map(Any::from)
}

fn check(value: &Any, types: &Types, is_all_saved: bool) {
    let _ = (value.to_string(), format!("{value:?}"));
    let equal = StructuralOptions::new().map_free_vars(true);
    let hash = StructuralOptions::new();
    let of_itself = equal.equal(value, value);
    assert_ne!(of_itself.as_ref().ok(), Some(&false), "unequal to itself: {value}");
    let Ok(text) = to_json(value.view(), None) else { return };
    let read = JsonReader::new().types(types).read(text.as_bytes());
    let root = match read {
        Ok(graph) => graph.root,
        // Instances of linked singletons are those that were registered.
        Err(error) if error.kind() == ErrorKind::UnknownSingleton => return,
        Err(error) => panic!("{error}\n{text}"),
    };
    assert_eq!(to_json(root.view(), None).expect("what was read can be written"), text);
    if of_itself.is_ok() && is_all_saved {
        assert_eq!(equal.equal(value, &root).ok(), Some(true), "unequal to itself, saved and read again: {text}");
        assert_eq!(hash.hash(value).ok(), hash.hash(&root).ok(), "saved and read again, it hashes otherwise: {text}");
    }
}

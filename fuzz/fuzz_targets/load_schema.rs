//! Reads any bytes as a schema; the first byte selects the options. A schema is written and read again, which gives the
//! same text, and either both load or none. For each loaded type, the target builds an object from values that its
//! fields accept, and prints, saves, reads, compares and hashes it.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::json::{self, JsonReader};
use object_core::object::JsonForm;
use object_core::prelude::*;
use object_core::registry::Types;
use object_core::{Error, ErrorKind, ObjectBuilder, TypeInfo};

/// A linked type that types of the schema can extend.
#[derive(Object)]
#[object(type_key = "linked.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    #[field(ignore, default)]
    pub span: Option<Str>,
}

/// A linked type that types of the schema can refer to or replace.
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
    // A reference to a missing type is an error in our format, and is ignored in TVM's format.
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

/// Builds objects of as many types as possible. Earlier objects are the values of the fields of later ones.
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
    // JSON saves one field only of an object whose JSON form is a field.
    let is_saved = |info: &&TypeInfo| matches!(info.json(), JsonForm::Fields) || info.singleton_key().is_some();
    let is_all_saved = types.own().iter().all(is_saved);
    for value in values.iter().filter(|value| value.view().as_object().is_some()) {
        check(value, types, is_all_saved);
    }
}

/// Builds an object with the last of `values` that each field accepts.
fn build(info: &'static TypeInfo, values: &[Any]) -> Result<Any, Error> {
    let mut builder = ObjectBuilder::new(info)?;
    for field in info.fields() {
        // A field that accepts no value may have a default. The latest values are the most complex.
        let _ = values.iter().rev().any(|value| builder.set(field.name(), value.clone()).is_ok());
    }
    builder.build().map(Any::from)
}

fn check(value: &Any, types: &Types, is_all_saved: bool) {
    let _ = (value.to_string(), format!("{value:?}"));
    let equal = StructuralOptions::new().map_free_vars(true);
    let hash = StructuralOptions::new();
    let of_itself = equal.equal(value, value);
    assert_ne!(of_itself.as_ref().ok(), Some(&false), "unequal to itself: {value}");
    let Ok(text) = json::to_string(value) else { return };
    let read = JsonReader::new().types(types).read(text.as_bytes());
    let root = match read {
        Ok(graph) => graph.root,
        // Only registered instances of linked singletons can be read.
        Err(error) if error.kind() == ErrorKind::UnknownSingleton => return,
        Err(error) => panic!("{error}\n{text}"),
    };
    assert_eq!(json::to_string(&root).expect("what was read can be written"), text);
    if of_itself.is_ok() && is_all_saved {
        assert_eq!(equal.equal(value, &root).ok(), Some(true), "unequal to itself, saved and read again: {text}");
        assert_eq!(hash.hash(value).ok(), hash.hash(&root).ok(), "saved and read again, it hashes otherwise: {text}");
    }
}

//! Files of releases: read by the schema of the release, and enums in containers by the numbers of the file.

use object_core::dynamic::{Schema, SchemaLoader};
use object_core::evolution::{OldObject, RecordedType, fingerprint};
use object_core::json::{self, JsonReader, JsonWriter};
use object_core::prelude::*;
use object_core::{ErrorKind, structural_equal};

/// The declarations of a release, with the variants `Slow` and `Fast` in other places in each.
macro_rules! release {
    ($name:ident, $key:literal, $($variants:tt)*) => {
        mod $name {
            use super::*;
            #[derive(Object, Clone, Copy, PartialEq, Eq, Debug)]
            pub enum Mode { $($variants)* }
            #[derive(Object)]
            #[object(type_key = $key)]
            #[structural_eq(tree)]
            pub struct RunNode {
                pub mode: Mode,
                pub maybe: Option<Mode>,
                pub list: Array<Mode>,
                pub map: Map<Str, Array<Option<Mode>>>,
                #[field(default = Array::from([]))]
                pub more: Array<i64>,
            }
        }
    };
}

release!(first, "rel.First", Slow = 0, Fast = 1,);
release!(second, "rel.Second", Fast = 0, Medium = 1, Slow = 5,);
release!(third, "rel.Third", Fast = 0, Medium = 1,);

/// One run, in the declaration of a release.
macro_rules! run {
    ($name:ident) => {{
        use $name::{Mode, Run};
        let list = Array::from([Mode::Slow, Mode::Fast]);
        let options = Array::from([Some(Mode::Fast), None]);
        let map = Map::new([("x".into(), options.clone()), ("y".into(), options)]);
        Run::new(Mode::Fast, Some(Mode::Slow), list, map)
    }};
}

/// The text of the first release, for the type of another one.
fn text_for(key: &str, writer: JsonWriter<'_>) -> String {
    writer.to_string(&run!(first)).expect("it is saved").replace("rel.First", key)
}

#[test]
fn enums_in_containers_have_the_numbers_of_the_program() {
    let read: second::Run = json::from_str(&text_for("rel.Second", JsonWriter::new())).expect("it is read");
    assert!(structural_equal(&read, &run!(second)), "{read}");
    // A container that stands in many places changes once.
    assert!(read.map.get("x").expect("an entry").ptr_eq(&read.map.get("y").expect("an entry")));
    let error = json::from_str::<third::Run>(&text_for("rel.Third", JsonWriter::new())).expect_err("no `Slow`");
    assert!(error.message().contains("`Slow`") || error.message().contains("Slow=0"), "{error}");
}

#[test]
fn a_release_says_how_to_read_files_without_declarations() {
    let text = text_for("rel.Second", JsonWriter::new().tvm_form());
    assert!(!text.contains("declarations"), "{text}");
    let schema =
        Schema::of(&[first::RunNode::TYPE_INFO]).to_json().expect("a schema").replace("rel.First", "rel.Second");
    let release = Schema::parse(schema.as_bytes()).and_then(|schema| schema.release()).expect("a release");
    let read: second::Run =
        JsonReader::new().release(&release).read(text.as_bytes()).expect("it is read").root.cast().expect("a run");
    assert!(structural_equal(&read, &run!(second)), "{read}");
    assert!(read.map.get("x").expect("an entry").ptr_eq(&read.map.get("y").expect("an entry")));
    // Without the release, 1 is the number of another variant.
    let read: second::Run = json::from_str(&text).expect("it is read");
    assert_eq!(read.mode, second::Mode::Medium);
    // The declarations of a file come before the ones of the release.
    let declared = text_for("rel.Second", JsonWriter::new());
    let read = JsonReader::new().release(&release).read(declared.as_bytes()).expect("it is read").root;
    assert!(structural_equal(&read, &run!(second)));
}

/// The schema of the first release, with `change` applied to its text, for the type of the second one.
fn schema_of_first(change: impl Fn(String) -> String) -> Schema {
    let schema = Schema::of(&[first::RunNode::TYPE_INFO]).to_json().expect("a schema");
    Schema::parse(change(schema.replace("rel.First", "rel.Second")).as_bytes()).expect("a schema")
}

#[test]
fn a_schema_without_the_enums_of_elements_does_not_give_other_values() {
    let text = text_for("rel.Second", JsonWriter::new().tvm_form());
    // A schema of an earlier version names neither of them, and this one only the enum of `list`.
    for (form, field) in [
        (r#","enum":"ffi.Array<Mode>""#, "list"),
        (r#","enum":"ffi.Map<ffi.String,ffi.Array<Optional<Mode>>>""#, "map"),
    ] {
        let schema = schema_of_first(|text| {
            assert!(text.contains(form), "{text}");
            text.replacen(form, "", 1)
        });
        let release = schema.release().expect("a release");
        let error = JsonReader::new().release(&release).read(text.as_bytes()).expect_err("unknown numbers");
        let message = error.message();
        assert_eq!(error.kind(), ErrorKind::TypeMismatch, "{message}");
        let help = format!("field `{field}` of `rel.Second`");
        assert!(message.contains(&help) && message.contains(&form[1..].replace("\":\"", "\": \"")), "{message}");
    }
}

#[test]
fn schemas_and_made_types_keep_the_enums_of_elements() {
    let schema = schema_of_first(|text| text);
    let text = schema.to_json().expect("a schema");
    let again = Schema::parse(text.as_bytes()).and_then(|schema| schema.to_json()).expect("a schema");
    assert_eq!(again, text);
    let types = SchemaLoader::new().standalone(true).load(&schema).expect("it is loaded");
    let made = types.get("rel.Second").expect("a type");
    let [made_text, table] = [made, first::RunNode::TYPE_INFO].map(|info| format!("{:#?}", RecordedType::of(info)));
    assert_eq!(made_text, table);
    // A made type reads numbers of another release by the names in the file.
    let second = JsonWriter::new().to_string(&run!(second)).expect("it is saved");
    let read = JsonReader::new().types(&types).read(second.as_bytes()).expect("it is read").root;
    assert_eq!(JsonWriter::new().to_string(&read).expect("it is saved"), text_for("rel.Second", JsonWriter::new()));
}

#[test]
fn wrong_enums_of_elements_are_errors_of_the_schema() {
    for (ty, enums, message) in [
        ("ffi.Array<int>", "ffi.Map<E,E>", "is not the type"),
        ("ffi.Array<float>", "ffi.Array<E>", "is not the type"),
        ("ffi.Array<int>", "ffi.Array<E", "is not a type"),
        ("ffi.Array<int>", "ffi.Array<F>", "`F`"),
    ] {
        let field = format!(r#"{{"name":"x","type":"{ty}","enum":"{enums}"}}"#);
        let text = format!(
            r#"{{"format":"object-schema","version":4,"enums":[{{"name":"E","variants":[["A",0]]}}],
                "types":[{{"key":"r.A","kind":"tree","fields":[{field}]}}]}}"#
        );
        let loaded = Schema::parse(text.as_bytes()).and_then(|schema| {
            schema.release()?;
            SchemaLoader::new().standalone(true).load(&schema)
        });
        let error = loaded.map(drop).expect_err(enums);
        assert!(error.message().contains(message), "{error}");
    }
}

#[test]
fn a_release_of_a_broken_schema_is_an_error() {
    let release = |types: &str| {
        let text = format!(r#"{{"format":"object-schema","version":3,"types":[{types}]}}"#);
        Schema::parse(text.as_bytes()).and_then(|schema| schema.release()).map(drop).expect_err("the schema is broken")
    };
    let error = release(r#"{"key":"r.A","kind":"tree","parent":"r.Gone","fields":[]}"#);
    assert_eq!((error.kind(), error.message().contains("`r.Gone`")), (ErrorKind::UnknownType, true), "{error}");
    let error = release(r#"{"key":"r.A","kind":"tree","fields":[{"name":"x","type":"int","enum":"E"}]}"#);
    assert!(error.message().contains("no enum `E`"), "{error}");
    let error = release(r#"{"key":"r.A","kind":"tree","parent":"r.A","fields":[]}"#);
    assert_eq!(error.kind(), ErrorKind::Malformed, "{error}");
}

/// The declarations by a schema are the ones by the tables.
#[test]
fn the_schema_has_the_declarations_of_the_tables() {
    #[derive(Object, Clone)]
    enum Number {
        Int(i64),
        Float(f64),
    }
    #[derive(Object, Clone)]
    enum Label {
        Number(i64),
        Text(Str),
    }
    #[derive(Object)]
    #[object(type_key = "rel.Base", base, version = 2, migrate(from = 1, with = same))]
    struct BaseNode {
        int: i32,
        float: f32,
        bool: bool,
        dtype: DataType,
        device: Device,
    }
    #[derive(Object)]
    #[object(type_key = "rel.All", parent = BaseNode, base_args(int: i32, float: f32, bool: bool, dtype: DataType, device: Device))]
    #[structural_eq(tree)]
    struct AllNode {
        base: BaseNode,
        optional: Option<i64>,
        mode: first::Mode,
        maybe: Option<first::Mode>,
        number: Number,
        label: Label,
        any: Any,
        list: Array<Option<i64>>,
        modes: Map<Str, Array<Option<first::Mode>>>,
        both: Map<first::Mode, i64>,
        map: Map<Str, Array<f64>>,
        object: Option<Base>,
    }
    #[derive(Object)]
    #[object(type_key = "rel.Named", json = name)]
    #[structural_eq(tree)]
    struct NamedNode {
        name: Str,
    }
    fn same(_: &mut OldObject) -> Result<(), Error> {
        Ok(())
    }
    let types = [BaseNode::TYPE_INFO, AllNode::TYPE_INFO, NamedNode::TYPE_INFO];
    let release = Schema::of(&types).release().expect("a release");
    for info in types {
        let (record, table) = (release.get(info.type_key()).expect("a type"), RecordedType::of(info));
        let record_text = |record: &RecordedType| format!("{record:#?}");
        assert_eq!(record_text(record), record_text(&table));
        assert_eq!(record.fingerprint(), fingerprint(info), "{}", info.type_key());
    }
}

#[test]
fn an_empty_list_is_a_default_of_files() {
    // An older program lacks the field `more`.
    #[derive(Object)]
    #[object(type_key = "rel.Later")]
    #[structural_eq(tree)]
    struct LaterNode {
        a: i64,
        #[field(default = Array::from([]))]
        list: Array<i64>,
        #[field(default = Map::new([("k".into(), Array::from([0.5]))]))]
        map: Map<Str, Array<f64>>,
    }
    #[derive(Object)]
    #[object(type_key = "rel.Old")]
    #[structural_eq(tree)]
    struct OldNode {
        a: i64,
    }
    let new = Later::new(3);
    let text = |new: &Later| json::to_string(new).expect("it is saved").replace("rel.Later", "rel.Old");
    assert!(text(&new).contains(r#""list":["ref ffi.Array<int>",[]]"#), "{}", text(&new));
    assert_eq!(json::from_str::<Old>(&text(&new)).expect("it is read").a, 3);
    for changed in [
        new.clone().with_changes(|new| new.list = Array::from([1])),
        new.clone().with_changes(|new| new.map = Map::new([("k".into(), Array::from([0.25]))])),
        new.clone().with_changes(|new| new.map = Map::new([])),
    ] {
        assert_eq!(json::from_str::<Old>(&text(&changed)).expect_err("a lost value").kind(), ErrorKind::UnknownField);
    }
}

//! Fields that are enums without data show the name of their variant wherever people read them, and their number in JSON.

use object_core::dynamic::{Schema, SchemaLoader};
use object_core::json::{self, JsonReader};
use object_core::picture::Picture;
use object_core::prelude::*;
use object_core::repr::{ReprReader, parse};
use object_core::{ErrorKind, structural_first_mismatch};

/// How a loop runs.
#[derive(Object, Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    Serial = 0,
    Parallel = 3,
    r#None = 4,
    Größe = 5,
}

#[derive(Object)]
#[object(type_key = "variants.Loop")]
#[structural_eq(tree)]
pub struct LoopNode {
    pub mode: Mode,
    pub second: Option<Mode>,
    pub many: Array<Mode>,
    #[field(default = Mode::Parallel)]
    pub last: Mode,
}

#[derive(Object)]
#[object(type_key = "variants.Flag", json = mode)]
#[structural_eq(tree)]
pub struct FlagNode {
    pub mode: Mode,
}

const TEXT: &str = "variants.Loop(mode=Mode.Parallel, second=Mode.None, many=[0, 3], last=Mode.Größe)";

fn looped() -> Loop {
    Loop::new(Mode::Parallel, Some(Mode::None), [Mode::Serial, Mode::Parallel]).with_last(Mode::Größe)
}

#[test]
fn a_repr_has_names_and_reads_back() {
    let value = looped();
    assert_eq!((value.to_string(), format!("{value:?}")), (TEXT.into(), TEXT.into()));
    assert!(structural_equal(&parse(TEXT).expect("a repr"), &value));
    let numbers = "variants.Loop(mode=3, second=4, many=[0, 3], last=5)";
    assert!(structural_equal(&parse(numbers).expect("a repr"), &value));
    let empty = Loop::new(Mode::Serial, None, []);
    assert_eq!(empty.to_string(), "variants.Loop(mode=Mode.Serial, second=None, many=[], last=Mode.Parallel)");
    assert!(structural_equal(&parse(&empty.to_string()).expect("a repr"), &empty));
    let flag = Flag::new(Mode::Parallel);
    assert_eq!(flag.to_string(), "variants.Flag(Mode.Parallel)");
    assert!(structural_equal(&parse(&flag.to_string()).expect("a repr"), &flag));
    for wrong in ["Mode.Paralel", "Parallel", "Other.Parallel", "Mode", "float32"] {
        let error = parse(&format!("variants.Flag({wrong})")).expect_err("no variant has this name");
        assert_eq!(error.kind(), ErrorKind::OutOfRange);
        let message = format!("expected a variant of `Mode`, got `{wrong}`; the variants are 0 `Serial`, 3 `Parallel`");
        assert!(error.to_string().contains(&message), "{error}");
    }
    assert!(parse("variants.Flag(None)").is_err() && parse("variants.Flag(true)").is_err());
}

/// TVM writes the number of an enum in the node of its object, as any integer.
#[test]
fn json_has_names() {
    let text = json::to_string(&Flag::new(Mode::Parallel)).expect("it is saved");
    assert!(text.contains("\"data\":\"Parallel\""), "{text}");
    let text = json::to_string(&looped()).expect("it is saved");
    assert!(text.contains("{\"mode\":\"Parallel\",\"second\":0,\"many\":3,\"last\":\"Größe\"}"), "{text}");
    let read: Loop = json::from_str(&text).expect("it is read");
    assert!(structural_equal(&read, &looped()));
}

#[test]
fn a_mismatch_and_a_diff_name_the_variants() {
    let other = looped().with_changes(|it| (it.mode, it.second) = (Mode::Serial, None));
    let mismatch = structural_first_mismatch(&looped(), &other).expect("comparable").expect("they differ");
    assert_eq!(mismatch.to_string(), "<root>.mode is Mode.Parallel, but <root>.mode is Mode.Serial: the values differ");
    assert_eq!(mismatch.variants.map(|it| it.map(|it| it.name())), [Some("Parallel"), Some("Serial")]);
    let found = object_core::structural_diff(&looped(), &other).expect("comparable");
    let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(texts[1], "<root>.second is Mode.None, but <root>.second is None: the types differ");
}

#[test]
fn a_picture_names_the_variants() {
    let dot = Picture::new(&looped()).to_dot();
    for line in ["mode = Mode.Parallel", "second = Mode.None", "last = Mode.Größe", "many = [0, 3]"] {
        assert!(dot.contains(line), "{line}: {dot}");
    }
}

#[test]
fn types_of_a_schema_have_the_names() {
    let schema = Schema::of(&[LoopNode::TYPE_INFO]);
    let types = SchemaLoader::new().replace_linked("variants.Loop").load(&schema).expect("it loads");
    let graph = json::to_string(&looped()).expect("it is saved");
    let value = JsonReader::new().types(&types).read(graph.as_bytes()).expect("it is read").root;
    assert_eq!(value.to_string(), TEXT);
    let again = ReprReader::new().types(&types).read(TEXT).expect("a repr");
    assert!(structural_equal(&again, &value));
    let back = Schema::of(&[types.get("variants.Loop").expect("it is there")]);
    assert_eq!(back.to_json().expect("it is written"), schema.to_json().expect("it is written"));

    // A name that cannot stand in a text without quotes stays a number.
    let schema = br#"{"format": "object-schema", "version": 2, "types": [
        {"key": "variants.Odd", "kind": "tree", "fields": [
            {"name": "a", "type": "int", "enum": "demo.Odd"}, {"name": "b", "type": "int", "enum": "demo.Odd"}]}],
        "enums": [{"name": "demo.Odd", "variants": [["a b", 1], ["c", 2]]}]}"#;
    let types = SchemaLoader::new().load(&Schema::parse(schema).expect("a schema")).expect("it loads");
    let text = "variants.Odd(a=1, b=demo.Odd.c)";
    assert_eq!(ReprReader::new().types(&types).read(text).expect("a repr").to_string(), text);
}

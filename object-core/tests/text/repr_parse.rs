//! Text forms: the parser reads every kind of value back, and reports malformed text.

use std::fmt::Write;

use crate::demo::{Add, Expr, Imm, Seq, add, imm, var};
use object_core::dynamic::{Schema, SchemaLoader};
use object_core::prelude::*;
use object_core::repr::{Repr, ReprReader, parse};
use object_core::{Device, Function};

/// Data without reflected fields.
#[derive(Object, Clone)]
#[object(type_key = "texts.Hidden", opaque)]
struct HiddenNode {
    _number: i64,
}

#[derive(Object, Clone, Copy, PartialEq, Debug)]
#[repr(i64)]
enum Color {
    Red = 1,
    Green = 2,
}

/// An operator, identified by its name.
#[derive(Object)]
#[object(type_key = "texts.Op")]
#[structural_eq(singleton, key = name)]
struct OpNode {
    name: Str,
}

/// One field of each kind.
#[derive(Object)]
#[object(type_key = "texts.All")]
#[structural_eq(tree)]
struct AllNode {
    int: i32,
    float: f32,
    truth: bool,
    dtype: DataType,
    device: Device,
    color: Color,
    op: Op,
    maybe: Option<i64>,
    any: Any,
    #[field(default = 7)]
    last: i64,
}

#[track_caller]
fn unchanged(text: &str) -> Any {
    let value = parse(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Repr::new(&value).max_values(usize::MAX).tensor_data(true).to_string(), text);
    value
}

#[test]
fn every_kind_of_value_is_read_back() {
    for text in ["None", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808"] {
        unchanged(text);
    }
    for text in [
        "0.0",
        "-0.0",
        "1.5",
        "1e300",
        "5e-324",
        "-1e16",
        "inf",
        "-inf",
        "NaN",
        "-NaN",
        "NaN(0x7ff0000000000001)",
        "0.10000000149011612",
    ] {
        assert_eq!(unchanged(text).type_key(), "float", "{text}");
    }
    for text in ["int64", "void", "bool", "float32x4", "float32xvscalex4", "custom[150]32x2", "float8_e4m3fn", "handle"]
    {
        assert_eq!(unchanged(text).type_key(), "DataType", "{text}");
    }
    for text in ["cpu:0", "cuda:-1", "device_type(5):2", "device_type(-1):0"] {
        assert_eq!(unchanged(text).type_key(), "Device", "{text}");
    }
    for text in [r#""""#, r#""a \"b\" \\ \n\r\t \x00\x7f\x85 'ä' 😀 %0 [ ...""#, r#""float32""#] {
        assert_eq!(unchanged(text).type_key(), "ffi.String", "{text}");
    }
    assert_eq!(unchanged(r#"b"""#).type_key(), "ffi.Bytes");
    let bytes = unchanged(r#"b"a\x00\xff\n\"\'\\""#);
    assert_eq!(bytes.view().as_object().and_then(|object| object.as_bytes()), Some(&b"a\0\xff\n\"'\\"[..]));
    for text in ["Shape[]", "Shape[1, -2, 9223372036854775807]", "[]", "{}", "ffi.List[]", "ffi.List[1, [2]]"] {
        unchanged(text);
    }
    unchanged(r#"{1: 2, "a": {true: None}, float32: 1, cpu:0: 2, None: 3, -0.0: 4, b"x": 5, [1]: 6}"#);
    unchanged(r#"ffi.Dict{"a": ffi.Dict{}, 1: ffi.List[{}]}"#);
    unchanged(r#"Tensor(int16, [2, 1], b"\x01\x00\xff\xff")"#);
    unchanged(r#"Tensor(float32, [0], b"")"#);
    let text = r#"texts.All(int=-1, float=0.5, truth=true, dtype=int8, device=cuda:1, color=Color.Green, op=texts.Op("add"), maybe=None, any=Shape[1], last=8)"#;
    let all: All = unchanged(text).cast().expect("it is one");
    assert_eq!((all.int, all.float, all.color), (-1, 0.5, Color::Green));
    assert!(all.op.ptr_eq(&Op::get("add").expect("an open set")));
    assert_eq!(parse(" [ 1 ,\n2,{ 3 : 4 } ] ").expect("space is free").to_string(), "[1, 2, {3: 4}]");
}

#[test]
fn sharing_is_read_back() {
    let value: Array<Expr> = unchanged(
        "[%0 = demo.Add(span=None, lhs=%1 = demo.Imm(span=None, value=1), rhs=%1), %0, demo.Imm(span=None, value=1), \
         demo.Seq(span=None, items=%2 = [%1]), demo.Seq(span=None, items=%2)]",
    )
    .cast()
    .expect("all are expressions");
    let sum = value[0].downcast_ref::<Add>().expect("a sum");
    assert!(value[0].ptr_eq(&value[1]) && sum.lhs.ptr_eq(&sum.rhs) && !sum.lhs.ptr_eq(&value[2]));
    let [Some(first), Some(second)] = [3, 4].map(|index| value[index].downcast_ref::<Seq>()) else { panic!("rows") };
    assert!(first.items.ptr_eq(&second.items) && first.items[0].ptr_eq(&sum.lhs));
    unchanged("[%0 = Shape[1, 2], %0, %1 = Tensor(int8, [1], b\"a\"), %1, %2 = {}, {%2: %2}]");
    // Any number may name a shared object, in any order.
    let value: Array<Str> = parse(r#"[%70 = "a", %70, %3 = "b"]"#).expect("text").cast().expect("texts");
    assert!(value[0].ptr_eq(&value[1]));
    // The type of a binder and the type of its uses are one object.
    let x = var("x");
    let f = crate::demo::Lambda::new([x.clone()], add(x.clone(), x));
    let back: crate::demo::Lambda = parse(&f.to_string()).expect("text").cast().expect("a lambda");
    assert!(structural_equal(&back, &f));
}

#[test]
fn fields_are_found_by_name_and_defaults_filled_in() {
    let number: Imm = parse("demo.Imm(value=1)").expect("the span has a default").cast().expect("a number");
    assert!(number.span.is_none());
    let sum: Expr =
        parse("demo.Add(rhs=demo.Imm(value=2), lhs=demo.Imm(value=1))").expect("text").cast().expect("a sum");
    assert!(structural_equal(&sum, &add(imm(1), imm(2))));
}

#[test]
fn types_that_come_from_a_schema_are_read_back() {
    let schema = br#"{"format": "object-schema", "version": 1, "types": [
        {"key": "texts.Num", "kind": "tree", "fields": [{"name": "value", "type": "int"}]},
        {"key": "texts.Pair", "kind": "tree", "fields": [
            {"name": "a", "type": "texts.Num"}, {"name": "b", "type": "Any"}, {"name": "row", "type": "ffi.Array<texts.Num>"}]}
    ]}"#;
    let schema = Schema::parse(schema).expect("a schema");
    let types = SchemaLoader::new().load(&schema).expect("types");
    let text = "texts.Pair(a=%0 = texts.Num(value=1), b=demo.Imm(span=None, value=2), row=[%0, texts.Num(value=3)])";
    let value = ReprReader::new().types(&types).read(text).expect("both kinds of types");
    assert_eq!(value.to_string(), text);
    assert_eq!(parse(text).expect_err("the registry has no such type").kind(), ErrorKind::UnknownType);
    let error = ReprReader::new().types(&types).read("texts.Pair(a=demo.Imm(value=1))").expect_err("another type");
    assert_eq!(
        error.to_string(),
        "line 1, column 14: field `a` of `texts.Pair`: expected `texts.Num`, got `demo.Imm` (at <root>.a)"
    );
}

/// In the file, `¶` means the end of a line and `␀` a zero byte.
#[test]
fn malformed_text_is_an_error_with_its_position() {
    let cut = "the text was cut here (`...`), so what follows is not known; write the value without limits: \
               `Repr::new(&value).max_values(usize::MAX)`";
    let listed = include_str!("../data/repr_errors.txt");
    let mut found = String::new();
    for line in listed.lines() {
        let (text, _) = line.split_once(" => ").expect("a text and its error");
        let error = parse(&text.replace('\u{b6}', "\n").replace('\u{2400}', "\0")).expect_err(text);
        writeln!(found, "{text} => {:?}: {error}", error.kind()).expect("a string takes everything");
    }
    assert_eq!(found, listed);
    let row = Any::from(Array::from([imm(1), Seq::new([imm(2)]).into(), imm(3)]));
    let limits = [
        Repr::new(&row).max_values(3).to_string(),
        Repr::new(&row).max_depth(1).to_string(),
        Repr::new(&row).max_items(1).to_string(),
        Repr::new(&Str::from("text")).max_text(2).to_string(),
        Repr::new(&Bytes::from(vec![1, 2])).max_text(1).to_string(),
    ];
    for text in limits {
        let error = parse(&text).expect_err(&text);
        assert!(error.message().ends_with(cut), "{text}: {error}");
    }
    let hidden = Hidden::from(HiddenNode { _number: 1 });
    for value in [Any::from(Function::from_packed(|_| Ok(Any::None))), Any::from(hidden)] {
        let error = parse(&value.to_string()).expect_err("it exists in memory only");
        assert_eq!(error.kind(), ErrorKind::NotConstructible, "{error}");
        assert!(error.message().contains("exists in memory only"), "{error}");
    }
}

//! Patterns and rules as texts: what they match and make, and the errors of wrong ones.

use crate::demo::{Add, Expr, Imm, Seq, Var, add, imm, var};
use object_core::ErrorKind;
use object_core::prelude::*;
use object_core::rewrite::{Pattern, RewriteRule, RewriteRules};

/// Fields of every sort.
#[derive(Object)]
#[object(type_key = "texts.Scan", parent = crate::demo::ExprNode)]
#[structural_eq(tree)]
pub struct ScanNode {
    /// The base.
    pub base: crate::demo::ExprNode,
    /// A text.
    pub table: Str,
    /// An enum.
    pub mode: Mode,
    /// A float.
    pub share: f64,
    /// An optional value.
    #[field(default)]
    pub limit: Option<Imm>,
    /// Elements.
    pub columns: Array<Expr>,
}

/// An enum.
#[derive(Object, Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// One.
    Fast,
    /// The other.
    Slow,
}

fn scan(mode: Mode, limit: Option<i64>, columns: &[i64]) -> Scan {
    let columns: Vec<Expr> = columns.iter().map(|column| imm(*column)).collect();
    Scan::new("t", mode, 1.0, columns).with_changes(|node| node.limit = limit.map(Imm::new))
}

/// The result of a rule in a text, as a text.
fn apply(rule: &str, value: impl Into<Expr>) -> String {
    let rules = RewriteRules::new().rule(RewriteRule::parse(rule).unwrap_or_else(|error| panic!("{error}")));
    rules.run(value.into()).unwrap().to_string()
}

#[test]
fn holes_stand_for_every_kind_of_field() {
    let cases = [
        (
            "texts.Scan(limit=?n, table=?t, mode=?m, share=?s, columns=[?first, ?others...]) => \
             texts.Scan(table=?t, mode=?m, share=?s, columns=[demo.Imm(value=9), ?others...])",
            r#"texts.Scan(table="t", mode=Mode.Fast, share=1.0, limit=None, columns=[demo.Imm(value=9), demo.Imm(value=2), demo.Imm(value=3)])"#,
        ),
        (
            "texts.Scan(mode=Mode.Fast, limit=demo.Imm(value=?n), share=1, ...) => demo.Add(lhs=demo.Imm(value=?n), rhs=demo.Imm(value=?n))",
            "demo.Add(lhs=demo.Imm(value=5), rhs=demo.Imm(value=5))",
        ),
    ];
    for (rule, expected) in cases {
        let result = apply(rule, scan(Mode::Fast, Some(5), &[1, 2, 3]));
        let span = result.replace("span=None, ", "");
        assert_eq!(span, expected);
        let slow = scan(Mode::Slow, None, &[]);
        assert_eq!(apply(rule, slow.clone()), slow.to_string(), "an absent value and no elements do not match");
    }
    // A field with a default has it, if the pattern does not state it; a hole that occurs twice stands for equal values.
    let pattern = Pattern::parse(r#"texts.Scan(table="t", mode=?m, share=?s, columns=[?c, ?c])"#).unwrap();
    let found = pattern.matches(&scan(Mode::Slow, None, &[4, 4])).unwrap().expect("it matches");
    assert_eq!(found.get::<Mode>("m").unwrap(), Mode::Slow);
    assert_eq!(found.get::<Imm>("c").unwrap().value, 4);
    assert_eq!(found.get::<Imm>("d").unwrap_err().kind(), ErrorKind::BadReference);
    for other in
        [scan(Mode::Slow, Some(1), &[4, 4]), scan(Mode::Slow, None, &[4, 5]), scan(Mode::Slow, None, &[4, 4, 4])]
    {
        assert!(pattern.matches(&other).unwrap().is_none(), "{other}");
    }
}

#[test]
fn rules_of_texts_and_of_values_do_the_same() {
    let (x, y) = (var("x"), var("y"));
    let of_text =
        RewriteRule::parse("demo.Add(lhs=demo.Add(lhs=?x, rhs=?y), rhs=demo.Imm(value=0)) => demo.Seq(items=[?y, ?x])");
    let pattern = Pattern::new(add(add(&x, &y), imm(0))).with_holes([&x, &y]).unwrap();
    let of_values = RewriteRule::new(pattern, Seq::new([&y, &x].map(Expr::from))).unwrap();
    let root = add(add(add(imm(1), &x), imm(0)), imm(0));
    let [a, b] = [of_text.unwrap(), of_values].map(|rule| RewriteRules::new().rule(rule).run(root.clone()).unwrap());
    assert!(structural_equal(&a, &b) && !structural_equal(&a, &root), "{a}");
    // A computed rule reads the holes by name.
    let fold = RewriteRule::computed(
        Pattern::parse("demo.Add(lhs=demo.Imm(value=?a), rhs=demo.Imm(value=?b))").unwrap(),
        |found| Ok(Some(imm(found.get::<i64>("a")? + found.get::<i64>("b")?).into())),
    );
    let result = RewriteRules::new().rule(fold.unwrap()).run(add(add(imm(1), imm(2)), imm(3))).unwrap();
    assert!(structural_equal(&result, &imm(6)));
    let _: (Add, Var) = (Add::new(imm(1), imm(2)), x);
}

#[test]
fn wrong_texts_are_errors_when_they_are_made() {
    for (text, kind, part) in [
        ("?x => demo.Imm(value=1)", ErrorKind::Malformed, "begins with the type of an object"),
        ("demo.Imm(valeu=?x) => ?x", ErrorKind::UnknownField, "did you mean `value`"),
        ("demo.Im(value=?x) => ?x", ErrorKind::UnknownType, "demo.Im"),
        ("demo.Imm(value=?x) => ?y", ErrorKind::BadReference, "the pattern has no hole `?y`; its holes are `?x`"),
        (
            "demo.Imm(value=?x) => demo.Seq(items=?x)",
            ErrorKind::TypeMismatch,
            "the hole `?x` stands for a value of the type `int`",
        ),
        ("demo.Add(lhs=demo.Imm(value=?x), rhs=?x) => ?x", ErrorKind::TypeMismatch, "the hole `?x`"),
        ("demo.Imm(value=\"a\") => demo.Imm(value=1)", ErrorKind::TypeMismatch, "so no value matches"),
        ("demo.Imm(value=?x...) => demo.Imm(value=1)", ErrorKind::Malformed, "at the end of an array"),
        ("demo.Add(lhs=demo.Var(name=\"x\"), rhs=?b) => ?b", ErrorKind::Malformed, "write a hole"),
        ("demo.Add(lhs=?a) => ?a", ErrorKind::MissingField, "state it, or end with `...`"),
        ("demo.Add(lhs=?a, ...) => demo.Add(lhs=?a, ...)", ErrorKind::Malformed, "expected all fields"),
        ("demo.Add(lhs=?a, ...) => demo.Add(lhs=?a)", ErrorKind::MissingField, "`rhs`"),
        ("demo.Add(lhs=[?a], ...) => ?a", ErrorKind::TypeMismatch, "got an array"),
        ("texts.Scan(limit=demo.Add(lhs=?a, ...), ...) => ?a", ErrorKind::TypeMismatch, "which this place cannot hold"),
        ("demo.Add(span=?s, ...) => demo.Imm(value=1)", ErrorKind::Malformed, "equality ignores"),
        ("demo.Add(lhs=?, ...) => demo.Imm(value=1)", ErrorKind::Malformed, "the name of a hole"),
        ("demo.Imm(value=?x, value=?x) => ?x", ErrorKind::DuplicateKey, "stands twice"),
        ("demo.Imm(value=?x) -> ?x", ErrorKind::Malformed, "line 1, column"),
        ("demo.Imm(value=?x) => ?x ?x", ErrorKind::Malformed, "expected the end"),
    ] {
        let error = RewriteRule::parse(text).map(|rule| rule.name()).expect_err(text);
        assert!(error.kind() == kind && error.to_string().contains(part), "{text}: {:?} {error}", error.kind());
    }
    let deep = format!("{}?x{} => ?x", "demo.Add(lhs=".repeat(100_000), ", ...)".repeat(100_000));
    assert_eq!(RewriteRule::parse(&deep).unwrap_err().kind(), ErrorKind::LimitExceeded);
}

/// Fields of built-in types.
#[derive(Object)]
#[object(type_key = "texts.Literals", parent = crate::demo::ExprNode)]
#[structural_eq(tree)]
pub struct LiteralsNode {
    /// The base.
    pub base: crate::demo::ExprNode,
    /// A shape.
    pub shape: Shape,
    /// Any values.
    pub values: Array<Any>,
    /// Entries.
    pub entries: Map<Str, Any>,
}

#[test]
fn every_literal_of_a_repr_is_a_literal_of_a_rule() {
    let tensor = object_core::Tensor::new("int8".parse().unwrap(), [2], vec![1_u8, 2]).unwrap();
    let values = [
        Any::from(Shape::from([])),
        Any::from(&tensor),
        Any::Float(f64::from_bits(0x7ff8_0000_0000_0001)),
        Any::Float(-f64::INFINITY),
        Any::from(Bytes::from(vec![0_u8, 255])),
        Any::DataType("float32".parse().unwrap()),
        Any::Device("cpu:0".parse().unwrap()),
        Any::None,
        Map::<Any, Any>::new([(Any::Int(1), Any::from("a"))]).into(),
        Array::<Any>::default().into(),
    ];
    let make = |shape: [i64; 2]| {
        Literals::new(Shape::from(shape), values.clone(), [("k", Any::from(imm(5)))].map(|(k, v)| (Str::from(k), v)))
    };
    let text = |value: &Literals| {
        object_core::repr::Repr::new(value).tensor_data(true).sharing(false).to_string().replace("span=None, ", "")
    };
    let (from, to) = (make([2, 3]), make([3, 2]));
    let rule =
        RewriteRule::parse(&format!("{} => {}", text(&from), text(&to))).unwrap_or_else(|error| panic!("{error}"));
    let result = RewriteRules::new().rule(rule).run(Expr::from(from)).unwrap();
    assert!(structural_equal(&result, &to), "{result}");
    // Holes in the values of a map.
    let swap = r#"texts.Literals(shape=Shape[3, 2], values=?v, entries={"k": demo.Imm(value=?n)}) => texts.Literals(shape=Shape[], values=?v, entries={"n": ?n, "m": ?n})"#;
    let result = RewriteRules::new().rule(RewriteRule::parse(swap).unwrap()).run(Expr::from(to)).unwrap();
    assert!(text(result.downcast_ref::<Literals>().unwrap()).ends_with(r#"entries={"n": 5, "m": 5})"#), "{result}");
}

#[test]
fn a_text_whose_replacement_matches_its_pattern_is_an_error() {
    for text in [
        "demo.Add(lhs=?a, rhs=?b) => demo.Add(lhs=?b, rhs=?a)",
        "demo.Add(lhs=?a, rhs=demo.Imm(value=0)) => demo.Seq(items=[?a, demo.Add(lhs=?a, rhs=demo.Imm(value=0))])",
        "texts.Scan(table=?t, ...) => texts.Scan(table=?t, mode=Mode.Slow, share=2, columns=[])",
        "texts.Scan(table=?t, mode=?m, share=2, columns=[?c, ?cs...]) => texts.Scan(table=?t, mode=?m, share=2.0, columns=[?c, ?c])",
        "demo.Let(value=?v, var=?x, body=?b) => demo.Let(value=?v, var=?x, body=demo.Add(lhs=?b, rhs=?v))",
        "demo.Seq(items=[]) => demo.Add(lhs=demo.Seq(items=[]), rhs=demo.Imm(value=0))",
    ] {
        let error = RewriteRule::parse(text).map(|rule| rule.name()).expect_err(text);
        assert!(error.kind() == ErrorKind::Malformed && error.to_string().contains("for ever"), "{text}: {error}");
        assert!(error.to_string().contains("line 1, column"), "{error}");
    }
    for text in [
        "demo.Add(lhs=?a, rhs=?a) => demo.Add(lhs=?a, rhs=demo.Imm(value=0))",
        "demo.Add(lhs=demo.Add(lhs=?a, rhs=?b), rhs=?c) => demo.Add(lhs=?a, rhs=demo.Add(lhs=?b, rhs=?c))",
        "demo.Imm(value=1) => demo.Imm(value=2)",
        "demo.Seq(items=[?a]) => demo.Seq(items=[?a, ?a])",
    ] {
        RewriteRule::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn errors_name_the_rule_and_the_hole() {
    let computed = RewriteRule::computed(Pattern::parse("demo.Imm(value=?n)").unwrap(), |found| {
        found.get::<Str>("n").map(|text| Some(text.into()))
    });
    let error = RewriteRules::new().rule(computed.unwrap().named("to text")).run(imm(1)).unwrap_err();
    assert!(error.kind() == ErrorKind::TypeMismatch, "{error}");
    assert!(error.to_string().contains("the rule `to text`") && error.to_string().contains("the hole `?n`"), "{error}");
    // Every error of a text has its place and the text.
    for (text, place) in [
        ("demo.Add(lhs=?a) => ?a", "line 1, column 1 of `demo.Add(lhs=?a) => ?a`: "),
        ("demo.Add(lhs=?a,\n rhs=demo.Imm(value=\"b\")) => ?a", "line 2, column 21 of `demo.Add("),
        ("demo.Add(lhs=?a, ...) =>\n ?b", "line 2, column 2 of `"),
        ("demo.Add(lhs=?a, ...) =>\n demo.Imm(valeu=1)", "line 2, column 11 of `"),
    ] {
        let error = RewriteRule::parse(text).map(|rule| rule.name()).expect_err(text);
        assert!(error.to_string().starts_with(place), "{text:?}: {error}");
    }
}

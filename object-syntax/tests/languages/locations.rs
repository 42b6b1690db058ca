//! The places of objects in their location fields.

use object_core::ErrorKind;
use object_core::prelude::*;
use object_core::visit::walk;
use object_syntax::{Language, LanguageOptions, Location};

/// A place in a file.
#[derive(Object)]
#[object(type_key = "located.Place", files = tvm)]
#[structural_eq(tree)]
pub struct PlaceNode {
    pub file: Str,
    pub start: i64,
    pub end: i64,
    pub text: Str,
}

/// Base of expressions.
#[derive(Object)]
#[object(type_key = "located.Expr", base)]
pub struct ExprNode {
    #[field(ignore, default)]
    pub place: Option<Place>,
}

/// A variable.
#[derive(Object)]
#[object(type_key = "located.Var", parent = ExprNode, format = "$name")]
#[structural_eq(var)]
pub struct VarNode {
    pub base: ExprNode,
    #[field(ignore)]
    pub name: Str,
}

/// A number with notes.
#[derive(Object)]
#[object(type_key = "located.Number", parent = ExprNode, format = "$value $..")]
#[structural_eq(tree)]
pub struct NumberNode {
    pub base: ExprNode,
    pub value: i64,
    #[field(default)]
    pub note: Str,
}

/// A sum.
#[derive(Object)]
#[object(type_key = "located.Add", parent = ExprNode, format = "$lhs + $rhs", precedence = 1)]
#[structural_eq(tree)]
pub struct AddNode {
    pub base: ExprNode,
    pub lhs: Expr,
    pub rhs: Expr,
}

/// A function.
#[derive(Object)]
#[object(type_key = "located.Function", parent = ExprNode, format = "fn $param -> $body")]
#[structural_eq(tree, scope)]
pub struct FunctionNode {
    pub base: ExprNode,
    #[field(def)]
    pub param: Var,
    pub body: Expr,
}

/// A value without a format.
#[derive(Object)]
#[object(type_key = "located.Pair", parent = ExprNode)]
#[structural_eq(tree)]
pub struct PairNode {
    pub base: ExprNode,
    pub first: Expr,
    pub second: Expr,
}

/// A value whose text says its place.
#[derive(Object)]
#[object(type_key = "located.Quote", parent = ExprNode, format = "quote $of$( at $place)?")]
#[structural_eq(tree)]
pub struct QuoteNode {
    pub base: ExprNode,
    pub of: Expr,
}

const TEXT: &str = "fn é ->\n  (1 {note = \"ü\"} + located.Pair(first=é, second=2)) + y";

/// A language whose places hold the line and the column of the start, and of the end.
fn language() -> Language {
    let place = |it: &Location<'_>| {
        let text = format!("{}:{}-{}:{}", it.line, it.column, it.end_line, it.end_column);
        Place::new(it.file, it.range.start as i64, it.range.end as i64, text)
    };
    LanguageOptions::new().free_variables(true).location("place", place).language::<Expr>().unwrap()
}

#[test]
fn each_object_has_its_place() {
    let language = language();
    let parsed = language.parse_file(TEXT, "f.located").unwrap();
    let mut found = Vec::new();
    walk(&parsed.value, |expr: &Expr, _| {
        let place = expr.place.as_ref().unwrap();
        assert_eq!(place.file, "f.located");
        let range = place.start as usize..place.end as usize;
        assert!(parsed.text.pieces_of_object(&parsed.value, expr).contains(&range), "{expr}");
        found.push(format!("{} {}", place.text, &TEXT[range]));
    });
    let expected = [
        "1:1-2:57 fn é ->\n  (1 {note = \"ü\"} + located.Pair(first=é, second=2)) + y",
        "1:4-1:5 é",
        "2:3-2:57 (1 {note = \"ü\"} + located.Pair(first=é, second=2)) + y",
        "2:4-2:52 1 {note = \"ü\"} + located.Pair(first=é, second=2)",
        "2:4-2:18 1 {note = \"ü\"}",
        "2:21-2:52 located.Pair(first=é, second=2)",
        "2:50-2:51 2",
        "2:56-2:57 y",
    ];
    assert_eq!(found, expected);
}

#[test]
fn texts_and_equality_are_without_places() {
    let language = language();
    let located = language.parse(TEXT).unwrap();
    let plain = LanguageOptions::new().free_variables(true).language::<Expr>().unwrap();
    let expected = "fn é -> 1 {note = \"ü\"} + located.Pair(first=é, second=2) + y";
    assert_eq!(language.print(&located.value).unwrap().text(), expected);
    let again = language.parse(expected).unwrap().value;
    assert_eq!(language.print(&again).unwrap().text(), expected);
    assert_eq!(language.format(TEXT).unwrap(), format!("{expected}\n"));
    assert!(structural_equal(&language.parse("fn x -> x").unwrap().value, &plain.parse("fn  y -> y").unwrap().value));
    // A language without the option shows the places, and keeps them.
    let printed = plain.print(&language.parse("1").unwrap().value).unwrap();
    assert!(printed.text().contains("place = located.Place(file=\"text\""), "{printed}");
    // A language with it has them in no list of fields.
    assert!(language.parse(printed.text()).is_err());
}

#[test]
fn a_text_that_shows_places_says_them() {
    let language = language();
    for (text, start) in
        [("quote y", None), ("quote y at located.Place(file=\"f\", start=7, end=8, text=\"\")", Some(7))]
    {
        let parsed = language.parse(text).unwrap();
        assert_eq!(language.print(&parsed.value).unwrap().text(), text);
        let quote: Quote = parsed.value.cast().unwrap();
        assert_eq!(quote.place.as_ref().map(|it| it.start), start);
        assert_eq!(quote.of.place.as_ref().unwrap().start, 6);
    }
}

#[test]
fn wrong_location_fields_are_errors() {
    let options = || LanguageOptions::new().free_variables(true);
    for field in ["span", "lhs"] {
        let error = options().location(field, |_| 1i64).language::<Expr>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnknownField);
        assert!(error.message().contains(&format!("`{field}`")), "{error}");
    }
    let language = options().location("place", |it| it.line).language::<Expr>().unwrap();
    for text in ["1", "x"] {
        let errors = language.parse(text).unwrap_err();
        assert_eq!(errors.diagnostics()[0].range, 0..1);
        assert!(errors.diagnostics()[0].message.contains("located.Place"), "{errors}");
    }
}

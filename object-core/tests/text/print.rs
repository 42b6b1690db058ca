//! Texts of printers with places, and differences underlined in them.

use std::fmt::{self, Write};

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::prelude::*;
use object_core::print::{PrintedText, Printer};
use object_core::register_impl;
use object_core::repr::{Repr, parse};
use object_core::structural::structural_diff;

#[derive(Object)]
#[object(type_key = "test.print.Expr", base, display = none)]
#[structural_eq(tree)]
struct ExprNode {}

#[derive(Object)]
#[object(type_key = "test.print.Num", parent = ExprNode)]
#[structural_eq(tree)]
struct NumNode {
    base: ExprNode,
    value: i64,
}

#[derive(Object)]
#[object(type_key = "test.print.Call", parent = ExprNode)]
#[structural_eq(tree)]
struct CallNode {
    base: ExprNode,
    name: Str,
    args: Array<Expr>,
}

#[derive(Object)]
#[object(type_key = "test.print.Program")]
#[structural_eq(tree)]
struct ProgramNode {
    defs: Map<Str, Expr>,
}

object_core::variants_of! {
    enum ExprKind of Expr { Num, Call }
}

fn write_expr(expr: &Expr, out: &mut Printer) -> fmt::Result {
    match ExprKind::of(expr) {
        ExprKind::Num(num) => write!(out, "{}", num.value),
        ExprKind::Call(call) => {
            out.field("name", |out| out.write_str(&call.name))?;
            out.write_char('(')?;
            out.field("args", |out| {
                call.args.iter().enumerate().try_for_each(|(index, arg)| {
                    out.write_str(if index > 0 { ", " } else { "" })?;
                    out.item(index, |out| write_expr(&arg, out))
                })
            })?;
            out.write_char(')')
        }
        ExprKind::Other(_) => out.write_char('?'),
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Printer::print(|out| write_expr(self, out)).text())
    }
}

register_impl!(Expr as dyn fmt::Display);

fn print(program: &Program) -> PrintedText {
    Printer::print(|out| {
        out.field("defs", |out| {
            program.defs.iter().try_for_each(|(name, expr)| {
                write!(out, "{} =\n    ", name.as_str())?;
                out.entry(&name, |out| write_expr(&expr, out))?;
                out.write_char('\n')
            })
        })
    })
}

fn call(name: &str, args: impl IntoIterator<Item = Expr>) -> Expr {
    Call::new(name, Array::from_iter(args)).into()
}

fn num(value: i64) -> Expr {
    Num::new(value).into()
}

fn program<const N: usize>(defs: [(&str, Expr); N]) -> Program {
    Program::new(defs.into_iter().map(|(name, expr)| (Str::from(name), expr)).collect::<Map<_, _>>())
}

fn path(text: &str) -> AccessPath {
    AccessPath::from_steps(text.split('.').map(|step| match step.parse() {
        Ok(index) => AccessStep::ArrayItem(index),
        Err(_) if step.starts_with('"') => AccessStep::MapItem(PathKey::Str(step.trim_matches('"').to_owned())),
        Err(_) => AccessStep::Attr(step.to_owned()),
    }))
}

#[test]
fn a_place_has_pieces_and_a_piece_has_a_place() {
    let two = num(2);
    let program = program([("f", call("add", [num(1), two.clone()])), ("g", call("neg", [two.clone()]))]);
    let text = print(&program);
    assert_eq!(text.text(), "f =\n    add(1, 2)\ng =\n    neg(2)\n");
    let shown = |path: &AccessPath| -> Vec<&str> {
        text.pieces_of(path).into_iter().map(|piece| &text.text()[piece]).collect()
    };
    assert_eq!(shown(&path("defs.\"f\".args")), ["1, 2"]);
    assert_eq!(shown(&path("defs.\"f\".args.1")), ["2"]);
    let deeper = path("defs.\"f\".args.1.value");
    assert!(shown(&deeper) == ["2"] && !text.shows(&deeper) && text.shows(&path("defs.\"f\".args.1")));
    assert_eq!(text.path_at(text.text().find("neg").unwrap()), Some(path("defs.\"g\".name")));

    let pieces = text.pieces_of_object(&program, &two);
    let starts: Vec<usize> = text.text().match_indices('2').map(|(start, _)| start).collect();
    assert_eq!(pieces.iter().map(|piece| piece.start).collect::<Vec<_>>(), starts, "a shared object has two pieces");
    assert!(text.pieces_of_object(&program, &num(2)).is_empty(), "another object");
}

#[test]
fn differences_are_underlined_in_the_text_of_the_language() {
    let changed = |value, more: bool| {
        let args = [num(1), num(value)].into_iter().chain(more.then(|| num(7)));
        program([("f", call("add", args)), ("g", num(0))])
    };
    let (a, b) = (changed(20, false), changed(30, true));
    let texts = [print(&a), print(&b)];
    let diff = structural_diff(&a, &b).unwrap();
    let shown: Vec<String> = diff.iter().map(|it| it.underlined(texts.each_ref()).to_string()).collect();
    let value = "the values differ
left: <root>.defs[\"f\"].args[1].value is 20
1 f =
2     add(1, 20)
             ^^
3 g =
4     0
right: <root>.defs[\"f\"].args[1].value is 30
1 f =
2     add(1, 30, 7)
             ^^
3 g =
4     0";
    let missing = "on the right only
right: <root>.defs[\"f\"].args[2]
1 f =
2     add(1, 30, 7)
                 ^
3 g =
4     0";
    assert_eq!(shown, [value, missing]);
}

#[test]
fn a_mismatch_prints_objects_by_their_registered_display() {
    let (a, b) = (call("f", [num(1)]), call("f", [call("g", [num(2)])]));
    let mismatch = structural_first_mismatch(&a, &b).unwrap().unwrap();
    assert_eq!(mismatch.to_string(), "<root>.args[0] is 1, but <root>.args[0] is g(2): the types differ");
}

#[test]
fn no_value_is_too_deep_for_a_printer() {
    let deep = (0..100_000).fold(num(0), |expr, _| call("f", [expr]));
    let text = Printer::print(|out| write_expr(&deep, out));
    assert_eq!(text.text().len(), 3 * 100_000 + 1);
}

#[test]
fn an_error_of_a_printer_ends_the_text() {
    let text = Printer::print(|out| {
        out.field("a", |out| {
            out.write_str("a")?;
            Err(fmt::Error)
        })?;
        out.write_str("b")
    });
    assert!(text.text() == "a" && text.shows(&path("a")));
}

#[test]
fn each_piece_of_a_repr_shows_its_value() {
    let long = "x".repeat(80);
    let program = program([("f", call(&long, [num(1), call("g", [])])), ("h", num(3))]);
    for is_indented in [false, true] {
        let repr = Repr::new(&program).indented(is_indented);
        let text = repr.printed();
        assert_eq!(text.text(), repr.to_string());
        assert!(text.text().contains('\n') == is_indented);
        let mut pieces = 0;
        for (piece, path) in text.spans() {
            let value = path.find(&program).unwrap().to_any();
            let shown = parse(&text.text()[piece]).unwrap();
            assert!(structural_equal(&shown, &value), "{path}: {shown}");
            pieces += 1;
        }
        // The root, the map, two calls, two numbers, each with its fields.
        assert_eq!(pieces, 12);
    }
}

//! Pictures: which objects have a box, the text in a box, and pictures of any graph.

use crate::demo::{Expr, Lambda, Table, Var, add, imm, ladder, var};
use object_core::picture::Picture;
use object_core::prelude::*;

fn sample() -> Lambda {
    let n = var("n \"quoted\" <&>");
    let x = Var::new("x", Some(n.clone().into()));
    let table = Table::new([
        (Any::from(x.clone()), Any::from(add(x.clone(), imm(1)))),
        (Any::from("sizes"), Any::from(Array::from([1, 2, 3, 4, 5, 6, 7, 8, 9]))),
    ]);
    Lambda::new([n, x.clone()], add(x, table))
}

#[test]
fn dot_has_a_box_for_each_object_with_children() {
    let dot = Picture::new(&sample()).to_dot();
    let expected = r#"digraph {
    node [shape=record, fontname="monospace"];
    edge [fontname="monospace"];
    n0 [label="{demo.Lambda}"];
    n1 [label="{ffi.Array}"];
    n2 [label="{demo.Add}"];
    n3 [label="{demo.Var|name = \"n \\\"quoted\\\" \<&\>\"\l}", peripheries=2];
    n4 [label="{demo.Var|name = \"x\"\l}", peripheries=2];
    n5 [label="{demo.Table}"];
    n6 [label="{ffi.Map|[\"sizes\"] = [1, 2, 3, 4, 5, 6, 7, 8, ... 1 more]\l}"];
    n7 [label="{demo.Add}"];
    n8 [label="{demo.Imm|value = 1\l}"];
    n0 -> n1 [label="def params"];
    n0 -> n2 [label="body"];
    n1 -> n3 [label="[0]"];
    n1 -> n4 [label="[1]"];
    n2 -> n4 [label="lhs"];
    n2 -> n5 [label="rhs"];
    n4 -> n3 [label="ty"];
    n5 -> n6 [label="entries"];
    n6 -> n4 [label="key %x"];
    n6 -> n7 [label="[%x]"];
    n7 -> n4 [label="lhs"];
    n7 -> n8 [label="rhs"];
}
"#;
    assert_eq!(dot, expected);
}

#[test]
fn a_picture_of_a_large_graph_is_cut() {
    let chain: Expr = (0..100_000).fold(imm(1), |below, _| Lambda::new([], below).into());
    let dot = Picture::new(&chain).max_boxes(5).to_dot();
    assert_eq!(dot.matches("label=\"{").count(), 6);
    assert!(dot.contains("label=\"{...}\""));
    let dot = Picture::new(&ladder(60)).to_dot();
    assert_eq!((dot.matches("label=\"{").count(), dot.matches("->").count()), (61, 120));
    assert!(Picture::new(&7i64).to_dot().contains("n0 [label=\"{7}\"]"));
}

#[cfg(feature = "svg")]
#[test]
fn svg_and_html_need_no_other_files() {
    let svg = Picture::new(&sample()).to_svg();
    assert!(svg.contains("<svg") && svg.trim_end().ends_with("</svg>"));
    for text in ["demo.Lambda", "n \\\"quoted\\\" &lt;&amp;&gt;", "def params", "value = 1"] {
        assert!(svg.contains(text), "{text} in {svg}");
    }
    let html = Picture::new(&sample()).to_html();
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<svg") && !html.contains("http-equiv"));
    for outside in ["href=", "src=", "url(http", "@import"] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[cfg(feature = "svg")]
#[test]
fn any_graph_is_drawn_on_a_small_stack() {
    let draw = || {
        let chain: Expr = (0..100_000).fold(imm(1), |below, _| Lambda::new([], below).into());
        for value in [Any::from(chain), Any::from(ladder(60)), Any::Int(1), Any::from(Array::<Any>::from([]))] {
            assert!(Picture::new(&value).max_boxes(100).to_svg().contains("</svg>"));
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(draw);
    thread.expect("a thread starts").join().expect("no overflow");
}

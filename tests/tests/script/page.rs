//! Scripts in HTML: which lines stand side by side, and what is marked.

use expect_test::expect;
use object_core::Any;
use object_core::edit::edits;
use object_script::print::print;
use object_tests::notation::parse;

/// The text of an element, with `[` and `]` around marks.
fn text(html: &str) -> String {
    let html = html.replace("<mark", "[<mark").replace("</mark>", "</mark>]");
    let mut parts = html.split('<');
    let first = parts.next().unwrap_or_default().to_owned();
    let text = parts.fold(first, |text, part| text + part.split_once('>').map_or("", |(_, after)| after));
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// The rows and the titles of the functions on the page, with `|` between the sides.
fn rows(html: &str) -> String {
    let mut rows = String::new();
    for line in html.lines() {
        if let Some(row) = line.strip_prefix("<div class=\"row ") {
            // A line number is in `b`, before the line.
            let codes = row.split("<code").skip(1).map(|code| code.split("</code>").next().unwrap_or_default());
            let sides: Vec<String> = codes.map(|code| text(&format!("<{code}"))).collect();
            let sides: Vec<String> = sides.iter().map(|side| format!("{side:<70}")).collect();
            rows += &format!("{}\n", sides.join("| ").trim_end());
        } else if line.starts_with("<details class=\"function\"") {
            rows += &format!("== {}\n", text(line));
        }
    }
    rows
}

fn page(a: &Any, b: &Any) -> String {
    let (script_a, script_b) = (print(a), print(b));
    let script = edits(a, b).expect("programs are comparable");
    object_script::page::page("a", &script_a, a).beside("b", &script_b, b, &script).to_html().expect("memory")
}

/// A binding that one side alone has does not move the lines after it apart, although the names of variables differ.
#[test]
fn lines_of_one_place_stand_side_by_side() {
    let a = "fn main(x: T[2]) { a: T[2] = relax.exp(x); b: T[2] = relax.add(a, x); return b }
             fn same(y: T[2]) { return y }";
    let b =
        "fn main(p: T[2]) { c: T[2] = relax.nn.relu(p); d: T[2] = relax.exp(p); e: T[2] = relax.add(d, c); return e }
             fn other(q: T[2]) { return q }
             fn same(z: T[2]) { return z }";
    let (a, b) = (parse(a).unwrap(), parse(b).unwrap());
    expect![[r##"
        # from tvm.script import ir as I                                      | # from tvm.script import ir as I
        # from tvm.script import relax as R                                   | # from tvm.script import relax as R
                                                                              |
        @I.ir_module                                                          | @I.ir_module
        class Module:                                                         | class Module:
        == main 2 edits
            @R.function                                                       |     @R.function
            def main(x: R.Tensor((2,), dtype="float32")) -> R.Object:         |     def main(p: R.Tensor((2,), dtype="float32")) -> R.Object:
                                                                              |         [c: R.Tensor((2,), dtype="float32") = R.nn.relu(p)]
                a: R.Tensor((2,), dtype="float32") = R.exp(x)                 |         d: R.Tensor((2,), dtype="float32") = R.exp(p)
                b: R.Tensor((2,), dtype="float32") = R.add(a, [x])            |         e: R.Tensor((2,), dtype="float32") = R.add(d, [c])
                return b                                                      |         return e
        == other on the right only
                                                                              |     [@R.function]
                                                                              |     def other(q: R.Tensor((2,), dtype="float32")) -> R.Object:
                                                                              |         return q
                                                                              |
        == same equal
            @R.function                                                       |     @R.function
            def same(y: R.Tensor((2,), dtype="float32")) -> R.Object:         |     def same(z: R.Tensor((2,), dtype="float32")) -> R.Object:
                return y                                                      |         return z
                                                                              |
    "##]].assert_eq(&rows(&page(&a, &b)));
}

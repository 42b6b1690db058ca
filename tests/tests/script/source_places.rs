//! The places of a value in the script that somebody wrote.

use std::ops::Range;

use expect_test::expect;
use object_core::Any;
use object_ir as _;
use object_script::SourcePlaces;
use object_script::parse::parse;
use object_script::print::print;

use crate::common::{printed_values, report};

/// In the text of the printer, the piece of each place is the piece that the printer made, or the statement that begins there if
/// the piece has several. The root begins with comments.
fn check(name: &str, root: &Any, wrong: &mut Vec<String>) -> usize {
    let script = print(root);
    let Ok(places) = SourcePlaces::new(script.text(), &script) else { return 0 };
    let mut count = 0;
    for (_, path) in script.spans() {
        let Some(piece) = script.pieces_of(&path).into_iter().next() else { continue };
        count += 1;
        let found = places.piece_of(&path);
        let begins = |found: &Range<usize>| path.steps().is_empty() || found.start == piece.start;
        if found.as_ref().is_none_or(|found| !begins(found) || found.end > piece.end) {
            wrong.push(format!("{name}: {path} is at {piece:?}, found {found:?}"));
        }
    }
    count
}

#[test]
fn the_text_of_the_printer_has_its_own_places() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, root) in printed_values(&["mlp.json.gz", "constants.json.gz"]) {
        count += check(&name, &root, &mut wrong);
    }
    wrong.sort();
    assert!(count > 3_000, "there are only {count} places");
    report(&wrong, count);
}

const SOURCE: &str = r#"@I.ir_module
class Module:
    # The printer puts the functions in another order.
    @R.function
    def main(x: R.Tensor((2,3), "float32"), y:R.Tensor((2,3),"float32")):
        with R.dataflow():
            a = R.add( R.exp(x),
                       R.exp(y) )
            R.output(a)
        if R.const(True):
            b = R.nn.relu(a)
        else:
            b = R.sin(a)
        return Module.helper(b, x)

    @R.function
    def helper(x: R.Tensor((2,3), "float32"), x1: R.Tensor((2,3), "float32")):
        unit = R.print(x1, format="{}")
        z: R.Tensor((2,3), "float32") = R.subtract(x, x1)
        return z
"#;

/// The printed pieces of a script, each with its line and its piece of the given text.
#[test]
fn pieces_of_a_script_as_people_write_it() {
    let value = parse(SOURCE).expect("a script");
    let script = print(&value);
    let places = SourcePlaces::new(SOURCE, &script).expect("statements");
    let mut lines = Vec::new();
    for wanted in [
        "R.exp(x)",
        "R.exp(y)",
        "R.add(",
        "R.nn.relu(a)",
        "R.sin(a)",
        "x, x1)",
        "R.print(",
        "cls.helper(",
        "z:",
        "y:",
        "R.output",
        "def main",
    ] {
        let offset = script.text().find(wanted).unwrap_or_else(|| panic!("{wanted} in {script}"));
        let path = script.path_at(offset).expect("a place");
        let piece = places.piece_of(&path).map_or("none", |piece| &SOURCE[piece]);
        lines.push(format!("{wanted:10} {:?} {piece:?}", places.line_column_of(&path)));
    }
    expect![[r#"
        R.exp(x)   Some((7, 24)) "R.exp"
        R.exp(y)   Some((8, 24)) "R.exp"
        R.add(     Some((7, 17)) "R.add"
        R.nn.relu(a) Some((11, 17)) "R.nn.relu"
        R.sin(a)   Some((13, 17)) "R.sin"
        x, x1)     Some((19, 52)) "x"
        R.print(   Some((18, 9)) "unit = R.print(x1, format=\"{}\")"
        cls.helper( Some((14, 9)) "return Module.helper(b, x)"
        z:         Some((19, 9)) "z"
        y:         Some((5, 45)) "y"
        R.output   Some((6, 9)) "with R.dataflow():"
        def main   Some((4, 5)) "@R.function""#]]
    .assert_eq(&lines.join("\n"));
}

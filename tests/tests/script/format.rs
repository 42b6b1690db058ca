//! Formatting keeps the value and the comments of a script, and changes nothing when it runs again.

use std::fmt::Write;
use std::fs;

use object_core::structural::StructuralOptions;
use object_ir::script::format::format;
use object_ir::script::parse::parse;

use crate::cases::scripts;
use crate::common::at_root;

const TABLE: &str = "tests/data/script/format.txt";

/// The comments of a text, by its lines.
fn comments(text: &str) -> Vec<&str> {
    let lines = text.lines().filter_map(|line| Some(line[line.find('#')?..].trim_end()));
    lines.filter(|comment| !comment.starts_with("# from tvm.") && *comment != "# exact script").collect()
}

/// The formatted text of `source`, or its errors. Panics if the text loses something.
fn formatted(source: &str) -> String {
    let text = match format(source, 4) {
        Ok(text) => text,
        Err(errors) => return format!("{errors}\n"),
    };
    assert_eq!(format(&text, 4).as_ref(), Ok(&text), "formatting again changes the text of\n{source}");
    for comment in comments(source) {
        assert!(text.contains(comment), "`{comment}` is lost from\n{source}\nin\n{text}");
    }
    let (before, after) = (parse(source).expect("it formats"), parse(&text).expect("the formatted text reads"));
    assert!(StructuralOptions::new().map_free_vars(true).equal(&before, &after).expect("they compare"), "{text}");
    text
}

/// Each case is a script and, after `--`, the formatted script or its errors. `BLESS=1` renews them.
#[test]
fn comments_keep_their_statements() {
    let table = fs::read_to_string(at_root(TABLE)).expect("the table");
    let mut renewed = String::new();
    for case in table.split("== ").skip(1) {
        let (name, rest) = case.split_once('\n').expect("a name");
        let (source, _) = rest.split_once("--\n").expect("a line `--` after the script");
        write!(renewed, "== {name}\n{source}--\n{}", formatted(source)).expect("a string takes any text");
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(at_root(TABLE), &renewed).expect("the table can be written");
    } else if table != renewed {
        let wrong = table.lines().zip(renewed.lines()).find(|(expected, got)| expected != got);
        panic!("`BLESS=1` renews {TABLE}; the first difference is {wrong:?}");
    }
}

/// A comment before each line of a script, and at the end of each line: none is lost, unless an error names it.
#[test]
fn comments_anywhere_are_kept_or_reported() {
    let (mut kept, mut reported) = (0, 0);
    for ((_, name), script) in scripts() {
        if parse(&script).is_err() || script.contains("\"\"\"") {
            continue;
        }
        let mut commented = String::new();
        for (number, line) in script.lines().enumerate() {
            let indent = &line[..line.len() - line.trim_start().len()];
            // After a line that an open bracket or a backslash continues, the comment is still one.
            let end =
                if line.is_empty() || line.ends_with('\\') { String::new() } else { format!("  # end {number}.") };
            if !script.lines().nth(number.wrapping_sub(1)).is_some_and(|line| line.ends_with('\\')) {
                writeln!(commented, "{indent}# before {number}.").expect("a string takes any text");
            }
            writeln!(commented, "{line}{end}").expect("a string takes any text");
        }
        match format(&commented, 4) {
            Ok(_) => {
                formatted(&commented);
                kept += comments(&commented).len();
            }
            Err(errors) => {
                let is_comment = errors.diagnostics().iter().all(|it| commented[it.range.clone()].starts_with("# "));
                assert!(is_comment, "{name}: {errors}");
                reported += 1;
            }
        }
    }
    assert!(kept > 1000, "formatting keeps {kept} comments, and reports {reported} scripts");
}

/// The steps are linear in the lines: the square of their number would take minutes.
#[test]
fn long_blocks_of_comments_are_formatted() {
    let lines = 100_000;
    let block = "    # A line.\n".repeat(lines);
    let between = format!(
        "@R.function\ndef f(x: R.Tensor((2,), \"float32\")) -> R.Tensor((2,), \"float32\"):\n    y = R.exp(x)\n{block}\n    return y\n"
    );
    let inside = between.replace("R.exp(x)", &format!("R.exp(\n{block}    x)")).replacen(
        &format!("\n{block}\n    return"),
        "\n    return",
        1,
    );
    for source in [between, inside] {
        let text = format(&source, 4).expect("it formats");
        assert_eq!(comments(&text).len(), lines);
    }
}

//! Formatting keeps the value of a script and everything that a person wrote, and changes nothing when it runs again.

use std::fmt::Write;
use std::fs;

use object_core::meter::Meter;
use object_core::structural::StructuralOptions;
use object_python_syntax::with_tree_and_tokens;
use object_script::parse::{Errors, parse};
use object_script::print::{ScriptPrinter, print};
use ruff_python_ast::token::{Token, TokenKind};
use ruff_text_size::Ranged;

use crate::cases::scripts;
use crate::common::at_root;

const TABLE: &str = "tests/data/script/format.txt";

fn format(source: &str, indent_spaces: usize) -> Result<String, Errors> {
    object_script::format::format(source, indent_spaces, &Meter::unlimited())
}

/// The comments, the strings that are statements, and the names of definitions of a text, in order.
fn written(source: &str) -> Vec<String> {
    with_tree_and_tokens(source, |_, tokens, faults| {
        assert!(faults.is_empty(), "{faults:?} in\n{source}");
        let ends = |kind: TokenKind| {
            matches!(kind, TokenKind::Newline | TokenKind::NonLogicalNewline | TokenKind::Semi | TokenKind::Comment)
        };
        let begins = |kind: TokenKind| ends(kind) || matches!(kind, TokenKind::Indent | TokenKind::Dedent);
        let kind = |at: usize| tokens.get(at).map_or(TokenKind::Newline, Token::kind);
        let is_kept = |at: usize| match kind(at) {
            TokenKind::Comment => true,
            TokenKind::String => begins(kind(at.wrapping_sub(1))) && ends(kind(at + 1)),
            TokenKind::Name => matches!(kind(at.wrapping_sub(1)), TokenKind::Def | TokenKind::Class),
            _ => false,
        };
        let kept = (0..tokens.len()).filter(|at| is_kept(*at));
        kept.map(|at| source[tokens[at].range()].trim_end().replace("\r\n", "\n").replace('\r', "\n")).collect()
    })
}

/// The comments of a text.
fn comments(text: &str) -> Vec<String> {
    written(text).into_iter().filter(|it| it.starts_with('#')).collect()
}

/// Panics if `text` is not a formatted `source`.
fn check_formatted(source: &str, text: &str) {
    assert_eq!(format(text, 4).as_deref(), Ok(text), "formatting again changes the text of\n{source}");
    let mut left = written(text);
    for it in written(source) {
        let place = left.iter().position(|kept| *kept == it);
        left.swap_remove(place.unwrap_or_else(|| panic!("`{it}` is lost from\n{source}\nin\n{text}")));
    }
    // A file with several scripts or with other statements is not a script.
    if let Ok(before) = parse(source) {
        let after = parse(text).expect("the formatted text reads");
        assert!(StructuralOptions::new().map_free_vars(true).equal(&before, &after).expect("they compare"), "{text}");
    }
}

/// The formatted text of `source`, or its errors. Panics if the text loses something.
fn formatted(source: &str) -> String {
    match format(source, 4) {
        Ok(text) => {
            check_formatted(source, &text);
            text
        }
        Err(errors) => format!("{errors}\n"),
    }
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
        if format(&script, 4).is_err() || script.contains("\"\"\"") {
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

/// Statements of Python that formatting does not touch.
const BEFORE: &str =
    "#!/usr/bin/env python\nimport numpy as  np\n\nN  =  16 ;  M = [1,\n   2]\n\"\"\"A  string.\"\"\"\n\n\n\n";
const AFTER: &str = "\n\n\nclass  Other :\n  x = { 'a' :1 }  # a value\n\nprint( N )\n";

/// The bytes before the first definition with a decorator, up to its keyword.
fn before_definition(file: &str) -> Option<usize> {
    let (mut is_decorated, mut at) = (false, 0);
    for line in file.split_inclusive('\n') {
        let code = line.trim_start();
        is_decorated |= code.starts_with('@');
        if is_decorated && (code.starts_with("def ") || code.starts_with("class ")) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

/// The script with a comment and a docstring in each block.
fn documented(script: &str) -> String {
    let mut result = String::new();
    let mut lines = script.lines().peekable();
    let mut number = 0;
    while let Some(line) = lines.next() {
        writeln!(result, "{line}").expect("a string takes any text");
        let next = lines.peek().copied().unwrap_or_default();
        let column = |line: &str| line.len() - line.trim_start().len();
        if line.ends_with(':') && column(next) > column(line) {
            number += 1;
            let indent = &next[..column(next)];
            write!(result, "{indent}# before {number}\n{indent}'''Text\n of {number}.'''  # at {number}\n")
                .expect("a string takes any text");
        }
    }
    result
}

/// The script between other statements: as it is, with docstrings and comments, in a function, and with other line ends.
fn files(script: &str) -> Vec<String> {
    let file = |script: &str| format!("{BEFORE}{script}{AFTER}");
    let documented = documented(script);
    let mut files = vec![file(script), file(&documented)];
    if !script.contains("\"\"\"") && !script.contains("# exact") {
        let mut inner = String::from("if __name__ == '__main__':\n  def test( ):\n");
        for line in script.lines() {
            writeln!(inner, "{}{line}", if line.is_empty() { "" } else { "      " }).expect("a string takes any text");
        }
        files.push(file(&format!("{inner}      N\n")));
    }
    files.push(format!("\u{feff}{}", file(&documented).replace('\n', "\r\n")));
    files
}

/// Formatting touches the scripts of a file alone, and loses nothing of them.
#[test]
fn everything_else_stays_as_it_is() {
    let (mut kept, mut reported) = (0, 0);
    for ((_, name), script) in scripts() {
        if parse(&script).is_err() {
            continue;
        }
        for file in files(&script) {
            match (format(&file, 4), before_definition(&file)) {
                (Ok(text), None) => assert_eq!(text, file, "{name}"),
                (Ok(text), Some(before)) => {
                    check_formatted(&file, &text);
                    assert!(text.starts_with(&file[..before]), "{name}: {text}");
                    let after = if file.contains('\r') { AFTER.replace('\n', "\r\n") } else { AFTER.to_owned() };
                    assert!(text.ends_with(&after), "{name}: {text}");
                    let pairs = if file.contains('\r') { text.matches('\n').count() } else { 0 };
                    assert_eq!(text.matches("\r\n").count(), pairs, "{name}: {text}");
                    kept += 1;
                }
                (Err(_), _) => reported += 1,
            }
        }
    }
    assert!(kept > 500 && kept > 4 * reported, "formatting keeps {kept} files, and reports {reported}");
}

/// A text of TVM is formatted.
#[test]
fn printed_scripts_are_formatted() {
    let (mut same, mut reported) = (0, Vec::new());
    for ((_, name), script) in scripts() {
        let Ok(value) = parse(&script) else { continue };
        let omitted = print(&value).into_text() + "\n";
        if omitted.ends_with("to show it.\n") {
            assert_eq!(format(&omitted, 4).as_deref(), Ok(&*omitted), "{name}");
        }
        let text = ScriptPrinter::new().show_meta(true).print_text(&value) + "\n";
        match format(&text, 4) {
            Ok(formatted) if formatted == text => same += 1,
            // Formatting reports what `parse` reports.
            Err(_) if parse(&text).is_err() => {}
            other => reported.push(format!("{name}: {other:?}\n{text}")),
        }
    }
    assert!(reported.is_empty(), "{}", reported.join("\n"));
    assert!(same > 100, "{same} scripts");
}

/// The file with a random change.
fn mutant(file: &str, random: &mut fastrand::Rng) -> String {
    const PIECES: [&str; 24] = [
        "\r",
        "\r\n",
        "\n",
        "\\\n",
        "#",
        " # é\n",
        ";",
        "'''",
        "\"\"\"é\"\"\"",
        "'é';",
        "\"a\" \"b\"",
        "\t",
        " ",
        "\u{c}",
        "(",
        ")",
        "@",
        "@é\n",
        "N",
        "R",
        "metadata",
        "def",
        "class",
        "async ",
    ];
    let mut lines: Vec<&str> = file.split_inclusive('\n').collect();
    let (one, other) = (random.usize(..lines.len()), random.usize(..lines.len()));
    match random.u8(..5) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(one, lines[other]),
        2 => lines.swap(one, other),
        _ => {
            let (mut text, mut at) = (file.to_owned(), random.usize(..file.len()));
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.insert_str(at, PIECES[random.usize(..PIECES.len())]);
            return text;
        }
    }
    lines.concat()
}

/// Whatever a file contains, formatting loses nothing or is an error.
#[test]
fn changed_files_are_formatted_or_reported() {
    let count = object_tests::setting("FORMAT_MUTANTS", 2_usize);
    let (mut random, mut kept) = (fastrand::Rng::with_seed(7), 0);
    for script in scripts().into_values() {
        for file in files(&script) {
            for _ in 0..count {
                let changed = mutant(&file, &mut random);
                if let Ok(text) = format(&changed, 4) {
                    check_formatted(&changed, &text);
                    kept += usize::from(text != changed);
                }
            }
        }
    }
    assert!(kept > 200, "formatting changes {kept} files");
}

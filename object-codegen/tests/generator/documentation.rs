//! The law of documentation: the code of a generated file is the same for every documentation. Here code is the text
//! without comments and docstrings, as the parser of each language sees it.

use std::ops::Range;

use crate::common::{file_text, no_types};
use object_codegen::model::Model;
use object_codegen::{Target, regions};
use object_core::dynamic::Schema;
use object_python_syntax::with_tree_and_tokens;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use ruff_python_ast::{Expr, Stmt};
use ruff_text_size::Ranged;
use serde_json::json;

/// A schema with this documentation at each place.
fn schema(doc: &str) -> Schema {
    let text = json!({"format": "object-schema", "version": 2,
    "enums": [{"name": "doc.Mode", "doc": doc, "variants": [["Serial", 0, doc], ["Parallel", 1, doc]]}],
    "types": [
        {"key": "doc.Base", "doc": doc, "kind": "tree", "base": true, "fields": []},
        {"key": "doc.Add", "parent": "doc.Base", "doc": doc, "kind": "tree",
            "fields": [{"name": "x", "type": "int", "doc": doc}, {"name": "y", "type": "doc.Base", "doc": doc}],
            "methods": [{"name": "f", "doc": doc, "arguments": [], "result": "int"}]},
    ]});
    Schema::parse(text.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// The text without these bytes, without blank lines and without white space at the ends of lines.
fn without(text: &str, ranges: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut rest = text.to_owned();
    let mut ranges: Vec<_> = ranges.into_iter().collect();
    ranges.sort_by_key(|range| range.start);
    ranges.into_iter().rev().for_each(|range| rest.replace_range(range, ""));
    let lines = rest.split('\n').map(str::trim_end).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

/// The bytes of the docstring of a body.
fn docstring(body: &[Stmt]) -> Option<Range<usize>> {
    match body.first()? {
        Stmt::Expr(first) if matches!(*first.value, Expr::StringLiteral(_)) => Some(first.range().to_std_range()),
        _ => None,
    }
}

fn python_code(text: &str) -> String {
    // Python refuses these bytes, and Ruff reads some of them.
    assert!(!text.contains(['\0', '\r']), "{text:?}");
    with_tree_and_tokens(text, |tree, tokens, faults| {
        assert!(faults.is_empty(), "{faults:?} in {text}");
        let classes = tree.body.iter().filter_map(|statement| docstring(&statement.as_class_def_stmt()?.body));
        let comments = tokens.iter().filter(|token| token.kind().is_comment());
        without(text, classes.chain(comments.map(|comment| comment.range().to_std_range())))
    })
}

/// The text after the first translation phases of C++14, which replace trigraphs, join lines and remove comments.
fn cpp_code(text: &str) -> String {
    let joined = text.replace("??/", "\\").replace("\\\n", "");
    let (mut code, mut rest) = (String::new(), joined.as_str());
    while let Some(c) = rest.chars().next() {
        let len = match c {
            '/' if rest.starts_with("/*") => 4 + rest[2..].find("*/").expect("the comment ends"),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => {
                let escapes = |at: usize| rest[..at].bytes().rev().take_while(|byte| *byte == b'\\').count();
                let end = (1..rest.len()).find(|at| rest.as_bytes()[*at] == b'"' && escapes(*at) % 2 == 0);
                end.expect("the literal ends") + 1
            }
            c => c.len_utf8(),
        };
        if !rest.starts_with("/*") && !rest.starts_with("//") {
            code.push_str(&rest[..len]);
        }
        rest = &rest[len..];
    }
    without(&code, [])
}

/// The tokens without `#[doc = "..."]`.
fn rust_code(tokens: TokenStream) -> String {
    let mut code = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                let text = group.stream().to_string();
                if text.starts_with("doc =") {
                    assert_eq!(code.pop().as_deref(), Some("#"));
                } else {
                    code.push(format!("[{text}]"));
                }
            }
            TokenTree::Group(group) => code.push(format!("({})", rust_code(group.stream()))),
            token => code.push(token.to_string()),
        }
    }
    code.join(" ")
}

fn code(target: Target, text: &str) -> String {
    match target {
        Target::Python | Target::PythonWrappers => python_code(text),
        Target::Rust => rust_code(text.parse().unwrap_or_else(|error| panic!("{error} in {text}"))),
        _ => cpp_code(text),
    }
}

/// Checks the law for whole files and for regions.
fn check(doc: &str) {
    let (plain, hostile, none) = (schema("Text."), schema(doc), no_types());
    for target in Target::ALL.into_iter().filter(|target| *target != Target::Schema) {
        let text = |schema: &Schema| file_text(target, schema, &none, "doc.h").expect("the schema has a form");
        assert_eq!(code(target, &text(&hostile)), code(target, &text(&plain)), "{target}: {doc:?}");
        assert!(text(&hostile).chars().all(|c| c == '\n' || !c.is_control()), "{target}: {doc:?}");
        let comment = if matches!(target, Target::Python | Target::PythonWrappers) { "#" } else { "//" };
        let file = format!("{comment} tschema: Add\n{comment} tschema: end\n");
        let model = Model::new(&hostile, &none).expect("the types fit");
        let first = regions::update(target, &model, "file", file.as_bytes()).expect("a region").text;
        let again = regions::update(target, &model, "file", &first);
        assert_eq!(again.map(|it| it.text).as_ref(), Ok(&first), "{target}: {doc:?}");
    }
}

/// Pieces of documentation that end comments and literals, or join lines.
const PIECES: [&str; 34] = [
    "a",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\u{b}",
    "\u{c}",
    "\u{1c}",
    "\u{1d}",
    "\u{1e}",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\0",
    "\u{1b}",
    "\u{7f}",
    "\u{9b}",
    "\u{202e}",
    "\u{2066}",
    "\"",
    "\"\"\"",
    "'''",
    "\\",
    "*/",
    "/*",
    "*",
    "/",
    "??/",
    "??",
    "//",
    "#",
    "tschema: end",
    "{{ 1 }}",
    "import os",
];

#[test]
fn code_is_the_same_for_every_documentation() {
    for doc in [
        "A number.\r    import os; os.system(\"touch PWNED\")\r    #",
        "The name, such as \"main\"",
        "\"",
        "\\\"",
        "\"\"\"\"",
        "A path: C:\\",
        "Text\n# tschema: end\n  # tschema: custom-begin",
        "*\\\n/ int x;",
        "*??/\n/ int x;",
        "/*/ int x; /*/",
        "nul \0",
    ] {
        check(doc);
    }
    for piece in PIECES {
        check(&format!("a{piece}b"));
        check(&format!("{piece}a{piece}"));
    }
    let mut random = fastrand::Rng::with_seed(34);
    for _ in 0..60 {
        let len = random.usize(1..12);
        let doc: String = (0..len).map(|_| PIECES[random.usize(0..PIECES.len())]).collect();
        // A class of Python without documentation has `pass` in place of it.
        check(&format!("a{doc}"));
    }
}

//! Parsers that tree-sitter makes of the grammars read the texts of the languages.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use object_core::object::FieldType;
use object_syntax::{Language, LanguageOptions};
use tree_sitter_generate::{ABI_VERSION_MAX, OptLevel, generate_parser_in_directory};

use crate::laws::{cases, mistake};
use crate::random::Random;
use crate::{algebra, hardware, lambda};

/// A parser, or why there is none.
fn parser(language: &Language, name: &str) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tree-sitter-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    let grammar = folder.join("grammar.json");
    std::fs::write(&grammar, language.tree_sitter(name)).unwrap();
    let generated = generate_parser_in_directory(
        folder.clone(),
        Some(folder.clone()),
        Some(grammar),
        ABI_VERSION_MAX,
        None,
        None,
        true,
        OptLevel::default(),
    );
    generated.unwrap_or_else(|error| panic!("{name}: {error}"));
    let library = folder.join("parser.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O0", "-I"]).arg(&folder).arg(folder.join("parser.c")).arg("-o").arg(&library);
    match compiler.status() {
        Ok(status) => {
            assert!(status.success());
            Ok(library)
        }
        Err(error) => Err(format!("there is no C compiler: {error}")),
    }
}

/// Whether the tree of each text has an error.
fn have_errors(python: &str, library: &Path, name: &str, texts: &[String]) -> Vec<bool> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/read_with_tree_sitter.py");
    let mut child = Command::new(python)
        .arg(script)
        .arg(library)
        .arg(name)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = serde_json::to_vec(texts).unwrap();
    child.stdin.take().unwrap().write_all(&input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).unwrap()
}

fn check<T: FieldType>(language: &Language, name: &str, comment: &str) {
    let library = match (parser(language, name), std::env::var("EDITOR_PYTHON")) {
        (Ok(library), Ok(python)) => (library, python),
        (Err(reason), _) => return println!("skipped: {reason}"),
        (_, Err(_)) => return println!("skipped: EDITOR_PYTHON names no Python with tree-sitter"),
    };
    let (library, python) = library;
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for seed in 0..cases() {
        let mut random = Random::new(seed);
        let value = random.value(&T::schema(), 5, false);
        let text = language.print(&value).unwrap().into_text();
        good.push(text.replace('\n', &format!(" {comment} a comment\n")));
        bad.extend(mistake(language, &text, &mut random).map(|(changed, ..)| changed));
    }
    for (text, has_error) in good.iter().zip(have_errors(&python, &library, name, &good)) {
        assert!(!has_error, "{name}: tree-sitter rejects\n{text}");
    }
    let found = have_errors(&python, &library, name, &bad).into_iter().filter(|it| *it).count();
    println!("{name}: tree-sitter rejects {found} of {} mistakes", bad.len());
    assert!(found * 10 >= bad.len() * 8, "{name}: tree-sitter rejects {found} of {} mistakes", bad.len());
}

#[test]
fn parsers_of_tree_sitter_read_the_languages() {
    check::<lambda::Expr>(&Language::of::<lambda::Expr>().unwrap(), "lambda", "//");
    let algebra = LanguageOptions::new().comment("--").language::<algebra::Rel>().unwrap();
    check::<algebra::Rel>(&algebra, "algebra", "--");
    check::<hardware::Circuit>(&Language::of::<hardware::Circuit>().unwrap(), "hardware", "//");
}

//! Every rule has a failing case with its message, and a passing neighbour; `docs/error_index.md` is made of both.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// A rule by its files.
struct Rule {
    class: String,
    /// What breaks it.
    wrong: String,
    /// What the compiler says.
    message: String,
}

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn name(path: &Path) -> String {
    path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The rules with a failing case, by name.
fn rules() -> BTreeMap<String, Rule> {
    let classes = entries(&tests().join("ui"));
    let cases = classes.iter().flat_map(|class| entries(class).into_iter().map(move |case| (name(class), case)));
    let cases = cases.filter(|(_, case)| case.extension().is_some_and(|extension| extension == "rs"));
    let rule = |(class, case): (String, PathBuf)| {
        let rule = Rule { class, wrong: read(&case), message: read(&case.with_extension("stderr")) };
        (name(&case), rule)
    };
    cases.map(rule).collect()
}

/// What passes each rule: the modules in `pass/near_*.rs`.
fn neighbours() -> BTreeMap<String, String> {
    let files = entries(&tests().join("pass"));
    let files = files.iter().filter(|file| name(file).starts_with("near_"));
    let mut all = BTreeMap::new();
    for file in files {
        let text = read(file);
        for module in text.split("\nmod ").skip(1) {
            let (rule, body) = module.split_once(" {\n").expect("a module");
            let body = body.split("\n}\n").next().unwrap_or_default();
            let lines: Vec<&str> = body.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
            assert!(all.insert(rule.to_owned(), lines.join("\n")).is_none(), "two neighbours of `{rule}`");
        }
    }
    all
}

#[test]
fn every_failing_case_has_a_passing_neighbour() {
    let (rules, neighbours) = (rules(), neighbours());
    let missing: Vec<&String> = rules.keys().filter(|rule| !neighbours.contains_key(*rule)).collect();
    assert!(missing.is_empty(), "no module in pass/near_*.rs for {missing:?}");
    let unknown: Vec<&String> = neighbours.keys().filter(|rule| !rules.contains_key(*rule)).collect();
    assert!(unknown.is_empty(), "modules in pass/near_*.rs without a failing case: {unknown:?}");
}

/// Names of the runtime's plumbing mean nothing to users, so no message and no help line of ours says them. What the
/// compiler adds of its own (`note: required by a bound in ...`) is not ours.
#[test]
fn messages_name_nothing_internal() {
    for (rule, Rule { message, .. }) in rules() {
        let ours =
            message.lines().filter(|line| line.starts_with("error") || line.trim_start().starts_with("help: write"));
        for line in ours {
            assert!(
                !line.contains("__object") && !line.contains("__Object") && !line.contains("derive_support::"),
                "{rule}: {line}"
            );
        }
    }
}

/// The sentences of the first error, without places.
fn first_message(message: &str) -> String {
    let text: Vec<&str> = message.lines().take_while(|line| !line.trim_start().starts_with("-->")).collect();
    let text = text.join("\n");
    let text = text.split_once(": ").map_or(text.as_str(), |(_, sentence)| sentence);
    let text = text.trim_start_matches("evaluation panicked: ");
    text.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

fn without_main(source: &str) -> &str {
    source.split("\nfn main()").next().unwrap_or_default().trim()
}

fn index() -> String {
    let (rules, neighbours) = (rules(), neighbours());
    let mut text = String::from(
        "# Error index\n\nEvery mistake that `#[derive(Object)]` reports, by the name of the rule: source that breaks it, the \
         first message of the compiler,\nand the source as it should be. This page is made of the test cases in \
         `ui-tests/tests`, where types like `Expr`, `Var` and `Const` are declared.\nTo renew it: `BLESS=1 cargo test -p \
         ui-tests --test rules`.\n",
    );
    let mut classes: Vec<&str> = rules.values().map(|rule| rule.class.as_str()).collect();
    classes.sort_unstable();
    classes.dedup();
    for class in classes {
        let _ = write!(text, "\n## {class}\n");
        for (name, rule) in rules.iter().filter(|(_, rule)| rule.class == class) {
            let right = neighbours.get(name).map_or("", String::as_str);
            let right =
                right.trim_start_matches("use object_core::prelude::*;\n").trim_start_matches("use ui_tests::*;\n");
            let _ = write!(
                text,
                "\n### `{name}`\n\n```rust,ignore\n{}\n```\n```text\n{}\n```\n```rust,ignore\n{}\n```\n",
                without_main(rule.wrong.trim_start_matches("use object_core::prelude::*;\n")),
                first_message(&rule.message),
                right.trim(),
            );
        }
    }
    text
}

#[test]
fn the_error_index_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/error_index.md");
    let index = index();
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &index).expect("the index can be written");
    }
    assert!(
        read(&path) == index,
        "docs/error_index.md is stale; renew it: BLESS=1 cargo test -p ui-tests --test rules"
    );
}

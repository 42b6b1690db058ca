//! `docs/error_index.md`: each rule with source that breaks it, its message, and the source as it should be.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::{COMPILER_MADE, Rule, files};

/// Compares the page with its sources. With the environment variable `BLESS`, writes it.
pub(super) fn check(rules: &BTreeMap<String, Rule>, neighbours: &BTreeMap<String, String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/error_index.md");
    let page = page(rules, neighbours);
    if env::var_os("BLESS").is_some() {
        fs::write(&path, &page).expect("the index can be written");
    }
    assert!(files::read(&path) == page, "docs/error_index.md is stale; renew it: BLESS=1 cargo test -p ui-tests");
}

fn page(rules: &BTreeMap<String, Rule>, neighbours: &BTreeMap<String, String>) -> String {
    let mut text = String::from(
        "# Error index\n\nEvery mistake that `#[derive(Object)]` and `#[object_methods]` report, by the name of the rule, \
         which stands in\nbrackets at the end of its first line: source that breaks the rule, the first message of the \
         compiler, and the source as\nit should be. A message without a name is the compiler's own. The page is made of \
         the test cases in `ui-tests/tests`,\nwhere types like `Expr`, `Var` and `Const` are declared. To renew it: \
         `BLESS=1 cargo test -p ui-tests`.\n\nParents that form a circle have no message of the derive, which sees one \
         struct at a time: the first error of the compiler is\nE0072, that the structs have infinite size, and the other \
         errors follow from it.\n",
    );
    let classes: BTreeSet<&str> = rules.values().map(|rule| rule.class.as_str()).collect();
    for class in classes {
        let _ = write!(text, "\n## {class}\n");
        for (name, rule) in rules.iter().filter(|(_, rule)| rule.class == class) {
            let right = neighbours.get(name).map_or("", String::as_str);
            let right =
                right.trim_start_matches("use object_core::prelude::*;\n").trim_start_matches("use ui_tests::*;\n");
            let made = COMPILER_MADE.iter().find(|(made, _)| made == name);
            let made = made.map_or(String::new(), |(_, about)| format!("The compiler's message, about {about}.\n\n"));
            let _ = write!(
                text,
                "\n### `{name}`\n\n{made}```rust,ignore\n{}\n```\n```text\n{}\n```\n```rust,ignore\n{}\n```\n",
                without_main(rule.wrong.trim_start_matches("use object_core::prelude::*;\n")),
                first_message(&rule.message),
                right.trim(),
            );
        }
    }
    text
}

/// The sentences of the first error, without places.
fn first_message(message: &str) -> String {
    let text: Vec<&str> = message.lines().take_while(|line| !line.trim_start().starts_with("-->")).collect();
    let text = text.join("\n");
    let text = text.split_once(": ").map_or(text.as_str(), |(_, sentence)| sentence);
    let text = text.trim_start_matches("evaluation panicked: ");
    // The link of the message leads to this page.
    text.lines().map(str::trim).filter(|line| !line.starts_with("see: ")).collect::<Vec<_>>().join("\n")
}

fn without_main(source: &str) -> &str {
    source.split("\nfn main()").next().unwrap_or_default().trim()
}

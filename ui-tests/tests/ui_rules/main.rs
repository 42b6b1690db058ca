//! Each rule has a failing case that shows its messages, and a passing neighbour; `docs/error_index.md` is made of
//! both.

use std::collections::BTreeMap;

mod files;
mod index;

/// A rule by its files.
struct Rule {
    class: String,
    /// Source that breaks the rule.
    wrong: String,
    /// The messages of the compiler.
    message: String,
}

/// Rules whose message is of the compiler's making, which knows no names of ours, and why.
const COMPILER_MADE: &[(&str, &str)] = &[
    ("argument_type", "the bound of a trait"),
    ("base_args_fit", "the bound of a trait"),
    ("base_field_same_type", "the types of a value and of its place differ"),
    ("block_of_a_handle", "the bound of a trait"),
    (
        "crate_is_object_core",
        "a name that does not exist; `crate` names the crate, also if the manifest gives it another name",
    ),
    ("custom_without_hook", "the bound of a trait"),
    (
        "derive_once_in_a_list",
        "two items of one name: a macro does not see the other words of its list, so the compiler reports each item",
    ),
    ("enum_not_clone", "the bound of a trait"),
    ("handle_name_is_free", "two items of one name; `handle = Name` gives the handle another name"),
    ("list_of_handles", "the bound of a trait, and a name that does not exist"),
    ("new_of_abstract_type", "a value that is not a function; the name of its type is the reason"),
    ("new_of_node_struct", "a value that is not a function; the name of its type is the reason"),
    ("no_default", "the bound of a trait"),
    ("node_as_field", "the bound of a trait"),
    ("not_a_child", "the bound of a trait"),
    ("not_a_field_type", "the bound of a trait"),
    ("one_block", "two implementations of a trait"),
    ("opaque_not_clone", "the bound of a trait"),
    ("opaque_not_thread_safe", "the bound of a trait"),
    ("own_display_and_eq", "two implementations of a trait; the name of a macro is the remedy"),
    ("own_new", "two functions of one name; the name of a macro is the remedy"),
    ("parent_has_display", "the bound of a function"),
    ("parent_is_base", "the bound of a trait"),
    ("parent_is_no_object", "the bound of a trait"),
    ("parent_is_unknown", "a name that does not exist"),
    ("parent_visibility", "the visibility of two types"),
    ("result_type", "the bound of a trait"),
    ("skipped_type", "the bounds of a function"),
    ("table_of_nodes", "the types of a value and of its place differ"),
    ("types_of_std", "the bound of a trait"),
    ("unknown_attribute", "a name that does not exist"),
    ("wrong_arguments", "the types of arguments and the bounds of traits"),
];

/// The rules with a failing case, by name.
fn rules() -> BTreeMap<String, Rule> {
    let mut rules = BTreeMap::new();
    for case in ["macro", "ui"].into_iter().flat_map(files::cases) {
        let class = case.parent().map(files::stem).unwrap_or_default();
        let rule = Rule { class, wrong: files::read(&case), message: files::read(&case.with_extension("stderr")) };
        let name = files::stem(&case);
        assert!(rules.insert(name.clone(), rule).is_none(), "two cases of `{name}`");
    }
    rules
}

/// The source that keeps each rule: the modules in `pass/near_*.rs`.
fn neighbours() -> BTreeMap<String, String> {
    let files = files::entries(&files::root().join("pass"));
    let files = files.iter().filter(|file| files::stem(file).starts_with("near_"));
    let mut all = BTreeMap::new();
    for file in files {
        let text = files::read(file);
        for module in text.split("\nmod ").skip(1) {
            let (rule, body) = module.split_once(" {\n").expect("a module");
            let body = body.split("\n}\n").next().unwrap_or_default();
            let lines: Vec<&str> = body.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
            assert!(all.insert(rule.to_owned(), lines.join("\n")).is_none(), "two neighbours of `{rule}`");
        }
    }
    all
}

/// The names of rules in the messages, in order; nothing for a message without one.
fn named_rules(message: &str) -> Vec<Option<&str>> {
    let first_lines = message.lines().filter(|line| line.starts_with("error"));
    first_lines.map(|line| Some(line.strip_suffix(']')?.rsplit_once(" [")?.1)).collect()
}

/// Otherwise a rule that reports the same mistake earlier would hide this one, and renewing the messages would hide
/// that.
#[test]
fn each_case_breaks_its_own_rule_first() {
    for (name, Rule { message, .. }) in rules() {
        let first = named_rules(&message).first().copied().flatten();
        if COMPILER_MADE.iter().any(|(rule, _)| *rule == name) {
            assert_eq!(first, None, "`{name}` has a message of its own; take it out of COMPILER_MADE");
        } else {
            assert_eq!(first, Some(name.as_str()), "the first error of the case `{name}` is not about this rule");
        }
    }
}

/// The page to which the messages lead is the error index in the documentation of `object-core`, with a heading for each rule.
#[test]
fn each_message_leads_to_its_section() {
    const PAGE: &str = "https://docs.rs/object-core/latest/object_core/guide/error_index/";
    let index = include_str!("../../../docs/error_index.md");
    for (name, Rule { message, .. }) in rules() {
        let links: Vec<&str> =
            message.lines().filter_map(|line| line.split_once("see: ")).map(|(_, link)| link.trim()).collect();
        assert!(
            COMPILER_MADE.iter().any(|(rule, _)| *rule == name) || !links.is_empty(),
            "{name}: no message has a link"
        );
        for link in links {
            let rule = link.strip_prefix(PAGE).and_then(|rest| rest.strip_prefix('#'));
            let rule = rule.unwrap_or_else(|| panic!("{name}: `{link}` is not on the page"));
            assert!(index.contains(&format!("\n### `{rule}`\n")), "{name}: the index has no `{rule}`");
        }
    }
    assert!(include_str!("../../../object-core/src/guide.rs").contains("pub mod error_index {}"));
}

#[test]
fn each_rule_in_a_message_has_a_case() {
    let rules = rules();
    for (case, Rule { message, .. }) in &rules {
        for rule in named_rules(message).into_iter().flatten() {
            assert!(rules.contains_key(rule), "the case `{case}` shows the rule `{rule}`, which has no case");
        }
    }
    for (rule, _) in COMPILER_MADE {
        assert!(rules.contains_key(*rule), "COMPILER_MADE has `{rule}`, which has no case");
    }
}

#[test]
fn each_failing_case_has_a_passing_neighbour() {
    let (rules, neighbours) = (rules(), neighbours());
    let missing: Vec<&String> = rules.keys().filter(|rule| !neighbours.contains_key(*rule)).collect();
    assert!(missing.is_empty(), "no module in pass/near_*.rs for {missing:?}");
    let unknown: Vec<&String> = neighbours.keys().filter(|rule| !rules.contains_key(*rule)).collect();
    assert!(unknown.is_empty(), "modules in pass/near_*.rs without a failing case: {unknown:?}");
}

/// Parts of the names that only generated code uses.
const INTERNAL: [&str; 4] = ["__object", "__Object", "private::", "derive_support::"];

/// Users do not know the names that only generated code uses, so no message and no help line of ours has one. The
/// compiler adds some of its own (`note: required by a bound in ...`).
#[test]
fn messages_name_nothing_internal() {
    for (rule, Rule { message, .. }) in rules() {
        let ours =
            message.lines().filter(|line| line.starts_with("error") || line.trim_start().starts_with("help: write"));
        for line in ours {
            assert!(!INTERNAL.iter().any(|name| line.contains(name)), "{rule}: {line}");
        }
    }
}

#[test]
fn the_error_index_is_up_to_date() {
    index::check(&rules(), &neighbours());
}

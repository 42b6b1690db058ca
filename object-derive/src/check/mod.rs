//! The rules that annotations keep: one function per rule, the reason above it. All rules run on every type, so that
//! all mistakes show at once; a rule that builds on another says nothing where that one has spoken.
//!
//! A new rule is a function, a line in one of the tables below, and a case in `ui-tests` named after it.

use syn::{DataEnum, DeriveInput};

use crate::input::{Args, ObjectArgs};
use crate::model::Node;
use crate::report::Errors;

mod equality;
mod fields;
mod forms;
mod hierarchy;
mod places;
mod shape;

pub(crate) use forms::placeholders;
pub(crate) use hierarchy::parent_is_usable;

/// A rule about node structs.
type NodeRule = fn(&Node, &mut Errors);

/// A rule about the item itself.
type ItemRule = fn(&DeriveInput, &mut Errors);

/// Rules by name, in the order of their messages.
const ITEM_RULES: &[(&str, ItemRule)] = &[
    ("attribute_places", places::attribute_places),
    ("no_unions", shape::no_unions),
    ("named_fields", shape::named_fields),
    ("no_generics", shape::no_generics),
    ("not_packed", shape::not_packed),
];

const NODE_RULES: &[(&str, NodeRule)] = &[
    ("type_key_required", shape::type_key_required),
    ("type_key_form", |node, errors| shape::type_key_form(&node.object, errors)),
    ("parent_is_another_type", hierarchy::parent_is_another_type),
    ("parent_is_a_node_struct", hierarchy::parent_is_a_node_struct),
    ("parent_is_named", hierarchy::parent_is_named),
    ("base_field_required", hierarchy::base_field_required),
    ("base_field_first", hierarchy::base_field_first),
    ("base_field_type", hierarchy::base_field_type),
    ("base_field_plain", hierarchy::base_field_plain),
    ("base_args_need_parent", hierarchy::base_args_need_parent),
    ("base_args_unique", hierarchy::base_args_unique),
    ("may_contain_of_open_types", hierarchy::may_contain_of_open_types),
    ("one_kind", equality::one_kind),
    ("kind_required", equality::kind_required),
    ("custom_has_effect", equality::custom_has_effect),
    ("scope_of_binders", equality::scope_of_binders),
    ("singleton_key_required", equality::singleton_key_required),
    ("singleton_key_is_text", equality::singleton_key_is_text),
    ("key_and_table_of_singletons", equality::key_and_table_of_singletons),
    ("open_singleton_defaults", equality::open_singleton_defaults),
    ("singleton_without_base_args", equality::singleton_without_base_args),
    ("const_tree_binds_nothing", equality::const_tree_binds_nothing),
    ("roles_need_comparison", equality::roles_need_comparison),
    ("opaque_compares_nothing", equality::opaque_compares_nothing),
    ("one_role", fields::one_role),
    ("outer_before_def", fields::outer_before_def),
    ("may_contain_of_content", fields::may_contain_of_content),
    ("rename_form", fields::rename_form),
    ("unique_names", fields::unique_names),
    ("opaque_field_words", fields::opaque_field_words),
    ("json_field_exists", forms::json_field_exists),
    ("json_has_effect", forms::json_has_effect),
    ("json_defaults", forms::json_defaults),
    ("label_form", forms::label_form),
    ("label_fields_exist", forms::label_fields_exist),
];

/// Runs the rules that hold for every item.
pub(crate) fn item(input: &DeriveInput, errors: &mut Errors) {
    ITEM_RULES.iter().for_each(|(_, rule)| rule(input, errors));
}

/// Runs the rules of node structs.
pub(crate) fn node(node: &Node, errors: &mut Errors) {
    NODE_RULES.iter().for_each(|(_, rule)| rule(node, errors));
}

/// Runs the rules of enums.
pub(crate) fn enumeration(input: &DeriveInput, data: &DataEnum, object: &Args<ObjectArgs>, errors: &mut Errors) {
    shape::enum_words(object, errors);
    shape::type_key_form(object, errors);
    shape::enum_variants(input, data, errors);
    shape::enum_types_differ(data, errors);
    shape::enum_not_recursive(input, data, errors);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    /// Rules of enums and of the stations before and after these tables, which have cases like all others.
    const OTHERS: &[&str] = &[
        "enum_words",
        "enum_variants",
        "enum_types_differ",
        "enum_not_recursive",
        "unknown_word",
        "peers_word",
        "word_of_another_attribute",
        "word_twice",
        "word_form",
        "not_a_list",
        "handle_name",
        "base_args_form",
        "meta_form",
        "parent_is_base",
        "base_args_fit",
        "base_field_same_type",
        "inherited_name",
        "kind_of_parent",
        "hook_without_custom",
        "inherited_json_field",
        "inherited_label_field",
        "may_contain_form",
        "may_contain_is_kept",
        "opaque_parent",
        "const_tree_contents",
        "uncomparable_content",
        "def_needs_variables",
        "use_before_def",
    ];

    /// Each rule has a failing case `ui-tests/tests/ui/<class>/<rule>.rs`, with the message beside it.
    #[test]
    fn every_rule_has_a_failing_case() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui-tests/tests/ui");
        let Ok(classes) = std::fs::read_dir(&root) else {
            eprintln!("{} is not here; nothing to compare with", root.display());
            return;
        };
        let files = classes.flatten().filter_map(|class| std::fs::read_dir(class.path()).ok()).flatten().flatten();
        let files: BTreeSet<String> = files.filter_map(|file| file.file_name().into_string().ok()).collect();
        let rules = super::ITEM_RULES.iter().map(|(name, _)| *name);
        let rules = rules.chain(super::NODE_RULES.iter().map(|(name, _)| *name)).chain(OTHERS.iter().copied());
        let missing: Vec<&str> = rules
            .filter(|rule| !files.contains(&format!("{rule}.rs")) || !files.contains(&format!("{rule}.stderr")))
            .collect();
        assert!(missing.is_empty(), "rules without a case in ui-tests: {missing:?}");
    }
}

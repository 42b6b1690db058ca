//! The rules that annotations keep: one function per rule, with its reason as its comment. All rules run on every type,
//! so that all mistakes show at once; a rule that builds on another one is silent where that one reports a mistake.
//!
//! A new rule takes a function and its name in the table of the same file, a case
//! `ui-tests/tests/macro/<class>/<rule>.rs` that breaks it, and a module in `ui-tests/tests/pass/near_<class>.rs` that
//! keeps it. `BLESS=1` generates the rest.

use syn::DeriveInput;

use crate::model::{Enum, Node};
use crate::report::{Errors, Rule};

mod attribute_places;
mod equality;
mod evolution;
mod fields;
mod handle;
mod hierarchy;
mod item;
mod json_and_label;
mod syntax;
mod values;

pub(crate) use hierarchy::{base_without_parent, parent_is_usable};
pub(crate) use item::derived_again;
pub(crate) use json_and_label::placeholders;

const ITEM_RULES: &[&[Rule<DeriveInput>]] = &[attribute_places::RULES, item::ITEM_RULES];

const NODE_RULES: &[&[Rule<Node>]] = &[
    item::NODE_RULES,
    handle::RULES,
    hierarchy::RULES,
    equality::RULES,
    fields::RULES,
    json_and_label::RULES,
    evolution::RULES,
    syntax::RULES,
    values::RULES,
];

const ENUM_RULES: &[&[Rule<Enum>]] = &[item::ENUM_RULES, evolution::ENUM_RULES];

/// Applies the rules for every item.
pub(crate) fn item(input: &DeriveInput, errors: &mut Errors) {
    ITEM_RULES.iter().for_each(|rules| errors.check(rules, input));
}

/// Applies the rules for node structs.
pub(crate) fn node(node: &Node, errors: &mut Errors) {
    NODE_RULES.iter().for_each(|rules| errors.check(rules, node));
}

/// Applies the rules for enums.
pub(crate) fn enumeration(item: &Enum, errors: &mut Errors) {
    ENUM_RULES.iter().for_each(|rules| errors.check(rules, item));
}

/// The names of all rules in the tables.
#[cfg(test)]
pub(crate) fn rule_names() -> impl Iterator<Item = crate::report::RuleName> {
    let item = ITEM_RULES.iter().flat_map(|rules| rules.iter().map(Rule::name));
    let node = NODE_RULES.iter().flat_map(|rules| rules.iter().map(Rule::name));
    let enumeration = ENUM_RULES.iter().flat_map(|rules| rules.iter().map(Rule::name));
    item.chain(node).chain(enumeration)
}

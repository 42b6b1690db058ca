//! Earlier names and versions of types, fields and variants.

use std::collections::HashSet;

use quote::ToTokens;
use syn::LitStr;

use super::item::is_name;
use crate::model::{Enum, Node};
use crate::names::unraw;
use crate::report::{Report, Rule, rules};

/// In the order of their messages.
pub(super) const RULES: &[Rule<Node>] = rules![
    files_form,
    alias_form,
    old_names_are_free,
    migrations_lead_on,
    required_of_option,
    evolution_of_declared_files
];

/// In the order of their messages.
pub(super) const ENUM_RULES: &[Rule<Enum>] = rules![variant_words, variant_aliases_are_free];

/// Files have one of two forms.
fn files_form(node: &Node, errors: &mut Report<'_>) {
    if let Some(files) = node.object.values.files.as_ref().filter(|files| *files != "tvm") {
        let message = format!("`{files}` is not a form of files");
        let help = "write `files = tvm` for the form of TVM, which has no declarations, or leave `files` out";
        errors.add_help(files, message, help);
    }
}

/// Earlier keys are keys, and earlier names of fields are names.
fn alias_form(node: &Node, errors: &mut Report<'_>) {
    for alias in &node.evolution.aliases {
        if !alias.value().split('.').all(is_name) {
            let message = format!("`{}` is not a type key", alias.value());
            errors.add_help(alias, message, "write the key that the type had, such as `alias = \"demo.OldExpr\"`");
        }
    }
    let of_fields = node.fields.iter().flat_map(|field| &field.meta.aliases);
    for alias in of_fields.chain(&node.evolution.removed).filter(|alias| !is_name(&alias.value())) {
        let message = format!("`{}` is not a name for a field", alias.value());
        errors.add_help(alias, message, "write letters, digits and `_`, without a digit in front");
    }
}

/// A name in a file means one field, and a key one type.
fn old_names_are_free(node: &Node, errors: &mut Report<'_>) {
    let help = "leave one of them out";
    let mut keys: HashSet<String> = node.object.values.type_key.iter().map(LitStr::value).collect();
    for alias in node.evolution.aliases.iter().filter(|alias| !keys.insert(alias.value())) {
        errors.add_help(alias, format!("`{}` is a key of `{}` already", alias.value(), node.ident), help);
    }
    let mut names: HashSet<String> = node.fields.iter().map(|field| field.name.clone()).collect();
    let aliases = node.fields.iter().flat_map(|field| &field.meta.aliases);
    for name in aliases.chain(&node.evolution.removed).filter(|name| !names.insert(name.value())) {
        errors.add_help(name, format!("`{}` is the name of another field already", name.value()), help);
    }
}

/// Each migration leads to the next version, and the last one to the version of the declaration.
fn migrations_lead_on(node: &Node, errors: &mut Report<'_>) {
    let evolution = &node.evolution;
    // A rule reports a version in another form.
    if evolution.version == 1 && node.object.has("version") {
        return;
    }
    for (i, migration) in evolution.migrations.iter().enumerate() {
        let (from, version) = (migration.version, evolution.version);
        let next = evolution.migrations.get(i + 1).map(|next| next.version);
        let (message, help) = if from >= version {
            let message =
                format!("a migration leads from an earlier version, and the declaration has version {version}");
            (message, format!("write `version = {}` too", u64::from(from) + 1))
        } else if next == Some(from) {
            (format!("two migrations lead from version {from}"), "leave one of them out".to_owned())
        } else if next.is_none_or(|next| next != from + 1) && from + 1 != version {
            let message = format!("the migration leads to version {}, from which none leads on", from + 1);
            (message, format!("write `migrate(from = {}, with = function)` too", from + 1))
        } else {
            continue;
        };
        errors.add_help(&migration.from, message, help);
    }
}

/// Only an optional field may be absent from a file without a default.
fn required_of_option(node: &Node, errors: &mut Report<'_>) {
    for field in node.fields.iter().filter(|field| field.meta.required) {
        let message = if !field.is_required() {
            format!("`{}` has a default, so a file may lack it", field.ident)
        } else if !field.is_option() {
            format!("`required` has no effect on `{}`, because its type is no `Option`", field.ident)
        } else {
            continue;
        };
        errors.add_help(&field.args.tokens_of("required"), message, "leave `required` out");
    }
}

/// Files without declarations have no versions, and opaque types are in no file.
fn evolution_of_declared_files(node: &Node, errors: &mut Report<'_>) {
    let reason = if node.is_opaque() {
        "`opaque` types are in no file"
    } else if node.evolution.is_tvm {
        "files of TVM have no declarations"
    } else {
        return;
    };
    let words = if node.is_opaque() {
        &["alias", "version", "migrate", "removed", "files"][..]
    } else {
        &["version", "migrate", "removed"]
    };
    for word in words.iter().filter(|word| node.object.has(word)) {
        let message = format!("`{word}` has no effect, because {reason}");
        errors.add_help(&node.object.tokens_of(word), message, "leave one of the two out");
    }
}

/// A variant has a name and earlier names, and nothing else.
fn variant_words(item: &Enum, errors: &mut Report<'_>) {
    for args in &item.variant_args {
        for word in args.words().filter(|word| *word != "alias") {
            let message = format!("`{word}` has no meaning on a variant, whose only word is `alias`");
            errors.add_help(&args.tokens_of(word), message, "leave it out");
        }
        for alias in args.values.alias.iter().filter(|alias| !is_name(&alias.value())) {
            let message = format!("`{}` is not the name of a variant", alias.value());
            errors.add_help(alias, message, "write the name that the variant had, such as `alias = \"Old\"`");
        }
    }
}

/// A name in a file means one variant.
fn variant_aliases_are_free(item: &Enum, errors: &mut Report<'_>) {
    let mut names: HashSet<String> = item.variants.iter().map(|variant| unraw(&variant.ident)).collect();
    for alias in item.variant_args.iter().flat_map(|args| &args.values.alias) {
        if !names.insert(alias.value()) {
            let message = format!("`{}` is the name of another variant already", alias.value());
            errors.add_help(&alias.to_token_stream(), message, "leave one of them out");
        }
    }
}

//! Roles, names and defaults of fields.

use super::item::is_name;
use crate::field_words::Role;
use crate::model::Node;
use crate::report::{Report, Rule, rules};
use crate::{std_types, types};

/// In the order of their messages.
pub(super) const RULES: &[Rule<Node>] = rules![
    skip_alone,
    one_role,
    nullable_once,
    not_of_std,
    outer_before_def,
    export_of_scope,
    may_contain_of_content,
    rename_form,
    unique_names,
    first_object,
    opaque_field_words
];

/// No algorithm sees a skipped field, so other words have no effect on it.
fn skip_alone(node: &Node, errors: &mut Report<'_>) {
    for field in &node.skipped {
        let own = if field.args.values.skip.is_present() { "skip" } else { "cache" };
        for word in field.args.words().filter(|word| *word != own) {
            let message =
                format!("`{word}` has no effect on `{}`, because no algorithm sees a skipped field", field.ident);
            let help = if word == "cache" {
                "write `cache` for a value that the program computes from other fields, and `skip` for other data"
                    .to_owned()
            } else if word == "default" {
                "leave `default` out: a skipped field always starts with the `Default` of its type".to_owned()
            } else {
                format!("leave `{word}` out; or leave `{own}` out, and reflection sees the field")
            };
            errors.add_help(&field.args.tokens_of(word), message, help);
        }
    }
}

/// A field is compared in one way.
fn one_role(node: &Node, errors: &mut Report<'_>) {
    for field in &node.fields {
        let roles = || field.args.words().filter(|word| matches!(*word, "ignore" | "def" | "def_simple"));
        let Some(first) = roles().next() else { continue };
        for word in roles().skip(1) {
            let reason = if first == "ignore" || word == "ignore" {
                "an ignored field binds nothing"
            } else {
                "`def` also binds the variables inside of the variables, `def_simple` does not"
            };
            let message = format!("`{first}` and `{word}` exclude each other: {reason}");
            errors.add_help(&field.args.tokens_of(word), message, "leave one of them out");
        }
    }
}

/// `None` is one value: a field cannot distinguish `Some(None)` from `None`.
fn nullable_once(node: &Node, errors: &mut Report<'_>) {
    for field in node.reflected() {
        if let Some(inner) = types::option_in_option(&field.ty) {
            let inner = types::shown(&inner);
            let message =
                format!("`Option<{inner}>` is not a field type, because `Some(None)` and `None` are one value");
            errors.add_help(&field.ty, message, format!("write `{inner}`"));
        }
    }
}

/// Fields are of types that reflection, JSON and other languages have.
fn not_of_std(node: &Node, errors: &mut Report<'_>) {
    node.reflected().iter().for_each(|field| std_types::report(&field.ty, errors));
}

/// An ignored field is not part of any scope, and after the last binder there is no scope to be outside of.
fn outer_before_def(node: &Node, errors: &mut Report<'_>) {
    for (i, field) in node.fields.iter().enumerate().filter(|(_, field)| field.is_outer()) {
        let (message, help) = if let Some(word) = field.meta.role.word() {
            let message = format!("`outer` and `{word}` exclude each other: `outer` is for fields that use variables");
            (message, "leave one of them out")
        } else if node.fields[i..].iter().any(|later| later.meta.role.binds()) {
            continue;
        } else {
            let message =
                format!("`outer` has no effect on `{}`, because no field after it binds variables", field.ident);
            (message, "leave `outer` out, or move the field before the one with `def`")
        };
        errors.add_help(&field.args.tokens_of("outer"), message, help);
    }
}

/// Bindings outlive a scope only; a hook lists fields without exports, and an ignored field binds nothing.
fn export_of_scope(node: &Node, errors: &mut Report<'_>) {
    for field in node.fields.iter().filter(|field| field.meta.export) {
        let (message, help) = if field.meta.role == Role::Ignore {
            ("`export` has no effect here, because an ignored field binds nothing", "leave one of them out")
        } else if !node.is_scope() {
            let message =
                "`export` is for the fields of a scope, because other objects do not end the bindings in them";
            (message, "leave `export` out, or write `#[structural_eq(tree, scope)]`")
        } else if node.is_custom() {
            let message =
                "`export` and `custom` exclude each other, because the hook lists the values of fields without exports";
            (message, "leave one of them out")
        } else {
            continue;
        };
        errors.add_help(&field.args.tokens_of("export"), message, help);
    }
}

/// The contents of an ignored field have no effect.
fn may_contain_of_content(node: &Node, errors: &mut Report<'_>) {
    for field in node.fields.iter().filter(|field| field.meta.role == Role::Ignore && field.meta.may_contain.is_some())
    {
        let message = "`may_contain` has no effect here, because `ignore` keeps the field out of comparison";
        errors.add_help(&field.args.tokens_of("may_contain"), message, "leave one of them out");
    }
}

/// Access paths and scripts show fields as names.
fn rename_form(node: &Node, errors: &mut Report<'_>) {
    for field in &node.fields {
        let Some(rename) = field.args.values.rename.as_ref() else { continue };
        if !is_name(&rename.value()) {
            let message = match rename.value().as_str() {
                "" => "the name is empty".to_owned(),
                name => format!("`{name}` is not a name for a field"),
            };
            errors.add_help(rename, message, "write letters, digits and `_`, without a digit in front");
        }
    }
}

/// Reflection finds fields by name.
fn unique_names(node: &Node, errors: &mut Report<'_>) {
    for (i, field) in node.fields.iter().enumerate() {
        if let Some(earlier) = node.fields[..i].iter().find(|earlier| earlier.name == field.name) {
            let message =
                format!("two fields are reflected as `{}`: `{}` and `{}`", field.name, earlier.ident, field.ident);
            errors.add_help(&field.name_tokens(), message, "rename one of them");
        }
    }
}

/// A program can build the first object of a type.
fn first_object(node: &Node, errors: &mut Report<'_>) {
    let own = &node.handle;
    for field in node.reflected().iter().filter(|field| types::is_named(&field.ty, &[&own.to_string()])) {
        let message =
            format!("each `{own}` needs another `{own}` in `{}`, so nobody can build the first one", field.ident);
        errors.add_help(
            &field.ty,
            message,
            format!("write `Option<{own}>` or `Array<{own}>`, or the handle of a base"),
        );
    }
}

/// Reflection does not see the fields of an opaque type; only `new` does, and it knows defaults.
fn opaque_field_words(node: &Node, errors: &mut Report<'_>) {
    if !node.is_opaque() {
        return;
    }
    for field in &node.fields {
        for word in field.args.words().filter(|word| *word != "default") {
            let message = format!("`{word}` has no effect, because `opaque` hides the fields of `{}`", node.ident);
            errors.add_help(&field.args.tokens_of(word), message, format!("leave `{word}` out, or leave `opaque` out"));
        }
    }
}

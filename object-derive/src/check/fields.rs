//! Roles, names and defaults of fields.

use quote::ToTokens;
use syn::Type;

use super::shape::is_name;
use crate::model::{Node, Role};
use crate::report::Errors;
use crate::types;

/// A field is compared in one way.
pub(super) fn one_role(node: &Node, errors: &mut Errors) {
    for field in &node.fields {
        let roles = || field.args.words().filter(|word| matches!(*word, "ignore" | "def" | "def_simple"));
        let Some(first) = roles().next() else { continue };
        for word in roles().skip(1) {
            let reason = if first == "ignore" || word == "ignore" {
                "what is ignored binds nothing"
            } else {
                "`def` also binds the variables inside of the variables, `def_simple` does not"
            };
            let message = format!("`{first}` and `{word}` exclude each other: {reason}");
            errors.add_help(&field.args.at(word), message, "leave one of them out");
        }
    }
}

/// `def` binds variables. Where none can be, it is a mistake about the field.
pub(super) fn def_needs_variables(node: &Node, errors: &mut Errors) {
    for field in &node.fields {
        let word = match field.role {
            Role::Def => "def",
            Role::DefSimple => "def_simple",
            _ => continue,
        };
        if holds_no_objects(&field.ty) {
            let ty = field.ty.to_token_stream().to_string().replace(' ', "");
            let message = format!("`{word}` binds variables, but there are none in `{ty}`");
            errors.add_help(
                &field.args.at(word),
                message,
                format!("leave `{word}` out, or give the field the type of a handle"),
            );
        }
    }
}

/// Whether the type is one of those of which it is known, whatever the user declares, that no node is inside.
fn holds_no_objects(ty: &Type) -> bool {
    const PLAIN: [&str; 7] = ["DataType", "Device", "Str", "Bytes", "Shape", "Tensor", "Function"];
    if types::is_integer(ty) || types::is_float(ty) || types::is_bool(ty) {
        return true;
    }
    match types::head(ty) {
        Some((name, args)) if !args.is_empty() && ["Option", "Array", "Map"].iter().any(|it| name == it) => {
            args.iter().all(|arg| holds_no_objects(arg))
        }
        // `Function` may be the user's own node: IRs have functions.
        Some((name, args)) => args.is_empty() && name != "Function" && PLAIN.iter().any(|it| name == it),
        None => false,
    }
}

/// Access paths and scripts show fields as names.
pub(super) fn rename_form(node: &Node, errors: &mut Errors) {
    for field in &node.fields {
        let Some(rename) = field.args.values.rename.as_ref() else { continue };
        if !is_name(&rename.value()) {
            let message = match rename.value().as_str() {
                "" => "the name is empty".to_owned(),
                name => format!("`{name}` is no name for a field"),
            };
            errors.add_help(rename, message, "write letters, digits and `_`, without a digit in front");
        }
    }
}

/// Reflection finds fields by name.
pub(super) fn unique_names(node: &Node, errors: &mut Errors) {
    for (i, field) in node.fields.iter().enumerate() {
        if let Some(earlier) = node.fields[..i].iter().find(|earlier| earlier.name == field.name) {
            let message =
                format!("two fields are reflected as `{}`: `{}` and `{}`", field.name, earlier.ident, field.ident);
            errors.add_help(&field.name_tokens(), message, "rename one of them");
        }
    }
}

/// Reflection does not see the fields of an opaque type; only `new` does, and it knows defaults.
pub(super) fn opaque_field_words(node: &Node, errors: &mut Errors) {
    if !node.is_opaque() {
        return;
    }
    for field in &node.fields {
        for word in field.args.words().filter(|word| *word != "default") {
            let message = format!("`{word}` has no effect, because `opaque` hides the fields of `{}`", node.ident);
            errors.add_help(&field.args.at(word), message, format!("leave `{word}` out, or leave `opaque` out"));
        }
    }
}

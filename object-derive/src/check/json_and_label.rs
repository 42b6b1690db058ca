//! The short forms of an object: one field in JSON, a label in an access path.

use syn::LitStr;

use super::equality::{report_missing_field, required_except};
use crate::keywords::{listed, nearest};
use crate::model::Node;
use crate::report::{Report, Rule, rules};
use crate::types;

/// In the order of their messages.
pub(super) const RULES: &[Rule<Node>] =
    rules![json_field_exists, json_field_is_plain, json_has_effect, json_defaults, label_form, label_fields_exist];

/// The field that JSON has in place of the object has to exist. A constant assertion looks for inherited fields.
fn json_field_exists(node: &Node, errors: &mut Report<'_>) {
    let json = node.object.values.json.as_ref().filter(|json| node.field(json).is_none());
    if let Some(json) = json.filter(|_| node.parent.is_none() && !node.is_opaque()) {
        report_missing_field(node, json, errors);
    }
}

/// The field stands for the object in JSON as one text or number. A constant assertion looks for handles.
fn json_field_is_plain(node: &Node, errors: &mut Report<'_>) {
    const NOT_PLAIN: [&str; 9] = ["Array", "Map", "Any", "ObjectRef", "Bytes", "Shape", "Tensor", "Device", "Function"];
    let Some(json) = &node.object.values.json else { return };
    let Some(field) = node.field(json).filter(|_| !node.is_opaque()) else { return };
    let ty = types::option_content(&field.ty).unwrap_or(&field.ty);
    if let Some((name, _)) = types::name_and_args(ty)
        && NOT_PLAIN.iter().any(|it| name == it)
    {
        let message = format!(
            "`{}` has the type `{name}`, but JSON shows the field of `json` as one text or number",
            field.ident
        );
        errors.add_help(json, message, "name a field of type `Str`, or of a number, or leave `json` out");
    }
}

/// `json` selects one of the fields that JSON would show.
fn json_has_effect(node: &Node, errors: &mut Report<'_>) {
    if !node.object.has("json") {
        return;
    }
    let (message, help) = if node.is_singleton() {
        ("`json` has no effect on a singleton, which JSON shows by its key", "leave `json` out")
    } else if node.is_opaque() {
        ("`json` names a field, but `opaque` hides all of them", "leave one of the two out")
    } else {
        return;
    };
    errors.add_help(&node.object.tokens_of("json"), message, help);
}

/// A reader finds only this one field in JSON.
fn json_defaults(node: &Node, errors: &mut Report<'_>) {
    let shown = node.object.values.json.as_ref().and_then(|json| node.field(json));
    let Some(shown) = shown.filter(|_| !node.is_singleton() && !node.is_opaque()) else { return };
    for field in required_except(node, shown) {
        let message = format!("`{}` needs a default, because JSON holds `{}` alone", field.ident, shown.name);
        errors.add_help(&field.ident, message, "add `#[field(default)]`, or leave `json` out");
    }
}

/// A label is a text with the values of fields in it.
fn label_form(node: &Node, errors: &mut Report<'_>) {
    let Some(label) = &node.object.values.label else { return };
    if let Err(fault) = placeholders(label) {
        let help = "write `{field}` for a value as it is, `{field:?}` for one in quotes and `{field:word}` for a name of a script, \
             such as `\"Var({name:?})\"`";
        errors.add_help(label, format!("{fault} in the label"), help);
    } else if node.is_opaque() {
        errors.add_help(
            &node.object.tokens_of("label"),
            format!("a label shows fields, but `opaque` hides the fields of `{}`", node.ident),
            "leave one of the two out",
        );
    }
}

/// The fields in a label have to exist. A constant assertion looks for inherited fields.
fn label_fields_exist(node: &Node, errors: &mut Report<'_>) {
    let Some(label) = node.object.values.label.as_ref().filter(|_| node.parent.is_none()) else { return };
    for path in placeholders(label).unwrap_or_default() {
        let name = path.split('.').next().unwrap_or_default();
        let names = || node.fields.iter().map(|field| field.name.as_str());
        if !node.is_opaque() && names().all(|it| it != name) {
            let help = match nearest(name, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("its fields are {}", listed(names())),
            };
            errors.add_help(label, format!("`{}` has no field `{name}` for its label", node.ident), help);
        }
    }
}

/// The paths of the fields in a label, or its first fault.
pub(crate) fn placeholders(label: &LitStr) -> Result<Vec<String>, String> {
    let text = label.value();
    let mut paths = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['{', '}']) {
        let open = rest[at..].strip_prefix('{').ok_or("there is a `}` without a `{`")?;
        let (inside, after) = open.split_once('}').ok_or("there is a `{` without a `}`")?;
        let path = [":?", ":word"].iter().find_map(|form| inside.strip_suffix(form)).unwrap_or(inside);
        if !path.split('.').all(super::item::is_name) {
            return Err(format!("`{{{inside}}}` is not the name of a field"));
        }
        paths.push(path.to_owned());
        rest = after;
    }
    Ok(paths)
}

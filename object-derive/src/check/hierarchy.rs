//! The parent, the `base` field that holds its part, and the arguments of that part.

use syn::Path;

use crate::model::{Field, Kind, Node};
use crate::names::unraw;
use crate::report::{Report, Rule, rules};
use crate::types;

/// In the order of their messages.
pub(super) const RULES: &[Rule<Node>] = rules![
    parent_is_another_type,
    parent_is_a_node_struct,
    parent_is_named,
    base_field_required,
    base_field_first,
    base_field_type,
    base_field_plain,
    base_args_need_parent,
    base_args_unique,
    may_contain_of_open_types,
];

/// Whether generated code can name the parent: no rule refuses it.
pub(crate) fn parent_is_usable(node: &Node) -> bool {
    node.parent.as_ref().is_none_or(|parent| !is_itself(node, parent) && !is_handle(node, parent))
}

fn is_itself(node: &Node, parent: &Path) -> bool {
    parent.is_ident("Self") || parent.is_ident(&node.ident) || parent.is_ident(&node.handle)
}

/// Whether `parent` is written `X` where the base field has the type `XNode`.
fn is_handle(node: &Node, parent: &Path) -> bool {
    let last = parent.segments.last().map(|segment| unraw(&segment.ident)).unwrap_or_default();
    let base = node.base_field.as_ref().and_then(|field| types::name_and_args(&field.ty));
    base.is_some_and(|(name, _)| unraw(name) == format!("{last}Node"))
}

/// A type that extended itself would contain itself.
fn parent_is_another_type(node: &Node, errors: &mut Report<'_>) {
    if let Some(parent) = node.parent.as_ref().filter(|parent| is_itself(node, parent)) {
        let message = format!("`{}` cannot extend itself", node.ident);
        errors.add_help(parent, message, "name another node struct, or leave `parent` out");
    }
}

/// The parent's part is stored in the object itself, and only node structs can be.
fn parent_is_a_node_struct(node: &Node, errors: &mut Report<'_>) {
    if let Some(parent) = node.parent.as_ref().filter(|parent| is_handle(node, parent)) {
        let name = types::shown(&parent);
        let message = format!("`{name}` is a handle, but the parent is given by its node struct");
        errors.add_help(parent, message, format!("write `parent = {name}Node`"));
    }
}

/// The first field `base` of a node struct's type in a struct without a parent.
pub(crate) fn base_without_parent(node: &Node) -> Option<&Field> {
    let first = node.fields.first().filter(|field| field.ident == "base")?;
    let (name, _) = types::name_and_args(&first.ty)?;
    let is_node = unraw(name).len() > 4 && unraw(name).ends_with("Node");
    let has_parent = node.parent.is_some() || node.object.may_have("parent");
    (is_node && !has_parent && !node.is_opaque()).then_some(first)
}

/// A first field `base` of a node struct's type is the form of inheritance. Without `parent` it would be a field that
/// reflection cannot show.
fn parent_is_named(node: &Node, errors: &mut Report<'_>) {
    if let Some(Field { ty, .. }) = base_without_parent(node) {
        let name = types::shown(ty);
        let message = format!("`base` holds the part of `{name}`, but `{}` has no parent", node.ident);
        errors.add_help(ty, message, format!("add `parent = {name}` to `#[object(...)]`, or rename the field"));
    }
}

/// The struct has to hold the data of the parent.
fn base_field_required(node: &Node, errors: &mut Report<'_>) {
    if let (Some(parent), None) = (&node.parent, &node.base_field) {
        let name = types::shown(&parent);
        let message = format!("`{}` extends `{name}`, but has no field that holds its part", node.ident);
        errors.add_help(
            &node.object.tokens_of("parent"),
            message,
            format!("begin the fields with `pub base: {name},`"),
        );
    }
}

/// The parent's fields come first in constructors, schemas and JSON, so its part comes first in the struct.
fn base_field_first(node: &Node, errors: &mut Report<'_>) {
    if let Some(base) = node.base_field.as_ref().filter(|_| !node.base_is_first) {
        let message = "`base` is not the first field, but the fields of the parent come before all others";
        errors.add_help(&base.ident, message, "move `base` to the front");
    }
}

/// `parent` and the type of `base` name one struct, twice for readers of the source.
fn base_field_type(node: &Node, errors: &mut Report<'_>) {
    let (Some(parent), Some(base)) = (&node.parent, &node.base_field) else { return };
    if is_itself(node, parent) || is_handle(node, parent) {
        return;
    }
    let declared = parent.segments.last().map(|segment| &segment.ident);
    let found = types::name_and_args(&base.ty).map(|(name, _)| name);
    if declared != found {
        let name = types::shown(&parent);
        let ty = types::shown(&base.ty);
        let message = format!("`base` is a `{ty}`, but the parent of `{}` is `{name}`", node.ident);
        let help = match found.zip(declared) {
            Some((found, declared)) if unraw(declared) == format!("{}Node", unraw(found)) => {
                format!("write `base: {name}`: the node struct itself, and not its handle")
            }
            _ => format!("write `base: {name}`, or `parent = {ty}`"),
        };
        errors.add_help(&base.ty, message, help);
    }
}

/// The fields in `base` have the annotations that the parent gave them.
fn base_field_plain(node: &Node, errors: &mut Report<'_>) {
    if let Some(base) = node.base_field.as_ref() {
        for word in base.args.words() {
            let message = format!("`{word}` has no meaning on `base`, which holds the fields of the parent");
            errors.add_help(&base.args.tokens_of(word), message, "annotate the fields in the parent's struct");
        }
    }
}

/// The macro passes the arguments to the parent's constructor.
fn base_args_need_parent(node: &Node, errors: &mut Report<'_>) {
    if node.parent.is_none() && !node.object.may_have("parent") && node.object.has("base_args") {
        let message = format!("`base_args` are the arguments of the parent's part, but `{}` has no parent", node.ident);
        errors.add_help(&node.object.tokens_of("base_args"), message, "add `parent = ...`, or leave `base_args` out");
    }
}

/// The arguments and the own fields become arguments of one function.
fn base_args_unique(node: &Node, errors: &mut Report<'_>) {
    for (i, arg) in node.base_args.iter().enumerate() {
        let name = unraw(&arg.ident);
        let help = "choose another name; the order of `base_args` alone relates them to the arguments of the parent";
        if node.base_args[..i].iter().any(|earlier| earlier.ident == arg.ident) {
            errors.add_help(&arg.ident, format!("`base_args` has two arguments `{name}`"), help);
        } else if node.fields.iter().any(|field| field.ident == arg.ident && field.is_required()) {
            let message = format!("`{name}` is also a field of `{}`, and both become arguments of `new`", node.ident);
            errors.add_help(&arg.ident, message, help);
        }
    }
}

/// The fields of a final type determine its contents. The contents of a singleton or a constant make no difference.
fn may_contain_of_open_types(node: &Node, errors: &mut Report<'_>) {
    let Some(contents) = node.may_contain else { return };
    if contents.none {
        let message = "`none` has no meaning here, because a type may always be extended by one that is never compared";
        errors.add_help(&node.object.tokens_of("may_contain"), message, "leave `none` out; it is for fields");
    }
    let (message, help) = if let Some(kind @ (Kind::Singleton | Kind::ConstTree)) = node.kind {
        let message = format!(
            "`may_contain` has no effect here, because a `{}` is equal to itself wherever it occurs",
            kind.word()
        );
        (message, "leave `may_contain` out")
    } else if !node.is_base() && !node.is_opaque() {
        let message =
            "`may_contain` has no effect here, because the fields of a final type determine what it may contain"
                .to_owned();
        (message, "leave `may_contain` out, or write it in the `#[field(...)]` of a field that can hold any object")
    } else {
        return;
    };
    errors.add_help(&node.object.tokens_of("may_contain"), message, help);
}

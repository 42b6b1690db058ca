//! Kinds of structural equality, hooks and singletons.

use syn::Ident;

use crate::keywords::{listed, nearest};
use crate::model::{Field, Kind, Node};
use crate::names::unraw;
use crate::report::{Report, Rule, rules};
use crate::types;

/// In the order of their messages.
pub(super) const RULES: &[Rule<Node>] = rules![
    one_kind,
    kind_declared,
    kind_required,
    custom_has_effect,
    scope_of_binders,
    singleton_key_required,
    singleton_key_is_text,
    singleton_key_plain,
    key_and_table_of_singletons,
    open_singleton_defaults,
    singleton_without_base_args,
    const_tree_binds_nothing,
    roles_need_comparison,
    opaque_compares_nothing,
];

/// A type is compared in one way.
fn one_kind(node: &Node, errors: &mut Report<'_>) {
    let words = || node.structural_eq.words().filter(|word| Kind::ALL.iter().any(|kind| kind.word() == *word));
    let Some(first) = words().next() else { return };
    for word in words().skip(1) {
        let message = format!("`{first}` and `{word}` exclude each other, because a type is compared in one way");
        errors.add_help(&node.structural_eq.tokens_of(word), message, "leave one of them out");
    }
}

/// Structural equality of a value that contains the object would find no rule for it, and nobody would notice: equal copies
/// would differ. A base without a kind has no instances, and an opaque type has no fields to compare.
fn kind_declared(node: &Node, errors: &mut Report<'_>) {
    let is_silent = node.structural_eq.words().next().is_none() && node.structural_eq.is_understood();
    if is_silent && node.object.is_understood() && !node.is_base() && !node.is_opaque() {
        let message = format!("`{}` does not say how structural equality compares it", node.ident);
        let help =
            "write `#[structural_eq(tree)]` to compare its fields, or `#[structural_eq(none)]` if it is never compared";
        errors.add_help(&node.ident, message, help);
    }
}

/// `custom`, `scope`, `key` and `table` refine a kind, so they need one.
fn kind_required(node: &Node, errors: &mut Report<'_>) {
    let Some(first) = node.structural_eq.words().next() else { return };
    if node.kind.is_none() && node.structural_eq.is_understood() {
        let message = format!("`{first}` needs a kind, which defines how `{}` is compared", node.ident);
        let kinds = listed(Kind::ALL.iter().map(|kind| kind.word()));
        let example = match first {
            "custom" => "#[structural_eq(tree, custom)]",
            "scope" => "#[structural_eq(tree, scope)]",
            _ => "#[structural_eq(singleton, key = name)]",
        };
        let help = format!("write for example `{example}`; the kinds are {kinds}");
        errors.add_help(&node.structural_eq.tokens_of(first), message, help);
    }
}

/// Objects of these kinds are never compared by their content, so nothing would call a hook.
fn custom_has_effect(node: &Node, errors: &mut Report<'_>) {
    let reason = match node.kind {
        Some(Kind::Singleton) => "a singleton is equal only to itself",
        Some(Kind::None) => "objects of kind `none` are not compared",
        _ => return,
    };
    if node.is_custom() {
        let message = format!("`custom` has no effect here, because {reason}");
        errors.add_help(&node.structural_eq.tokens_of("custom"), message, "leave `custom` out, or choose another kind");
    }
}

/// A variable does not bind others, and objects of the other kinds bind nothing.
fn scope_of_binders(node: &Node, errors: &mut Report<'_>) {
    if let Some(kind) = node.kind
        && !matches!(kind, Kind::Tree | Kind::Dag)
        && node.is_scope()
    {
        let message = format!("`scope` is only for `tree` and `dag`, not for `{}`", kind.word());
        errors.add_help(&node.structural_eq.tokens_of("scope"), message, "write `#[structural_eq(tree, scope)]`");
    }
}

/// JSON and structural hashes, which are the same in every process, identify an instance by its key.
fn singleton_key_required(node: &Node, errors: &mut Report<'_>) {
    if !node.is_singleton()
        || node.inherits_key()
        || (node.structural_eq.values.key.is_none() && node.structural_eq.may_have("key"))
    {
        return;
    }
    match &node.structural_eq.values.key {
        None => {
            let message = "a singleton needs a field that identifies its instances";
            let help = match node.parent {
                Some(_) => {
                    "write `key = name`, where `name` is a field of type `Str`, or `table = function` without `key` for the \
                     key of the parent"
                }
                None => "write `#[structural_eq(singleton, key = name)]`, where `name` is a field of type `Str`",
            };
            errors.add_help(&node.structural_eq.tokens_of("singleton"), message, help);
        }
        Some(key) if node.field(key).is_none() => report_missing_field(node, key, errors),
        Some(_) => {}
    }
}

/// Keys are looked up by text.
fn singleton_key_is_text(node: &Node, errors: &mut Report<'_>) {
    let key = node.structural_eq.values.key.as_ref().and_then(|key| node.field(key));
    let Some(field) = key.filter(|_| node.is_singleton()) else { return };
    if types::name_and_args(&field.ty).is_none_or(|(name, _)| name != "Str") {
        let ty = types::shown(&field.ty);
        let message = format!("the key of a singleton is a `Str`, but `{}` is a `{ty}`", field.ident);
        errors.add_help(&field.ty, message, "write `Str`, or name another field as the key");
    }
}

/// The key identifies the instance, so nothing may ignore it or fill it in.
fn singleton_key_plain(node: &Node, errors: &mut Report<'_>) {
    let key = node.structural_eq.values.key.as_ref().and_then(|key| node.field(key));
    let Some(field) = key.filter(|_| node.is_singleton()) else { return };
    for word in field.args.words().filter(|word| matches!(*word, "ignore" | "def" | "def_simple" | "default")) {
        let message = format!("`{word}` has no meaning on `{}`, the key that identifies a singleton", field.ident);
        errors.add_help(&field.args.tokens_of(word), message, format!("leave `{word}` out"));
    }
}

/// Only singletons have a table of instances.
fn key_and_table_of_singletons(node: &Node, errors: &mut Report<'_>) {
    let Some(kind) = node.kind.filter(|kind| *kind != Kind::Singleton) else { return };
    for word in node.structural_eq.words().filter(|word| matches!(*word, "key" | "table")) {
        let message = format!("`{word}` is only for singletons, and this type is `{}`", kind.word());
        let help = format!("leave `{word}` out, or write `singleton` instead of `{}`", kind.word());
        errors.add_help(&node.structural_eq.tokens_of(word), message, help);
    }
}

/// `X::get` makes an instance from its key alone.
fn open_singleton_defaults(node: &Node, errors: &mut Report<'_>) {
    let args = &node.structural_eq;
    let Some(key) = args.values.key.as_ref().and_then(|key| node.field(key)) else { return };
    if !node.is_singleton() || args.may_have("table") {
        return;
    }
    for field in required_except(node, key) {
        let name = &field.ident;
        let message =
            format!("`{name}` needs a default, because `{}::get` makes instances from their key alone", node.handle);
        let help = "add `#[field(default)]`, or list all instances with `table = function` in `#[structural_eq(...)]`";
        errors.add_help(name, message, help);
    }
}

/// The required fields except `known`.
pub(super) fn required_except<'a>(node: &'a Node, known: &'a Field) -> impl Iterator<Item = &'a Field> {
    let others = node.fields.iter().filter(|field| field.ident != known.ident);
    others.filter(|field| field.is_required() && !field.is_option())
}

/// Singletons have no constructor that could take the arguments.
fn singleton_without_base_args(node: &Node, errors: &mut Report<'_>) {
    if node.is_singleton() && node.object.has("base_args") {
        let message = "`base_args` are arguments of `new`, but a singleton is found by its key";
        let help = "leave `base_args` out; where the parent's part needs arguments, list all instances with \
                    `table = function` in `#[structural_eq(...)]`";
        errors.add_help(&node.object.tokens_of("base_args"), message, help);
    }
}

/// One constant may occur in two places with different variables around it. If it binds variables, the two occurrences
/// can differ although they are one object.
fn const_tree_binds_nothing(node: &Node, errors: &mut Report<'_>) {
    if node.kind != Some(Kind::ConstTree) {
        return;
    }
    for field in node.fields.iter().filter(|field| field.meta.role.binds()) {
        let Some(word) = field.meta.role.word() else { continue };
        let message = format!(
            "`{word}` contradicts `const_tree`, because a constant that binds variables is not equal to itself everywhere"
        );
        errors.add_help(&field.args.tokens_of(word), message, "write `tree` instead of `const_tree`");
    }
}

/// A role determines how a field is compared. It has no effect on a type that is never compared and never extended.
fn roles_need_comparison(node: &Node, errors: &mut Report<'_>) {
    if node.is_base() || !matches!(node.kind, None | Some(Kind::None)) || !node.structural_eq.is_understood() {
        return;
    }
    for field in &node.fields {
        let Some(word) = field.meta.role.word() else { continue };
        let message = format!("`{word}` has no effect, because objects of this type are not compared");
        let help = "add `#[structural_eq(tree)]` or another kind to the struct, or leave the word out";
        errors.add_help(&field.args.tokens_of(word), message, help);
    }
}

/// Comparison needs reflection: all objects without visible fields would be equal.
fn opaque_compares_nothing(node: &Node, errors: &mut Report<'_>) {
    let Some(kind @ (Kind::Tree | Kind::ConstTree | Kind::Dag)) = node.kind else { return };
    if node.is_opaque() && !node.is_custom() {
        let message =
            format!("all objects would be equal, because `{}` compares fields and `opaque` hides them", kind.word());
        let help = format!(
            "write `#[structural_eq({}, custom)]` and implement `StructuralHook`, or leave `opaque` out",
            kind.word()
        );
        errors.add_help(&node.structural_eq.tokens_of(kind.word()), message, help);
    }
}

/// Reports that the type does not declare the field `name`.
pub(super) fn report_missing_field(node: &Node, name: &Ident, errors: &mut Report<'_>) {
    let names = || node.fields.iter().map(|field| field.name.as_str());
    let help = match nearest(&unraw(name), names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if node.fields.is_empty() => "it has no fields of its own".to_owned(),
        None => format!("its fields are {}", listed(names())),
    };
    errors.add_help(name, format!("`{}` has no field `{}`", node.ident, unraw(name)), help);
}

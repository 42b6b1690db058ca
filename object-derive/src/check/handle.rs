//! Words about the generated items of the handle.

use crate::expand::setters;
use crate::model::{Constructor, HandleEq, Kind, Node};
use crate::report::{Report, Rule, rules};

/// In the order of their messages.
pub(super) const RULES: &[Rule<Node>] = rules![eq_form, eq_has_effect, display_form, new_has_effect, setters_of_bases];

/// Handles are compared in one of few ways.
fn eq_form(node: &Node, errors: &mut Report<'_>) {
    let Some(eq) = node.object.values.eq.as_ref().filter(|_| node.eq == HandleEq::Inherited) else { return };
    let (message, help) = if eq == "identity" {
        ("`eq = identity` is the default", "leave it out")
    } else {
        let help = "write `eq = structural`; or `eq = none`, and implement `PartialEq`, `Eq` and `Hash` by hand; or leave \
                    `eq` out, and a handle equals the handles of the same object";
        ("`eq` has two values, `structural` and `none`", help)
    };
    errors.add_help(eq, message, help);
}

/// Comparison by structure compares the contents of objects.
fn eq_has_effect(node: &Node, errors: &mut Report<'_>) {
    if node.eq != HandleEq::Structural || !node.structural_eq.is_understood() {
        return;
    }
    let tokens = node.object.tokens_of("eq");
    let same = "leave `eq = structural` out: without it, a handle equals the handles of the same object";
    match node.kind {
        Some(Kind::Var) => {
            errors.add_help(&tokens, "`eq = structural` has no effect: a variable equals only itself", same);
        }
        Some(Kind::Singleton) => {
            errors.add_help(&tokens, "`eq = structural` has no effect: a singleton equals only itself", same);
        }
        None if node.is_base() => {}
        None | Some(Kind::None) => {
            let message = format!("`eq = structural` compares objects, but `{}` cannot be compared", node.ident);
            errors.add_help(&tokens, message, "write `#[structural_eq(tree)]` or another kind on the struct");
        }
        Some(Kind::Tree | Kind::ConstTree | Kind::Dag) => {}
    }
}

/// The handle has the generated `Display`, or none.
fn display_form(node: &Node, errors: &mut Report<'_>) {
    if let Some(display) = node.object.values.display.as_ref().filter(|display| *display != "none") {
        let help = "write `display = none` and implement `Display` by hand, or leave `display` out";
        errors.add_help(display, "`display` has one value, `none`", help);
    }
}

/// The constructor that `new` names or leaves out has to exist.
fn new_has_effect(node: &Node, errors: &mut Report<'_>) {
    let reason = match &node.new {
        Constructor::Public => return,
        Constructor::Private(name) if name == "new" => {
            let help = "leave it out, or name the private constructor that your own `new` calls: `new = unchecked`";
            return errors.add_help(name, "`new = new` is the default", help);
        }
        _ if node.is_singleton() => "singletons are found by their key",
        _ if node.is_abstract() && node.structural_eq.is_understood() => "no object has exactly an abstract type",
        _ => return,
    };
    let message = format!("`new` has no effect, because {reason} and `{}` has no constructor", node.handle);
    errors.add_help(&node.object.tokens_of("new"), message, "leave it out");
}

/// Only types that extend this one use the trait.
fn setters_of_bases(node: &Node, errors: &mut Report<'_>) {
    let Some(name) = &node.setters else { return };
    let tokens = node.object.tokens_of("setters");
    if !node.is_base() {
        let message = format!("`setters` names a trait for types that extend `{}`, and none can", node.ident);
        errors.add_help(&tokens, message, "leave it out: the handle itself has the methods `with_...`");
    } else if node.is_singleton() {
        errors.add_help(&tokens, "`setters` has no effect: a singleton cannot be changed", "leave it out");
    } else if !setters::exist(node) {
        let message =
            format!("`{name}` would have no methods, because constructors take all visible fields of `{}`", node.ident);
        errors.add_help(&tokens, message, "leave it out, or make a field optional or give it a default");
    }
}

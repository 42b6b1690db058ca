//! Words about the generated items of the handle.

use crate::model::{HandleEq, Kind, Node};
use crate::report::{Report, Rule, rules};

/// In the order of their messages.
pub(super) const RULES: &[Rule<Node>] = rules![eq_form, eq_has_effect];

/// Handles are compared in one of few ways.
fn eq_form(node: &Node, errors: &mut Report<'_>) {
    let Some(eq) = node.object.values.eq.as_ref().filter(|_| node.eq == HandleEq::Inherited) else { return };
    let (message, help) = if eq == "identity" {
        ("`eq = identity` is the default", "leave it out")
    } else {
        let help = "write `eq = structural`; or `eq = none`, and implement `PartialEq`, `Eq` and `Hash` by hand; or leave \
                    `eq` out, and a handle equals the handles of the same object";
        ("the value of `eq` is `structural` or `none`", help)
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

//! The laws of the normal form of any graph: what the checker accepts, the normalizer takes, and the result passes the
//! checker. The tests, the corpus runner and the fuzz target `check` share them.

use object_core::prelude::*;
use object_core::visit::free_vars;
use object_ir::ir::{Function, IRModule, RelaxExpr};
use object_ir::tir;
use object_relax::normal_form::{Normalizer, is_normal};
use object_relax::well_formed::{Checker, Phase, all_rules};

/// The normal form of a module or an expression, in which all free shape variables are visible. `None` for other graphs.
pub fn normalize(root: &Any) -> Option<Result<Any, Error>> {
    if let Ok(module) = root.clone().cast::<IRModule>() {
        return Some(Normalizer::new().module(&module).map(Any::from));
    }
    let expr = root.clone().cast::<RelaxExpr>().ok()?;
    let free = free_vars(&expr).into_iter().filter_map(|var| tir::Var::try_from(var).ok());
    let normalizer = free.fold(Normalizer::new(), |normalizer, var| normalizer.see(&var));
    Some(normalizer.expr(&expr).map(Any::from))
}

/// A checker without the rules that hold for normalized programs only.
///
/// # Panics
/// If the checker does not know its own rules.
#[must_use]
pub fn unnormalized() -> Checker {
    let rules = all_rules().filter(|rule| rule.phase == Phase::Normal);
    rules.fold(Checker::new(), |checker, rule| checker.allow(rule.name).expect("the rule exists"))
}

/// Checks the laws for a graph.
///
/// # Errors
/// The law that does not hold.
pub fn check(root: &Any) -> Result<(), String> {
    let normal = match normalize(root) {
        None => return Ok(()),
        Some(Err(error)) => {
            let path = error.path().cloned().unwrap_or_default();
            return match path.find(root) {
                Ok(_) => Ok(()),
                Err(lost) => Err(format!("the path of an error leads nowhere: {lost}: {error}")),
            };
        }
        Some(Ok(normal)) => normal,
    };
    if !has_normal_parts(&normal) {
        return Err("the normal form is not normal".into());
    }
    match normalize(&normal) {
        Some(Ok(again)) if is_same(&again, &normal) => {}
        Some(Err(error)) => return Err(format!("no normal form of the normal form: {error}")),
        _ => return Err("the normal form of the normal form is another object".into()),
    }
    if has_normal_parts(root) && root.clone().cast::<RelaxExpr>().is_ok() && !is_same(root, &normal) {
        return Err("`is_normal` is true, but the normal form is another object".into());
    }
    // An expression may become a sequence, which is neither the body of a function nor a branch.
    if root.clone().cast::<IRModule>().is_err() && root.clone().cast::<Function>().is_err() {
        return Ok(());
    }
    let found = Checker::new().check(&normal);
    if found.errors == 0 {
        return Ok(());
    }
    let given = unnormalized().check(root);
    if given.is_well_formed() && given.is_complete {
        Err(format!("the checker rejects the normal form: {found}"))
    } else {
        Ok(())
    }
}

fn is_same(a: &Any, b: &Any) -> bool {
    a.view().as_object().zip(b.view().as_object()).is_some_and(|(a, b)| a.ptr_eq(b))
}

/// Whether an expression, or each function of Relax in a module, is normal.
fn has_normal_parts(root: &Any) -> bool {
    if let Ok(module) = root.clone().cast::<IRModule>() {
        return module.functions.iter().all(|(_, function)| !function.is::<Function>() || is_normal(&function.into()));
    }
    root.clone().cast::<RelaxExpr>().is_ok_and(|expr| is_normal(&expr))
}

//! `pass`: modules before and after a pass that has a transform here.

use object_core::prelude::*;
use object_core::structural::StructuralOptions;
use object_ir::ir::{IRModule, RelaxExpr};
use object_relax::transform::{canonicalize_bindings, eliminate_dead_code};

use super::facts::{Corpus, Fact, Problem};
use super::{Checked, Outcome};

/// Checks a fact. The group is the name of the pass.
pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Outcome {
    match fact.text("pass") {
        Ok(pass) => Outcome::of_group(pass.to_owned(), check_pass(corpus, fact, pass)),
        Err(problem) => Err(problem).into(),
    }
}

fn check_pass(corpus: &Corpus, fact: &Fact, pass: &str) -> Checked {
    let failed = |error: Error| Problem::failed("a result", error);
    let before = corpus.load_module(fact.text("before")?)?.root;
    let after = corpus.load_module(fact.text("after")?)?.root;
    let got: Any = match pass {
        "CanonicalizeBindings" => match before.clone().cast::<IRModule>() {
            Ok(module) => canonicalize_bindings(&module).map_err(failed)?.into(),
            Err(_) => canonicalize_bindings(&before.cast::<RelaxExpr>().map_err(failed)?).map_err(failed)?.into(),
        },
        "DeadCodeElimination" => eliminate_dead_code(&before.cast().map_err(failed)?, &[]).map_err(failed)?.into(),
        other => return Err(Problem::new("a transform for this pass", format!("none for `{other}`"))),
    };
    if StructuralOptions::new().map_free_vars(true).equal(&after, &got).map_err(failed)? {
        return Ok(());
    }
    Err(Problem::new(object_script::print::print(&after), object_script::print::print(&got)))
}

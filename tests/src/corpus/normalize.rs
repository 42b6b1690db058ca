//! `normalize/module`: the normal form of a module, or an error.

use object_ir::ir::IRModule;
use object_relax::normal_form::Normalizer;

use super::Checked;
use super::facts::{Corpus, Fact, Problem, options};
use crate::normal_law;

/// Normalizes a module, and checks the laws of the normal form.
pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Checked {
    let before = corpus.load_module(fact.text("before")?)?.root;
    normal_law::check(&before).map_err(|law| Problem::new("a normal form", law))?;
    let normalized = before.clone().cast::<IRModule>().and_then(|module| Normalizer::new().module(&module));
    match (normalized, fact.text("expect")?) {
        (Ok(normalized), expected) => {
            match expected {
                "ok" => {}
                "crash" => return Ok(()),
                _ => return Err(Problem::new(format!("an error: {}", fact.get("error")), "no error")),
            }
            // The result is not recorded if it is structurally equal and large.
            let after = fact.text("after").and_then(|after| corpus.load_module(after));
            let expected = after.map_or_else(|_| before.clone(), |after| after.root);
            let mismatch = options(true, false).first_mismatch(&expected, &normalized);
            match mismatch.map_err(|error| Problem::failed("a verdict", error))? {
                None => Ok(()),
                Some(mismatch) => Err(Problem::new("the recorded result", mismatch)),
            }
        }
        (Err(error), "ok") => Err(Problem::failed("a normal form", error)),
        (Err(_), _) => Ok(()),
    }
}

/// Checks the laws of the normal form for any program.
pub(super) fn check_laws(corpus: &Corpus, fact: &Fact) -> Checked {
    match corpus.load_module(fact.id().trim_start_matches("normal_form/")) {
        Ok(graph) => normal_law::check(&graph.root).map_err(|law| Problem::new("a normal form", law)),
        // Some files record texts that do not load; the facts of the kind `load` check them.
        Err(_) => Ok(()),
    }
}

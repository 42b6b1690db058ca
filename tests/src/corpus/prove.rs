//! `prove`: relations between shape expressions, as far as they are provable.

use object_core::prelude::*;
use object_ir::ir::PrimExpr;
use object_ir::tir::{LE, LT};
use object_relax::arith::{Analyzer, Proof};

use super::Checked;
use super::facts::{Corpus, Fact, Problem};

/// A relation that was proved there is proved here, and a relation with a counterexample is not. All variables are
/// dimensions.
pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Checked {
    let root = corpus.load_module(fact.text("exprs")?)?.root;
    let exprs: Array<PrimExpr> = root.cast().map_err(|error| Problem::failed("an array of expressions", error))?;
    let [a, b] = exprs.as_slice() else { return Err(Problem::new("two expressions", exprs.len())) };
    let analyzer = Analyzer::for_shapes();
    let relation = fact.text("relation")?;
    let proof = match relation {
        "==" => analyzer.prove_equal(a, b),
        "<" => analyzer.prove(&LT::new(DataType::boolean(), a.clone(), b.clone()).into()),
        "<=" => analyzer.prove(&LE::new(DataType::boolean(), a.clone(), b.clone()).into()),
        other => return Err(Problem::new("a relation", other)),
    };
    let is_refuted = fact.get("true_for_all").as_bool() == Some(false);
    let was_proved = fact.flag("expect") || fact.flag("expect_symbolic");
    match proof {
        Proof::True if is_refuted => Err(Problem::new(format!("not True: {}", fact.get("counterexample")), "True")),
        Proof::False if !is_refuted => Err(Problem::new("not False: nothing refutes the relation", "False")),
        Proof::False | Proof::Unknown if was_proved => Err(Problem::new("True", format!("{proof:?}"))),
        _ => Ok(()),
    }
}

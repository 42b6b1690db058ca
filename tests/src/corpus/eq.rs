//! `eq`: the verdict of structural equality, and its consequences.

use object_core::Any;
use serde_json::Value;

use super::Checked;
use super::facts::{Corpus, Fact, Problem};

pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Checked {
    let (lhs, rhs) = corpus.operands(fact)?;
    let verdict = fact.options().equal(&lhs, &rhs);
    match (fact.get("expect"), verdict) {
        (Value::Null, Err(_)) => Ok(()),
        (Value::Null, Ok(verdict)) => Err(Problem::new(format!("an error: {}", fact.get("error")), verdict)),
        (expected, Err(error)) => Err(Problem::new(expected, format!("error: {error}"))),
        (expected, Ok(verdict)) if *expected != verdict => Err(Problem::new(expected, verdict)),
        (_, Ok(verdict)) => laws(fact, &lhs, &rhs, verdict),
    }
}

/// Equality is symmetric, agrees with the search for a mismatch, and implies equal hashes.
fn laws(fact: &Fact, lhs: &Any, rhs: &Any, verdict: bool) -> Checked {
    let equal = fact.options();
    let failed = |error| Problem::failed("no error", error);
    if equal.equal(rhs, lhs).map_err(failed)? != verdict {
        return Err(Problem::new(format!("{verdict} in both directions"), "the opposite from right to left"));
    }
    match equal.first_mismatch(lhs, rhs).map_err(failed)? {
        Some(mismatch) if verdict => return Err(Problem::new("no mismatch of equal values", mismatch.lhs)),
        None if !verdict => return Err(Problem::new("a mismatch of unequal values", "none")),
        _ => {}
    }
    let hash = fact.options();
    let hashes = [hash.hash(lhs).map_err(failed)?, hash.hash(rhs).map_err(failed)?];
    if verdict && hashes[0] != hashes[1] {
        return Err(Problem::new("equal hashes of equal values", format!("{:016x} and {:016x}", hashes[0], hashes[1])));
    }
    Ok(())
}

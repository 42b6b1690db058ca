//! [`Memo`]: the answers of an analyzer to questions without a short cut, which take thousands of instructions.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use object_core::prelude::*;
use object_core::structural::{StructuralKey, StructuralMap};
use object_ir::ir::PrimExpr;

use super::proof::Proof;

/// The most answers of one kind. A program asks few different questions, but asks them for each of its layers.
const MAX_ANSWERS: usize = 1 << 12;

/// The answers so far, by the structure of the question. They hold until the facts of the analyzer change.
#[derive(Default)]
pub(in crate::arith) struct Memo {
    equalities: Mutex<StructuralMap<Proof>>,
    simplified: Mutex<StructuralMap<PrimExpr>>,
}

impl Memo {
    /// Whether `a` and `b` are equal. `answer` finds it out the first time.
    pub(in crate::arith) fn equality(&self, a: &PrimExpr, b: &PrimExpr, answer: impl FnOnce() -> Proof) -> Proof {
        remembered(&self.equalities, [a.clone(), b.clone()].into(), answer)
    }

    /// The simplified `expr` where a condition is true. `answer` finds it the first time.
    pub(in crate::arith) fn simplified_under(
        &self,
        condition: &PrimExpr,
        expr: &PrimExpr,
        answer: impl FnOnce() -> PrimExpr,
    ) -> PrimExpr {
        remembered(&self.simplified, [expr.clone(), condition.clone()].into(), answer)
    }

    /// The simplified `expr`. `answer` finds it the first time.
    pub(in crate::arith) fn simplified(&self, expr: &PrimExpr, answer: impl FnOnce() -> PrimExpr) -> PrimExpr {
        remembered(&self.simplified, [expr.clone()].into(), answer)
    }
}

fn remembered<T: Clone>(answers: &Mutex<StructuralMap<T>>, question: Array<PrimExpr>, answer: impl FnOnce() -> T) -> T {
    let Ok(key) = StructuralKey::new(question) else { return answer() };
    let lock = || answers.lock().unwrap_or_else(PoisonError::into_inner);
    let known = lock().find(&key).cloned();
    known.unwrap_or_else(|| {
        let answer = answer();
        let mut answers = lock();
        if answers.len() == MAX_ANSWERS {
            answers.clear();
        }
        answers.insert_key(key, answer.clone());
        answer
    })
}

/// A copy has no answers: its owner may change the facts.
impl Clone for Memo {
    fn clone(&self) -> Self {
        Memo::default()
    }
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Memo")
    }
}

#[cfg(test)]
mod tests {
    use object_ir::tir::Var;

    use super::*;

    #[test]
    fn a_question_is_answered_once() {
        let (n, m) = (Var::dim("n"), Var::dim("m"));
        let (memo, mut asked) = (Memo::default(), 0);
        let mut ask = |a: PrimExpr, b: PrimExpr| {
            memo.equality(&a, &b, || {
                asked += 1;
                Proof::Unknown
            })
        };
        ask(&n * &m, &m * 2);
        ask(&n * &m, &m * 2);
        assert_eq!(ask(&n * &n, &m * 2), Proof::Unknown);
        ask(&m * &m, &m * 2);
        assert_eq!(asked, 3, "the same structure is the same question, and another variable is another one");
        assert!(memo.clone().equalities.into_inner().unwrap().is_empty());
    }
}

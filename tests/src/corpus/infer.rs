//! `normalize/expr` of calls of operators: the structural information of the result, or an error.

use object_core::prelude::*;
use object_core::structural::StructuralOptions;
use object_ir::arith::Analyzer;
use object_ir::ir::{Call, Op, RelaxExpr, StructInfo};
use object_ir::op::{self, InferContext};

use super::facts::{Corpus, Fact, Problem};
use super::{Checked, Outcome};

/// Checks a fact. The group is the name of the operator, or the type of another callee.
pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Outcome {
    let before = match load_call(corpus, fact) {
        Ok(call) => call,
        Err(problem) => return Outcome { group: None, checked: Err(problem) },
    };
    let group = match before.op.downcast_ref::<Op>() {
        Some(op) => op.name.to_string(),
        None => return Outcome { group: Some(before.op.as_object().view().type_key().to_owned()), checked: Ok(()) },
    };
    Outcome { group: Some(group), checked: check_call(corpus, fact, &before) }
}

fn load_call(corpus: &Corpus, fact: &Fact) -> Result<Call, Problem> {
    let root = corpus.load_module(fact.text("before")?)?.root;
    root.cast().map_err(|error| Problem::failed("a call", error))
}

fn check_call(corpus: &Corpus, fact: &Fact, before: &Call) -> Checked {
    let analyzer = Analyzer::for_shapes();
    let inferred = op::infer(before, &InferContext::new(&analyzer));
    let expected_failure = match fact.text("expect")? {
        "ok" => None,
        _ => Some(format!("an error: {}", fact.get("error").as_str().unwrap_or("a crash"))),
    };
    match (inferred, expected_failure) {
        (Err(_), Some(_)) => Ok(()),
        (Ok(info), Some(failure)) => Err(Problem::new(failure, info)),
        (Err(error), None) => Err(Problem::failed(&recorded(corpus, fact)?.1.to_string(), error)),
        (Ok(info), None) => {
            let (args, expected) = recorded(corpus, fact)?;
            // The shape variables of the result are those of the arguments.
            let with_args = |args: &Array<RelaxExpr>, info: &StructInfo| {
                let values = args.iter().map(Any::from).chain([Any::from(info.clone())]);
                Array::<Any>::new(values)
            };
            let equal = match args {
                Some(args) if args.len() == before.args.len() => {
                    same(&with_args(&before.args, &info), &with_args(&args, &expected))?
                }
                _ => same(&info, &expected)?,
            };
            if equal { Ok(()) } else { Err(Problem::new(expected, info)) }
        }
    }
}

fn same(a: &(impl Clone + Into<Any>), b: &(impl Clone + Into<Any>)) -> Result<bool, Problem> {
    let (a, b): (Any, Any) = (a.clone().into(), b.clone().into());
    StructuralOptions::new().map_free_vars(true).equal(&a, &b).map_err(|error| Problem::failed("a verdict", error))
}

/// The arguments of the recorded call, if it is one still, and the recorded structural information of its result.
fn recorded(corpus: &Corpus, fact: &Fact) -> Result<(Option<Array<RelaxExpr>>, StructInfo), Problem> {
    let after = corpus.load_module(fact.text("after")?)?.root;
    if let Ok(call) = after.cast::<Call>() {
        if let Some(info) = &call.struct_info {
            return Ok((Some(call.args.clone()), info.clone()));
        }
    }
    let info = corpus.load_module(fact.text("sinfo")?)?.root;
    Ok((None, info.cast().map_err(|error| Problem::failed("structural information", error))?))
}

//! `infer`: each call of an operator in a module infers to the structural information that it has.

use std::collections::{BTreeMap, HashMap};

use object_core::prelude::*;
use object_core::visit::walk;
use object_ir::ir::{Call, IRModule, Op, Var, VarBinding};
use object_relax::arith::Analyzer;
use object_relax::op::{self, InferContext};

use super::Outcome;
use super::facts::{Corpus, Fact, Problem};
use super::infer::same_sizes;

/// Checks all calls of a module whose arguments have structural information. The groups are operators.
pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Outcome {
    let root = match corpus.load_module(fact.id().trim_start_matches("infer/")) {
        Ok(graph) => graph.root,
        // Some files record texts that do not load; the facts of the kind `load` check them.
        Err(_) => return Ok(()).into(),
    };
    let analyzer = Analyzer::for_shapes();
    let module = root.clone().cast::<IRModule>().ok();
    let mut bound = HashMap::new();
    walk(&root, |binding: &VarBinding, _| {
        bound.insert(binding.var.vid.as_object().view().address(), binding.value.clone());
    });
    let values = |var: &Var| bound.get(&var.vid.as_object().view().address()).cloned();
    let context = InferContext::new(&analyzer).values(&values);
    let context = module.as_ref().map_or(context, |module| context.module(module));
    let mut groups = BTreeMap::<String, (usize, usize)>::new();
    let mut first = Ok(());
    walk(&root, |call: &Call, _| {
        let (Some(op), Some(recorded)) = (call.op.downcast_ref::<Op>(), &call.struct_info) else { return };
        if op::operator(&op.name).is_none() || call.args.iter().any(|arg| arg.struct_info.is_none()) {
            return;
        }
        let checked = match op::infer(call, &context) {
            Ok(info) if structural_equal(&info, recorded) || same_sizes(&info, recorded, &analyzer) => Ok(()),
            Ok(info) => Err(Problem::new(format!("{}: {recorded}", op.name), info)),
            Err(error) => Err(Problem::failed(&format!("{}: {recorded}", op.name), error)),
        };
        let (agreed, total) = groups.entry(op.name.to_string()).or_default();
        *agreed += usize::from(checked.is_ok());
        *total += 1;
        if first.is_ok() {
            first = checked;
        }
    });
    Outcome { groups, checked: first }
}

//! `normalize/expr`: the structural information of an expression, or an error.

use object_core::FieldType;
use object_core::prelude::*;
use object_core::structural::StructuralOptions;
use object_core::visit::free_vars;
use object_ir::ir::{Call, Op, RelaxExpr, ShapeExpr, StructInfo, TensorStructInfo, TupleStructInfo};
use object_ir::tir;
use object_relax::arith::Analyzer;
use object_relax::derivation::Derivation;
use object_relax::op::{self, InferContext};

use super::facts::{Corpus, Fact, Problem};
use super::{Checked, Outcome};

/// Checks a fact. The group is the name of the operator, or the type of another callee or expression.
pub(super) fn check(corpus: &Corpus, fact: &Fact) -> Outcome {
    let root = match fact.text("before").and_then(|before| corpus.load_module(before)) {
        Ok(graph) => graph.root,
        Err(problem) => return Err(problem).into(),
    };
    let call = root.clone().cast::<Call>().ok();
    let operator = call.as_ref().and_then(|call| call.op.downcast_ref::<Op>());
    let (group, checked) = match (&call, operator) {
        (Some(call), Some(op)) => (op.name.to_string(), check_call(corpus, fact, call)),
        (Some(call), None) => {
            (call.op.as_object().view().type_key().to_owned(), check_expr(corpus, fact, &call.into()))
        }
        (None, _) => {
            let expr = root.clone().cast::<RelaxExpr>().map_err(|error| Problem::failed("an expression", error));
            (root.type_key().to_owned(), expr.and_then(|expr| check_expr(corpus, fact, &expr)))
        }
    };
    Outcome::of_group(group, checked)
}

/// Derives an expression. All its free shape variables are visible.
fn check_expr(corpus: &Corpus, fact: &Fact, before: &RelaxExpr) -> Checked {
    let free = free_vars(before).into_iter().filter_map(|var| tir::Var::try_from(var).ok());
    let derivation = free.fold(Derivation::new(), |derivation, var| derivation.see(&var));
    let derived = derivation.expr(before).and_then(|derived| {
        let info = derived.result.struct_info.clone();
        info.ok_or_else(|| Error::new(ErrorKind::MissingField, "the expression has no structural information"))
    });
    match (derived, fact.text("expect")?) {
        (Ok(info), "ok") => {
            let expected: StructInfo = load(corpus, fact, "sinfo")?;
            let pair = |expr: &RelaxExpr, info: &StructInfo| Array::<Any>::new([Any::from(expr), Any::from(info)]);
            // The recorded expression and its structural information are two graphs without common variables, unless
            // the expression has the information.
            let after = load::<RelaxExpr>(corpus, fact, "after").ok();
            let linked = after.as_ref().and_then(|after| Some((after, after.struct_info.as_ref()?)));
            let is_same = match linked {
                Some((after, expected)) => same(&pair(before, &info), &pair(after, expected))?,
                None => false,
            };
            if is_same || same(&info, &expected)? { Ok(()) } else { Err(Problem::new(expected, info)) }
        }
        (Err(error), "ok") => Err(Problem::failed(&load::<StructInfo>(corpus, fact, "sinfo")?.to_string(), error)),
        (_, "crash") | (Err(_), _) => Ok(()),
        (Ok(info), _) => {
            let error = fact.get("error").as_str().unwrap_or_default().to_owned();
            Err(Problem::new(format!("an error: {error}"), info))
        }
    }
}

/// The graph that the fact names in its field `field`.
fn load<T: FieldType>(corpus: &Corpus, fact: &Fact, field: &str) -> Result<T, Problem> {
    let root = corpus.load_module(fact.text(field)?)?.root;
    root.cast().map_err(|error| Problem::failed("a graph of another type", error))
}

fn check_call(corpus: &Corpus, fact: &Fact, before: &Call) -> Checked {
    let analyzer = Analyzer::for_shapes();
    let inferred = op::infer(before, &InferContext::new(&analyzer));
    match (inferred, fact.text("expect")?) {
        (Ok(info), "ok") => {
            let (after, expected) = recorded(corpus, fact)?;
            if agrees(before, &info, after.as_ref(), &expected, &analyzer)? {
                Ok(())
            } else {
                Err(Problem::new(expected, info))
            }
        }
        (Err(error), "ok") => Err(Problem::failed(&recorded(corpus, fact)?.1.to_string(), error)),
        // Where the oracle crashes, it says nothing about the result.
        (_, "crash") | (Err(_), _) => Ok(()),
        (Ok(info), _) => {
            let error = fact.get("error").as_str().unwrap_or_default().to_owned();
            Err(Problem::new(format!("an error: {error}"), info))
        }
    }
}

/// Whether the inferred structural information is the recorded one: structurally, or with dimensions that the analyzer
/// proves equal.
fn agrees(
    before: &Call,
    info: &StructInfo,
    after: Option<&Call>,
    expected: &StructInfo,
    analyzer: &Analyzer,
) -> Result<bool, Problem> {
    let Some(after) = after.filter(|after| after.args.len() == before.args.len()) else {
        return same(info, expected);
    };
    // The result uses the shape variables of the arguments.
    let with_args = |call: &Call, info: &StructInfo| {
        let values = call.args.iter().map(Any::from).chain([Any::from(info.clone())]);
        Array::<Any>::new(values)
    };
    if same(&with_args(before, info), &with_args(after, expected))? {
        return Ok(true);
    }
    // The recorded call and the recorded structural information share variables.
    let inferred = op::infer(after, &InferContext::new(analyzer));
    Ok(inferred.is_ok_and(|inferred| same_sizes(&inferred, expected, analyzer)))
}

/// Whether two results are structurally equal, or two tensors or tuples of tensors have equal dimensions and agree in all
/// other facts.
pub(super) fn same_sizes(a: &StructInfo, b: &StructInfo, analyzer: &Analyzer) -> bool {
    if let (Some(a), Some(b)) = (a.downcast_ref::<TupleStructInfo>(), b.downcast_ref::<TupleStructInfo>()) {
        let members = a.fields.as_slice().iter().zip(b.fields.as_slice());
        return a.fields.len() == b.fields.len() && members.into_iter().all(|(a, b)| same_sizes(a, b, analyzer));
    }
    let (Some(a), Some(b)) = (a.downcast_ref::<TensorStructInfo>(), b.downcast_ref::<TensorStructInfo>()) else {
        return structural_equal(a, b);
    };
    let same_shape = match (written_shape(a), written_shape(b)) {
        (Some(a), Some(b)) => analyzer.prove_shape_equal(&a.values, &b.values).is_true(),
        _ => structural_equal(&a.shape, &b.shape),
    };
    same_shape && a.dtype == b.dtype && a.ndim == b.ndim && structural_equal(&a.vdevice, &b.vdevice)
}

fn written_shape(tensor: &TensorStructInfo) -> Option<&ShapeExpr> {
    tensor.shape.as_ref()?.downcast_ref()
}

fn same(a: &(impl Clone + Into<Any>), b: &(impl Clone + Into<Any>)) -> Result<bool, Problem> {
    let (a, b): (Any, Any) = (a.clone().into(), b.clone().into());
    StructuralOptions::new().map_free_vars(true).equal(&a, &b).map_err(|error| Problem::failed("a verdict", error))
}

/// The recorded call, if it is one still, and the recorded structural information of its result.
fn recorded(corpus: &Corpus, fact: &Fact) -> Result<(Option<Call>, StructInfo), Problem> {
    let after = corpus.load_module(fact.text("after")?)?.root;
    if let Ok(call) = after.cast::<Call>()
        && let Some(info) = call.struct_info.clone()
    {
        return Ok((Some(call), info));
    }
    let info = corpus.load_module(fact.text("sinfo")?)?.root;
    Ok((None, info.cast().map_err(|error| Problem::failed("structural information", error))?))
}

//! `pass`: modules before and after a pass that has a transform here.

use object_core::access_path::{AccessPath, AccessStep};
use object_core::prelude::*;
use object_core::structural::StructuralOptions;
use object_core::visit::UseDef;
use object_core::{ObjectView, Tensor};
use object_eval::Evaluator;
use object_ir::ir::{Constant, Function, IRModule, RelaxExpr, Var};
use object_relax::transform::{
    ModuleCompiler, ModuleTransform, SharedTransform, SortDirection, SortOrder, TransformOptions, canonicalize_bindings,
};

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
    // The corpus has no result of the mode for training.
    let found = ModuleTransform::find(if pass == "DecomposeOps" { "DecomposeOpsForInference" } else { pass });
    let got: Any = match (found, before.clone().cast::<IRModule>()) {
        (Some(transform), Ok(module)) => run(transform, &module, &after, fact.text("test")?).map_err(failed)?.into(),
        (Some(_), Err(_)) if pass == "CanonicalizeBindings" => {
            canonicalize_bindings(&before.cast::<RelaxExpr>().map_err(failed)?).map_err(failed)?.into()
        }
        _ => return Err(Problem::new("a transform for this pass", format!("none for `{pass}`"))),
    };
    if StructuralOptions::new().map_free_vars(true).equal(&after, &got).map_err(failed)? {
        return Ok(());
    }
    Err(Problem::new(object_script::print::print(&after), object_script::print::print(&got)))
}

/// The module after a transform. A fact does not tell the options of the pass: the name of its test says the order, and
/// constants of parameters stand in the result.
fn run(transform: &ModuleTransform, module: &IRModule, after: &Any, test: &str) -> Result<IRModule, Error> {
    let compile = |calls: &IRModule| Evaluator::new(calls).into_compiled();
    let is_shared = test.ends_with("[True]") || test.contains("test_share");
    let mut options = TransformOptions {
        compiler: Some(ModuleCompiler(&compile)),
        order: if test.contains("breadth_first") { SortOrder::BreadthFirst } else { SortOrder::DepthFirst },
        direction: if test.contains("from_output") { SortDirection::FromOutputs } else { SortDirection::FromInputs },
        shared_transform: if is_shared { SharedTransform::All } else { SharedTransform::No },
        ..TransformOptions::default()
    };
    let constants = bound(module, after);
    let params: Vec<(&str, Tensor)> = constants.iter().map(|(name, tensor)| (name.as_str(), tensor.clone())).collect();
    options.params = &params;
    transform.run(module, options)
}

/// The constants in `after` where `main` of a module uses the parameters that `main` of `after` lacks.
fn bound(module: &IRModule, after: &Any) -> Vec<(Str, Tensor)> {
    let main = |module: &IRModule| -> Option<Function> {
        let (_, found) = module.functions.iter().find(|(var, _)| var.name_hint.as_str() == "main")?;
        found.downcast().ok()
    };
    let after = after.clone().cast::<IRModule>().ok();
    let Some((before, after)) = main(module).zip(after.as_ref().and_then(main)) else { return Vec::new() };
    let uses = UseDef::of(&before.body);
    let is_kept = |name: &Str| after.params.iter().any(|param| param.vid.name_hint == *name);
    let constant = |param: Var| {
        let path = uses.path(&uses.uses(&param).next()?);
        let constant = object_at(after.body.as_object().view(), &path)?.to_handle::<Constant>()?;
        Some((param.vid.name_hint.clone(), constant.data.clone()))
    };
    before.params.iter().filter(|param| !is_kept(&param.vid.name_hint)).filter_map(constant).collect()
}

/// The object below `root` at a path of fields and elements.
fn object_at<'a>(root: ObjectView<'a>, path: &AccessPath) -> Option<ObjectView<'a>> {
    path.steps().iter().try_fold(root, |object, step| match step {
        AccessStep::Attr(name) => object.get(name)?.as_object(),
        AccessStep::ArrayItem(index) => object.as_array()?.iter().nth(*index)?.as_object(),
        _ => None,
    })
}

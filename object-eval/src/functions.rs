//! Runs as functions by name.

#![allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]

use object_core::prelude::*;
use object_core::register_function;
use object_ir::ir::IRModule;
use object_ir::results::Limits;
use object_relax::transform::{self, ModuleCompiler};

use crate::evaluator::Evaluator;
use crate::inputs::Inputs;
use crate::results::{CompareOptions, RunComparison};
use crate::value::to_constants;

register_function!(
    /// The result of a function of a module for these arguments. Tensors are constants on both sides.
    "objir.run"(module, function, args, limits) = run
);
register_function!(
    /// Random arguments for a function of a module. `sizes` are the sizes of symbolic dimensions by name.
    "objir.random_arguments"(module, function, seed, sizes) = random_arguments
);

register_function!(
    /// Whether a function of two modules has the same results for random arguments, with the first variable that differs.
    "objir.compare"(a, b, function, options, limits) = compare
);

register_function!(
    /// The module with the results of operators on constants.
    "objir.transform.fold_constants"(module, limits) = fold_constants
);

fn fold_constants(module: IRModule, limits: Option<Limits>) -> Result<IRModule, Error> {
    let limits = limits.unwrap_or_default();
    let (max_steps, meter) = (limits.to_limits()?.max_steps, limits.meter()?);
    let compile = |calls: &IRModule| Evaluator::new(calls).max_steps(max_steps).meter(&meter).into_compiled();
    transform::fold_constants(&module, ModuleCompiler(&compile))
}

fn run(module: IRModule, function: Str, args: Array<Any>, limits: Option<Limits>) -> Result<Any, Error> {
    let limits = limits.unwrap_or_default();
    let evaluator = Evaluator::new(&module).max_steps(limits.to_limits()?.max_steps).meter(&limits.meter()?);
    to_constants(evaluator.run(&function, args.iter())?)
}

fn random_arguments(module: IRModule, function: Str, seed: i64, sizes: Map<Str, i64>) -> Result<Any, Error> {
    let mut inputs =
        sizes.iter().fold(Inputs::new(seed.cast_unsigned()), |inputs, (name, size)| inputs.dim(&name, size));
    let parameters = Evaluator::new(&module).parameters(&function).ok_or_else(|| {
        Error::new(ErrorKind::UnknownFunction, format!("the module has no function `{function}` of Relax"))
    })?;
    to_constants(Array::<Any>::from_anys(inputs.arguments(&parameters, &[])?).into())
}

fn compare(
    a: IRModule,
    b: IRModule,
    function: Str,
    options: Option<CompareOptions>,
    limits: Option<Limits>,
) -> Result<RunComparison, Error> {
    let limits = limits.unwrap_or_default();
    let (max_steps, meter) = (limits.to_limits()?.max_steps, limits.meter()?);
    let [a, b] = [&a, &b].map(|module| Evaluator::new(module).max_steps(max_steps).meter(&meter));
    let trials = options.unwrap_or_else(CompareOptions::new).trials()?.meter(&meter);
    Ok(RunComparison::of(&trials.compare([&a, &b], &function)?))
}

//! Transforms: the modules that TVM's passes make of the modules in `data/transform/cases.txt`.

use object_core::StructuralOptions;
use object_eval::{Evaluator, Meter, Tensor};
use object_ir::ir::IRModule;
use object_relax::transform::{
    ModuleCompiler, ModuleTransform, SharedTransform, SortDirection, SortOrder, TransformOptions,
};
use object_script::parse::parse;
use object_script::print::print;

use crate::common::{at_root, report};

fn module(script: &str) -> Result<IRModule, String> {
    parse(script).map_err(|errors| errors.to_string())?.cast().map_err(|error| error.to_string())
}

/// A constant such as `int32:2,3`, whose elements are 0, 1, 2 and so on.
fn constant(text: &str) -> Option<object_core::Tensor> {
    let (dtype, dims) = text.split_once(':')?;
    let dims: Vec<i64> = dims.split(',').filter_map(|dim| dim.parse().ok()).collect();
    let numbers = (0..dims.iter().product::<i64>()).map(|number| number as f64);
    let meter = Meter::unlimited();
    let wide = Tensor::from_elements::<f64>(&dims, numbers, &meter).ok()?;
    let tensor = Tensor::from_numbers(dtype.parse().ok()?, &wide.numbers(&meter).ok()?, &meter);
    tensor.ok()?.to_constant().ok()
}

/// Runs a case: a line with the name of the transform and options, a module, `--`, and the module afterwards.
fn check(case: &str) -> Result<(), String> {
    let (title, scripts) = case.split_once('\n').ok_or("a case has a title")?;
    let (before, after) = scripts.split_once("\n--\n").ok_or("a case has two modules")?;
    let words: Vec<&str> = title.split(' ').collect();
    let transform = ModuleTransform::find(words[0]).ok_or("no transform has this name")?;
    let pairs: Vec<(&str, &str)> = words.iter().filter_map(|word| word.split_once('=')).collect();
    let sizes: Vec<(&str, i64)> = pairs.iter().filter_map(|(name, size)| Some((*name, size.parse().ok()?))).collect();
    let params: Vec<_> = pairs.iter().filter_map(|(name, text)| Some((*name, constant(text)?))).collect();
    let named = |at: usize| words.get(at).copied().filter(|word| !word.contains('='));
    let compile = |calls: &IRModule| Evaluator::new(calls).into_compiled();
    let options = TransformOptions {
        compiler: Some(ModuleCompiler(&compile)),
        sizes: &sizes,
        params: &params,
        function: named(1),
        shared_transform: match words.get(1..) {
            Some(["shared"]) => SharedTransform::All,
            Some(["shared", names @ ..]) => SharedTransform::Of(names),
            _ => SharedTransform::No,
        },
        order: named(1).and_then(|name| SortOrder::named(name).ok()).unwrap_or_default(),
        direction: named(2).and_then(|name| SortDirection::named(name).ok()).unwrap_or_default(),
        ..TransformOptions::default()
    };
    let got = transform.run(&module(before)?, options).map_err(|error| error.to_string())?;
    let is_equal = StructuralOptions::new().equal(&module(after)?, &got).map_err(|error| error.to_string())?;
    if is_equal { Ok(()) } else { Err(format!("{title}: got\n{}", print(&got))) }
}

#[test]
fn transforms_make_the_modules_that_tvm_makes() {
    let text = std::fs::read_to_string(at_root("tests/data/transform/cases.txt")).expect("the cases");
    let cases: Vec<&str> = text.split("\n== ").skip(1).collect();
    let wrong: Vec<String> = cases.iter().filter_map(|case| check(case).err()).collect();
    report(&wrong, cases.len());
}

//! Transforms: the modules that TVM's passes make of the modules in `data/transform/cases.txt`.

use object_core::StructuralOptions;
use object_ir::ir::IRModule;
use object_relax::transform::{ModuleTransform, TransformOptions};
use object_script::parse::parse;
use object_script::print::print;

use crate::common::{at_root, report};

fn module(script: &str) -> Result<IRModule, String> {
    parse(script).map_err(|errors| errors.to_string())?.cast().map_err(|error| error.to_string())
}

/// Runs a case: a line with the name of the transform and options, a module, `--`, and the module afterwards.
fn check(case: &str) -> Result<(), String> {
    let (title, scripts) = case.split_once('\n').ok_or("a case has a title")?;
    let (before, after) = scripts.split_once("\n--\n").ok_or("a case has two modules")?;
    let mut words = title.split(' ');
    let transform = words.next().and_then(ModuleTransform::find).ok_or("no transform has this name")?;
    let sizes: Vec<(&str, i64)> = words
        .filter_map(|word| word.split_once('='))
        .filter_map(|(name, size)| Some((name, size.parse().ok()?)))
        .collect();
    let options = TransformOptions { sizes: &sizes, ..TransformOptions::default() };
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

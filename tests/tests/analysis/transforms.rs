//! Transforms: the modules that TVM's passes make of the modules in `data/transform/cases.txt`.

use object_core::StructuralOptions;
use object_core::json::JsonReader;
use object_core::prelude::*;
use object_eval::{Evaluator, Meter, Tensor};
use object_ir::ir::{BaseFunc, GlobalVar, IRModule, IntImm, PrimType};
use object_ir::tir;
use object_relax::transform::{
    ModuleCompiler, ModuleTransform, SharedTransform, SortDirection, SortOrder, TransformOptions, convert_ssa,
};
use object_script::parse::parse;
use object_script::print::print;

use crate::common::{at_root, json_fixture, report, text};

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

/// Programs of `fixtures/make_convert_ssa.py` whose variables TVM gets wrong.
const OTHER_DEFINITIONS: [(&str, &str); 4] = [
    ("an extent with the variable outside", "the extent of a loop becomes the variable of the loop itself"),
    ("functions with one body", "the sizes of buffers of parameters stay the variables of another function"),
    ("blocks", "two blocks allocate one buffer"),
    ("matched buffers", "two blocks define one buffer"),
];

/// The programs of `fixtures/make_convert_ssa.py` with one definition for each variable.
#[test]
fn variables_have_one_definition_as_in_tvm() {
    let records = json_fixture("convert_ssa.records.gz");
    let records = records.as_array().expect("a list");
    let read = |graph: &str| JsonReader::new().read(graph.as_bytes()).and_then(|graph| graph.root.cast::<IRModule>());
    let mut wrong = Vec::new();
    for record in records {
        let name = text(record, "name");
        let [before, after] = ["before", "after"].map(|name| read(text(record, name)).expect("a module"));
        let converted = convert_ssa(&before).expect("a module");
        let equal = StructuralOptions::new().map_free_vars(true).equal(&converted, &after).expect("a comparison");
        let is_other = OTHER_DEFINITIONS.iter().any(|(other, _)| *other == name);
        if equal == is_other {
            wrong.push(format!("{name}: got\n{}", print(&converted)));
        }
        if !convert_ssa(&converted).expect("a module").ptr_eq(&converted) {
            wrong.push(format!("{name}: a second run changes the module"));
        }
    }
    report(&wrong, records.len());
}

/// A statement that stands at two places becomes two statements, within a limit.
#[test]
fn shared_statements_with_definitions_have_a_limit() {
    let var = tir::Var::new(DataType::int(32), "i", PrimType::new(DataType::int(32)));
    let bounds = || IntImm::new(DataType::int(32), 4);
    let nested = |body: tir::Stmt| -> tir::Stmt {
        let two = tir::SeqStmt::new([body.clone(), body]);
        tir::For::new(&var, bounds(), bounds(), 0, two, None, Map::default(), None).into()
    };
    let script = "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main():\n        T.evaluate(0)\n";
    let nested_module = |levels: usize| {
        let body = (0..levels).fold(tir::Evaluate::new(&var).into(), |body, _| nested(body));
        let mut module = module(script).expect("a module");
        let functions = module.functions.iter().map(|(name, function)| {
            let function = function.downcast_ref::<tir::PrimFunc>().expect("a program").clone();
            (name.clone(), function.with_changes(|node| node.body = body.clone()).into())
        });
        let functions: Vec<(GlobalVar, BaseFunc)> = functions.collect();
        module.make_mut().functions = Map::new(functions);
        module
    };
    convert_ssa(&nested_module(10)).expect("a module");
    let error = convert_ssa(&nested_module(64)).expect_err("an error");
    assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{error}");
}

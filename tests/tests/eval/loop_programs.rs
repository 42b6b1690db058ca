//! Loop programs: the cases of `fixtures/loop_programs.records.gz`, which TVM has run on LLVM, index arithmetic against
//! a direct evaluator, and limits.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use fastrand::Rng;
use ndarray::ArrayD;
use object_core::prelude::*;
use object_eval::value::Numbers;
use object_eval::{Evaluator, Meter, Tensor};
use object_ir::ir::{BaseFunc, DictAttrs, GlobalInfo, GlobalVar, IRModule, Source, SourceMap, SourceName};
use object_ir::tir::PrimFunc;
use object_script::parse::parse;
use object_tests::notation;
use serde_json::Value as Json;

use crate::common::{in_small_stack, json_fixture, report, text};

/// A module with the loop program, and a function `main` that calls the program with its `count` arguments.
pub(crate) fn module_of(program: PrimFunc, count: usize) -> IRModule {
    let names: Vec<String> = (0..count).map(|index| format!("a{index}")).collect();
    let params: Vec<String> = names.iter().map(|name| format!("{name}: Obj")).collect();
    let text = format!("impure fn main({}) {{ r = \"f\"({}); return r }}", params.join(", "), names.join(", "));
    let main: IRModule = notation::parse(&text).expect("a module").cast().expect("a module");
    let mut functions: Vec<(GlobalVar, BaseFunc)> =
        main.functions.iter().map(|(var, function)| (var.clone(), function.clone())).collect();
    functions.push((GlobalVar::new("f"), program.into()));
    let names: Vec<(Str, GlobalVar)> = functions.iter().map(|(var, _)| (var.name_hint.clone(), var.clone())).collect();
    let sources = SourceMap::new(Map::<SourceName, Source>::new([]));
    let attrs = DictAttrs::new(Map::<Str, Any>::new([]));
    IRModule::new(Map::new(functions), Map::new(names), sources, attrs, Map::<Str, Array<GlobalInfo>>::new([]))
}

pub(crate) fn program(source: &str) -> Result<PrimFunc, String> {
    parse(source).map_err(|errors| errors.to_string())?.cast().map_err(|error: Error| error.to_string())
}

/// The header of a script with one loop program.
const HEADER: &str = "# from tvm.script import tirx as T\n@T.prim_func(s_tir=True)\n";

fn evaluator(source: &str, count: usize) -> Evaluator {
    Evaluator::new(&module_of(program(source).unwrap_or_else(|error| panic!("{error}\n{source}")), count))
}

fn elements(recorded: &Json) -> Vec<f64> {
    let number = |value: &Json| {
        value.as_f64().unwrap_or_else(|| value.as_str().and_then(|it| it.parse().ok()).expect("a number"))
    };
    recorded.as_array().expect("numbers").iter().map(number).collect()
}

pub(crate) fn argument(recorded: &Json) -> Tensor {
    let sizes = recorded["shape"].as_array().expect("a shape").iter().filter_map(Json::as_u64);
    let dims: Vec<usize> = sizes.map(|size| usize::try_from(size).expect("a size")).collect();
    let dtype = text(recorded, "dtype").parse().expect("a data type");
    let array =
        ArrayD::from_shape_vec(dims, elements(&recorded["before"])).expect("as many elements as the shape says");
    Tensor::from_floats(dtype, &array, &Meter::unlimited()).expect("a tensor")
}

pub(crate) fn numbers(tensor: &Tensor) -> Vec<f64> {
    match tensor.numbers(&Meter::unlimited()).expect("numbers") {
        Numbers::Float(array) => array.into_iter().collect(),
        Numbers::Int(array) => array.into_iter().map(|it| it as f64).collect(),
    }
}

/// Runs a case, and compares the arguments afterwards.
fn check(case: &Json) -> Result<(), String> {
    let recorded = case["args"].as_array().map(Vec::as_slice).unwrap_or_default();
    let args: Vec<Tensor> = recorded.iter().map(argument).collect();
    let program = program(text(case, "source"))?;
    let result = Evaluator::new(&module_of(program, args.len())).run("main", args.iter().cloned());
    match (result, case["error"].as_str()) {
        (Err(error), Some(expected)) if error.message().contains(expected) => Ok(()),
        (Err(error), _) => Err(error.to_string()),
        (Ok(_), Some(expected)) => Err(format!("runs, but must fail with `{expected}`")),
        (Ok(_), None) => {
            let tolerance = case["tolerance"].as_f64().unwrap_or_default();
            for (index, (arg, recorded)) in args.iter().zip(recorded).enumerate() {
                let expected = elements(&recorded["after"]);
                for (at, (got, expected)) in numbers(arg).into_iter().zip(expected).enumerate() {
                    let close = (got - expected).abs() <= tolerance * expected.abs().max(1.0);
                    if got != expected && !close && !(got.is_nan() && expected.is_nan()) {
                        return Err(format!("argument {index}, element {at}: expected {expected}, got {got}"));
                    }
                }
            }
            Ok(())
        }
    }
}

#[test]
fn programs_compute_what_compiled_code_computes() {
    let file = json_fixture("loop_programs.records.gz");
    let cases = file.as_array().expect("a list of cases");
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| check(case).err().map(|problem| format!("{}: {problem}", text(case, "name"))))
        .collect();
    report(&wrong, cases.len());
}

/// A random integer expression over `i` and `j`, as script text, with its value for given variables. Divisors are positive
/// constants or sums that are never 0.
enum Index {
    I,
    J,
    Constant(i64),
    Operation(&'static str, Box<Index>, Box<Index>),
    /// The second if the first is less than the third, else the fourth.
    Choice(Box<[Index; 4]>),
}

impl Index {
    fn random(random: &mut Rng, depth: usize) -> Index {
        if depth == 0 || random.usize(..6) == 0 {
            return match random.usize(..3) {
                0 => Index::I,
                1 => Index::J,
                _ => Index::Constant(random.i64(-7..20)),
            };
        }
        let mut part = || Box::new(Index::random(random, depth - 1));
        let (a, b) = (part(), part());
        match random.usize(..10) {
            0 => {
                let parts = [(); 4].map(|()| Index::random(random, depth - 1));
                Index::Choice(Box::new(parts))
            }
            1 => Index::Operation("//", a, Box::new(Index::Constant(random.i64(1..9)))),
            2 => Index::Operation("%", a, Box::new(Index::Constant(random.i64(1..9)))),
            3 => Index::Operation("*", a, Box::new(Index::Constant(random.i64(-3..4)))),
            4 => Index::Operation("*", a, Box::new(Index::I)),
            5 => Index::Operation("T.min", a, b),
            6 => Index::Operation("T.max", a, b),
            7 => Index::Operation("-", a, b),
            _ => Index::Operation("+", a, b),
        }
    }

    fn value(&self, i: i64, j: i64) -> i64 {
        match self {
            Index::I => i,
            Index::J => j,
            Index::Constant(value) => *value,
            Index::Operation(operation, a, b) => {
                let (a, b) = (a.value(i, j), b.value(i, j));
                match *operation {
                    "+" => a.wrapping_add(b),
                    "-" => a.wrapping_sub(b),
                    "*" => a.wrapping_mul(b),
                    "//" => a.div_euclid(b),
                    "%" => a.rem_euclid(b),
                    "T.min" => a.min(b),
                    _ => a.max(b),
                }
            }
            Index::Choice(parts) => {
                let [a, yes, b, no] = [0, 1, 2, 3].map(|part| parts[part].value(i, j));
                if a < b { yes } else { no }
            }
        }
    }

    fn write(&self, text: &mut String) {
        match self {
            Index::I => text.push('i'),
            Index::J => text.push('j'),
            Index::Constant(value) => _ = write!(text, "T.int64({value})"),
            Index::Operation(operation, a, b) => {
                let is_function = operation.starts_with("T.");
                text.push_str(if is_function { operation } else { "" });
                text.push('(');
                a.write(text);
                text.push_str(if is_function { ", " } else { operation });
                b.write(text);
                text.push(')');
            }
            Index::Choice(parts) => {
                text.push_str("T.if_then_else(");
                parts[0].write(text);
                text.push_str(" < ");
                parts[2].write(text);
                text.push_str(", ");
                parts[1].write(text);
                text.push_str(", ");
                parts[3].write(text);
                text.push(')');
            }
        }
    }
}

#[test]
fn index_arithmetic_agrees_with_a_direct_evaluator() {
    let cases: u64 = object_tests::setting("LOOP_PROGRAM_CASES", 40);
    for seed in 0..cases {
        let mut random = Rng::with_seed(seed);
        // Few iterations of the inner loop run by instructions, many by columns.
        let (rows, columns) = if seed % 2 == 0 { (20, 4) } else { (4, 300) };
        let value = Index::random(&mut random, 4);
        let place = Index::random(&mut random, 3);
        let (mut value_text, mut place_text) = (String::new(), String::new());
        value.write(&mut value_text);
        place.write(&mut place_text);
        // The first store writes values in their order. The second one writes to computed places, in the order of iterations.
        let source = format!(
            "{HEADER}def f(A: T.Buffer(({rows}, {columns}), \"int64\"), B: T.Buffer((64,), \"int64\")):\n    \
             for i, j in T.grid(T.int64({rows}), T.int64({columns})):\n        A[i, j] = {value_text}\n        \
             B[({place_text}) % T.int64(64)] = i * T.int64({columns}) + j\n"
        );
        let meter = Meter::unlimited();
        let a = Tensor::zeros("int64".parse().expect("a type"), &[rows, columns], &meter).expect("a tensor");
        let b = Tensor::zeros("int64".parse().expect("a type"), &[64], &meter).expect("a tensor");
        let result = evaluator(&source, 2).run("main", [a.clone(), b.clone()]);
        result.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        let mut expected = vec![0; 64];
        for i in 0..rows {
            for j in 0..columns {
                let got = a.read::<i64>().expect("elements")[usize::try_from(i * columns + j).expect("an index")];
                assert_eq!(got, value.value(i, j), "seed {seed} at ({i}, {j})\n{source}");
                expected[usize::try_from(place.value(i, j).rem_euclid(64)).expect("an index")] = i * columns + j;
            }
        }
        assert_eq!(b.read::<i64>().expect("elements").to_vec(), expected, "seed {seed}\n{source}");
    }
}

fn zeros(size: i64) -> Tensor {
    Tensor::zeros("float32".parse().expect("a type"), &[size], &Meter::unlimited()).expect("a tensor")
}

#[test]
fn steps_count_the_iterations_of_every_kind_of_loop() {
    let body = "def f(A: T.Buffer((2000,), \"float32\")):\n    for i in range(2000):\n        A[i] = T.float32(1)\n";
    let endless =
        "def f(A: T.Buffer((2000,), \"float32\")):\n    while A[0] == T.float32(0):\n        A[1] = T.float32(1)\n";
    for (source, steps, is_enough) in [(body, 1000, false), (body, 3000, true), (endless, 100_000, false)] {
        let source = format!("{HEADER}{source}");
        let result = evaluator(&source, 1).max_steps(steps).run("main", [zeros(2000)]);
        match result {
            Ok(_) => assert!(is_enough, "{source}"),
            Err(error) => assert!(!is_enough && error.kind() == ErrorKind::LimitExceeded, "{error}"),
        }
    }
    let flag = Arc::new(AtomicBool::new(true));
    let source = format!("{HEADER}{endless}");
    let error = evaluator(&source, 1).cancelled_by(flag).run("main", [zeros(2000)]).map(|it| it.to_string());
    assert!(error.expect_err("the run is cancelled").message().contains("cancelled"));
}

#[test]
fn allocations_count_as_memory() {
    let source = format!(
        "{HEADER}def f(A: T.Buffer((4,), \"float32\")):\n    B = T.alloc_buffer((100000,), \"float32\")\n    \
         B[0] = T.float32(1)\n    A[0] = B[0] + B[1]\n"
    );
    let arg = zeros(4);
    assert!(evaluator(&source, 1).meter(&Meter::with_limit(1_000_000)).run("main", [arg.clone()]).is_ok());
    assert_eq!(numbers(&arg)[0], 1.0);
    let error = evaluator(&source, 1).meter(&Meter::with_limit(100_000)).run("main", [arg]).map(|it| it.to_string());
    assert_eq!(error.expect_err("too much").kind(), ErrorKind::LimitExceeded);
}

#[test]
fn columns_count_as_memory() {
    let source = format!(
        "{HEADER}def f(A: T.Buffer((2000,), \"float32\")):\n    for i in range(2000):\n        A[i] = T.exp(A[i]) + T.sqrt(A[i])\n"
    );
    let meter = Meter::with_limit(100_000);
    assert!(evaluator(&source, 1).meter(&meter).run("main", [zeros(2000)]).is_ok());
    assert_eq!(meter.live(), 0, "the columns that a program keeps count during a run");
    let error = evaluator(&source, 1).meter(&Meter::with_limit(5000)).run("main", [zeros(2000)]);
    assert_eq!(error.map(|it| it.to_string()).expect_err("too much").kind(), ErrorKind::LimitExceeded);
}

#[test]
fn arguments_in_one_memory_alias() {
    // `B` begins one element after `A`, so each iteration reads what the one before has written.
    let source = format!(
        "{HEADER}def f(A: T.Buffer((30,), \"float32\"), B: T.Buffer((30,), \"float32\")):\n    for i in range(30):\n        \
         B[i] = A[i] + T.float32(1)\n"
    );
    let all = zeros(31);
    let part = |begin: usize| Tensor::in_storage(all.storage(), begin * 4, all.dtype(), &[30]).expect("it fits");
    evaluator(&source, 2).run("main", [part(0), part(1)]).expect("a result");
    let expected: Vec<f64> = (0..31).map(f64::from).collect();
    assert_eq!(numbers(&all), expected);
}

#[test]
fn deep_programs_are_results_or_errors() {
    for depth in [1_000, 50_000] {
        let result = in_small_stack(move || {
            let chain = deep_program(depth);
            let arg = zeros(30);
            let result = Evaluator::new(&module_of(chain, 1)).run("main", [arg.clone()]);
            result.map(|_| numbers(&arg)[3]).map_err(|error| error.kind())
        });
        let expected = if depth == 1_000 { Ok(depth as f64) } else { Err(ErrorKind::LimitExceeded) };
        assert_eq!(result, expected, "{depth}");
    }
}

/// A program that adds 1 so many times in one expression.
fn deep_program(depth: usize) -> PrimFunc {
    use object_ir::ir::{FloatImm, PrimExpr};
    use object_ir::tir::{self, BufferStore, For};
    let source = format!(
        "{HEADER}def f(A: T.Buffer((30,), \"float32\")):\n    for i in range(30):\n        A[i] = A[i] + T.float32(1)\n"
    );
    let mut program = program(&source).expect("a program");
    let dtype = DataType::float(32);
    let mut for_loop = program.body.downcast_ref::<For>().expect("a loop").clone();
    let mut store = for_loop.body.downcast_ref::<BufferStore>().expect("a store").clone();
    let one: PrimExpr = FloatImm::new(dtype, 1.0).into();
    let mut sum = store.value.clone();
    for _ in 1..depth {
        sum = tir::Add::new(dtype, sum, &one).into();
    }
    store.make_mut().value = sum;
    for_loop.make_mut().body = store.into();
    program.make_mut().body = for_loop.into();
    program
}

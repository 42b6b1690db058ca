//! The law of operators that call loop programs: the value of a call has its `out_sinfo`, over symbolic dimensions, for random
//! arguments, results and results in place. `CALLED_PROGRAMS` is the number of calls.

use fastrand::Rng;
use object_core::Any;
use object_eval::{Evaluator, Inputs, Value};
use object_ir::ir::IRModule;
use object_script::parse::parse;

/// A call with its loop program.
struct Called {
    shapes: Vec<&'static str>,
    dtypes: Vec<&'static str>,
    arguments: usize,
    /// For each result the argument in whose place it is, or -1.
    places: Vec<i64>,
}

const SHAPES: [&str; 4] = ["(n, 2)", "(m,)", "(3,)", "(n * 2, m)"];
const DTYPES: [&str; 6] = ["float32", "int64", "bool", "uint8", "bfloat16", "int4"];

impl Called {
    fn draw(random: &mut Rng) -> Self {
        let (arguments, results) = (random.usize(1..4), random.usize(1..4));
        let mut free: Vec<i64> = (0..arguments as i64).collect();
        random.shuffle(&mut free);
        let mut place = || if random.bool() { free.pop().unwrap_or(-1) } else { -1 };
        let places: Vec<i64> = (0..results).map(|_| place()).collect();
        let mut shapes: Vec<_> = (0..arguments + results).map(|_| SHAPES[random.usize(..4)]).collect();
        let mut dtypes: Vec<_> = (0..arguments + results).map(|_| DTYPES[random.usize(..6)]).collect();
        // The first arguments bind the dimensions.
        (shapes[0], dtypes[0]) = ("(n, 2)", "float32");
        for (result, place) in places.iter().enumerate().filter(|(_, place)| **place >= 0) {
            let place = usize::try_from(*place).expect("an argument");
            (shapes[arguments + result], dtypes[arguments + result]) = (shapes[place], dtypes[place]);
        }
        Called { shapes, dtypes, arguments, places }
    }

    fn info(&self, index: usize) -> String {
        format!("R.Tensor({}, dtype=\"{}\")", self.shapes[index], self.dtypes[index])
    }

    /// The module, whose loop program writes 1 to all elements of its results.
    fn module(&self, in_place: bool) -> String {
        let fresh = |result: &usize| !in_place || self.places[*result] < 0;
        let results: Vec<usize> = (0..self.places.len()).collect();
        let buffer = |index: usize| format!("x{index}: T.handle");
        let params: Vec<String> = (0..self.arguments)
            .chain(results.iter().copied().filter(fresh).map(|result| self.arguments + result))
            .map(buffer)
            .collect();
        let matches = |index: usize| {
            let (shape, dtype) = (self.shapes[index], self.dtypes[index]);
            format!("        X{index} = T.match_buffer(x{index}, {shape}, \"{dtype}\")\n")
        };
        let fills = |result: &usize| {
            let place = usize::try_from(self.places[*result]).ok().filter(|_| in_place);
            let index = place.unwrap_or(self.arguments + result);
            let extents: Vec<&str> = self.shapes[index].trim_matches(['(', ')', ',']).split(", ").collect();
            let axes = if extents.len() == 2 { "i, j" } else { "i" };
            let one = if self.dtypes[index] == "bool" {
                "T.bool(True)".to_owned()
            } else {
                format!("T.Cast(\"{}\", 1)", self.dtypes[index])
            };
            format!("        for {axes} in T.grid({}):\n            X{index}[{axes}] = {one}\n", extents.join(", "))
        };
        let given: Vec<String> = (0..self.arguments).map(|index| format!("a{index}: {}", self.info(index))).collect();
        let args: Vec<String> = (0..self.arguments).map(|index| format!("a{index}")).collect();
        let infos: Vec<String> = results.iter().map(|result| self.info(self.arguments + result)).collect();
        let infos = infos.join(", ");
        let (operator, option) = if in_place {
            ("call_tir_inplace", format!(", inplace_indices={:?}", self.places))
        } else {
            ("call_tir", String::new())
        };
        let outs = if self.places.len() == 1 { infos.clone() } else { format!("R.Tuple({infos})") };
        format!(
            "from tvm.script import ir as I, relax as R, tirx as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func(s_tir=True)\n    \
             def f({}):\n        n = T.int64()\n        m = T.int64()\n{}{}\n    @R.function\n    def main(k: R.Shape([\"n\", \"m\"]), {}) -> {outs}:\n        \
             n = T.int64()\n        m = T.int64()\n        cls = Module\n        y: {outs} = R.{operator}(cls.f, ({},), \
             out_sinfo=[{infos}]{option})\n        return y\n",
            params.join(", "),
            (0..self.arguments)
                .chain(results.iter().copied().filter(fresh).map(|it| self.arguments + it))
                .map(matches)
                .collect::<String>(),
            results.iter().map(fills).collect::<String>(),
            given.join(", "),
            args.join(", "),
        )
    }
}

/// Whether all elements of the tensors in a value are 1.
fn is_ones(value: &Any) -> bool {
    match Value::of(value) {
        Value::Tensor(tensor) => tensor.floats(tensor_meter()).expect("numbers").iter().all(|number| *number == 1.0),
        Value::Tuple(members) => members.iter().all(|member| is_ones(&member.to_any())),
        _ => false,
    }
}

fn tensor_meter() -> &'static object_eval::Meter {
    static METER: std::sync::OnceLock<object_eval::Meter> = std::sync::OnceLock::new();
    METER.get_or_init(object_eval::Meter::unlimited)
}

#[test]
fn values_of_called_programs_have_their_information() {
    let count = object_tests::setting("CALLED_PROGRAMS", 20);
    let mut random = Rng::with_seed(5);
    for number in 0..count {
        let called = Called::draw(&mut random);
        for in_place in [false, true] {
            let text = called.module(in_place);
            let module: IRModule =
                parse(&text).unwrap_or_else(|errors| panic!("{errors}\n{text}")).cast().expect("a module");
            let evaluator = Evaluator::new(&module);
            let parameters = evaluator.parameters("main").expect("a function");
            let mut inputs = Inputs::new(number).dim("n", random.i64(0..4)).dim("m", random.i64(0..4));
            let args = inputs.arguments(&parameters, &[]).expect("arguments");
            let before: Vec<String> = args.iter().map(shown).collect();
            // The run checks the value against the annotations of the binding and of the function.
            let value = evaluator.run("main", args.clone()).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert!(is_ones(&value), "{}\n{text}", shown(&value));
            assert_eq!(args.iter().map(shown).collect::<Vec<_>>(), before, "the arguments stay\n{text}");
        }
    }
}

fn shown(value: &Any) -> String {
    object_eval::value_text(value, tensor_meter()).expect("a text")
}

//! Loops by columns against the same loops by instructions, on random nests: strides with and without collisions, extents 0
//! and 1, buffers that share memory, reductions, conditions, and errors in the middle.

use std::fmt::Write as _;

use fastrand::Rng;
use object_core::prelude::*;
use object_core::rewrite::mutate;
use object_eval::{Evaluator, Meter, Tensor};
use object_ir::ir::{IntImm, PrimExpr};
use object_ir::tir::{For, PrimFunc};

use crate::loop_programs::{module_of, program};

/// The elements of the memory that all buffers but the indices lie in.
const MEMORY: i64 = 2000;

const VARS: [&str; 4] = ["i", "j", "k", "l"];

/// An index: an offset, and a coefficient for each loop.
#[derive(Clone)]
struct Affine {
    offset: i64,
    coefficients: Vec<i64>,
}

/// A random nest of loops.
struct Nest {
    random: Rng,
    /// The first value and the end of each loop.
    ranges: Vec<(i64, i64)>,
    /// The extents of the buffers `A`, `B`, `C` and `D`.
    sizes: [i64; 4],
}

impl Nest {
    fn new(mut random: Rng) -> Self {
        let rank = random.usize(2..=4);
        let mut ranges = Vec::new();
        for _ in 0..rank {
            let extents = [1, 2, 3, 4, 7, 9, 16, 33];
            let extent = if random.u8(..30) == 0 { 0 } else { extents[random.usize(..extents.len())] };
            let begin = if random.u8(..5) == 0 { random.i64(-3..4) } else { 0 };
            ranges.push((begin, begin + extent));
        }
        while ranges.iter().map(|(begin, end)| end - begin).product::<i64>() > 1200 {
            ranges.pop();
        }
        Nest { random, ranges, sizes: [1; 4] }
    }

    /// An index into a buffer. The buffer gets the extent that the index needs, rarely one less.
    fn index(&mut self, buffer: usize, is_store: bool) -> Affine {
        let rank = self.ranges.len();
        let mut order: Vec<usize> = (0..rank).collect();
        if self.random.bool() {
            self.random.shuffle(&mut order);
        }
        // A store whose index may lack loops, but has no collisions of the others.
        let is_clean = is_store && self.random.u8(..4) != 0;
        let (mut coefficients, mut stride) = (vec![0; rank], if self.random.u8(..4) == 0 { 2 } else { 1 });
        for number in order {
            let size = (self.ranges[number].1 - self.ranges[number].0).max(1);
            match self.random.u8(..if is_clean { 3 } else { 8 }) {
                0 if is_clean => {}
                0 => coefficients[number] = self.random.i64(-2..4),
                1 | 2 if !is_clean => {}
                3 if !is_clean => {
                    coefficients[number] = -stride;
                    stride *= size;
                }
                _ => {
                    coefficients[number] = stride;
                    stride *= size;
                }
            }
        }
        let mut index = Affine { offset: 0, coefficients };
        let (least, most) = self.bounds(&index);
        index.offset = -least + if self.random.u8(..4) == 0 { self.random.i64(0..5) } else { 0 };
        let size = most + index.offset + 1 - i64::from(self.random.u8(..60) == 0);
        self.sizes[buffer] = self.sizes[buffer].max(size).clamp(1, MEMORY);
        index
    }

    fn bounds(&self, index: &Affine) -> (i64, i64) {
        let ends = |(range, coefficient): (&(i64, i64), &i64)| {
            let (a, b) = (coefficient * range.0, coefficient * (range.1 - 1).max(range.0));
            (a.min(b), a.max(b))
        };
        let sum = |a: (i64, i64), b: (i64, i64)| (a.0 + b.0, a.1 + b.1);
        self.ranges.iter().zip(&index.coefficients).map(ends).fold((index.offset, index.offset), sum)
    }

    fn load(&mut self, buffer: usize) -> String {
        let index = self.index(buffer, false).text("");
        format!("{}[{index}]", ["A", "B", "C", "D"][buffer])
    }

    /// The lines of a loop program over buffers of a type. `I` has indices, some of them out of bounds.
    fn body(&mut self, dtype: &str) -> Vec<String> {
        let store = self.index(2, true);
        let place = format!("C[{}]", store.text(""));
        let (a, b) = (self.load(0), self.load(1));
        let value = match self.random.u8(..4) {
            0 => a.clone(),
            1 => format!("{a} + {b}"),
            _ => format!("{a} * {b}"),
        };
        let combined = |place: &str, random: &mut Rng| match random.u8(..5) {
            0 => format!("{value} + {place}"),
            1 => format!("T.max({place}, {value})"),
            2 => format!("T.min({value}, {place})"),
            _ => format!("{place} + {value}"),
        };
        let (first, second) = (VARS[0], VARS[1.min(self.ranges.len() - 1)]);
        match self.random.u8(..12) {
            0 | 1 => vec![format!("{place} = {value}")],
            2 | 3 => vec![format!("{place} = {}", combined(&place, &mut self.random))],
            4..8 => {
                let mut lines = vec!["with T.sblock(\"b\"):".to_owned()];
                for (number, (begin, end)) in self.ranges.iter().enumerate() {
                    let kind = if store.coefficients[number] == 0 { "reduce" } else { "spatial" };
                    // The domain begins at 0, so a loop that begins later does not initialize.
                    lines.push(format!(
                        "    v{0} = T.axis.{kind}(T.int64({1}), {0})",
                        VARS[number],
                        (end - begin).max(1)
                    ));
                }
                let place = format!("C[{}]", store.text("v"));
                lines.push("    with T.init():".to_owned());
                lines.push(format!("        {place} = T.{dtype}(2)"));
                lines.push(format!("    {place} = {}", combined(&place, &mut self.random)));
                lines
            }
            8 => {
                let other = format!("D[{}]", self.index(3, true).text(""));
                let read = if self.random.bool() { place.clone() } else { self.load(2) };
                vec![format!("{place} = {value}"), format!("{other} = {read} + {a}")]
            }
            9 => vec![
                format!("if {first} + {second} < T.int64({}):", self.random.i64(0..12)),
                format!("    {place} = {value}"),
            ],
            10 => vec![format!("{place} = A[I[({first} * T.int64(5) + {second}) % T.int64(64)]]")],
            _ => {
                let divisor = self.random.i64(-2..40);
                vec![format!(
                    "{place} = A[(({first} + T.int64(40)) // ({second} - T.int64({divisor}))) % T.int64({})]",
                    self.sizes[0]
                )]
            }
        }
    }

    fn source(&mut self, dtype: &str) -> String {
        let body = self.body(dtype);
        let mut text = "# from tvm.script import tirx as T\n@T.prim_func(s_tir=True)\ndef f(".to_owned();
        for (name, size) in ["A", "B", "C", "D"].iter().zip(self.sizes) {
            _ = write!(text, "{name}: T.Buffer(({size},), \"{dtype}\"), ");
        }
        text.push_str("I: T.Buffer((64,), \"int64\")):\n");
        let mut indent = "    ".to_owned();
        for (var, (begin, end)) in VARS.iter().zip(&self.ranges) {
            _ = writeln!(text, "{indent}for {var} in range(T.int64({begin}), T.int64({end})):");
            indent.push_str("    ");
        }
        body.iter().for_each(|line| _ = writeln!(text, "{indent}{line}"));
        text
    }
}

impl Affine {
    /// The index, with a prefix before each variable.
    fn text(&self, prefix: &str) -> String {
        let mut text = format!("T.int64({})", self.offset);
        for (var, coefficient) in VARS.iter().zip(&self.coefficients).filter(|(_, it)| **it != 0) {
            _ = write!(text, " + {prefix}{var} * T.int64({coefficient})");
        }
        text
    }
}

/// The program with an explicit step in each loop. Such a loop runs by instructions.
fn by_instructions(program: &PrimFunc) -> PrimFunc {
    let one: PrimExpr = IntImm::new(DataType::int(64), 1).into();
    let stepped = mutate(program.clone(), |it: &For, _| {
        let mut it = it.clone();
        it.make_mut().step = Some(one.clone());
        Some(it)
    });
    stepped.expect("a program")
}

/// The bytes of the memory afterwards, or the error.
fn run(evaluator: &Evaluator, args: &[Tensor], memory: &Tensor, steps: u64) -> Result<Vec<u64>, String> {
    let result = evaluator.clone().max_steps(steps).run("main", args.to_vec());
    result.map_err(|error| error.message().to_owned())?;
    let numbers = crate::loop_programs::numbers(memory);
    Ok(numbers.into_iter().map(|it| if it.is_nan() { u64::MAX } else { it.to_bits() }).collect())
}

/// The least budget with which a run succeeds.
fn least_steps(mut succeeds: impl FnMut(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, 100_000);
    while low < high {
        let middle = (low + high) / 2;
        if succeeds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

#[test]
fn nests_by_columns_agree_with_instructions() {
    let cases: u64 = object_tests::setting("LOOP_NEST_CASES", 60);
    let (mut results, mut errors) = (0, 0);
    for seed in 0..cases {
        let mut random = Rng::with_seed(seed);
        let dtype = ["float32", "float16", "float64", "int32", "int8"][random.usize(..5)];
        let is_aliasing = random.u8(..4) == 0;
        let mut nest = Nest::new(random);
        let source = nest.source(dtype);
        let columns = program(&source).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{source}"));
        let evaluators = [by_instructions(&columns), columns].map(|program| Evaluator::new(&module_of(program, 5)));
        let [instructions, columns] = &evaluators;
        let elements: Vec<f64> = (0..4 * MEMORY).map(|_| f64::from(nest.random.i16(-60..60)) / 4.0).collect();
        let places: Vec<i64> = (0..64)
            .map(|_| nest.random.i64(0..nest.sizes[0]) + i64::from(nest.random.u16(..900) == 0) * 9000)
            .collect();
        let begins: Vec<i64> =
            (0..4).map(|buffer| if is_aliasing { nest.random.i64(0..40) } else { buffer * MEMORY }).collect();
        let other_begins: Vec<i64> = (0..4).map(|_| nest.random.i64(0..40)).collect();
        let meter = Meter::unlimited();
        let outcome_at = |evaluator: &Evaluator, steps: u64, begins: &[i64]| {
            let array = ndarray::ArrayD::from_shape_vec(vec![elements.len()], elements.clone()).expect("elements");
            let memory = Tensor::from_floats(dtype.parse().expect("a type"), &array, &meter).expect("a tensor");
            let size = i64::from(memory.dtype().bits / 8);
            let mut args: Vec<Tensor> = begins
                .iter()
                .zip(nest.sizes)
                .map(|(begin, extent)| {
                    let begin = usize::try_from(begin * size).expect("a place");
                    Tensor::in_storage(memory.storage(), begin, memory.dtype(), &[extent]).expect("it fits")
                })
                .collect();
            args.push(Tensor::from_elements::<i64>(&[64], places.clone(), &meter).expect("a tensor"));
            run(evaluator, &args, &memory, steps)
        };
        // A call with other memory, so that a plan that it leaves does not serve the next call.
        if seed % 3 == 0 {
            let others = evaluators.each_ref().map(|evaluator| outcome_at(evaluator, 1_000_000, &other_begins));
            assert_eq!(others[1], others[0], "seed {seed} with other memory\n{source}");
        }
        let outcome = |evaluator: &Evaluator, steps: u64| outcome_at(evaluator, steps, &begins);
        let (given, expected) = (outcome(columns, 1_000_000), outcome(instructions, 1_000_000));
        assert_eq!(given, expected, "seed {seed}\n{source}");
        if expected.is_err() {
            errors += 1;
            continue;
        }
        results += 1;
        if seed % 8 == 0 {
            let needed = least_steps(|steps| outcome(instructions, steps).is_ok());
            assert!(outcome(columns, needed).is_ok(), "seed {seed}: {needed} steps\n{source}");
            assert!(needed == 0 || outcome(columns, needed - 1).is_err(), "seed {seed}: {needed} steps\n{source}");
        }
    }
    assert!(results > cases / 2 && errors > cases / 50, "{results} results, {errors} errors");
}

/// A program over buffers of any number of rows, with indices by divisions, indices under conditions, and sums.
const ROWS: &str = "# from tvm.script import tirx as T
@T.prim_func(s_tir=True)
def f(a: T.handle, b: T.handle, c: T.handle, d: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n, T.int64(6)))
    B = T.match_buffer(b, (T.int64(6), n))
    C = T.match_buffer(c, (n + T.int64(1), T.int64(2), T.int64(3)))
    D = T.match_buffer(d, (n, n))
    for i, j, k in T.grid(n + T.int64(1), T.int64(2), T.int64(3)):
        C[i, j, k] = T.if_then_else(i < n, A[(i * T.int64(6) + j * T.int64(3) + k) // T.int64(6) % n,
            (j * T.int64(3) + k) % T.int64(6)], B[j * T.int64(3) + k, i - T.int64(1)])
    for i, j, k in T.grid(n, n, T.int64(6)):
        with T.sblock(\"b\"):
            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])
            with T.init():
                D[vi, vj] = T.float32(0)
            D[vi, vj] = D[vi, vj] + A[vi, vk] * B[vk, vj]
";

#[test]
fn calls_with_other_extents_get_new_plans() {
    let columns = program(ROWS).expect("a program");
    let [instructions, columns] =
        [by_instructions(&columns), columns].map(|program| Evaluator::new(&module_of(program, 4)));
    let meter = Meter::unlimited();
    for n in [3, 17, 3, 1, 40, 2, 3, 90, 5, 17] {
        let outcome = |evaluator: &Evaluator| {
            let shapes = [vec![n, 6], vec![6, n], vec![n + 1, 2, 3], vec![n, n]];
            let tensors = shapes.map(|shape| {
                let elements = (0..shape.iter().product::<i64>()).map(|it| (it * 37 % 101) as f32 / 7.0);
                Tensor::from_elements::<f32>(&shape, elements, &meter).expect("a tensor")
            });
            evaluator.run("main", tensors.to_vec()).expect("a run");
            tensors.map(|tensor| tensor.bytes())
        };
        assert_eq!(outcome(&columns), outcome(&instructions), "{n} rows");
    }
}

/// Nests that only copy elements: in another order, by divisions, again and again, in reverse, and to a part of a buffer.
const COPIES: &str = "# from tvm.script import tirx as T
@T.prim_func(s_tir=True)
def f(a: T.handle, b: T.handle, c: T.handle, d: T.handle, e: T.handle):
    n = T.int64()
    A = T.match_buffer(a, (n, T.int64(11)), \"TYPE\")
    B = T.match_buffer(b, (T.int64(11), n), \"TYPE\")
    C = T.match_buffer(c, (n * T.int64(11),), \"TYPE\")
    D = T.match_buffer(d, (n, T.int64(3), T.int64(11)), \"TYPE\")
    E = T.match_buffer(e, (n + T.int64(2), T.int64(13)), \"TYPE\")
    for i, j in T.grid(T.int64(11), n):
        B[i, j] = A[j, i]
    for i in range(n * T.int64(11)):
        C[i] = A[i // T.int64(11), i % T.int64(11)]
    for i, j, k in T.grid(n, T.int64(3), T.int64(11)):
        D[i, j, k] = A[i, k]
    for i, j in T.grid(n, T.int64(11)):
        E[i + T.int64(1), j + T.int64(2)] = A[n - T.int64(1) - i, T.int64(10) - j]
    for i in range(T.int64(13)):
        E[T.int64(0), i] = C[i % T.int64(5)]
";

#[test]
fn copies_agree_with_instructions() {
    for dtype in ["float32", "int8", "uint16", "int64", "bool", "float16"] {
        let columns = program(&COPIES.replace("TYPE", dtype)).expect("a program");
        let evaluators = [by_instructions(&columns), columns].map(|program| Evaluator::new(&module_of(program, 5)));
        let meter = Meter::unlimited();
        for n in [1, 4, 16, 16, 19, 70] {
            let outcome = |evaluator: &Evaluator| {
                let shapes = [vec![n, 11], vec![11, n], vec![n * 11], vec![n, 3, 11], vec![n + 2, 13]];
                let tensors = shapes.map(|shape| {
                    let count = shape.iter().product::<usize>();
                    let numbers = (0..count).map(|it| (it * 37 % 101) as f64).collect();
                    let array = ndarray::ArrayD::from_shape_vec(shape, numbers).expect("as many elements");
                    Tensor::from_floats(dtype.parse().expect("a type"), &array, &meter).expect("a tensor")
                });
                evaluator.run("main", tensors.to_vec()).expect("a run");
                tensors.map(|tensor| tensor.bytes())
            };
            let [expected, given] = evaluators.each_ref().map(outcome);
            assert_eq!(given, expected, "{n} rows of {dtype}");
        }
    }
}

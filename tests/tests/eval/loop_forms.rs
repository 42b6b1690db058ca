//! Parts of loop programs that compiled code for the CPU does not have, or that scripts cannot write: threads, facts about
//! tensors, addresses, reductions as expressions, shuffles, floored divisions of floating-point numbers; and the errors of
//! parts without a meaning. Each program gets `A` and writes `B`.

use object_core::prelude::*;
use object_core::rewrite::mutate;
use object_eval::{Evaluator, Meter, Tensor};
use object_ir::ir::{IRModule, PrimExpr};
use object_ir::tir;
use object_script::parse::parse;

const MAIN: &str = r#"from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Module
        y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((8,), dtype="float32"))
        return y

    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
"#;

/// The elements of `A`.
const GIVEN: [f32; 8] = [1.0, 2.0, 3.0, 4.0, -5.0, 6.0, -7.0, 8.0];

fn module(body: &str) -> IRModule {
    module_with(body, "")
}

/// A module with further functions, whose lines have their indentation.
fn module_with(body: &str, functions: &str) -> IRModule {
    let lines: String = body.trim_matches('\n').lines().map(|line| format!("        {line}\n")).collect();
    let module = parse(&format!("{MAIN}{lines}{functions}")).unwrap_or_else(|errors| panic!("{errors}\n{body}"));
    module.cast().expect("a module")
}

fn run(module: &IRModule) -> Result<Vec<f32>, Error> {
    let x = Tensor::from_elements::<f32>(&[8], GIVEN, &Meter::unlimited()).expect("a tensor");
    let y: Tensor = Evaluator::new(module).run("main", [x])?.cast()?;
    Ok(y.read::<f32>()?.to_vec())
}

/// The name of a case, the body of the loop program, and the elements of `B` afterwards.
const RESULTS: &[(&str, &str, [f32; 8])] = &[
    (
        "attributes that launch threads",
        r#"
bx = T.launch_thread("blockIdx.x", 2)
tx = T.launch_thread("threadIdx.x", 4)
B[bx * 4 + tx] = A[bx * 4 + tx] + T.Cast("float32", bx)
"#,
        [1.0, 2.0, 3.0, 4.0, -4.0, 7.0, -6.0, 9.0],
    ),
    (
        "loops over threads",
        r#"
for b in T.thread_binding(2, thread="blockIdx.x"):
    for t in T.thread_binding(4, thread="threadIdx.x"):
        B[b * 4 + t] = A[b * 4 + t] + T.Cast("float32", b)
"#,
        [1.0, 2.0, 3.0, 4.0, -4.0, 7.0, -6.0, 9.0],
    ),
    (
        "the address of an element",
        r#"
p: T.let[T.handle("float32")] = T.address_of(A[2])
C = T.decl_buffer((6,), "float32", data=p)
for i in range(6):
    B[i] = C[i]
B[6] = T.float32(0)
B[7] = T.float32(0)
"#,
        [3.0, 4.0, -5.0, 6.0, -7.0, 8.0, 0.0, 0.0],
    ),
    (
        "an address for writes",
        r#"
p: T.let[T.handle("float32")] = T.tvm_access_ptr(T.type_annotation("float32"), B.data, 2, 6, 2)
C = T.decl_buffer((6,), "float32", data=p)
for i in range(6):
    C[i] = A[i]
B[0] = T.float32(0)
B[1] = T.float32(0)
"#,
        [0.0, 0.0, 1.0, 2.0, 3.0, 4.0, -5.0, 6.0],
    ),
    (
        "an address in bytes",
        r#"
p: T.let[T.handle("float32")] = T.handle_add_byte_offset(A.data, 16)
C = T.decl_buffer((4,), "float32", data=p)
for i in range(8):
    B[i] = C[i % 4]
"#,
        [-5.0, 6.0, -7.0, 8.0, -5.0, 6.0, -7.0, 8.0],
    ),
    (
        "a sum over an axis under a condition",
        r#"
k = T.int32()
for i in range(8):
    B[i] = T.reduce(
        T.comm_reducer(lambda x, y: x + y, [T.float32(0)]), [A[k] * A[i]], [],
        [T.iter_var(k, T.Range(2, 8), "CommReduce", "")], k != i, 0
    )
"#,
        [9.0, 18.0, 18.0, 20.0, -70.0, 18.0, -112.0, 8.0],
    ),
    (
        "the first of two results, which need each other",
        r#"
k = T.int32()
for i in range(8):
    B[i] = T.Cast("float32", T.reduce(
        T.comm_reducer(
            lambda p0, v0, p1, v1: (T.Select(v0 >= v1, p0, p1), T.Select(v0 >= v1, v0, v1)),
            [T.int32(-1), T.float32(-100)]
        ),
        [k, A[k]], [], [T.iter_var(k, T.Range(0, 7), "CommReduce", "")], T.bool(True), 0
    ))
"#,
        [5.0; 8],
    ),
    (
        "iterations that end early",
        r#"
for i in range(8):
    B[i] = T.float32(0)
    if A[i] < T.float32(0):
        continue
    if A[i] > T.float32(6):
        break
    B[i] = A[i]
"#,
        [1.0, 2.0, 3.0, 4.0, 0.0, 6.0, 0.0, 0.0],
    ),
    (
        "lanes of one vector and of two",
        r#"
B[0:4] = T.Shuffle([A[0:4]], [3, 2, 1, 0])
B[4:8] = T.Shuffle([A[0:2], A[6:8]], [2, 0, 3, 1])
"#,
        [4.0, 3.0, 2.0, 1.0, -7.0, 1.0, 8.0, 2.0],
    ),
];

#[test]
fn programs_have_these_results() {
    for (name, body, expected) in RESULTS {
        let given = run(&module(body)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(given, expected, "{name}");
    }
}

/// The name of a case, the body of the loop program, and a part of the error.
const ERRORS: &[(&str, &str, &str)] = &[
    (
        "an access after the end of a memory",
        r#"
p: T.let[T.handle("float32")] = T.address_of(A[2])
C = T.decl_buffer((8,), "float32", data=p)
for i in range(8):
    B[i] = C[i]
"#,
        "the access `C[6]` is out of the bounds",
    ),
    (
        "an address after the end of a memory",
        r#"
p: T.let[T.handle("float32")] = T.tvm_access_ptr(T.type_annotation("float32"), A.data, 9, 1, 1)
C = T.decl_buffer((1,), "float32", data=p)
B[0] = C[0]
"#,
        "an address 36 bytes after the begin of a memory of 32 bytes",
    ),
    ("a lane that no vector has", "B[0:4] = T.Shuffle([A[0:4]], [3, 2, 1, 4])", "no constant index of a lane"),
    (
        "an operation that loop programs lack here",
        "B[0] = T.Cast(\"float32\", T.tvm_context_id())",
        "a call of `tirx.tvm_context_id`",
    ),
    ("a barrier", "T.evaluate(T.tvm_storage_sync(\"shared\"))", "a call of `shared` by `tirx.tvm_storage_sync`"),
];

fn check_error(module: &IRModule, name: &str, expected: &str) {
    let error = run(module).map(|it| format!("{it:?}")).expect_err(name);
    assert!(error.message().contains(expected), "{name}: {error}");
}

#[test]
fn parts_without_a_meaning_are_errors_that_name_them() {
    for (name, body, expected) in ERRORS {
        check_error(&module(body), name, expected);
    }
}

#[test]
fn facts_about_a_tensor_are_the_ones_of_the_argument() {
    // Rank; code, bits and lanes of the data type; offset; number and kind of the device.
    let fields = [(4, "int32"), (5, "uint8"), (6, "uint8"), (7, "uint16"), (8, "uint64"), (9, "int32"), (10, "int32")];
    let stores = fields.iter().enumerate().map(|(place, (field, dtype))| {
        format!("B[{place}] = T.Cast(\"float32\", T.tvm_struct_get(a, 0, {field}, \"{dtype}\"))\n")
    });
    let module = |stores: &str| {
        let handle = MAIN.replace("A: T.Buffer((8,), \"float32\"), B", "a: T.handle, B");
        let lines: String = stores.lines().map(|line| format!("        {line}\n")).collect();
        let text = format!("{handle}        A = T.match_buffer(a, (8,), \"float32\")\n{lines}        B[7] = A[0]\n");
        parse(&text).unwrap_or_else(|errors| panic!("{errors}\n{text}")).cast::<IRModule>().expect("a module")
    };
    let given = run(&module(&stores.collect::<String>())).expect("facts");
    assert_eq!(given, [1.0, 2.0, 32.0, 1.0, 0.0, 0.0, 1.0, 1.0]);
    let unknown = "B[0] = T.Cast(\"float32\", T.tvm_struct_get(a, 0, 1, \"int32\"))\n";
    let error = run(&module(unknown)).expect_err("the field is the address of the shape");
    assert!(error.message().contains("the field 1 of a tensor"), "{error}");
}

#[test]
fn divisions_of_floating_point_numbers_round_down() {
    type Divide = fn(&tir::Add) -> PrimExpr;
    let floor_div: Divide = |it| tir::FloorDiv::new(it.dtype, it.a.clone(), it.b.clone()).into();
    let floor_mod: Divide = |it| tir::FloorMod::new(it.dtype, it.a.clone(), it.b.clone()).into();
    let cases = [
        (floor_div, [0.0, 1.0, 1.0, 2.0, -3.0, 3.0, -4.0, 4.0]),
        (floor_mod, [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]),
    ];
    // The long loop runs by columns, the short ones by instructions.
    let long = "for i in range(8):\n    B[i] = A[i] + T.float32(2)\n";
    let short = "for i in T.unroll(8):\n    for j in range(1):\n        B[i] = A[i] + T.float32(2)\n";
    for (divide, expected) in cases {
        for body in [long, short] {
            let divided = mutate(module(body), |expr: &PrimExpr, _| {
                expr.downcast_ref::<tir::Add>().filter(|add| add.dtype == DataType::float(32)).map(divide)
            });
            assert_eq!(run(&divided.expect("a module")).expect("a result"), expected, "{body}");
        }
    }
}

//! Loop programs that call others of their module. The results are those of TVM 0.25 and 0.27, built for `llvm`.

use object_core::ErrorKind;
use object_eval::{Evaluator, Meter, Tensor};
use object_ir::ir::IRModule;
use object_script::parse::parse;

/// A function that calls the loop program `f`.
const MAIN: &str = r#"from tvm.script import ir as I, relax as R, tirx as T

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((8,), "float32")) -> R.Tensor((8,), "float32"):
        cls = Module
        y = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((8,), dtype="float32"))
        return y
"#;

const SCALE: &str = r#"
    @T.prim_func(private=True, s_tir=True)
    def scale(p: T.handle("float32"), n: T.int32, by: T.float32):
        P = T.decl_buffer((8,), "float32", data=p)
        for i in range(n):
            P[i] = P[i] * by
"#;

/// The module with the loop program `f`, whose body copies `A` to `B` and then runs `body`, and with further functions.
fn module(functions: &str, body: &str) -> IRModule {
    let lines: String = body.trim_matches('\n').lines().map(|line| format!("        {line}\n")).collect();
    let f = format!(
        "\n    @T.prim_func(s_tir=True)\n    def f(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n        \
         for i in range(8):\n            B[i] = A[i]\n{lines}"
    );
    let text = format!("{MAIN}{functions}{f}");
    parse(&text).unwrap_or_else(|errors| panic!("{errors}\n{text}")).cast().expect("a module")
}

fn run(module: &IRModule, given: [f32; 8]) -> Result<Vec<f32>, object_core::Error> {
    let x = Tensor::from_elements::<f32>(&[8], given, &Meter::unlimited()).expect("a tensor");
    let y: Tensor = Evaluator::new(module).run("main", [x])?.cast()?;
    Ok(y.read::<f32>()?.to_vec())
}

const GIVEN: [f32; 8] = [1.0, 2.0, 3.0, 4.0, -5.0, 6.0, -7.0, 8.0];

#[test]
fn callees_write_into_memory_of_their_callers() {
    let both = r#"
    @T.prim_func(private=True, s_tir=True)
    def both(p: T.handle("float32"), q: T.handle("float32"), n: T.int32):
        Q = T.decl_buffer((8,), "float32", data=q)
        Module.scale(p, n, T.float32(2))
        Module.scale(T.address_of(Q[n]), 8 - n, T.float32(3))
"#;
    let body = r#"
for k in range(3):
    Module.both(B.data, B.data, k * 2)
Module.scale(B.data, T.Cast("int32", A[1]), A[2])
"#;
    let given = run(&module(&format!("{SCALE}{both}"), body), GIVEN).expect("a result");
    assert_eq!(given, [36.0, 72.0, 54.0, 72.0, -135.0, 162.0, -189.0, 216.0]);
}

#[test]
fn the_end_of_a_callee_is_not_the_end_of_its_caller() {
    let first = r#"
    @T.prim_func(private=True, s_tir=True)
    def first(p: T.handle("float32")):
        P = T.decl_buffer((8,), "float32", data=p)
        for i in range(8):
            if P[i] < T.float32(0):
                P[i] = T.float32(100)
                T.evaluate(T.ret())
"#;
    let given = run(&module(first, "for k in range(2):\n    Module.first(B.data)"), GIVEN).expect("a result");
    assert_eq!(given, [1.0, 2.0, 3.0, 4.0, 100.0, 6.0, 100.0, 8.0]);
}

#[test]
fn callees_that_code_generators_refuse_are_errors() {
    let itself = r#"
    @T.prim_func(private=True, s_tir=True)
    def again(p: T.handle("float32"), n: T.int32):
        Module.again(p, n - 1)
"#;
    let buffers = r#"
    @T.prim_func(private=True, s_tir=True)
    def whole(P: T.Buffer((8,), "float32")):
        P[0] = T.float32(0)
"#;
    let value = r#"
    @T.prim_func(private=True, s_tir=True)
    def value(p: T.handle("float32")):
        T.evaluate(T.ret(1))
"#;
    for (functions, body, kind, part) in [
        (itself, "Module.again(B.data, 3)", ErrorKind::Call, "calls itself"),
        (buffers, "Module.whole(B.data)", ErrorKind::Call, "takes addresses"),
        (value, "Module.value(B.data)", ErrorKind::Call, "returns nothing"),
        (SCALE, "Module.scale(B.data, 1)", ErrorKind::Call, "expected 3 arguments, got 2"),
        (SCALE, "Module.scale(B.data, 1, 2)", ErrorKind::TypeMismatch, "expected an argument of type float32 for `by`"),
        (SCALE, "Module.scale(B.data, 9, T.float32(1))", ErrorKind::OutOfRange, "is out of the bounds"),
    ] {
        let error = run(&module(functions, body), GIVEN).expect_err(part);
        assert!(error.message().contains(part) && error.kind() == kind, "{part}: {:?} {error}", error.kind());
    }
}

/// Each function calls the one before it twice.
#[test]
fn calls_that_double_end_at_a_limit() {
    let mut functions = SCALE.replace("def scale", "def f0");
    for index in 1..40 {
        let call = format!("        Module.f{}(p, n, by)\n", index - 1);
        functions += &format!(
            "\n    @T.prim_func(private=True, s_tir=True)\n    def f{index}(p: T.handle(\"float32\"), n: T.int32, by: \
             T.float32):\n{call}{call}"
        );
    }
    let error = run(&module(&functions, "Module.f39(B.data, 8, T.float32(1))"), GIVEN).expect_err("a limit");
    assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{error}");
    let few = run(&module(&functions, "Module.f3(B.data, 8, T.float32(2))"), GIVEN).expect("a result");
    assert_eq!(few, GIVEN.map(|number| number * 256.0));
}

/// The next numbers as TVM's code computes them, in loops that run by columns and alone.
#[test]
fn next_numbers_are_those_of_the_type() {
    let given = [1.0, 2.0, 3.0, 0.0, -5.0, 0.0, -7.0, 8.0];
    let expected = [0x3f80_0001, 0x3fff_ffff, 0x403f_ffff, 0x8000_0001, 0xc09f_ffff, 0x1, 0xc0df_ffff, 0x40ff_ffff]
        .map(f32::from_bits);
    for body in ["for i in range(8):\n    B[i] = T.nextafter(A[i], A[7 - i])", &unrolled()] {
        assert_eq!(run(&module("", body), given).expect("a result"), expected, "{body}");
    }
    let wide = "for i in range(8):\n    B[i] = T.Cast(\"float32\", (T.nextafter(T.Cast(\"float64\", A[i]), T.float64(9)) - \
                T.Cast(\"float64\", A[i])) * T.float64(4503599627370496.0))";
    let given = run(&module("", wide), [1.0, 2.0, 4.0, 8.0, -1.0, -2.0, -4.0, 1.0]).expect("a result");
    assert_eq!(given, [1.0, 2.0, 4.0, 8.0, 0.5, 1.0, 2.0, 1.0]);
}

fn unrolled() -> String {
    (0..8).map(|index| format!("B[{index}] = T.nextafter(A[{index}], A[{}])\n", 7 - index)).collect()
}

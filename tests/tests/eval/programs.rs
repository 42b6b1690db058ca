//! The semantics of programs: order, aliasing, scopes, closures, checks and entries.

use std::error::Error as _;
use std::sync::{Arc, Mutex};

use object_core::{Any, AnyView, Array, Error, ErrorKind, Function, Shape};
use object_eval::{CallStack, Evaluator, Meter, SHAPE_MISMATCH, Tensor};
use object_ir::ir::IRModule;
use object_script::parse::parse;
use object_tests::notation;

pub(crate) fn module(text: &str) -> IRModule {
    notation::parse(text).unwrap_or_else(|error| panic!("{error}: {text}")).cast().expect("a module")
}

pub(crate) fn vector(elements: &[f32]) -> Any {
    let shape = [i64::try_from(elements.len()).expect("a size")];
    Tensor::from_elements::<f32>(&shape, elements.iter().copied(), &Meter::unlimited()).expect("a tensor").into()
}

fn elements(value: &Any) -> Vec<f32> {
    value.clone().cast::<Tensor>().expect("a tensor").read::<f32>().expect("of float32").to_vec()
}

fn member(tuple: &Any, index: usize) -> Any {
    let members: Array<Any> = tuple.clone().cast().expect("a tuple");
    members.get(index).expect("a member")
}

fn run(text: &str, args: Vec<Any>) -> Result<Any, Error> {
    Evaluator::new(&module(text)).run("main", args)
}

fn fails(text: &str, args: Vec<Any>) -> Error {
    run(text, args).map(|value| value.to_string()).expect_err("the run fails")
}

#[test]
fn bindings_alias_and_constants_do_not() {
    let mutate = Function::from_packed(|args| {
        let tensor: Tensor = args[0].as_object().and_then(|object| object.to_handle()).expect("a tensor");
        tensor.write::<f32>()?[0] = 9.0;
        Ok(Any::None)
    });
    let text = r#"impure fn main(x: T[n]) {
        y = x; t = (x, y); e = relax.exp(x); u = "test.mutate"(y); return (x, t.0, e)
    }"#;
    let evaluator = Evaluator::new(&module(text)).function(&mutate.with_name("test.mutate"));
    let result = evaluator.run("main", [vector(&[0.0, 2.0])]).expect("a result");
    assert_eq!(elements(&member(&result, 0)), [9.0, 2.0]);
    assert_eq!(elements(&member(&result, 1)), [9.0, 2.0], "a member of a tuple is the same tensor");
    assert_eq!(elements(&member(&result, 2))[0], 1.0, "the operator has made a new tensor before the write");
}

#[test]
fn the_callee_and_the_arguments_are_evaluated_from_left_to_right() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let seen = log.clone();
    let note = Function::from_packed(move |args| {
        if let AnyView::Int(number) = args[0] {
            seen.lock().expect("no panic").push(number);
        }
        Ok(args[0].to_any())
    });
    let choose = Function::from_packed(|_| {
        Ok(Function::from_packed(
            |args| Ok(Array::<Any>::from_anys(args.iter().map(|it| it.to_any()).collect()).into()),
        )
        .into())
    });
    let text = r#"impure fn main() {
        r = "t.choose"("t.note"(prim(1)))("t.note"(prim(2)), ("t.note"(prim(3)), "t.note"(prim(4))), "t.note"(prim(5)));
        return r
    }"#;
    let evaluator =
        Evaluator::new(&module(text)).function(&note.with_name("t.note")).function(&choose.with_name("t.choose"));
    evaluator.run("main", Vec::<Any>::new()).expect("a result");
    assert_eq!(*log.lock().expect("no panic"), [1, 2, 3, 4, 5]);
}

#[test]
fn closures_capture_values_and_shape_variables_and_themselves() {
    let text = "fn main(x: T[n], k: P(i64)) {
        f = fn (i: P(i64)) -> Obj {
            stop = relax.less_equal(i, prim(0));
            r = if stop { return shape[n] } else { j = relax.subtract(i, prim(1)); t = f(j); u = x; return t };
            return r
        };
        g = fn (h: Obj) -> Obj { r = f(k); return (r, x) };
        r = g(f);
        return r
    }";
    let result = run(text, vec![vector(&[1.0, 2.0, 3.0]), Any::Int(5)]).expect("a result");
    assert_eq!(member(&result, 0).cast::<Shape>().expect("a shape"), [3]);
    assert_eq!(elements(&member(&result, 1)), [1.0, 2.0, 3.0]);
}

#[test]
fn packed_functions_call_closures() {
    let text = r#"impure fn main(x: T[n]) {
        f = fn (y: T[m]) -> T[m] { z = relax.add(y, x); return z };
        r = "t.twice"(f, x);
        return r
    }"#;
    let twice = Function::from_packed(|args| {
        let function: Function = args[0].as_object().and_then(|object| object.to_handle()).expect("a function");
        let once = function.call(&args[1..])?;
        function.call(&[once.view()])
    });
    let evaluator = Evaluator::new(&module(text)).function(&twice.with_name("t.twice"));
    let result = evaluator.run("main", [vector(&[1.0, 2.0])]).expect("a result");
    assert_eq!(elements(&result), [3.0, 6.0]);
}

#[test]
fn a_returned_closure_can_be_called() {
    let text = "fn main(x: T[n]) { f = fn (y: T[n]) -> T[n] { z = relax.add(x, y); return z }; return f }";
    let closure: Function = run(text, vec![vector(&[1.0])]).expect("a result").cast().expect("a function");
    let result = closure.call(&[vector(&[2.0]).view()]).expect("a sum");
    assert_eq!(elements(&result), [3.0]);
    let error = closure.call(&[vector(&[2.0, 3.0]).view()]).expect_err("the shape variable is captured");
    assert!(error.message().contains("dimension 0: expected 1 (`n`), got 2"), "{error}");
}

#[test]
fn dataflow_variables_are_not_captured() {
    let text = "fn main(x: T[2]) {
        dataflow { a$: T[2] = relax.exp(x); f = fn (y: T[2]) -> T[2] { z = relax.add(a$, y); return z } }
        r = f(x);
        return r
    }";
    let error = fails(text, vec![vector(&[1.0, 2.0])]);
    assert!(error.message().contains("dataflow variable `a`"), "{error}");
}

#[test]
fn checks_have_two_phases() {
    let text = "fn main(a: T[2 * n], b: T[n; i32]) { return b }";
    let kinds = fails(text, vec![vector(&[1.0; 3]), vector(&[1.0])]);
    assert_eq!(kinds.kind(), ErrorKind::TypeMismatch);
    assert!(kinds.message().contains("parameter 1 (`b`) of `main`"), "types come before dimensions: {kinds}");
    let text = "fn main(a: T[2 * n], b: T[n]) -> T[n] { return b }";
    let error = fails(text, vec![vector(&[1.0; 3]), vector(&[1.0])]);
    assert_eq!(error.kind(), SHAPE_MISMATCH);
    assert!(error.message().contains("parameter 0 (`a`) of `main`"), "{error}");
    assert!(error.message().contains("dimension 0: expected 2 ("), "{error}");
    assert!(run(text, vec![vector(&[1.0; 2]), vector(&[1.0])]).is_ok());
    let error = fails("fn main(a: T[n]) -> T[n + 1] { return a }", vec![vector(&[1.0])]);
    assert!(error.message().contains("the result of `main`"), "{error}");
}

#[test]
fn match_cast_binds_and_checks() {
    let text = "fn main(x: Obj) { y = match(x, Tup(T[n], S[n, m])); return shape[n, m, n + m] }";
    let pair = |len: usize, shape: &[i64]| {
        let members = vec![vector(&vec![1.0; len]), Shape::new(shape).into()];
        vec![Any::from(Array::<Any>::from_anys(members))]
    };
    let shape: Shape = run(text, pair(2, &[2, 5])).expect("a result").cast().expect("a shape");
    assert_eq!(shape, [2, 5, 7]);
    let error = fails(text, pair(2, &[3, 5]));
    assert!(error.message().contains("the value of the `MatchCast` to `y`"), "{error}");
    assert!(error.message().contains("dimension 0: expected 2 (`n`), got 3"), "{error}");
    assert!(fails(text, vec![Any::Int(1)]).message().contains("expected a tuple of 2 values, got the integer 1"));
}

#[test]
fn an_error_has_the_place_and_the_calls() {
    let text = "fn inner(y: T[n]) { z = match(y, T[5]); return z } fn main(x: T[n]) { r = @inner(x); return r }";
    let error = fails(text, vec![vector(&[1.0])]);
    let stack = error.source().and_then(|source| source.downcast_ref::<CallStack>()).expect("a stack");
    let functions: Vec<&str> = stack.entries.iter().map(|entry| &*entry.function).collect();
    assert_eq!(functions, ["inner", "main"]);
    assert!(error.message().starts_with("in `inner` at `z`, called by `main` at `r`: "), "{error}");
    let path = error.path().expect("a path").to_string();
    assert_eq!(path, "<root>.functions[I.GlobalVar(\"inner\")].body.blocks[0].bindings[0]");
}

#[test]
fn only_entries_can_be_called() {
    let text = "private fn helper(x: T[n]) { return x } fn other(x: T[n]) as \"entry\" { return x } fn main(x: T[n]) { return x }";
    let text = text.replace("fn other(x: T[n]) as \"entry\"", "fn other as \"entry\" (x: T[n])");
    let evaluator = Evaluator::new(&module(&text));
    assert_eq!(evaluator.entries(), ["main", "other"]);
    assert!(evaluator.run("entry", [vector(&[1.0])]).is_ok(), "the global symbol is a name, too");
    let error = evaluator.run("helper", [vector(&[1.0])]).map(|_| ()).expect_err("it is private");
    assert_eq!(error.kind(), ErrorKind::UnknownFunction);
    assert!(error.message().contains("is private; give it the attribute `global_symbol`"), "{error}");
    let error = evaluator.run("absent", [vector(&[1.0])]).map(|_| ()).expect_err("it is absent");
    assert!(error.message().contains("its entries are: main, other"), "{error}");
}

#[test]
fn a_wrong_number_of_arguments_names_the_parameters() {
    let error = fails("fn main(x: T[n], y: T[n]) { return x }", vec![vector(&[1.0])]);
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Call, "the function `main` takes 2 arguments (x, y), got 1")
    );
}

#[test]
fn a_condition_is_a_truth_value() {
    let text = "fn main(x: T[]) { r = if x { return x } else { return x }; return r }";
    let scalar = Tensor::from_elements::<f32>(&[], [2.5], &Meter::unlimited()).expect("a tensor");
    let error = fails(text, vec![scalar.into()]);
    assert!(error.message().contains("expected a truth value as condition"), "{error}");
}

#[test]
fn attention_of_one_head_weighs_the_values() {
    // The keys of one head are one matrix, whose rows are columns of the product.
    let info = |rows: usize| format!("R.Tensor((1, {rows}, 1, 2), dtype=\"float32\")");
    let text = format!(
        "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n    @R.function\n    \
         def main(q: {0}, k: {1}, v: {1}) -> {0}:\n        y: {0} = R.nn.attention(q, k, v)\n        return y\n",
        info(2),
        info(3)
    );
    let module: IRModule = parse(&text).unwrap_or_else(|errors| panic!("{errors}")).cast().expect("a module");
    let tensor = |rows: i64, elements: &[f32]| {
        Tensor::from_elements::<f32>(&[1, rows, 1, 2], elements.iter().copied(), &Meter::unlimited()).expect("a tensor")
    };
    let (q, k) = (tensor(2, &[1.0, -2.0, 0.5, 3.0]), tensor(3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    // The weights of equal values have no effect.
    let v = tensor(3, &[5.0, 7.0, 5.0, 7.0, 5.0, 7.0]);
    let y: Tensor = Evaluator::new(&module).run("main", [q, k, v]).expect("a result").cast().expect("a tensor");
    let numbers = y.read::<f32>().expect("elements").to_vec();
    assert!(
        numbers.iter().zip([5.0, 7.0, 5.0, 7.0]).all(|(got, expected)| (got - expected).abs() < 1e-5),
        "{numbers:?}"
    );
}

/// A function of Rust that knows constants alone.
#[allow(clippy::needless_pass_by_value, reason = "functions of the registry own their arguments")]
fn scaled(tensor: object_core::Tensor, by: f64) -> Result<object_core::Tensor, Error> {
    let scale = |bytes: &[u8]| (f32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) * by as f32).to_ne_bytes();
    let bytes: Vec<u8> = tensor.data.chunks_exact(4).flat_map(scale).collect();
    object_core::Tensor::new(tensor.dtype, tensor.shape.clone(), bytes)
}

object_core::register_function!("test.eval.scaled"(tensor, by) = scaled);
object_core::register_function!(pure "test.eval.pure"(tensor, by) = scaled);
object_core::register_function!(impure "test.eval.impure"(tensor, by) = scaled);

#[test]
fn functions_with_declared_side_effects_are_not_called_as_pure_ones() {
    let call = |name: &str| {
        let text = format!(
            r#"impure fn main(x: T[2]) {{ y: T[2] = relax.call_pure_packed("{name}", x, prim(2.0))<T[2]>; return y }}"#
        );
        run(&text, vec![vector(&[1.0, 2.0])])
    };
    for name in ["test.eval.pure", "test.eval.scaled"] {
        assert_eq!(elements(&call(name).expect("a result")), [2.0, 4.0]);
    }
    let error = call("test.eval.impure").expect_err("the program states that the call is pure");
    assert_eq!(error.kind(), ErrorKind::Call);
    assert!(error.message().contains("`test.eval.impure`, which is declared to have side effects"), "{error}");
}

#[test]
fn registered_functions_take_and_return_constants() {
    let text = r#"impure fn main(x: T[n]) {
        y = "test.eval.scaled"(x, prim(3.5)); z = relax.exp(y); return (y, z)
    }"#;
    let result = run(text, vec![vector(&[0.0, 2.0])]).expect("a result");
    assert_eq!(elements(&member(&result, 0)), [0.0, 7.0]);
    assert_eq!(elements(&member(&result, 1))[0], 1.0, "an operator takes the result");
}

#[test]
fn tuples_that_share_parts_are_passed_once() {
    // Without a table, the tensors of 60 levels of pairs are 2 to the power of 60.
    let pairs =
        (1..60).fold(String::from("t0 = (x, x); "), |text, at| text + &format!("t{at} = (t{0}, t{0}); ", at - 1));
    let text = format!("impure fn main(x: T[n]) {{ {pairs} r = \"testing.echo\"(t59); return r }}");
    let result = run(&text, vec![vector(&[1.0])]).expect("a result");
    assert!(result.cast::<Array<Any>>().is_ok());
}

#[test]
fn a_result_in_place_of_an_argument_is_passed_once_and_leaves_the_argument() {
    let text = r#"
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def f(A: T.Buffer((2,), "float32"), B: T.Buffer((2,), "float32"), C: T.Buffer((2,), "float32")):
        for i in range(2):
            C[i] = A[i] + B[i]
            B[i] = B[i] * T.float32(10.0)

    @R.function
    def main(a: R.Tensor((2,), dtype="float32"), b: R.Tensor((2,), dtype="float32")):
        cls = Module
        y: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")) = R.call_tir_inplace(cls.f, (a, b), out_sinfo=[R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")], inplace_indices=[-1, 1])
        z: R.Tuple(R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")) = (y[0], y[1], b)
        return z
"#;
    let module: IRModule = parse(text).unwrap_or_else(|errors| panic!("{errors}")).cast().expect("a module");
    let result = Evaluator::new(&module).run("main", [vector(&[1.0, 2.0]), vector(&[3.0, 4.0])]).expect("a result");
    let results: Vec<_> = (0..3).map(|index| elements(&member(&result, index))).collect();
    assert_eq!(results, [[4.0, 6.0], [30.0, 40.0], [3.0, 4.0]]);
}

/// TVM 0.25 states the size of `grid_sample` by dimensions 1 and 2 of the grid, and computes the one by dimensions 2 and 3. Its VM
/// does not compare the two: for these arguments, it returns the values below in the shape (1, 1, 2, 4).
#[test]
fn a_result_that_contradicts_the_signature_is_an_error() {
    let program = |result: &str, last: &str| {
        let text = format!(
            r#"
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 3, 2), "float32"), grid: R.Tensor((1, 2, 2, 4), "float32")) -> R.Tensor({result}, dtype="float32"):
        y: R.Tensor((1, 1, 2, 2), "float32") = R.image.grid_sample(x, grid, padding_mode="zeros", align_corners=True)
        {last}
"#
        );
        parse(&text).unwrap_or_else(|errors| panic!("{errors}")).cast::<IRModule>().expect("a module")
    };
    let tensor = |shape: &[i64], elements: &[f32]| {
        Any::from(Tensor::from_elements::<f32>(shape, elements.iter().copied(), &Meter::unlimited()).expect("a tensor"))
    };
    let columns = [-1.0, -0.6, -0.1, 0.7, 0.0, 0.2, -0.3, -1.0];
    let rows = [-0.8, -0.5, -0.2, 0.0, 0.4, -0.2, 0.5, 1.0];
    let grid: Vec<f32> = columns.into_iter().chain(rows).collect();
    let args = || [tensor(&[1, 1, 3, 2], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]), tensor(&[1, 2, 2, 4], &grid)];
    let error = Evaluator::new(&program("(1, 1, 2, 2)", "return y")).run("main", args()).expect_err("an error");
    assert_eq!(error.kind(), SHAPE_MISMATCH, "{error}");
    let any_size = program("ndim=4", "z = R.match_cast(y, R.Tensor(ndim=4, dtype=\"float32\"))\n        return z");
    let result = Evaluator::new(&any_size).run("main", args()).expect("a result");
    for (value, recorded) in elements(&result).into_iter().zip([0.4, 1.2, 2.05, 2.85, 3.3, 2.2, 3.35, 4.0]) {
        assert!((value - recorded).abs() < 1e-5, "{value} and {recorded}");
    }
}

/// The virtual machine of TVM 0.27 has these results.
#[test]
fn dropout_keeps_all_elements() {
    let text = r#"
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2,), "float32")):
        y = R.nn.dropout(x, rate=0.5)
        return y
"#;
    let module: IRModule = parse(text).unwrap_or_else(|errors| panic!("{errors}")).cast().expect("a module");
    let result = Evaluator::new(&module).run("main", [vector(&[1.5, -2.0])]).expect("a result");
    assert_eq!([0, 1].map(|index| elements(&member(&result, index))), [[1.5, -2.0], [1.0, 1.0]]);
}

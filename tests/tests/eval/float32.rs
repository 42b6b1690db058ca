//! Operators on tensors of `float32`, which have code of their own: their results are those on `float64`, rounded.

use object_core::{Any, Array, Function};
use object_eval::{Evaluator, Inputs, Tensor};
use object_ir::ir::{IRModule, StructInfo, TensorStructInfo};
use object_script::parse::parse;

fn module(text: &str) -> IRModule {
    parse(text).unwrap_or_else(|error| panic!("{error}: {text}")).cast().expect("a module")
}

fn tensors(shapes: &[&[i64]]) -> Vec<Any> {
    let mut inputs = Inputs::new(3);
    let info = |shape: &[i64]| StructInfo::from(TensorStructInfo::of(shape.to_vec(), "float32").expect("a type"));
    shapes.iter().map(|shape| inputs.value(&info(shape)).expect("a tensor")).collect()
}

/// Checks that an expression over tensors of these shapes has the same value in both types, except for rounding.
fn agrees(expression: &str, shapes: &[&[i64]]) {
    let params = (0..shapes.len()).map(|index| {
        let rank = shapes[index].len();
        format!("a{index}: R.Tensor(dtype=\"float32\", ndim={rank})")
    });
    let wide = (0..shapes.len()).map(|index| format!("        d{index} = R.astype(a{index}, \"float64\")\n"));
    let text = format!(
        "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n    @R.function\n    \
         def main({}) -> R.Object:\n{}        x = {}\n        y = {}\n        z = R.astype(y, \"float32\")\n        \
         return (x, z)\n",
        params.collect::<Vec<_>>().join(", "),
        wide.collect::<String>(),
        expression.replace('$', "a"),
        expression.replace('$', "d"),
    );
    let result = Evaluator::new(&module(&text)).run("main", tensors(shapes));
    let results: Array<Tensor> = result.unwrap_or_else(|error| panic!("{error}: {text}")).cast().expect("two tensors");
    let [x, z] = [0, 1].map(|index| results.get(index).expect("two tensors"));
    assert_eq!(x.shape(), z.shape(), "{expression} of {shapes:?}");
    for (x, z) in x.read::<f32>().expect("of float32").iter().zip(&*z.read::<f32>().expect("of float32")) {
        assert!((x - z).abs() <= 2e-7 * z.abs().max(0.05), "{expression} of {shapes:?}: {x} and {z}");
    }
}

#[test]
fn products_of_matrices() {
    let product = "R.matmul($0, $1)";
    for (rows, inner, columns) in
        [(1, 1, 1), (2, 3, 4), (4, 8, 9), (5, 17, 16), (7, 100, 21), (13, 32, 7), (64, 40, 33), (16, 64, 64)]
    {
        agrees(product, &[&[rows, inner], &[inner, columns]]);
        agrees("R.matmul($0, R.permute_dims($1))", &[&[rows, inner], &[columns, inner]]);
        agrees("R.matmul(R.permute_dims($0), $1)", &[&[inner, rows], &[inner, columns]]);
        agrees(
            "R.permute_dims(R.matmul(R.permute_dims($0), R.permute_dims($1)))",
            &[&[inner, rows], &[columns, inner]],
        );
    }
    let outer: &[(&[i64], &[i64])] = &[
        (&[5], &[5]),
        (&[5], &[5, 3]),
        (&[2, 5], &[5]),
        (&[2, 3, 5], &[5, 4]),
        (&[3, 5], &[2, 5, 4]),
        (&[2, 1, 3, 5], &[4, 5, 2]),
        (&[1, 3, 5], &[2, 5, 1]),
        (&[0, 5], &[5, 3]),
        (&[2, 0], &[0, 3]),
        (&[2, 0, 5], &[5, 3]),
    ];
    for (a, b) in outer {
        agrees(product, &[a, b]);
    }
    // Two orders one after the other, as in attention.
    let keys = "R.permute_dims(R.permute_dims($1, axes=[0, 2, 1, 3]), axes=[0, 1, 3, 2])";
    agrees(&format!("R.matmul(R.permute_dims($0, axes=[0, 2, 1, 3]), {keys})"), &[&[2, 3, 4, 8], &[2, 5, 4, 8]]);
    let values = "R.permute_dims($1, axes=[0, 2, 1, 3])";
    agrees(&format!("R.matmul($0, {values})"), &[&[2, 4, 3, 5], &[2, 5, 4, 8]]);
    agrees("R.reshape(R.permute_dims($0, axes=[1, 2, 0]), R.shape([6, 4]))", &[&[4, 2, 3]]);
}

#[test]
fn elements_and_pairs_of_elements() {
    for operator in ["exp", "nn.silu", "sigmoid", "nn.relu", "negative", "tanh"] {
        agrees(&format!("R.{operator}($0)"), &[&[3, 37]]);
    }
    let shapes: &[(&[i64], &[i64])] = &[
        (&[2, 3], &[2, 3]),
        (&[2, 3], &[3]),
        (&[], &[2, 3]),
        (&[2, 3, 1], &[1, 4]),
        (&[2, 1, 3], &[1, 4, 1]),
        (&[4, 1, 2, 3], &[5, 1, 1]),
        (&[1, 1], &[1]),
        (&[0, 3], &[1]),
        (&[2, 3], &[2, 1]),
    ];
    for (a, b) in shapes {
        for operator in ["add", "subtract", "multiply", "maximum"] {
            agrees(&format!("R.{operator}($0, $1)"), &[a, b]);
        }
    }
    agrees("R.multiply($0, $0)", &[&[7, 5]]);
}

#[test]
fn functions_of_rows() {
    for columns in [1, 5, 8, 30] {
        agrees("R.nn.softmax($0, axis=-1)", &[&[3, columns]]);
        agrees("R.nn.softmax($0, axis=0)", &[&[3, columns]]);
        agrees("R.nn.log_softmax($0, axis=-1)", &[&[3, columns]]);
        agrees("R.nn.rms_norm($0, $1, axes=[-1], epsilon=1e-5)", &[&[2, 3, columns], &[columns]]);
        agrees("R.nn.rms_norm($0, $1, axes=[-2, -1], epsilon=1e-5)", &[&[2, 3, columns], &[3, columns]]);
        agrees("R.nn.layer_norm($0, $1, $2, axes=[-1])", &[&[2, 3, columns], &[columns], &[columns]]);
    }
}

#[test]
fn a_write_between_a_change_of_the_order_and_its_use_changes_nothing() {
    let text = "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n    \
                @R.function(pure=False)\n    def main(x: R.Tensor((2, 3), \"float32\")) -> R.Object:\n        \
                t = R.permute_dims(x)\n        u = R.call_packed(\"test.clear\", x, sinfo_args=(R.Object,))\n        \
                y = R.reshape(t, R.shape([6]))\n        return y\n";
    let clear = Function::from_packed(|args| {
        let tensor: Tensor = args[0].as_object().and_then(|object| object.to_handle()).expect("a tensor");
        tensor.write::<f32>()?.fill(0.0);
        Ok(Any::None)
    });
    let args = tensors(&[&[2, 3]]);
    let expected: Vec<f32> = {
        let x: Tensor = args[0].clone().cast().expect("a tensor");
        let x = x.read::<f32>().expect("of float32");
        [0, 3, 1, 4, 2, 5].map(|at| x[at]).to_vec()
    };
    let result = Evaluator::new(&module(text)).function(&clear.with_name("test.clear")).run("main", args);
    let result: Tensor = result.expect("a result").cast().expect("a tensor");
    assert_eq!(result.read::<f32>().expect("of float32")[..], expected);
}

#[test]
fn observers_see_no_views() {
    let text = "from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass Module:\n    @R.function\n    \
                def main(x: R.Tensor((2, 3), \"float32\")) -> R.Object:\n        t = R.permute_dims(x)\n        \
                y = R.matmul(x, t)\n        return y\n";
    let evaluator = Evaluator::new(&module(text)).observe(|event| {
        assert!(event.value.clone().cast::<Tensor>().is_ok(), "{} gives {}", event.operation, event.value);
    });
    evaluator.run("main", tensors(&[&[2, 3]])).expect("a result");
}

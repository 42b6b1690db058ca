//! Arguments and results of `objir run` in files of tensors.

use std::fs::File;
use std::path::Path;

use object_core::DataType;
use object_eval::npy::{read_npy, write_npy};
use object_eval::{Meter, Tensor, TensorFile};

use crate::harness::{objir, own_file};

fn tensor(dtype: &str, shape: &[i64], numbers: &[f64]) -> Tensor {
    let dims: Vec<usize> = shape.iter().map(|extent| usize::try_from(*extent).expect("a size")).collect();
    let numbers = ndarray::ArrayD::from_shape_vec(dims, numbers.to_vec()).expect("as many numbers");
    Tensor::from_floats(dtype.parse::<DataType>().expect("a type"), &numbers, &Meter::unlimited()).expect("a tensor")
}

/// The path of a module whose function `main` has these parameters and returns `value`.
fn module(name: &str, parameters: &str, value: &str) -> String {
    let text = format!(
        "@I.ir_module\nclass Module:\n    @R.function\n    def main({parameters}):\n        y = {value}\n        return y\n"
    );
    own_file(name, text.as_bytes())
}

/// The path of a file with tensors, in the format that its name states.
fn file(name: &str, tensors: &[(&str, Tensor)]) -> String {
    let path = own_file(name, b"");
    let format = TensorFile::of(Path::new(&path)).expect("the name states a format");
    let file = File::create(&path).expect("a file");
    format.write(file, tensors.iter().map(|(name, tensor)| (*name, tensor))).expect("tensors");
    path
}

#[test]
fn a_file_has_all_arguments_by_name() {
    let path = module(
        "weighted.py",
        "x: R.Tensor((2,), \"float32\"), w: R.Tensor((2,), \"bfloat16\"), b: R.Tensor((2,), \"float32\")",
        "R.add(R.multiply(x, R.astype(w, \"float32\")), b)",
    );
    let tensors = [
        ("w", tensor("bfloat16", &[2], &[2.0, 3.0])),
        ("b", tensor("float32", &[2], &[0.5, 0.25])),
        ("x", tensor("float32", &[2], &[1.0, 2.0])),
    ];
    for (end, _) in TensorFile::ALL {
        let all = file(&format!("all.{end}"), &tensors);
        let run = objir(&["run", &path, "--arg-file", &all]);
        assert_eq!((run.code, &*run.stdout), (Some(0), "[2.5, 6.25]\n"), "{end}: {}", run.show());
        let weights = file(&format!("weights.{end}"), &tensors[..2]);
        let run = objir(&["run", &path, "--arg-file", &weights, "--arg", "x=[4, 0]"]);
        assert_eq!((run.code, &*run.stdout), (Some(0), "[8.5, 0.25]\n"), "{end}: {}", run.show());
        let run = objir(&["run", &path, "--arg", &format!("w={weights}:w"), "--arg", "x=[1, 1]", "--arg", "b=[0, 0]"]);
        assert_eq!((run.code, &*run.stdout), (Some(0), "[2.0, 3.0]\n"), "{end}: {}", run.show());
        let compared = objir(&["run", "--compare", &path, &path, "--arg-file", &all]);
        assert_eq!(compared.code, Some(0), "{end}: {}", compared.show());
        let run = objir(&["run", &path, "--arg", &format!("w={weights}:v")]);
        assert!(run.stderr.contains("the file has no tensor `v`"), "{end}: {}", run.show());
    }
}

#[test]
fn the_names_of_a_file_are_the_parameters() {
    let path = module(
        "named.py",
        "x: R.Tensor((1,), \"float32\"), w: R.Tensor((1,), \"float32\"), v: R.Tensor((1,), \"float32\")",
        "R.add(x, R.add(w, v))",
    );
    let one = tensor("float32", &[1], &[1.0]);
    let named = file("named.npz", &[("w", one.clone()), ("bias", one.clone()), ("scale", one)]);
    let run = objir(&["run", &path, "--arg-file", &named]);
    assert_eq!(run.code, Some(2), "{}", run.show());
    let message = "expected a tensor for each parameter of `main` without `--arg`; missing: `v`, `x`; not a parameter: \
                   `bias`, `scale`";
    assert!(run.stderr.contains(message), "{}", run.show());
    let run = objir(&["run", &path, "--arg-file", &own_file("named.bin", b"")]);
    assert!(run.stderr.contains("ends in `.npz`, `.safetensors`, `.params`"), "{}", run.show());
}

#[test]
fn tensors_of_files_are_tuples_shapes_and_numbers() {
    let path = module(
        "kinds.py",
        "t: R.Tuple(R.Tensor((1,), \"float32\"), R.Tuple(R.Tensor((1,), \"int4\"))), s: R.Shape(ndim=2), n: R.Prim(\"int64\")",
        "(t, s, n)",
    );
    let tensors = [
        ("t.0", tensor("float32", &[1], &[1.5])),
        ("t.1.0", tensor("int8", &[1], &[-8.0])),
        ("s", tensor("int64", &[2], &[3.0, 4.0])),
        ("n", tensor("int64", &[], &[7.0])),
    ];
    let arguments = file("kinds.safetensors", &tensors);
    for (end, format) in TensorFile::ALL {
        let out = own_file(&format!("kinds_out.{end}"), b"");
        let run = objir(&["run", &path, "--arg-file", &arguments, "--out", &out]);
        assert_eq!((run.code, &*run.stdout), (Some(0), "(([1.5], ([-8])), [3, 4], 7)\n"), "{}", run.show());
        let stated = |name: &str| (name == "r0.1.0").then(|| "int4".parse().expect("a type"));
        let file = File::open(&out).expect("the result");
        let results = format.read(file, &|_| true, &stated, &Meter::unlimited()).expect("tensors");
        assert_eq!(results.keys().collect::<Vec<_>>(), ["r0.0", "r0.1.0", "r1", "r2"], "{end}");
        assert_eq!(results["r1"].bytes(), tensor("int64", &[2], &[3.0, 4.0]).bytes(), "{end}");
        assert_eq!(results["r2"].rank(), 0, "{end}");
    }
    let wide = file("wide.safetensors", &[("t.1.0", tensor("int8", &[1], &[8.0]))]);
    let four = module("four.py", "x: R.Tensor((1,), \"int4\")", "R.astype(x, \"int32\")");
    let run = objir(&["run", &four, "--arg", &format!("x={wide}:t.1.0")]);
    assert!(run.stderr.contains("expected numbers of int4 from -8 to 7, got 8"), "{}", run.show());
    let run = objir(&["run", &four, "--arg", "x=[-3]"]);
    assert_eq!(run.stdout, "[-3]\n", "{}", run.show());
}

/// A type without a name in NumPy, and a shape as the result.
#[test]
fn an_array_is_a_file_of_its_own() {
    let negated = module("brain.py", "x: R.Tensor((2,), \"bfloat16\")", "R.negative(x)");
    let input = own_file("brain.npy", &write_npy(&tensor("bfloat16", &[2], &[1.0, -2.0])).expect("an array"));
    let out = own_file("brain_out.npy", b"");
    let run = objir(&["run", &negated, "--arg", &format!("x={input}"), "--out", &out]);
    assert_eq!((run.code, &*run.stdout), (Some(0), "[-1.0, 2.0]\n"), "{}", run.show());
    let run = objir(&["run", &negated, "--arg", &format!("x={out}")]);
    assert_eq!(run.stdout, "[1.0, -2.0]\n", "{}", run.show());
    let unknown = module("unknown.py", "x: R.Tensor(ndim=1)", "R.negative(x)");
    let run = objir(&["run", &unknown, "--arg", &format!("x={input}")]);
    assert!(run.code == Some(2) && run.stderr.contains("expected a parameter with a type"), "{}", run.show());
    let shape = module("shape.py", "x: R.Tensor((2, 3), \"float32\")", "R.shape_of(x)");
    let run = objir(&["run", &shape, "--out", &out]);
    assert_eq!(run.code, Some(0), "{}", run.show());
    let read = read_npy(File::open(&out).expect("the result"), &Meter::unlimited()).expect("an array");
    assert_eq!(read.bytes(), tensor("int64", &[2], &[2.0, 3.0]).bytes());
}

#[test]
fn a_result_that_no_file_has_is_an_error() {
    let pair = module("pair.py", "x: R.Tensor((1,), \"float32\")", "(x, (x, x))");
    let run = objir(&["run", &pair, "--out", &own_file("pair.npy", b"")]);
    assert!(run.stderr.contains("expected one tensor for a file of one array, got 3"), "{}", run.show());
    let text = module("text.py", "x: R.Tensor((1,), \"float32\")", "(x, R.str(\"a\"))");
    let run = objir(&["run", &text, "--out", &own_file("text.npz", b"")]);
    assert!(run.stderr.contains("`r1` is the text \"a\"; a file has tensors, shapes and numbers"), "{}", run.show());
}

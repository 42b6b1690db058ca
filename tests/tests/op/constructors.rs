//! Constructor functions: the values that they take, and the calls that they make.

use object_core::DataType;
use object_core::prelude::*;
use object_ir::attrs::{
    ArgsortAttrs, AstypeAttrs, ConcatAttrs, Conv2DAttrs, InitAttrs, SoftmaxAttrs, SplitAttrs, StatisticalAttrs,
};
use object_ir::ir::{
    Call, Constant, DataTypeImm, FuncStructInfo, GlobalVar, IntImm, PrimValue, RelaxExpr, ShapeExpr, StringImm,
    StructInfo, TensorStructInfo, Tuple, TupleStructInfo, Var,
};
use object_ir::tir;
use object_relax::arith::Analyzer;
use object_relax::op::{self, InferContext};

use crate::print::print;

fn tensor(name: &str, dims: &[i64]) -> Var {
    Var::of(name, TensorStructInfo::of(dims, "float32").expect("a tensor"))
}

fn infer(call: &Call) -> String {
    let analyzer = Analyzer::for_shapes();
    match op::infer(call, &InferContext::new(&analyzer)) {
        Ok(info) => print(&info),
        Err(error) => error.to_string(),
    }
}

fn argument<H: ObjectHandle>(call: &Call, index: usize) -> H {
    let argument: RelaxExpr = call.args.get(index).expect("an argument");
    argument.downcast().unwrap_or_else(|other| panic!("argument {index} is {other}"))
}

#[test]
fn arguments_are_what_users_write() {
    let x = tensor("x", &[2, 3]);
    let n = tir::Var::dim("n");
    assert_eq!(infer(&op::add(&x, &x)), "Tensor((2, 3), float32)");
    assert_eq!(infer(&op::add(x.clone(), x.clone())), "Tensor((2, 3), float32)");

    // A scalar is a number, a truth value or an expression.
    assert_eq!(argument::<PrimValue>(&op::clip(&x, 0, 6.5), 2).value.dtype, DataType::float(64));
    assert_eq!(argument::<PrimValue>(&op::tril(&x, 3_i64), 1).value.dtype, DataType::int(64));
    assert_eq!(infer(&op::arange(0, &n * 2, 2, DataType::int(64))), "Tensor((n,), int64)");
    assert_eq!(
        infer(&op::unique(&x, true, false, true, false, None)),
        "Tuple(Tensor(ndim=1, float32), Tensor(ndim=1, int64))"
    );
    assert_eq!(infer(&op::unique(&x, true, false, false, false, PrimValue::of(-1))), "Tensor(ndim=2, float32)");

    // A shape is a list or a tuple of dimensions, or an expression.
    let zeros = |call: Call| infer(&call);
    assert_eq!(zeros(op::zeros([2, 3], DataType::int(8))), "Tensor((2, 3), int8)");
    assert_eq!(zeros(op::zeros(vec![n.clone()], DataType::int(8))), "Tensor((n,), int8)");
    assert_eq!(zeros(op::zeros((&n, 4), DataType::int(8))), "Tensor((n, 4), int8)");
    assert_eq!(zeros(op::zeros(ShapeExpr::of(()).expect("a shape"), DataType::int(8))), "Tensor((), int8)");
    assert_eq!(
        zeros(op::zeros(op::shape_of(&x), DataType::int(8))),
        "`relax.zeros`: argument 0 (`shape`): has no \
        structural information; infer it first (at <root>.args[0])"
    );

    // Texts and data types.
    let alloc = op::builtin::alloc_tensor((&n, 4), DataType::int(8), 0, "global");
    assert_eq!(argument::<DataTypeImm>(&alloc, 1).value, DataType::int(8));
    assert_eq!(argument::<StringImm>(&alloc, 3).value, "global");
    assert_eq!(infer(&alloc), "Tensor((n, 4), int8)");

    // Optional arguments and arguments that may be an empty tuple.
    let view = op::memory::view(&x, ShapeExpr::of([3, 2]).expect("a shape"), None, None);
    assert!(argument::<Tuple>(&view, 2).fields.is_empty());
    assert_eq!(infer(&view), "Tensor((3, 2), float32)");
    assert_eq!(op::memory::alloc_tensor(&x, 0, [2, 3], DataType::int(8), None).args.len(), 4);

    // Any number of arguments.
    assert_eq!(op::print([StringImm::new("{}").into(), RelaxExpr::from(&x)]).args.len(), 2);
    assert_eq!(infer(&op::print(Vec::<Var>::new())), "Tuple()");
}

#[test]
fn attributes_are_given_or_left_out() {
    let x = tensor("x", &[2, 3]);
    assert_eq!(infer(&op::sum(&x, None)), "Tensor((), float32)");
    assert_eq!(infer(&op::sum(&x, StatisticalAttrs::new(Some([1].into()), true))), "Tensor((2, 1), float32)");
    assert_eq!(infer(&op::argsort(&x, None)), "Tensor((2, 3), int32)");
    assert_eq!(infer(&op::argsort(&x, Some(ArgsortAttrs::default()))), "Tensor((2, 3), int32)");
    assert_eq!(infer(&op::astype(&x, AstypeAttrs::new(DataType::int(8)))), "Tensor((2, 3), int8)");
    assert_eq!(infer(&op::astype(&x, DataType::int(8))), "Tensor((2, 3), int8)");
    assert_eq!(infer(&op::ones_like(&x, InitAttrs::from(DataType::int(8)))), "Tensor((2, 3), int8)");
    assert_eq!(infer(&op::ones_like(&x, None)), "Tensor((2, 3), float32)");
}

/// Each constructor that takes an element type takes its name, and the inference reports another text.
#[test]
fn element_types_have_names() {
    let (x, value) = (tensor("x", &[2, 3]), tensor("value", &[]));
    let calls = |dtype: &'static str| {
        [
            op::zeros([2, 3], dtype),
            op::ones([2, 3], dtype),
            op::full([2, 3], &value, dtype),
            op::zeros_like(&x, dtype),
            op::ones_like(&x, dtype),
            op::full_like(&x, &value, dtype),
            op::eye(2, 3, 0, dtype),
            op::eye_like(&x, 0, dtype),
            op::astype(&x, dtype),
            op::wrap_param(&x, dtype),
            op::builtin::alloc_tensor([2, 3], dtype, 0, "global"),
        ]
    };
    for call in calls("int8") {
        assert_eq!(infer(&call), "Tensor((2, 3), int8)", "{call}");
    }
    for call in calls("int9000000000") {
        let error = infer(&call);
        assert!(error.contains("`int9000000000` is not a data type such as"), "{error}");
    }
    assert_eq!(infer(&op::arange(0, 6, 2, "int32")), "Tensor((3,), int32)");
    assert_eq!(infer(&op::zeros_like(&x, None)), "Tensor((2, 3), float32)");
}

#[test]
fn new_shapes_may_leave_out_sizes() {
    let n = tir::Var::dim("n");
    let x = Var::of("x", TensorStructInfo::of((&n, 6), "float32").expect("a tensor"));
    let shape = |call: &Call| print(argument::<ShapeExpr>(call, 1).struct_info.as_ref().expect("a shape"));
    assert_eq!(shape(&op::reshape(&x, [0, -1, 2])), "Shape((n, 3, 2))");
    assert_eq!(shape(&op::reshape(&x, [-1])), "Shape((n * 6,))");
    // The shape of the variable is unknown until it is bound.
    let unknown = op::reshape(Var::named("y"), [-1, 2]);
    assert_eq!(shape(&unknown), "Shape((-1, 2))");
    assert_eq!(infer(&op::reshape(&x, [5, -1])), "Tensor((5, n * 6 // 5), float32)");
}

#[test]
fn layers_read_as_they_are_written() {
    let (image, kernel) = (tensor("image", &[1, 3, 8, 8]), tensor("kernel", &[4, 3, 3, 3]));
    assert_eq!(infer(&op::nn::conv2d(&image, &kernel, None)), "Tensor((1, 4, 6, 6), float32)");
    let padded = Conv2DAttrs::default().with_changes(|attrs| attrs.padding = [1, 1, 1, 1].into());
    assert_eq!(infer(&op::nn::conv2d(&image, kernel, padded)), "Tensor((1, 4, 8, 8), float32)");
    assert_eq!(infer(&op::nn::softmax(&image, SoftmaxAttrs::new(1))), "Tensor((1, 3, 8, 8), float32)");
    assert_eq!(infer(&op::nn::pad(&image, [0, 0, 0, 0, 1, 1, 2, 2])), "Tensor((1, 3, 10, 12), float32)");
    assert_eq!(infer(&op::image::resize2d(&image, [4, 5], None)), "Tensor((1, 3, 4, 5), float32)");

    let x = tensor("x", &[2, 3]);
    assert_eq!(infer(&op::matmul(&x, tensor("y", &[3, 4]), None)), "Tensor((2, 4), float32)");
    assert_eq!(infer(&op::einsum([&x, &x], "ij,kj->ik")), "Tensor((2, 2), float32)");
    assert_eq!(infer(&op::concat([&x, &x], None)), "Tensor((4, 3), float32)");
    assert_eq!(infer(&op::concat(vec![&x, &x], ConcatAttrs::new(Some(1)))), "Tensor((2, 6), float32)");
    assert_eq!(infer(&op::reshape(&x, [3, 2])), "Tensor((3, 2), float32)");
    assert_eq!(infer(&op::expand_dims(&x, [0])), "Tensor((1, 2, 3), float32)");
    assert_eq!(infer(&op::tile(&x, [2, 2])), "Tensor((4, 6), float32)");
    assert_eq!(infer(&op::flip(&x, -1)), "Tensor((2, 3), float32)");
    assert_eq!(infer(&op::permute_dims(&x, None)), "Tensor((3, 2), float32)");
    let int64 = |value| IntImm::new(DataType::int(64), value);
    assert_eq!(infer(&op::split(&x, SplitAttrs::new(int64(3), 1))).matches("(2, 1)").count(), 3);
}

#[test]
fn results_are_given_to_calls_of_other_functions() {
    let x = tensor("x", &[2, 3]);
    let result: StructInfo = TensorStructInfo::of([6], "int8").expect("a tensor").into();
    let function = FuncStructInfo::opaque(TupleStructInfo::of([]), false);
    let kernel = GlobalVar::of("kernel", function.clone());
    let call = op::call_tir(&kernel, [&x], None, result.clone());
    assert_eq!(argument::<Tuple>(&call, 1).fields.len(), 1);
    assert_eq!(infer(&call), "Tensor((6,), int8)");
    let call = op::call_tir(&kernel, [&x, &x], ShapeExpr::of([6]).expect("a shape"), result.clone());
    assert_eq!((call.args.len(), infer(&call).as_str()), (3, "Tensor((6,), int8)"));

    let closure = Var::of("closure", function);
    let call = op::invoke_closure(&closure, Vec::<Var>::new(), [result.clone(), result]);
    assert_eq!(infer(&call), "Tuple(Tensor((6,), int8), Tensor((6,), int8))");
    assert_eq!(infer(&op::invoke_closure(closure, [x], Vec::<StructInfo>::new())), "Object");
}

#[test]
fn constants_need_no_structural_information() {
    let zero = object_core::Tensor::new(DataType::float(32), [2, 3], vec![0; 24]).expect("a tensor");
    let call = op::add(Constant::new(zero), 1);
    assert_eq!(
        infer(&call),
        "`relax.add`: argument 1 (`x2`): expected the element type float32 of argument 0, got int64; \
        `astype` converts a tensor (at <root>.args[1])"
    );
}

#[test]
fn a_call_of_another_callee_is_an_error() {
    let x = tensor("x", &[2]);
    let call = Call::new(&x, vec![RelaxExpr::from(&x)], None, Vec::<StructInfo>::new());
    assert_eq!(infer(&call), "expected a call of an operator, got a call of `relax.expr.Var` (at <root>.op)");
}

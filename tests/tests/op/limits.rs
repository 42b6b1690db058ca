//! Inference of hostile calls: no panic, no large allocation, and no overflow of a small stack.

use object_core::prelude::*;
use object_ir::ir::{PrimExpr, RelaxExpr, ShapeStructInfo, StructInfo, TensorStructInfo, Tuple, TupleStructInfo, Var};
use object_ir::tir;
use object_relax::arith::Analyzer;
use object_relax::op::{self, InferContext};

use crate::common::in_small_stack;

fn infer(call: &object_ir::ir::Call) -> Result<StructInfo, Error> {
    let analyzer = Analyzer::for_shapes();
    op::infer(call, &InferContext::new(&analyzer))
}

fn message(call: &object_ir::ir::Call) -> String {
    infer(call).expect_err("an error").to_string()
}

#[test]
fn dimensions_may_be_deep() {
    in_small_stack(|| {
        let n = tir::Var::dim("n");
        let mut deep: PrimExpr = n.clone().into();
        for _ in 0..100_000 {
            deep =
                tir::Add::new(DataType::int(64), tir::Sub::new(DataType::int(64), deep, n.clone()), n.clone()).into();
        }
        let tensor = |dim: PrimExpr| Var::of("x", TensorStructInfo::of([dim], "float32").expect("a tensor"));
        let one = op::add(tensor(deep.clone()), tensor(deep.clone()));
        assert!(infer(&one).is_ok());
        let other = op::add(tensor(deep.clone()), tensor(n.into()));
        assert!(infer(&other).is_ok());
        assert!(infer(&op::exp(tensor(deep.clone()))).is_ok());
        // The message shows the upper levels.
        let wrong = op::tril(tensor(deep), 0);
        assert!(message(&wrong).len() < 500);
    });
}

#[test]
fn tuples_may_be_deep() {
    in_small_stack(|| {
        let mut deep: RelaxExpr = Tuple::new(Vec::<RelaxExpr>::new()).into();
        for _ in 0..100_000 {
            deep = Tuple::new([deep]).into();
        }
        assert_eq!(
            message(&op::grad::no_grad(deep)),
            "`relax.grad.no_grad`: argument 0 (`x`): has no structural information; infer it first (at <root>.args[0])"
        );
        let mut info: StructInfo = TupleStructInfo::of([]).into();
        for _ in 0..100_000 {
            info = TupleStructInfo::of([info]).into();
        }
        assert!(message(&op::exp(Var::of("x", info))).len() < 500);
    });
}

#[test]
fn ranks_have_a_limit() {
    let ranks = [TensorStructInfo::new(None, DataType::float(32), None, i64::MAX)];
    for tensor in ranks {
        let tuple = Var::of("t", TupleStructInfo::of([tensor.clone().into()]));
        let tensor = Var::of("x", tensor);
        assert!(message(&op::sum(&tensor, None)).contains("at most 65536 dimensions, got 9223372036854775807"));
        assert!(message(&op::concat(tuple, None)).contains("at most 65536 dimensions"));
    }
    let shape = Var::of("s", ShapeStructInfo::new(None::<Array<PrimExpr>>, i64::MAX));
    assert!(message(&op::zeros(shape, DataType::int(8))).contains("at most 65536 dimensions"));
}

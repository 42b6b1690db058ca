//! Deep, long and wrong programs.

use object_core::ObjectRef;
use object_core::prelude::*;
use object_core::rewrite::mutate;
use object_core::visit::walk;
use object_ir::ir::{
    Binding, BindingBlock, Call, DataflowBlock, DictAttrs, FuncStructInfo, Function, If, IntImm, Op, PrimExpr,
    RelaxExpr, SeqExpr, ShapeExpr, StructInfo, TensorStructInfo, Tuple, TupleGetItem, TupleStructInfo, Var, VarBinding,
};
use object_ir::tir::Add;

/// The structural information of the tensors in the programs.
///
/// # Panics
/// Never: the tensor is legal.
#[must_use]
pub fn tensor() -> StructInfo {
    TensorStructInfo::of([2], "float32").expect("a tensor").into()
}

/// A sequence of one block, or of none without bindings.
#[must_use]
pub fn sequence(bindings: Vec<Binding>, body: impl Into<RelaxExpr>) -> SeqExpr {
    let blocks: Vec<BindingBlock> =
        if bindings.is_empty() { vec![] } else { vec![BindingBlock::new(Array::new(bindings))] };
    SeqExpr::new(Array::new(blocks), body.into())
}

/// A function without attributes.
#[must_use]
pub fn function(params: &[Var], body: SeqExpr, result: StructInfo) -> Function {
    Function::new(DictAttrs::new(Map::<Str, Any>::new([])), Array::new(params.to_vec()), body, result, true)
}

fn exp() -> RelaxExpr {
    Op::get("relax.exp").expect("an operator").into()
}

/// Programs that nest `depth` calls, tuples, members of tuples, branches and functions, by kind. None is well-formed.
#[must_use]
pub fn deep_expressions(depth: usize) -> Vec<(&'static str, RelaxExpr)> {
    let x = Var::of("x", tensor());
    let nest = |wrap: &dyn Fn(RelaxExpr) -> RelaxExpr| (0..depth).fold(RelaxExpr::from(&x), |inner, _| wrap(inner));
    let call = |inner| Call::new(exp(), Array::new([inner]), None, []).into();
    let tuple = |inner| Tuple::new(Array::new([inner])).into();
    let member = |inner| TupleGetItem::new(inner, 0).into();
    let branches = |inner| If::new(&x, sequence(vec![], inner), sequence(vec![], &x)).into();
    let local = |inner: RelaxExpr| {
        let f = Var::named("f");
        sequence(vec![VarBinding::new(&f, function(&[], sequence(vec![], inner), tensor())).into()], &f).into()
    };
    let bound = |inner: RelaxExpr| {
        let y = Var::of("y", tensor());
        sequence(vec![VarBinding::new(&y, inner).into()], &y).into()
    };
    vec![
        ("calls", nest(&call)),
        ("tuples", nest(&tuple)),
        ("members", nest(&member)),
        ("branches", nest(&branches)),
        ("functions", nest(&local)),
        ("sequences", nest(&bound)),
    ]
}

/// Functions with `depth` nested tuples, signatures and sums in their structural information.
#[must_use]
pub fn deep_annotations(depth: usize) -> Vec<(&'static str, Function)> {
    let x = Var::of("x", tensor());
    let tuple = (0..depth).fold(tensor(), |inner, _| TupleStructInfo::of([inner]).into());
    let signature = (0..depth).fold(tensor(), |inner, _| FuncStructInfo::of([inner], tensor()).into());
    let one: PrimExpr = IntImm::new(DataType::int(64), 1).into();
    let sum = (0..depth).fold(one.clone(), |inner, _| Add::new(DataType::int(64), inner, one.clone()).into());
    let shape = ShapeExpr::new(Array::new([sum]));
    let program = |value: RelaxExpr, info: StructInfo| {
        let y = Var::of("y", info.clone());
        function(std::slice::from_ref(&x), sequence(vec![VarBinding::new(&y, value).into()], &y), info)
    };
    vec![
        ("tuples", program(x.clone().into(), tuple)),
        ("signatures", program(x.clone().into(), signature)),
        ("sums", program(shape.into(), tensor())),
    ]
}

/// A well-formed function of `count` calls, each of the result of the one before, in one block.
#[must_use]
pub fn chain(count: usize, is_dataflow: bool) -> Function {
    let x = Var::of("x", tensor());
    let mut last = x.clone();
    let bindings: Vec<Binding> = (0..count)
        .map(|_| {
            let next = Var::of("y", tensor());
            let mut call = Call::new(exp(), Array::new([RelaxExpr::from(&last)]), None, []);
            call.make_mut().struct_info = Some(tensor());
            last = next.clone();
            VarBinding::new(next, call).into()
        })
        .collect();
    let block: BindingBlock = if is_dataflow {
        DataflowBlock::new(Array::new(bindings)).into()
    } else {
        BindingBlock::new(Array::new(bindings))
    };
    function(&[x], SeqExpr::new([block], &last), tensor())
}

/// An expression that contains `levels` tuples, each with the one below it twice, as one object.
#[must_use]
pub fn doubled(levels: usize) -> RelaxExpr {
    let x = Var::of("x", tensor());
    (0..levels).fold(RelaxExpr::from(&x), |inner, _| Tuple::new(Array::new([inner.clone(), inner])).into())
}

/// Nested functions, each of which contains the two below it, as shared objects.
#[must_use]
pub fn shared_functions(levels: usize) -> RelaxExpr {
    let x = Var::of("x", tensor());
    let local = |parts: [RelaxExpr; 2]| -> RelaxExpr {
        let f = Var::named("f");
        let value = function(&[], sequence(vec![], Tuple::new(Array::new(parts))), tensor());
        sequence(vec![VarBinding::new(&f, value).into()], &f).into()
    };
    let (mut last, mut one): (RelaxExpr, RelaxExpr) = (x.clone().into(), x.into());
    for _ in 0..levels {
        let next = local([last.clone(), one.clone()]);
        (last, one) = (one, next);
    }
    one
}

/// Wrong programs: for each type of expressions in `root`, the program with the first expression of this type in place of
/// all of them, where the fields accept it.
#[must_use]
pub fn merged_by_type(root: &Any) -> Vec<Any> {
    let mut types: Vec<&str> = Vec::new();
    walk(root, |object: &RelaxExpr, _| types.push(object.as_object().view().type_key()));
    types.sort_unstable();
    types.dedup();
    let merged = types.into_iter().filter_map(|key| {
        let mut first: Option<ObjectRef> = None;
        let changed = mutate(root.clone(), |object: &ObjectRef, _| {
            if object.view().type_key() != key {
                return None;
            }
            Some(first.get_or_insert_with(|| object.clone()).clone())
        });
        changed.ok()
    });
    merged.collect()
}

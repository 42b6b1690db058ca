//! [`has_reshape_pattern`]: whether a loop program copies a buffer into a buffer of another shape.

use object_core::ObjectView;
use object_core::prelude::*;
use object_core::rewrite::mutate;
use object_ir::ir::{IntImm, PrimExpr, Range};
use object_ir::tir::{
    Buffer, BufferLoadNode, BufferStoreNode, FloorDiv, FloorMod, ForNode, GE, GT, LT, PrimFunc, SBlockNode,
    SBlockRealizeNode, Stmt, Var, add, iter_var_type, mul,
};

use crate::analysis::walk::view;
use crate::arith::Analyzer;

/// Whether a loop program copies its first buffer to its last one, so that the elements keep their order in memory, as
/// `reshape`, `expand_dims` and `flatten` do. The program consists of loops and blocks around one store of a loaded
/// element, the blocks have no reductions, the buffers have the same number of elements, and the analyzer proves that
/// the two accesses have the same position in the flattened buffers. (TVM 0.25 `relax.analysis.has_reshape_pattern`)
#[must_use]
pub fn has_reshape_pattern(function: &PrimFunc) -> bool {
    let buffers: Vec<Buffer> = function.params.iter().filter_map(|param| function.buffer_map.get(&param)).collect();
    let [source, .., target] = buffers.as_slice() else { return false };
    let mut analyzer = Analyzer::for_shapes();
    let Some(store) = innermost_store(&function.body, &mut analyzer) else { return false };
    let (Some(store), Some(load)) = (store.node::<BufferStoreNode>(), store.get("value")) else { return false };
    let Some(load) = load.as_object().and_then(|load| load.node::<BufferLoadNode>()) else { return false };
    if !store.buffer.ptr_eq(target) || !load.buffer.ptr_eq(source) {
        return false;
    }
    let flat = |buffer: &Buffer, indices: &[PrimExpr]| {
        let indices: Vec<PrimExpr> = indices.iter().map(|index| without_wrapping(index, &analyzer)).collect();
        flat_index(buffer.shape.as_slice(), &indices)
    };
    let indices = flat(source, load.indices.as_slice()).zip(flat(target, store.indices.as_slice()));
    let sizes = size(source).zip(size(target));
    [sizes, indices].into_iter().all(|pair| pair.is_some_and(|(a, b)| analyzer.prove_equal(&a, &b).is_true()))
}

/// The store in a nest of loops and blocks. The analyzer learns the ranges of the loops and of the blocks.
fn innermost_store<'a>(body: &'a Stmt, analyzer: &mut Analyzer) -> Option<ObjectView<'a>> {
    let mut stmt = view(body);
    loop {
        if let Some(nest) = stmt.node::<ForNode>() {
            learn(analyzer, &nest.loop_var, &Range::new(nest.min.clone(), nest.extent.clone(), None));
            stmt = view(&nest.body);
        } else if let Some(realize) = stmt.node::<SBlockRealizeNode>() {
            let block: &SBlockNode = &realize.block;
            for iter in block.iter_vars.as_slice() {
                if iter.iter_type != iter_var_type::DATA_PAR {
                    return None;
                }
                if let Some(dom) = &iter.dom {
                    learn(analyzer, &iter.var, dom);
                }
            }
            stmt = view(&block.body);
        } else {
            return Some(stmt);
        }
    }
}

/// The body of a loop runs only if its range is not empty.
fn learn(analyzer: &mut Analyzer, var: &Var, range: &Range) {
    analyzer.bind_range(var, range);
    analyzer.assume(GT::new(DataType::boolean(), range.extent.clone(), IntImm::new(range.extent.dtype, 0)));
}

/// An index without the remainders that change nothing, such as `v % n` for a loop variable `v` below `n`. The prover
/// itself divides by constants only.
fn without_wrapping(index: &PrimExpr, analyzer: &Analyzer) -> PrimExpr {
    let changed = mutate(index.clone(), |remainder: &FloorMod, _| {
        let (value, divisor) = (&remainder.a, &remainder.b);
        // A quotient is below the divisor if its numerator is below the product.
        let below = match value.downcast_ref::<FloorDiv>() {
            Some(quotient) => less(&quotient.a, &mul(&quotient.b, divisor).ok()?),
            None => less(value, divisor),
        };
        let zero = IntImm::new(value.dtype, 0);
        let is_positive = GE::new(DataType::boolean(), value.clone(), zero);
        let holds = |condition: PrimExpr| analyzer.prove(&condition).is_true();
        (holds(below) && holds(is_positive.into())).then(|| value.clone())
    });
    changed.unwrap_or_else(|_| index.clone())
}

fn less(a: &PrimExpr, b: &PrimExpr) -> PrimExpr {
    LT::new(DataType::boolean(), a.clone(), b.clone()).into()
}

/// The position of an element in a buffer, row by row. `None` if the indices do not fit the buffer.
fn flat_index(shape: &[PrimExpr], indices: &[PrimExpr]) -> Option<PrimExpr> {
    if shape.len() != indices.len() {
        return None;
    }
    let mut places = shape.iter().zip(indices);
    let Some((_, first)) = places.next() else { return Some(IntImm::new(DataType::int(64), 0).into()) };
    places.try_fold(first.clone(), |position, (dim, index)| add(mul(position, dim).ok()?, index).ok())
}

/// The number of elements of a buffer.
fn size(buffer: &Buffer) -> Option<PrimExpr> {
    let one: PrimExpr = IntImm::new(DataType::int(64), 1).into();
    buffer.shape.iter().try_fold(one, |size, dim| mul(size, dim).ok())
}

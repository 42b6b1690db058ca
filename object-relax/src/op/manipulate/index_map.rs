//! [`mapped_shape`]: the shape of a tensor whose elements an index map moves.

use object_core::prelude::*;
use object_ir::ir::{IntImm, PrimExpr};
use object_ir::tir::{self, IndexMap, add, ceil_div, floor_div, max, mul, sub};

use crate::op::describe::describe_expr;
use crate::op::dims::{Dims, dim};
use crate::op::op_call::OpCall;

/// The most operations of all indices of a map; a map with more gives a shape of known rank only.
const MAX_STEPS: usize = 10_000;

/// The deepest operation in an index.
const MAX_DEPTH: usize = 100;

/// The shape that contains the places to which `map` moves the elements of a tensor of the shape `dims`. An index modulo
/// a number takes all its values, because the tensor is padded.
///
/// TVM 0.25 `IndexMap::MapShape` in `src/tirx/ir/index_map.cc`.
///
/// # Errors
/// Names the index map if its smallest place is not 0.
pub(super) fn mapped_shape(call: &OpCall<'_>, map: &IndexMap, dims: &[PrimExpr]) -> Result<Dims, Error> {
    let sizes = map.initial_indices.iter().map(PrimExpr::from).zip(dims.iter().cloned()).collect();
    let mut ranges = Ranges { sizes, steps: 0 };
    let mut shape = Vec::with_capacity(map.final_indices.len());
    for index in map.final_indices.iter() {
        let Some(range) = ranges.of(&index, 0)? else { return Ok(Dims::Rank(map.final_indices.len())) };
        if !call.analyzer().prove_equal(&range.first, &dim(0)).is_true() {
            let (index, first) = (describe_expr(&index), describe_expr(&call.analyzer().simplify(&range.first)));
            let message = format!("expected places from 0 on, got `{index}`, whose first place is {first}");
            return Err(call.attribute_error("index_map", message));
        }
        shape.push(call.analyzer().simplify(&max(ranges.extent(&index, &range)?, 0)?));
    }
    Ok(Dims::Known(shape))
}

/// The values of an index: from `first` to `last`.
struct Range {
    first: PrimExpr,
    last: PrimExpr,
}

/// The ranges of indices.
struct Ranges {
    /// The index and the size of each dimension.
    sizes: Vec<(PrimExpr, PrimExpr)>,
    steps: usize,
}

impl Ranges {
    /// The range of an index, if it is made of sums, differences, and products and divisions by numbers.
    fn of(&mut self, index: &PrimExpr, depth: usize) -> Result<Option<Range>, Error> {
        self.steps += 1;
        if depth > MAX_DEPTH || self.steps > MAX_STEPS {
            return Ok(None);
        }
        if let Some(size) = self.size(index) {
            return Ok(Some(Range { first: dim(0), last: sub(size, 1)? }));
        }
        if index.is::<IntImm>() || index.is::<tir::Var>() {
            return Ok(Some(Range { first: index.clone(), last: index.clone() }));
        }
        if let Some(it) = index.downcast_ref::<tir::Add>() {
            let (Some(a), Some(b)) = (self.of(&it.a, depth + 1)?, self.of(&it.b, depth + 1)?) else { return Ok(None) };
            return Ok(Some(Range { first: add(&a.first, &b.first)?, last: add(&a.last, &b.last)? }));
        }
        if let Some(it) = index.downcast_ref::<tir::Sub>() {
            let (Some(a), Some(b)) = (self.of(&it.a, depth + 1)?, self.of(&it.b, depth + 1)?) else { return Ok(None) };
            return Ok(Some(Range { first: sub(&a.first, &b.last)?, last: sub(&a.last, &b.first)? }));
        }
        if let Some(it) = index.downcast_ref::<tir::Mul>() {
            let (scaled, factor) = if self.is_factor(&it.b) { (&it.a, &it.b) } else { (&it.b, &it.a) };
            let Some(range) = self.of(scaled, depth + 1)?.filter(|_| self.is_factor(factor)) else { return Ok(None) };
            return Ok(Some(Range { first: mul(&range.first, factor)?, last: mul(&range.last, factor)? }));
        }
        if let Some(it) = index.downcast_ref::<tir::FloorDiv>().filter(|it| self.is_factor(&it.b)) {
            let Some(range) = self.of(&it.a, depth + 1)? else { return Ok(None) };
            return Ok(Some(Range { first: floor_div(&range.first, &it.b)?, last: floor_div(&range.last, &it.b)? }));
        }
        if let Some(it) = index.downcast_ref::<tir::FloorMod>().filter(|it| self.is_factor(&it.b)) {
            return Ok(Some(Range { first: dim(0), last: sub(&it.b, 1)? }));
        }
        Ok(None)
    }

    /// The size of the dimension that an expression is the index of.
    fn size(&self, expr: &PrimExpr) -> Option<&PrimExpr> {
        self.sizes.iter().find(|(index, _)| index.ptr_eq(expr)).map(|(_, size)| size)
    }

    /// Whether an expression is a positive number, or a variable that is not an index, such as a dimension.
    fn is_factor(&self, expr: &PrimExpr) -> bool {
        match expr.downcast_ref::<IntImm>() {
            Some(number) => number.value > 0,
            None => expr.is::<tir::Var>() && self.size(expr).is_none(),
        }
    }

    /// The number of places from 0 to the last one. An index times a number leaves room after its last place.
    fn extent(&mut self, index: &PrimExpr, range: &Range) -> Result<PrimExpr, Error> {
        if let Some(it) = index.downcast_ref::<tir::Mul>() {
            let (scaled, factor) = if self.is_factor(&it.b) { (&it.a, &it.b) } else { (&it.b, &it.a) };
            if let Some(range) = self.of(scaled, 1)? {
                return mul(add(&range.last, 1)?, factor);
            }
        }
        if let Some(it) = index.downcast_ref::<tir::FloorDiv>()
            && let Some(range) = self.of(&it.a, 1)?
        {
            return ceil_div(add(&range.last, 1)?, &it.b);
        }
        add(&range.last, 1)
    }
}

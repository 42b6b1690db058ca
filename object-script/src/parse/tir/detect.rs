//! The parts of buffers that a block reads and writes, for blocks that do not state them (TVM 0.25
//! `GetSBlockAccessRegion` in src/s_tir/analysis/sblock_access_region_detector.cc).

use object_core::{AnyView, ObjectHandle, ObjectView};
use object_ir::ir::PrimExpr;
use object_ir::tir::{
    BindNode, Buffer, BufferLoadNode, BufferRegion, BufferStoreNode, ForNode, SBlockRealizeNode, Stmt,
};
use object_relax::arith::{Domains, IntSet};
use rustc_hash::FxHashSet;

use crate::parse::state::tir_frames::BlockFacts;

/// The accessed parts of each buffer, in the order of the first access.
type Accesses = Vec<(Buffer, Vec<IntSet>)>;

/// The accesses that a walk over a block has found.
#[derive(Default)]
struct Walk {
    domains: Domains,
    reads: Accesses,
    writes: Accesses,
    /// The buffers that exist in the block only, by address.
    own: FxHashSet<usize>,
}

/// A step of the walk.
enum Step<'o> {
    Visit(ObjectView<'o>),
    /// The loop variables beyond this number are out of scope.
    LeaveLoop(usize),
}

impl Walk {
    fn add(&mut self, is_write: bool, buffer: &Buffer, region: Vec<IntSet>) {
        if self.own.contains(&buffer.as_object().view().address()) {
            return;
        }
        let accesses = if is_write { &mut self.writes } else { &mut self.reads };
        match accesses.iter_mut().find(|(known, _)| known.as_object().ptr_eq(buffer.as_object())) {
            Some((_, known)) if known.len() == region.len() => {
                for (known, new) in known.iter_mut().zip(&region) {
                    *known = known.union(new);
                }
            }
            Some(_) => {}
            None => accesses.push((buffer.clone(), region)),
        }
    }

    fn indices(&self, indices: &[PrimExpr]) -> Vec<IntSet> {
        indices.iter().map(|index| self.domains.evaluate(index)).collect()
    }

    /// The parts that an inner block states, for the values of its axes.
    fn inner_block(&mut self, realize: &SBlockRealizeNode) {
        let outer = self.domains.values.len();
        let axes = realize.block.iter_vars.as_slice().iter().map(|axis| axis.var.clone());
        self.domains.values.extend(axes.zip(realize.iter_values.as_slice().iter().cloned()));
        for (is_write, regions) in [(false, &realize.block.reads), (true, &realize.block.writes)] {
            for region in regions.as_slice() {
                let ranges = region.region.as_slice().iter().map(|range| {
                    let first = self.domains.evaluate(&range.min);
                    let last = object_ir::tir::fold::add(&range.min, &range.extent);
                    let last = self.domains.evaluate(&last);
                    match (first, last) {
                        (IntSet::Bounds(min, _), IntSet::Bounds(_, end)) => IntSet::until(min, &end),
                        _ => IntSet::All,
                    }
                });
                let ranges = ranges.collect();
                self.add(is_write, &region.buffer, ranges);
            }
        }
        self.domains.values.truncate(outer);
    }

    fn walk(&mut self, root: ObjectView<'_>) {
        let mut stack = vec![Step::Visit(root)];
        while let Some(step) = stack.pop() {
            let object = match step {
                Step::Visit(object) => object,
                Step::LeaveLoop(count) => {
                    self.domains.loops.truncate(count);
                    continue;
                }
            };
            if let Some(realize) = object.node::<SBlockRealizeNode>() {
                self.inner_block(realize);
                continue;
            }
            let mut next = Vec::new();
            if let Some(stmt) = object.node::<ForNode>() {
                next.extend([stmt.min.as_object().view(), stmt.extent.as_object().view()]);
                stack.push(Step::LeaveLoop(self.domains.loops.len()));
                self.domains.enter(&stmt.loop_var, &stmt.min, &stmt.extent);
                next.push(stmt.body.as_object().view());
            } else if let Some(store) = object.node::<BufferStoreNode>() {
                let region = self.indices(store.indices.as_slice());
                self.add(true, &store.buffer, region);
                next.push(store.value.as_object().view());
                next.extend(store.indices.as_slice().iter().map(|index| index.as_object().view()));
            } else if let Some(load) = object.node::<BufferLoadNode>() {
                let region = self.indices(load.indices.as_slice());
                self.add(false, &load.buffer, region);
                next.extend(load.indices.as_slice().iter().map(|index| index.as_object().view()));
            } else if let Some(bind) = object.node::<BindNode>() {
                self.domains.values.push((bind.var.clone(), bind.value.clone()));
                next.push(bind.value.as_object().view());
            } else if object.node::<object_ir::tir::BufferNode>().is_none() {
                children(object, &mut |child| next.push(child));
            }
            stack.extend(next.into_iter().rev().map(Step::Visit));
        }
    }
}

/// Calls `visit` with the objects in the fields and elements of an object.
fn children<'o>(object: ObjectView<'o>, visit: &mut impl FnMut(ObjectView<'o>)) {
    if let Some(items) = object.as_array() {
        items.iter().filter_map(AnyView::as_object).for_each(visit);
        return;
    }
    object.fields().filter_map(|(_, value)| value.as_object()).for_each(visit);
}

/// The parts that a block reads, and the parts that it writes. A block with initial statements does not read the buffers
/// that it writes.
pub(crate) fn access(facts: &BlockFacts, body: &Stmt) -> (Vec<BufferRegion>, Vec<BufferRegion>) {
    let mut walk = Walk::default();
    walk.own.extend(facts.allocations.iter().map(|buffer| buffer.as_object().view().address()));
    for matched in &facts.matches {
        walk.own.insert(matched.buffer.as_object().view().address());
    }
    if let Some(init) = &facts.init {
        walk.walk(init.as_object().view());
    }
    walk.walk(body.as_object().view());
    if facts.init.is_some() {
        let writes = &walk.writes;
        walk.reads.retain(|(buffer, _)| !writes.iter().any(|(known, _)| known.as_object().ptr_eq(buffer.as_object())));
    }
    (regions(walk.reads), regions(walk.writes))
}

fn regions(accesses: Accesses) -> Vec<BufferRegion> {
    let region = |(buffer, region): (Buffer, Vec<IntSet>)| {
        let ranges = region.iter().zip(buffer.shape.as_slice()).map(|(set, whole)| set.range(whole));
        let ranges: Vec<_> = ranges.collect();
        BufferRegion::new(buffer, ranges)
    };
    accesses.into_iter().map(region).collect()
}

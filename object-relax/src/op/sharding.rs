//! The results of operators on distributed tensors: their distribution follows from the distribution of the arguments.
//!
//! The operator infers the whole tensor first. A rule of this module then says which dimension of the result has the
//! parts of which dimension of an argument (TVM 0.25 `src/relax/distributed/axis_group_graph.cc`).

use object_core::prelude::*;
use object_ir::attrs::{PermuteDimsAttrs, ScatterCollectiveAttrs, SoftmaxAttrs, StatisticalAttrs};
use object_ir::distributed::{DTensorStructInfo, Placement, PlacementSpec, placement_spec_kind};
use object_ir::ir::{PrimExpr, StructInfo, TensorStructInfo};
use object_ir::tir::{greater, less};

use super::axes::{axes, axis};
use super::describe::describe;
use super::dims::{Dims, constant, product};
use super::op_call::OpCall;

/// The rule for the distribution of a result.
pub(crate) type Sharding = fn(&ShardedCall<'_>) -> Result<StructInfo, Error>;

/// A call of an operator on distributed tensors.
pub(crate) struct ShardedCall<'a> {
    /// The call on the whole tensors.
    call: &'a OpCall<'a>,
    /// The distributed tensors among the arguments, in order.
    inputs: Vec<DTensorStructInfo>,
    /// The structural information of the whole result.
    whole: TensorStructInfo,
}

/// A dimension of an argument, and the dimension of the result that has the same parts.
struct Link {
    input: usize,
    from: usize,
    to: usize,
}

impl<'a> ShardedCall<'a> {
    /// A call of an operator whose arguments contain the distributed tensors `inputs`.
    ///
    /// # Errors
    /// [`TypeMismatch`](ErrorKind::TypeMismatch) if other arguments are tensors that are not distributed, if the tensors
    /// are on different grids of devices, or if the result is not one tensor.
    pub(crate) fn new(call: &'a OpCall<'a>, inputs: Vec<DTensorStructInfo>, whole: &StructInfo) -> Result<Self, Error> {
        let count = (0..call.len()).filter(|index| call.info(*index).is::<TensorStructInfo>()).count();
        if count != inputs.len() {
            let message = format!(
                "expected only distributed tensors, got {} of {count} tensors without a distribution",
                count - inputs.len()
            );
            return Err(call.error(ErrorKind::TypeMismatch, message));
        }
        let mut meshes = inputs.iter().map(|input| &input.device_mesh);
        let first = meshes.next();
        if meshes.any(|mesh| first.is_some_and(|first| !structural_equal(first, mesh))) {
            return Err(
                call.error(ErrorKind::TypeMismatch, "expected distributed tensors on one grid of devices, got several")
            );
        }
        let whole = whole.downcast_ref::<TensorStructInfo>().cloned().ok_or_else(|| {
            let message = format!("expected a tensor as the result of distributed tensors, got {}", describe(whole));
            call.error(ErrorKind::TypeMismatch, message)
        })?;
        Ok(ShardedCall { call, inputs, whole })
    }

    /// The first distributed tensor.
    fn first(&self) -> Result<&DTensorStructInfo, Error> {
        self.inputs
            .first()
            .ok_or_else(|| self.call.error(ErrorKind::TypeMismatch, "expected a distributed tensor, got none"))
    }

    /// The dimensions of the distributed tensor at `index`, which have to be known.
    fn dims(&self, index: usize) -> Result<Vec<PrimExpr>, Error> {
        known(self.call, &Dims::of(&self.inputs[index].tensor_sinfo))
    }

    /// The whole tensor with another distribution.
    fn distributed(&self, specs: Vec<PlacementSpec>) -> Result<StructInfo, Error> {
        let placement = Placement::new(specs);
        Ok(DTensorStructInfo::new(self.first()?.device_mesh.clone(), placement, self.whole.clone()).into())
    }

    /// The distribution in which each device has the whole tensor.
    fn replicas(&self) -> Result<Vec<PlacementSpec>, Error> {
        let grid_rank = self.first()?.device_mesh.shape.len();
        Ok(vec![PlacementSpec::new(-1, placement_spec_kind::REPLICA); grid_rank])
    }

    /// The result, whose dimensions have the parts of the linked dimensions of arguments. Where two dimensions are split
    /// along one dimension of the grid, the last one counts.
    fn linked(&self, links: &[Link]) -> Result<StructInfo, Error> {
        known(self.call, &Dims::of(&self.whole))?;
        let mut specs = self.replicas()?;
        for to in 0..usize::try_from(self.whole.ndim).unwrap_or_default() {
            let mut splits = links.iter().filter(|link| link.to == to).filter_map(|link| self.split(link));
            let Some(split) = splits.next() else { continue };
            if let Some(other) = splits.find(|other| *other != split) {
                let message = format!(
                    "expected one distribution of dimension {to} of the result, got dimensions {split} and {other} of the grid"
                );
                return Err(self.call.error(ErrorKind::TypeMismatch, message));
            }
            let axis = i64::try_from(to).unwrap_or_default();
            if let Some(spec) = specs.get_mut(split) {
                *spec = PlacementSpec::new(axis, placement_spec_kind::SHARDING);
            }
        }
        self.distributed(specs)
    }

    /// The dimension of the grid along which the linked dimension of an argument is split.
    fn split(&self, link: &Link) -> Option<usize> {
        let specs = &self.inputs.get(link.input)?.placement.dim_specs;
        let is_split = |spec: &PlacementSpec| {
            spec.kind == placement_spec_kind::SHARDING && usize::try_from(spec.axis) == Ok(link.from)
        };
        specs.as_slice().iter().position(is_split)
    }
}

fn known(call: &OpCall<'_>, dims: &Dims) -> Result<Vec<PrimExpr>, Error> {
    dims.known().map(<[_]>::to_vec).ok_or_else(|| {
        call.error(
            ErrorKind::TypeMismatch,
            "expected known shapes of distributed tensors and of the result, got an unknown one",
        )
    })
}

/// The result has the distribution of its only argument.
pub(crate) fn same_parts(call: &ShardedCall<'_>) -> Result<StructInfo, Error> {
    call.distributed(call.first()?.placement.dim_specs.as_slice().to_vec())
}

/// The result has no parts: each device has all of it.
pub(crate) fn no_parts(call: &ShardedCall<'_>) -> Result<StructInfo, Error> {
    call.distributed(call.replicas()?)
}

/// The dimensions of two arguments broadcast.
pub(crate) fn broadcast_parts(call: &ShardedCall<'_>) -> Result<StructInfo, Error> {
    if call.inputs.len() == 1 {
        return same_parts(call);
    }
    let mut links = Vec::new();
    link_broadcast(call, &call.dims(0)?, &call.dims(1)?, &mut links);
    call.linked(&links)
}

/// Links the dimensions of two shapes, aligned at their ends, to the dimensions of their broadcast. A dimension of size 1
/// has no parts if the other one is larger.
fn link_broadcast(call: &ShardedCall<'_>, a: &[PrimExpr], b: &[PrimExpr], links: &mut Vec<Link>) {
    let rank = a.len().max(b.len());
    let place = |dims: &[PrimExpr], to: usize| (to + dims.len()).checked_sub(rank);
    for to in 0..rank {
        let (from_a, from_b) = (place(a, to), place(b, to));
        let counts = |own: Option<usize>, dims: &[PrimExpr], other: Option<usize>, others: &[PrimExpr]| {
            let own = own?;
            let covers = other.is_none_or(|other| {
                constant(&dims[own]) != Some(1)
                    || call.call.analyzer().prove_equal(&dims[own], &others[other]).is_true()
            });
            covers.then_some(own)
        };
        let from = [counts(from_a, a, from_b, b), counts(from_b, b, from_a, a)];
        links.extend(from.into_iter().enumerate().filter_map(|(input, from)| Some(Link { input, from: from?, to })));
    }
}

/// The dimensions over which a reduction runs have no counterpart in the result.
pub(crate) fn reduced_parts(call: &ShardedCall<'_>) -> Result<StructInfo, Error> {
    let (rank, attrs) = (call.dims(0)?.len(), call.call.attrs::<StatisticalAttrs>()?);
    let Some(given) = &attrs.axis else { return call.linked(&[]) };
    let removed = axes(call.call, "axis", &given.iter().collect::<Vec<_>>(), rank)?;
    let kept = (0..rank).filter(|from| !removed.contains(from));
    let links =
        kept.enumerate().map(|(count, from)| Link { input: 0, from, to: if attrs.keepdims { from } else { count } });
    call.linked(&links.collect::<Vec<_>>())
}

/// The dimension of a softmax has no parts in the result.
pub(crate) fn softmax_parts(call: &ShardedCall<'_>) -> Result<StructInfo, Error> {
    let rank = call.dims(0)?.len();
    let removed = axis(call.call, "axis", call.call.attrs::<SoftmaxAttrs>()?.axis, rank)?;
    let links = (0..rank).filter(|from| *from != removed).map(|from| Link { input: 0, from, to: from });
    call.linked(&links.collect::<Vec<_>>())
}

/// The rows of the left matrix and the columns of the right one are in the result, and the dimensions before them
/// broadcast.
pub(crate) fn matmul_parts(call: &ShardedCall<'_>) -> Result<StructInfo, Error> {
    let (a, b) = (call.dims(0)?, call.dims(1)?);
    let mut links = Vec::new();
    let batches = [&a, &b].map(|dims| dims.len().saturating_sub(2));
    link_broadcast(call, &a[..batches[0]], &b[..batches[1]], &mut links);
    let mut to = batches[0].max(batches[1]);
    if a.len() > 1 {
        links.push(Link { input: 0, from: a.len() - 2, to });
        to += 1;
    }
    if b.len() > 1 {
        links.push(Link { input: 1, from: b.len() - 1, to });
    }
    call.linked(&links)
}

/// The dimensions of the argument, in another order.
pub(crate) fn permuted_parts(call: &ShardedCall<'_>) -> Result<StructInfo, Error> {
    let rank = call.dims(0)?.len();
    let order = match &call.call.attrs::<PermuteDimsAttrs>()?.axes {
        Some(given) => axes(call.call, "axes", &given.iter().collect::<Vec<_>>(), rank)?,
        None => (0..rank).rev().collect(),
    };
    let links = order.into_iter().enumerate().map(|(to, from)| Link { input: 0, from, to });
    call.linked(&links.collect::<Vec<_>>())
}

/// A dimension of the argument and a dimension of the result have the same parts if as many elements come after both.
/// The first dimensions have none, as in TVM.
pub(crate) fn reshaped_parts(call: &ShardedCall<'_>) -> Result<StructInfo, Error> {
    let (old, new) = (call.dims(0)?, known(call.call, &Dims::of(&call.whole))?);
    let (mut from, mut to) = (old.len(), new.len());
    let mut links = Vec::new();
    while from > 0 && to > 0 {
        let (before, after) = (product(&old[from..])?, product(&new[to..])?);
        let analyzer = call.call.analyzer();
        if analyzer.prove(&greater(&after, &before)?).is_true() {
            from -= 1;
        } else if analyzer.prove(&less(&after, &before)?).is_true() {
            to -= 1;
        } else {
            if from != old.len() {
                links.push(Link { input: 0, from, to });
            }
            (from, to) = (from - 1, to - 1);
        }
    }
    call.linked(&links)
}

/// A tensor that each device has becomes parts along an axis, on a grid with one dimension.
pub(crate) fn scattered_parts(call: &ShardedCall<'_>) -> Result<StructInfo, Error> {
    let input = call.first()?;
    let specs = input.placement.dim_specs.as_slice();
    if input.device_mesh.shape.len() != 1 || !specs.iter().all(|spec| spec.kind == placement_spec_kind::REPLICA) {
        let message = "expected a tensor that all devices of a grid of one dimension have, got another distribution";
        return Err(call.call.argument_error(ErrorKind::TypeMismatch, 0, message));
    }
    let place = axis(call.call, "axis", call.call.attrs::<ScatterCollectiveAttrs>()?.axis, call.dims(0)?.len())?;
    let spec = PlacementSpec::new(i64::try_from(place).unwrap_or_default(), placement_spec_kind::SHARDING);
    let whole = input.tensor_sinfo.clone();
    Ok(DTensorStructInfo::new(input.device_mesh.clone(), Placement::new([spec]), whole).into())
}

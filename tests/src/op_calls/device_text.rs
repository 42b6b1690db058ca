//! Devices in tables: `cuda:1` is a virtual device, `2x3` a grid of devices, and `R, 0` a placement on a grid.

use object_core::prelude::*;
use object_ir::distributed::{DeviceMesh, Placement, PlacementSpec, placement_spec_kind};
use object_ir::ir::VDevice;
use object_ir::target::{Target, TargetKind};

/// `cuda:1` is a device with a target, and `1` is a device without one.
pub(super) fn vdevice(text: &str) -> VDevice {
    let (kind, number) = text.split_once(':').map_or((None, text), |(kind, number)| (Some(kind), number));
    let target = kind.map(|kind| {
        let kind = TargetKind::get(kind).unwrap_or_else(|error| panic!("{error}"));
        Target::new(kind, "", Array::<Str>::new([]), Map::new([]), None)
    });
    VDevice::new(target, number.parse::<i64>().unwrap_or_else(|error| panic!("{error}")), "global")
}

/// A grid of devices with the extents in `text`, such as `2x3`.
pub(super) fn mesh(text: &str) -> DeviceMesh {
    let extents = text.split('x').map(|extent| extent.parse().unwrap_or_else(|error| panic!("{text}: {error}")));
    let extents: Vec<i64> = extents.collect();
    let devices: Vec<i64> = (0..extents.iter().product()).collect();
    DeviceMesh::new(extents, devices, None)
}

/// A placement with an entry for each dimension of the grid: `R`, or the dimension of the tensor that is split.
pub(super) fn placement(entries: &[&str]) -> Placement {
    let spec = |text: &&str| match text.parse::<i64>() {
        Ok(axis) => PlacementSpec::new(axis, placement_spec_kind::SHARDING),
        Err(_) => PlacementSpec::new(-1, placement_spec_kind::REPLICA),
    };
    Placement::new(entries.iter().map(spec).collect::<Vec<_>>())
}

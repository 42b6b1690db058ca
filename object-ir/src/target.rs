//! Targets: descriptions of the hardware to compile for.

use object_core::prelude::*;

use crate::ir::attrs::AttrsNode;
use crate::table::{number, rows};

/// A family of hardware or code generators. There is one object per name, and JSON has only the
/// name.
///
/// TVM 0.25 `target.TargetKind`.
#[derive(Object)]
#[object(type_key = "target.TargetKind", files = tvm)]
#[structural_eq(singleton, key = name, table = crate::target::target_kind_table)]
pub struct TargetKindNode {
    /// The name, such as `llvm` or `cuda`.
    pub name: Str,
    /// The DLPack device type that executes its code.
    #[field(ignore, default)]
    pub default_device_type: i64,
    /// The keys of a target of this kind that does not set `keys`.
    #[field(ignore, default)]
    pub default_keys: Array<Str>,
}

/// A target of compilation: a kind with its options.
///
/// TVM 0.25 `target.Target`.
#[derive(Object)]
#[object(type_key = "target.Target", files = tvm)]
#[structural_eq(tree)]
pub struct TargetNode {
    /// The family.
    pub kind: TargetKind,
    /// The name of a predefined target; empty if none.
    pub tag: Str,
    /// The keys by which passes find specialised code, most specific first.
    pub keys: Array<Str>,
    /// The options by name, such as `mcpu` or `max_num_threads`.
    pub attrs: Map<Str, Any>,
    /// The target of the host code.
    pub host: Option<Target>,
}

/// A predefined target by name. Comparing two of them is an error.
///
/// TVM 0.25 `target.TargetTag`.
#[derive(Object)]
#[object(type_key = "target.TargetTag", files = tvm)]
#[structural_eq(none)]
pub struct TargetTagNode {
    /// The name, such as `nvidia/nvidia-a100`.
    pub name: Str,
    /// The options.
    pub config: Map<Str, Any>,
}

/// A device for a value: where to store it, and the target of the code that computes it. Each field may be open.
///
/// TVM 0.25 `target.VirtualDevice`.
#[derive(Object)]
#[object(type_key = "target.VirtualDevice", files = tvm, parent = AttrsNode)]
#[structural_eq(tree)]
pub struct VirtualDeviceNode {
    /// The [`AttrsNode`] part.
    pub base: AttrsNode,
    /// The DLPack device type, equal to the type of `target` if there is one; -1 if open.
    #[field(default = -1)]
    pub device_type_int: i64,
    /// Which device of the type and target; -1 if open.
    #[field(default = -1)]
    pub virtual_device_id: i64,
    /// The target of compilation; none if open.
    #[field(default)]
    pub target: Option<Target>,
    /// The memory of the device, such as `global`; empty if open.
    #[field(default)]
    pub memory_scope: Str,
}

/// All target kinds, from `data/target_kinds.txt`.
#[must_use]
pub fn target_kind_table() -> Vec<TargetKindNode> {
    rows(include_str!("../data/target_kinds.txt"))
        .map(|[name, default_device_type, default_keys]| TargetKindNode {
            name: Str::from(name),
            default_device_type: number(default_device_type),
            default_keys: default_keys.split(',').filter(|key| !key.is_empty()).map(Str::from).collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_kind_of_tvm_is_there() {
        let table = target_kind_table();
        assert_eq!(table.len(), 14);
        let cuda = table.iter().find(|kind| &*kind.name == "cuda").unwrap();
        assert_eq!(cuda.default_device_type, 2);
        assert_eq!(cuda.default_keys.iter().collect::<Vec<Str>>(), [Str::from("cuda"), Str::from("gpu")]);
    }
}

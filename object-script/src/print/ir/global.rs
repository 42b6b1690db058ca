//! Attributes, global names, containers, and entries of a module's global infos (TVM 0.25 src/script/printer/ir).

use object_core::{AnyView, AsAnyView, ObjectHandle, ObjectView};
use object_ir::ir::{DictAttrsNode, DummyGlobalInfoNode, GlobalVarNode, OpNode, VDevice};
use object_ir::target::TargetNode;

use crate::print::doc::tree::Doc;
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use object_core::print::Path;

/// An array as a list.
pub(crate) fn array(p: &mut Printer<'_>, items: object_core::container::ArrayView<'_>, path: Path) -> Doc {
    let docs: Vec<Doc> = items
        .iter()
        .enumerate()
        .map(|(index, item)| {
            let path = p.paths.item(path, index);
            p.expr_of(item, path)
        })
        .collect();
    p.list(&docs)
}

/// A map as a dict; one with texts as keys in the order of the keys.
pub(crate) fn map(p: &mut Printer<'_>, map: &object_core::container::MapData, path: Path) -> Doc {
    entries(p, map.iter().collect(), path)
}

fn entries(p: &mut Printer<'_>, mut entries: Vec<(AnyView<'_>, AnyView<'_>)>, path: Path) -> Doc {
    if entries.iter().all(|(key, _)| key.as_str().is_some()) {
        entries.sort_by_key(|(key, _)| key.as_str());
    }
    let mut docs = Vec::with_capacity(entries.len() * 2);
    for (key, value) in entries {
        let path = p.paths.entry(path, key);
        let key = match key.as_str() {
            Some(text) => p.string(text),
            None => p.expr_of(key, path),
        };
        docs.extend([key, p.expr_of(value, path)]);
    }
    p.dict(&docs)
}

/// The extents of a shape as a tuple.
pub(crate) fn shape(p: &mut Printer<'_>, extents: &[i64], path: Path) -> Doc {
    let dtype = object_core::DataType::int(if p.dialect() == Dialect::Relax { 64 } else { 32 });
    let docs: Vec<Doc> = extents
        .iter()
        .enumerate()
        .map(|(index, &extent)| {
            let path = p.paths.item(path, index);
            crate::print::ir::scalar::int(p, extent, dtype, path)
        })
        .collect();
    p.tuple(&docs)
}

/// Attributes as a dict.
pub(crate) fn dict_attrs(p: &mut Printer<'_>, attrs: &DictAttrsNode, path: Path) -> Doc {
    p.field(path, "__dict__", &attrs.dict)
}

/// A function of the module: by its name in a function, alone as `I.GlobalVar("f")`.
pub(crate) fn global_var(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(var) = object.node::<GlobalVarNode>() else { return p.metadata_item(AnyView::Object(object)) };
    if p.dialect() == Dialect::Ir {
        let name = p.string_field(path, "name_hint", &var.name_hint);
        return p.dialect_call(Dialect::Ir, "GlobalVar", &[name], &[]);
    }
    match p.reference(object) {
        Some(name) => name,
        None => p.name(&var.name_hint),
    }
}

/// An operator alone.
pub(crate) fn op(p: &mut Printer<'_>, op: &OpNode, path: Path) -> Doc {
    let name = p.string_field(path, "name", &op.name);
    p.dialect_call(Dialect::Ir, "Op", &[name], &[])
}

/// A placeholder among the global infos.
pub(crate) fn dummy_global_info(p: &mut Printer<'_>, _: &DummyGlobalInfoNode, _: Path) -> Doc {
    p.dialect_call(Dialect::Ir, "dummy_global_info", &[], &[])
}

/// A virtual device, which later references number by their kind of target.
pub(crate) fn vdevice(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let Some(vdevice) = object.to_handle::<VDevice>() else { return p.metadata_item(AnyView::Object(object)) };
    p.vdevices.push(vdevice.clone());
    let target = match &vdevice.target {
        Some(target) => {
            let path = p.paths.field(path, "target");
            config(p, target.as_object().view(), path)
        }
        None => p.any(AnyView::None, path),
    };
    let id_path = p.paths.field(path, "vdevice_id");
    let id = p.int(vdevice.vdevice_id, id_path);
    let scope = p.string_field(path, "memory_scope", &vdevice.memory_scope);
    p.dialect_call(Dialect::Ir, "vdevice", &[target, id, scope], &[])
}

/// A virtual device as other nodes refer to it: `llvm:0:global`.
fn vdevice_name(p: &Printer<'_>, vdevice: &VDevice) -> String {
    let kind = |device: &VDevice| device.target.as_ref().map(|target| target.kind.name.clone());
    let own_kind = kind(vdevice);
    let same = |other: &VDevice| other.as_object().ptr_eq(vdevice.as_object());
    // As in TVM, a device that the module does not list has the number -1.
    let index = match p.vdevices.iter().position(same) {
        Some(end) => p.vdevices[..end].iter().filter(|&other| kind(other) == own_kind).count().to_string(),
        None => "-1".to_owned(),
    };
    format!("{}:{index}:{}", own_kind.as_deref().unwrap_or_default(), vdevice.memory_scope)
}

/// A virtual device that is a field of the object at `path`: its name. The exact text has a device that the module does not
/// list in the metadata.
pub(crate) fn vdevice_reference(p: &mut Printer<'_>, vdevice: &VDevice, (path, field): (Path, &'static str)) -> Doc {
    let is_listed = |p: &Printer<'_>| p.vdevices.iter().any(|other| other.as_object().ptr_eq(vdevice.as_object()));
    if p.options.exact && !is_listed(p) {
        return p.metadata_item(vdevice.as_any_view());
    }
    let name = vdevice_name(p, vdevice);
    p.string_field(path, field, &name)
}

/// A target as `T.target(config)`.
pub(crate) fn target(p: &mut Printer<'_>, target: ObjectView<'_>, path: Path) -> Doc {
    let config = config(p, target, path);
    if p.options.exact {
        return config;
    }
    p.dialect_call(Dialect::Tir, "target", &[config], &[])
}

/// The configuration that makes the target: its fields and attributes as one dict.
///
/// A target has facts that no configuration states, so the exact text has it in the metadata.
fn config(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let target = object.node::<TargetNode>().filter(|_| !p.options.exact);
    let Some(target) = target else { return p.metadata_item(AnyView::Object(object)) };
    let kind_path = p.paths.field(path, "kind");
    let mut parts: Vec<(&str, AnyView<'_>, Path)> = vec![
        ("kind", target.kind.name.as_any_view(), p.paths.field(kind_path, "name")),
        ("tag", target.tag.as_any_view(), p.paths.field(path, "tag")),
        ("keys", target.keys.as_any_view(), p.paths.field(path, "keys")),
    ];
    if let Some(host) = &target.host {
        parts.push(("host", host.as_any_view(), p.paths.field(path, "host")));
    }
    let attrs_path = p.paths.field(path, "attrs");
    for (name, value) in target.attrs.data().iter() {
        let path = p.paths.entry(attrs_path, name);
        let Some(name) = name.as_str() else { continue };
        parts.retain(|(known, ..)| *known != name);
        parts.push((name, value, path));
    }
    parts.sort_by_key(|(name, ..)| *name);
    let mut docs = Vec::new();
    for (name, value, path) in parts {
        let key = p.string(name);
        let value = match value.as_object().filter(|object| object.node::<TargetNode>().is_some()) {
            Some(host) if name == "host" => config(p, host, path),
            _ => p.expr_of(value, path),
        };
        docs.extend([key, value]);
    }
    p.dict(&docs)
}

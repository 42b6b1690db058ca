//! The global infos of a module, and virtual devices by name (TVM 0.25 python/tvm/script/ir_builder/ir/ir.py).

use object_core::ObjectHandle;
use object_ir::ir::{GlobalInfo, VDevice};

use crate::parse::ir::target::target;
use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// The virtual device of an argument: its name, such as `llvm:0` or `llvm:0:global`, or a device.
///
/// # Errors
/// Reports another value, and a device that the module does not have.
pub(crate) fn device(p: &mut Parser<'_>, argument: &Argument) -> Eval<VDevice> {
    let Value::Str(name) = &argument.value else {
        return argument.object(p, "a virtual device such as \"llvm:0\"");
    };
    let mut parts = name.split(':');
    let kind = parts.next().unwrap_or_default();
    let index = match parts.next().map(str::parse::<i64>) {
        None => 0,
        Some(Ok(index)) => index,
        Some(Err(_)) => return Err(argument.expected(p, "a virtual device such as \"llvm:0\"")),
    };
    // The printer writes the number -1 for a device that the module does not list.
    if index == -1 {
        let kind = Argument { value: Value::Str(kind.into()), range: argument.range };
        let target = target(p, &kind)?;
        return Ok(VDevice::new(Some(target), 0, parts.next().unwrap_or("global")));
    }
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    let devices = p.global_infos.iter().filter(|(key, _)| key == "vdevice").flat_map(|(_, infos)| infos);
    let devices = devices.filter_map(|info| info.as_object().view().to_handle::<VDevice>());
    let is_kind = |device: &VDevice| device.target.as_ref().is_some_and(|target| &*target.kind.name == kind);
    let found = devices.filter(is_kind).nth(index);
    found.ok_or_else(|| {
        let message = format!("the module does not have the virtual device {:?}", name.as_str());
        let hint = Some("list it in `I.module_global_infos({\"vdevice\": [...]})`".to_owned());
        p.error_with_hint(argument.range, message, hint)
    })
}

/// The entries of a dict from kinds to lists of global infos.
///
/// # Errors
/// Reports another value.
pub(crate) fn entries(p: &mut Parser<'_>, argument: &Argument) -> Eval<Vec<(String, Vec<GlobalInfo>)>> {
    let Value::Dict(entries) = &argument.value else { return Err(argument.expected(p, "a dict of lists")) };
    let mut result = Vec::new();
    for (name, infos) in entries.iter() {
        let (Some(name), Some(infos)) = (name.as_str(), infos.items()) else {
            return Err(argument.expected(p, "a dict from names to lists of global infos"));
        };
        let mut list = Vec::new();
        for info in infos.iter() {
            let info = Argument { value: info.clone(), range: argument.range };
            list.push(info.object::<GlobalInfo>(p, "a global info such as `I.vdevice(\"llvm\")`")?);
        }
        result.push((name.to_owned(), list));
    }
    Ok(result)
}

//! Attributes in tables: `{axis: [0], keepdims: true}`; fields that are left out have their defaults.
//!
//! `int64(2)` is an `IntImm`, `float32(0.5)` a `FloatImm`, `prim(2)` a `PrimValue`, `map(i, j; j, i)` an index map, `on(cuda:1)` a virtual device,
//! `mesh(2x3)` a grid of devices, and `placement(R, 0)` a placement.

use object_core::prelude::*;
use object_core::{Any, ObjectBuilder};
use object_ir::ir::{Attrs, FloatImm, PrimExpr, PrimValue};
use object_ir::tir::{self, IndexMap};
use object_relax::op::Signature;

use super::device_text::{mesh, placement, vdevice};
use super::tokens::{split, strip_call};
use crate::scalar_text::Scope;

/// The attributes of a call: the defaults of the operator with the given fields, or none without fields and defaults.
pub(super) fn attributes(signature: &Signature, text: &str) -> Option<Attrs> {
    let type_info = signature.attributes()?;
    let default = signature.default_attributes();
    let fields = split(text, ",");
    let mut builder = match &default {
        Some(default) => ObjectBuilder::from_object(default.as_object().view()),
        None if text.is_empty() => return None,
        None => ObjectBuilder::new(type_info),
    }
    .unwrap_or_else(|error| panic!("{error}"));
    for field in fields {
        let (name, value) = field.split_once(':').unwrap_or_else(|| panic!("`{field}`: expected `name: value`"));
        builder.set(name.trim(), self::value(value.trim())).unwrap_or_else(|error| panic!("`{field}`: {error}"));
    }
    let object = builder.build().unwrap_or_else(|error| panic!("{}: {error}", signature.name));
    Some(Any::from(object).cast().unwrap_or_else(|error| panic!("{error}")))
}

fn value(text: &str) -> Any {
    if let Some(items) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        return Array::from_anys(split(items, ",").into_iter().map(value).collect()).into();
    }
    if let Some(quoted) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        return Str::from(quoted).into();
    }
    match text {
        "none" => return Any::None,
        "{}" => return Map::<Any, Any>::new([]).into(),
        "true" | "false" => return (text == "true").into(),
        _ => {}
    }
    if let Ok(int) = text.parse::<i64>() {
        return int.into();
    }
    if let Some(int) = strip_call(text, "int64") {
        return Scope::default().parse(int).into();
    }
    if let Some(float) = strip_call(text, "float32") {
        let float: f64 = float.parse().unwrap_or_else(|error| panic!("`{text}`: {error}"));
        return FloatImm::new(DataType::float(32), float).into();
    }
    if let Some(value) = strip_call(text, "prim") {
        return PrimValue::of(Scope::default().parse(value)).into();
    }
    if let Some(device) = strip_call(text, "on") {
        return vdevice(device).into();
    }
    if let Some(grid) = strip_call(text, "mesh") {
        return mesh(grid).into();
    }
    if let Some(entries) = strip_call(text, "placement") {
        return placement(&split(entries, ",")).into();
    }
    if let Some(map) = strip_call(text, "map") {
        return index_map(map).into();
    }
    if let Ok(float) = text.parse::<f64>() {
        return float.into();
    }
    let dtype: DataType = text.parse().unwrap_or_else(|error| panic!("`{text}`: {error}"));
    dtype.into()
}

fn index_map(text: &str) -> IndexMap {
    let (initial, last) = text.split_once(';').unwrap_or_else(|| panic!("`{text}`: expected indices, `;` and indices"));
    let mut scope = Scope::default();
    let mut parse = |text| split(text, ",").into_iter().map(|index| scope.parse(index)).collect::<Vec<PrimExpr>>();
    let initial = parse(initial).into_iter().map(|index| index.downcast::<tir::Var>().expect("a variable"));
    let initial: Vec<_> = initial.collect();
    IndexMap::new(initial, parse(last), None)
}

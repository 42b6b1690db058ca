//! The dataflow of functions as JSON for other viewers: Model Explorer, and Netron, which reads the JSON form of ONNX.

use std::collections::HashSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use object_core::{DataType, ObjectHandle};
use object_ir::ir::{IntImm, PrimExpr, RelaxExpr, StructInfo};
use object_ir::kind::{RelaxExprKind, StructInfoKind};
use object_script::print::ScriptPrinter;
use serde_json::{Value, json};

use crate::dataflow::{Group, Item, Part};

/// The version of the representation of ONNX that first has types of values in functions.
const ONNX_IR_VERSION: &str = "10";

/// The domain of the operators in the JSON of ONNX.
const DOMAIN: &str = "relax";

/// A collection of graphs of Model Explorer, one for each function: `GraphCollection` of `graph_builder.py` of version 0.1.34.
pub(crate) fn model_explorer(file: &str, groups: &[Group]) -> Value {
    let graphs: Vec<Value> = groups.iter().map(explorer_graph).collect();
    json!({ "label": file, "graphs": graphs })
}

fn explorer_graph(group: &Group) -> Value {
    let pair = |key: &str, value: &str| json!({ "key": key, "value": value });
    let node = |(index, item): (usize, &Item)| {
        let sources = sources(group, index);
        let edges: Vec<Value> = sources
            .enumerate()
            .map(|(input, from)| {
                let (from, input) = (from.to_string(), input.to_string());
                json!({ "sourceNodeId": from, "sourceNodeOutputId": "0", "targetNodeInputId": input })
            })
            .collect();
        let mut attributes = vec![pair("variable", &item.name)];
        attributes.retain(|_| !item.name.is_empty());
        attributes.extend(item.attributes.iter().map(|(name, value)| pair(name, value)));
        let shown = item.line.strip_prefix(&item.name).unwrap_or(&item.line).trim_start();
        json!({
            "id": index.to_string(),
            "label": item.title,
            "namespace": "",
            "attrs": attributes,
            "incomingEdges": edges,
            "outputsMetadata": [{ "id": "0", "attrs": [pair("tensor_shape", shown)] }],
        })
    };
    json!({ "id": group.name, "nodes": group.items.iter().enumerate().map(node).collect::<Vec<_>>() })
}

/// The items that an item uses.
fn sources(group: &Group, item: usize) -> impl Iterator<Item = usize> {
    group.arrows.iter().filter(move |(_, to)| *to == item).map(|(from, _)| *from)
}

/// A model of ONNX (`ModelProto` of `onnx.proto`, as JSON of Protocol Buffers) for viewers. The operators are those of Relax, so no
/// runtime of ONNX runs it. The first function is its graph, and the others are its functions.
pub(crate) fn onnx(groups: &[Group], printer: &ScriptPrinter) -> Value {
    let functions: Vec<Value> = groups.iter().skip(1).map(|group| onnx_function(group, printer)).collect();
    json!({
        "irVersion": ONNX_IR_VERSION,
        "producerName": "objir",
        "opsetImport": [{ "domain": DOMAIN, "version": "1" }],
        "graph": groups.first().map(|group| onnx_graph(group, printer)),
        "functions": functions,
    })
}

fn onnx_graph(group: &Group, printer: &ScriptPrinter) -> Value {
    let names = value_names(group);
    let info = |index: usize| value_info(&names[index], &group.items[index], printer);
    let values = |part: Part| -> Vec<Value> { items(group, part).map(|(index, _)| info(index)).collect() };
    json!({
        "name": group.name,
        "node": nodes(group, &names),
        "input": values(Part::Parameter),
        "output": results(group).map(info).collect::<Vec<_>>(),
        "valueInfo": values(Part::Binding),
    })
}

fn onnx_function(group: &Group, printer: &ScriptPrinter) -> Value {
    let names = value_names(group);
    let inputs: Vec<&str> = items(group, Part::Parameter).map(|(index, _)| &*names[index]).collect();
    let outputs: Vec<&str> = results(group).map(|index| &*names[index]).collect();
    let info: Vec<Value> =
        items(group, Part::Binding).map(|(index, item)| value_info(&names[index], item, printer)).collect();
    json!({
        "name": group.name,
        "domain": DOMAIN,
        "node": nodes(group, &names),
        "input": inputs,
        "output": outputs,
        "valueInfo": info,
    })
}

/// The items of a part with their numbers.
fn items(group: &Group, part: Part) -> impl Iterator<Item = (usize, &Item)> {
    group.items.iter().enumerate().filter(move |(_, item)| item.part == part)
}

/// The names of the values: the names of the variables, with the number of the item where a name repeats.
fn value_names(group: &Group) -> Vec<String> {
    let mut known: HashSet<&str> = HashSet::new();
    let mut names = Vec::with_capacity(group.items.len());
    for (index, item) in group.items.iter().enumerate() {
        names.push(match known.insert(&item.name) {
            true => item.name.clone(),
            false => format!("{}%{index}", item.name),
        });
    }
    names
}

/// The items whose values a function returns.
fn results(group: &Group) -> impl Iterator<Item = usize> {
    items(group, Part::Result).flat_map(|(index, _)| sources(group, index))
}

fn nodes(group: &Group, names: &[String]) -> Vec<Value> {
    let attribute =
        |(name, value): &(String, String)| json!({ "name": name, "type": "STRING", "s": STANDARD.encode(value) });
    let node = |(index, item): (usize, &Item)| {
        json!({
            "name": item.name,
            "opType": item.title,
            "domain": DOMAIN,
            "input": sources(group, index).map(|from| &names[from]).collect::<Vec<_>>(),
            "output": [names[index]],
            "attribute": item.attributes.iter().map(attribute).collect::<Vec<_>>(),
        })
    };
    items(group, Part::Binding).map(node).collect()
}

fn value_info(name: &str, item: &Item, printer: &ScriptPrinter) -> Value {
    let mut info = json!({ "name": name });
    if let Some(ty) = item.struct_info.as_ref().and_then(|info| onnx_type(info, printer)) {
        info["type"] = ty;
    }
    info
}

/// The type of a tensor; `None` for other values.
fn onnx_type(info: &StructInfo, printer: &ScriptPrinter) -> Option<Value> {
    let StructInfoKind::TensorStructInfo(tensor) = StructInfoKind::of(info) else { return None };
    let dims = tensor.shape.as_ref().and_then(|shape| dims(shape, printer));
    Some(
        json!({ "tensorType": { "elemType": element_type(tensor.dtype), "shape": dims.map(|dims| json!({ "dim": dims })) } }),
    )
}

fn dims(shape: &RelaxExpr, printer: &ScriptPrinter) -> Option<Vec<Value>> {
    let RelaxExprKind::ShapeExpr(shape) = RelaxExprKind::of(shape) else { return None };
    let dim = |dim: PrimExpr| match dim.downcast_ref::<IntImm>() {
        Some(it) => json!({ "dimValue": it.value.to_string() }),
        None => json!({ "dimParam": printer.print_text(&dim).trim_end() }),
    };
    Some(shape.values.iter().map(dim).collect())
}

/// The number of `TensorProto.DataType` of `onnx.proto` 1.19, 0 for types that it does not have.
fn element_type(dtype: DataType) -> u8 {
    const NUMBERS: [(&str, u8); 19] = [
        ("float32", 1),
        ("uint8", 2),
        ("int8", 3),
        ("uint16", 4),
        ("int16", 5),
        ("int32", 6),
        ("int64", 7),
        ("bool", 9),
        ("float16", 10),
        ("float64", 11),
        ("uint32", 12),
        ("uint64", 13),
        ("bfloat16", 16),
        ("float8_e4m3fn", 17),
        ("float8_e5m2", 19),
        ("uint4", 21),
        ("int4", 22),
        ("float4_e2m1fn", 23),
        ("float8_e8m0fnu", 24),
    ];
    let name = dtype.to_string();
    NUMBERS.iter().find(|(known, _)| *known == name).map_or(0, |(_, number)| *number)
}

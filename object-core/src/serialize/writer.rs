//! Writes a JSON graph, node by node.

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::metadata::Metadata;
use super::number::push_float;
use super::order::order_nodes;
use super::tensor_blob;
use crate::error::{Error, ErrorKind, Result};
use crate::object::{AnyView, Body, JsonForm, ObjectView};
use crate::value::Tensor;

/// The text is handed on in pieces of about this size.
const PIECE: usize = 1 << 16;

/// Writes the graph below `root` as JSON, with `metadata` behind the nodes.
///
/// The text is byte for byte what `tvm.ir.save_json` of TVM 0.25 writes for the same graph.
///
/// # Errors
/// [`NotSerializable`](ErrorKind::NotSerializable), with the path, for functions and other values that exist in memory
/// only; what `out` says.
pub fn write_json(root: AnyView<'_>, metadata: Option<&Metadata>, out: &mut impl Write) -> Result<()> {
    let order = order_nodes(root)?;
    let mut text = Vec::with_capacity(PIECE + PIECE / 4);
    text.extend_from_slice(b"{\"root_index\":");
    push_int(&mut text, order.nodes.len().saturating_sub(1));
    text.extend_from_slice(b",\"nodes\":[");
    let mut references = order.references.iter().copied();
    for (index, node) in order.nodes.iter().enumerate() {
        if index > 0 {
            text.push(b',');
        }
        push_node(&mut text, *node, &mut references);
        if text.len() >= PIECE {
            out.write_all(&text)?;
            text.clear();
        }
    }
    text.push(b']');
    if let Some(metadata) = metadata {
        text.extend_from_slice(b",\"metadata\":");
        text.extend_from_slice(metadata.as_str().as_bytes());
    }
    text.push(b'}');
    out.write_all(&text)?;
    Ok(())
}

/// The graph below `root` as JSON text: see [`write_json`].
///
/// # Errors
/// As [`write_json`].
pub fn to_json(root: AnyView<'_>, metadata: Option<&Metadata>) -> Result<String> {
    let mut text = Vec::new();
    write_json(root, metadata, &mut text)?;
    String::from_utf8(text).map_err(|error| Error::new(ErrorKind::NotSerializable, error.to_string()))
}

fn push_node(text: &mut Vec<u8>, value: AnyView<'_>, references: &mut impl Iterator<Item = u32>) {
    text.extend_from_slice(b"{\"type\":");
    push_string(text, value.type_key());
    if !matches!(value, AnyView::None) {
        text.extend_from_slice(b",\"data\":");
        match value {
            AnyView::Object(object) => push_object(text, object, references),
            plain => push_plain(text, plain),
        }
    }
    text.push(b'}');
}

fn push_object(text: &mut Vec<u8>, object: ObjectView<'_>, references: &mut impl Iterator<Item = u32>) {
    let info = object.type_info();
    match (info.body, info.json) {
        (Body::Str, _) => push_string(text, object.as_str().unwrap_or_default()),
        (Body::Bytes, _) => push_base64(text, object.as_bytes().unwrap_or_default()),
        (Body::Tensor, _) => {
            if let Some(tensor) = object.to_handle::<Tensor>() {
                push_base64(text, &tensor_blob::encode(&tensor));
            }
        }
        (Body::Shape, _) => {
            push_list(text, object.as_shape().unwrap_or_default().iter(), |text, extent| push_int(text, *extent));
        }
        (Body::Array, _) => {
            let count = object.as_array().map_or(0, |array| array.len());
            push_list(text, references.take(count), push_int);
        }
        (Body::Map, _) => {
            let count = object.as_map().map_or(0, |map| map.len());
            push_list(text, references.take(2 * count), push_int);
        }
        (_, JsonForm::Field(index)) => {
            let value = info.fields().get(index).and_then(|field| field.get(object)).unwrap_or_default();
            match value.as_str() {
                Some(key) => push_string(text, key),
                None => push_plain(text, value),
            }
        }
        (_, JsonForm::Fields) => {
            text.push(b'{');
            for (i, (field, value)) in object.fields().enumerate() {
                if i > 0 {
                    text.push(b',');
                }
                push_string(text, field.name);
                text.push(b':');
                if field.is_inline() {
                    push_plain(text, value);
                } else {
                    push_int(text, references.next().unwrap_or_default());
                }
            }
            text.push(b'}');
        }
    }
}

fn push_list<T>(text: &mut Vec<u8>, items: impl Iterator<Item = T>, push: impl Fn(&mut Vec<u8>, T)) {
    text.push(b'[');
    for (i, item) in items.enumerate() {
        if i > 0 {
            text.push(b',');
        }
        push(text, item);
    }
    text.push(b']');
}

fn push_plain(text: &mut Vec<u8>, value: AnyView<'_>) {
    match value {
        AnyView::None | AnyView::Object(_) => text.extend_from_slice(b"null"),
        AnyView::Bool(value) => text.extend_from_slice(if value { b"true" } else { b"false" }),
        AnyView::Int(value) => push_int(text, value),
        AnyView::Float(value) => push_float(text, value),
        AnyView::DataType(value) => push_string(text, &value.to_string()),
        AnyView::Device(value) => {
            push_list(text, [value.device_type, value.device_id].into_iter(), push_int);
        }
    }
}

fn push_int(text: &mut Vec<u8>, value: impl itoa::Integer) {
    text.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

fn push_base64(text: &mut Vec<u8>, bytes: &[u8]) {
    push_string(text, &BASE64.encode(bytes));
}

/// Appends a string with the escapes that TVM's writer uses: `/` is escaped, what is not ASCII is not.
fn push_string(text: &mut Vec<u8>, string: &str) {
    text.push(b'"');
    let bytes = string.as_bytes();
    let mut start = 0;
    for (i, byte) in bytes.iter().enumerate() {
        let short = match byte {
            b'"' | b'\\' | b'/' => *byte,
            0x08 => b'b',
            0x0c => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0..0x20 | 0x7f => b'u',
            _ => continue,
        };
        text.extend_from_slice(&bytes[start..i]);
        text.extend_from_slice(&[b'\\', short]);
        if short == b'u' {
            text.extend_from_slice(format!("{byte:04x}").as_bytes());
        }
        start = i + 1;
    }
    text.extend_from_slice(&bytes[start..]);
    text.push(b'"');
}

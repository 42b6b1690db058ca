//! Writes JSON graphs.

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::tensor_blob;
use crate::error::{Error, ErrorKind, Result};
use crate::json::declarations::{self, named_variants};
use crate::json::direct_mapped::DirectMapped;
use crate::json::float_text::push_float;
use crate::json::json_buf::{JsonBuf, Snippet};
use crate::json::json_scalar::float_name;
use crate::json::node_order::{NodeOrder, order_nodes};
use crate::json::options::JsonWriter;
use crate::object::{AnyView, AsAnyView, Body, Enumeration, JsonForm, ObjectView, TypeInfo, kept_parts};
use crate::registry::check_key;
use crate::scalar::DataType;
use crate::value::Tensor;

/// The size of the pieces of text that a stream receives, about.
const PORTION: usize = 1 << 16;

/// The size of a node in bytes, about.
const NODE: usize = 72;

/// The graph below `root` as JSON text. [`JsonWriter`] also writes metadata.
///
/// For a graph with types in the form of TVM alone, the text is byte for byte the one that `tvm.ir.save_json` of TVM 0.25 writes.
///
/// # Errors
/// [`NotSerializable`](ErrorKind::NotSerializable), with the path, for functions and other values that exist in memory
/// only.
pub fn to_string(root: &impl AsAnyView) -> Result<String> {
    JsonWriter::new().to_string(root)
}

/// Writes the graph below `root` as JSON text to `out`. [`JsonWriter`] also writes metadata.
///
/// # Errors
/// As [`to_string`], and [`Io`](ErrorKind::Io) for errors of `out`.
pub fn to_writer(out: impl Write, root: &impl AsAnyView) -> Result<()> {
    JsonWriter::new().to_writer(out, root)
}

impl JsonWriter<'_> {
    /// The graph below `root` as JSON text: see [`to_string`].
    ///
    /// # Errors
    /// As [`to_string`].
    pub fn to_string(self, root: &impl AsAnyView) -> Result<String> {
        let order = order_nodes(root.as_any_view())?;
        let mut text = JsonBuf::with_capacity(order.nodes.len() * NODE + NODE);
        write_nodes(&order, self, &mut text, |_| Ok(()))?;
        String::from_utf8(text.into_bytes()).map_err(|error| Error::new(ErrorKind::NotSerializable, error.to_string()))
    }

    /// Writes the graph below `root` as JSON text to `out`: see [`to_writer`].
    ///
    /// # Errors
    /// As [`to_writer`].
    pub fn to_writer(self, mut out: impl Write, root: &impl AsAnyView) -> Result<()> {
        let mut text = JsonBuf::with_capacity(PORTION + PORTION / 4);
        write_nodes(&order_nodes(root.as_any_view())?, self, &mut text, |text| {
            if text.as_bytes().len() >= PORTION {
                out.write_all(text.as_bytes())?;
                text.clear();
            }
            Ok(())
        })?;
        out.write_all(text.as_bytes())?;
        Ok(())
    }
}

/// Writes the graph. Calls `flush` before each node.
fn write_nodes(
    order: &NodeOrder<'_>,
    options: JsonWriter<'_>,
    text: &mut JsonBuf,
    mut flush: impl FnMut(&mut JsonBuf) -> Result<()>,
) -> Result<()> {
    let declarations = if options.is_tvm_form { None } else { declarations::text_of(&order.nodes)? };
    let form = if declarations.is_some() { NumberForm::Strict } else { NumberForm::Tvm };
    text.push(b'{');
    text.push_bytes(declarations.unwrap_or_default().as_bytes());
    text.push_bytes(b"\"root_index\":");
    text.push_bytes(order.nodes.len().saturating_sub(1).to_string().as_bytes());
    text.push_bytes(b",\"nodes\":[");
    let templates = Templates { is_tvm_form: options.is_tvm_form, ..Templates::default() };
    let mut writer = Writer { templates, dtypes: Vec::new(), references: &order.references, form };
    for node in &order.nodes {
        // Before the node, so that the last comma is still in the buffer when it goes.
        flush(text)?;
        match node {
            AnyView::Object(object) => writer.push_object(text, *object),
            plain => push_plain_node(text, *plain, form),
        }
    }
    text.pop();
    writer.templates.types.iter().try_for_each(|template| check_key(template.info))?;
    text.push(b']');
    if let Some(metadata) = options.metadata_text() {
        text.push_bytes(b",\"metadata\":");
        text.push_bytes(metadata.as_bytes());
    }
    text.push(b'}');
    Ok(())
}

/// The text that all nodes of a type have in common.
struct Template {
    info: &'static TypeInfo,
    data: DataForm,
    /// The text before the data, with the bracket if the data is a list.
    head: Snippet,
    /// For each field, the text between the value before it, or the start of the node, and its value.
    fields: Vec<(Snippet, FieldValue)>,
}

/// The form of the data of a node.
#[derive(Clone, Copy)]
enum DataForm {
    /// A list of the references of an array.
    Array,
    /// A list of the references of a map, a key and a value for each entry.
    Map,
    /// A map with at least one field.
    Fields,
    /// Any other form, of an object without children.
    Other,
}

/// The source of a field's value.
#[derive(Clone, Copy)]
enum FieldValue {
    /// The index of a node.
    Reference,
    /// The value of the field with this index.
    Inline(usize),
    /// The name of the variant in the field with this index.
    Variant(usize, Enumeration),
}

/// The form of numbers that JSON does not have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberForm {
    /// The words of TVM.
    Tvm,
    /// Texts.
    Strict,
}

impl Template {
    fn new(info: &'static TypeInfo, is_tvm_form: bool) -> Self {
        let mut text = JsonBuf::default();
        push_head(&mut text, info.type_key);
        let mut fields = Vec::new();
        let data = match info.body {
            Body::Array => DataForm::Array,
            Body::Map => DataForm::Map,
            Body::Node if info.json == JsonForm::Fields && !info.fields().is_empty() => DataForm::Fields,
            _ => DataForm::Other,
        };
        match data {
            DataForm::Array | DataForm::Map => text.push(b'['),
            DataForm::Fields => {
                text.push(b'{');
                for (index, field) in info.fields().iter().enumerate() {
                    text.push_string(field.name);
                    text.push(b':');
                    let value = match named_variants(info, index).filter(|_| !is_tvm_form) {
                        Some(enumeration) => FieldValue::Variant(index, enumeration),
                        None if field.is_inline() => FieldValue::Inline(index),
                        None => FieldValue::Reference,
                    };
                    fields.push((snippet(&text), value));
                    text.clear();
                    text.push(b',');
                }
            }
            DataForm::Other => {}
        }
        Template { info, data, head: snippet(&text), fields }
    }
}

fn snippet(text: &JsonBuf) -> Snippet {
    Snippet::new(&String::from_utf8_lossy(text.as_bytes()))
}

/// The templates of the types so far.
#[derive(Default)]
struct Templates {
    /// Whether all types have the form of TVM.
    is_tvm_form: bool,
    types: Vec<Template>,
    /// The cache of indices into `types`, by the address of the type.
    recent: DirectMapped<u16, 512>,
}

impl Templates {
    #[inline(always)]
    fn of(&mut self, info: &'static TypeInfo) -> Option<&Template> {
        let slot = self.recent.slot(std::ptr::from_ref(info) as u64);
        let recent = slot.map(usize::from);
        let index = match recent {
            Some(index) if self.types.get(index).is_some_and(|found| std::ptr::eq(found.info, info)) => index,
            _ => {
                let index = find_or_push(&mut self.types, info, self.is_tvm_form);
                *slot = u16::try_from(index).ok();
                index
            }
        };
        self.types.get(index)
    }
}

/// The index of the template of `info`. Makes the template if there is none.
#[cold]
fn find_or_push(templates: &mut Vec<Template>, info: &'static TypeInfo, is_tvm_form: bool) -> usize {
    templates.iter().position(|found| std::ptr::eq(found.info, info)).unwrap_or_else(|| {
        templates.push(Template::new(info, is_tvm_form));
        templates.len() - 1
    })
}

/// Writes nodes in their order.
struct Writer<'a> {
    templates: Templates,
    /// The text of the first few data types.
    dtypes: Vec<(DataType, Snippet)>,
    /// The references of the nodes that are not written.
    references: &'a [u32],
    form: NumberForm,
}

impl Writer<'_> {
    /// Appends the node of an object and a comma. One call for the brackets and the comma takes fewer instructions than one for
    /// each.
    #[inline(always)]
    fn push_object(&mut self, text: &mut JsonBuf, object: ObjectView<'_>) {
        let info = object.type_info();
        let Some(template) = self.templates.of(info) else { return };
        match template.data {
            DataForm::Array => {
                let count = object.as_array().map_or(0, |array| array.len());
                push_references(text, template, &mut self.references, count);
            }
            DataForm::Map => {
                let count = object.as_map().map_or(0, |map| map.len());
                push_references(text, template, &mut self.references, 2 * count);
            }
            DataForm::Fields => {
                for (snippet, value) in &template.fields {
                    text.push_snippet(snippet);
                    match value {
                        FieldValue::Reference => {
                            if let Some((index, rest)) = self.references.split_first() {
                                text.push_index(*index);
                                self.references = rest;
                            }
                        }
                        FieldValue::Inline(index) => match object.field_at(*index) {
                            Some(AnyView::Int(value)) => text.push_int(value),
                            Some(AnyView::DataType(value)) => push_data_type(text, &mut self.dtypes, value),
                            value => push_plain(text, value.unwrap_or_default(), self.form),
                        },
                        FieldValue::Variant(index, enumeration) => {
                            let value = object.field_at(*index).unwrap_or_default();
                            push_variant(text, *enumeration, value);
                        }
                    }
                }
                text.push_bytes(b"}},");
            }
            DataForm::Other => {
                text.push_snippet(&template.head);
                push_data(text, object, self.templates.is_tvm_form, self.form);
                text.push_bytes(b"},");
            }
        }
    }
}

/// Appends the node of a container of the next `count` references, and a comma.
#[inline(always)]
fn push_references(text: &mut JsonBuf, template: &Template, references: &mut &[u32], count: usize) {
    text.push_snippet(&template.head);
    let (own, rest) = references.split_at_checked(count).unwrap_or_default();
    *references = rest;
    match own.split_last() {
        Some((last, others)) => {
            for index in others {
                text.push_index_and(*index, b',');
            }
            text.push_index_and(*last, b']');
        }
        None => text.push(b']'),
    }
    text.push_bytes(b"},");
}

/// The number of data types whose text is kept. Few data types are common, and each look-up compares all of them.
const DTYPES: usize = 8;

/// Appends a data type.
#[inline(always)]
fn push_data_type(text: &mut JsonBuf, known: &mut Vec<(DataType, Snippet)>, value: DataType) {
    match known.iter().find(|(found, _)| *found == value) {
        Some((_, snippet)) => text.push_snippet(snippet),
        None => push_new_data_type(text, known, value),
    }
}

#[cold]
fn push_new_data_type(text: &mut JsonBuf, known: &mut Vec<(DataType, Snippet)>, value: DataType) {
    if known.len() < DTYPES {
        let mut name = JsonBuf::default();
        name.push_string(&value.to_string());
        known.push((value, snippet(&name)));
    }
    push_plain(text, AnyView::DataType(value), NumberForm::Tvm);
}

/// Appends the start of a node up to its data.
fn push_head(text: &mut JsonBuf, type_key: &str) {
    text.push_bytes(b"{\"type\":");
    text.push_string(type_key);
    text.push_bytes(b",\"data\":");
}

/// Appends the node of a value other than an object, and a comma.
fn push_plain_node(text: &mut JsonBuf, value: AnyView<'_>, form: NumberForm) {
    if matches!(value, AnyView::None) {
        return text.push_bytes(b"{\"type\":\"None\"},");
    }
    push_head(text, value.type_key());
    push_plain(text, value, form);
    text.push_bytes(b"},");
}

/// Appends the data of an object without children.
fn push_data(text: &mut JsonBuf, object: ObjectView<'_>, is_tvm_form: bool, form: NumberForm) {
    let info = object.type_info();
    match (info.body, info.json) {
        (Body::Str, _) => text.push_string(object.as_str().unwrap_or_default()),
        (Body::Bytes, _) => push_base64(text, object.as_bytes().unwrap_or_default()),
        (Body::Tensor, _) => {
            if let Some(tensor) = object.to_handle::<Tensor>() {
                push_base64(text, &tensor_blob::encode(&tensor));
            }
        }
        (Body::Shape, _) => {
            let extents = object.as_shape().unwrap_or_default();
            text.push_list(extents.iter(), |text, extent| text.push_int(*extent));
        }
        (_, JsonForm::Field(index)) => {
            let value = object.field_at(index).unwrap_or_default();
            match (value.as_str(), named_variants(info, index).filter(|_| !is_tvm_form)) {
                (Some(key), _) => text.push_string(key),
                (None, Some(enumeration)) => push_variant(text, enumeration, value),
                // A text would be another value of a field of any type.
                (None, None) if info.fields()[index].may_hold_objects() => push_plain(text, value, NumberForm::Tvm),
                (None, None) => push_plain(text, value, form),
            }
        }
        (_, JsonForm::Kept) => text.push_bytes(kept_parts(object).map_or("", |(text, _)| text).as_bytes()),
        // A type without fields.
        (_, JsonForm::Fields) => text.push_bytes(b"{}"),
    }
}

/// Appends the name of the variant with the number `value`.
fn push_variant(text: &mut JsonBuf, enumeration: Enumeration, value: AnyView<'_>) {
    match value {
        AnyView::Int(number) if let Some(name) = enumeration.name_of(number) => text.push_string(name),
        value => push_plain(text, value, NumberForm::Strict),
    }
}

fn push_plain(text: &mut JsonBuf, value: AnyView<'_>, form: NumberForm) {
    match value {
        AnyView::None | AnyView::Object(_) => text.push_bytes(b"null"),
        AnyView::Bool(value) => text.push_bytes(if value { b"true" } else { b"false" }),
        AnyView::Int(value) => text.push_int(value),
        AnyView::Float(value) if !value.is_finite() && form == NumberForm::Strict => {
            text.push_string(float_name(value));
        }
        AnyView::Float(value) => {
            let mut digits = Vec::new();
            push_float(&mut digits, value);
            text.push_bytes(&digits);
        }
        AnyView::DataType(value) => text.push_string(&value.to_string()),
        AnyView::Device(value) => {
            let parts = [value.device_type, value.device_id];
            text.push_list(parts.into_iter(), |text, part| text.push_int(i64::from(part)));
        }
    }
}

fn push_base64(text: &mut JsonBuf, bytes: &[u8]) {
    text.push_string(&BASE64.encode(bytes));
}

//! The order of nodes in a JSON graph: each node after its children, one node for each object and for each distinct text
//! and plain value.

use crate::access_path::AccessPath;
use crate::error::{Error, ErrorKind, Result};
use crate::graph::Children;
use crate::object::{AnyView, Body, JsonForm, ObjectView, PlainBits};
use crate::repr::path_step;
use crate::table::{AddressMap, Table};

/// The nodes of a graph in order, with the references of each node.
pub(crate) struct NodeOrder<'a> {
    /// The values of the nodes.
    pub(crate) nodes: Vec<AnyView<'a>>,
    /// The indices of the children of all nodes, one node after the other.
    pub(crate) references: Vec<u32>,
}

/// The indices of values that have a node.
#[derive(Default)]
struct NodeIndices<'a> {
    plain: Table<PlainBits, u32>,
    texts: Table<&'a str, u32>,
    bytes: Table<&'a [u8], u32>,
    objects: AddressMap<u32>,
}

impl<'a> NodeIndices<'a> {
    #[inline(always)]
    fn get(&self, value: AnyView<'a>) -> Option<u32> {
        match value {
            AnyView::Object(object) => match object.type_info().body {
                Body::Str => self.texts.get(object.as_str()?),
                Body::Bytes => self.bytes.get(object.as_bytes()?),
                _ if is_unshared(object) => return None,
                _ => return self.objects.get(object.address()),
            },
            plain => self.plain.get(&plain.plain_bits()?),
        }
        .copied()
    }

    fn insert(&mut self, value: AnyView<'a>, index: u32) {
        match value {
            AnyView::Object(object) => match (object.type_info().body, object.as_str(), object.as_bytes()) {
                (Body::Str, Some(text), _) => self.texts.insert(text, index),
                (Body::Bytes, _, Some(bytes)) => self.bytes.insert(bytes, index),
                _ => self.objects.slot(object.address()).replace(index),
            },
            plain => plain.plain_bits().and_then(|plain| self.plain.insert(plain, index)),
        };
    }
}

/// Whether JSON has a form for an object without children.
fn can_be_written(object: ObjectView<'_>) -> bool {
    !matches!(object.type_info().body, Body::Opaque | Body::Function) && unwritable_field(object).is_none()
}

/// The field that stands for the object in JSON, if JSON has no form for the value of the field.
fn unwritable_field(object: ObjectView<'_>) -> Option<(&'static str, AnyView<'_>)> {
    let JsonForm::Field(index) = object.type_info().json else { return None };
    let value = object.field_at(index).unwrap_or_default();
    let has_form = match value {
        AnyView::Object(object) => object.as_str().is_some(),
        AnyView::Device(_) => false,
        _ => true,
    };
    (!has_form).then(|| (object.type_info().fields()[index].name, value))
}

/// The error for an object that cannot be written.
fn not_serializable(object: ObjectView<'_>) -> Error {
    let key = object.type_key();
    let reason = unwritable_field(object).map_or_else(String::new, |(name, value)| {
        let value = value.type_key();
        format!(": `{name}` stands there for all of it, as a text or a number, and this one is a `{value}`")
    });
    Error::new(ErrorKind::NotSerializable, format!("a `{key}` cannot be written to JSON{reason}"))
}

/// The nodes of the graph below `root`.
pub(crate) fn order_nodes(root: AnyView<'_>) -> Result<NodeOrder<'_>> {
    /// An object whose children are not all in the order.
    struct OrderFrame<'a> {
        children: Children<'a>,
        /// The index of the first reference of the object in `open`.
        first: usize,
    }
    let mut order = NodeOrder { nodes: Vec::new(), references: Vec::new() };
    let mut seen = NodeIndices::default();
    let mut stack: Vec<OrderFrame<'_>> = Vec::new();
    // The references of all objects on the stack so far.
    let mut open: Vec<u32> = Vec::new();
    let mut next = Some(root);
    loop {
        if let Some(value) = next {
            match (seen.get(value), value) {
                (Some(index), _) => open.push(index),
                (None, AnyView::Object(object)) => {
                    let children = Children::of(object);
                    if !children.is_none() {
                        stack.push(OrderFrame { children, first: open.len() });
                    } else if can_be_written(object) {
                        open.push(add_object(&mut order, &mut seen, object)?);
                    } else {
                        let slots = stack.iter().filter_map(|frame| frame.children.slot());
                        return Err(not_serializable(object).at(AccessPath::from_steps(slots.map(path_step))));
                    }
                }
                (None, plain) => open.push(add(&mut order, &mut seen, plain)?),
            }
        }
        let Some(frame) = stack.last_mut() else {
            return Ok(order);
        };
        next = frame.children.next_reference();
        if next.is_none() {
            let (object, first) = (frame.children.object(), frame.first);
            stack.pop();
            order.references.extend_from_slice(&open[first..]);
            open.truncate(first);
            open.push(add_object(&mut order, &mut seen, object)?);
        }
    }
}

/// Gives `object` the next index. A function of its own, because an `AnyView` would be copied through memory.
#[inline(always)]
fn add_object<'a>(order: &mut NodeOrder<'a>, seen: &mut NodeIndices<'a>, object: ObjectView<'a>) -> Result<u32> {
    let index = order.next_index()?;
    order.nodes.push(AnyView::Object(object));
    if !is_unshared(object) {
        seen.insert(AnyView::Object(object), index);
    }
    Ok(index)
}

/// Gives `value` the next index.
fn add<'a>(order: &mut NodeOrder<'a>, seen: &mut NodeIndices<'a>, value: AnyView<'a>) -> Result<u32> {
    let index = order.next_index()?;
    order.nodes.push(value);
    seen.insert(value, index);
    Ok(index)
}

/// Whether the walk reaches `object` by one reference only, and so needs no look-up: it has one owner, and is neither a
/// text nor bytes, which share a node with equal ones.
#[inline(always)]
fn is_unshared(object: ObjectView<'_>) -> bool {
    object.use_count() == 1 && !matches!(object.type_info().body, Body::Str | Body::Bytes)
}

impl NodeOrder<'_> {
    fn next_index(&self) -> Result<u32> {
        u32::try_from(self.nodes.len())
            .map_err(|_| Error::new(ErrorKind::NotSerializable, "the graph has more than 4294967295 nodes"))
    }
}

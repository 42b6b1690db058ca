//! The order of nodes in a JSON graph: each node after its children, one node for each object and for each distinct text
//! and plain value.

use crate::access_path::{AccessPath, AccessStep};
use crate::error::{Error, ErrorKind, Result};
use crate::graph::Children;
use crate::object::{AnyView, Body, JsonForm, NODES, ObjectView, PlainBits, UNKNOWN_TYPE, kept_parts};
use crate::repr::path_step;
use crate::table::{AddressMap, Table};

/// The nodes of a graph in order, with the references of each node.
pub(crate) struct NodeOrder<'a> {
    /// The values of the nodes.
    pub(crate) nodes: Vec<AnyView<'a>>,
    /// The indices of the children of all nodes, one node after the other.
    pub(crate) references: Vec<u32>,
}

#[cfg(any(feature = "binary", feature = "serde"))]
impl<'a> NodeOrder<'a> {
    /// The nodes in order, each with its references.
    pub(crate) fn with_references(&self) -> impl Iterator<Item = (AnyView<'a>, &[u32])> {
        let mut rest = &self.references[..];
        self.nodes.iter().map(move |node| {
            let (own, after) = rest.split_at_checked(reference_count(*node)).unwrap_or_default();
            rest = after;
            (*node, own)
        })
    }
}

#[cfg(any(feature = "binary", feature = "serde"))]
/// The number of references of a node.
fn reference_count(node: AnyView<'_>) -> usize {
    let AnyView::Object(object) = node else { return 0 };
    let info = object.type_info();
    match (info.body, info.json) {
        (Body::Array, _) => object.as_array().map_or(0, |array| array.len()),
        (Body::Map, _) => object.as_map().map_or(0, |map| 2 * map.len()),
        (Body::Node, JsonForm::Fields) => info.fields().iter().filter(|field| !field.is_inline()).count(),
        _ => 0,
    }
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

/// An object whose children are not all in the order.
struct OrderFrame<'a> {
    children: Children<'a>,
    /// The object, if it is of an unknown type; then `children` are the entries of its map of nodes.
    kept: Option<ObjectView<'a>>,
    /// The index of the first reference of the object in `open`.
    first: usize,
}

/// The path to the current child of the last frame.
fn path_of(stack: &[OrderFrame<'_>]) -> AccessPath {
    let steps = |frame: &OrderFrame<'_>| {
        let nodes = frame.kept.map(|_| AccessStep::Attr(NODES.to_owned()));
        nodes.into_iter().chain(frame.children.slot().map(path_step))
    };
    AccessPath::from_steps(stack.iter().flat_map(steps))
}

/// Checks that the nodes of an object of an unknown type have the numbers that its text has for them.
fn check_numbers(object: ObjectView<'_>, nodes: ObjectView<'_>, indices: &[u32]) -> Result<()> {
    let numbers = nodes.as_map().into_iter().flat_map(|nodes| nodes.iter().map(|(number, _)| number));
    match numbers.zip(indices).find(|(number, index)| !matches!(number, AnyView::Int(it) if *it == i64::from(**index)))
    {
        None => Ok(()),
        Some((number, index)) => {
            let message = format!(
                "the text of `{}` has the number {number:?}, which may be a node, and this node has the number {index} in the \
                 changed graph: {UNKNOWN_TYPE}",
                object.type_key(),
            );
            Err(Error::new(ErrorKind::NotSerializable, message))
        }
    }
}

/// The nodes of the graph below `root`.
pub(crate) fn order_nodes(root: AnyView<'_>) -> Result<NodeOrder<'_>> {
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
                    if let Some((_, nodes)) = kept_parts(object) {
                        stack.push(OrderFrame { children: Children::of(nodes), kept: Some(object), first: open.len() });
                    } else if !children.is_none() {
                        stack.push(OrderFrame { children, kept: None, first: open.len() });
                    } else if can_be_written(object) {
                        open.push(add_object(&mut order, &mut seen, object)?);
                    } else {
                        return Err(not_serializable(object).at(path_of(&stack)));
                    }
                }
                (None, plain) => open.push(add(&mut order, &mut seen, plain)?),
            }
        }
        let Some(frame) = stack.last_mut() else {
            return Ok(order);
        };
        if frame.kept.is_some() {
            // The key of the entry.
            frame.children.next_reference();
        }
        next = frame.children.next_reference();
        if next.is_none() {
            let (children, kept, first) = (frame.children.object(), frame.kept, frame.first);
            stack.pop();
            match kept {
                Some(object) => {
                    check_numbers(object, children, &open[first..]).map_err(|error| error.at(path_of(&stack)))?;
                }
                None => order.references.extend_from_slice(&open[first..]),
            }
            let object = kept.unwrap_or(children);
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

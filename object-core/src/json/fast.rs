//! The fast reader: reads JSON graphs in the form that TVM and this crate write: `root_index`, `nodes` and `metadata` in
//! this order, each node with its type first and after its children.
//!
//! Nearly every graph has this form. The fast reader takes a fraction of the time of the general reader, because it
//! compares most keys with the expected key in one step and writes fields into the memory of their objects. It returns
//! `None` for every other text, valid or not. Then the general reader starts from the beginning and decides, so all errors
//! come from the general reader. Both readers leave the meaning of a node's data to
//! [`NodeType`](crate::json::node_type::NodeType) and [`JsonScalar`](crate::json::json_scalar::JsonScalar).
//!
//! # The order of the nodes
//!
//! In text without white space, [`node_starts`] finds where the nodes begin. Then the reader starts at the root and reads each
//! node when it meets the first reference to it, so objects lie in memory in the order of a traversal. Walks, comparisons and
//! rewrites of graphs that do not fit the caches of the processor take up to half of the time by that. The reader checks that
//! each node ends where the next one begins. In other text, the reader takes the nodes in their order.
//!
//! Functions that are not inlined take the position in the text by value and return it, so that it stays in registers:
//! each step of the reader depends on the position of the step before.

use serde_json::value::RawValue;

use crate::container::{Assembly, AssemblySlots, PartialField, PartialObject};
use crate::graph::{bytes_of, list_bytes};
use crate::json::account::Account;
use crate::json::declarations::{BYTES_PER_BYTE, Declarations};
use crate::json::graph::{Graph, Metadata};
use crate::json::node_plan::{DTypeCache, DataPlan, FieldPlan, NodePlans, data_type};
use crate::json::node_starts::node_starts;
use crate::json::node_type::NodeType;
use crate::json::options::JsonReader;
use crate::json::scan::Scan;
use crate::json::tensor_store::TensorStore;
use crate::object::{Any, Body, Storage};
use crate::stack_budget::StackBudget;
use crate::steps::step;

/// The graph in `text` with its account, if the text has the usual form and no fault.
pub(crate) fn read<'t>(text: &'t [u8], reader: JsonReader<'t>) -> Option<(Graph, Account)> {
    let mut scan = Scan::new(text);
    scan.token(b'{')?;
    let declarations = take_declarations(&mut scan, reader)?;
    scan.key("root_index")?;
    let root = scan.index()?;
    scan.token(b',')?;
    scan.key("nodes")?;
    scan.token(b'[')?;
    let starts = node_starts(scan.rest());
    // The root is mostly the last node. This is the shortest node, so memory stays in proportion to the text.
    let count = starts.len().max((root as usize).min(text.len() / r#"{"type":"None"},"#.len()) + 1);
    let account = Account::new(reader);
    let _declarations = account.reserve(declarations * BYTES_PER_BYTE).ok()?;
    let _table = account.reserve(count * (AssemblySlots::BYTES + size_of::<u32>())).ok()?;
    let mut slots = AssemblySlots::with_capacity(count);
    let mut nodes = Nodes {
        text: scan.rest(),
        starts,
        complete: 0,
        plans: NodePlans::new(reader),
        tensors: reader.tensors,
        dtypes: DTypeCache::default(),
        indices: Vec::new(),
        references: Vec::new(),
        account,
        stack: StackBudget::new(),
    };
    let mut scan = match nodes.starts.is_empty() {
        true => nodes.read_in_order(&mut slots.table()),
        false => nodes.read_from(root, &mut slots.table()),
    }?;
    let metadata = match scan.peek()? {
        b',' => {
            let (metadata, after) = read_metadata(scan)?;
            nodes.account.bytes(metadata.as_str().len()).ok()?;
            scan = after;
            Some(metadata)
        }
        _ => None,
    };
    scan.token(b'}')?;
    if scan.peek().is_some() {
        return None;
    }
    let graph = Graph { has_declarations: declarations > 0, ..Graph::new(slots.table().get(root)?, metadata) };
    Some((graph, nodes.account))
}

/// Takes the declarations of the file with the comma after them, if they are the ones of the types in the program. Returns the
/// bytes of their text.
fn take_declarations(scan: &mut Scan<'_>, reader: JsonReader<'_>) -> Option<usize> {
    if !scan.take(b"\"declarations\":") {
        // The general reader knows the declarations of releases.
        return reader.release.is_none().then_some(0);
    }
    let mut values = serde_json::Deserializer::from_slice(scan.rest()).into_iter::<&RawValue>();
    let text = values.next()?.ok()?;
    scan.skip(values.byte_offset());
    scan.token(b',')?;
    let bytes = text.get().len();
    Account::new(reader).reserve(bytes * BYTES_PER_BYTE).ok()?;
    Declarations::read(text).ok()?.are_current(reader).then_some(bytes)
}

/// Reads the metadata, which extends to the last brace of the text.
fn read_metadata(mut scan: Scan<'_>) -> Option<(Metadata, Scan<'_>)> {
    scan.token(b',')?;
    scan.key("metadata")?;
    scan.peek()?;
    let rest = scan.rest();
    let end = rest.iter().rposition(|byte| *byte == b'}')?;
    let text = std::str::from_utf8(&rest[..end]).ok()?.trim_end_matches([' ', '\n', '\t', '\r']);
    scan.skip(end);
    Some((Metadata::new(text).ok()?, scan))
}

/// A reference to a node from the field with index `field` of an object under construction.
#[derive(Clone, Copy)]
struct Reference {
    field: u32,
    node: u32,
}

/// The reader of nodes.
struct Nodes<'t> {
    /// The text from the first node.
    text: &'t [u8],
    /// Where the nodes begin in `text`; empty if the reader takes the nodes in their order.
    starts: Vec<u32>,
    /// With `starts`: all nodes before this one have been read.
    complete: u32,
    plans: NodePlans<'t>,
    tensors: Option<&'t dyn TensorStore>,
    dtypes: DTypeCache,
    /// The elements of the lists that are being read; an inner list comes after the outer one.
    indices: Vec<u32>,
    /// The references of the objects under construction to nodes that have not been read; an inner object comes after the
    /// outer one.
    references: Vec<Reference>,
    account: Account,
    stack: StackBudget,
}

impl<'t> Nodes<'t> {
    /// Reads all nodes in their order. Returns the position after the list.
    fn read_in_order(&mut self, values: &mut Assembly<'_>) -> Option<Scan<'t>> {
        let mut scan = Scan::new(self.text);
        loop {
            scan = self.read_node(scan, u32::try_from(values.len()).ok()?, values)?;
            match scan.next()? {
                b',' => {}
                b']' => return Some(scan),
                _ => return None,
            }
        }
    }

    /// Reads the node `root` and all below it in the order of a traversal, and then all other nodes. Returns the position after
    /// the list.
    fn read_from(&mut self, root: u32, values: &mut Assembly<'_>) -> Option<Scan<'t>> {
        let last = u32::try_from(self.starts.len()).ok()?.checked_sub(1)?;
        values.extend_to(self.starts.len());
        let mut after = self.read_at(root, values)?;
        self.read_before(last, values)?;
        if root != last {
            after = self.read_at(last, values)?;
        }
        after.token(b']')?;
        Some(after)
    }

    /// Reads all nodes before the node `end` that have not been read, in their order.
    fn read_before(&mut self, end: u32, values: &mut Assembly<'_>) -> Option<()> {
        while self.complete < end {
            if values.is_empty_at(self.complete) {
                self.read_at(self.complete, values)?;
            }
            self.complete += 1;
        }
        Some(())
    }

    /// Reads a node whose start is known. Returns the position after it, which is the start of the next node but for a comma.
    fn read_at(&mut self, index: u32, values: &mut Assembly<'_>) -> Option<Scan<'t>> {
        let start = *self.starts.get(index as usize)?;
        let after = self.read_node(Scan::new(self.text.get(start as usize..)?), index, values)?;
        let end = self.text.len() - after.rest().len();
        let is_at_next = self.starts.get(index as usize + 1).is_none_or(|next| end + 1 == *next as usize);
        is_at_next.then_some(after)
    }

    /// Reads the node `index`, to which the node `parent` refers, if it has not been read.
    fn read_below(&mut self, parent: u32, index: u32, values: &mut Assembly<'_>) -> Option<()> {
        if !values.is_empty_at(index) {
            return Some(());
        }
        if index >= parent {
            return None;
        }
        // Nodes in their order need no recursion, because all nodes to which they refer have been read.
        if !self.stack.is_left() {
            self.read_before(index, values)?;
        }
        self.read_at(index, values).map(drop)
    }

    /// Reads a node and adds its value to `values`. Returns the position after it.
    fn read_node(&mut self, mut scan: Scan<'t>, index: u32, values: &mut Assembly<'_>) -> Option<Scan<'t>> {
        step();
        self.account.nodes(1).ok()?;
        if !scan.take(b"{\"type\":\"") {
            scan.token(b'{')?;
            scan.key("type")?;
            scan.token(b'"')?;
        }
        match self.plans.find(&mut scan)? {
            DataPlan::Fields(info, fields) => {
                self.account.bytes(info.bytes()).ok()?;
                let mut object = values.object(*info);
                let first = self.references.len();
                scan = read_fields(scan, &mut self.dtypes, fields, &mut object, &mut self.references)?;
                for at in first..self.references.len() {
                    let Reference { field, node } = self.references[at];
                    self.read_below(index, node, &mut object.table())?;
                    object.field(field as usize)?.set_node(node)?;
                }
                self.references.truncate(first);
                object.finish(index).ok()??;
            }
            DataPlan::List(info) => {
                let (info, first) = (*info, self.indices.len());
                scan = read_indices(scan, &mut self.indices)?;
                let length = self.indices.len() - first;
                self.account.nodes(length).ok()?;
                self.account.bytes(list_bytes(info, length)).ok()?;
                for at in first..self.indices.len() {
                    self.read_below(index, self.indices[at], values)?;
                }
                match info.body {
                    Body::Map => values.set_entries(index, info, &self.indices[first..])?,
                    _ => values.set_sequence(index, info, &self.indices[first..])?,
                }
                self.indices.truncate(first);
            }
            DataPlan::Text(info) => {
                let (text, after) = scan.string()?;
                scan = after;
                self.account.bytes(bytes_of(info, text.len())).ok()?;
                values.set_text(index, &text)?;
            }
            DataPlan::Value(node_type) => {
                let (value, after) = read_value(scan, *node_type, &mut self.account, self.tensors)?;
                scan = after;
                self.account.bytes(value.view().bytes()).ok()?;
                values.set(index, value)?;
            }
            DataPlan::None => values.set(index, Any::None)?,
        }
        scan.token(b'}')?;
        Some(scan)
    }
}

/// Adds the node indices of a list to `indices`. Returns the position after the list.
fn read_indices<'t>(mut scan: Scan<'t>, indices: &mut Vec<u32>) -> Option<Scan<'t>> {
    scan.token(b'[')?;
    if scan.peek()? == b']' {
        scan.token(b']')?;
        return Some(scan);
    }
    loop {
        indices.push(scan.index()?);
        match scan.next()? {
            b',' => {}
            b']' => return Some(scan),
            _ => return None,
        }
    }
}

/// Reads the data of a node that is neither a container nor a map of fields.
fn read_value<'t>(
    mut scan: Scan<'t>,
    node_type: NodeType,
    account: &mut Account,
    tensors: Option<&dyn TensorStore>,
) -> Option<(Any, Scan<'t>)> {
    if scan.peek()? != b'[' {
        let value = node_type.of_scalar(&scan.scalar()?, tensors).ok()?;
        return Some((value, scan));
    }
    let mut list = Vec::new();
    scan.token(b'[')?;
    let mut next = scan.peek()?;
    if next == b']' {
        scan.token(next)?;
    }
    while next != b']' {
        list.push(scan.int()?);
        next = scan.next().filter(|next| matches!(next, b',' | b']'))?;
    }
    account.nodes(list.len()).ok()?;
    Some((node_type.of_list(&list).ok()?, scan))
}

/// Reads the fields of an object into it, but for references to nodes that have not been read: these are added to `references`.
/// Returns the position after the fields.
#[inline(never)]
fn read_fields<'t>(
    mut scan: Scan<'t>,
    dtypes: &mut DTypeCache,
    fields: &[FieldPlan],
    object: &mut PartialObject<'_>,
    references: &mut Vec<Reference>,
) -> Option<Scan<'t>> {
    scan.token(b'{')?;
    if scan.peek()? == b'}' {
        scan.token(b'}')?;
        return Some(scan);
    }
    // Writers write the fields of a type in one order, so most keys need one comparison and no search.
    let mut expected = 0;
    loop {
        let index = match fields.get(expected) {
            Some(plan) if plan.key.take(&mut scan) => expected,
            _ => {
                let key = scan.any_key()?;
                fields.iter().position(|plan| plan.name.as_bytes() == key)?
            }
        };
        if let Some(node) = read_field(&mut scan, dtypes, object.field(index)?)? {
            references.push(Reference { field: index as u32, node });
        }
        expected = index + 1;
        match scan.next()? {
            b',' => {}
            b'}' => return Some(scan),
            _ => return None,
        }
    }
}

/// Reads the value of a field. Returns the index of its node if the node has not been read; then the field has no value.
#[inline(always)]
fn read_field(scan: &mut Scan<'_>, dtypes: &mut DTypeCache, field: PartialField<'_>) -> Option<Option<u32>> {
    let info = field.vacant.info();
    let is_done = match (info.storage(), scan.peek()?) {
        _ if !info.is_inline() => {
            let node = scan.index()?;
            return if field.waits_for(node) { Some(Some(node)) } else { field.set_node(node).map(|()| None) };
        }
        (Storage::Int, b'0'..=b'9' | b'-') => field.vacant.set_int(scan.int()?),
        (Storage::Bool, b't') => scan.take(b"true") && field.vacant.set_bool(true),
        (Storage::Bool, b'f') => scan.take(b"false") && field.vacant.set_bool(false),
        (Storage::DataType, b'"') => {
            scan.skip(1);
            field.vacant.set_dtype(data_type(dtypes, scan.plain()?)?)
        }
        _ => field.vacant.set_any(scan.scalar()?.inline(info).ok()?).is_ok(),
    };
    is_done.then_some(None)
}

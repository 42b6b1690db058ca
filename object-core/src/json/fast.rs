//! The fast reader: reads JSON graphs in the form that TVM and this crate write: `root_index`, `nodes` and `metadata` in
//! this order, each node with its type first and after its children.
//!
//! Nearly every graph has this form. The fast reader takes a fraction of the time of the general reader, because it
//! compares most keys with the expected key in one step and writes fields into the memory of their objects. It returns
//! `None` for every other text, valid or not. Then the general reader starts from the beginning and decides, so all errors
//! come from the general reader. Both readers leave the meaning of a node's data to [`NodeType`] and
//! [`JsonScalar`](crate::json::json_scalar::JsonScalar).
//!
//! Functions that are not inlined take the position in the text by value and return it, so that it stays in registers:
//! each step of the reader depends on the position of the step before.

use crate::container::{Assembly, PartialField, PartialObject};
use crate::json::direct_mapped::DirectMapped;
use crate::json::graph::{Graph, Metadata};
use crate::json::node_type::NodeType;
use crate::json::options::JsonReader;
use crate::json::scan::{Pattern, Scan};
use crate::limits::{Budget, Limit};
use crate::object::{Any, Body, Buildable, Storage, TypeInfo};
use crate::scalar::DataType;
use crate::steps::step;
use crate::table::Table;

/// The graph in `text`, and the number of its nodes and of the elements of its lists, if the text has the usual form and no fault.
pub(crate) fn read<'t>(text: &'t [u8], reader: JsonReader<'t>) -> Option<(Graph, u64)> {
    let mut scan = Scan::new(text);
    scan.token(b'{')?;
    scan.key("root_index")?;
    let root = scan.index()?;
    scan.token(b',')?;
    scan.key("nodes")?;
    scan.token(b'[')?;
    let mut types = NodeTypes::new(reader);
    let mut dtypes = DTypeCache::default();
    let mut indices = Vec::new();
    // The root is mostly the last node. This is the shortest node, so memory stays in proportion to the text.
    let mut values = Assembly::with_capacity((root as usize).min(text.len() / r#"{"type":"None"},"#.len()) + 1);
    let mut budget = Budget::new(&reader.limits, Limit::Nodes);
    loop {
        budget.spend(1).ok()?;
        read_node(&mut scan, &mut types, &mut dtypes, &mut indices, &mut values, &mut budget)?;
        match scan.next()? {
            b',' => {}
            b']' => break,
            _ => return None,
        }
    }
    let metadata = match scan.peek()? {
        b',' => {
            let (metadata, after) = read_metadata(scan)?;
            scan = after;
            Some(metadata)
        }
        _ => None,
    };
    scan.token(b'}')?;
    if scan.peek().is_some() {
        return None;
    }
    Some((Graph::new(values.finish(root)?, metadata), budget.spent()))
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

/// How to read the data of a type's nodes.
enum DataPlan {
    /// A value without data.
    None,
    /// A list of node indices.
    List(&'static TypeInfo),
    /// A map of fields.
    Fields(Buildable, Vec<FieldPlan>),
    /// A text.
    Text,
    /// Anything else.
    Value(NodeType),
}

struct FieldPlan {
    name: &'static str,
    /// The key with its quotes and its colon.
    key: Pattern,
}

impl DataPlan {
    fn new(node_type: NodeType) -> Option<Self> {
        if matches!(node_type, NodeType::None) {
            return Some(DataPlan::None);
        }
        if let Some(info) = node_type.container() {
            return Some(DataPlan::List(info));
        }
        let info = match (node_type, node_type.node_struct()) {
            (_, Some(info)) => info,
            (NodeType::Object(info), None) if info.body == Body::Str => return Some(DataPlan::Text),
            (_, None) => return Some(DataPlan::Value(node_type)),
        };
        let fields =
            info.fields().iter().map(|field| FieldPlan { name: field.name, key: Pattern::new(false, field.name, ":") });
        Some(DataPlan::Fields(Buildable::new(info).ok()?, fields.collect()))
    }
}

/// The types of the nodes so far.
struct NodeTypes<'t> {
    reader: JsonReader<'t>,
    plans: Vec<(TypePattern, DataPlan)>,
    by_key: Table<&'t [u8], usize>,
    /// The cache of indices into `plans`, by a hash of the next bytes of the text.
    recent: DirectMapped<u16, 512>,
}

/// The text of a node from the type key to the colon before the data.
type TypePattern = Pattern;

impl<'t> NodeTypes<'t> {
    fn new(reader: JsonReader<'t>) -> Self {
        NodeTypes { reader, plans: Vec::new(), by_key: Table::default(), recent: DirectMapped::default() }
    }

    /// Takes the type key at `scan` and the text up to the data. Returns the index of the plan of the type.
    #[inline(always)]
    fn find(&mut self, scan: &mut Scan<'t>) -> Option<usize> {
        let hash = match scan.rest().first_chunk::<16>() {
            Some(bytes) => u128::from_le_bytes(*bytes),
            None => 0,
        };
        let hash = (hash as u64).rotate_left(29) ^ (hash >> 64) as u64;
        if let Some(index) = self.recent.slot(hash).map(usize::from)
            && self.plans.get(index).is_some_and(|(text, _)| text.take(scan))
        {
            return Some(index);
        }
        let (index, after) = self.look_up(*scan)?;
        *self.recent.slot(hash) = u16::try_from(index).ok();
        *scan = after;
        Some(index)
    }

    #[cold]
    fn look_up(&mut self, mut scan: Scan<'t>) -> Option<(usize, Scan<'t>)> {
        let key = scan.plain()?;
        let index = match self.by_key.get(key) {
            Some(index) => *index,
            None => {
                let node_type = NodeType::of_key(std::str::from_utf8(key).ok()?, self.reader).ok()?;
                let text = Pattern::new(true, node_type.key(), ",\"data\":");
                self.by_key.insert(key, self.plans.len());
                self.plans.push((text, DataPlan::new(node_type)?));
                self.plans.len() - 1
            }
        };
        if !matches!(self.plans.get(index)?.1, DataPlan::None) {
            scan.token(b',')?;
            scan.key("data")?;
        }
        Some((index, scan))
    }
}

/// A cache of data types, by length and the first and last four bytes of their names of at most eight bytes.
type DTypeCache = DirectMapped<((u64, usize), DataType), 64>;

/// The data type with the given name. `recent` caches data types with names of four to eight bytes.
#[inline(always)]
fn data_type(recent: &mut DTypeCache, name: &[u8]) -> Option<DataType> {
    let parse = || std::str::from_utf8(name).ok()?.parse().ok();
    let (4..=8, Some(first), Some(last)) = (name.len(), name.first_chunk::<4>(), name.last_chunk::<4>()) else {
        return parse();
    };
    let bytes = (u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last)), name.len());
    match recent.slot(bytes.0) {
        Some((found, value)) if *found == bytes => Some(*value),
        slot => {
            let value = parse()?;
            *slot = Some((bytes, value));
            Some(value)
        }
    }
}

/// Reads a node and adds its value to `values`.
#[inline(always)]
fn read_node<'t>(
    scan: &mut Scan<'t>,
    types: &mut NodeTypes<'t>,
    dtypes: &mut DTypeCache,
    indices: &mut Vec<u32>,
    values: &mut Assembly,
    budget: &mut Budget,
) -> Option<()> {
    step();
    if !scan.take(b"{\"type\":\"") {
        scan.token(b'{')?;
        scan.key("type")?;
        scan.token(b'"')?;
    }
    let index = types.find(scan)?;
    match &types.plans.get(index)?.1 {
        DataPlan::Fields(info, fields) => {
            let mut object = values.object(*info);
            *scan = read_fields(*scan, dtypes, fields, &mut object)?;
            object.finish()?;
        }
        DataPlan::List(info) => {
            *scan = read_indices(*scan, indices)?;
            budget.spend(indices.len() as u64).ok()?;
            match info.body {
                Body::Map => values.push_entries(info, indices)?,
                _ => values.push_sequence(info, indices)?,
            }
        }
        DataPlan::Text => {
            let (text, after) = scan.string()?;
            *scan = after;
            values.push_text(&text);
        }
        DataPlan::Value(node_type) => {
            let (value, after) = read_value(*scan, *node_type, budget)?;
            *scan = after;
            values.push(value);
        }
        DataPlan::None => values.push(Any::None),
    }
    scan.token(b'}')
}

/// Reads a list of node indices. Returns the position after it.
fn read_indices<'t>(mut scan: Scan<'t>, indices: &mut Vec<u32>) -> Option<Scan<'t>> {
    indices.clear();
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
fn read_value<'t>(mut scan: Scan<'t>, node_type: NodeType, budget: &mut Budget) -> Option<(Any, Scan<'t>)> {
    if scan.peek()? != b'[' {
        let value = node_type.of_scalar(&scan.scalar()?).ok()?;
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
    budget.spend(list.len() as u64).ok()?;
    Some((node_type.of_list(&list).ok()?, scan))
}

/// Reads the fields of an object into it. Returns the position after them.
#[inline(never)]
fn read_fields<'t>(
    mut scan: Scan<'t>,
    dtypes: &mut DTypeCache,
    fields: &[FieldPlan],
    object: &mut PartialObject<'_>,
) -> Option<Scan<'t>> {
    scan.token(b'{')?;
    if scan.peek()? == b'}' {
        scan.token(b'}')?;
        return Some(scan);
    }
    let mut expected = 0;
    loop {
        let index = match fields.get(expected) {
            Some(plan) if plan.key.take(&mut scan) => expected,
            _ => {
                let key = scan.any_key()?;
                fields.iter().position(|plan| plan.name.as_bytes() == key)?
            }
        };
        read_field(&mut scan, dtypes, object.field(index)?)?;
        expected = index + 1;
        match scan.next()? {
            b',' => {}
            b'}' => return Some(scan),
            _ => return None,
        }
    }
}

/// Reads the value of a field.
#[inline(always)]
fn read_field(scan: &mut Scan<'_>, dtypes: &mut DTypeCache, field: PartialField<'_>) -> Option<()> {
    let info = field.vacant.info();
    let is_done = match (info.storage(), scan.peek()?) {
        _ if !info.is_inline() => return field.set_node(scan.index()?),
        (Storage::Int, b'0'..=b'9' | b'-') => field.vacant.set_int(scan.int()?),
        (Storage::Bool, b't') => scan.take(b"true") && field.vacant.set_bool(true),
        (Storage::Bool, b'f') => scan.take(b"false") && field.vacant.set_bool(false),
        (Storage::DataType, b'"') => {
            scan.skip(1);
            field.vacant.set_dtype(data_type(dtypes, scan.plain()?)?)
        }
        _ => field.vacant.set_any(scan.scalar()?.inline(info).ok()?).is_ok(),
    };
    is_done.then_some(())
}

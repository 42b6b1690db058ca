//! Reads JSON graphs in the form that TVM and this crate write: `root_index`, `nodes` and `metadata` in this order,
//! each node with its type first and behind all nodes that it refers to.
//!
//! This is nearly every graph there is, and it is read several times as fast as by the general reader: token by token
//! from the bytes, with one look at most keys, because they are the expected ones, and straight into the memory of the
//! objects. For everything else, right or wrong, the answer is `None`, and the general reader begins anew and decides:
//! nothing that is said of a text is said here. What the data of a node means is written down once, in [`NodeType`] and
//! [`JsonScalar`](crate::json::json_scalar::JsonScalar), for both.
//!
//! The position in the text goes by value into the functions that are not inlined and comes back from them, so that it
//! stays in registers: reading is one long chain of steps from each position to the next.

use crate::container::{Assembly, PartialField, PartialObject};
use crate::json::direct_mapped::DirectMapped;
use crate::json::graph::{Graph, Metadata};
use crate::json::node_type::NodeType;
use crate::json::options::JsonReader;
use crate::json::scan::{Pattern, Scan};
use crate::object::{Any, Body, Buildable, Storage, TypeInfo};
use crate::scalar::DataType;
use crate::table::Table;

/// The graph in `text`, if it has the usual form and nothing is wrong with it.
pub(crate) fn read<'t>(text: &'t [u8], reader: JsonReader<'t>) -> Option<Graph> {
    let mut scan = Scan::new(text);
    scan.token(b'{')?;
    scan.key("root_index")?;
    let root = scan.index()?;
    scan.token(b',')?;
    scan.key("nodes")?;
    scan.token(b'[')?;
    let mut types = Types::new(reader);
    let mut dtypes = DataTypes::default();
    let mut indices = Vec::new();
    // The root is mostly the last one. No node takes fewer bytes than this one, so memory stays in proportion.
    let mut values = Assembly::with_capacity((root as usize).min(text.len() / r#"{"type":"None"},"#.len()) + 1);
    loop {
        read_node(&mut scan, &mut types, &mut dtypes, &mut indices, &mut values)?;
        match scan.next()? {
            b',' => {}
            b']' => break,
            _ => return None,
        }
    }
    let metadata = match scan.peek()? {
        b',' => {
            let (metadata, behind) = read_metadata(scan)?;
            scan = behind;
            Some(metadata)
        }
        _ => None,
    };
    scan.token(b'}')?;
    if scan.peek().is_some() {
        return None;
    }
    Some(Graph::new(values.finish(root)?, metadata))
}

/// All up to the bracket at the end of the text.
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

/// What is known of a type after its first node.
enum Plan {
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

impl Plan {
    fn new(node_type: NodeType) -> Option<Self> {
        if matches!(node_type, NodeType::None) {
            return Some(Plan::None);
        }
        if let Some(info) = node_type.container() {
            return Some(Plan::List(info));
        }
        let info = match (node_type, node_type.node_struct()) {
            (_, Some(info)) => info,
            (NodeType::Object(info), None) if info.body == Body::Str => return Some(Plan::Text),
            (_, None) => return Some(Plan::Value(node_type)),
        };
        let fields =
            info.fields().iter().map(|field| FieldPlan { name: field.name, key: Pattern::new(false, field.name, ":") });
        Some(Plan::Fields(Buildable::new(info).ok()?, fields.collect()))
    }
}

/// The types that were met.
struct Types<'t> {
    reader: JsonReader<'t>,
    plans: Vec<(TypeText, Plan)>,
    by_key: Table<&'t [u8], usize>,
    /// By a hash of the first bytes of the type key and what follows it.
    recent: DirectMapped<u16, 512>,
}

/// What stands in a node between the quote before the type key and the data.
type TypeText = Pattern;

impl<'t> Types<'t> {
    fn new(reader: JsonReader<'t>) -> Self {
        Types { reader, plans: Vec::new(), by_key: Table::default(), recent: DirectMapped::default() }
    }

    /// The index of the plan for the type whose key stands at `scan`, and takes all up to the data.
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
        let (index, behind) = self.look_up(*scan)?;
        *self.recent.slot(hash) = u16::try_from(index).ok();
        *scan = behind;
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
                self.plans.push((text, Plan::new(node_type)?));
                self.plans.len() - 1
            }
        };
        if !matches!(self.plans.get(index)?.1, Plan::None) {
            scan.token(b',')?;
            scan.key("data")?;
        }
        Some((index, scan))
    }
}

/// Data types with the first and last four bytes of their names, which are all bytes, and the length.
type DataTypes = DirectMapped<((u64, usize), DataType), 64>;

/// The data type with the given name; `recent` holds those with names of four to eight bytes.
#[inline(always)]
fn data_type(recent: &mut DataTypes, name: &[u8]) -> Option<DataType> {
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
    types: &mut Types<'t>,
    dtypes: &mut DataTypes,
    indices: &mut Vec<u32>,
    values: &mut Assembly,
) -> Option<()> {
    if !scan.take(b"{\"type\":\"") {
        scan.token(b'{')?;
        scan.key("type")?;
        scan.token(b'"')?;
    }
    let index = types.find(scan)?;
    match &types.plans.get(index)?.1 {
        Plan::Fields(info, fields) => {
            let mut object = values.object(*info);
            *scan = read_fields(*scan, dtypes, fields, &mut object)?;
            object.finish()?;
        }
        Plan::List(info) => {
            *scan = read_indices(*scan, indices)?;
            match info.body {
                Body::Map => values.push_entries(info, indices)?,
                _ => values.push_sequence(info, indices)?,
            }
        }
        Plan::Text => {
            let (text, behind) = scan.string()?;
            *scan = behind;
            values.push_text(&text);
        }
        Plan::Value(node_type) => {
            let (value, behind) = read_value(*scan, *node_type)?;
            *scan = behind;
            values.push(value);
        }
        Plan::None => values.push(Any::None),
    }
    scan.token(b'}')
}

/// Reads a list of node indices, and gives the position behind it.
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
fn read_value(mut scan: Scan<'_>, node_type: NodeType) -> Option<(Any, Scan<'_>)> {
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
    Some((node_type.of_list(&list).ok()?, scan))
}

/// Reads the fields of an object into it, and gives the position behind them.
#[inline(never)]
fn read_fields<'t>(
    mut scan: Scan<'t>,
    dtypes: &mut DataTypes,
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
fn read_field(scan: &mut Scan<'_>, dtypes: &mut DataTypes, field: PartialField<'_>) -> Option<()> {
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

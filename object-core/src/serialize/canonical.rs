//! Reads JSON graphs in the form that TVM and this crate write: `root_index`, `nodes` and `metadata` in this order,
//! each node with its type first and behind all nodes that it refers to.
//!
//! This is nearly every graph there is, and it is read several times as fast as by the general reader: token by token
//! from the bytes, with one look at most keys, because they are the expected ones, and straight into the memory of the
//! objects. For everything else, right or wrong, the answer is `None`, and the general reader decides. What the data of
//! a node means is written down once, in [`NodeType`] and [`Scalar`](super::scalar::Scalar), for both.

use super::metadata::Metadata;
use super::node_type::NodeType;
use super::reader::Graph;
use super::scan::Scan;
use crate::container::{Assembly, PartialObject};
use crate::object::{Any, Body, Buildable, FieldInfo, Storage, TypeInfo};
use crate::scalar::DataType;
use crate::table::Table;

/// The graph in `text`, if it has the usual form and nothing is wrong with it.
pub(super) fn read(text: &[u8]) -> Option<Graph> {
    let mut scan = Scan::new(text);
    scan.token(b'{')?;
    scan.key("root_index")?;
    let root = scan.index()?;
    scan.token(b',')?;
    scan.key("nodes")?;
    scan.token(b'[')?;
    let mut nodes = Nodes { scan, types: Types::default(), dtypes: Recent::default(), indices: Vec::new() };
    let mut values = Assembly::default();
    loop {
        values = nodes.read(values)?;
        match nodes.scan.next()? {
            b',' => {}
            b']' => break,
            _ => return None,
        }
    }
    let mut scan = nodes.scan;
    let metadata = match scan.peek()? {
        b',' => Some(read_metadata(&mut scan)?),
        _ => None,
    };
    scan.token(b'}')?;
    if scan.peek().is_some() {
        return None;
    }
    Some(Graph { root: values.finish(root)?, metadata })
}

/// All up to the bracket at the end of the text.
fn read_metadata(scan: &mut Scan<'_>) -> Option<Metadata> {
    scan.token(b',')?;
    scan.key("metadata")?;
    scan.peek()?;
    let rest = scan.rest();
    let end = rest.iter().rposition(|byte| *byte == b'}')?;
    let text = std::str::from_utf8(&rest[..end]).ok()?.trim_end_matches([' ', '\n', '\t', '\r']);
    scan.skip(end);
    Metadata::new(text).ok()
}

/// What is known of a type after its first node.
enum Plan {
    /// A value without data.
    None,
    /// A list of node indices.
    List(&'static TypeInfo),
    /// A map of fields.
    Fields(Buildable, Vec<FieldPlan>),
    /// Anything else.
    Value(NodeType),
}

struct FieldPlan {
    field: &'static FieldInfo,
    key: KeyPattern,
}

impl Plan {
    fn new(node_type: NodeType) -> Option<Self> {
        if matches!(node_type, NodeType::None) {
            return Some(Plan::None);
        }
        if let Some(info) = node_type.container() {
            return Some(Plan::List(info));
        }
        let Some(info) = node_type.node_struct() else {
            return Some(Plan::Value(node_type));
        };
        let fields = info.fields().iter().map(|field| FieldPlan { field, key: KeyPattern::new(field.name) });
        Some(Plan::Fields(Buildable::new(info).ok()?, fields.collect()))
    }
}

/// A key with its quotes and its colon, to be recognized with a few comparisons of words.
struct KeyPattern {
    len: usize,
    words: [u64; 3],
    masks: [u64; 3],
}

impl KeyPattern {
    fn new(name: &str) -> Self {
        let text = format!("\"{name}\":");
        let (mut words, mut masks) = ([0; 24], [0; 24]);
        // A longer one is never recognized here.
        let len = text.len();
        for (i, byte) in text.bytes().take(24).enumerate() {
            (words[i], masks[i]) = (byte, 0xff);
        }
        let word =
            |bytes: &[u8; 24], i: usize| bytes[8 * i..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
        KeyPattern {
            len: if len <= 24 { len } else { 0 },
            words: [0, 1, 2].map(|i| word(&words, i)),
            masks: [0, 1, 2].map(|i| word(&masks, i)),
        }
    }

    /// Takes the key if it stands here.
    #[inline]
    fn take(&self, scan: &mut Scan<'_>) -> bool {
        let differs = |i: usize| scan.word(8 * i).map_or(1, |word| (word ^ self.words[i]) & self.masks[i]);
        let found = self.len > 0 && differs(0) == 0 && (self.len <= 8 || (differs(1) | differs(2)) == 0);
        if found {
            scan.skip(self.len);
        }
        found
    }
}

/// The types that were met.
#[derive(Default)]
struct Types<'t> {
    plans: Vec<(&'t [u8], Plan)>,
    by_key: Table<&'t [u8], usize>,
    /// Where the plan of a key with this hash is, if it was the last of them.
    recent: Recent<usize>,
}

/// The last entry for each value of a small hash.
struct Recent<T>([Option<T>; 256]);

impl<T: Copy> Default for Recent<T> {
    fn default() -> Self {
        Recent([None; 256])
    }
}

impl<T: Copy> Recent<T> {
    fn slot(&mut self, hash: u64) -> &mut Option<T> {
        &mut self.0[(hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize]
    }
}

impl<'t> Types<'t> {
    #[inline]
    fn plan(&mut self, key: &'t [u8]) -> Option<&Plan> {
        let first = key.first_chunk::<8>().map_or(0, |word| u64::from_le_bytes(*word));
        let last = key.last_chunk::<8>().map_or(0, |word| u64::from_le_bytes(*word));
        let recent = self.recent.slot(first ^ last.rotate_left(23) ^ key.len() as u64);
        let index = match *recent {
            Some(index) if self.plans.get(index).is_some_and(|(found, _)| *found == key) => index,
            _ => {
                let index = match self.by_key.get(key) {
                    Some(index) => *index,
                    None => {
                        let plan = Plan::new(NodeType::of_key(std::str::from_utf8(key).ok()?).ok()?)?;
                        self.by_key.insert(key, self.plans.len());
                        self.plans.push((key, plan));
                        self.plans.len() - 1
                    }
                };
                *recent = Some(index);
                index
            }
        };
        self.plans.get(index).map(|(_, plan)| plan)
    }
}

/// The data type with the given name; `recent` holds those of up to eight bytes, by their bytes.
#[inline]
fn data_type(recent: &mut Recent<(u64, DataType)>, name: &[u8]) -> Option<DataType> {
    let parse = || std::str::from_utf8(name).ok()?.parse().ok();
    if name.len() > 8 {
        return parse();
    }
    let mut word = [0; 8];
    word[..name.len()].copy_from_slice(name);
    // No two names of up to eight bytes have one word: no name holds a zero byte.
    let word = u64::from_le_bytes(word);
    match recent.slot(word) {
        Some((found, value)) if *found == word => Some(*value),
        slot => {
            let value = parse()?;
            *slot = Some((word, value));
            Some(value)
        }
    }
}

/// What is kept between nodes.
struct Nodes<'t> {
    scan: Scan<'t>,
    types: Types<'t>,
    dtypes: Recent<(u64, DataType)>,
    /// The elements of the list being read.
    indices: Vec<u32>,
}

impl<'t> Nodes<'t> {
    /// Reads a node and adds its value to `values`.
    #[inline]
    fn read(&mut self, mut values: Assembly) -> Option<Assembly> {
        let Nodes { scan, types, dtypes, indices } = self;
        if !scan.take(b"{\"type\":\"") {
            scan.token(b'{')?;
            scan.key("type")?;
            scan.token(b'"')?;
        }
        let plan = types.plan(scan.plain()?)?;
        if let Plan::None = plan {
            values.push(Any::None);
            scan.token(b'}')?;
            return Some(values);
        }
        if !scan.take(b",\"data\":") {
            scan.token(b',')?;
            scan.key("data")?;
        }
        match plan {
            Plan::Fields(info, fields) => {
                let mut object = values.object(*info);
                read_fields(scan, dtypes, fields, &mut object)?;
                values = object.finish()?;
            }
            Plan::List(info) => {
                indices.clear();
                read_list(scan, indices, Scan::index)?;
                match info.body {
                    Body::Map => values.push_entries(info, indices)?,
                    _ => values.push_sequence(info, indices)?,
                }
            }
            Plan::Value(node_type) if scan.peek()? == b'[' => {
                let mut list = Vec::new();
                read_list(scan, &mut list, Scan::int)?;
                values.push(node_type.of_list(&list).ok()?);
            }
            Plan::Value(node_type) => values.push(node_type.of_scalar(&scan.scalar()?).ok()?),
            Plan::None => {}
        }
        scan.token(b'}')?;
        Some(values)
    }
}

#[inline]
fn read_list<'t, T>(scan: &mut Scan<'t>, list: &mut Vec<T>, item: impl Fn(&mut Scan<'t>) -> Option<T>) -> Option<()> {
    scan.token(b'[')?;
    if scan.peek()? == b']' {
        return scan.token(b']');
    }
    loop {
        list.push(item(scan)?);
        match scan.next()? {
            b',' => {}
            b']' => return Some(()),
            _ => return None,
        }
    }
}

/// Reads the fields of an object into it.
#[inline]
fn read_fields(
    scan: &mut Scan<'_>,
    dtypes: &mut Recent<(u64, DataType)>,
    fields: &[FieldPlan],
    object: &mut PartialObject,
) -> Option<()> {
    scan.token(b'{')?;
    if scan.peek()? == b'}' {
        return scan.token(b'}');
    }
    let mut expected = 0;
    loop {
        let index = match fields.get(expected) {
            Some(plan) if plan.key.take(scan) => expected,
            _ => {
                let key = scan.any_key()?;
                fields.iter().position(|plan| plan.field.name.as_bytes() == key)?
            }
        };
        read_field(scan, dtypes, fields.get(index)?.field, index, object)?;
        expected = index + 1;
        match scan.next()? {
            b',' => {}
            b'}' => return Some(()),
            _ => return None,
        }
    }
}

/// Reads the value of a field.
#[inline]
fn read_field(
    scan: &mut Scan<'_>,
    dtypes: &mut Recent<(u64, DataType)>,
    field: &FieldInfo,
    index: usize,
    object: &mut PartialObject,
) -> Option<()> {
    if !field.is_inline() {
        let node = scan.index()?;
        return object.set_node(index, node);
    }
    match (field.storage(), scan.peek()?) {
        (Storage::Int, b'0'..=b'9' | b'-') => object.builder.put_int(index, scan.int()?),
        (Storage::Bool, b't') => scan.take(b"true") && object.builder.put_bool(index, true),
        (Storage::Bool, b'f') => scan.take(b"false") && object.builder.put_bool(index, false),
        (Storage::DataType, b'"') => {
            scan.skip(1);
            object.builder.put_dtype(index, data_type(dtypes, scan.plain()?)?)
        }
        _ => {
            let value = scan.scalar()?.inline(field).ok()?;
            !object.builder.is_set(index) && object.builder.set_index(index, value).is_ok()
        }
    }
    .then_some(())
}

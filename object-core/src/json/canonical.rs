//! Reads JSON graphs in the form that TVM and this crate write: `root_index`, `nodes` and `metadata` in this order,
//! each node with its type first and behind all nodes that it refers to.
//!
//! This is nearly every graph there is, and it is read several times as fast as by the general reader: token by token
//! from the bytes, with one look at most keys, because they are the expected ones, and straight into the memory of the
//! objects. For everything else, right or wrong, the answer is `None`, and the general reader begins anew and decides:
//! nothing that is said of a text is said here. What the data of a node means is written down once, in [`NodeType`] and
//! [`Scalar`](crate::json::scalar::Scalar), for both.
//!
//! The position in the text goes by value into the functions that are not inlined and comes back from them, so that it
//! stays in registers: reading is one long chain of steps from each position to the next.

use crate::container::{Assembly, PartialField, PartialObject};
use crate::json::direct_mapped::DirectMapped;
use crate::json::metadata::Metadata;
use crate::json::node_type::NodeType;
use crate::json::reader::{Graph, JsonReader};
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
    Some(Graph { root: values.finish(root)?, metadata })
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

#[cfg(all(test, feature = "inventory"))]
mod tests {
    use super::super::{JsonReader, to_json};
    use super::*;
    use crate::prelude::*;
    use crate::{DataType, Object};

    /// A node with a field of every storage, which says what it is read from.
    #[derive(Object)]
    #[object(type_key = "canonical.Node")]
    #[structural_eq(tree)]
    pub struct NodeNode {
        name: Str,
        next: Option<Node>,
        items: Array<Node>,
        any: Any,
        int: i64,
        small: i8,
        flag: bool,
        float: f64,
        dtype: DataType,
        #[field(default = 7)]
        field_with_a_name_longer_than_a_pattern: i64,
    }

    /// All of a graph that shows in text.
    fn write(graph: &Graph) -> String {
        to_json(graph.root.view(), graph.metadata.as_ref()).expect("what was read is written")
    }

    /// Reads `text` in both ways. The usual one may give it up, but never say something else. Whether it read it.
    fn agree(text: &[u8]) -> bool {
        let Some(usual) = read(text, JsonReader::new()) else { return false };
        let shown = String::from_utf8_lossy(text);
        let general = JsonReader::new()
            .read_general(text)
            .unwrap_or_else(|error| panic!("the general reader says {error}: {shown}"));
        assert_eq!(write(&usual), write(&general), "{shown}");
        true
    }

    const NODES: [&str; 17] = [
        r#"{"type":"None"}"#,
        r#"{"type":"ffi.String","data":"ab\n\/\u00e9"}"#,
        r#"{"type":"ffi.Array","data":[]}"#,
        concat!(
            r#"{"type":"canonical.Node","data":{"name":1,"next":0,"items":2,"any":0,"int":-12,"small":3,"flag":true,"#,
            r#""float":1.5,"dtype":"int64","field_with_a_name_longer_than_a_pattern":123456789012}}"#
        ),
        r#"{"type":"ffi.Array","data":[3,3]}"#,
        r#"{"type":"int","data":-9223372036854775808}"#,
        concat!(
            r#"{"type":"canonical.Node","data":{"name":1,"next":3,"items":4,"any":5,"int":0,"small":-128,"#,
            r#""flag":false,"float":-Infinity,"dtype":"float8_e4m3b11fnuz"}}"#
        ),
        r#"{"type":"ffi.Shape","data":[2,-1]}"#,
        r#"{"type":"Device","data":[1,0]}"#,
        r#"{"type":"float","data":NaN}"#,
        r#"{"type":"bool","data":true}"#,
        r#"{"type":"DataType","data":"bool"}"#,
        r#"{"type":"ffi.Bytes","data":"AAE="}"#,
        r#"{"type":"ffi.String","data":"é as it is"}"#,
        r#"{"type":"ffi.Map","data":[1,3,0,6]}"#,
        r#"{"type":"ffi.Array","data":[1,5,9]}"#,
        r#"{"type":"ffi.Array","data":[2,6,7,8,10,11,12,13,14,15]}"#,
    ];

    fn text() -> String {
        let nodes = NODES.join(",");
        format!(r#"{{"root_index":{},"nodes":[{nodes}],"metadata":{{"a":[NaN,{{}}]}}}}"#, NODES.len() - 1)
    }

    #[test]
    fn what_is_written_is_read_here() {
        assert!(agree(text().as_bytes()));
        let written = write(&read(text().as_bytes(), JsonReader::new()).expect("it was read just now"));
        assert!(agree(written.as_bytes()), "{written}");
        let without_metadata = written.replace(r#","metadata":{"a":[NaN,{}]}"#, "");
        assert!(without_metadata != written && agree(without_metadata.as_bytes()), "{without_metadata}");
        // Each kind of node at the end of the text.
        for end in 1..=NODES.len() {
            let text = format!(r#"{{"root_index":{},"nodes":[{}]}}"#, end - 1, NODES[..end].join(","));
            assert!(agree(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn white_space_is_no_obstacle() {
        let spaced: String =
            text().chars().map(|c| if "{}[]:,".contains(c) { format!("\t{c} \r\n") } else { c.into() }).collect();
        // In the strings it is not white space.
        let spaced = spaced.replace("ab\\n\\/", "ab\\n\\/ ");
        assert!(agree(spaced.as_bytes()), "{spaced}");
    }

    #[test]
    fn fields_may_stand_in_any_order() {
        let node = r#"{"float":2,"dtype":"int8x4","any":0,"next":0,"flag":0,"small":1,"items":2,"int":4,"name":1}"#;
        let start = NODES[..3].join(",");
        let text = format!(r#"{{"root_index":3,"nodes":[{start},{{"type":"canonical.Node","data":{node}}}]}}"#);
        assert!(agree(text.as_bytes()), "{text}");
        for again in ["int", "name", "next", "any", "small", "flag", "float"] {
            let text = text.replace(r#","name":1}"#, &format!(r#","name":1,"{again}":0}}"#));
            assert!(!agree(text.as_bytes()), "{text}");
            assert!(JsonReader::new().read_general(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn an_object_that_is_given_up_takes_nothing_along() {
        // The node is refused after it took the only handles of its children.
        let nodes = NODES[..3].join(",");
        for (last, kind) in [(r#""int":"x""#, "text"), (r#""int":1"#, "missing"), (r#""next":1"#, "another type")] {
            let node = format!(r#"{{"type":"canonical.Node","data":{{"name":1,"items":2,"any":1,{last}}}}}"#);
            let text = format!(r#"{{"root_index":3,"nodes":[{nodes},{node}]}}"#);
            assert!(
                !agree(text.as_bytes()) && JsonReader::new().read_general(text.as_bytes()).is_err(),
                "{kind}: {text}"
            );
        }
    }

    #[test]
    fn counts_are_those_of_the_references() {
        let root = read(text().as_bytes(), JsonReader::new())
            .expect("it is usual")
            .root
            .cast::<Array<Any>>()
            .expect("an array");
        let node = root.get(1).expect("an element").cast::<Node>().expect("a node");
        let first = node.next.as_ref().expect("a node");
        // Twice in an array, in `next`, and as a value of the map.
        assert_eq!(first.as_object().use_count(), 4);
        // In the array, in the map and here.
        assert_eq!(node.as_object().use_count(), 3);
    }

    #[test]
    fn no_change_of_one_byte_makes_a_difference() {
        const BYTES: &[u8] = b"09-.e\"\\{],: t\xff";
        let text = text().into_bytes();
        let mut read = 0;
        for at in 0..text.len() {
            let mut removed = text.clone();
            removed.remove(at);
            read += usize::from(agree(&removed));
            for byte in BYTES {
                let mut changed = text.clone();
                changed[at] = *byte;
                read += usize::from(agree(&changed));
                changed[at] = text[at];
                changed.insert(at, *byte);
                read += usize::from(agree(&changed));
            }
        }
        assert!(read > text.len(), "of the changed texts only {read} are read in the usual way");
    }
}

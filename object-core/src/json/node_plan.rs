//! [`NodePlans`]: how the fast reader reads the nodes of each type.

use crate::json::direct_mapped::DirectMapped;
use crate::json::node_type::NodeType;
use crate::json::options::JsonReader;
use crate::json::scan::{Pattern, Scan};
use crate::object::{Body, Buildable, TypeInfo};
use crate::scalar::DataType;
use crate::table::Table;

/// How to read the data of a type's nodes.
pub(super) enum DataPlan {
    /// A value without data.
    None,
    /// A list of node indices.
    List(&'static TypeInfo),
    /// A map of fields.
    Fields(Buildable, Vec<FieldPlan>),
    /// A text.
    Text(&'static TypeInfo),
    /// Anything else.
    Value(NodeType),
}

/// The key of a field.
pub(super) struct FieldPlan {
    /// The reflected name of the field.
    pub(super) name: &'static str,
    /// The key with its quotes and its colon.
    pub(super) key: Pattern,
}

impl DataPlan {
    fn new(node_type: NodeType) -> Option<Self> {
        if node_type.kept().is_some() {
            return None;
        }
        if matches!(node_type, NodeType::None) {
            return Some(DataPlan::None);
        }
        if let Some(info) = node_type.container() {
            return Some(DataPlan::List(info));
        }
        let info = match (node_type, node_type.node_struct()) {
            (_, Some(info)) => info,
            (NodeType::Object(info), None) if info.body == Body::Str => return Some(DataPlan::Text(info)),
            (_, None) => return Some(DataPlan::Value(node_type)),
        };
        let fields =
            info.fields().iter().map(|field| FieldPlan { name: field.name, key: Pattern::new(false, field.name, ":") });
        Some(DataPlan::Fields(Buildable::new(info).ok()?, fields.collect()))
    }
}

/// The plans of the types of the nodes so far.
pub(super) struct NodePlans<'t> {
    reader: JsonReader<'t>,
    plans: Vec<(TypePattern, DataPlan)>,
    by_key: Table<&'t [u8], usize>,
    /// The cache of indices into `plans`, by a hash of the next bytes of the text.
    recent: DirectMapped<u16, 512>,
}

/// The text of a node from the type key to the colon before the data.
type TypePattern = Pattern;

impl<'t> NodePlans<'t> {
    /// No plans.
    pub(super) fn new(reader: JsonReader<'t>) -> Self {
        NodePlans { reader, plans: Vec::new(), by_key: Table::default(), recent: DirectMapped::default() }
    }

    /// Takes the type key at `scan` and the text up to the data. Returns the plan of the type.
    #[inline(always)]
    pub(super) fn find(&mut self, scan: &mut Scan<'t>) -> Option<&DataPlan> {
        let hash = match scan.rest().first_chunk::<16>() {
            Some(bytes) => u128::from_le_bytes(*bytes),
            None => 0,
        };
        let hash = (hash as u64).rotate_left(29) ^ (hash >> 64) as u64;
        let recent = self.recent.slot(hash).map(usize::from);
        let index = match recent.filter(|index| self.plans.get(*index).is_some_and(|(text, _)| text.take(scan))) {
            Some(index) => index,
            None => {
                let (index, after) = self.look_up(*scan)?;
                *self.recent.slot(hash) = u16::try_from(index).ok();
                *scan = after;
                index
            }
        };
        self.plans.get(index).map(|(_, plan)| plan)
    }

    #[cold]
    fn look_up(&mut self, mut scan: Scan<'t>) -> Option<(usize, Scan<'t>)> {
        let key = scan.plain()?;
        let index = match self.by_key.get(key) {
            Some(index) => *index,
            None => {
                let node_type = NodeType::of_key(std::str::from_utf8(key).ok()?, "", self.reader).ok()?;
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
pub(super) type DTypeCache = DirectMapped<((u64, usize), DataType), 64>;

/// The data type with the given name. `recent` caches data types with names of four to eight bytes.
#[inline(always)]
pub(super) fn data_type(recent: &mut DTypeCache, name: &[u8]) -> Option<DataType> {
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

//! [`kept_bases`]: the types that objects of unknown types extend, from the fields in which they stand.

use std::collections::{BTreeMap, HashSet};

use crate::json::general_node::{FieldPart, NodeParts};
use crate::json::options::JsonReader;
use crate::object::{TypeInfo, TypeSchema};

/// For objects of unknown types in fields that demand an open type, this type by the index of the node. `waiting` gives the parts
/// of a node that is not made; all nodes around an object of an unknown type are such nodes.
pub(crate) fn kept_bases<'p>(
    count: usize,
    waiting: &dyn Fn(usize) -> Option<&'p NodeParts>,
    reader: JsonReader<'_>,
) -> BTreeMap<usize, &'static TypeInfo> {
    let mut demands = Demands { waiting, reader, lists: HashSet::new(), bases: BTreeMap::new() };
    for index in 0..count {
        let Some(NodeParts::Object(info, fields)) = waiting(index) else { continue };
        for (field, part) in fields {
            if let FieldPart::Node(node) = part
                && waiting(*node as usize).is_some()
            {
                demands.add(*node as usize, &info.fields()[usize::from(*field)].schema());
            }
        }
    }
    demands.bases
}

/// The demands of fields so far.
struct Demands<'w, 'p, 't> {
    waiting: &'w dyn Fn(usize) -> Option<&'p NodeParts>,
    reader: JsonReader<'t>,
    /// The lists whose elements have the demands of a type.
    lists: HashSet<(usize, TypeSchema)>,
    bases: BTreeMap<usize, &'static TypeInfo>,
}

impl Demands<'_, '_, '_> {
    /// Adds the demand that the value of the node `index` is of the type `schema`.
    fn add(&mut self, index: usize, schema: &TypeSchema) {
        if matches!(schema.name, "Optional" | "Variant") {
            return schema.args.iter().for_each(|arg| self.add(index, arg));
        }
        match (self.waiting)(index) {
            Some(NodeParts::Kept(_)) => {
                if let Ok(base) = self.reader.type_info(schema.name)
                    && base.is_base()
                {
                    let found = self.bases.entry(index).or_insert(base);
                    // The objects of a type are objects of all its ancestors.
                    if base.is_or_extends(found) {
                        *found = base;
                    }
                }
            }
            // A map has the types of keys and of values, and its keys and values in turn.
            Some(NodeParts::List(info, elements))
                if info.type_key() == schema.name
                    && !schema.args.is_empty()
                    && self.lists.insert((index, schema.clone())) =>
            {
                for (place, element) in elements.iter().enumerate() {
                    self.add(*element as usize, &schema.args[place % schema.args.len()]);
                }
            }
            _ => {}
        }
    }
}

//! [`GraphStats`]: the size of a graph, its sharing and its types.

use std::collections::hash_map::Entry;

use crate::graph::Children;
use crate::object::{AnyView, AsAnyView, PlainBits};
use crate::table::Table;

/// The size and shape of the graph below one value.
///
/// The nodes are the nodes of the JSON format: one for each object, and one for each distinct text, byte string and plain
/// value that is an array element, part of a map entry or the value of a field of any type. Plain fields of a fixed type
/// (`bool`, integers, floats, data types) belong to their object and do not count. An edge is one reference from a node to
/// another: a field, an element, a key or a value.
///
/// ```
/// use object_core::stats::GraphStats;
/// use object_core::{Any, Array};
///
/// let leaf = Array::from([1, 2]);
/// let stats = GraphStats::of(&Array::from([leaf.clone(), leaf]));
/// assert_eq!((stats.nodes, stats.edges, stats.shared, stats.depth), (4, 4, 1, 3));
/// assert_eq!(stats.tree_nodes, 7);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphStats {
    /// The nodes.
    pub nodes: usize,
    /// The references between nodes.
    pub edges: usize,
    /// The objects with two or more references. Text, bytes and plain values do not count.
    pub shared: usize,
    /// The number of nodes on the longest path from the root.
    pub depth: usize,
    /// The number of nodes without sharing, at most `u64::MAX`.
    pub tree_nodes: u64,
    /// The statistics of each type: the type with the most nodes first, types with equally many by key.
    pub types: Vec<TypeStats>,
}

/// The statistics of one type in a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypeStats {
    /// The type key, or the name of a plain kind.
    pub type_key: &'static str,
    /// The nodes of exactly this type.
    pub nodes: usize,
    /// The references to them.
    pub references: usize,
}

impl GraphStats {
    /// Measures the graph below `root`, in time linear in its nodes and edges and without recursion.
    #[must_use]
    pub fn of(root: &impl AsAnyView) -> GraphStats {
        let mut walk = Walk::default();
        let (root, _) = walk.enter(root.as_any_view());
        while let Some(frame) = walk.stack.last_mut() {
            let id = frame.id;
            match frame.children.next_reference() {
                Some(child) => {
                    walk.edges += 1;
                    let (child, is_done) = walk.enter(child);
                    walk.nodes[child].references += 1;
                    if is_done {
                        walk.fold(id, child);
                    }
                }
                None => {
                    walk.stack.pop();
                    if let Some(parent) = walk.stack.last() {
                        let parent = parent.id;
                        walk.fold(parent, id);
                    }
                }
            }
        }
        walk.finish(root)
    }
}

/// The identity of a node: equal keys are one node.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Plain(PlainBits),
    Text(&'a str),
    Bytes(&'a [u8]),
    Object(usize),
}

impl<'a> Key<'a> {
    fn of(value: AnyView<'a>) -> Self {
        match value {
            AnyView::Object(object) => match (object.as_str(), object.as_bytes()) {
                (Some(text), _) => Key::Text(text),
                (_, Some(bytes)) => Key::Bytes(bytes),
                _ => Key::Object(object.address()),
            },
            plain => Key::Plain(plain.plain_bits().unwrap_or(PlainBits::NONE)),
        }
    }
}

struct Node {
    type_key: &'static str,
    has_identity: bool,
    references: usize,
    depth: usize,
    tree_nodes: u64,
}

/// An object whose children are being visited.
struct OpenNode<'a> {
    id: usize,
    children: Children<'a>,
}

#[derive(Default)]
struct Walk<'a> {
    ids: Table<Key<'a>, usize>,
    nodes: Vec<Node>,
    edges: usize,
    stack: Vec<OpenNode<'a>>,
}

impl<'a> Walk<'a> {
    /// The node of `value`, and whether the walk has visited all its descendants. Pushes a new node with children on the
    /// stack.
    fn enter(&mut self, value: AnyView<'a>) -> (usize, bool) {
        let id = self.nodes.len();
        let key = Key::of(value);
        let has_identity = matches!(key, Key::Object(_));
        match self.ids.entry(key) {
            Entry::Occupied(entry) => return (*entry.get(), true),
            Entry::Vacant(entry) => entry.insert(id),
        };
        self.nodes.push(Node { type_key: value.type_key(), has_identity, references: 0, depth: 1, tree_nodes: 1 });
        match value.as_object().map(Children::of) {
            Some(children) if !children.is_none() => {
                self.stack.push(OpenNode { id, children });
                (id, false)
            }
            _ => (id, true),
        }
    }

    /// Adds the depth and size of `child` to `parent`.
    fn fold(&mut self, parent: usize, child: usize) {
        let Node { depth, tree_nodes, .. } = self.nodes[child];
        let parent = &mut self.nodes[parent];
        parent.depth = parent.depth.max(depth + 1);
        parent.tree_nodes = parent.tree_nodes.saturating_add(tree_nodes);
    }

    fn finish(self, root: usize) -> GraphStats {
        let mut types: Table<&'static str, TypeStats> = Table::default();
        for node in &self.nodes {
            let entry = types.entry(node.type_key);
            let entry = entry.or_insert(TypeStats { type_key: node.type_key, nodes: 0, references: 0 });
            entry.nodes += 1;
            entry.references += node.references;
        }
        let mut types: Vec<TypeStats> = types.into_values().collect();
        types.sort_by_key(|entry| (std::cmp::Reverse(entry.nodes), entry.type_key));
        GraphStats {
            nodes: self.nodes.len(),
            edges: self.edges,
            shared: self.nodes.iter().filter(|node| node.has_identity && node.references > 1).count(),
            depth: self.nodes[root].depth,
            tree_nodes: self.nodes[root].tree_nodes,
            types,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Any, Array, Map, Str};

    #[test]
    fn counts_values_once_and_objects_by_identity() {
        let map = Map::<Str, Any>::new([
            (Str::from("a"), Any::from("a")),
            (Str::from("b"), Any::from(Array::from([1, 1]))),
            (Str::from("c"), Any::from(Array::from([1, 1]))),
            (Str::from("d"), Any::None),
        ]);
        let stats = GraphStats::of(&map);
        let types: Vec<_> = stats.types.iter().map(|entry| (entry.type_key, entry.nodes, entry.references)).collect();
        assert_eq!(
            types,
            [("ffi.String", 4, 5), ("ffi.Array", 2, 2), ("None", 1, 1), ("ffi.Map", 1, 0), ("int", 1, 4)]
        );
        assert_eq!((stats.nodes, stats.edges, stats.shared, stats.depth), (9, 12, 0, 3));
    }

    #[test]
    fn a_plain_value_is_one_node() {
        let stats = GraphStats::of(&AnyView::Int(7));
        assert_eq!((stats.nodes, stats.edges, stats.shared, stats.depth, stats.tree_nodes), (1, 0, 0, 1, 1));
    }

    #[test]
    fn sharing_costs_nothing() {
        let mut value = Any::from(Array::<Any>::new([]));
        for _ in 0..100 {
            value = Any::from(Array::from([value.clone(), value]));
        }
        let stats = GraphStats::of(&value);
        assert_eq!((stats.nodes, stats.edges, stats.shared, stats.depth), (101, 200, 100, 101));
        assert_eq!(stats.tree_nodes, u64::MAX);
    }

    #[test]
    fn a_deep_chain_needs_little_stack() {
        let measure = || {
            let mut value = Any::None;
            for _ in 0..1_000_000 {
                value = Any::from(Array::from([value]));
            }
            GraphStats::of(&value)
        };
        let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(measure);
        let stats = thread.expect("the thread starts").join().expect("nothing overflows");
        assert_eq!((stats.nodes, stats.depth, stats.tree_nodes), (1_000_001, 1_000_001, 1_000_001));
    }
}

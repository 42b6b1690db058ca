//! The types that a class of C++ needs, and the order in which they are complete.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

use object_core::dynamic::TypeText;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::model::Model;

/// The generated types that a type mentions.
fn mentioned(model: &Model<'_>, ty: &TypeText, found: &mut BTreeSet<usize>) {
    found.extend(model.find(&ty.name).filter(|index| model.is_generated(*index)));
    ty.args.iter().for_each(|arg| mentioned(model, arg, found));
}

/// The generated types that the classes of a type mention: its parent, and the types of its fields and methods. The fields
/// of a generated parent are among the needs of the parent.
fn needs(model: &Model<'_>, index: usize) -> BTreeSet<usize> {
    let decl = model.decl(index);
    let mut needed = BTreeSet::new();
    let is_counted = model.parent(index).is_some_and(|parent| model.is_generated(parent));
    let inherited = if is_counted { Vec::new() } else { model.inherited_fields(index) };
    for field in inherited.into_iter().chain(&decl.fields) {
        mentioned(model, &field.ty, &mut needed);
    }
    for method in &decl.methods {
        method.arguments.iter().for_each(|(_, ty)| mentioned(model, ty, &mut needed));
        mentioned(model, &method.result, &mut needed);
    }
    needed.extend(model.parent(index).filter(|parent| model.is_generated(*parent)));
    needed
}

/// The types and the enums of the context that the text of the generated types names. The methods of a type are in the text
/// if `has_methods`.
pub(crate) fn foreign<'s>(model: &Model<'s>, has_methods: bool) -> BTreeSet<&'s str> {
    let mut found = BTreeSet::new();
    for decl in model.generated().into_iter().map(|index| model.decl(index)) {
        found.extend(decl.parent.as_deref().filter(|key| model.find(key).is_some()));
        for field in &decl.fields {
            named(model, &field.ty, &mut found);
            found.extend(field.enumeration.as_deref().filter(|name| !model.has_enum(name)));
        }
        for method in decl.methods.iter().filter(|_| has_methods) {
            method.arguments.iter().for_each(|(_, ty)| named(model, ty, &mut found));
            named(model, &method.result, &mut found);
        }
    }
    found.retain(|name| model.find(name).is_none_or(|index| !model.is_generated(index)));
    found
}

/// The types of the context in the inherited fields of the generated types.
pub(crate) fn inherited<'s>(model: &Model<'s>) -> BTreeSet<&'s str> {
    let mut found = BTreeSet::new();
    let fields = model.generated().into_iter().flat_map(|index| model.inherited_fields(index));
    fields.for_each(|field| named(model, &field.ty, &mut found));
    found.retain(|name| model.find(name).is_none_or(|index| !model.is_generated(index)));
    found
}

/// The types of the model in the text of a type.
fn named<'s>(model: &Model<'s>, ty: &'s TypeText, found: &mut BTreeSet<&'s str>) {
    found.extend(model.find(&ty.name).map(|_| ty.name.as_str()));
    ty.args.iter().for_each(|arg| named(model, arg, found));
}

/// Whether a generated type mentions itself, directly or through other types. Its classes need each other then.
pub(crate) fn is_recursive(model: &Model<'_>, index: usize) -> bool {
    let recursive = model.recursive.get_or_init(|| {
        let components = components(model, &model.generated()).into_iter().filter(|it| it.is_recursive);
        components.flat_map(|it| it.members).collect()
    });
    recursive.contains(&index)
}

/// Generated types that need each other in circles, or one type.
pub(crate) struct Component {
    pub(crate) members: Vec<usize>,
    pub(crate) is_recursive: bool,
}

/// The components of the types in `order`. A component comes after the components that it needs, and else as early as
/// its first member.
pub(crate) fn components(model: &Model<'_>, order: &[usize]) -> Vec<Component> {
    let mut graph = DiGraph::<usize, ()>::new();
    let vertices: Vec<_> = order.iter().map(|index| graph.add_node(*index)).collect();
    let by_index: HashMap<usize, NodeIndex> = order.iter().copied().zip(vertices.iter().copied()).collect();
    let mut loops = BTreeSet::new();
    for (at, index) in order.iter().enumerate() {
        let needed = needs(model, *index);
        if needed.contains(index) {
            loops.insert(at);
        }
        for needed in needed.iter().filter_map(|index| by_index.get(index).copied()) {
            graph.add_edge(vertices[at], needed, ());
        }
    }
    let components = in_order(&graph).into_iter().map(|members| Component {
        is_recursive: members.len() > 1 || members.iter().any(|at| loops.contains(at)),
        members: members.into_iter().map(|at| order[at]).collect(),
    });
    components.collect()
}

/// The strong components of a graph, each with sorted members. A component comes after the components that it points to,
/// and else as early as its first member.
fn in_order(graph: &DiGraph<usize, ()>) -> Vec<Vec<usize>> {
    let mut components: Vec<Vec<usize>> = kosaraju_scc(graph)
        .into_iter()
        .map(|component| {
            let mut members: Vec<usize> = component.into_iter().map(NodeIndex::index).collect();
            members.sort_unstable();
            members
        })
        .collect();
    components.sort();
    let of_member: HashMap<usize, usize> = components
        .iter()
        .enumerate()
        .flat_map(|(at, members)| members.iter().map(move |member| (*member, at)))
        .collect();
    // The components that point to each component, and the number of components that each one waits for.
    let mut waiting_for = vec![Vec::new(); components.len()];
    let mut missing = vec![0; components.len()];
    for (at, members) in components.iter().enumerate() {
        let needed = members.iter().flat_map(|member| graph.neighbors(NodeIndex::new(*member)));
        let needed: BTreeSet<usize> = needed.map(|needed| of_member[&needed.index()]).filter(|it| *it != at).collect();
        missing[at] = needed.len();
        needed.into_iter().for_each(|needed| waiting_for[needed].push(at));
    }
    let mut ready: BinaryHeap<Reverse<usize>> =
        (0..components.len()).filter(|at| missing[*at] == 0).map(Reverse).collect();
    let mut ordered = Vec::with_capacity(components.len());
    while let Some(Reverse(at)) = ready.pop() {
        ordered.push(std::mem::take(&mut components[at]));
        for &next in &waiting_for[at] {
            missing[next] -= 1;
            ready.extend((missing[next] == 0).then_some(Reverse(next)));
        }
    }
    ordered
}

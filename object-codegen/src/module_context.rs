//! [`ModuleContext`]: the classes of a whole file, in the order in which their language needs them.

use std::collections::BTreeSet;

use object_core::Error;
use object_core::dynamic::TypeText;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use serde::Serialize;

use crate::class_context::{ClassContext, Language, class_context};
use crate::model::Model;

/// A part of a class in a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    /// The names of the classes.
    Forward,
    /// The reference class before the node.
    Declaration,
    /// The class of the data.
    Node,
    /// The rest of a reference class that came before the node.
    Definition,
    /// The reference class.
    Reference,
}

#[derive(Debug, Serialize)]
struct Item {
    part: Part,
    class: ClassContext,
}

/// Parts of classes of one namespace.
#[derive(Debug, Serialize)]
struct Group {
    namespace: Vec<String>,
    items: Vec<Item>,
}

#[derive(Debug, Serialize)]
struct EnumContext {
    name: String,
    namespace: Vec<String>,
    doc: Vec<String>,
    variants: Vec<(String, i64)>,
}

/// The classes of a whole file.
#[derive(Debug, Serialize)]
pub(crate) struct ModuleContext {
    /// The macro that guards a header.
    guard: String,
    /// The name of the header as a text literal.
    header: String,
    has_global_classes: bool,
    enums: Vec<EnumContext>,
    /// The classes, parents first.
    pub(crate) classes: Vec<ClassContext>,
    /// The parts of the classes in the order of a header.
    groups: Vec<Group>,
}

impl ModuleContext {
    /// All generated classes, in the words of `language`, for a header with the name `header`.
    ///
    /// # Errors
    /// The errors of the classes.
    pub(crate) fn new(language: &dyn Language, model: &Model<'_>, header: &str) -> Result<Self, Error> {
        let order = model.generated();
        let classes =
            order.iter().map(|index| class_context(language, model, *index)).collect::<Result<Vec<_>, _>>()?;
        let class_of = |index: usize| {
            let at = order.iter().position(|it| *it == index);
            at.map(|at| classes[at].clone())
        };
        let mut groups: Vec<Group> = Vec::new();
        for (part, index) in parts(model, &order) {
            let Some(class) = class_of(index) else { continue };
            match groups.last_mut() {
                Some(group) if group.namespace == class.namespace => group.items.push(Item { part, class }),
                _ => groups.push(Group { namespace: class.namespace.clone(), items: vec![Item { part, class }] }),
            }
        }
        let enums = model.enums().iter().map(|it| {
            let mut namespace: Vec<String> = it.name.split('.').map(str::to_owned).collect();
            let name = namespace.pop().unwrap_or_default();
            EnumContext { name, namespace, doc: language.doc(&it.doc), variants: it.variants.clone() }
        });
        Ok(ModuleContext {
            guard: guard(header),
            header: language.text(header),
            has_global_classes: classes.iter().any(|class| class.namespace.is_empty()),
            enums: enums.collect(),
            groups,
            classes,
        })
    }
}

/// The macro that guards a header with the name `header`.
fn guard(header: &str) -> String {
    let upper = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let guard: String = header.chars().map(upper).collect();
    format!("OBJECT_{guard}_")
}

/// The generated types that a type mentions.
fn mentioned(model: &Model<'_>, ty: &TypeText, found: &mut BTreeSet<usize>) {
    found.extend(model.find(&ty.name).filter(|index| model.is_generated(*index)));
    ty.args.iter().for_each(|arg| mentioned(model, arg, found));
}

/// The parts of the classes, so that each class is complete before another needs it. C++ needs the reference classes of
/// all fields before a node, and the node before its reference class. Where types mention each other in circles, the
/// reference classes come first, without the members that need a node.
fn parts(model: &Model<'_>, order: &[usize]) -> Vec<(Part, usize)> {
    let mut graph = DiGraph::<usize, ()>::new();
    let vertices: Vec<_> = order.iter().map(|index| graph.add_node(*index)).collect();
    let vertex_of = |index: usize| order.iter().position(|it| *it == index).map(|at| vertices[at]);
    let mut loops = BTreeSet::new();
    for (at, index) in order.iter().enumerate() {
        let mut needed = BTreeSet::new();
        for field in model.inherited_fields(*index).into_iter().chain(&model.decl(*index).fields) {
            mentioned(model, &field.ty, &mut needed);
        }
        for method in &model.decl(*index).methods {
            method.arguments.iter().for_each(|(_, ty)| mentioned(model, ty, &mut needed));
            mentioned(model, &method.result, &mut needed);
        }
        if needed.contains(index) {
            loops.insert(*index);
        }
        needed.extend(model.parent(*index));
        for needed in needed.into_iter().filter_map(vertex_of) {
            graph.add_edge(vertices[at], needed, ());
        }
    }
    let mut parts = Vec::new();
    for members in in_order(&graph) {
        let members: Vec<usize> = members.into_iter().map(|at| order[at]).collect();
        match members[..] {
            [index] if !loops.contains(&index) => parts.extend([(Part::Node, index), (Part::Reference, index)]),
            _ => {
                parts.extend(members.iter().map(|index| (Part::Forward, *index)));
                parts.extend(members.iter().map(|index| (Part::Declaration, *index)));
                parts.extend(members.iter().map(|index| (Part::Node, *index)));
                parts.extend(members.iter().map(|index| (Part::Definition, *index)));
            }
        }
    }
    parts
}

/// The strong components of a graph, each with sorted members. A component comes after the components that it points to,
/// and else as early as its first member.
fn in_order(graph: &DiGraph<usize, ()>) -> Vec<Vec<usize>> {
    let mut waiting: Vec<Vec<usize>> = kosaraju_scc(graph)
        .into_iter()
        .map(|component| {
            let mut members: Vec<usize> = component.into_iter().map(NodeIndex::index).collect();
            members.sort_unstable();
            members
        })
        .collect();
    waiting.sort();
    let (mut done, mut ordered) = (BTreeSet::new(), Vec::new());
    while !waiting.is_empty() {
        let is_ready = |members: &Vec<usize>| {
            let mut needed = members.iter().flat_map(|at| graph.neighbors(NodeIndex::new(*at)));
            needed.all(|it| done.contains(&it.index()) || members.contains(&it.index()))
        };
        // The graph of components has no circles, so one of them is ready.
        let at = waiting.iter().position(is_ready).unwrap_or_default();
        let members = waiting.remove(at);
        done.extend(members.iter().copied());
        ordered.push(members);
    }
    ordered
}

//! [`ModuleContext`]: the classes of a whole file, in the order in which their language needs them.

use std::collections::HashMap;

use object_core::Error;
use serde::Serialize;

use crate::class_context::{ClassContext, VariantContext, class_context};
use crate::language::Language;
use crate::model::Model;
use crate::names::{check_members, check_scopes};
use crate::needs::components;

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
    variants: Vec<VariantContext>,
}

/// The classes of a whole file.
#[derive(Debug, Serialize)]
pub(crate) struct ModuleContext {
    /// The macro that guards a header.
    guard: String,
    /// The name of the header as a text literal.
    header: String,
    has_global_classes: bool,
    /// Whether a default is read from a JSON graph.
    has_graphs: bool,
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
        check_scopes(language, model)?;
        let order = model.generated();
        check_members(language, model, &order)?;
        let classes =
            order.iter().map(|index| class_context(language, model, *index)).collect::<Result<Vec<_>, _>>()?;
        let by_index: HashMap<usize, &ClassContext> = order.iter().copied().zip(&classes).collect();
        let mut groups: Vec<Group> = Vec::new();
        for (part, index) in parts(model, &order) {
            let Some(&class) = by_index.get(&index) else { continue };
            let class = class.clone();
            match groups.last_mut() {
                Some(group) if group.namespace == class.namespace => group.items.push(Item { part, class }),
                _ => groups.push(Group { namespace: class.namespace.clone(), items: vec![Item { part, class }] }),
            }
        }
        let enums = model.enums().iter().map(|it| {
            let (namespace, name) = it.name.rsplit_once('.').unwrap_or(("", &it.name));
            let variants = it.variants.iter().map(|variant| VariantContext::new(language, variant)).collect();
            let namespace = language.namespace(namespace);
            EnumContext { name: name.to_owned(), namespace, doc: language.class_doc(&it.doc), variants }
        });
        Ok(ModuleContext {
            guard: guard(header),
            header: language.text(header),
            has_global_classes: classes.iter().any(|class| class.namespace.is_empty()),
            has_graphs: classes.iter().any(ClassContext::has_graphs),
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

/// The parts of the classes, so that each class is complete before another needs it. C++ needs the reference classes of
/// all fields before a node, and the node before its reference class. Where types mention each other in circles, the
/// reference classes come first, without the members that need a node.
fn parts(model: &Model<'_>, order: &[usize]) -> Vec<(Part, usize)> {
    let mut parts = Vec::new();
    for component in components(model, order) {
        let phases: &[Part] = match component.is_recursive {
            false => &[Part::Node, Part::Reference],
            true => &[Part::Forward, Part::Declaration, Part::Node, Part::Definition],
        };
        for phase in phases {
            parts.extend(component.members.iter().map(|index| (*phase, *index)));
        }
    }
    parts
}

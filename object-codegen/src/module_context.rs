//! [`ModuleContext`]: the classes of a whole file, in the order in which their language needs them.

use std::collections::BTreeSet;

use object_core::meter::Charge;
use object_core::{Error, ErrorKind};
use serde::Serialize;

use crate::class_context::class_context;
use crate::enum_context::EnumContext;
use crate::language::Language;
use crate::model::Model;
use crate::names::{check_members, check_scopes};
use crate::needs::{components, foreign, inherited};
use crate::templates::Template;

/// The macros of the parts of a class in a header: of one that needs no class of itself, and of one that does.
const PLAIN: &[&str] = &["node_class", "plain_reference"];
const RECURSIVE: &[&str] = &["forward", "declared_reference", "node_class", "defined_reference"];

/// The copies of a text in memory: of the classes, of the values of the engine, and of the file before and after its blank
/// lines are counted. Texts grow by doubling.
const COPIES: u64 = 6;

/// The text of classes of one namespace.
#[derive(Debug, Serialize)]
struct Group {
    namespace: Vec<String>,
    text: String,
}

/// The classes of a whole file.
#[derive(Debug, Serialize)]
pub(crate) struct ModuleContext {
    /// The macro that guards a header.
    guard: String,
    /// The name of the header as a text literal.
    header: String,
    /// The modules or the headers of other types, each once.
    imports: BTreeSet<String>,
    /// The modules or the headers of the parents of the generated types. Python needs the parent when it makes a class.
    parent_imports: BTreeSet<String>,
    /// The library that the module loads, as a text literal.
    library: Option<String>,
    has_global_classes: bool,
    /// Whether a default is read from a JSON graph.
    has_graphs: bool,
    enums: Vec<EnumContext>,
    /// The classes in their order.
    groups: Vec<Group>,
}

impl ModuleContext {
    /// All generated classes, in the words of `language`, for a header with the name `header`, and the memory of their text.
    /// `class` is the macro of a class, or `None` for the parts of headers.
    ///
    /// # Errors
    /// The errors of the classes, and [`LimitExceeded`](object_core::ErrorKind::LimitExceeded) for a text beyond the memory.
    pub(crate) fn new(
        language: &dyn Language,
        model: &Model<'_>,
        header: &str,
        class: Option<&'static str>,
        template: &mut Template,
    ) -> Result<(Self, Charge), Error> {
        // A source file includes its header, which includes the others.
        let is_source = class.is_some() && language.has_node_classes();
        check_scopes(language, model)?;
        let order = model.generated();
        check_members(language, model, &order)?;
        let mut module = ModuleContext {
            guard: guard(model, &order, header),
            header: language.text(header),
            imports: if is_source { BTreeSet::new() } else { imports(language, model)? },
            parent_imports: parent_imports(model, &order),
            library: model.library.as_deref().map(|name| language.text(name)),
            has_global_classes: false,
            has_graphs: false,
            enums: model.enums().iter().map(|it| EnumContext::new(language, it)).collect(),
            groups: Vec::new(),
        };
        let parts = match class {
            Some(class) => order.into_iter().map(|index| (class, index)).collect(),
            None => parts(model, &order),
        };
        let (mut charge, mut bytes) = (model.meter.nothing(), 0);
        for (part, index) in parts {
            let class = class_context(language, model, index)?;
            module.has_global_classes |= class.namespace.is_empty();
            module.has_graphs |= class.has_graphs();
            let text = template.part(part, &class)?;
            bytes += COPIES * text.len() as u64;
            charge.cover(bytes).map_err(|error| error.context(format_args!("`{}`", class.key)))?;
            match module.groups.last_mut() {
                Some(group) if group.namespace == class.namespace => group.text.push_str(&text),
                _ => module.groups.push(Group { namespace: class.namespace, text }),
            }
        }
        Ok((module, charge))
    }
}

/// The modules or the headers of the types of the context that the generated types name.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for a type that no option gives a place.
fn imports(language: &dyn Language, model: &Model<'_>) -> Result<BTreeSet<String>, Error> {
    let Some(option) = language.import_option() else { return Ok(BTreeSet::new()) };
    let import = |name: &str| {
        model.home(name).map(str::to_owned).ok_or_else(|| {
            let start = name.rsplit_once('.').map_or_else(|| name.to_owned(), |(start, _)| format!("{start}."));
            let place = if option == "--include" { "HEADER" } else { "MODULE" };
            let message = format!("`{name}` is in another file; name that file by `{option} {start}={place}`");
            Error::new(ErrorKind::Malformed, message)
        })
    };
    // A header includes the headers of the parents, which include the others.
    let inherited = if language.has_node_classes() || language.shown_inherited().is_none() {
        BTreeSet::new()
    } else {
        inherited(model)
    };
    let known = inherited.into_iter().filter_map(|name| model.home(name)).map(str::to_owned).map(Ok);
    foreign(model, language.declares_methods()).into_iter().map(import).chain(known).collect()
}

/// The modules or the headers of the types of the context that the generated types extend.
fn parent_imports(model: &Model<'_>, order: &[usize]) -> BTreeSet<String> {
    let parents = order.iter().filter_map(|index| model.decl(*index).parent.as_deref());
    parents.filter_map(|parent| model.home(parent)).map(str::to_owned).collect()
}

/// The macro that guards a header with the name `header`. The first type or enum is in it: a program has one header with this
/// type, and may have several headers with one name.
fn guard(model: &Model<'_>, order: &[usize], header: &str) -> String {
    let first = order.first().map(|index| model.decl(*index).key.as_str());
    let first = first.or_else(|| model.enums().first().map(|it| it.name.as_str())).unwrap_or_default();
    let upper = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let guard: String = format!("{first}_{header}").chars().map(upper).collect();
    format!("OBJECT_{guard}_")
}

/// The parts of the classes, so that each class is complete before another needs it. C++ needs the reference classes of
/// all fields before a node, and the node before its reference class. Where types mention each other in circles, the
/// reference classes come first, without the members that need a node.
fn parts(model: &Model<'_>, order: &[usize]) -> Vec<(&'static str, usize)> {
    let mut parts = Vec::new();
    for component in components(model, order) {
        for part in if component.is_recursive { RECURSIVE } else { PLAIN } {
            parts.extend(component.members.iter().map(|index| (*part, *index)));
        }
    }
    parts
}

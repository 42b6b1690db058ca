//! [`LoadPlan`]: the types of a schema that the loader makes, in order: parents first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

use crate::dynamic::decl::Schema;
use crate::dynamic::default_value::{DeclaredDefault, nodes};
use crate::dynamic::hooks::MakeHook;
use crate::dynamic::options::SchemaLoader;
use crate::dynamic::type_decl::TypeDecl;
use crate::dynamic::type_text::TypeText;
use crate::dynamic::value_type::{NamedType, TypeCell};
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Body, TypeInfo};
use crate::registry::{Types, duplicate};
use crate::text::brief::brief;
use crate::text::did_you_mean::{did_you_mean, nearest};

/// The bound of the depth of a hierarchy. Each type has a table of all its ancestors.
const MAX_DEPTH: usize = 64;

/// The types of a schema that the loader makes.
pub(super) struct LoadPlan<'s> {
    pub(super) schema: &'s Schema,
    pub(super) loader: &'s SchemaLoader,
    by_key: BTreeMap<&'s str, usize>,
    /// The indices of the types to make, each after its parent.
    pub(super) order: Vec<usize>,
    /// A cell for each type to make.
    cells: BTreeMap<usize, TypeCell>,
    /// The keys of the schema that get no type, with the reasons.
    pub(super) left_out: BTreeMap<String, String>,
    /// The types beside the types that the loader makes.
    pub(super) linked: Types,
}

/// The parent of a type.
#[derive(Clone, Copy)]
pub(super) enum Parent {
    /// The type of the schema with this index.
    Made(usize),
    /// A linked type.
    Linked(&'static TypeInfo),
}

impl<'s> LoadPlan<'s> {
    pub(super) fn new(loader: &'s SchemaLoader, schema: &'s Schema) -> Result<Self> {
        let mut plan = LoadPlan {
            schema,
            loader,
            by_key: BTreeMap::new(),
            order: Vec::new(),
            cells: BTreeMap::new(),
            left_out: schema.left_out.iter().cloned().collect(),
            linked: loader.base_types(),
        };
        for (index, decl) in schema.types.iter().enumerate() {
            if let Some(earlier) = plan.by_key.insert(&decl.key, index) {
                let place = &schema.types[earlier].place;
                let message = format!("there are two types with this key; the other one is at {place}");
                return Err(decl.blame("key", ErrorKind::DuplicateKey, message));
            }
        }
        let replaced = plan.replaced();
        for (index, decl) in schema.types.iter().enumerate() {
            if plan.is_made(index, decl, &replaced)? {
                plan.cells.insert(index, TypeCell::open());
            }
        }
        plan.sort()?;
        Ok(plan)
    }

    /// The index of the type of the schema with the given key, if the loader makes it.
    pub(super) fn made(&self, key: &str) -> Option<usize> {
        self.by_key.get(key).copied().filter(|index| self.cells.contains_key(index))
    }

    /// Makes the hook of a type that code compares, if there is one.
    pub(super) fn hook(&self, decl: &TypeDecl) -> Option<&MakeHook> {
        self.loader.hooks.get(&decl.key).filter(|_| decl.is_custom)
    }

    /// Whether a graph, the default of a field, has objects with types that the loader makes.
    pub(super) fn makes_types_of(&self, graph: &Value) -> bool {
        nodes(graph).any(|(key, _)| self.made(key).is_some())
    }

    /// Checks that the nodes of a default have values for all fields whose defaults are graphs with types that the loader
    /// makes. Otherwise a default could contain itself.
    pub(super) fn check_is_explicit(&self, graph: &Value) -> Result<()> {
        for (key, data) in nodes(graph) {
            let mut next = self.made(key);
            while let Some(decl) = next.map(|index| &self.schema.types[index]) {
                let is_open = |default: &DeclaredDefault| matches!(default, DeclaredDefault::Graph(graph) if self.makes_types_of(graph));
                let has = |name: &str| data.and_then(Value::as_object).is_some_and(|data| data.contains_key(name));
                let missing =
                    decl.fields.iter().find(|field| field.default.as_ref().is_some_and(is_open) && !has(&field.name));
                if let Some(field) = missing {
                    let message = format!(
                        "a node of type `{}` in a default needs a value for the field `{}`, whose default has types of the schema too",
                        brief(key),
                        brief(&field.name)
                    );
                    return Err(Error::new(ErrorKind::MissingField, message));
                }
                next = decl.parent.as_deref().and_then(|parent| self.made(parent));
            }
        }
        Ok(())
    }

    /// The cell of the type with the given index.
    pub(super) fn type_cell(&self, index: usize) -> TypeCell {
        self.cells.get(&index).cloned().unwrap_or_else(TypeCell::open)
    }

    /// The indices of the types that replace linked types.
    fn replaced(&self) -> BTreeSet<usize> {
        let mut replaced = BTreeSet::new();
        let begins = |key: &str| self.loader.replaced.iter().any(|prefix| key.starts_with(prefix.as_str()));
        let mut users: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut queue = Vec::new();
        for (index, decl) in self.schema.types.iter().enumerate() {
            for name in decl.parent.as_deref().into_iter().chain(decl.fields.iter().flat_map(|field| names(&field.ty)))
            {
                users.entry(name).or_default().push(index);
            }
            if begins(&decl.key) && decl.body == Body::Node && !decl.is_linked {
                queue.push(index);
            }
        }
        while let Some(index) = queue.pop() {
            if replaced.insert(index) {
                queue.extend(users.get(self.schema.types[index].key.as_str()).into_iter().flatten());
            }
        }
        replaced
    }

    /// Whether the loader makes the type.
    fn is_made(&mut self, index: usize, decl: &TypeDecl, replaced: &BTreeSet<usize>) -> Result<bool> {
        let linked = self.linked.find(&decl.key)?;
        match linked.filter(|_| !replaced.contains(&index)) {
            Some(_) if self.loader.prefers_linked || decl.is_linked => return Ok(false),
            Some(info) => {
                let error = duplicate(info, (&self.loader.name, place_of(index)));
                return Err(decl.blame("key", ErrorKind::DuplicateKey, error.message()));
            }
            None => {}
        }
        let reason = if decl.body != Body::Node {
            "its data is not made of fields, so only a linked type will do"
        } else if decl.is_custom && !self.loader.custom_by_fields && self.hook(decl).is_none() {
            "the type is `custom`, so its comparison needs a hook, and no hook is registered; link the type, register a hook, or compare the type by its fields"
        } else {
            return Ok(true);
        };
        // A set of its own may lack types that exist in memory only; whoever asks for one gets the reason.
        let may_lack = self.schema.is_foreign || (self.loader.is_standalone && decl.body != Body::Node);
        if may_lack && linked.is_none() {
            self.left_out.insert(decl.key.clone(), reason.to_owned());
            return Ok(false);
        }
        let word = if decl.body == Body::Node { "custom" } else { "body" };
        Err(decl.blame(word, ErrorKind::NotConstructible, reason))
    }

    /// Computes the order.
    fn sort(&mut self) -> Result<()> {
        let mut depths: BTreeMap<usize, usize> = BTreeMap::new();
        for start in self.cells.keys().copied().collect::<Vec<_>>() {
            // The chain of parents, from this type to the first type that is already in the order.
            let mut chain = Vec::new();
            let mut next = Some(start);
            while let Some(index) = next.filter(|index| !depths.contains_key(index) && self.cells.contains_key(index)) {
                let decl = &self.schema.types[index];
                if chain.contains(&index) {
                    return Err(decl.blame("parent", ErrorKind::Cycle, "the type descends from itself"));
                }
                if chain.len() >= MAX_DEPTH {
                    return Err(too_deep(decl));
                }
                chain.push(index);
                next = match self.find_parent(decl)? {
                    Ok(Some(Parent::Made(parent))) => Some(parent),
                    Ok(_) => None,
                    // A schema may leave out any number of types, so the reason has no suggestion.
                    Err(fault) if self.schema.is_foreign => {
                        self.leave_out(&chain, &format!("`{}`: {fault}", brief(&decl.key)));
                        chain.clear();
                        None
                    }
                    Err(fault) => return Err(self.blame_parent(decl, &fault)?),
                };
            }
            for index in chain.into_iter().rev() {
                let decl = &self.schema.types[index];
                let depth = match self.parent(decl)? {
                    Some(Parent::Made(parent)) => depths.get(&parent).copied().unwrap_or_default(),
                    Some(Parent::Linked(info)) => info.ancestors().count() + 1,
                    None => 0,
                };
                if depth >= MAX_DEPTH {
                    return Err(too_deep(decl));
                }
                depths.insert(index, depth + 1);
                self.order.push(index);
            }
        }
        Ok(())
    }

    /// Removes a type and its descendants from the plan.
    fn leave_out(&mut self, chain: &[usize], reason: &str) {
        for index in chain {
            self.cells.remove(index);
            self.left_out.insert(self.schema.types[*index].key.clone(), reason.to_owned());
        }
    }

    /// The parent of a type.
    /// # Errors
    /// [`UnknownType`](ErrorKind::UnknownType) if the parent does not exist; the message names the nearest key.
    /// [`NotConstructible`](ErrorKind::NotConstructible) if the parent is not a base, or has a destructor.
    pub(super) fn parent(&self, decl: &TypeDecl) -> Result<Option<Parent>> {
        match self.find_parent(decl)? {
            Ok(parent) => Ok(parent),
            Err(fault) => Err(self.blame_parent(decl, &fault)?),
        }
    }

    /// The parent of a type, or the fault of the parent's key. The result costs one look-up, also for a fault.
    fn find_parent<'k>(&self, decl: &'k TypeDecl) -> Result<Result<Option<Parent>, ParentFault<'k>>> {
        let Some(key) = decl.parent.as_deref() else { return Ok(Ok(None)) };
        if let Some(index) = self.made(key) {
            let is_base = self.schema.types[index].is_base;
            return Ok(if is_base { Ok(Some(Parent::Made(index))) } else { Err(ParentFault::NoBase(key)) });
        }
        Ok(match self.linked.find(key)? {
            Some(info) if info.has_destructor => Err(ParentFault::Destructor(key)),
            Some(info) if info.is_base && info.body == Body::Node => Ok(Some(Parent::Linked(info))),
            Some(_) => Err(ParentFault::NoBase(key)),
            None => Err(ParentFault::Unknown(key)),
        })
    }

    /// The error for the key of a parent.
    fn blame_parent(&self, decl: &TypeDecl, fault: &ParentFault<'_>) -> Result<Error> {
        Ok(match fault {
            ParentFault::Unknown(key) => decl.blame("parent", ErrorKind::UnknownType, self.unknown(key)?),
            ParentFault::NoBase(_) | ParentFault::Destructor(_) => {
                decl.blame("parent", ErrorKind::NotConstructible, fault)
            }
        })
    }

    /// The meaning of a name in the type of a field.
    pub(super) fn named(&self, text: &TypeText) -> Result<NamedType> {
        if let Some(index) = self.made(&text.name) {
            return Ok(NamedType::Type(self.type_cell(index)));
        }
        match self.linked.find(&text.name)? {
            Some(info) => Ok(NamedType::Type(TypeCell::known(info))),
            None if !self.schema.is_foreign => Err(Error::new(ErrorKind::UnknownType, self.unknown(&text.name)?)),
            // A C++ template, or a class that this program does not have.
            None if text.args.is_empty() => Ok(NamedType::AnyObject),
            None => Ok(NamedType::Any),
        }
    }

    fn unknown(&self, key: &str) -> Result<String> {
        let linked = self.linked.all()?;
        let known = self.schema.type_keys().chain(linked.iter().map(|info| info.type_key));
        // The schema may contain the key for a type that the loader does not make.
        let hint = match did_you_mean(key, nearest(key, known).filter(|near| *near != key)) {
            hint if hint.is_empty() => "; add it to the schema, or link the crate that declares it".to_owned(),
            hint => hint,
        };
        Ok(format!("no type has the type key `{}`{hint}", brief(key)))
    }
}

fn too_deep(decl: &TypeDecl) -> Error {
    decl.blame("parent", ErrorKind::OutOfRange, format!("a type has at most {MAX_DEPTH} ancestors"))
}

/// A key that cannot be a parent.
enum ParentFault<'k> {
    /// No type has the key.
    Unknown(&'k str),
    /// The type with the key is not a base.
    NoBase(&'k str),
    /// The Rust struct of the type with the key implements `Drop`.
    Destructor(&'k str),
}

impl fmt::Display for ParentFault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParentFault::Unknown(key) => write!(f, "no type has the type key `{}` of its parent", brief(key)),
            ParentFault::NoBase(key) => {
                write!(f, "`{}` cannot be a parent, because it is not a `base`", brief(key))
            }
            ParentFault::Destructor(key) => write!(
                f,
                "`{}` cannot be a parent, because its Rust struct implements `Drop`, which objects of a type from a schema \
                 do not run; declare the type in Rust",
                brief(key)
            ),
        }
    }
}

/// The number of the type with index `index` in its schema, from 1.
pub(super) fn place_of(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// All names in a type.
fn names(ty: &TypeText) -> Vec<&str> {
    std::iter::once(ty.name.as_str()).chain(ty.args.iter().flat_map(names)).collect()
}

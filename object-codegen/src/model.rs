//! [`Model`]: the types of a generation with their hierarchy.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::OnceLock;

use object_core::dynamic::{EnumDecl, FieldDecl, Schema, SourcePlace, TypeDecl, VariantDecl};
use object_core::meter::Meter;
use object_core::object::Body;
use object_core::{Error, ErrorKind};

use crate::hierarchy::Hierarchy;

/// The types of a generation: the types to generate, and the types of the context that they refer to.
#[derive(Debug)]
pub struct Model<'s> {
    /// The types and the enums to generate.
    pub(crate) schema: &'s Schema,
    /// The types to generate, then the types of the context.
    types: Vec<&'s TypeDecl>,
    by_key: BTreeMap<&'s str, usize>,
    hierarchy: Hierarchy,
    /// The number of types to generate.
    own: usize,
    /// The types to generate with the name of a class, and whether it is the name of the class of the data.
    by_class: BTreeMap<String, Vec<(usize, bool)>>,
    /// The types with a field of each name.
    by_field: HashMap<&'s str, Vec<usize>>,
    enums: BTreeMap<&'s str, &'s EnumDecl>,
    /// The modules or headers of the types of the context, by the start of a key or of the name of an enum.
    homes: Vec<(String, String)>,
    /// The library that wrappers of Python load.
    pub(crate) library: Option<String>,
    /// The account of the memory of generated texts.
    pub(crate) meter: Meter,
    /// The contents of the values of each type, once they are known.
    pub(crate) contents: OnceLock<Vec<Contents>>,
    /// The types that mention themselves, once they are known.
    pub(crate) recursive: OnceLock<HashSet<usize>>,
}

/// The objects that a value can hold, directly or through fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    /// Variables.
    pub(crate) var: bool,
    /// Nodes of the kind `dag`.
    pub(crate) dag: bool,
}

/// The key of the root of all types.
pub(crate) const ROOT: &str = "ffi.Object";

impl<'s> Model<'s> {
    /// The types of `schema`, which are generated, and of `context`, which other files contain. A type of the context
    /// with the key of a type of the schema is hidden.
    ///
    /// # Errors
    /// [`DuplicateKey`](ErrorKind::DuplicateKey) for two types with one key, [`UnknownType`](ErrorKind::UnknownType) for
    /// a parent that neither has, and [`Malformed`](ErrorKind::Malformed) for types that extend each other in a circle.
    pub fn new(schema: &'s Schema, context: &'s Schema) -> Result<Self, Error> {
        let is_node = |decl: &&TypeDecl| matches!(decl.body, Body::Node);
        let mut types: Vec<&TypeDecl> = schema.types().iter().filter(is_node).collect();
        let own = types.len();
        let mut by_key = BTreeMap::new();
        for (index, decl) in types.iter().enumerate() {
            if by_key.insert(decl.key.as_str(), index).is_some() {
                return Err(blame(decl, ErrorKind::DuplicateKey, "two types have this key"));
            }
        }
        for decl in context.types().iter().filter(is_node) {
            if !by_key.contains_key(decl.key.as_str()) {
                by_key.insert(&decl.key, types.len());
                types.push(decl);
            }
        }
        let parents = types.iter().map(|decl| parent_of(decl, &by_key)).collect::<Result<Vec<_>, _>>()?;
        let hierarchy = Hierarchy::new(parents, |index| !types[index].fields.is_empty())
            .map_err(|index| blame(types[index], ErrorKind::Malformed, "it extends itself through its ancestors"))?;
        let enums = context.enums().iter().chain(schema.enums()).map(|it| (it.name.as_str(), it)).collect();
        let mut by_class: BTreeMap<String, Vec<(usize, bool)>> = BTreeMap::new();
        for (index, decl) in types[..own].iter().enumerate() {
            by_class.entry(decl.node_name()).or_default().push((index, true));
            by_class.entry(decl.ref_name().to_owned()).or_default().push((index, false));
        }
        let mut by_field: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, decl) in types.iter().enumerate() {
            decl.fields.iter().for_each(|field| by_field.entry(&field.name).or_default().push(index));
        }
        Ok(Model {
            schema,
            types,
            by_key,
            hierarchy,
            own,
            by_class,
            by_field,
            enums,
            homes: Vec::new(),
            library: None,
            meter: Meter::unlimited(),
            contents: OnceLock::new(),
            recursive: OnceLock::new(),
        })
    }

    /// Sets the account of the memory of generated texts, which is unlimited by default.
    #[must_use]
    pub fn meter(self, meter: &Meter) -> Self {
        Model { meter: meter.clone(), ..self }
    }

    /// Sets the modules of Python and Rust, or the headers of C++, that contain the types and the enums of the context. Each
    /// pair has the start of keys, and the longest start that fits counts.
    #[must_use]
    pub fn homes(self, homes: &[(String, String)]) -> Self {
        Model { homes: homes.to_vec(), ..self }
    }

    /// Sets the library that wrappers of Python load: a file beside the generated module. By default the program loads it.
    #[must_use]
    pub fn library(self, name: &str) -> Self {
        Model { library: Some(name.to_owned()), ..self }
    }

    /// The module or the header of a type or an enum of the context.
    pub(crate) fn home(&self, name: &str) -> Option<&str> {
        let is_own = self.find(name).is_some_and(|index| self.is_generated(index)) || self.has_enum(name);
        let fitting = self.homes.iter().filter(|(start, _)| !is_own && name.starts_with(start.as_str()));
        fitting.max_by_key(|(start, _)| start.len()).map(|(_, home)| home.as_str())
    }

    /// Whether this generation writes the enum.
    pub(crate) fn has_enum(&self, name: &str) -> bool {
        self.schema.enums().iter().any(|it| it.name == name)
    }

    /// The types to generate, parents before the types that extend them, else in the order of the schema.
    #[must_use]
    pub fn generated(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut placed = BTreeSet::new();
        for index in 0..self.own {
            let mut chain = vec![index];
            let is_missing = |parent: &usize| *parent < self.own && !placed.contains(parent);
            while let Some(parent) = self.parent(chain[chain.len() - 1]).filter(is_missing) {
                chain.push(parent);
            }
            order.extend(chain.into_iter().rev().filter(|index| placed.insert(*index)));
        }
        order
    }

    /// The number of types, with the ones of the context.
    pub(crate) fn len(&self) -> usize {
        self.types.len()
    }

    /// The declaration of a type.
    #[must_use]
    pub fn decl(&self, index: usize) -> &'s TypeDecl {
        self.types[index]
    }

    /// Whether the type is generated; else it is a type of the context.
    #[must_use]
    pub fn is_generated(&self, index: usize) -> bool {
        index < self.own
    }

    /// The type that a type extends; `None` for the root.
    #[must_use]
    pub fn parent(&self, index: usize) -> Option<usize> {
        self.hierarchy.parent(index)
    }

    /// The ancestors of a type, the nearest first.
    pub fn ancestors(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        self.hierarchy.ancestors(index)
    }

    /// The fields that a type inherits, the fields of the most distant ancestor first.
    #[must_use]
    pub fn inherited_fields(&self, index: usize) -> Vec<&'s FieldDecl> {
        let mut ancestors: Vec<usize> = self.hierarchy.bearers(index).collect();
        ancestors.reverse();
        ancestors.into_iter().flat_map(|ancestor| &self.types[ancestor].fields).collect()
    }

    /// The ancestors of a type that have fields of their own, the nearest first.
    pub(crate) fn bearers(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        self.hierarchy.bearers(index)
    }

    /// Whether a type has or inherits a field called `name`.
    pub(crate) fn has_field(&self, index: usize, name: &str) -> bool {
        self.by_field.get(name).into_iter().flatten().any(|owner| self.hierarchy.is_within(index, *owner))
    }

    /// The number of types that extend a type, directly or through others.
    #[must_use]
    pub fn descendants(&self, index: usize) -> usize {
        self.hierarchy.descendants(index)
    }

    /// The type with the key `key`.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<usize> {
        self.by_key.get(key).copied()
    }

    /// The types with the class name `name`, and whether it is the name of the class of the data.
    #[must_use]
    pub fn class(&self, name: &str) -> Vec<(usize, bool)> {
        let (namespace, class) = name.rsplit_once("::").map_or((None, name), |(space, class)| (Some(space), class));
        let is_in = |decl: &TypeDecl| namespace.is_none_or(|it| decl.namespace_path().replace('.', "::") == it);
        let found = self.by_class.get(class).into_iter().flatten();
        found.filter(|(index, _)| is_in(self.types[*index])).copied().collect()
    }

    /// The enum called `name`.
    #[must_use]
    pub fn enumeration(&self, name: &str) -> Option<&'s EnumDecl> {
        self.enums.get(name).copied()
    }

    /// The variant of the enum of `field` that has this number; `None` if the field has no enum or the value is no
    /// number.
    ///
    /// # Errors
    /// The reason that the number has no name.
    pub(crate) fn variant(&self, field: &FieldDecl, number: Option<i64>) -> Result<Option<&'s VariantDecl>, String> {
        let (Some(name), Some(number)) = (&field.enumeration, number) else { return Ok(None) };
        let variants = self.enumeration(name).map_or(&[][..], |it| &it.variants);
        let variant = variants.iter().find(|it| it.number == number);
        variant.map(Some).ok_or_else(|| format!("the enum `{name}` has no variant with the number {number}"))
    }

    /// The enums to generate.
    #[must_use]
    pub fn enums(&self) -> &'s [EnumDecl] {
        self.schema.enums()
    }
}

fn parent_of(decl: &TypeDecl, by_key: &BTreeMap<&str, usize>) -> Result<Option<usize>, Error> {
    match decl.parent.as_deref() {
        None | Some(ROOT) => Ok(None),
        Some(parent) => by_key.get(parent).map(|index| Some(*index)).ok_or_else(|| {
            let message = format!("its parent `{parent}` is unknown; add the schema of the parent as context");
            blame(decl, ErrorKind::UnknownType, &message)
        }),
    }
}

/// An error about a type, with its place in the source if it has one.
pub(crate) fn blame(decl: &TypeDecl, kind: ErrorKind, message: &str) -> Error {
    blame_at(decl.source.as_ref(), decl, kind, message)
}

/// An error about a type, with a place in the source.
pub(crate) fn blame_at(place: Option<&SourcePlace>, decl: &TypeDecl, kind: ErrorKind, message: &str) -> Error {
    let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
    Error::new(kind, format!("{place}`{}`: {message}", decl.key))
}

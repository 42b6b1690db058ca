//! The names of a generation: each is a name of the language, and no two things of one scope share one.

use std::collections::{BTreeMap, HashMap, HashSet};

use object_core::dynamic::{EnumDecl, TypeDecl, VariantDecl};
use object_core::{Error, ErrorKind, is_name};

use crate::language::Language;
use crate::model::{Model, blame};

/// The reason that the language cannot write a class or an enum with this name.
fn class_fault(language: &dyn Language, name: &str) -> Option<String> {
    let title = language.title();
    if !is_name(name) {
        return Some(format!("`{name}` is not a name of {title}"));
    }
    language.is_taken(name).then(|| format!("`{name}` has a meaning in generated {title}"))
}

/// Checks the names of the classes of a type, and of its namespace.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for a name that the language cannot write.
pub(crate) fn check_class(language: &dyn Language, decl: &TypeDecl) -> Result<(), Error> {
    let fault = |message: String| Err(blame(decl, ErrorKind::Malformed, &message));
    let (node, reference) = (decl.node_name(), decl.ref_name());
    for (name, word) in [(reference, "ref_class"), (&node, "node_class")] {
        if let Some(reason) = class_fault(language, name) {
            return fault(format!("{reason}; set `{word}`"));
        }
    }
    if language.has_node_classes() && node == reference {
        return fault(format!("both of its classes are called `{node}`; set `node_class` or `ref_class`"));
    }
    if let Some(reason) = language.namespace_fault(decl.namespace_path()) {
        return fault(format!("{reason}; set `namespace`"));
    }
    Ok(())
}

/// The names of the fields that a class inherits, with their owners.
struct Inherited<'l, 's> {
    language: &'l dyn Language,
    model: &'l Model<'s>,
    owners: HashMap<String, String>,
    /// The names that each class on the way adds.
    added: Vec<Vec<String>>,
}

impl Inherited<'_, '_> {
    /// The names of the own fields of a type, with their owners. Names that the language cannot write have errors of their own.
    fn fields(&self, index: usize) -> impl Iterator<Item = (String, String)> + '_ {
        let fields = self.model.decl(index).fields.iter();
        fields.filter_map(|it| Some((self.language.identifier(&it.name).ok()?, format!("field `{}`", it.name))))
    }

    fn enter(&mut self, index: usize) {
        let mut fields: Vec<(String, String)> = self.fields(index).collect();
        fields.retain(|(name, _)| !self.owners.contains_key(name));
        self.added.push(fields.iter().map(|(name, _)| name.clone()).collect());
        self.owners.extend(fields);
    }

    fn leave(&mut self) {
        for name in self.added.pop().into_iter().flatten() {
            self.owners.remove(&name);
        }
    }

    /// Checks the members of a class against each other and the inherited fields.
    fn check(&self, index: usize) -> Result<(), Error> {
        let (decl, language) = (self.model.decl(index), self.language);
        let node = decl.node_name();
        // C++ takes a member with the name of its class for a constructor.
        let constructor = language.declares_methods().then_some(node.as_str());
        let generated = language.generated_methods(decl).into_iter().chain(constructor);
        let methods =
            decl.methods.iter().filter(|_| language.declares_methods()).filter_map(|method| {
                Some((language.identifier(&method.name).ok()?, format!("method `{}`", method.name)))
            });
        let mut members: BTreeMap<String, String> = BTreeMap::new();
        for name in generated {
            let member = format!("the generated `{name}`");
            if let Some(field) = self.owners.get(name) {
                return Err(clash(decl, field, &member, name));
            }
            members.insert(name.to_owned(), member);
        }
        for (name, member) in self.fields(index).chain(methods) {
            if let Some(other) = members.get(&name).or_else(|| self.owners.get(&name)) {
                return Err(clash(decl, &member, other, &name));
            }
            members.insert(name, member);
        }
        Ok(())
    }
}

/// The error about two members with one name.
fn clash(decl: &TypeDecl, member: &str, other: &str, name: &str) -> Error {
    blame(decl, ErrorKind::Malformed, &format!("{member} and {other} are both called `{name}`; rename one"))
}

/// Checks that the members of the classes of `types` have names of their own. The work is linear: the names of a class are
/// there while the classes that extend it are checked.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed), naming both members.
pub(crate) fn check_members(language: &dyn Language, model: &Model<'_>, types: &[usize]) -> Result<(), Error> {
    let listed: HashSet<usize> = types.iter().copied().collect();
    let mut children: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
    for &index in types {
        children.entry(model.parent(index).filter(|parent| listed.contains(parent))).or_default().push(index);
    }
    let mut inherited = Inherited { language, model, owners: HashMap::new(), added: Vec::new() };
    for &top in children.get(&None).into_iter().flatten() {
        let outside: Vec<usize> = model.ancestors(top).collect();
        outside.iter().rev().for_each(|index| inherited.enter(*index));
        // `None` ends the class that began last.
        let mut open = vec![Some(top)];
        while let Some(next) = open.pop() {
            let Some(index) = next else {
                inherited.leave();
                continue;
            };
            inherited.check(index)?;
            inherited.enter(index);
            open.push(None);
            open.extend(children.get(&Some(index)).into_iter().flatten().rev().copied().map(Some));
        }
        outside.iter().for_each(|_| inherited.leave());
    }
    Ok(())
}

/// Checks that the classes, the enums and the namespaces of a whole file have names of their own.
///
/// # Errors
/// [`DuplicateKey`](ErrorKind::DuplicateKey), naming both owners, and [`Malformed`](ErrorKind::Malformed) for an enum
/// that the language cannot write.
pub(crate) fn check_scopes(language: &dyn Language, model: &Model<'_>) -> Result<(), Error> {
    let scope = |namespace: &str| if language.has_namespaces() { language.namespace(namespace) } else { Vec::new() };
    // The owner of each name: its scope is the first part.
    let mut owners: BTreeMap<(Vec<String>, String), String> = BTreeMap::new();
    let mut add = |scope: Vec<String>, name: &str, owner: String| match owners.get(&(scope.clone(), name.to_owned())) {
        Some(other) if *other != owner => {
            let title = language.title();
            let advice = if language.has_namespaces() {
                "rename one by `ref_class`, `node_class` or `namespace`"
            } else {
                "it has no namespaces; generate them into two files, or rename one by `ref_class`"
            };
            let message = format!("{other} and {owner} are both `{name}` in {title}; {advice}");
            Err(Error::new(ErrorKind::DuplicateKey, message))
        }
        _ => {
            owners.insert((scope, name.to_owned()), owner);
            Ok(())
        }
    };
    for it in model.enums() {
        check_enum(language, it)?;
        let (namespace, name) = it.name.rsplit_once('.').unwrap_or(("", &it.name));
        add(scope(namespace), name, format!("the enum `{}`", it.name))?;
    }
    for index in model.generated() {
        let decl = model.decl(index);
        check_class(language, decl)?;
        add(scope(decl.namespace_path()), decl.ref_name(), format!("the reference class of `{}`", decl.key))?;
        if language.has_node_classes() {
            add(scope(decl.namespace_path()), &decl.node_name(), format!("the node class of `{}`", decl.key))?;
        }
    }
    if language.has_namespaces() {
        let enums = model.enums().iter().map(|it| it.name.rsplit_once('.').map_or("", |(namespace, _)| namespace));
        let types = model.generated().into_iter().map(|index| model.decl(index).namespace_path());
        for namespace in enums.chain(types) {
            let parts = language.namespace(namespace);
            for (at, part) in parts.iter().enumerate() {
                add(parts[..at].to_vec(), part, format!("the namespace `{}`", parts[..=at].join(".")))?;
            }
        }
    }
    Ok(())
}

/// Checks the name of an enum, and that its variants have names of their own.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed) for a name that the language cannot write, or that two variants have.
pub(crate) fn check_enum(language: &dyn Language, decl: &EnumDecl) -> Result<(), Error> {
    let EnumDecl { name, variants, .. } = decl;
    let (namespace, class) = name.rsplit_once('.').unwrap_or(("", name));
    if let Some(reason) = class_fault(language, class).or_else(|| language.namespace_fault(namespace)) {
        return Err(Error::new(ErrorKind::Malformed, format!("enum `{name}`: {reason}")));
    }
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for VariantDecl { name: variant, .. } in variants {
        let fault = |reason: &str| {
            Err(Error::new(ErrorKind::Malformed, format!("enum `{name}`: the variant `{variant}` {reason}")))
        };
        if !is_name(variant) {
            return fault(&format!("is not a name of {}", language.title()));
        }
        match seen.insert(language.variant(variant), variant) {
            Some(other) if other == variant => return fault("is there twice"),
            Some(other) => return fault(&format!("and `{other}` have one name in {}", language.title())),
            None => {}
        }
    }
    Ok(())
}

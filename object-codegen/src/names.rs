//! The names of a generation: each is a name of the language, and no two things of one scope share one.

use std::collections::BTreeMap;

use object_core::dynamic::{TypeDecl, VariantDecl};
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

/// Checks that the members of a class have names of their own. `fields` has names with reflected names, and `others` are
/// the names of members that each class of this form has.
///
/// # Errors
/// [`Malformed`](ErrorKind::Malformed), naming both members.
pub(crate) fn check_members<'a>(
    decl: &TypeDecl,
    fields: impl Iterator<Item = (&'a str, &'a str)>,
    methods: impl Iterator<Item = &'a str>,
    others: &[&str],
) -> Result<(), Error> {
    let mut members: BTreeMap<String, String> =
        others.iter().map(|name| ((*name).to_owned(), format!("the generated `{name}`"))).collect();
    let fields = fields.map(|(name, reflected)| (name.to_owned(), format!("field `{reflected}`")));
    for (name, member) in fields.chain(methods.map(|name| (name.to_owned(), format!("method `{name}`")))) {
        if let Some(other) = members.insert(name.clone(), member.clone()) {
            let message = format!("{member} and {other} are both called `{name}`; rename one");
            return Err(blame(decl, ErrorKind::Malformed, &message));
        }
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
        let (namespace, name) = it.name.rsplit_once('.').unwrap_or(("", &it.name));
        let reason = class_fault(language, name).or_else(|| language.namespace_fault(namespace));
        if let Some(reason) = reason {
            return Err(Error::new(ErrorKind::Malformed, format!("enum `{}`: {reason}", it.name)));
        }
        add(scope(namespace), name, format!("the enum `{}`", it.name))?;
        check_variants(language, &it.name, &it.variants)?;
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

/// Checks that the variants of an enum have names of their own.
fn check_variants(language: &dyn Language, name: &str, variants: &[VariantDecl]) -> Result<(), Error> {
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

//! Other namespaces and keys for the types of a schema: [`rename_namespaces`], [`rename_keys`].

use std::collections::HashMap;

use object_core::dynamic::{EnumDecl, Schema, TypeDecl, TypeText};

/// The schema with other namespaces for its classes and enums. Each pair has a namespace of the schema and the one that
/// takes its place, also at the start of longer namespaces; an empty text is the namespace of names without dots. The
/// longest namespace that fits counts. A type key with a namespace stays, because files and other processes know the type by
/// it; a key without one gets the namespace of its classes, and all types of the schema refer to it by the new key.
///
/// The annotations of a Rust struct have no namespace: it matters to other languages only, and the same types may lie in
/// different namespaces there.
///
/// ```
/// use object_codegen::rename_namespaces;
/// use object_core::dynamic::{Schema, TypeDecl};
/// let schema = Schema::new(vec![TypeDecl::new("relax.expr.Var"), TypeDecl::new("Range")], Vec::new());
/// let renamed = rename_namespaces(&schema, &[("relax.expr", "tvm.relax"), ("", "tvm")]);
/// let namespaces: Vec<&str> = renamed.types().iter().map(TypeDecl::namespace_path).collect();
/// assert_eq!(namespaces, ["tvm.relax", "tvm"]);
/// let keys: Vec<&str> = renamed.types().iter().map(|it| it.key.as_str()).collect();
/// assert_eq!(keys, ["relax.expr.Var", "tvm.Range"]);
/// ```
#[must_use]
pub fn rename_namespaces(schema: &Schema, renames: &[(&str, &str)]) -> Schema {
    let renamed_enum = |name: &str| {
        let (namespace, last) = name.rsplit_once('.').unwrap_or(("", name));
        renamed(namespace, renames)
            .map(|space| if space.is_empty() { last.to_owned() } else { format!("{space}.{last}") })
    };
    let keys: HashMap<&str, String> =
        schema.types().iter().filter_map(|decl| Some((&*decl.key, new_key(decl, renames)?))).collect();
    let types = schema.types().iter().map(|decl| {
        let mut decl: TypeDecl = decl.clone();
        if let Some(namespace) = renamed(decl.namespace_path(), renames) {
            decl.namespace = Some(namespace);
        }
        for field in &mut decl.fields {
            field.enumeration = field.enumeration.take().map(|name| renamed_enum(&name).unwrap_or(name));
            rename_enums_in(&mut field.ty, &renamed_enum);
        }
        rename_keys_in(&mut decl, &keys);
        decl
    });
    let enums = schema.enums().iter().map(|it| {
        let mut it: EnumDecl = it.clone();
        it.name = renamed_enum(&it.name).unwrap_or(it.name);
        it
    });
    Schema::new(types.collect(), enums.collect())
}

/// The schema with other keys of types, which all types of the schema refer to. A type for which `new_key` returns nothing keeps its
/// key.
///
/// ```
/// use object_codegen::rename_keys;
/// use object_core::dynamic::{Schema, TypeDecl};
/// let schema = Schema::new(vec![TypeDecl::new("ir.Range"), TypeDecl::new("my.Num")], Vec::new());
/// let renamed = rename_keys(&schema, |key| key.starts_with("ir.").then(|| format!("copy.{key}")));
/// let keys: Vec<&str> = renamed.types().iter().map(|it| it.key.as_str()).collect();
/// assert_eq!(keys, ["copy.ir.Range", "my.Num"]);
/// ```
#[must_use]
pub fn rename_keys(schema: &Schema, new_key: impl Fn(&str) -> Option<String>) -> Schema {
    let keys: HashMap<&str, String> =
        schema.types().iter().filter_map(|decl| Some((&*decl.key, new_key(&decl.key)?))).collect();
    let mut types = schema.types().to_vec();
    types.iter_mut().for_each(|decl| rename_keys_in(decl, &keys));
    Schema::new(types, schema.enums().to_vec())
}

/// The key with a namespace of a type whose key has none.
fn new_key(decl: &TypeDecl, renames: &[(&str, &str)]) -> Option<String> {
    let namespace = renamed("", renames).filter(|namespace| !decl.key.contains('.') && !namespace.is_empty())?;
    Some(format!("{namespace}.{}", decl.key))
}

/// Gives a type and the types that it mentions their new keys.
fn rename_keys_in(decl: &mut TypeDecl, keys: &HashMap<&str, String>) {
    let rename = |key: &mut String| {
        if let Some(new) = keys.get(key.as_str()) {
            key.clone_from(new);
        }
    };
    fn rename_in(ty: &mut TypeText, rename: &impl Fn(&mut String)) {
        rename(&mut ty.name);
        ty.args.iter_mut().for_each(|arg| rename_in(arg, rename));
    }
    rename(&mut decl.key);
    decl.parent.as_mut().into_iter().for_each(rename);
    decl.fields.iter_mut().for_each(|field| rename_in(&mut field.ty, &rename));
    for method in &mut decl.methods {
        method.arguments.iter_mut().for_each(|(_, ty)| rename_in(ty, &rename));
        rename_in(&mut method.result, &rename);
    }
}

fn rename_enums_in(ty: &mut TypeText, renamed: &impl Fn(&str) -> Option<String>) {
    ty.enumeration = ty.enumeration.take().map(|name| renamed(&name).unwrap_or(name));
    ty.args.iter_mut().for_each(|arg| rename_enums_in(arg, renamed));
}

/// The namespace that takes the place of another one.
fn renamed(namespace: &str, renames: &[(&str, &str)]) -> Option<String> {
    let rest_after = |from: &str| match namespace.strip_prefix(from)? {
        rest if rest.is_empty() || (rest.starts_with('.') && !from.is_empty()) => Some(rest.to_owned()),
        _ => None,
    };
    let fitting = renames.iter().filter_map(|(from, to)| Some((from.len(), to, rest_after(from)?)));
    let (_, to, rest) = fitting.max_by_key(|(len, ..)| *len)?;
    Some(format!("{to}{rest}").trim_start_matches('.').to_owned())
}

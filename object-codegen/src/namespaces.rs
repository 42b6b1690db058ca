//! Other namespaces for the classes of a schema: [`rename_namespaces`].

use object_core::dynamic::{EnumDecl, Schema, TypeDecl};

/// The schema with other namespaces for its classes and enums. Each pair has a namespace of the schema and the one that
/// takes its place, also at the start of longer namespaces; an empty text is the namespace of names without dots. The
/// longest namespace that fits counts. Type keys stay.
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
/// assert_eq!(renamed.types()[0].key, "relax.expr.Var");
/// ```
#[must_use]
pub fn rename_namespaces(schema: &Schema, renames: &[(&str, &str)]) -> Schema {
    let renamed_enum = |name: &str| {
        let (namespace, last) = name.rsplit_once('.').unwrap_or(("", name));
        renamed(namespace, renames)
            .map(|space| if space.is_empty() { last.to_owned() } else { format!("{space}.{last}") })
    };
    let types = schema.types().iter().map(|decl| {
        let mut decl: TypeDecl = decl.clone();
        if let Some(namespace) = renamed(decl.namespace_path(), renames) {
            decl.namespace = Some(namespace);
        }
        for field in &mut decl.fields {
            field.enumeration = field.enumeration.take().map(|name| renamed_enum(&name).unwrap_or(name));
        }
        decl
    });
    let enums = schema.enums().iter().map(|it| {
        let mut it: EnumDecl = it.clone();
        it.name = renamed_enum(&it.name).unwrap_or(it.name);
        it
    });
    Schema::new(types.collect(), enums.collect())
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

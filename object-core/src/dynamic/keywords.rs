//! The words of a schema: kinds, roles and bodies.

use crate::object::{Body, FieldRole, SEqHashKind};

/// Kinds, as the attribute `structural_eq` calls them.
pub(super) const KINDS: [(&str, SEqHashKind); 6] = [
    ("none", SEqHashKind::Unsupported),
    ("tree", SEqHashKind::TreeNode),
    ("const_tree", SEqHashKind::ConstTreeNode),
    ("dag", SEqHashKind::DagNode),
    ("var", SEqHashKind::FreeVar),
    ("singleton", SEqHashKind::UniqueInstance),
];

/// Roles, as the attribute `field` calls them.
pub(super) const ROLES: [(&str, FieldRole); 4] = [
    ("content", FieldRole::Content),
    ("ignore", FieldRole::Ignore),
    ("def", FieldRole::Def),
    ("def_simple", FieldRole::DefSimple),
];

/// What lies behind the header.
pub(super) const BODIES: [(&str, Body); 9] = [
    ("node", Body::Node),
    ("opaque", Body::Opaque),
    ("array", Body::Array),
    ("map", Body::Map),
    ("str", Body::Str),
    ("bytes", Body::Bytes),
    ("shape", Body::Shape),
    ("tensor", Body::Tensor),
    ("function", Body::Function),
];

/// The word for `value`.
pub(super) fn word<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}

/// Letters, digits and `_`, without a digit in front.
pub(super) fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|first| first == '_' || first.is_ascii_alphabetic())
        && chars.all(|char| char == '_' || char.is_ascii_alphanumeric())
}

/// The names of the fields in a label, or what is wrong with it.
pub(super) fn placeholders(label: &str) -> Result<Vec<&str>, String> {
    let mut names = Vec::new();
    let mut rest = label;
    while let Some(at) = rest.find(['{', '}']) {
        let open = rest[at..].strip_prefix('{').ok_or("there is a `}` without a `{`")?;
        let (inside, after) = open.split_once('}').ok_or("there is a `{` without a `}`")?;
        let name = inside.strip_suffix(":?").unwrap_or(inside);
        if !is_name(name) {
            return Err(format!("`{{{inside}}}` is not the name of a field"));
        }
        names.push(name);
        rest = after;
    }
    Ok(names)
}

//! The words of a schema: the format, kinds, roles and bodies.

use crate::object::{Body, FieldRole, SEqHashKind};

/// The value of `format`, and the version of the format.
pub(super) const FORMAT: &str = "object-schema";
pub(super) const VERSION: u64 = 1;

/// Kinds, with the words of the attribute `structural_eq`.
pub(super) const KINDS: [(&str, SEqHashKind); 6] = [
    ("none", SEqHashKind::Unsupported),
    ("tree", SEqHashKind::TreeNode),
    ("const_tree", SEqHashKind::ConstTreeNode),
    ("dag", SEqHashKind::DagNode),
    ("var", SEqHashKind::FreeVar),
    ("singleton", SEqHashKind::UniqueInstance),
];

/// Roles, with the words of the attribute `field`.
pub(super) const ROLES: [(&str, FieldRole); 4] = [
    ("content", FieldRole::Content),
    ("ignore", FieldRole::Ignore),
    ("def", FieldRole::Def),
    ("def_simple", FieldRole::DefSimple),
];

/// Kinds of data after the header of an object.
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

//! The enums that annotations and schemas choose from, and one table of words for each.

/// The role of a type in structural equality and hashing. Each variant names its word in `structural_eq(...)`, and in
/// parentheses the word of tvm-ffi's `structural_eq=` where tvm-ffi has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SEqHashKind {
    /// `none`: comparing such an object is an error that names the type and the place.
    Unsupported,
    /// `tree`: equal by content; sharing is invisible.
    TreeNode,
    /// `var` ("var"): a variable, equal to the one bound at the same position.
    FreeVar,
    /// `dag` ("dag"): equal by content and by sharing.
    DagNode,
    /// `const_tree` ("const-tree"): equal by content, and without a look when both are one object.
    ConstTreeNode,
    /// `singleton` ("singleton"): equal only to itself.
    UniqueInstance,
}

/// The contents of an object after its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Body {
    /// A node struct whose fields the table lists.
    Node,
    /// A node struct that reflection does not look into.
    Opaque,
    /// `Array`: a sequence of values.
    Array,
    /// `Map`: keys and values in insertion order.
    Map,
    /// `Str`: UTF-8 text.
    Str,
    /// `Bytes`: any bytes.
    Bytes,
    /// `Shape`: a sequence of `i64`.
    Shape,
    /// `Tensor`: data with a data type and a shape.
    Tensor,
    /// `Function`: something to call.
    Function,
}

/// The role of a field in structural equality and hashing. Each variant names its word in `#[field(...)]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum FieldRole {
    /// It is compared.
    #[default]
    Content,
    /// `ignore`: it is not looked at.
    Ignore,
    /// `def`: it is compared, and binds the variables in it and in their fields.
    Def,
    /// `def_simple`: it is compared, and binds the variables in it, but not those in their fields.
    DefSimple,
}

/// The words of `structural_eq(...)`.
pub(crate) const KINDS: [(&str, SEqHashKind); 6] = [
    ("none", SEqHashKind::Unsupported),
    ("tree", SEqHashKind::TreeNode),
    ("const_tree", SEqHashKind::ConstTreeNode),
    ("dag", SEqHashKind::DagNode),
    ("var", SEqHashKind::FreeVar),
    ("singleton", SEqHashKind::UniqueInstance),
];

/// The words of `#[field(...)]` for roles; schemas write `content` for a field without one.
pub(crate) const ROLES: [(&str, FieldRole); 4] = [
    ("content", FieldRole::Content),
    ("ignore", FieldRole::Ignore),
    ("def", FieldRole::Def),
    ("def_simple", FieldRole::DefSimple),
];

/// The words of schemas for bodies.
pub(crate) const BODIES: [(&str, Body); 9] = [
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

/// The word for `value` in one of the tables.
pub(crate) fn word<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, known)| known == value).map_or("", |(word, _)| word)
}

impl SEqHashKind {
    /// The word of `structural_eq(...)`, for messages of the compiler.
    pub(crate) const fn word(self) -> &'static str {
        let mut i = 0;
        while i < KINDS.len() {
            if KINDS[i].1 as u8 == self as u8 {
                return KINDS[i].0;
            }
            i += 1;
        }
        unreachable!()
    }
}

impl FieldRole {
    /// The word of `#[field(...)]`, for messages of the compiler.
    pub(crate) const fn word(self) -> &'static str {
        let mut i = 0;
        while i < ROLES.len() {
            if ROLES[i].1 as u8 == self as u8 {
                return ROLES[i].0;
            }
            i += 1;
        }
        unreachable!()
    }
}

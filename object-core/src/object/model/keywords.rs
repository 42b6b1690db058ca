//! The enums that annotations and schemas select from, with one table of their keywords each.

/// The role of a type in structural equality and hashing. The text for each variant begins with its keyword in
/// `#[structural_eq(...)]`; the keyword of tvm-ffi's `structural_eq=`, if there is one, follows in parentheses.
///
/// The enum is exhaustive: code that gives kinds a meaning has to handle each of them, so a new kind is a breaking change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SEqHashKind {
    /// `none`: the comparison of such an object is an error that names the type and the path.
    Unsupported,
    /// `tree`: equal by content, however objects are shared.
    TreeNode,
    /// `var` ("var"): a variable, equal to the variable that is bound at the same position.
    FreeVar,
    /// `dag` ("dag"): equal by content and by the way objects are shared.
    DagNode,
    /// `const_tree` ("const-tree"): equal by content; an object is equal to itself without a comparison of its content.
    ConstTreeNode,
    /// `singleton` ("singleton"): equal only to itself.
    UniqueInstance,
}

/// The kind of data in an object after its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Body {
    /// A node struct with all its fields in the table.
    Node,
    /// A node struct with fields that are not in the table.
    Opaque,
    /// `Array`: a sequence of values.
    Array,
    /// `Map`: keys and values in insertion order.
    Map,
    /// `Str`: UTF-8 text.
    Str,
    /// `Bytes`: a sequence of bytes.
    Bytes,
    /// `Shape`: a sequence of `i64`.
    Shape,
    /// `Tensor`: data with a data type and a shape.
    Tensor,
    /// `Function`: a callable object.
    Function,
}

/// The role of a field in structural equality and hashing. The text for each variant begins with its keyword in
/// `#[field(...)]`.
///
/// The enum is exhaustive: code that gives roles a meaning has to handle each of them, so a new role is a breaking change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum FieldRole {
    /// No keyword: the field is compared.
    #[default]
    Content,
    /// `ignore`: the field is not compared and not hashed.
    Ignore,
    /// `def`: the field is compared, and binds the variables in it and the variables in their fields.
    Def,
    /// `def_simple`: the field is compared, and binds the variables in it, but not the variables in their fields.
    DefSimple,
}

/// The keywords of `#[structural_eq(...)]`.
pub(crate) const KINDS: [(&str, SEqHashKind); 6] = [
    ("none", SEqHashKind::Unsupported),
    ("tree", SEqHashKind::TreeNode),
    ("const_tree", SEqHashKind::ConstTreeNode),
    ("dag", SEqHashKind::DagNode),
    ("var", SEqHashKind::FreeVar),
    ("singleton", SEqHashKind::UniqueInstance),
];

/// The keywords of `#[field(...)]` for roles. Schemas write `content` for a field without a keyword.
pub(crate) const ROLES: [(&str, FieldRole); 4] = [
    ("content", FieldRole::Content),
    ("ignore", FieldRole::Ignore),
    ("def", FieldRole::Def),
    ("def_simple", FieldRole::DefSimple),
];

/// The keywords of schemas for bodies.
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

/// Implements `word`, which looks a variant up in its table. It is a constant function, because rules that the compiler
/// evaluates put the keyword into their messages.
macro_rules! impl_word {
    ($($Enum:ident in $TABLE:ident),*) => {$(
        impl $Enum {
            /// The keyword in annotations and schemas.
            pub(crate) const fn word(self) -> &'static str {
                let mut i = 0;
                while i < $TABLE.len() {
                    if $TABLE[i].1 as u8 == self as u8 {
                        return $TABLE[i].0;
                    }
                    i += 1;
                }
                unreachable!()
            }
        }
    )*};
}

impl_word!(SEqHashKind in KINDS, FieldRole in ROLES, Body in BODIES);

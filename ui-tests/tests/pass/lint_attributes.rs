//! Lint attributes and `#[deprecated]` on a type and on its parts hold for the generated code too: it warns of nothing that
//! the user did not write.
#![deny(warnings, missing_docs)]
#![allow(
    dead_code,
    clippy::allow_attributes_without_reason,
    clippy::non_minimal_cfg,
    reason = "compiling it is the test"
)]

use object_core::prelude::*;

/// Base.
#[deprecated(note = "use another one")]
#[derive(Object)]
#[object(type_key = "lints.Old", base)]
pub struct OldNode {
    /// The span.
    #[deprecated]
    pub span: Option<Str>,
    /// Other.
    pub number: i64,
}
/// Child.
#[allow(deprecated)]
#[derive(Object)]
#[object(type_key = "lints.Child", parent = OldNode, base_args(number: i64))]
#[structural_eq(tree)]
pub struct ChildNode {
    /// Base.
    pub base: OldNode,
    /// Other
    #[deprecated(note = "no")]
    #[field(default = 3)]
    pub other: i64,
}
/// Child.
#[derive(Object)]
#[object(type_key = "lints.Snake")]
#[structural_eq(tree)]
#[allow(non_snake_case)]
pub struct SnakeNode {
    /// Other
    pub camelCase: i64,
    /// Other
    pub Foo: Option<Str>,
}
/// Child.
#[derive(Object)]
#[object(type_key = "lints.Snake2", base)]
#[structural_eq(tree)]
#[expect(non_snake_case, reason = "a reason")]
pub struct Snake2Node {
    /// Other
    pub camelCase: i64,
    /// Other
    #[field(default = 3 + 4)]
    pub Foo: i64,
}
/// Child.
#[derive(Object)]
#[object(type_key = "lints.camel")]
#[structural_eq(tree)]
#[expect(non_camel_case_types)]
pub struct camel_caseNode {
    /// Other
    pub a: i64,
}
/// Child.
#[derive(Object)]
#[object(type_key = "lints.Undoc")]
#[structural_eq(tree)]
#[expect(missing_docs)]
#[must_use]
pub struct UndocNode {
    pub a: i64,
}
/// Sum
#[derive(Object, Clone)]
#[deprecated]
pub enum Sum {
    /// A
    #[deprecated]
    A(i64),
    /// B
    #[allow(non_camel_case_types)]
    b_x(Str),
}
/// Kinds
#[derive(Object, Clone)]
pub enum Kind {
    /// A
    #[deprecated]
    A,
    /// B
    #[allow(non_camel_case_types)]
    b_x,
}
/// Singleton
#[derive(Object)]
#[object(type_key = "lints.Op")]
#[structural_eq(singleton, key = Name)]
#[deprecated]
#[allow(non_snake_case)]
pub struct OpNode {
    /// A
    pub Name: Str,
    /// B
    #[deprecated]
    #[field(default = 1 + 1)]
    pub level: i64,
}
/// Opaque
#[derive(Object, Clone)]
#[object(type_key = "lints.Opaque", opaque)]
#[deprecated]
pub struct OpaqueNode {
    /// A
    #[deprecated]
    pub lines: Vec<i64>,
}
/// Uses a deprecated type.
#[derive(Object)]
#[object(type_key = "lints.User")]
#[structural_eq(tree)]
#[allow(deprecated)]
pub struct UserNode {
    /// A
    pub kind: Sum,
    /// B
    #[field(default)]
    pub old: Option<Old>,
}
/// Uses a deprecated type.
#[derive(Object)]
#[object(type_key = "lints.User2")]
#[structural_eq(tree)]
pub struct User2Node {
    /// A
    #[allow(deprecated)]
    pub kind: Sum,
    /// B
    #[field(default)]
    #[allow(deprecated)]
    pub old: Option<Old>,
}
#[cfg(any())]
/// Gone
#[derive(Object)]
#[object(type_key = "lints.Gone")]
#[structural_eq(none)]
pub struct GoneNode {
    /// a
    pub a: i64,
}

/// Present
#[derive(Object)]
#[cfg(not(any()))]
#[cfg_attr(all(), object(type_key = "lints.Present"))]
#[structural_eq(none)]
pub struct PresentNode {
    #[cfg(any())]
    /// a
    pub a: i64,
    /// b
    #[cfg_attr(all(), field(default = 1))]
    pub b: i64,
}

/// A lint that a crate forbids cannot be allowed, so generated code allows only what the type does.
pub mod strict {
    #![forbid(deprecated, non_snake_case)]
    use object_core::prelude::*;

    /// Base.
    #[derive(Object)]
    #[object(type_key = "lints.Base", base)]
    pub struct BaseNode {
        /// Number.
        pub number: i64,
    }

    /// Sum.
    #[derive(Object, Clone)]
    pub enum Sum {
        /// Base.
        Base(Base),
    }
}

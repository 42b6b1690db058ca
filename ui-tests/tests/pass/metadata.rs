//! The table has the documentation, the role and the `meta` of a field, and the `meta` of the type.
use object_core::object::FieldRole;
use object_core::prelude::*;

/// First line.
///
/// Third line,
/// and `more`.
#[derive(Object)]
#[object(type_key = "metadata.X", meta(dialect = "css", since = "2"))]
#[structural_eq(tree)]
struct XNode {
    /// A field.
    #[field(ignore, meta(unit = "px", range = "0..1"))]
    a: i64,
    #[field(def, rename = "b_")]
    b: ui_tests::Var,
    #[doc = concat!("made by ", "a macro")]
    /// and by hand
    #[field(def_simple)]
    #[field(default)]
    c: Option<ui_tests::Var>,
}

macro_rules! declare {
    ($node:ident, $key:literal, $ty:ty, $default:expr) => {
        #[derive(Object)]
        #[object(type_key = $key)]
        #[structural_eq(tree)]
        struct $node {
            #[field(default = $default)]
            value: $ty,
            required: $ty,
        }
    };
}

declare!(MadeNode, "metadata.Made", Option<i64>, None);
declare!(NumberNode, "metadata.Number", f64, -1.5);

pub(super) fn main() {
    let info = XNode::TYPE_INFO;
    assert_eq!(info.doc(), "First line.\n\nThird line,\nand `more`.");
    assert!(info.location().0.ends_with("metadata.rs") && info.location().1 == 9);
    assert_eq!(info.meta(), [("dialect", "css"), ("since", "2")]);
    let fields: Vec<_> =
        info.fields().iter().map(|it| (it.name(), it.meta().role, it.meta().doc, it.meta().pairs.len())).collect();
    assert_eq!(fields[0], ("a", FieldRole::Ignore, "A field.", 2));
    assert_eq!(fields[1], ("b_", FieldRole::Def, "", 0));
    assert_eq!(fields[2], ("c", FieldRole::DefSimple, "made by a macro\nand by hand", 0));
    assert!(object_core::registry::type_info("metadata.X").is_ok_and(|found| std::ptr::eq(found, info)));
    assert!(Made::new(None).value.is_none());
    assert_eq!(Number::new(2.5).value, -1.5);
}

//! An enum without data is an integer with names.
use object_core::prelude::*;

/// How a loop runs.
#[derive(Object, Clone, Copy, PartialEq, Debug, Default)]
pub enum ForKind {
    /// One after another.
    #[default]
    Serial = 0,
    Parallel = 4,
    Negative = -3,
}

#[derive(Object, Clone, PartialEq, Debug)]
#[repr(u8)]
enum NotCopy {
    Braces {},
    Parens(),
    Plain,
}

#[derive(Object)]
#[object(type_key = "enums.For")]
#[structural_eq(tree)]
struct ForNode {
    kind: ForKind,
    other: Option<ForKind>,
    all: Array<ForKind>,
    #[field(default)]
    last: ForKind,
}

pub(super) fn main() {
    let it = For::new(ForKind::Parallel, Some(ForKind::Negative), [ForKind::Serial, ForKind::Parallel]);
    assert_eq!(
        format!("{it}"),
        "enums.For(kind=ForKind.Parallel, other=ForKind.Negative, all=[0, 4], last=ForKind.Serial)"
    );
    assert_eq!(it.all.get(1), Some(ForKind::Parallel));
    assert_eq!(ForKind::try_from(Any::Int(-3)).unwrap(), ForKind::Negative);
    let error = ForKind::try_from(Any::Int(1)).unwrap_err();
    assert_eq!(
        error.message(),
        "expected a variant of `ForKind`, got 1; the variants are 0 `Serial`, 4 `Parallel`, -3 `Negative`"
    );
    assert!(ForKind::try_from(Any::Bool(true)).is_err());
    assert!(matches!(Any::from(ForKind::Parallel), Any::Int(4)));
    assert!(matches!(Any::from(NotCopy::Plain), Any::Int(2)));
    assert_eq!(NotCopy::try_from(Any::Int(0)).unwrap(), NotCopy::Braces {});
    assert_eq!(NotCopy::try_from(Any::Int(1)).unwrap(), NotCopy::Parens());
    assert_eq!(ForNode::TYPE_INFO.field("kind").unwrap().1.schema().to_string(), "int");
}

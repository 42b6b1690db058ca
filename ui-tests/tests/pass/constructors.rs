//! `new` takes the fields without defaults, in order; no argument of `new` hides a name from the defaults.
use object_core::prelude::*;

fn size() -> i64 {
    5
}

fn name() -> &'static str {
    "default"
}

#[derive(Object)]
#[object(type_key = "constructors.X")]
#[structural_eq(tree)]
struct XNode {
    size: i64,
    #[field(default = size() * 2)]
    double: i64,
    name: Option<Str>,
    #[field(default = name())]
    other: Str,
    #[field(default)]
    rest: Array<X>,
    #[field(default = [1, 2])]
    pair: Array<i64>,
    #[field(default = -1)]
    small: i8,
    #[field(default = 0)]
    ratio: f64,
    #[field(default = 0.5)]
    half: f32,
    #[field(default = None)]
    none: Option<X>,
    #[field(default = Some("x".into()))]
    some: Option<Str>,
    #[field(default = Self::TYPE_KEY)]
    key: Str,
    #[field(default = "text")]
    any: Any,
    #[field(default = true)]
    flag: bool,
    #[field(default = DataType::int(8))]
    dtype: DataType,
}

impl XNode {
    const TYPE_KEY: &'static str = "constructors.X";
}

#[derive(Object)]
#[object(type_key = "constructors.Many")]
#[structural_eq(tree)]
struct ManyNode {
    a: i64,
    b: i64,
    c: i64,
    d: i64,
    e: i64,
    f: i64,
    g: i64,
    h: Option<i64>,
}

#[derive(Object)]
#[object(type_key = "constructors.Empty")]
#[structural_eq(tree)]
struct EmptyNode {}

pub(super) fn main() {
    let x = X::new(3, Some("name".into()));
    assert_eq!((x.size, x.double, &*x.other, x.small), (3, 10, "default", -1));
    assert_eq!((x.ratio, x.half, x.none.is_none(), x.some.as_deref()), (0.0, 0.5, true, Some("x")));
    assert_eq!((&*x.key, x.flag, x.pair.len(), x.rest.len()), ("constructors.X", true, 2, 0));
    let default = |name| XNode::TYPE_INFO.field(name).and_then(|(_, field)| field.default());
    assert!(default("size").is_none() && default("name").is_none());
    assert_eq!(format!("{:?} {:?}", default("double").unwrap(), default("any").unwrap()), "10 \"text\"");
    assert!(matches!(default("none"), Some(Any::None)));
    assert_eq!(Many::new(1, 2, 3, 4, 5, 6, 7, None).g, 7);
    assert_eq!(format!("{}", Empty::new()), "constructors.Empty()");
}

//! Constructors and methods of handles that the words `new`, `display`, `setters` and `base_args` choose.

use std::fmt;
use std::sync::OnceLock;

use object_core::prelude::*;
use object_core::{ErrorKind, structural_equal};

mod ir {
    use super::*;

    /// Base of expressions.
    #[derive(Object)]
    #[object(type_key = "setters.Expr", base, setters = ExprSetters)]
    pub struct ExprNode {
        #[field(ignore)]
        pub span: Option<Str>,
        #[field(default = 1)]
        pub cost: i64,
        pub dtype: DataType,
        #[field(skip)]
        pub cache: OnceLock<Vec<u8>>,
        #[field(default)]
        secret: i64,
    }

    impl ExprNode {
        pub fn secret(&self) -> i64 {
            self.secret
        }
    }

    #[derive(Object)]
    #[object(type_key = "setters.Var", parent = ExprNode, base, base_args(dtype: DataType, span: Option<Str>))]
    #[structural_eq(var)]
    pub struct VarNode {
        pub base: ExprNode,
        #[field(ignore)]
        pub name: Str,
        #[field(ignore)]
        pub r#type: Option<Expr>,
    }

    /// The span is a field of the parent's parent.
    #[derive(Object)]
    #[object(type_key = "setters.SizeVar", parent = VarNode, base_args(dtype: DataType, name: Str, span: Option<Str>))]
    #[structural_eq(var)]
    pub struct SizeVarNode {
        pub base: VarNode,
    }

    #[derive(Object)]
    #[object(type_key = "setters.Reduce", parent = ExprNode, base_args(dtype: DataType))]
    #[structural_eq(tree)]
    pub struct ReduceNode {
        pub base: ExprNode,
        pub input: Expr,
        /// A constructor takes the option, so no method sets it.
        pub init: Option<i64>,
        #[field(default)]
        pub axes: Array<i64>,
        #[field(default = "sum")]
        pub combiner: Str,
        #[field(default = None)]
        pub limit: Option<i64>,
        #[field(default)]
        pub(crate) attrs: Map<Str, Any>,
    }
}

use ir::{Expr, ExprSetters as _, Reduce, SizeVar, Var};

fn float() -> DataType {
    DataType::float(32)
}

#[test]
fn methods_set_the_fields_that_constructors_leave_out() {
    let x = Var::new(float(), None, "x", None);
    let reduce = Reduce::new(float(), &x, None)
        .with_axes([1, 2])
        .with_combiner("max")
        .with_limit(3)
        .with_attrs([("a".into(), 1.into())]);
    assert_eq!((reduce.axes.to_vec(), reduce.combiner.as_str(), reduce.limit), (vec![1, 2], "max", Some(3)));
    assert_eq!((reduce.attrs["a"].clone(), reduce.cost, reduce.secret()), (Any::Int(1), 1, 0));
    let typed = x.clone().with_type(&reduce);
    assert!(typed.r#type == Some(reduce.into()) && typed != x, "`x` is shared, so the variable is another one");
}

#[test]
fn a_shared_object_is_copied_and_an_unshared_one_is_not() {
    let reduce = Reduce::new(float(), Var::new(float(), None, "x", None), None);
    let at = |reduce: &Reduce| reduce.as_object().view().address();
    let before = at(&reduce);
    let reduce = reduce.with_limit(1).with_span("here");
    assert_eq!(at(&reduce), before);
    let other = reduce.clone().with_limit(2);
    assert_eq!((reduce.limit, other.limit, other.span.as_deref()), (Some(1), Some(2), Some("here")));
    assert!(other.input == reduce.input);
    let third = reduce.clone().with_changes(|it| {
        it.limit = None;
        it.cost = 7;
    });
    assert_eq!((third.limit, third.cost, reduce.limit, reduce.cost), (None, 7, Some(1), 1));
}

#[test]
fn a_trait_sets_inherited_fields() {
    let x = SizeVar::new(float(), "n", None).with_span("a").with_cost(5).with_cache(vec![1].into());
    assert_eq!((x.span.as_deref(), x.cost, x.cache.get()), (Some("a"), 5, Some(&vec![1])));
    assert_eq!(x.name, "n");
    // The handle of the base has the methods itself; the object keeps its type.
    let expr: Expr = Expr::from(&x).with_span("b");
    assert!(expr.is::<SizeVar>() && expr.span.as_deref() == Some("b") && x.span.as_deref() == Some("a"));
}

#[test]
fn optional_fields_of_ancestors_are_arguments() {
    let x = Var::new(float(), Some("x.py:1".into()), "x", None);
    let n = SizeVar::new(float(), "n", Some("n.py:2".into()));
    assert_eq!((x.span.as_deref(), n.span.as_deref(), n.name.as_str()), (Some("x.py:1"), Some("n.py:2"), "n"));
}

mod checked {
    use super::*;

    /// A range that is not empty. Nothing outside of this module makes an empty one.
    #[derive(Object)]
    #[object(type_key = "setters.Range", new = unchecked, display = none)]
    #[structural_eq(tree)]
    pub struct RangeNode {
        min: i64,
        max: i64,
        #[field(default = 1)]
        step: i64,
    }

    impl Range {
        pub fn new(min: i64, max: i64) -> Result<Self, Error> {
            if min < max {
                Ok(Range::unchecked(min, max))
            } else {
                Err(Error::new(ErrorKind::OutOfRange, format!("{min} is not less than {max}")))
            }
        }

        pub fn step(&self) -> i64 {
            self.step
        }
    }

    impl fmt::Display for Range {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{}..{}", self.min, self.max)
        }
    }

    #[derive(Object)]
    #[object(type_key = "setters.Token", new = none)]
    #[structural_eq(tree)]
    pub struct TokenNode {
        pub text: Str,
    }

    impl Token {
        pub fn new(text: &str) -> Option<Self> {
            (!text.is_empty()).then(|| Token::from(TokenNode { text: text.into() }))
        }
    }
}

#[test]
fn a_type_has_its_own_constructor_and_display() {
    let range = checked::Range::new(1, 4).expect("1 is less than 4");
    assert_eq!((range.to_string().as_str(), range.step()), ("1..4", 1));
    assert_eq!(format!("{range:?}"), "setters.Range(min=1, max=4, step=1)");
    let error = checked::Range::new(4, 4).expect_err("an empty range");
    assert_eq!(error.message(), "4 is not less than 4");
    assert!(structural_equal(&range, &checked::Range::new(1, 4).expect("again")));
    assert!(checked::Token::new("").is_none() && checked::Token::new("a").is_some_and(|token| token.text == "a"));
}

/// `Display` of a base holds for the types that extend it.
mod shown {
    use object_core::prelude::*;

    #[derive(Object)]
    #[object(type_key = "setters.Shown", base, display = none)]
    pub(super) struct ShownNode {}

    #[derive(Object)]
    #[object(type_key = "setters.ShownInt", parent = ShownNode, base)]
    #[structural_eq(tree)]
    pub(super) struct ShownIntNode {
        base: ShownNode,
        value: i64,
    }

    #[derive(Object)]
    #[object(type_key = "setters.ShownByte", parent = ShownIntNode, base_args(value: i64))]
    #[structural_eq(tree)]
    pub(super) struct ShownByteNode {
        base: ShownIntNode,
    }

    impl std::fmt::Display for Shown {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            match self.downcast_ref::<ShownInt>() {
                Some(int) => write!(f, "#{}", int.value),
                None => f.write_str("?"),
            }
        }
    }

    #[test]
    fn types_inherit_display() {
        let (int, byte) = (ShownInt::new(1), ShownByte::new(2));
        assert_eq!(format!("{int} {byte} {} {}", Shown::from(&int), ShownInt::from(&byte)), "#1 #2 #1 #2");
        assert_eq!(format!("{byte:?}"), "setters.ShownByte(value=2)");
    }
}

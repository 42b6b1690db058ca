//! Uses of constructors, text and containers in which the compiler infers types. A new conversion can make such a use
//! ambiguous, so each of them compiles here.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::ParseIntError;
use std::path::Path;

use object_core::prelude::*;

#[derive(Object)]
#[object(type_key = "inference.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {
    pub span: Option<Str>,
}

#[derive(Object)]
#[object(type_key = "inference.Var", parent = ExprNode)]
#[structural_eq(var)]
pub struct VarNode {
    pub base: ExprNode,
    #[field(ignore)]
    pub name: Str,
}

#[derive(Object)]
#[object(type_key = "inference.Let", parent = ExprNode)]
#[structural_eq(tree)]
pub struct LetNode {
    pub base: ExprNode,
    #[field(def)]
    pub vars: Array<Var>,
    pub values: Array<Expr>,
    pub body: Expr,
    pub ty: Option<Expr>,
    pub shape: Shape,
    pub any: Any,
    pub attrs: Map<Str, Any>,
    pub ints: Array<i64>,
    pub names: Array<Str>,
    pub options: Array<Option<Expr>>,
}

fn example(x: &Var, y: &Var) -> Let {
    let (vars, values) = ([x.clone()], [y].into_iter());
    let attrs = [("a".into(), 1.into())];
    Let::new(vars, values, x, None, [1, 2], 5, attrs, [1, 2], ["a".into()], [None, Some(x.into())])
}

#[test]
fn arguments_of_constructors() {
    let (x, y) = (Var::new("x"), Var::new('y'));
    let first = example(&x, &y);
    let upper = first.names.iter().map(|name| name.to_uppercase());
    let second = Let::new(
        vec![x.clone(), y.clone()],
        first.values.clone(),
        x.clone(),
        Some(y.clone().into()),
        vec![1],
        "text",
        vec![],
        0..3,
        upper,
        [],
    );
    assert_eq!((second.ints.to_vec(), second.names.to_vec()), (vec![0, 1, 2], vec!["A".into()]));
    let third = Let::new(
        std::slice::from_ref(&x),
        &first.vars,
        &first,
        first.ty.clone(),
        &first.shape,
        &first,
        &first.attrs,
        &first.ints,
        &first.names,
        &first.options,
    );
    assert!(third.values.ptr_eq(&first.vars) && third.any.view().is_instance_of(&first));
    let some = first.attrs.iter().filter(|(key, _)| key != "x");
    let chained = first.vars.iter().chain([y.clone()]);
    let fourth =
        Let::new(&first.vars, chained, &first.body, None, [], (), some, vec![7], ["a", "b"].into_iter(), vec![None]);
    assert_eq!((fourth.values.len(), fourth.attrs.len(), fourth.names.len()), (2, 1, 2));
    let table = HashMap::from([(String::from("k"), 1)]);
    let pairs = table.iter().map(|(key, value)| (key, *value));
    let fifth = Let::new([], [x.into(), y.into()], first.body.clone(), None, [], vec![1, 2], pairs, [], [], []);
    assert_eq!((fifth.values.len(), fifth.attrs["k"].to_string()), (2, "1".to_owned()));
}

trait IsInstanceOf {
    fn is_instance_of(&self, handle: &impl ObjectHandle) -> bool;
}

impl IsInstanceOf for AnyView<'_> {
    fn is_instance_of(&self, handle: &impl ObjectHandle) -> bool {
        self.as_object().is_some_and(|object| object.ptr_eq(handle.as_object().view()))
    }
}

#[test]
fn arrays() -> Result<(), Box<dyn std::error::Error>> {
    let (x, y) = (Var::new("x"), Var::new("y"));
    let node = example(&x, &y);
    let mut values: Vec<Expr> = node.values.clone().into();
    values.push((&x).into());
    values.sort_by_key(ToString::to_string);
    let sorted: Array<Expr> = values.into();
    assert!(matches!(&sorted[..], [a, _] if a.is::<Var>()));
    assert!(matches!(node.values.as_slice(), [only] if only.ptr_eq(&y)));
    let pairs: Vec<(Var, &Expr)> = node.vars.iter().zip(&node.values).collect();
    assert_eq!(pairs.len(), 1);
    let sum: i64 = node.ints.iter().sum();
    let borrowed: i64 = (&node.ints).into_iter().sum();
    assert_eq!((sum, borrowed, Array::from_iter(0..3).iter().max()), (3, 3, Some(2)));
    let exprs: Array<Expr> = node.vars.iter().map(|var| var.into()).collect();
    let tails: [Array<Expr>; 2] = [sorted[1..].into(), Array::from(&sorted[..1])];
    assert_eq!((exprs.len(), tails.map(|tail| tail.len())), (1, [1, 1]));
    let parsed: Result<Array<i64>, ParseIntError> = "1 2".split(' ').map(|number| number.parse()).collect();
    let all: Option<Array<Str>> = vec![Some("a".into()), None].into_iter().collect();
    assert!(parsed? == [1, 2] && all.is_none());
    let from_any: Array<i64> = Any::from(vec![1, 2]).try_into()?;
    let number: u8 = Any::from(5).try_into()?;
    let text: String = Any::from("a").try_into()?;
    assert_eq!((from_any.len(), number, text.as_str()), (2, 5, "a"));
    let mut extended = exprs;
    extended.extend([x.into()]);
    extended.extend(node.options.iter().flatten());
    assert_eq!(extended.len(), 3);
    Ok(())
}

#[test]
fn maps() {
    let (x, y) = (Var::new("x"), Var::new("y"));
    let node = example(&x, &y);
    let (key, name) = (String::from("a"), &x.name);
    let found = [node.attrs.get("a"), node.attrs.get(&key), node.attrs.get(key.as_str()), node.attrs.get(name)];
    assert_eq!(found.map(|value| value.is_some()), [true, true, true, false]);
    let more = node.attrs.with("b", 2).with(&key, "text").with(name, &x).with("f", 1.5);
    assert_eq!(more.keys().collect::<Vec<_>>(), ["a", "b", "x", "f"]);
    let sorted: BTreeMap<Str, Any> = more.iter().collect();
    let hashed: HashMap<Str, Any> = more.into_iter().collect();
    assert_eq!((sorted.len(), hashed.len()), (4, 4));
    let numbers: Map<Str, i64> = vec![("a".into(), 1)].into();
    let sum: i64 = numbers.values().sum();
    assert_eq!((sum, numbers["a"], numbers.get("b").unwrap_or_default()), (1, 1, 0));
}

#[test]
fn texts() {
    let var = Var::new("x");
    let name = &var.name;
    assert_eq!(var.name, "x");
    assert_eq!("x", var.name);
    assert_eq!(var.span.as_deref(), None);
    assert!(name == "x" && matches!(name.as_str(), "x") && *name == String::from("x").as_str());
    assert_eq!(Path::new(name).join(name), Path::new("x/x"));
    let formatted: Str = format!("{name}{}", 1).into();
    assert_eq!((name.clone() + "1", formatted.parse()), (formatted.clone(), Ok(formatted)));
    let words: Array<Str> = "a b".split(' ').map(Str::from).collect();
    assert!(words.iter().any(|word| word == "a") && (&words).into_iter().any(|word| word == "b"));
    assert!(words.contains(&"a".into()) && words == ["a", "b"]);
    let mut counts: HashMap<Str, usize> = HashMap::new();
    words.iter().for_each(|word| *counts.entry(word).or_default() += 1);
    assert_eq!(counts.get("a"), Some(&1));
    let set: HashSet<Str> = words.into_iter().collect();
    assert!(set.contains("b") && "abc".chars().rev().collect::<Str>() == "cba");
}

/// A type of the user that is not an object.
struct Local(i64);

/// Compiles only if the conversions that the derive generates leave room for conversions of the user.
mod conversions_of_the_user {
    use super::{Expr, Local, Str, Var};

    impl From<&str> for Expr {
        fn from(name: &str) -> Self {
            Var::new(name).into()
        }
    }

    impl From<i64> for Expr {
        fn from(number: i64) -> Self {
            Var::new(number.to_string()).into()
        }
    }

    impl From<&i64> for Expr {
        fn from(number: &i64) -> Self {
            (*number).into()
        }
    }

    impl From<&Local> for Expr {
        fn from(local: &Local) -> Self {
            local.0.into()
        }
    }

    impl From<&str> for Var {
        fn from(name: &str) -> Self {
            Var::new(name)
        }
    }

    impl AsRef<str> for Var {
        fn as_ref(&self) -> &str {
            &self.name
        }
    }

    impl AsRef<Str> for Var {
        fn as_ref(&self) -> &Str {
            &self.name
        }
    }
}

#[test]
fn conversions_of_the_user_are_accepted_by_constructors() {
    let var = Var::from("x");
    let node = Let::new([], ["a", "b"].into_iter(), &Local(7), None, [], 0, [], [], [], []);
    let other = Let::new([], [1, 2].iter(), 5, Some("c".into()), [], 0, [], [], [], []);
    let name = |expr: &Expr| expr.downcast_ref::<Var>().map(|var| var.name.clone());
    assert_eq!((name(&node.values[1]), name(&node.body)), (Some("b".into()), Some("7".into())));
    assert_eq!((name(&other.values[1]), name(&other.body)), (Some("2".into()), Some("5".into())));
    let (text, shared, expr): (&str, &Str, &Expr) = (var.as_ref(), var.as_ref(), var.as_ref());
    assert!(text == shared && expr.is::<Var>());
}

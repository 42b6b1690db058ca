//! Hooks: lists of contents, computed values, and pairs.

use object_core::Any;
use object_core::prelude::*;
use object_core::structural::{MismatchReason, Scopes};

#[derive(Object)]
#[object(type_key = "hooks.Var")]
#[structural_eq(var)]
pub struct VarNode {
    #[field(ignore)]
    pub name: Str,
}

#[derive(Object)]
#[object(type_key = "hooks.Lambda")]
#[structural_eq(tree, scope)]
pub struct LambdaNode {
    #[field(def)]
    pub params: Array<Var>,
    pub body: Any,
}

/// A sum whose operands may have any order.
#[derive(Object)]
#[object(type_key = "hooks.Sum")]
#[structural_eq(tree, custom)]
pub struct SumNode {
    pub operands: Array<Any>,
}

impl StructuralHook for SumNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        let mut sorted: Vec<Any> = self.operands.iter().collect();
        sorted.sort_by_key(structural_hash);
        contents.add_computed("operands", Array::from_iter(sorted), FieldRole::Content);
    }
}

/// Lists one computed object for each of its numbers, under one of two names.
#[derive(Object)]
#[object(type_key = "hooks.Boxes")]
#[structural_eq(tree, custom)]
pub struct BoxesNode {
    pub numbers: Array<i64>,
    pub is_named: bool,
}

impl StructuralHook for BoxesNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        let name = if self.is_named { "named" } else { "boxed" };
        for number in self.numbers.iter() {
            contents.add_computed(name, Array::from([number]), FieldRole::Content);
        }
    }
}

/// Pairs its parts crosswise, and rejects parts of another parity.
#[derive(Object)]
#[object(type_key = "hooks.Cross")]
#[structural_eq(dag, custom)]
pub struct CrossNode {
    pub parity: i64,
    pub parts: Array<Any>,
}

impl StructuralHook for CrossNode {
    fn structural_contents<'a>(&'a self, contents: &mut HookContents<'a>) {
        contents.add_computed("parity", self.parity % 2, FieldRole::Content);
        contents.add("parts", &self.parts);
    }

    fn structural_pairs<'a>(&'a self, other: &'a Self, pairs: &mut HookPairs<'a>) {
        if (self.parity - other.parity) % 2 != 0 {
            pairs.reject();
        }
        pairs.require("parts", &self.parts, &other.parts, FieldRole::Content);
    }
}

fn options() -> [StructuralOptions; 4] {
    [Scopes::Persistent, Scopes::Lexical]
        .map(|scopes| StructuralOptions::new().scopes(scopes))
        .iter()
        .flat_map(|options| [*options, options.map_free_vars(true)])
        .collect::<Vec<_>>()
        .try_into()
        .expect("two by two")
}

/// Checks the verdict and the laws under all options, and the path of the first mismatch.
#[track_caller]
fn check(a: &Any, b: &Any, path: Option<&str>) {
    for options in options() {
        assert_eq!(options.equal(a, b).expect("comparable"), path.is_none());
        assert_eq!(options.equal(b, a).expect("comparable"), path.is_none());
        assert!(options.equal(a, a).expect("comparable"));
        let hash = |value| options.hash(value).expect("comparable");
        assert!(path.is_some() || hash(a) == hash(b));
        let first = options.first_mismatch(a, b).expect("comparable");
        assert_eq!(first.map(|first| first.lhs.to_string()).as_deref(), path);
        assert_eq!(options.diff(a, b, 10).expect("comparable").is_empty(), path.is_none());
    }
}

fn sum(operands: impl IntoIterator<Item = Any>) -> Any {
    Sum::new(Array::from_iter(operands)).into()
}

#[test]
fn computed_values_are_compared_hashed_and_named_in_paths() {
    let (one, x) = (|| Any::from(1), || Any::from("x"));
    check(&sum([one(), x()]), &sum([x(), one()]), None);
    check(&sum([one(), sum([one(), x()])]), &sum([sum([x(), one()]), one()]), None);
    let (short, long) = (sum([one()]), sum([one(), one()]));
    check(&long, &short, Some("<root>.operands[1]"));
}

#[test]
fn variables_in_computed_values_are_bound_by_the_lambda_around_them() {
    let lambda = |name: &str, swapped: bool| {
        let x = Var::new(name);
        let mut operands = [Any::from(1), Any::new(x.clone())];
        if swapped {
            operands.reverse();
        }
        Any::from(Lambda::new([x], sum(operands)))
    };
    check(&lambda("x", false), &lambda("y", true), None);
    let two = |swapped: bool| {
        let (x, y) = (Var::new("x"), Var::new("y"));
        let body = if swapped { [y.clone(), x.clone()] } else { [x.clone(), y.clone()] };
        Any::from(Lambda::new([x, y], sum(body.map(Any::new))))
    };
    check(&two(false), &two(false), None);
    // The hash does not distinguish the two variables.
    check(&two(false), &two(true), Some("<root>.body.operands[0]"));
}

/// Walks remember objects by address, so no computed object may get the address of an earlier one.
#[test]
fn computed_values_live_until_the_end() {
    let boxes = |last: i64| {
        let group = |from: i64| {
            Boxes::new(Array::from_iter((from..from + 100).map(|i| if i == 9999 { last } else { i })), false)
        };
        Any::from(Array::from_iter((0..100).map(|at| group(100 * at))))
    };
    check(&boxes(9999), &boxes(9999), None);
    check(&boxes(9999), &boxes(0), Some("<root>[99].boxed[0]"));
}

#[test]
fn lists_of_other_names_or_lengths_are_unequal_objects() {
    let boxes = |numbers: &[i64], is_named| {
        Any::from(Array::from([Boxes::new(Array::from_iter(numbers.iter().copied()), is_named)]))
    };
    check(&boxes(&[1, 2], false), &boxes(&[1, 2], false), None);
    check(&boxes(&[1, 2], false), &boxes(&[1, 2], true), Some("<root>[0]"));
    check(&boxes(&[1, 2], false), &boxes(&[1], false), Some("<root>[0]"));
    check(&boxes(&[], false), &boxes(&[], true), None);
}

#[test]
fn a_hook_can_reject() {
    let cross = |parity: i64, part: i64| Any::from(Array::from([Cross::new(parity, [Any::Int(part)])]));
    check(&cross(1, 5), &cross(3, 5), None);
    check(&cross(1, 5), &cross(2, 5), Some("<root>[0]"));
    check(&cross(1, 5), &cross(3, 6), Some("<root>[0].parts[0]"));
    let diff = structural_diff(&cross(1, 5), &cross(2, 6)).expect("comparable");
    assert_eq!(diff.len(), 1);
    assert!(!matches!(diff[0].reason, MismatchReason::MissingElement | MismatchReason::MissingKey));
}

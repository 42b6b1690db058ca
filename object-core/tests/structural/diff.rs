//! Diffs of small values, as text, and diffs of deep, shared and long values.

use object_core::object::FieldType;
use object_core::prelude::*;
use object_core::structural::{Mismatch, MismatchReason, StructuralOptions};

/// An expression.
#[derive(Object)]
#[object(type_key = "diff.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {}

/// A variable.
#[derive(Object)]
#[object(type_key = "diff.Var", parent = ExprNode)]
#[structural_eq(var)]
pub struct VarNode {
    /// The base part.
    pub base: ExprNode,
    /// The name.
    #[field(ignore)]
    pub name: Str,
}

/// A call of a named operation.
#[derive(Object)]
#[object(type_key = "diff.Call", parent = ExprNode)]
#[structural_eq(tree)]
pub struct CallNode {
    /// The base part.
    pub base: ExprNode,
    /// The operation.
    pub op: Str,
    /// The arguments.
    pub args: Array<Expr>,
}

/// A binding.
#[derive(Object)]
#[object(type_key = "diff.Bind", parent = ExprNode)]
#[structural_eq(tree)]
pub struct BindNode {
    /// The base part.
    pub base: ExprNode,
    /// The value.
    #[field(outer)]
    pub value: Expr,
    /// The variable.
    #[field(def)]
    pub var: Var,
}

/// A type that takes no part in comparison.
#[derive(Object)]
#[object(type_key = "diff.Opaque")]
#[structural_eq(none)]
pub struct OpaqueNode {}

/// Bindings like `y = f x; z = g y y`, where a name refers to the last variable with this name.
fn block(text: &str) -> Array<Bind> {
    let mut vars: Vec<(String, Var)> = Vec::new();
    let binding = |line: &str| {
        let (name, value) = line.split_once('=').expect("a binding has a `=`");
        let mut words = value.split_whitespace();
        let op = words.next().expect("an operation");
        let args: Vec<Expr> = words
            .map(|word| {
                let bound = vars.iter().rev().find(|(name, _)| name == word).map(|(_, var)| var.clone());
                bound.map_or_else(|| Call::new(word, []).into(), Into::into)
            })
            .collect();
        let var = Var::new(name.trim());
        vars.push((name.trim().to_owned(), var.clone()));
        Bind::new(Call::new(op, args), var)
    };
    text.split(';').map(binding).collect::<Vec<_>>().into_iter().collect()
}

fn diff<T: FieldType, U: FieldType>(a: &T, b: &U) -> Vec<Mismatch> {
    structural_diff(a, b).expect("comparable")
}

/// The differences of two blocks, one per line.
fn shown(a: &str, b: &str) -> Vec<String> {
    diff(&block(a), &block(b))
        .iter()
        .map(|it| {
            let short = |reason: &MismatchReason| match reason {
                MismatchReason::Binding { lhs, rhs } => {
                    let name = |earlier: &object_core::structural::EarlierBinding| {
                        let var = earlier.counterpart.clone().downcast::<Var>();
                        format!(
                            "{} at {} {}",
                            var.map_or_else(|_| "?".into(), |var| var.name.to_string()),
                            earlier.lhs,
                            earlier.rhs
                        )
                    };
                    let side = |earlier: &Option<Box<_>>| earlier.as_deref().map_or("free".to_owned(), name);
                    format!("{} / {}", side(lhs), side(rhs))
                }
                other => other.to_string(),
            };
            format!("{} {}: {}", it.lhs, it.rhs, short(&it.reason)).replace("<root>", "")
        })
        .collect()
}

/// A node whose identity matters.
#[derive(Object)]
#[object(type_key = "diff.Block")]
#[structural_eq(dag)]
pub struct BlockNode {
    /// The content.
    pub id: i64,
}

/// The places at which variables occur again tell elements apart, and the number of handles decides nothing.
#[test]
fn elements_with_variables_at_the_same_places_are_aligned() {
    let [x, y] = ["x", "y"].map(|name| Expr::from(Var::new(name)));
    let call = |a: &Expr, b: &Expr| Call::new("f", [a.clone(), b.clone()]);
    let left: Array<Call> = [call(&x, &x), call(&y, &x)].into_iter().collect();
    let right: Array<Call> = [call(&x, &x)].into_iter().collect();
    let places = || {
        let found = structural_diff(&left, &right).expect("comparable");
        found.iter().map(|it| format!("{} {}", it.lhs, it.rhs)).collect::<Vec<_>>()
    };
    assert_eq!(places(), ["<root>[1] <root>[<missing:1>]"]);
    let handles: Vec<Call> = left.as_slice().iter().chain(right.as_slice()).cloned().collect();
    assert_eq!(places(), ["<root>[1] <root>[<missing:1>]"]);
    drop(handles);
}

/// The cases of `data/diff.txt`, each with its differences.
#[test]
fn small_cases() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/diff.txt");
    let text = std::fs::read_to_string(path).expect("the cases are there");
    let mut parts = text.split("\n# ");
    let mut again = parts.next().unwrap_or_default().trim_end().to_owned();
    for case in parts {
        let lines: Vec<&str> = case.trim_end().lines().collect();
        let &[title, a, b, ..] = &lines[..] else { panic!("a case without two blocks: {case}") };
        let blocks = [("a: ", a), ("b: ", b)].map(|(mark, line)| line.strip_prefix(mark).expect("a block"));
        again += &format!("\n\n# {title}\n{a}\n{b}");
        shown(blocks[0], blocks[1]).iter().for_each(|line| again += &format!("\n- {line}"));
    }
    again.push('\n');
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &again).expect("the cases can be written");
    } else {
        assert_eq!(text, again, "`BLESS=1` writes the cases anew");
    }
}

#[test]
fn reasons_print_as_words() {
    let text = |found: &[Mismatch]| found.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (x, y, z) = (Var::new("x"), Var::new("y"), Var::new("z"));
    assert_eq!(
        text(&diff(
            &Array::<Any>::from([x.clone().into(), 1.into(), "a".into()]),
            &Array::<Any>::from([y.clone().into(), 1.0.into(), "b".into()])
        )),
        [
            "<root>[0] is diff.Var(name=\"x\"), but <root>[0] is diff.Var(name=\"y\"): neither variable has a counterpart (free, or bindings that differ), and each equals only itself",
            "<root>[1] is 1, but <root>[1] is 1.0: the types differ",
            "<root>[2] is \"a\", but <root>[2] is \"b\": the values differ",
        ]
    );
    let entries = |keys: &[&str]| -> Map<Str, i64> { keys.iter().map(|key| (Str::from(*key), 1)).collect() };
    assert_eq!(
        text(&diff(&entries(&["a", "b"]), &entries(&["b", "c"]))),
        ["<root>[\"a\"] is 1, on the left only", "<root>[\"c\"] is 1, on the right only"]
    );
    let engine = StructuralOptions::new().map_free_vars(true);
    let found = engine.diff(&Array::from([x.clone(), x.clone()]), &Array::from([y.clone(), z.clone()]), 9);
    let expected = "<root>[1] is diff.Var(name=\"x\"), but <root>[1] is diff.Var(name=\"z\"): the left one is bound \
                    at <root>[0], where the right side has diff.Var(name=\"y\"); the right one is free, or its binding has no \
                    counterpart";
    assert_eq!(text(&found.expect("comparable")), [expected]);
    let found = engine.diff(
        &Array::from([x.clone(), y.clone(), x.clone()]),
        &Array::from([y.clone(), z.clone(), z.clone()]),
        9,
    );
    let both = "<root>[2] is diff.Var(name=\"x\"), but <root>[2] is diff.Var(name=\"z\"): the left one is bound at <root>[0], \
                where the right side has diff.Var(name=\"y\"); the right one is bound at <root>[1], where the left side has \
                diff.Var(name=\"y\")";
    assert_eq!(text(&found.expect("comparable")), [both]);
    let block = Block::new(1);
    let twice = Array::from([block.clone(), block]);
    let copies = Array::from([Block::new(1), Block::new(1)]);
    let shared = "<root>[1] is diff.Block(id=1), but <root>[1] is diff.Block(id=1): the left one is the object at <root>[0], \
                  where the right side has diff.Block(id=1); the right one is at no earlier place";
    assert_eq!(text(&diff(&twice, &copies)), [shared]);
    let first = engine.first_mismatch(&Array::from([x.clone(), x.clone()]), &Array::from([y, z])).expect("comparable");
    assert_eq!(first.expect("they differ").to_string(), expected, "the first mismatch knows the reason as well");
}

#[test]
fn uncomparable_objects_are_errors_before_the_first_difference_and_reported_after_it() {
    let opaque = || Any::from(Opaque::new());
    let values = |first: i64| Array::<Any>::from([first.into(), opaque()]);
    assert!(structural_diff(&values(1), &values(1)).is_err());
    let reasons: Vec<String> = diff(&values(1), &values(2)).iter().map(|it| it.reason.to_string()).collect();
    assert_eq!(reasons, ["the values differ", "the type takes no part in structural comparison"]);
}

/// A diff reports a conflict between the same two variables once, and a shared object once.
#[test]
fn no_difference_is_reported_twice() {
    let (x, y) = (Var::new("x"), Var::new("y"));
    let uses = |var: &Var| (0..50).map(|_| Call::new("f", [var.clone().into()])).collect::<Array<Call>>();
    assert_eq!(diff(&uses(&x), &uses(&y)).len(), 1);
    let shared = |op: &str| {
        let call = Call::new(op, []);
        (0..50).map(|_| call.clone()).collect::<Array<Call>>()
    };
    assert_eq!(diff(&shared("f"), &shared("g")).len(), 1);
    let apart = |op: &str| (0..50).map(|_| Call::new(op, [])).collect::<Array<Call>>();
    assert_eq!(diff(&apart("f"), &apart("g")).len(), 50);
}

#[test]
fn the_limit_bounds_the_list() {
    let numbers = |from: i64| (0..5000).map(|i| from * i).collect::<Array<i64>>();
    let (a, b) = (numbers(1), numbers(-1));
    let count = |limit| StructuralOptions::new().diff(&a, &b, limit).expect("comparable").len();
    assert_eq!([0, 1, 7, 100_000].map(count), [1, 1, 7, 4999]);
    assert_eq!(diff(&a, &b).len(), object_core::structural::DIFF_LIMIT);
}

/// Chains through fields, arrays and maps, that end in several differences.
#[test]
fn deep_values_do_not_overflow_the_stack() {
    const DEPTH: usize = 300_000;
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(|| {
        let chain = |ops: [&str; 3]| {
            let leaf: Array<Expr> = ops.iter().map(|op| Call::new(*op, []).into()).collect();
            let chain = (0..DEPTH).fold(Call::new("f", leaf), |below, _| Call::new("f", [below.into()]));
            let both = Array::<Any>::from([chain.into(), ops[0].into()]);
            (0..DEPTH / 4).fold(Any::from(both), |below, i| match i % 2 {
                0 => Array::from([below, Any::Int(1)]).into(),
                _ => Map::<Str, Any>::from([("key".into(), below)]).into(),
            })
        };
        let (a, b) = (chain(["a", "b", "c"]), chain(["a", "x", "y"]));
        assert_eq!(diff(&a, &a.clone()).len(), 0);
        // The paths of further differences would take more memory than the values.
        let found = diff(&a, &b);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].lhs.steps().len(), DEPTH / 4 + 1 + 2 * DEPTH + 3);
    });
    thread.expect("a thread starts").join().expect("the test passes");
}

#[test]
fn shared_values_are_compared_once() {
    let ladder =
        |op: &str| (0..60).fold(Call::new(op, []), |below, _| Call::new("f", [below.clone().into(), below.into()]));
    assert_eq!(diff(&ladder("a"), &ladder("b")).len(), 1);
    // The two sides have different edges: each object of one side is paired with many objects of the other.
    let butterfly = |seed: usize, op: &str| {
        let mut layer: Vec<Expr> = (0..100).map(|i| Call::new(if i == 7 { op } else { "a" }, []).into()).collect();
        for depth in 0..30 {
            let pick = |i: usize, salt: usize| layer[(i * 31 + seed * 17 + depth * 7 + salt * 53) % 100].clone();
            layer = (0..100).map(|i| Call::new("f", [pick(i, 1), pick(i, 2)]).into()).collect();
        }
        Array::from(layer)
    };
    assert!(!diff(&butterfly(1, "b"), &butterfly(2, "c")).is_empty());
}

/// Few edits in a long array, and two arrays without a common order.
#[test]
fn diffs_of_long_arrays_are_fast() {
    let numbers: Vec<i64> = (0..100_000).map(|i| i * 7919 % 1000).collect();
    let mut edited = numbers.clone();
    for place in [90_000, 50_001, 50_000, 3] {
        edited.remove(place);
    }
    edited.insert(70_000, -1);
    let found = diff(&Array::from(numbers.clone()), &Array::from(edited));
    let sides: Vec<bool> = found.iter().map(|it| it.lhs_value.is_some()).collect();
    assert_eq!(sides, [true, true, true, false, true]);
    let shuffled: Vec<i64> = (0..100_000).map(|i| i * 104_729 % 997).collect();
    assert_eq!(diff(&Array::from(numbers), &Array::from(shuffled)).len(), object_core::structural::DIFF_LIMIT);
}

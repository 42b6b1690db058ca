//! Laws on random expressions of each type, at values near 0 and at both ends of the type: products with negative
//! factors, divisors of any sign, and types that wrap around.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;

use object_core::prelude::*;
use object_core::scalar::TypeCode;
use object_ir::ir::{IntImm, Op, PrimExpr, PrimType};
use object_ir::tir::{
    Add, And, Call, Cast, Div, EQ, FloorDiv, FloorMod, LE, LT, Max, Min, Mod, Mul, NE, Not, Or, Select, Sub, Var,
};
use object_relax::arith::Analyzer;
use object_tests::scalar_text::print;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};

use crate::evaluate::{evaluate, evaluate_wrapping};
use crate::laws::{check_verdict, config, contains, has_member};

const TYPES: [DataType; 9] = [
    DataType::boolean(),
    DataType::int(8),
    DataType::uint(8),
    DataType::int(16),
    DataType::uint(16),
    DataType::uint(32),
    DataType::int(32),
    DataType::int(64),
    DataType::uint(64),
];

/// The variables of each type.
const VARIABLES: usize = 3;

/// The values of variables and the constants: small ones, and ones counted from the ends of the type.
#[derive(Clone, Copy, Debug)]
enum Number {
    Near(i64),
    AboveLeast(i64),
    BelowGreatest(i64),
}

/// A random expression; the type comes from outside.
#[derive(Clone, Debug)]
enum Tree {
    Variable(usize),
    Constant(Number),
    Binary(usize, Box<[Tree; 2]>),
    /// A choice by a relation of two numbers, lazy or not.
    Choice(bool, usize, Box<[Tree; 4]>),
    /// A conversion from another type.
    From(usize, Box<Tree>),
}

fn ends(dtype: DataType) -> (i128, i128) {
    match dtype.code {
        TypeCode::BOOL => (0, 1),
        TypeCode::INT => (-(1 << (dtype.bits - 1)), (1 << (dtype.bits - 1)) - 1),
        _ => (0, (1 << dtype.bits) - 1),
    }
}

impl Number {
    /// The member of the type, as far as 64 bits hold it.
    fn value(self, dtype: DataType) -> i64 {
        let (least, greatest) = ends(dtype);
        let value = match self {
            Number::Near(value) => value.into(),
            Number::AboveLeast(distance) => least + i128::from(distance),
            Number::BelowGreatest(distance) => greatest - i128::from(distance),
        };
        value.clamp(least, greatest.min(i64::MAX.into())) as i64
    }
}

impl Tree {
    fn build(&self, dtype: DataType, vars: &BTreeMap<String, Var>) -> PrimExpr {
        let build = |tree: &Tree, dtype| tree.build(dtype, vars);
        match self {
            Tree::Variable(index) => vars[&name(dtype, *index)].clone().into(),
            Tree::Constant(number) => IntImm::new(dtype, number.value(dtype)).into(),
            Tree::Binary(operation, operands) if dtype == DataType::boolean() => {
                let [a, b] = &**operands;
                // Relations of a number type, and connectives.
                let of = TYPES[1 + operation % (TYPES.len() - 1)];
                match operation % 5 {
                    0 => And::new(dtype, build(a, dtype), build(b, dtype)).into(),
                    1 => Or::new(dtype, build(a, dtype), build(b, dtype)).into(),
                    2 => Not::new(dtype, build(a, dtype)).into(),
                    relation => compare(relation + operation, build(a, of), build(b, of)),
                }
            }
            Tree::Binary(operation, operands) => {
                let [a, b] = operands.each_ref().map(|operand| build(operand, dtype));
                binary(*operation, dtype, a, b)
            }
            Tree::Choice(is_lazy, relation, operands) => {
                let [a, b, yes, no] = &**operands;
                let of = TYPES[1 + relation % (TYPES.len() - 1)];
                let condition = compare(*relation, build(a, of), build(b, of));
                let (yes, no) = (build(yes, dtype), build(no, dtype));
                match is_lazy {
                    true => Call::new(dtype, Op::get("tirx.if_then_else").unwrap(), [condition, yes, no], None).into(),
                    false => Select::new(dtype, condition, yes, no).into(),
                }
            }
            Tree::From(of, value) => Cast::new(dtype, build(value, TYPES[of % TYPES.len()])).into(),
        }
    }
}

fn binary(operation: usize, dtype: DataType, a: PrimExpr, b: PrimExpr) -> PrimExpr {
    match operation % 12 {
        0 | 1 => Add::new(dtype, a, b).into(),
        2 | 3 => Sub::new(dtype, a, b).into(),
        4 | 5 => Mul::new(dtype, a, b).into(),
        6 => FloorDiv::new(dtype, a, b).into(),
        7 => FloorMod::new(dtype, a, b).into(),
        8 => Div::new(dtype, a, b).into(),
        9 => Mod::new(dtype, a, b).into(),
        10 => Min::new(dtype, a, b).into(),
        _ => Max::new(dtype, a, b).into(),
    }
}

fn compare(relation: usize, a: PrimExpr, b: PrimExpr) -> PrimExpr {
    let truth = DataType::boolean();
    match relation % 4 {
        0 => LT::new(truth, a, b).into(),
        1 => LE::new(truth, a, b).into(),
        2 => EQ::new(truth, a, b).into(),
        _ => NE::new(truth, a, b).into(),
    }
}

fn number() -> impl Strategy<Value = Number> + Clone {
    prop_oneof![
        6 => (-4..8_i64).prop_map(Number::Near),
        1 => prop::sample::select(vec![-12_i64, 8, 12, 16, 100, -128, 1 << 31, 1 << 62]).prop_map(Number::Near),
        1 => (0..3_i64).prop_map(Number::AboveLeast),
        1 => (0..3_i64).prop_map(Number::BelowGreatest),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    let variable = (0..VARIABLES).prop_map(Tree::Variable);
    let constant = number().prop_map(Tree::Constant);
    let leaf = prop_oneof![3 => variable.clone(), 2 => constant.clone()];
    let pair = |operations: Range<usize>, a: BoxedStrategy<Tree>, b: BoxedStrategy<Tree>| {
        (operations, a, b).prop_map(|(operation, a, b)| Tree::Binary(operation, Box::new([a, b]))).boxed()
    };
    let (variable, constant) = (variable.boxed(), constant.boxed());
    // `(x * a) // (y * b)`.
    let multiple = pair(4..5, variable.clone(), constant.clone());
    let quotient = pair(6..10, multiple.clone(), multiple);
    // `(x // a + b) // c`, `(a - x) % b`.
    let part = prop_oneof![variable.clone(), pair(6..10, variable, constant.clone())].boxed();
    let sum = prop_oneof![pair(0..4, part.clone(), constant.clone()), pair(0..4, constant.clone(), part)].boxed();
    let quotient_of_sum = pair(6..10, sum, constant);
    prop_oneof![5 => leaf, 1 => quotient, 1 => quotient_of_sum].prop_recursive(4, 20, 4, |inner| {
        let pair = [inner.clone(), inner.clone()].prop_map(Box::new);
        let four = std::array::from_fn::<_, 4, _>(|_| inner.clone()).prop_map(Box::new);
        prop_oneof![
            10 => (0..60_usize, pair).prop_map(|(operation, pair)| Tree::Binary(operation, pair)),
            1 => (any::<bool>(), 0..32_usize, four).prop_map(|(lazy, relation, it)| Tree::Choice(lazy, relation, it)),
            1 => (0..TYPES.len(), inner).prop_map(|(of, value)| Tree::From(of, Box::new(value))),
        ]
    })
}

fn name(dtype: DataType, index: usize) -> String {
    format!("{dtype}_{index}")
}

fn variables() -> BTreeMap<String, Var> {
    let all = TYPES.iter().flat_map(|dtype| (0..VARIABLES).map(|index| (*dtype, name(*dtype, index))));
    all.map(|(dtype, name)| (name.clone(), Var::new(dtype, name.as_str(), PrimType::new(dtype)))).collect()
}

/// The values of all variables. Dimensions have values of at least zero.
fn assign(numbers: &[Number], are_dimensions: bool) -> BTreeMap<String, i64> {
    let value = |dtype, index: usize| {
        let value = numbers[index].value(dtype);
        // No dimension is negative or larger than memory.
        if are_dimensions { value.max(-1 - value).min(1 << 47) } else { value }
    };
    let all = TYPES.iter().flat_map(|dtype| (0..VARIABLES).map(|index| (*dtype, index)));
    all.map(|(dtype, index)| (name(dtype, index), value(dtype, index))).collect()
}

/// The number of operations, constants and variables: each one is a word of the text.
fn length(expr: &PrimExpr) -> usize {
    print(expr).split(|c: char| "(), ".contains(c)).filter(|word| !word.is_empty()).count()
}

fn check(expr: &PrimExpr, analyzer: &Analyzer, assignments: &[BTreeMap<String, i64>]) -> Result<u64, TestCaseError> {
    let simplified = analyzer.simplify(expr);
    let context = || format!("{} => {}", print(expr), print(&simplified));
    prop_assert_eq!(simplified.dtype, expr.dtype);
    prop_assert!(length(&simplified) <= length(expr), "longer: {}", context());
    let again = analyzer.clone().simplify(&simplified);
    prop_assert!(structural_equal(&simplified, &again), "not stable: {} => {}", context(), print(&again));
    let (bound, set) = (analyzer.const_int_bound(expr), analyzer.modular_set(expr));
    let mut points = 0;
    for assignment in assignments {
        let Some(value) = evaluate(expr, assignment) else { continue };
        points += 1;
        prop_assert_eq!(evaluate_wrapping(&simplified, assignment), Some(value), "{} for {:?}", context(), assignment);
        prop_assert!(contains(&bound, value), "{:?}: {}, {}", bound, value, context());
        prop_assert!(has_member(&set, value), "{:?}: {}, {}", set, value, context());
    }
    if expr.dtype == DataType::boolean() {
        check_verdict(analyzer, expr, assignments);
    }
    Ok(points)
}

/// A simplified expression has the same value at each point where the expression has one, is not longer, and stays as it
/// is. Bounds, progressions and verdicts agree with the values.
#[test]
fn answers_hold_at_the_ends_of_types() {
    let (expressions, points) = (Cell::new(0_u64), Cell::new(0_u64));
    let numbers = prop::collection::vec(prop::collection::vec(number(), VARIABLES), 40);
    let strategy = (tree(), 0..TYPES.len(), numbers, any::<bool>());
    let vars = variables();
    let test = |(tree, dtype, numbers, are_dimensions): (Tree, usize, Vec<Vec<Number>>, bool)| {
        let expr = tree.build(TYPES[dtype], &vars);
        let analyzer = if are_dimensions { Analyzer::for_shapes() } else { Analyzer::new() };
        let assignments: Vec<_> = numbers.iter().map(|numbers| assign(numbers, are_dimensions)).collect();
        expressions.set(expressions.get() + 1);
        points.set(points.get() + check(&expr, &analyzer, &assignments)?);
        // Equal forms, and forms that differ by one.
        let simplified = analyzer.simplify(&expr);
        check_verdict(&analyzer, &compare(2, expr.clone(), simplified.clone()), &assignments);
        if expr.dtype != DataType::boolean() {
            let next = binary(0, expr.dtype, simplified, IntImm::new(expr.dtype, 1).into());
            (0..3).for_each(|relation| {
                check_verdict(&analyzer, &compare(relation, expr.clone(), next.clone()), &assignments);
            });
        }
        Ok(())
    };
    let result = TestRunner::new(config(80)).run(&strategy, test);
    println!("{} expressions at {} points", expressions.get(), points.get());
    result.unwrap_or_else(|error| panic!("{error}"));
}

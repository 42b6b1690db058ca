//! Laws on random expressions: an answer agrees with the values of the expressions for all assignments, and a simplified
//! expression has the same value.

use std::collections::BTreeMap;

use object_core::prelude::*;
use object_ir::arith::const_int_bound;
use object_ir::arith::{ConstIntBound, ModularSet};
use object_ir::ir::PrimExpr;
use object_ir::tir::Var;
use object_relax::arith::{Analyzer, Proof};
use object_tests::scalar_text::{Scope, print};
use proptest::prelude::*;

use crate::evaluate::{evaluate, evaluate_wrapping};

/// The variables of random expressions with their types: dimensions, a loop index and a byte.
const NAMES: [&str; 6] = ["n", "m", "k", "i", "u", "v"];

fn scope() -> Scope {
    let mut scope = Scope::default();
    scope.declare("i", DataType::int(32));
    scope.declare("u", DataType::uint(8));
    scope.declare("v", DataType::uint(8));
    scope
}

fn integer() -> impl Strategy<Value = String> {
    let constant = prop_oneof![4 => 0..6_i64, 1 => prop::sample::select(vec![8, 12, -1, -3, 1 << 62, i64::MAX])];
    let var = prop::sample::select(vec!["n", "m", "k", "n", "m", "int64(i)", "int64(u)", "int64(u + v)"]);
    let leaf = prop_oneof![2 => var.prop_map(str::to_owned), 1 => constant.prop_map(|value| value.to_string())];
    leaf.prop_recursive(5, 24, 3, |inner| {
        let infix = prop::sample::select(vec!["+", "+", "-", "*", "//", "%"]);
        let divisor = prop_oneof![(2..7_i64).prop_map(|it| it.to_string()), inner.clone()];
        let prefix = prop::sample::select(vec!["min", "max", "truncdiv", "truncmod"]);
        prop_oneof![
            4 => (inner.clone(), infix, inner.clone()).prop_map(|(a, op, b)| format!("({a}) {op} ({b})")),
            1 => (inner.clone(), prop::sample::select(vec!["//", "%"]), divisor)
                .prop_map(|(a, op, b)| format!("({a}) {op} ({b})")),
            2 => (prefix, inner.clone(), inner.clone()).prop_map(|(op, a, b)| format!("{op}({a}, {b})")),
            1 => (condition(inner.clone()), inner.clone(), inner.clone(), prop::bool::ANY).prop_map(
                |(condition, a, b, lazy)| {
                    format!("{}({condition}, {a}, {b})", if lazy { "if_then_else" } else { "select" })
                }
            ),
            1 => inner.clone().prop_map(|a| format!("int64(int32({a}))")),
            1 => (inner, 0..4_u8).prop_map(|(a, bits)| format!("(({a}) >> {bits})")),
        ]
    })
}

fn condition(integer: impl Strategy<Value = String> + Clone + 'static) -> impl Strategy<Value = String> + Clone {
    let relation = prop::sample::select(vec!["<", "<=", "==", "!=", ">"]);
    let leaf = (integer.clone(), relation, integer).prop_map(|(a, op, b)| format!("(({a}) {op} ({b}))")).boxed();
    let joined = (leaf.clone(), prop::sample::select(vec!["and", "or"]), leaf.clone())
        .prop_map(|(a, op, b)| format!("({a} {op} not {b})"));
    prop_oneof![3 => leaf, 1 => joined].boxed()
}

/// Small values, and now and then large ones.
fn assignments() -> impl Strategy<Value = Vec<Vec<i64>>> {
    let value = prop_oneof![8 => 0..7_i64, 1 => 0..200_i64, 1 => prop::sample::select(vec![1 << 31, i64::MAX - 1])];
    prop::collection::vec(prop::collection::vec(value, NAMES.len()), 40)
}

/// The values of the names, in the ranges of their types. `negative` makes dimensions negative now and then.
fn assign(values: &[i64], negative: bool) -> BTreeMap<String, i64> {
    let value = |(index, &value): (usize, &i64)| match NAMES[index] {
        "i" => value.min(i64::from(i32::MAX)),
        "u" | "v" => value % 256 * 41 % 256,
        _ if negative && (value % 3 + values[0] % 3) % 3 == 1 => -value,
        _ if negative => value,
        // No dimension is larger than memory.
        _ => value.min(1 << 47),
    };
    NAMES.iter().map(|name| (*name).to_owned()).zip(values.iter().enumerate().map(value)).collect()
}

/// The text of an expression with the variable `w` in place of `n`.
fn with_w_for_n(text: &str) -> String {
    let is_word = |c: Option<&char>| c.is_some_and(|c| c.is_alphanumeric() || *c == '_');
    let chars: Vec<char> = text.chars().collect();
    let renamed = chars.iter().enumerate().map(|(at, &c)| {
        let is_name =
            c == 'n' && !is_word(chars.get(at + 1)) && !is_word(at.checked_sub(1).and_then(|at| chars.get(at)));
        if is_name { 'w' } else { c }
    });
    renamed.collect()
}

pub(crate) fn config(cases: u32) -> ProptestConfig {
    let cases = object_tests::setting("ARITH_CASES", cases);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Whether a value is between the bounds, of which the extreme ones are open.
pub(crate) fn contains(bound: &ConstIntBound, value: i128) -> bool {
    let above = bound.min_value == const_int_bound::NEG_INF || i128::from(bound.min_value) <= value;
    above && (bound.max_value == const_int_bound::POS_INF || value <= bound.max_value.into())
}

/// Whether a value is in the progression.
pub(crate) fn has_member(set: &ModularSet, value: i128) -> bool {
    let distance = value - i128::from(set.base);
    if set.coeff == 0 { distance == 0 } else { distance % i128::from(set.coeff) == 0 }
}

/// The answer covers each assignment for which both sides have a value.
pub(crate) fn check_verdict(analyzer: &Analyzer, condition: &PrimExpr, assignments: &[BTreeMap<String, i64>]) {
    let proof = analyzer.prove(condition);
    for assignment in assignments {
        let value = evaluate(condition, assignment);
        let wrong = matches!((proof, value), (Proof::True, Some(0)) | (Proof::False, Some(1)));
        assert!(!wrong, "{proof:?} for {}, which is {value:?} for {assignment:?}", print(condition));
    }
}

proptest! {
    #![proptest_config(config(80))]

    #[test]
    fn a_simplified_expression_has_the_same_value(text in integer(), values in assignments(), negative: bool) {
        let expr = scope().parse(&text);
        let analyzer = if negative { Analyzer::new() } else { Analyzer::for_shapes() };
        let simplified = analyzer.simplify(&expr);
        let bound = analyzer.const_int_bound(&expr);
        let set = analyzer.modular_set(&expr);
        for assignment in values.iter().map(|values| assign(values, negative)) {
            let Some(value) = evaluate(&expr, &assignment) else { continue };
            let other = evaluate_wrapping(&simplified, &assignment);
            prop_assert_eq!(other, Some(value), "{} => {} for {:?}", print(&expr), print(&simplified), assignment);
            prop_assert!(contains(&bound, value), "{bound:?}, {value}");
            prop_assert!(has_member(&set, value), "{set:?}, {value}, {}", print(&expr));
        }
        prop_assert_eq!(simplified.dtype, expr.dtype);
    }

    #[test]
    fn simplified_expressions_stay_as_they_are(text in integer()) {
        let simplified = Analyzer::for_shapes().simplify(&scope().parse(&text));
        let again = Analyzer::for_shapes().simplify(&simplified);
        prop_assert!(structural_equal(&simplified, &again), "{} => {}", print(&simplified), print(&again));
    }

    #[test]
    fn verdicts_agree_with_values(text in condition(integer().boxed()), values in assignments(), negative: bool) {
        let analyzer = if negative { Analyzer::new() } else { Analyzer::for_shapes() };
        let assignments: Vec<_> = values.iter().map(|values| assign(values, negative)).collect();
        check_verdict(&analyzer, &scope().parse(&text), &assignments);
    }

    /// A random relation is seldom true or false for all assignments, unlike one between two forms of an expression.
    #[test]
    fn verdicts_about_similar_expressions_agree_with_values(
        text in integer(), offset in -2..3_i64, values in assignments(), relation in prop::sample::select(vec!["==", "<", "<="]),
    ) {
        let mut scope = scope();
        let simplified = print(&Analyzer::for_shapes().simplify(&scope.parse(&text)));
        let assignments: Vec<_> = values.iter().map(|values| assign(values, false)).collect();
        let condition = scope.parse(&format!("({text}) {relation} ({simplified}) + {offset}"));
        check_verdict(&Analyzer::for_shapes(), &condition, &assignments);
    }

    #[test]
    fn verdicts_under_facts_agree_with_values(
        facts in prop::collection::vec(condition(integer().boxed()), 1..3),
        text in condition(integer().boxed()),
        values in assignments(),
    ) {
        let mut scope = scope();
        let mut analyzer = Analyzer::for_shapes();
        let facts: Vec<_> = facts.iter().map(|fact| scope.parse(fact)).collect();
        facts.iter().for_each(|fact| analyzer.assume(fact.clone()));
        let assignments = values.iter().map(|values| assign(values, false));
        let satisfying: Vec<_> =
            assignments.filter(|values| facts.iter().all(|fact| evaluate(fact, values) == Some(1))).collect();
        check_verdict(&analyzer, &scope.parse(&text), &satisfying);
    }

    #[test]
    fn bound_variables_are_their_values(text in integer(), value in integer(), values in assignments()) {
        let mut scope = scope();
        // The value has no `w`, so the variable is not part of its own value.
        let (expr, value) = (scope.parse(&with_w_for_n(&text)), scope.parse(&value));
        let w = scope.var("w");
        let mut analyzer = Analyzer::for_shapes();
        analyzer.bind(w.downcast_ref::<Var>().expect("a variable"), value.clone());
        let simplified = analyzer.simplify(&expr);
        for mut assignment in values.iter().map(|values| assign(values, false)) {
            let Some(value) = evaluate(&value, &assignment) else { continue };
            // A simplified form keeps the variable where the form with its value has too large numbers.
            assignment.insert("w".to_owned(), value.try_into().expect("an `int64`"));
            let (Some(value), Some(other)) = (evaluate(&expr, &assignment), evaluate(&simplified, &assignment)) else {
                continue;
            };
            prop_assert_eq!(value, other, "{} => {}", print(&expr), print(&simplified));
        }
    }
}

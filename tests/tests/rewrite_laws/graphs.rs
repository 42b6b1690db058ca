//! Random graphs: lists of steps, each of which builds an object from earlier ones, so that objects are shared.

use object_core::prelude::*;
use proptest::prelude::*;

use crate::demo::{Bind, Expr, Lambda, Let, Seq, Table, Var, add, imm, var};

/// The number of variables. It is small, so that graphs use a variable several times.
pub(crate) const VARS: usize = 4;

/// Builds an object; the numbers are earlier objects, counted from the end, and variables.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Imm(i8),
    Var(usize),
    Add(usize, usize),
    Lambda(usize, usize),
    /// Parameters, one of them with a type.
    Lambda2(usize, usize, usize),
    Let(usize, usize, usize),
    Bind(usize, usize),
    Seq(Vec<usize>),
    Table(usize, usize, usize),
}

/// Steps of a language with binders that close their scopes.
pub(crate) fn terms() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        any::<i8>().prop_map(Step::Imm),
        (0..VARS).prop_map(Step::Var),
        (0..VARS).prop_map(Step::Var),
        (0..6usize, 0..6usize).prop_map(|(a, b)| Step::Add(a, b)),
        (0..6usize, 0..6usize).prop_map(|(a, b)| Step::Add(a, b)),
        (0..VARS, 0..4usize).prop_map(|(var, body)| Step::Lambda(var, body)),
        (0..6usize, 0..VARS, 0..6usize).prop_map(|(value, var, body)| Step::Let(value, var, body)),
    ];
    proptest::collection::vec(step, 1..14)
}

/// Steps of all kinds.
pub(crate) fn graphs() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        3 => any::<i8>().prop_map(Step::Imm),
        3 => (0..VARS).prop_map(Step::Var),
        4 => (0..9usize, 0..9usize).prop_map(|(a, b)| Step::Add(a, b)),
        2 => (0..VARS, 0..9usize).prop_map(|(var, body)| Step::Lambda(var, body)),
        1 => (0..VARS, 0..VARS, 0..9usize).prop_map(|(a, b, body)| Step::Lambda2(a, b, body)),
        1 => (0..9usize, 0..VARS, 0..9usize).prop_map(|(value, var, body)| Step::Let(value, var, body)),
        1 => (0..9usize, 0..VARS).prop_map(|(value, var)| Step::Bind(value, var)),
        2 => proptest::collection::vec(0..9usize, 0..4).prop_map(Step::Seq),
        1 => (0..VARS, 0..9usize, 0..9usize).prop_map(|(key, a, b)| Step::Table(key, a, b)),
    ];
    proptest::collection::vec(step, 1..30)
}

/// The variables of a graph: the last one has the first in its type.
pub(crate) fn vars() -> Vec<Var> {
    let mut vars: Vec<Var> = ["x", "y", "z"].map(var).to_vec();
    vars.push(Var::new("t", Some(vars[0].clone().into())));
    vars
}

/// The object of the last step.
pub(crate) fn build(steps: &[Step], vars: &[Var]) -> Expr {
    let mut made: Vec<Expr> = vec![imm(0)];
    for step in steps {
        let at = |back: usize| made[made.len() - 1 - back % made.len()].clone();
        let next = match step {
            Step::Imm(value) => imm(i64::from(*value)),
            Step::Var(index) => vars[*index].clone().into(),
            Step::Add(a, b) => add(at(*a), at(*b)),
            Step::Lambda(param, body) => Lambda::new([vars[*param].clone()], at(*body)).into(),
            Step::Lambda2(a, b, body) => Lambda::new([vars[*a].clone(), vars[*b].clone()], at(*body)).into(),
            Step::Let(value, var, body) => Let::new(at(*value), vars[*var].clone(), at(*body)).into(),
            Step::Bind(value, var) => Bind::new(at(*value), vars[*var].clone()).into(),
            Step::Seq(items) => Seq::new(items.iter().map(|item| at(*item)).collect::<Vec<_>>()).into(),
            Step::Table(key, a, b) => {
                Table::new([(Any::from(vars[*key].clone()), Any::from(at(*a))), (Any::from("k"), Any::from(at(*b)))])
                    .into()
            }
        };
        made.push(next);
    }
    made.swap_remove(made.len() - 1)
}

//! Known edits of the programs of a small language. An edit changes the lines of a program, from which both values are built.

use std::collections::BTreeMap;

use fastrand::Rng;
use object_core::edit::edits;
use object_core::prelude::*;

use crate::lengths::{Edited, Lengths};

/// An expression.
#[derive(Object)]
#[object(type_key = "edits.Expr", base)]
#[structural_eq(tree)]
pub struct ExprNode {}

/// A variable.
#[derive(Object)]
#[object(type_key = "edits.Var", parent = ExprNode)]
#[structural_eq(var)]
pub struct VarNode {
    /// The base part.
    pub base: ExprNode,
    /// The name.
    #[field(ignore)]
    pub name: Str,
    /// The number of bits of its values.
    #[field(default = 0)]
    pub bits: i64,
}

/// A call of an operation.
#[derive(Object)]
#[object(type_key = "edits.Call", parent = ExprNode)]
#[structural_eq(tree)]
pub struct CallNode {
    /// The base part.
    pub base: ExprNode,
    /// The operation.
    pub op: Str,
    /// The arguments.
    pub args: Array<Expr>,
}

/// A statement that binds a variable.
#[derive(Object)]
#[object(type_key = "edits.Let")]
#[structural_eq(tree)]
pub struct LetNode {
    /// The value.
    #[field(outer)]
    pub value: Expr,
    /// The variable.
    #[field(def)]
    pub var: Var,
}

/// The value of a line: a call of an operation with variables, by their numbers, or with other calls.
#[derive(Clone, PartialEq)]
enum Value {
    Var(usize),
    Call(&'static str, Vec<Value>),
}

/// The functions of a program: the name of each, and its lines. Each line is the number of a variable, and its value.
type Program = Vec<(String, Vec<(usize, Value)>)>;

const OPS: [&str; 6] = ["add", "mul", "exp", "dot", "neg", "max"];

/// A program whose variables have a use each, if there are later lines.
fn program(rng: &mut Rng) -> Program {
    let function = |number: usize, rng: &mut Rng| {
        let lines = 10 + rng.usize(0..40);
        let line = |at: usize, rng: &mut Rng| {
            let earlier = |rng: &mut Rng| Value::Var(rng.usize(at.saturating_sub(6)..at));
            let args = if at == 0 { Vec::new() } else { (0..1 + rng.usize(0..2)).map(|_| earlier(rng)).collect() };
            (at, Value::Call(OPS[rng.usize(0..OPS.len())], args))
        };
        (format!("f{number}"), (0..lines).map(|at| line(at, rng)).collect())
    };
    (0..4).map(|number| function(number, rng)).collect()
}

fn build(program: &Program) -> Any {
    let functions = program.iter().map(|(name, lines)| {
        let mut vars: BTreeMap<usize, Var> = BTreeMap::new();
        let lets = lines.iter().map(|(number, value)| {
            let value = expr(value, &vars);
            let var = Var::new(format!("v{number}"));
            vars.insert(*number, var.clone());
            Let::new(value, var)
        });
        (Str::from(&**name), lets.collect::<Vec<_>>().into_iter().collect::<Array<Let>>())
    });
    functions.collect::<Map<Str, Array<Let>>>().into()
}

fn expr(value: &Value, vars: &BTreeMap<usize, Var>) -> Expr {
    match value {
        Value::Var(number) => vars[number].clone().into(),
        Value::Call(op, args) => Call::new(*op, args.iter().map(|arg| expr(arg, vars)).collect::<Vec<_>>()).into(),
    }
}

/// Whether a value uses a variable.
fn uses(value: &Value, number: usize) -> bool {
    match value {
        Value::Var(other) => *other == number,
        Value::Call(_, args) => args.iter().any(|arg| uses(arg, number)),
    }
}

/// A value with another one for a variable.
fn replaced(value: &Value, number: usize, by: &Value) -> Value {
    match value {
        Value::Var(other) if *other == number => by.clone(),
        Value::Var(other) => Value::Var(*other),
        Value::Call(op, args) => Value::Call(op, args.iter().map(|arg| replaced(arg, number, by)).collect()),
    }
}

/// The greatest number of a variable and one more.
fn next(lines: &[(usize, Value)]) -> usize {
    lines.iter().map(|(number, _)| number + 1).max().unwrap_or_default()
}

/// An edit of the lines of a function: the number of edits, or nothing if it finds no place.
type LineEdit = fn(&mut Vec<(usize, Value)>, &mut Rng) -> Option<usize>;

/// The kinds of edits of lines, and whether the edit leads from the other program to this one.
const KINDS: [(&str, LineEdit, bool); 7] = [
    ("delete", insert, true),
    ("insert", insert, false),
    ("move", moved, false),
    (
        "change a field",
        |lines, rng| {
            let at = rng.usize(0..lines.len());
            let Value::Call(op, _) = &mut lines[at].1 else { return None };
            *op = OPS[rng.usize(0..OPS.len())];
            Some(1)
        },
        false,
    ),
    ("wrap", |lines, rng| wrap(lines, rng), false),
    ("unwrap", |lines, rng| wrap(lines, rng), true),
    ("inline", inline, false),
];

fn insert(lines: &mut Vec<(usize, Value)>, rng: &mut Rng) -> Option<usize> {
    let at = rng.usize(1..lines.len());
    let args = [0, 1].map(|_| Value::Var(lines[rng.usize(0..at)].0));
    lines.insert(at, (next(lines), Value::Call(OPS[rng.usize(0..OPS.len())], args.to_vec())));
    Some(1)
}

/// A line goes to another place between the lines that it uses and the lines that use it.
fn moved(lines: &mut Vec<(usize, Value)>, rng: &mut Rng) -> Option<usize> {
    let from = rng.usize(0..lines.len());
    let line = lines.remove(from);
    let to = rng.usize(0..=lines.len());
    lines.insert(to, line);
    let is_bound = |at: usize| {
        let (number, _) = lines[at];
        lines[..=at].iter().all(|(_, value)| !uses(value, number))
    };
    (0..lines.len()).all(is_bound).then_some(1)
}

fn wrap(lines: &mut [(usize, Value)], rng: &mut Rng) -> Option<usize> {
    let at = rng.usize(0..lines.len());
    let value = lines[at].1.clone();
    lines[at].1 = Value::Call("wrap", vec![value]);
    Some(1)
}

fn inline(lines: &mut Vec<(usize, Value)>, rng: &mut Rng) -> Option<usize> {
    let (number, by) = lines.remove(rng.usize(0..lines.len()));
    let used = lines.iter_mut().filter(|(_, value)| uses(value, number));
    let count = used.map(|line| line.1 = replaced(&line.1, number, &by)).count();
    (count > 0).then_some(count + 1)
}

#[test]
fn scripts_are_as_short_as_the_edits() {
    Lengths::measure(KINDS.len() + 1, |kind, rng| {
        let before = program(rng);
        let mut after = before.clone();
        let at = rng.usize(0..after.len());
        let Some((name, edit, is_inverse)) = KINDS.get(kind) else {
            after[at].0 += "_renamed";
            return Some(Edited { name: "rename", before: build(&before), after: build(&after), truth: 1 });
        };
        let truth = edit(&mut after[at].1, rng)?;
        let [before, after] = if *is_inverse { [&after, &before] } else { [&before, &after] }.map(build);
        Some(Edited { name, before, after, truth })
    });
}

/// Free variables of two values differ, so the units that use them differ, and no others.
#[test]
fn uses_of_free_variables_are_edits() {
    let program = |second: &'static str| {
        let free = Var::new("free");
        let function = |op: &'static str| {
            let (v, w) = (Var::new("v"), Var::new("w"));
            let first = Let::new(Call::new(op, [free.clone().into(), v.clone().into()] as [Expr; 2]), w.clone());
            let start = Let::new(Call::new("neg", [] as [Expr; 0]), v);
            let last = Let::new(Call::new(second, [w.into()] as [Expr; 1]), Var::new("x"));
            Array::from([start, first, last])
        };
        Any::from(Map::<Str, Array<Let>>::from([(Str::from("f"), function("add")), (Str::from("g"), function("mul"))]))
    };
    for (second, truth) in [("exp", 2), ("dot", 4)] {
        let (a, b) = (program("exp"), program(second));
        let script = edits(&a, &b).expect("there is a script");
        assert_eq!(script.edits().len(), truth);
        assert!(structural_equal(&script.apply(&a).expect("it applies"), &b));
        assert!(structural_equal(&script.inverted().apply(&b).expect("its inverse applies"), &a));
    }
}

/// A variable of another type is a change of its definition. A use beside another change is equal, and says nothing about it.
#[test]
fn a_variable_of_another_type_is_one_edit() {
    let program = |bits: i64, is_twice: bool| {
        let (mut v, w) = (Var::new("v"), Var::new("w"));
        v.make_mut().bits = bits;
        let define = |var: &Var, op: &'static str| Let::new(Call::new(op, [] as [Expr; 0]), var.clone());
        let second = if is_twice { v.clone() } else { w.clone() };
        let both = Let::new(Call::new("add", [v.clone().into(), second.into()] as [Expr; 2]), Var::new("x"));
        Any::from(Array::from([define(&v, "neg"), define(&w, "exp"), both]))
    };
    for (is_twice, truth) in [(false, 1), (true, 2)] {
        let (a, b) = (program(8, false), program(16, is_twice));
        let script = edits(&a, &b).expect("there is a script");
        assert_eq!(script.edits().len(), truth);
        assert!(structural_equal(&script.apply(&a).expect("it applies"), &b));
        assert!(structural_equal(&script.inverted().apply(&b).expect("its inverse applies"), &a));
    }
}

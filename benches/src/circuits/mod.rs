//! Circuits: a small language of gates and wires, and the same circuits as a plain enum with functions written by hand.
//!
//! A [`Gate`] is a `tree` and a [`Wire`] a `dag` node: whether two wires are one counts in equality.

#![expect(missing_docs, reason = "the names of the fields and methods explain themselves")]

pub mod by_hand;

use std::sync::Arc;

use fastrand::Rng;
use object_core::prelude::*;

use crate::{Step, Workload, random_tree, run};

/// Anything that has a value.
#[derive(Object)]
#[object(type_key = "bench.Signal", base)]
pub struct SignalNode {}

/// An input of the circuit.
#[derive(Object)]
#[object(type_key = "bench.Input", parent = SignalNode)]
#[structural_eq(var)]
pub struct InputNode {
    pub base: SignalNode,
    #[field(ignore)]
    pub name: Str,
}

/// A number.
#[derive(Object)]
#[object(type_key = "bench.Number", parent = SignalNode)]
#[structural_eq(tree)]
pub struct NumberNode {
    pub base: SignalNode,
    pub value: i64,
}

/// The operation of a gate or of a wire.
#[derive(Object, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Add = 0,
    And = 1,
    Xor = 2,
}

/// An operation on two signals.
#[derive(Object)]
#[object(type_key = "bench.Gate", parent = SignalNode)]
#[structural_eq(tree)]
pub struct GateNode {
    pub base: SignalNode,
    pub op: Op,
    pub a: Signal,
    pub b: Signal,
}

/// An operation on two signals with one driver and many readers.
#[derive(Object)]
#[object(type_key = "bench.Wire", parent = SignalNode)]
#[structural_eq(dag)]
pub struct WireNode {
    pub base: SignalNode,
    pub op: Op,
    pub a: Signal,
    pub b: Signal,
}

/// A name for the value of a signal in another one.
#[derive(Object)]
#[object(type_key = "bench.Let", parent = SignalNode)]
#[structural_eq(tree, scope)]
pub struct LetNode {
    pub base: SignalNode,
    #[field(outer)]
    pub value: Signal,
    #[field(def_simple)]
    pub var: Input,
    pub body: Signal,
}

/// A circuit as a plain enum.
#[derive(Debug)]
pub enum Plain {
    Input,
    Number(i64),
    Gate(Op, Arc<Plain>, Arc<Plain>),
}

/// How a circuit is built: the functions for its leaves and for its operations.
pub trait Builder {
    type Signal: Clone;

    fn input(&self) -> Self::Signal;
    fn number(&self, value: i64) -> Self::Signal;
    fn operation(&self, op: Op, a: Self::Signal, b: Self::Signal) -> Self::Signal;
}

/// Builds objects.
pub struct Objects {
    input: Signal,
    /// Whether operations are wires.
    wires: bool,
}

impl Objects {
    /// Builds operations as gates.
    #[must_use]
    pub fn gates() -> Self {
        Objects { input: Input::new("x").into(), wires: false }
    }

    /// Builds operations as wires.
    #[must_use]
    pub fn wires() -> Self {
        Objects { wires: true, ..Objects::gates() }
    }
}

impl Builder for Objects {
    type Signal = Signal;

    fn input(&self) -> Signal {
        self.input.clone()
    }

    fn number(&self, value: i64) -> Signal {
        Number::new(value).into()
    }

    fn operation(&self, op: Op, a: Signal, b: Signal) -> Signal {
        if self.wires { Wire::new(op, a, b).into() } else { Gate::new(op, a, b).into() }
    }
}

/// Builds plain enums.
pub struct Plains(pub Arc<Plain>);

impl Builder for Plains {
    type Signal = Arc<Plain>;

    fn input(&self) -> Arc<Plain> {
        self.0.clone()
    }

    fn number(&self, value: i64) -> Arc<Plain> {
        Arc::new(Plain::Number(value))
    }

    fn operation(&self, op: Op, a: Arc<Plain>, b: Arc<Plain>) -> Arc<Plain> {
        Arc::new(Plain::Gate(op, a, b))
    }
}

impl Default for Plains {
    fn default() -> Self {
        Plains(Arc::new(Plain::Input))
    }
}

/// The shape and the size of a circuit.
#[derive(Clone, Copy, Debug)]
pub enum Circuit {
    /// A random tree of this many nodes, an odd number: half of them operations, the others inputs and numbers.
    Tree(usize),
    /// A chain of this many operations, each on the one before and a number.
    Chain(usize),
    /// This many operations, each on two random signals among the latest fifty, and so reached along many paths. Some are
    /// not below the last one, which is the root.
    Shared(usize),
}

impl Circuit {
    /// Builds the circuit.
    pub fn build<B: Builder>(self, builder: &B) -> B::Signal {
        match self {
            Circuit::Tree(nodes) => tree(builder, nodes),
            Circuit::Chain(operations) => (0..operations).fold(builder.input(), |before, index| {
                builder.operation(Op::Xor, before, builder.number(index as i64))
            }),
            Circuit::Shared(operations) => shared(builder, operations),
        }
    }
}

fn tree<B: Builder>(builder: &B, nodes: usize) -> B::Signal {
    run(&random_tree(nodes, 1), |step, below| match (step, below) {
        (Step::Int(value), _) => builder.number(value),
        (Step::Add, Some((a, b))) => builder.operation(Op::Add, a, b),
        (Step::Mul, Some((a, b))) => builder.operation(Op::Xor, a, b),
        _ => builder.input(),
    })
}

fn shared<B: Builder>(builder: &B, operations: usize) -> B::Signal {
    const LATEST: usize = 50;
    let mut rng = Rng::with_seed(3);
    let mut all = vec![builder.input(), builder.number(1)];
    for _ in 0..operations {
        let latest = all.len().saturating_sub(LATEST)..all.len();
        let [a, b] = [0, 1].map(|_| all[rng.usize(latest.clone())].clone());
        let op = [Op::Add, Op::And, Op::Xor][rng.usize(..3)];
        all.push(builder.operation(op, a, b));
    }
    all.swap_remove(operations + 1)
}

/// Nested lets of gates on two of the latest eight variables, of which many are not used.
#[must_use]
pub fn lets(count: usize) -> Signal {
    let mut rng = Rng::with_seed(4);
    let vars: Vec<Input> = (0..=count).map(|index| Input::new(format!("v{index}"))).collect();
    let mut earlier = |index: usize| &vars[rng.usize(index.saturating_sub(8)..index)];
    let values: Vec<Gate> = (1..=count).map(|index| Gate::new(Op::Add, earlier(index), earlier(index))).collect();
    let nested = values.into_iter().zip(&vars[1..]).rev();
    nested.fold(vars[count].clone().into(), |body, (value, var)| Let::new(value, var, body).into())
}

/// A workload of shared wires.
#[must_use]
pub fn wires(operations: usize) -> Workload {
    Workload::new(format!("wires-{operations}"), move |_| Circuit::Shared(operations).build(&Objects::wires()).into())
}

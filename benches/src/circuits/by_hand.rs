//! Functions on circuits as somebody writes them by hand, without the framework or with its simplest parts. Those on plain
//! enums recurse, as deep as the circuit.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use object_core::prelude::*;
use object_core::rewrite::Mutate;
use object_core::visit::walk;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::circuits::{Gate, Input, Let, Number, Op, Plain, Signal};

/// The identity of a signal.
#[must_use]
pub fn address(signal: &Signal) -> usize {
    signal.as_object().view().address()
}

/// The circuit with numbers in place of sums of numbers.
#[must_use]
pub fn fold_plain(signal: &Arc<Plain>) -> Arc<Plain> {
    let Plain::Gate(op, a, b) = &**signal else { return signal.clone() };
    let (new_a, new_b) = (fold_plain(a), fold_plain(b));
    match (op, &*new_a, &*new_b) {
        (Op::Add, Plain::Number(a), Plain::Number(b)) => Arc::new(Plain::Number(a.wrapping_add(*b))),
        _ if Arc::ptr_eq(a, &new_a) && Arc::ptr_eq(b, &new_b) => signal.clone(),
        _ => Arc::new(Plain::Gate(*op, new_a, new_b)),
    }
}

/// The sum of all numbers of a tree.
#[must_use]
pub fn sum_plain(signal: &Plain) -> i64 {
    match signal {
        Plain::Gate(_, a, b) => sum_plain(a).wrapping_add(sum_plain(b)),
        Plain::Number(value) => *value,
        Plain::Input => 0,
    }
}

/// The hash of a circuit, which computes the hash of each signal once.
#[must_use]
pub fn hash_plain(root: &Arc<Plain>) -> u64 {
    fn hash(signal: &Arc<Plain>, known: &mut FxHashMap<usize, u64>) -> u64 {
        let address = Arc::as_ptr(signal) as usize;
        if Arc::strong_count(signal) > 1
            && let Some(hash) = known.get(&address)
        {
            return *hash;
        }
        let mut state = DefaultHasher::new();
        match &**signal {
            Plain::Input => {}
            Plain::Number(value) => value.hash(&mut state),
            Plain::Gate(op, a, b) => (op, hash(a, known), hash(b, known)).hash(&mut state),
        }
        let hash = state.finish();
        if Arc::strong_count(signal) > 1 {
            known.insert(address, hash);
        }
        hash
    }
    hash(root, &mut FxHashMap::default())
}

/// The tables of [`share`]: the gates by their parts, and the numbers.
pub type Shared = (FxHashMap<(Op, usize, usize), Gate>, FxHashMap<i64, Number>);

/// The circuit with one object for equal gates and for equal numbers.
///
/// # Errors
/// As [`Mutate::run`].
pub fn share(root: &Signal) -> Result<(Signal, Shared), Error> {
    let (mut gates, mut numbers) = Shared::default();
    let shared = Mutate::new()
        .leave(|gate: &Gate, _| {
            let found = gates.entry((gate.op, address(&gate.a), address(&gate.b))).or_insert_with(|| gate.clone());
            (!found.ptr_eq(gate)).then(|| found.clone())
        })
        .leave(|number: &Number, _| {
            let found = numbers.entry(number.value).or_insert_with(|| number.clone());
            (!found.ptr_eq(number)).then(|| found.clone())
        })
        .run(root.clone())?;
    Ok((shared, (gates, numbers)))
}

/// The gates that use each signal, with the place of the use.
#[must_use]
pub fn uses(root: &Signal) -> FxHashMap<usize, Vec<(Gate, u8)>> {
    let mut uses: FxHashMap<usize, Vec<(Gate, u8)>> = FxHashMap::default();
    walk(root, |gate: &Gate, _| {
        for (place, signal) in [(0, &gate.a), (1, &gate.b)] {
            uses.entry(address(signal)).or_default().push((gate.clone(), place));
        }
    });
    uses
}

/// Nested lets without those whose variables nothing uses.
#[must_use]
pub fn live_lets(root: &Signal) -> Signal {
    let (mut lets, mut body) = (Vec::new(), root);
    while let Some(outer) = body.downcast_ref::<Let>() {
        lets.push(outer);
        body = &outer.body;
    }
    let mut live: FxHashSet<Input> = FxHashSet::default();
    walk(body, |var: &Input, _| live.extend([var.clone()]));
    let (mut result, mut is_new) = (body.clone(), false);
    for outer in lets.into_iter().rev() {
        if !live.contains(&outer.var) {
            is_new = true;
            continue;
        }
        walk(&outer.value, |var: &Input, _| live.extend([var.clone()]));
        result = if is_new { Let::new(&outer.value, &outer.var, result).into() } else { outer.clone().into() };
    }
    result
}

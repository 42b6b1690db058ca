//! The table of all operators.

use std::sync::OnceLock;

use object_core::prelude::*;
use object_ir::ir::Op;
use rustc_hash::FxHashMap;

use super::operator::Operator;
use super::{
    binary, builtin, call, ccl, create, datatype, dist, grad, image, inspect, linear_algebra, manipulate, memory, nn,
    quantize, runtime, sampling, search, set, sorting, statistical, ternary, unary, vision, vm,
};

/// The tables of the families.
static FAMILIES: &[&[Operator]] = &[
    unary::OPERATORS,
    binary::OPERATORS,
    ternary::OPERATORS,
    statistical::OPERATORS,
    search::OPERATORS,
    sorting::OPERATORS,
    sampling::OPERATORS,
    set::OPERATORS,
    datatype::OPERATORS,
    create::OPERATORS,
    quantize::OPERATORS,
    call::OPERATORS,
    runtime::OPERATORS,
    builtin::OPERATORS,
    memory::OPERATORS,
    vm::OPERATORS,
    inspect::OPERATORS,
    grad::OPERATORS,
    ccl::OPERATORS,
    dist::OPERATORS,
    linear_algebra::OPERATORS,
    image::OPERATORS,
];

/// The tables of the families in folders.
static FOLDERS: &[&[&[Operator]]] = &[manipulate::FAMILIES, nn::FAMILIES, vision::FAMILIES];

/// All operators of Relax, family by family.
pub fn operators() -> impl Iterator<Item = &'static Operator> {
    FAMILIES.iter().chain(FOLDERS.iter().copied().flatten()).copied().flatten()
}

/// The operator with this full name, such as `relax.nn.conv2d`.
#[must_use]
pub fn operator(name: &str) -> Option<&'static Operator> {
    static BY_NAME: OnceLock<FxHashMap<&'static str, &'static Operator>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| operators().map(|operator| (operator.signature.name, operator)).collect());
    by_name.get(name).copied()
}

/// The declaration of an operator that a call names. An operator has one object, so its address finds it.
pub(crate) fn declaration(op: &Op) -> Option<&'static Operator> {
    // The table keeps the objects, so that their addresses stay theirs.
    static BY_ADDRESS: OnceLock<FxHashMap<usize, (Op, &'static Operator)>> = OnceLock::new();
    let address = |op: &Op| op.as_object().view().address();
    let by_address = BY_ADDRESS.get_or_init(|| {
        let entry = |operator: &'static Operator| {
            let op = Op::get(operator.signature.name).ok()?;
            Some((address(&op), (op, operator)))
        };
        operators().filter_map(entry).collect()
    });
    by_address.get(&address(op)).map(|(_, operator)| *operator)
}

//! The table of all operators.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::operator::Operator;
use super::{binary, statistical, unary};

/// The tables of the families.
static FAMILIES: &[&[Operator]] = &[unary::OPERATORS, binary::OPERATORS, statistical::OPERATORS];

/// All operators of Relax, family by family.
pub fn operators() -> impl Iterator<Item = &'static Operator> {
    FAMILIES.iter().copied().flatten()
}

/// The operator with this full name, such as `relax.nn.conv2d`.
#[must_use]
pub fn operator(name: &str) -> Option<&'static Operator> {
    static BY_NAME: OnceLock<FxHashMap<&'static str, &'static Operator>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| operators().map(|operator| (operator.signature.name, operator)).collect());
    by_name.get(name).copied()
}

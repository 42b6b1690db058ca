//! Operators: the primitives that calls name, and the table of all operators.

use object_core::prelude::*;

use crate::ir::expr::RelaxExprNode;
use crate::ir::ty::FuncType;
use crate::table::{number, rows};

/// The documentation of one argument of an operator.
///
/// TVM 0.25 `ir.ArgumentInfo`.
#[derive(Object)]
#[object(type_key = "ir.ArgumentInfo", files = tvm)]
#[structural_eq(tree)]
pub struct ArgumentInfoNode {
    /// The argument's name.
    pub name: Str,
    /// The type in words, such as `Tensor`.
    pub type_info: Str,
    /// The meaning.
    pub description: Str,
}

/// An operator. There is one object per name. JSON has only the name; [`op_table`] has the other fields.
///
/// TVM 0.25 `ir.Op`; spec: `Op`.
#[derive(Object)]
#[object(type_key = "ir.Op", files = tvm, parent = RelaxExprNode)]
#[structural_eq(singleton, key = name, table = crate::ir::op::op_table)]
pub struct OpNode {
    /// The [`RelaxExprNode`] part.
    pub base: RelaxExprNode,
    /// The full name, such as `relax.nn.conv2d`.
    pub name: Str,
    /// The type of the operator as a function; the operators of TVM leave it out.
    #[field(ignore, default)]
    pub op_type: Option<FuncType>,
    /// The documentation.
    #[field(ignore, default)]
    pub description: Str,
    /// The documented arguments.
    #[field(ignore, default)]
    pub arguments: Array<ArgumentInfo>,
    /// The type key of the attributes of a call; empty if calls have none or have various types.
    #[field(ignore, default)]
    pub attrs_type_key: Str,
    /// The number of arguments of a call; -1 for any number.
    #[field(ignore, default)]
    pub num_inputs: i64,
    /// The maturity, from 1 (best) to 10 (the default).
    #[field(ignore, default)]
    pub support_level: i64,
}

/// Whether calls of the operator of Relax with this name run a loop program: the first argument, with the members of the second
/// one, a tuple. TVM 0.25 also takes the last parameters of the program as a shape after the tuple.
#[must_use]
pub fn calls_loop_program(name: &str) -> bool {
    matches!(name, "relax.call_tir" | "relax.call_tir_inplace" | "relax.call_tir_with_grad")
}

/// All operators of TVM 0.25, from `data/ops.txt`: operators of Relax and intrinsics of loop bodies. [`Op::get`] finds
/// one by name.
#[must_use]
pub fn op_table() -> Vec<OpNode> {
    rows(include_str!("../../data/ops.txt"))
        .map(|[name, num_inputs, support_level, _, attrs_type_key, description, arguments]| OpNode {
            base: RelaxExprNode::new_base(),
            name: Str::from(name),
            op_type: None,
            description: Str::from(description),
            arguments: arguments.split('\t').filter(|text| !text.is_empty()).map(argument).collect(),
            attrs_type_key: Str::from(if attrs_type_key == "-" { "" } else { attrs_type_key }),
            num_inputs: number(num_inputs),
            support_level: number(support_level),
        })
        .collect()
}

/// An argument from its column: name, type and description.
fn argument(text: &str) -> ArgumentInfo {
    let mut parts = text.splitn(3, '|');
    let mut part = || parts.next().unwrap_or_default();
    ArgumentInfo::new(part(), part(), part())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_of_tvm_is_there() {
        let table = op_table();
        assert_eq!(table.len(), 780);
        assert!(table.windows(2).all(|pair| *pair[0].name < *pair[1].name), "sorted, without duplicates");
        let find = |name: &str| table.iter().find(|op| &*op.name == name).unwrap();
        let conv2d = find("relax.nn.conv2d");
        assert_eq!(conv2d.num_inputs, 2);
        assert_eq!(&*conv2d.attrs_type_key, "relax.attrs.Conv2DAttrs");
        assert_eq!(conv2d.arguments.len(), 2);
        assert_eq!(&*conv2d.arguments.get(1).unwrap().name, "weight");
        assert_eq!(&*find("relax.add").attrs_type_key, "");
        assert_eq!(find("tirx.if_then_else").num_inputs, 3);
    }
}

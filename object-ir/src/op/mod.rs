//! The operators of TVM 0.25 by name, from `data/ops.txt`.

use object_core::prelude::*;

use crate::ir::expr::RelaxExprNode;
use crate::ir::op::{ArgumentInfo, OpNode};
use crate::table::{number, rows};

/// All operators: those of Relax and the intrinsics of loop bodies. [`Op::get`](crate::ir::op::Op::get) finds one by
/// name.
#[must_use]
pub fn op_table() -> Vec<OpNode> {
    rows(include_str!("../../data/ops.txt"))
        .map(|[name, num_inputs, support_level, attrs_type_key, description, arguments]| OpNode {
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

//! Circuits: modules with ports, registers and wires, in blocks with an indentation of their own.

use std::collections::HashSet;

use object_core::access_path::AccessPath;
use object_core::prelude::*;
use object_core::verify::Findings;

/// Base of types of signals.
#[derive(Object)]
#[object(type_key = "hardware.Type", base)]
pub struct TypeNode {}

/// An unsigned number.
#[derive(Object)]
#[object(type_key = "hardware.UInt", parent = TypeNode, format = "UInt<$width>")]
#[structural_eq(tree)]
pub struct UIntNode {
    pub base: TypeNode,
    #[field(range = 1..=1024)]
    pub width: i64,
}

/// A clock.
#[derive(Object)]
#[object(type_key = "hardware.Clock", parent = TypeNode, format = "Clock")]
#[structural_eq(tree)]
pub struct ClockNode {
    pub base: TypeNode,
}

/// Signals with names.
#[derive(Object)]
#[object(type_key = "hardware.Bundle", parent = TypeNode, format = "Bundle{$($fields), *}")]
#[structural_eq(tree)]
pub struct BundleNode {
    pub base: TypeNode,
    pub fields: Map<Str, Type>,
}

/// Base of expressions.
#[derive(Object)]
#[object(type_key = "hardware.Expr", base)]
pub struct ExprNode {}

/// A signal with a name: a port, a register or a wire.
#[derive(Object)]
#[object(type_key = "hardware.Signal", parent = ExprNode, format = "$name: $ty")]
#[structural_eq(var)]
pub struct SignalNode {
    pub base: ExprNode,
    #[field(ignore)]
    pub name: Str,
    pub ty: Type,
}

/// A number.
#[derive(Object)]
#[object(type_key = "hardware.Const", parent = ExprNode, format = "$value")]
#[structural_eq(tree)]
pub struct ConstNode {
    pub base: ExprNode,
    pub value: i64,
}

/// A sum.
#[derive(Object)]
#[object(type_key = "hardware.Add", parent = ExprNode, format = "$a + $b", precedence = 5)]
#[structural_eq(tree)]
pub struct AddNode {
    pub base: ExprNode,
    pub a: Expr,
    pub b: Expr,
}

/// A gate with a shared result.
#[derive(Object)]
#[object(type_key = "hardware.Gate", parent = ExprNode, format = "${op:word}($($inputs), *)")]
#[structural_eq(dag)]
pub struct GateNode {
    pub base: ExprNode,
    #[field(one_of = ["and", "or", "xor", "not"])]
    pub op: Str,
    #[field(len = 1..)]
    pub inputs: Array<Expr>,
}

/// Base of statements.
#[derive(Object)]
#[object(type_key = "hardware.Stmt", base)]
pub struct StmtNode {
    #[field(ignore, default)]
    pub annotations: Map<Str, Any>,
}

/// The declaration of a register.
#[derive(Object)]
#[object(type_key = "hardware.Reg", parent = StmtNode, format = "reg $signal$( = $init)?$( $annotations)?;")]
#[structural_eq(tree)]
pub struct RegNode {
    pub base: StmtNode,
    #[field(outer, default)]
    pub init: Option<Expr>,
    #[field(def_simple)]
    pub signal: Signal,
}

/// A connection.
#[derive(Object)]
#[object(type_key = "hardware.Connect", parent = StmtNode, format = "$target := $source $..;")]
#[structural_eq(tree)]
pub struct ConnectNode {
    pub base: StmtNode,
    pub target: Signal,
    pub source: Expr,
}

/// Statements under a condition.
#[derive(Object)]
#[object(
    type_key = "hardware.When",
    parent = StmtNode,
    format = "when $condition {
    $($then)*
}$( else {
    $($otherwise)*
})?"
)]
#[structural_eq(tree)]
pub struct WhenNode {
    pub base: StmtNode,
    pub condition: Expr,
    pub then: Array<Stmt>,
    #[field(default)]
    pub otherwise: Array<Stmt>,
}

/// A module.
#[derive(Object)]
#[object(
    type_key = "hardware.Module",
    verify = ports_have_names,
    format = "
        module ${name:word}($($inputs), *)$( -> ($($outputs), *))? {
            $($body)*
        }
    "
)]
#[structural_eq(tree, scope)]
pub struct ModuleNode {
    pub name: Str,
    #[field(def_simple)]
    pub inputs: Array<Signal>,
    #[field(def_simple)]
    pub outputs: Array<Signal>,
    pub body: Array<Stmt>,
}

/// No two ports of a module have one name.
fn ports_have_names(node: &ModuleNode, findings: &mut Findings) {
    let mut names = HashSet::new();
    for (field, ports) in [("inputs", &node.inputs), ("outputs", &node.outputs)] {
        for (index, port) in ports.iter().enumerate().filter(|(_, port)| !names.insert(port.name.clone())) {
            let message = format!("two ports of `{}` have the name `{}`", node.name, port.name);
            findings.add("port_names", AccessPath::root().field(field).item(index), message);
        }
    }
}

/// A circuit.
#[derive(Object)]
#[object(
    type_key = "hardware.Circuit",
    format = "
        circuit {
            $($modules)*
        }
    "
)]
#[structural_eq(tree)]
pub struct CircuitNode {
    pub modules: Array<Module>,
}

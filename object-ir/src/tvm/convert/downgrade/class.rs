//! [`Class`]: the kind of objects of a type of TVM 0.27, as far as the type alone decides it.

use object_core::TypeInfo;

/// The steps of the conversion that the type of an object decides.
#[derive(Clone, Copy)]
pub(super) struct Class {
    pub(super) kind: Kind,
    /// Whether facts (`facts.rs`) are about such objects or objects below them. Scalar expressions and types are most of a graph,
    /// and no function, binding or declaration is in them.
    pub(super) has_facts: bool,
}

/// The kind of objects of a type.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// A variable: of Relax, a scalar or a buffer.
    Var,
    /// A call: of Relax, or a scalar.
    Call,
    /// A scalar expression.
    Scalar,
    /// An expression of Relax.
    Relax,
    Type,
    Other,
}

/// Types without facts, beside scalar expressions and types.
const WITHOUT_FACTS: [&str; 9] = [
    "ir.GlobalVar",
    "ir.Op",
    "ir.Range",
    "ir.SourceName",
    "ir.Span",
    "ir.StringImm",
    "relax.expr.DataflowVar",
    "relax.expr.ShapeExpr",
    "tirx.IterVar",
];

impl Class {
    pub(super) fn of_type(info: &TypeInfo) -> Class {
        let key = info.type_key();
        let is_type = key == "ir.Type" || info.ancestors().any(|ancestor| ancestor.type_key() == "ir.Type");
        let kind = match key {
            _ if is_type => Kind::Type,
            _ if info.field("ty").is_none() => Kind::Other,
            "ir.Var" => Kind::Var,
            "ir.Call" => Kind::Call,
            "ir.IntImm" | "ir.FloatImm" | "ir.TensorLoad" | "ir.TensorRegion" | "te.Reduce" => Kind::Scalar,
            key if key.starts_with("prim.") => Kind::Scalar,
            "relax.expr.MatchCast" => Kind::Other,
            _ => Kind::Relax,
        };
        let has_facts = !matches!(kind, Kind::Var | Kind::Scalar | Kind::Type) && !WITHOUT_FACTS.contains(&key);
        Class { kind, has_facts }
    }
}

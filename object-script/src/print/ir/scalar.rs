//! Scalar expressions: constants, variables, arithmetic, logic and ranges (TVM 0.25 src/tirx/script/printer/expr.cc and
//! ir.cc, src/relax/script/printer/tir.cc).

use std::sync::OnceLock;

use object_core::{AnyView, DataType, Object, ObjectHandle, ObjectView};
use object_ir::ir::{FloatImmNode, IntImmNode, PrimExpr, RangeNode};
use object_ir::tir::fold::{self, BinaryOp};
use object_ir::tir::{
    AddNode, AndNode, DivNode, EQNode, FloorDivNode, FloorModNode, GENode, GTNode, LENode, LTNode, MaxNode, MinNode,
    ModNode, MulNode, NENode, NotNode, OrNode, SubNode,
};
use rustc_hash::FxHashMap;

use crate::print::doc::operator::Operator;
use crate::print::doc::tree::{Doc, Node};
use crate::print::state::frame::Dialect;
use crate::print::state::printer::Printer;
use object_core::print::Path;

/// An integer constant.
pub(crate) fn int_imm(p: &mut Printer<'_>, imm: &IntImmNode, path: Path) -> Doc {
    let path = if p.dialect() == Dialect::Relax { path } else { p.paths.field(path, "value") };
    int(p, imm.value, imm.dtype, path)
}

/// An integer of a type. Relax shows no types of integers, but in the exact text.
pub(crate) fn int(p: &mut Printer<'_>, value: i64, dtype: DataType, path: Path) -> Doc {
    let is_bool = dtype == DataType::boolean();
    let literal = if is_bool { p.boolean(value != 0) } else { p.tree.add(Node::Int(value)) };
    p.tree.mark(literal, path);
    let is_plain = match p.dialect() {
        Dialect::Relax => !p.options.exact || dtype == DataType::int(64),
        _ => dtype == p.options.int_dtype || p.options.readable,
    };
    if is_plain {
        return literal;
    }
    let name = p.dtype_name(dtype);
    p.dialect_call(Dialect::Tir, name, &[literal], &[])
}

/// A floating-point constant.
pub(crate) fn float_imm(p: &mut Printer<'_>, imm: &FloatImmNode, path: Path) -> Doc {
    let literal = p.float_of(imm.value, imm.dtype.bits);
    let path = p.paths.field(path, "value");
    p.tree.mark(literal, path);
    if imm.dtype == p.options.float_dtype || p.options.readable {
        return literal;
    }
    let name = p.dtype_name(imm.dtype);
    p.dialect_call(Dialect::Tir, name, &[literal], &[])
}

/// A range, as its bounds.
pub(crate) fn range(p: &mut Printer<'_>, range: &RangeNode, path: Path) -> Doc {
    let dialect = p.dialect();
    let min = p.field(path, "min", &range.min);
    let end = p.field(path, "extent", &fold::add(&range.extent, &range.min));
    p.dialect_call(dialect, "Range", &[min, end], &[])
}

/// A negated condition.
pub(crate) fn not(p: &mut Printer<'_>, not: &NotNode, path: Path) -> Doc {
    let operand = p.field(path, "a", &not.a);
    if matches!(p.tree.node(operand), Node::Literal(_) | Node::Int(_)) {
        return p.dialect_call(Dialect::Tir, "Not", &[operand], &[]);
    }
    p.operation(Operator::Not, &[operand])
}

/// How operations of one type print.
struct Binary {
    /// The name of the function that stands for the operation in any case.
    name: &'static str,
    /// The operator, if there is one.
    operator: Option<(Operator, BinaryOp)>,
    operands: fn(ObjectView<'_>) -> Option<(&PrimExpr, &PrimExpr)>,
}

macro_rules! binary {
    ($($node:ident, $name:literal $(, $operator:ident, $folded:ident)?;)*) => {
        [$((
            std::ptr::from_ref($node::TYPE_INFO) as usize,
            Binary {
                name: $name,
                operator: binary!(@operator $($operator, $folded)?),
                operands: |object| object.node::<$node>().map(|node| (&node.a, &node.b)),
            },
        )),*]
    };
    (@operator) => { None };
    (@operator $operator:ident, $folded:ident) => { Some((Operator::$operator, BinaryOp::$folded)) };
}

/// The binary operations by type.
fn binary_operations() -> &'static FxHashMap<usize, Binary> {
    static TABLE: OnceLock<FxHashMap<usize, Binary>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let rows = binary! {
            AddNode, "Add", Add, Add;
            SubNode, "Sub", Sub, Sub;
            MulNode, "Mul", Mul, Mul;
            DivNode, "Div", Div, Div;
            ModNode, "truncmod";
            FloorDivNode, "FloorDiv", FloorDiv, FloorDiv;
            FloorModNode, "FloorMod", FloorMod, FloorMod;
            MinNode, "min";
            MaxNode, "max";
            EQNode, "EQ", Equal, Equal;
            NENode, "NE", NotEqual, NotEqual;
            LTNode, "LT", Less, Less;
            LENode, "LE", LessEqual, LessEqual;
            GTNode, "GT", Greater, Greater;
            GENode, "GE", GreaterEqual, GreaterEqual;
            AndNode, "And", And, And;
            OrNode, "Or", Or, Or;
        };
        rows.into_iter().collect()
    })
}

/// Prints a binary operation. A long sum is deep in its first operands, so these are printed in a loop.
pub(crate) fn binary(p: &mut Printer<'_>, object: ObjectView<'_>, path: Path) -> Doc {
    let table = binary_operations();
    let look_up = |object: ObjectView<'_>| table.get(&(std::ptr::from_ref(object.type_info()) as usize));
    if let Some(operation) = look_up(object)
        && let Some((a, b)) = (operation.operands)(object)
        && look_up(a.as_object().view()).is_none()
    {
        let docs = (p.field(path, "a", a), p.field(path, "b", b));
        return combine(p, operation, (a, docs.0), (b, docs.1));
    }
    let mut chain = Vec::new();
    let (mut object, mut path) = (object, path);
    let mut doc = loop {
        let operation = look_up(object);
        let Some((operation, (a, b))) = operation.and_then(|row| Some((row, (row.operands)(object)?))) else {
            // Only an object of a row comes here first, and only operands of a row come later.
            return p.metadata_item(AnyView::Object(object));
        };
        chain.push((operation, a, b, path));
        path = p.paths.field(path, "a");
        if look_up(a.as_object().view()).is_none() {
            break p.expr(a, path);
        }
        object = a.as_object().view();
    };
    let last = chain.len();
    for (index, (operation, a, b, path)) in chain.into_iter().rev().enumerate() {
        let second = p.field(path, "b", b);
        doc = combine(p, operation, (a, doc), (b, second));
        if index + 1 < last {
            p.tree.mark(doc, path);
        }
    }
    doc
}

fn combine(p: &mut Printer<'_>, operation: &Binary, a: (&PrimExpr, Doc), b: (&PrimExpr, Doc)) -> Doc {
    let is_int = |expr: &PrimExpr| expr.dtype.code.0 <= 1;
    let docs = [a.1, b.1];
    match operation.operator {
        // `/` is the division of floating-point numbers.
        Some((_, BinaryOp::Div)) if is_int(a.0) && is_int(b.0) => {}
        Some((operator, folded)) if fold::keeps(folded, a.0, b.0) => return p.operation(operator, &docs),
        _ => {}
    }
    p.dialect_call(Dialect::Tir, operation.name, &docs, &[])
}

//! Rules about the contents of structural information and of scalar values.

use object_core::scalar::TypeCode;
use object_core::{DataType, ObjectHandle, ObjectView};
use object_ir::ir::{
    DataflowVarNode, FloatImmNode, FuncStructInfoNode, IntImmNode, PrimExprNode, RelaxExpr, ShapeExprNode,
    ShapeStructInfoNode, TensorStructInfoNode, VarNode,
};

use crate::well_formed::context::Context;
use crate::well_formed::names::{name_of, quoted};
use crate::well_formed::place::{Field, Place};
use crate::well_formed::rule::{Phase, Rule};
use crate::well_formed::rules::variables::unresolved;
use crate::well_formed::rules::{dataflow, variables};

pub(super) const RULES: &[&Rule] = &[
    &TENSOR_NDIM,
    &SHAPE_NDIM,
    &TENSOR_SHAPE_EXPR,
    &ANNOTATION_VAR_UNBOUND,
    &FUNC_PARAMS_AND_DERIVE,
    &PRIM_VALUE_CONSTANT,
    &PRIM_DTYPE,
    &DATA_TYPE,
];

static TENSOR_NDIM: Rule = Rule {
    name: "tensor-ndim",
    phase: Phase::Ast,
    criteria: &["9", "13"],
    text: "The `ndim` of a `TensorStructInfo` is the number of dimensions of its `shape`, if it has one.",
    source: "specification, well-formedness criteria 9 and 13; revision of February 2023, invariants of \
             `TensorStructInfo`",
    failing: "fn main(x: T[2, 3]#1) { return x }",
    passing: "fn main(x: T[2, 3]) { return x }",
};

static SHAPE_NDIM: Rule = Rule {
    name: "shape-ndim",
    phase: Phase::Ast,
    criteria: &["9", "14"],
    text: "The `ndim` of a `ShapeStructInfo` is the number of its `values`, if it has values.",
    source: "specification, well-formedness criteria 9 and 14",
    failing: "fn main(s: S[2, 3]#1) { return s }",
    passing: "fn main(s: S[2, 3]) { return s }",
};

static TENSOR_SHAPE_EXPR: Rule = Rule {
    name: "tensor-shape-expr",
    phase: Phase::Ast,
    criteria: &["13"],
    text: "The `shape` of a `TensorStructInfo` is a `ShapeExpr`, or a variable with `ShapeStructInfo`.",
    source: "specification, well-formedness criterion 13; revision of February 2023, invariants of `TensorStructInfo`",
    failing: "fn main(s: T[2], x: T{s}#1) { return x }",
    passing: "fn main(s: S(1), x: T{s}#1) { return x }",
};

static ANNOTATION_VAR_UNBOUND: Rule = Rule {
    name: "annotation-var-unbound",
    phase: Phase::Ast,
    criteria: &["13"],
    text: "A variable that is the `shape` of a `TensorStructInfo` in the annotation of a parameter or a `MatchCast` is in scope. In \
           other annotations, it is a use as any other.",
    source: "specification, well-formedness criterion 13",
    failing: "fn main(x: T{s: S(1)}#1) { return x }",
    passing: "fn main(s: S(1), x: T{s}#1) { return x }",
};

static FUNC_PARAMS_AND_DERIVE: Rule = Rule {
    name: "func-params-and-derive",
    phase: Phase::Ast,
    criteria: &["15"],
    text: "A `FuncStructInfo` has `params` or `derive_func`, but not both. If it has neither, it describes an opaque \
           function by its result.",
    source: "specification, well-formedness criterion 15; erratum: having neither is legal",
    failing: "fn main(f: Fn(T[2]) -> T[2] by \"derive\") { return f }",
    passing: "fn main(f: Fn(T[2]) -> T[2]) { return f }",
};

static PRIM_VALUE_CONSTANT: Rule = Rule {
    name: "prim-value-constant",
    phase: Phase::Ast,
    criteria: &["16"],
    text: "A `PrimValue` holds an `IntImm` or a `FloatImm` of one lane.",
    source: "specification, revision of February 2023, criterion 16; TVM 0.25 also accepts expressions over shape \
             variables",
    failing: "fn main(x: T[n]) { y: P(i64) = prim(n + 1); return y }",
    passing: "fn main(x: T[n]) { y: P(i64) = prim(1); return y }",
};

static PRIM_DTYPE: Rule = Rule {
    name: "prim-dtype",
    phase: Phase::Ast,
    criteria: &["17"],
    text: "The data type of a `PrimStructInfo` is an integer, a truth value or a floating-point number.",
    source: "specification, revision of February 2023, criterion 17",
    failing: "fn main(x: P(void)) { return x }",
    passing: "fn main(x: P(i64)) { return x }",
};

static DATA_TYPE: Rule = Rule {
    name: "data-type",
    phase: Phase::Ast,
    criteria: &["18"],
    text: "The data types of annotations have one lane. Integers have 1, 8, 16, 32 or 64 bits, floating-point numbers 16, \
           32 or 64 bits. Other kinds of numbers, such as `bfloat16`, are not restricted.",
    source: "specification, revision of February 2023, criterion 18",
    failing: "fn main(x: T[2; i7]) { return x }",
    passing: "fn main(x: T[2; i8]) { return x }",
};

/// Checks a `TensorStructInfo`.
pub(in crate::well_formed) fn check_tensor<'a>(
    cx: &mut Context<'a>,
    info: &'a TensorStructInfoNode,
    object: ObjectView<'a>,
    place: Place,
) {
    check_data_type(cx, info.dtype, object, place);
    let Some(shape) = &info.shape else { return };
    let rank = match rank(shape) {
        Shape::Rank(rank) => rank,
        Shape::Unknown => return,
        Shape::Other => {
            let given = shape.as_object().view();
            let at = cx.places.field(place, Field::Shape);
            let message = || "the shape of a tensor is neither a `ShapeExpr` nor a variable that is a shape".to_owned();
            return cx.report(&TENSOR_SHAPE_EXPR, at, given, message, |draft| {
                draft.expected("a `ShapeExpr`, or a variable with `ShapeStructInfo`", name_of(given))
            });
        }
    };
    if info.ndim != rank {
        let message = || "the rank of a tensor differs from its shape".to_owned();
        let (expected, given) = (format!("`ndim` of {rank}, as its shape"), format!("{}", info.ndim));
        cx.report(&TENSOR_NDIM, place, object, message, |draft| draft.expected(expected, given));
    }
}

/// The rank of the shape of a tensor.
enum Shape {
    Rank(i64),
    /// A variable of unknown rank, or without structural information, which another rule demands.
    Unknown,
    /// The expression is not a shape.
    Other,
}

fn rank(shape: &RelaxExpr) -> Shape {
    let object = shape.as_object().view();
    if let Some(shape) = object.node::<ShapeExprNode>() {
        return Shape::Rank(shape.values.view().len() as i64);
    }
    let Some(var) = object.node::<VarNode>() else { return Shape::Other };
    let Some(info) = &var.struct_info else { return Shape::Unknown };
    match info.as_object().view().node::<ShapeStructInfoNode>() {
        // The rank of a tensor may be known although the rank of the shape is not.
        Some(info) if info.ndim < 0 => Shape::Unknown,
        Some(info) => Shape::Rank(info.ndim),
        None => Shape::Other,
    }
}

/// Checks a `ShapeStructInfo`.
pub(in crate::well_formed) fn check_shape<'a>(
    cx: &mut Context<'a>,
    info: &'a ShapeStructInfoNode,
    object: ObjectView<'a>,
    place: Place,
) {
    let Some(values) = &info.values else { return };
    let count = values.view().len();
    if info.ndim != count as i64 {
        let message = || "the rank of a shape differs from the number of its dimensions".to_owned();
        let (expected, given) = (format!("`ndim` of {count}, as its dimensions"), format!("{}", info.ndim));
        cx.report(&SHAPE_NDIM, place, object, message, |draft| draft.expected(expected, given));
    }
}

/// Checks a `FuncStructInfo`.
pub(in crate::well_formed) fn check_func<'a>(
    cx: &mut Context<'a>,
    info: &'a FuncStructInfoNode,
    object: ObjectView<'a>,
    place: Place,
) {
    if info.params.is_some() && info.derive_func.is_some() {
        let message = || "a `FuncStructInfo` has both `params` and `derive_func`".to_owned();
        cx.report(&FUNC_PARAMS_AND_DERIVE, place, object, message, |draft| {
            draft.fix("remove `derive_func`, or the parameters")
        });
    }
}

/// Checks the use of a variable as the shape of a tensor.
pub(in crate::well_formed) fn resolve<'a>(cx: &mut Context<'a>, variable: ObjectView<'a>, place: Place) {
    if variable.node::<DataflowVarNode>().is_some() {
        dataflow::check_in_annotation(cx, variable, place);
        return dataflow::resolve(cx, variable, place);
    }
    if let Some(bound) = variables::resolve(cx, variable, place)
        && bound.is_annotation
    {
        unresolved(cx, &ANNOTATION_VAR_UNBOUND, variable, place);
    }
}

/// Checks the data type of a `PrimStructInfo`.
pub(in crate::well_formed) fn check_prim<'a>(
    cx: &mut Context<'a>,
    dtype: DataType,
    object: ObjectView<'a>,
    place: Place,
) {
    let is_number = !dtype.is_void() && dtype.code != TypeCode::HANDLE;
    if is_number {
        return check_data_type(cx, dtype, object, place);
    }
    let message = || "the data type of a scalar is not a number".to_owned();
    cx.report(&PRIM_DTYPE, place, object, message, |draft| {
        let given = if dtype.is_void() { "`void`".to_owned() } else { quoted(&dtype.to_string()) };
        draft.expected("an integer, a truth value or a floating-point number", given)
    });
}

/// Checks a data type in an annotation.
fn check_data_type<'a>(cx: &mut Context<'a>, dtype: DataType, object: ObjectView<'a>, place: Place) {
    let bits: &[u8] = match dtype.code {
        TypeCode::INT | TypeCode::UINT => &[1, 8, 16, 32, 64],
        TypeCode::FLOAT => &[16, 32, 64],
        _ => &[],
    };
    let has_bits = bits.is_empty() || bits.contains(&dtype.bits);
    if dtype.is_void() || (has_bits && dtype.lanes() == 1) {
        return;
    }
    let message = || "an annotation has a data type that tensors do not have".to_owned();
    cx.report(&DATA_TYPE, place, object, message, |draft| {
        let bits: Vec<String> = bits.iter().map(u8::to_string).collect();
        let expected = if has_bits { "one lane".to_owned() } else { format!("one lane of {} bits", bits.join(", ")) };
        draft.expected(expected, quoted(&dtype.to_string()))
    });
}

/// Checks the value of a `PrimValue`.
pub(in crate::well_formed) fn check_prim_value<'a>(cx: &mut Context<'a>, value: ObjectView<'a>, place: Place) {
    let is_constant = value.node::<IntImmNode>().is_some() || value.node::<FloatImmNode>().is_some();
    let lanes = value.node::<PrimExprNode>().map_or(1, |expr| expr.dtype.lanes());
    if !is_constant || lanes != 1 {
        let message = || "a `PrimValue` is not a constant".to_owned();
        cx.report(&PRIM_VALUE_CONSTANT, place, value, message, |draft| {
            draft.expected("an `IntImm` or a `FloatImm` of one lane", name_of(value))
        });
    }
}

//! Values as expressions of Relax (TVM 0.25 `convert_to_expr` in python/tvm/relax/utils.py).

use object_core::object::MakeMut;
use object_core::value::Str;
use object_core::{DataType, ObjectHandle};
use object_ir::ir::{
    DataTypeImm, ExternFunc, FloatImm, FuncStructInfo, IntImm, PrimExpr, PrimValue, RelaxExpr, ShapeExpr, StringImm,
    StructInfo, Tuple, TupleGetItem, TupleStructInfo,
};
use object_relax::op::struct_info_of;
use object_relax::struct_info::DEFAULT_DERIVE;
use ruff_text_size::TextRange;

use crate::parse::expr::convert;
use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// The value as an expression: a number of Python or a scalar expression is a `PrimValue`, a string a `StringImm`, and
/// a tuple or a list a `Tuple`.
///
/// # Errors
/// Reports another value.
pub(crate) fn expr(p: &mut Parser<'_>, value: &Value, range: TextRange) -> Eval<RelaxExpr> {
    Ok(match value {
        Value::Bool(value) => int64(i64::from(*value)),
        Value::Int(value) => int64(*value),
        Value::Float(value) => prim_value(FloatImm::new(DataType::float(64), *value).into()),
        Value::Str(text) => StringImm::new(text.clone()).into(),
        Value::Tuple(items) | Value::List(items) => {
            let fields: Eval<Vec<RelaxExpr>> = items.iter().map(|item| expr(p, item, range)).collect();
            tuple(fields?)
        }
        Value::Object(object) => match object.view().to_handle::<RelaxExpr>() {
            Some(expr) => expr,
            None => match convert::to_prim(value) {
                Some(scalar) => prim_value(scalar),
                None => return Err(p.expected(range, "an expression of Relax", value)),
            },
        },
        _ => return Err(p.expected(range, "an expression of Relax", value)),
    })
}

/// The argument as an expression. See [`expr`].
///
/// # Errors
/// Reports another value.
pub(crate) fn argument(p: &mut Parser<'_>, argument: &Argument) -> Eval<RelaxExpr> {
    expr(p, &argument.value, argument.range)
}

fn int64(value: i64) -> RelaxExpr {
    prim_value(IntImm::new(DataType::int(64), value).into())
}

/// A scalar as an expression.
pub(crate) fn prim_value(value: PrimExpr) -> RelaxExpr {
    with_leaf_info(PrimValue::new(value).into())
}

/// The argument as a scalar: a number of Python is a `PrimValue`.
///
/// # Errors
/// Reports another value.
pub(crate) fn scalar(p: &mut Parser<'_>, argument: &Argument) -> Eval<RelaxExpr> {
    match &argument.value {
        Value::Bool(value) if p.words.has_one_scalar => {
            Ok(prim_value(IntImm::new(DataType::boolean(), i64::from(*value)).into()))
        }
        // TVM converts a number by itself here, without a type in Relax.
        Value::Float(value) => Ok(prim_value(FloatImm::new(DataType::float(32), *value).into())),
        value => expr(p, value, argument.range),
    }
}

/// The argument as a shape: a tuple or a list of dimensions, or an expression.
///
/// # Errors
/// Reports another value.
pub(crate) fn shape(p: &mut Parser<'_>, argument: &Argument) -> Eval<RelaxExpr> {
    match &argument.value {
        Value::Tuple(_) | Value::List(_) => shape_of(p, argument),
        _ => match argument.value.to::<RelaxExpr>() {
            Some(expr) => Ok(expr),
            None => Err(argument.expected(p, "a shape")),
        },
    }
}

/// The elements of a tuple or a list as a `ShapeExpr`.
///
/// # Errors
/// Reports another value, and a dimension that is not an `int64`.
pub(crate) fn shape_of(p: &mut Parser<'_>, argument: &Argument) -> Eval<RelaxExpr> {
    let dims = dims(p, &argument.value, argument.range)?;
    Ok(with_leaf_info(ShapeExpr::new(dims).into()))
}

/// The elements of a tuple or a list as dimensions of type `int64`; in an exact text, of any type.
///
/// # Errors
/// Reports another value, and a dimension of another type.
pub(crate) fn dims(p: &mut Parser<'_>, value: &Value, range: TextRange) -> Eval<Vec<PrimExpr>> {
    let mut dims = convert::dimensions(p, value, range)?;
    if p.is_exact {
        return Ok(dims);
    }
    for dim in &mut dims {
        if dim.is::<IntImm>() && dim.dtype != DataType::int(64) {
            *dim = object_ir::tir::fold::cast(DataType::int(64), dim);
        }
        if dim.dtype != DataType::int(64) {
            return Err(
                p.error(range, format!("expected a dimension of type `int64`, got one of type `{}`", dim.dtype))
            );
        }
    }
    Ok(dims)
}

/// A function of the registry.
pub(crate) fn extern_func(symbol: &str, info: Option<StructInfo>) -> ExternFunc {
    let info = info.unwrap_or_else(|| {
        FuncStructInfo::deriving(object_ir::ir::EnvFunc::new(Str::from(DEFAULT_DERIVE)), false).into()
    });
    let attrs = crate::parse::ir::functions::dict_attrs([]);
    let mut function = ExternFunc::new(attrs, symbol);
    function.make_mut().base.base.struct_info = Some(info);
    function
}

/// A data type as an expression.
pub(crate) fn data_type(dtype: DataType) -> RelaxExpr {
    with_leaf_info(DataTypeImm::new(dtype).into())
}

/// A tuple, with structural information if its members have it.
pub(crate) fn tuple(fields: Vec<RelaxExpr>) -> RelaxExpr {
    let infos: Option<Vec<StructInfo>> = fields.iter().map(struct_info_of).collect();
    let mut tuple = Tuple::new(fields);
    if let Some(infos) = infos {
        tuple.make_mut().base.struct_info = Some(TupleStructInfo::new(infos).into());
    }
    tuple.into()
}

/// A member of a tuple, with structural information if the tuple has it.
pub(crate) fn member(tuple: RelaxExpr, index: i64) -> RelaxExpr {
    let info = struct_info_of(&tuple);
    let fields = info.as_ref().and_then(|info| info.downcast_ref::<TupleStructInfo>()).map(|info| &info.fields);
    let field = fields.and_then(|fields| fields.get(usize::try_from(index).ok()?));
    let mut member = TupleGetItem::new(tuple, index);
    if let Some(field) = field {
        member.make_mut().base.struct_info = Some(field.clone());
    }
    member.into()
}

/// The expression with the structural information that its form determines.
pub(crate) fn with_leaf_info(expr: RelaxExpr) -> RelaxExpr {
    if expr.struct_info.is_some() {
        return expr;
    }
    match struct_info_of(&expr) {
        Some(info) => with_info(expr, info),
        None => expr,
    }
}

/// The expression with structural information. An operator stays as it is, because it is one object for all programs.
pub(crate) fn with_info(mut expr: RelaxExpr, info: StructInfo) -> RelaxExpr {
    if let Ok(node) = expr.try_make_mut() {
        node.struct_info = Some(info);
    }
    expr
}

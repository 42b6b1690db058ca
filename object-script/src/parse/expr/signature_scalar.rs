//! Scalars in signatures: dimensions that stand before the function, and parameters with the type of a scalar.

use object_core::DataType;
use object_ir::{ir, tir};
use ruff_python_ast::Expr;

use crate::parse::expr::eval::eval;
use crate::parse::state::parser::Parser;
use crate::parse::value::Value;

/// The data type of scalars, if the value is the type of one: `T.int64`.
pub(crate) fn scalar_type(value: &Value) -> Option<DataType> {
    value.as_path()?.strip_prefix("T.")?.parse::<DataType>().ok().filter(|dtype| !dtype.is_void())
}

/// Defines the dimensions before the function, `n = TypeVar("n")`, that are not names of parameters.
pub(crate) fn define_type_vars(p: &mut Parser<'_>, params: &[&str]) {
    for name in p.names.type_vars() {
        if !params.contains(&&*name) {
            p.names.set(&name, scalar_var(&name, DataType::int(64)));
        }
    }
}

/// A new variable of scalar expressions.
pub(crate) fn scalar_var(name: &str, dtype: DataType) -> Value {
    Value::object(tir::Var::new(dtype, name, ir::PrimType::new(dtype)))
}

/// The data type of a parameter whose annotation is the type of a scalar: `k: T.int64`.
pub(crate) fn scalar_annotation(p: &mut Parser<'_>, annotation: &Expr) -> Option<DataType> {
    let Expr::Attribute(_) = annotation else { return None };
    scalar_type(&eval(p, annotation).ok()?)
}

//! `@R.function`: functions of Relax.

use ruff_python_ast::StmtFunctionDef;

use crate::ir::{Function, StructInfo};
use crate::script::parse::ir::decorator::Decoration;
use crate::script::parse::state::parser::{Eval, Parser};

/// The structural information of a function, by its signature.
///
/// # Errors
/// Reports errors in the signature.
pub(crate) fn declare(
    _p: &mut Parser<'_>,
    _function: &StmtFunctionDef,
    _decoration: &Decoration,
) -> Eval<Option<StructInfo>> {
    Ok(None)
}

/// The function of a definition.
///
/// # Errors
/// Reports errors in the definition.
pub(crate) fn function(p: &mut Parser<'_>, function: &StmtFunctionDef, _decoration: &Decoration) -> Eval<Function> {
    Err(p.error(function.name.range, "functions of Relax are not supported yet"))
}

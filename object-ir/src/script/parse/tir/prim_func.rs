//! `@T.prim_func`: loop programs.

use ruff_python_ast::StmtFunctionDef;

use crate::ir::StructInfo;
use crate::script::parse::ir::decorator::Decoration;
use crate::script::parse::state::parser::{Eval, Parser};
use crate::tir::PrimFunc;

/// The structural information of a loop program, by its signature.
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

/// The loop program of a definition.
///
/// # Errors
/// Reports errors in the definition.
pub(crate) fn prim_func(p: &mut Parser<'_>, function: &StmtFunctionDef, decoration: &Decoration) -> Eval<PrimFunc> {
    let _ = decoration;
    Err(p.error(function.name.range, "loop programs are not supported yet"))
}

//! The functions of all languages by name, and the languages of functions.

use std::sync::OnceLock;

use object_ir::ir::{BaseFunc, StructInfo};
use ruff_python_ast::StmtFunctionDef;
use rustc_hash::FxHashMap;

use crate::parse::expr::eval;
use crate::parse::ir::decorator::{self, Decoration};
use crate::parse::ir::module::FunctionLanguages;
use crate::parse::state::parser::{Builtin, Eval, Languages, Parser};
use crate::parse::{ir, relax, tir};

/// The languages.
pub(crate) static LANGUAGES: Languages = Languages {
    builtin,
    builtin_names,
    evaluate: eval::eval,
    nested_function,
    tir_statement: tir::stmt::statement,
    relax: relax::objects::OPERATIONS,
    tir: tir::objects::OPERATIONS,
};

/// The languages of functions.
pub(crate) static FUNCTION_LANGUAGES: FunctionLanguages = FunctionLanguages { declare, define };

/// The tables of the languages.
static FAMILIES: &[&[(&str, Builtin)]] = &[
    ir::functions::FUNCTIONS,
    relax::functions::FUNCTIONS,
    relax::calls::FUNCTIONS,
    relax::struct_info::FUNCTIONS,
    relax::distributed::FUNCTIONS,
    tir::functions::FUNCTIONS,
    tir::types::FUNCTIONS,
    tir::buffer::FUNCTIONS,
    tir::bits::FUNCTIONS,
    tir::layout::FUNCTIONS,
    tir::lambdas::FUNCTIONS,
    tir::loops::FUNCTIONS,
    tir::block::FUNCTIONS,
    tir::context::FUNCTIONS,
    tir::exec::FUNCTIONS,
];

fn functions() -> &'static FxHashMap<&'static str, Builtin> {
    static BY_NAME: OnceLock<FxHashMap<&'static str, Builtin>> = OnceLock::new();
    BY_NAME.get_or_init(|| FAMILIES.iter().copied().flatten().copied().collect())
}

fn builtin(path: &str) -> Option<Builtin> {
    let known = functions().get(path).copied();
    known
        .or_else(|| relax::functions::by_operator(path))
        .or_else(|| tir::types::by_dtype(path))
        .or_else(|| tir::exec::by_name(path))
        .or_else(|| tir::intrinsic::by_name(path))
}

/// The names of functions with a prefix such as `R.`.
pub(crate) fn builtin_names(prefix: &str) -> Vec<String> {
    let names = functions().keys().filter(|name| name.starts_with(prefix));
    let mut names: Vec<String> = names.map(|name| (*name).to_owned()).collect();
    if prefix == "R." {
        names.extend(relax::functions::operator_names());
    }
    if prefix == "T." {
        names.extend(tir::intrinsic::names());
    }
    names
}

/// The decorators of functions.
pub(super) const FUNCTION_DECORATORS: [&str; 2] = ["R.function", "T.prim_func"];

fn unknown(p: &mut Parser<'_>, decoration: &Decoration) -> crate::parse::state::parser::Reported {
    let hint = p.near(&decoration.path, FUNCTION_DECORATORS);
    let message = format!("expected `@R.function` or `@T.prim_func`, got `@{}`", decoration.path);
    p.error_with_hint(decoration.range, message, hint)
}

fn declare(p: &mut Parser<'_>, function: &StmtFunctionDef, decoration: &Decoration) -> Eval<Option<StructInfo>> {
    match decoration.path.as_str() {
        "R.function" => relax::function::declare(p, function, decoration),
        "T.prim_func" => tir::prim_func::declare(p, function, decoration),
        _ => Err(unknown(p, decoration)),
    }
}

fn define(p: &mut Parser<'_>, function: &StmtFunctionDef, decoration: &Decoration) -> Eval<BaseFunc> {
    match decoration.path.as_str() {
        "R.function" => relax::function::function(p, function, decoration).map(Into::into),
        "T.prim_func" => tir::prim_func::prim_func(p, function, decoration).map(Into::into),
        _ => Err(unknown(p, decoration)),
    }
}

/// A definition in a function of Relax.
fn nested_function(p: &mut Parser<'_>, function: &StmtFunctionDef) -> Eval<()> {
    let decoration = decorator::of_function(p, function)?;
    if decoration.path == "T.prim_func" {
        return Err(p.error(decoration.range, "a loop program inside of a function of Relax is not supported"));
    }
    if decoration.path != "R.function" {
        return Err(unknown(p, &decoration));
    }
    relax::function::nested(p, function, &decoration)
}

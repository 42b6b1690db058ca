//! `@R.function`: functions of Relax (TVM 0.25 `FunctionFrameNode::ExitWithScope` in src/relax/script/builder/frame.cc).

use object_core::Any;
use object_core::object::MakeMut;
use object_core::value::Str;
use object_ir::ir::{FuncStructInfo, Function, ObjectStructInfo, SeqExpr, StructInfo, TupleStructInfo, Var};
use object_relax::op::InferContext;
use object_relax::struct_info::is_at_least_as_specific;
use ruff_python_ast::{Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};

use crate::parse::expr::eval::argument;
use crate::parse::ir::decorator::Decoration;
use crate::parse::ir::functions::dict_attrs;
use crate::parse::relax::signature::{define_shape_vars, parameter, parameters, result};
use crate::parse::relax::statement::statements;
use crate::parse::relax::{called, normalize, values};
use crate::parse::state::function_frame::FunctionFrame;
use crate::parse::state::parser::{Eval, Language, Parser};
use crate::parse::value::Value;

/// The options of the decorator.
const OPTIONS: [&str; 3] = ["pure", "private", "check_well_formed"];

/// The name of the attribute with the symbol of a function.
const GLOBAL_SYMBOL: &str = "global_symbol";

/// The structural information of a function, by its signature.
///
/// # Errors
/// Reports errors in the signature.
pub(crate) fn declare(
    p: &mut Parser<'_>,
    function: &StmtFunctionDef,
    decoration: &Decoration,
) -> Eval<Option<StructInfo>> {
    let is_pure = decoration.option(p, "pure", true)?;
    let unknown = || ObjectStructInfo::new().into();
    let info = p.in_frame(|p| p.in_language(Language::Relax, |p| signature_info(p, function, is_pure, unknown)))?;
    Ok(Some(info))
}

/// The structural information of the signature, with `unknown` for a result without annotation.
fn signature_info(
    p: &mut Parser<'_>,
    function: &StmtFunctionDef,
    is_pure: bool,
    unknown: impl FnOnce() -> StructInfo,
) -> Eval<StructInfo> {
    let params = parameters(p, &function.parameters)?;
    define_shape_vars(p, &params, &function.body)?;
    let ret = result(p, function)?.unwrap_or_else(unknown);
    let mut infos = Vec::new();
    for (name, place, expr) in params {
        let (var, value) = parameter(p, name, expr)?;
        p.define(name, value, place);
        infos.extend(var.struct_info.clone());
    }
    let info = FuncStructInfo::of(infos, ret);
    Ok(if is_pure { info } else { info.impure() }.into())
}

/// The function of a definition.
///
/// # Errors
/// Reports errors in the definition.
pub(crate) fn function(p: &mut Parser<'_>, definition: &StmtFunctionDef, decoration: &Decoration) -> Eval<Function> {
    decoration.check_options(p, &OPTIONS)?;
    let is_nested = !p.relax.is_empty();
    let is_pure = decoration.option(p, "pure", true)?;
    let is_private = decoration.option(p, "private", false)? || is_nested;
    p.relax.push(FunctionFrame::new(is_private));
    let outside = p.surroundings.mark();
    let result = p.in_frame(|p| p.in_language(Language::Relax, |p| contents(p, definition)));
    let frame = p.relax.pop();
    p.surroundings.end(outside);
    let (body, frame) = (result?, frame.unwrap_or_else(|| FunctionFrame::new(is_private)));
    Ok(finished(p, frame, definition.name.as_str(), body, is_pure))
}

/// Reads the signature and the body, and returns the body.
fn contents(p: &mut Parser<'_>, definition: &StmtFunctionDef) -> Eval<SeqExpr> {
    let range = definition.name.range;
    let params = parameters(p, &definition.parameters)?;
    define_shape_vars(p, &params, &definition.body)?;
    let ret = result(p, definition);
    let mut error = None;
    for (name, place, expr) in params {
        match parameter(p, name, expr) {
            Ok((var, value)) => {
                // As in TVM, the variable itself is not the shape of a result.
                let infos: Vec<StructInfo> = var.struct_info.iter().cloned().collect();
                p.surroundings.see_binders(&infos);
                normalize::frame(p, place)?.params.push(var);
                p.define(name, value, place);
            }
            Err(reported) => {
                p.define(name, Value::Unknown, place);
                error = Some(reported);
            }
        }
    }
    let outside = p.surroundings.mark();
    let read = statements(p, &definition.body);
    normalize::frame(p, range)?.ret = ret?;
    read?;
    if let Some(error) = error {
        return Err(error);
    }
    let Some(output) = normalize::frame(p, range)?.output.clone() else {
        return Err(p.error(range, "the function lacks its `return`"));
    };
    let body = normalize::end_sequence(p, &output, outside, range)?;
    let info = body.struct_info.as_ref();
    let derived = info.map(|info| p.surroundings.erase(info, InferContext::new(&p.analyzer)));
    normalize::frame(p, range)?.derived = derived;
    Ok(body)
}

/// The sequence of statements outside of functions, whose last statement is the result.
///
/// # Errors
/// Reports errors in the statements.
pub(crate) fn sequence(p: &mut Parser<'_>, body: &[Stmt]) -> Eval<SeqExpr> {
    let Some((Stmt::Expr(last), body)) = body.split_last() else {
        let range = body.last().map_or(TextRange::default(), Ranged::range);
        return Err(p.error(range, "expected an expression, the result of the statements before it"));
    };
    p.relax.push(FunctionFrame::new(true));
    let outside = p.surroundings.mark();
    let result = p.in_language(Language::Relax, |p| {
        statements(p, body)?;
        let value = argument(p, &last.value)?;
        let value = values::argument(p, &value)?;
        normalize::end_sequence(p, &value, outside, last.range)
    });
    p.relax.pop();
    result
}

/// The function of a finished frame. Its result is the annotation, or the one of the body if it says more.
fn finished(p: &Parser<'_>, frame: FunctionFrame, name: &str, body: SeqExpr, is_pure: bool) -> Function {
    let FunctionFrame { params, ret, mut attrs, is_private, derived, .. } = frame;
    if !is_private && !attrs.iter().any(|(known, _)| known == GLOBAL_SYMBOL) {
        attrs.push((GLOBAL_SYMBOL.to_owned(), Any::from(Str::from(name))));
    }
    let infos: Vec<StructInfo> = params.iter().filter_map(|param| param.struct_info.clone()).collect();
    let ret = match (ret, derived) {
        (Some(ret), Some(of_body)) if is_at_least_as_specific(&of_body, &ret, &p.analyzer) => of_body,
        (Some(ret), _) => ret,
        (None, Some(of_body)) => of_body,
        (None, None) => ObjectStructInfo::new().into(),
    };
    let info = FuncStructInfo::of(infos, ret.clone());
    let info = if is_pure { info } else { info.impure() };
    let mut function = Function::new(dict_attrs(attrs), params, body, ret, is_pure);
    function.make_mut().base.base.struct_info = Some(info.into());
    function
}

/// A definition in a function: a binding of the function to a variable, which the body may call.
///
/// # Errors
/// Reports errors in the definition.
pub(crate) fn nested(p: &mut Parser<'_>, definition: &StmtFunctionDef, decoration: &Decoration) -> Eval<()> {
    let (name, range) = (definition.name.as_str(), definition.name.range);
    let is_recursive = p.names.get(name).is_none() && called::calls(&definition.body, name);
    let mut reserved = None;
    if is_recursive {
        let void = || TupleStructInfo::new(Vec::<StructInfo>::new()).into();
        let info = p.in_frame(|p| signature_info(p, definition, true, void))?;
        let var = Var::of(name, info);
        p.define(name, Value::object(var.clone()), range);
        reserved = Some(var);
    }
    match function(p, definition, decoration) {
        Ok(function) => {
            let var = match reserved {
                Some(var) => {
                    normalize::emit_var_binding(p, &var, function.into(), range)?;
                    var
                }
                None => normalize::emit(p, function.into(), None, name, range)?,
            };
            p.define(name, Value::object(var), range);
            Ok(())
        }
        Err(reported) => {
            p.define(name, Value::Unknown, range);
            Err(reported)
        }
    }
}

//! `@T.prim_func`: loop programs (TVM 0.25 src/tirx/script/builder/frame.cc).

use object_core::object::MakeMut;
use object_core::value::Str;
use object_core::visit::walk;
use object_core::{Any, Array, DataType, Map, ObjectHandle, structural_equal};
use object_ir::ir::{DictAttrs, IntImm, PrimExpr, PrimType, StructInfo, Type};
use object_ir::tir::{
    Buffer, BufferRegion, Evaluate, IterVar, MatchBufferRegion, PrimFunc, SBlock, SBlockRealize, SBlockRealizeNode,
    Stmt, Var,
};
use object_relax::derivation::signature_of_loop_program;
use ruff_python_ast::{Expr, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};

use crate::memory::{GLOBAL_SYMBOL, PERSISTENT, S_TIR};
use crate::parse::expr::eval;
use crate::parse::expr::signature_scalar::{define_type_vars, scalar_annotation};
use crate::parse::ir::decorator::Decoration;
use crate::parse::state::parser::{Eval, Language, Parser, Reported};
use crate::parse::state::tir_frames::{FunctionFacts, MatchedVars, RegionKind, TirFrames};
use crate::parse::tir::buffer::define_matched;
use crate::parse::tir::region::{finish, open_region};
use crate::parse::tir::types::{dtype_of, no_value, type_of};
use crate::parse::value::Value;

/// The options of the decorator.
const OPTIONS: &[&str] = &["private", "s_tir", "persistent", "check_well_formed", "is_private"];

/// A parameter: a variable, or a buffer with the variable of its address.
struct Param {
    name: String,
    place: TextRange,
    var: Var,
    buffer: Option<Buffer>,
}

/// The signature of a function. If a part has an error, the other parts still define their names.
struct Signature {
    params: Vec<Param>,
    result: Type,
    failed: Option<Reported>,
}

/// The parameters and the type of the result.
fn signature(p: &mut Parser<'_>, function: &StmtFunctionDef) -> Signature {
    let result = match function.returns.as_deref() {
        None => Ok(no_value()),
        Some(returns) => eval::argument(p, returns).and_then(|returns| type_of(p, &returns)),
    };
    let mut params = Vec::new();
    let mut failed = result.as_ref().err().copied();
    let names = function.parameters.args.iter().map(|parameter| parameter.parameter.name.as_str());
    define_type_vars(p, &names.collect::<Vec<_>>());
    p.tir.matched = MatchedVars { is_open: true, scalars: scalars(p, function), vars: Vec::new() };
    for parameter in &function.parameters.args {
        let parameter = &parameter.parameter;
        match param(p, parameter) {
            Ok(param) => {
                if param.buffer.is_none() {
                    p.define(&param.name, Value::object(param.var.clone()), parameter.name.range);
                }
                params.push(param);
            }
            Err(reported) => {
                p.define(parameter.name.as_str(), Value::Unknown, parameter.name.range);
                failed = Some(reported);
            }
        }
    }
    p.tir.matched.is_open = false;
    Signature { params, result: result.unwrap_or_else(|_| no_value()), failed }
}

/// The scalar parameters with their data types, and the dimensions that the body declares, `n = T.int64()`.
fn scalars(p: &mut Parser<'_>, function: &StmtFunctionDef) -> Vec<(String, DataType)> {
    let declared: Vec<_> = match p.words.has_buffer_params {
        true => function.body.iter().filter_map(declared_scalar).collect(),
        false => Vec::new(),
    };
    let params = function.parameters.args.iter().map(|parameter| &parameter.parameter);
    let scalar = |parameter: &ruff_python_ast::Parameter| {
        let dtype = scalar_annotation(p, parameter.annotation.as_deref()?)?;
        Some((parameter.name.to_string(), dtype))
    };
    params.filter_map(scalar).chain(declared).collect()
}

/// The variable that a statement such as `n = T.int64()` makes, with its data type.
fn declared_scalar(statement: &ruff_python_ast::Stmt) -> Option<(String, DataType)> {
    let ruff_python_ast::Stmt::Assign(assign) = statement else { return None };
    let ([Expr::Name(name)], Expr::Call(call)) = (assign.targets.as_slice(), assign.value.as_ref()) else {
        return None;
    };
    let Expr::Attribute(function) = call.func.as_ref() else { return None };
    let dtype = function.attr.parse().ok().filter(|_| call.arguments.is_empty())?;
    Some((name.id.to_string(), dtype))
}

fn param(p: &mut Parser<'_>, parameter: &ruff_python_ast::Parameter) -> Eval<Param> {
    let (name, range, place) = (parameter.name.as_str(), parameter.range, parameter.name.range);
    let Some(annotation) = parameter.annotation.as_deref() else {
        let hint = Some("write a type such as `T.handle`, or `T.Buffer(...)`, after `:`".to_owned());
        return Err(p.error_with_hint(range, format!("the parameter `{name}` does not have a type"), hint));
    };
    define_extents(p, annotation);
    p.tir.targets = vec![name.to_owned()];
    let value = eval::argument(p, annotation);
    p.tir.targets.clear();
    let value = value?;
    if let Some(buffer) = value.value.to::<Buffer>() {
        let dtype = DataType::handle();
        let var = Var::new(dtype, format!("{name}_handle").as_str(), PrimType::new(dtype));
        return Ok(Param { name: name.to_owned(), place, var, buffer: Some(buffer) });
    }
    if let Some(var) = value.value.to::<Var>() {
        return Ok(Param { name: name.to_owned(), place, var, buffer: None });
    }
    let ty = type_of(p, &value)?;
    let known = p.tir.matched.find(name, dtype_of(&ty)).cloned();
    if let Some(var) = known.filter(|var| structural_equal(&var.type_annotation, &ty)) {
        return Ok(Param { name: name.to_owned(), place, var, buffer: None });
    }
    Ok(Param { name: name.to_owned(), place, var: Var::new(dtype_of(&ty), Str::from(name), ty), buffer: None })
}

/// Defines the variables of the strings among the extents of an annotation, which the other extents use.
fn define_extents(p: &mut Parser<'_>, annotation: &Expr) {
    let Expr::Call(call) = annotation else { return };
    let shape = call.arguments.find_argument_value("shape", 0);
    let items: &[Expr] = match shape {
        Some(Expr::Tuple(tuple)) => &tuple.elts,
        Some(Expr::List(list)) => &list.elts,
        _ => return,
    };
    for item in items {
        if let Expr::StringLiteral(text) = item {
            define_matched(p, text.value.to_str(), text.range);
        }
    }
}

/// Runs `read` with a state of loop programs of its own.
fn in_function<T>(p: &mut Parser<'_>, is_s_tir: bool, has_root: bool, read: impl FnOnce(&mut Parser<'_>) -> T) -> T {
    let outer = std::mem::replace(&mut p.tir, TirFrames { is_s_tir, has_root, ..TirFrames::default() });
    let result = p.in_language(Language::Tir, |p| {
        p.in_frame(|p| {
            if p.names.get("Axis").is_none() {
                p.names.set("Axis", Value::Path("Axis".into()));
            }
            read(p)
        })
    });
    p.tir = outer;
    result
}

/// The structural information of a loop program, by its signature.
///
/// # Errors
/// Reports errors in the signature.
pub(crate) fn declare(
    p: &mut Parser<'_>,
    function: &StmtFunctionDef,
    decoration: &Decoration,
) -> Eval<Option<StructInfo>> {
    let is_s_tir = decoration.option(p, "s_tir", false)?;
    let before = p.diagnostics.len();
    match in_function(p, is_s_tir, is_s_tir, |p| signature(p, function)) {
        signature if signature.failed.is_none() => {
            let facts = facts(&signature);
            let (attrs, body) =
                (DictAttrs::new(Map::<Str, Any>::default()), Evaluate::new(IntImm::new(DataType::int(32), 0)));
            let func = PrimFunc::new(attrs, facts.params, signature.result, Map::new(facts.buffers), body);
            Ok(Some(signature_of_loop_program(&func).into()))
        }
        _ => {
            // The definition reports the errors.
            p.diagnostics.truncate(before);
            Ok(None)
        }
    }
}

/// The loop program of a definition.
///
/// # Errors
/// Reports errors in the definition.
pub(crate) fn prim_func(p: &mut Parser<'_>, function: &StmtFunctionDef, decoration: &Decoration) -> Eval<PrimFunc> {
    decoration.check_options(p, OPTIONS)?;
    let is_private = decoration.option(p, "private", false)? || decoration.option(p, "is_private", false)?;
    let is_s_tir = decoration.option(p, "s_tir", false)?;
    let is_persistent = decoration.option(p, "persistent", false)?;
    let before = p.diagnostics.len();
    let has_root = is_s_tir || states_root(p, function);
    let result = in_function(p, is_s_tir, has_root, |p| {
        let signature = signature(p, function);
        let facts = facts(&signature);
        let params: Vec<(String, TextRange, Value)> = signature.params.iter().map(named).collect();
        let region = open_region(p, RegionKind::Function(facts), &function.body, |p| {
            for (name, place, value) in params {
                p.define(&name, value, place);
            }
        });
        let body = finish(region.stmts, region.open);
        let RegionKind::Function(facts) = region.kind else { return Err(p.follow_up()) };
        let body = if has_root { with_root(p, body, &facts.allocations) } else { body };
        match signature.failed {
            Some(reported) => Err(reported),
            None => Ok((signature, facts, body)),
        }
    });
    let (signature, facts, body) = result?;
    if p.diagnostics.len() > before {
        return Err(p.follow_up());
    }
    let attrs = attributes(p, function, facts.attrs, [(S_TIR, is_s_tir), (PERSISTENT, is_persistent)], is_private)?;
    let buffers = Map::<Var, Buffer>::new(facts.buffers);
    let func = PrimFunc::new(attrs, facts.params, signature.result, buffers, body);
    let info = signature_of_loop_program(&func).into();
    Ok(func.with_changes(|node| node.base.base.struct_info = Some(info)))
}

fn named(param: &Param) -> (String, TextRange, Value) {
    let value = match &param.buffer {
        Some(buffer) => Value::object(buffer.clone()),
        None => Value::object(param.var.clone()),
    };
    (param.name.clone(), param.place, value)
}

fn facts(signature: &Signature) -> FunctionFacts {
    let params = &signature.params;
    FunctionFacts {
        params: params.iter().map(|param| param.var.clone()).collect(),
        buffers: params.iter().filter_map(|param| Some((param.var.clone(), param.buffer.clone()?))).collect(),
        ..FunctionFacts::default()
    }
}

/// The attributes of the text, of the name and of the decorator.
fn attributes(
    p: &mut Parser<'_>,
    function: &StmtFunctionDef,
    mut attrs: Vec<(String, Any)>,
    flags: [(&str, bool); 2],
    is_private: bool,
) -> Eval<DictAttrs> {
    let has_symbol = attrs.iter().any(|(name, _)| name == GLOBAL_SYMBOL);
    if is_private && has_symbol {
        let message = "a private function does not have the attribute `global_symbol`";
        return Err(p.error(function.name.range(), message));
    }
    if !is_private && !has_symbol {
        attrs.push((GLOBAL_SYMBOL.to_owned(), Any::from(Str::from(function.name.as_str()))));
    }
    for (name, is_set) in flags {
        if is_set && !attrs.iter().any(|(known, _)| known == name) {
            attrs.push((name.to_owned(), Any::Bool(true)));
        }
    }
    Ok(crate::parse::ir::functions::dict_attrs(attrs))
}

/// The body in the block that surrounds all others (TVM 0.25 `ScriptComplete` in
/// src/tirx/ir/script/script_complete.cc).
fn with_root(p: &mut Parser<'_>, body: Stmt, allocations: &[Buffer]) -> Stmt {
    let realize = body.as_object().view().node::<SBlockRealizeNode>();
    let needs_root = !allocations.is_empty()
        || match realize {
            Some(realize) => !realize.block.iter_vars.is_empty(),
            None => {
                let mut has_block = false;
                walk(&body, |_: &SBlockRealize, _| has_block = true);
                has_block
            }
        };
    if !needs_root {
        // The block is the root, whose access regions are not detected.
        let address = body.as_object().view().address();
        return p.tir.undetected.remove(&address).unwrap_or(body);
    }
    let root = SBlock::new(
        Array::<IterVar>::default(),
        Array::<BufferRegion>::default(),
        Array::<BufferRegion>::default(),
        "root",
        allocations.to_vec(),
        Array::<MatchBufferRegion>::default(),
        Map::<Str, Any>::default(),
        None,
        body,
    );
    SBlockRealize::new(Array::<PrimExpr>::default(), IntImm::new(DataType::boolean(), 1), root).into()
}

/// Whether the text has the comment by which the printer shows a block around the body. Other functions than the ones of
/// the scheduler do not have such a block by themselves.
fn states_root(p: &Parser<'_>, function: &StmtFunctionDef) -> bool {
    let text = p.source.get(std::ops::Range::<usize>::from(function.range));
    text.is_some_and(|text| text.lines().any(|line| line.trim() == "# with T.sblock(\"root\"):"))
}

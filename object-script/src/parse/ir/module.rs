//! `@I.ir_module`: modules (TVM 0.25 python/tvm/script/parser/ir/parser.py).

use object_core::object::MakeMut;
use object_core::value::Str;
use object_core::{Any, Map};
use object_ir::ir::{
    BaseFunc, ExternFunc, FuncStructInfo, GlobalInfo, GlobalVar, IRModule, ObjectStructInfo, Source, SourceMap,
    SourceName, StructInfo,
};
use object_relax::derivation::with_signatures;
use ruff_python_ast::{Expr, Stmt, StmtClassDef, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};

use crate::parse::expr::eval::eval;
use crate::parse::ir::decorator::{self, Decoration};
use crate::parse::ir::{functions, global_infos, logged};
use crate::parse::state::call::Argument;
use crate::parse::state::parser::{Eval, Language, Parser};
use crate::parse::value::Value;

/// The functions of the languages of functions.
pub(crate) struct FunctionLanguages {
    /// The structural information of a function, by its signature.
    pub(crate) declare: fn(&mut Parser<'_>, &StmtFunctionDef, &Decoration) -> Eval<Option<StructInfo>>,
    /// The function.
    pub(crate) define: fn(&mut Parser<'_>, &StmtFunctionDef, &Decoration) -> Eval<BaseFunc>,
}

/// The module of a class.
///
/// # Errors
/// Reports errors in the class.
pub(crate) fn module(p: &mut Parser<'_>, class: &StmtClassDef, languages: &FunctionLanguages) -> Eval<IRModule> {
    p.in_frame(|p| p.in_language(Language::Ir, |p| members(p, class, languages)))
}

fn members(p: &mut Parser<'_>, class: &StmtClassDef, languages: &FunctionLanguages) -> Eval<IRModule> {
    p.is_in_module = true;
    p.define(class.name.as_str(), Value::Module, class.name.range);
    p.names.set_at("cls", Value::Module, None);
    if let Some(log) = &mut p.log {
        log.globals.clear();
        log.globals.extend(class.body.iter().filter_map(Stmt::as_function_def_stmt).map(name_place));
    }
    let mut attrs = Vec::new();
    let mut error = None;
    let mut definitions = Vec::new();
    for statement in &class.body {
        let result = match statement {
            Stmt::FunctionDef(function) => {
                definitions.push(function);
                Ok(())
            }
            Stmt::Expr(expr) if expr.value.is_string_literal_expr() => Ok(()),
            Stmt::Expr(expr) => setting(p, &expr.value, &mut attrs),
            Stmt::Assign(assign) => extern_func(p, &assign.targets, &assign.value),
            Stmt::Pass(_) => Ok(()),
            other => {
                let message =
                    "expected a function, `name = R.ExternFunc(...)`, or a call such as `I.module_attrs(...)`";
                Err(p.error(other.range(), message))
            }
        };
        error = result.err().or(error);
    }
    let mut declared = Vec::new();
    for function in definitions {
        let diagnostics = p.diagnostics.len();
        let (result, own) = logged::recorded(p, |p| declare(p, function, languages));
        match result {
            Ok(decoration) => declared.push((function, decoration)),
            Err(reported) => {
                logged::fail(p, function, own, diagnostics);
                error = Some(reported);
            }
        }
    }
    for (function, decoration) in declared {
        let Some(var) = p.global_vars.get(function.name.as_str()).cloned() else { continue };
        let definition = logged::define(p, function, Some(&var), |p| match &decoration {
            Some(decoration) => (languages.define)(p, function, decoration),
            None => {
                let decoration = decorator::of_function(p, function)?;
                (languages.define)(p, function, &decoration)
            }
        });
        match definition {
            Ok(definition) => {
                if let Some(info) = &definition.struct_info {
                    p.global_signatures.insert(var.name_hint.to_string(), info.clone());
                }
                p.functions.push((var, definition));
            }
            Err(reported) => error = Some(reported),
        }
    }
    if let Some(error) = error {
        return Err(error);
    }
    let definitions = std::mem::take(&mut p.functions);
    let by_name = definitions.iter().map(|(var, _)| (var.name_hint.clone(), var.clone()));
    let by_name: Map<Str, GlobalVar> = Map::new(by_name.collect::<Vec<_>>());
    let infos = std::mem::take(&mut p.global_infos);
    let infos =
        infos.into_iter().map(|(name, infos)| (Str::from(name.as_str()), object_core::Array::<GlobalInfo>::new(infos)));
    let module = IRModule::new(
        Map::<GlobalVar, BaseFunc>::new(definitions),
        by_name,
        SourceMap::new(Map::<SourceName, Source>::default()),
        functions::dict_attrs(attrs),
        Map::new(infos.collect::<Vec<_>>()),
    );
    // A definition says more than its declaration: the result, and the buffers of addresses.
    with_signatures(&module, &p.analyzer, false).map_err(|error| p.object_error(class.name.range, &error))
}

/// `I.module_attrs(...)` and similar calls.
fn setting(p: &mut Parser<'_>, expr: &Expr, attrs: &mut Vec<(String, Any)>) -> Eval<()> {
    let Expr::Call(call) = expr else {
        return Err(p.error(expr.range(), "expected a call such as `I.module_attrs(...)`"));
    };
    let callee = eval(p, &call.func)?;
    let [argument] = &*call.arguments.args else {
        return Err(p.error(expr.range(), "expected one argument, a dict"));
    };
    let argument = Argument { value: eval(p, argument)?, range: argument.range() };
    match callee.as_path() {
        Some("I.module_attrs") => attrs.extend(functions::attributes(p, &argument)?),
        Some("I.module_global_infos") => {
            let infos = global_infos::entries(p, &argument)?;
            p.global_infos.extend(infos);
        }
        _ => {
            let message = "expected `I.module_attrs(...)` or `I.module_global_infos(...)`";
            return Err(p.error(call.func.range(), message));
        }
    }
    Ok(())
}

/// `name = R.ExternFunc("symbol")`.
fn extern_func(p: &mut Parser<'_>, targets: &[Expr], value: &Expr) -> Eval<()> {
    let [Expr::Name(target)] = targets else {
        return Err(p.error(value.range(), "expected `name = R.ExternFunc(...)`"));
    };
    let argument = Argument { value: eval(p, value)?, range: value.range() };
    let function: ExternFunc = argument.object(p, "`R.ExternFunc(...)`")?;
    let var = new_global(p, target.id.as_str(), target.range, function.struct_info.clone())?;
    if let Some(log) = &mut p.log {
        log.globals.insert(target.id.to_string(), target.range);
        log.current.add(target.range, target.range, &Value::object(var.clone()));
    }
    p.functions.push((var, function.into()));
    Ok(())
}

/// Declares a function by its signature. The decorator of a function that an earlier reading knows is not read.
fn declare(p: &mut Parser<'_>, function: &StmtFunctionDef, languages: &FunctionLanguages) -> Eval<Option<Decoration>> {
    let (name, range) = (function.name.as_str(), function.name.range);
    if let Some(var) = logged::known_var(p, function) {
        add_global(p, name, range, var)?;
        return Ok(None);
    }
    if logged::is_stub(p, function) {
        return Err(p.follow_up());
    }
    let decoration = decorator::of_function(p, function)?;
    let info = (languages.declare)(p, function, &decoration)?;
    new_global(p, name, range, info)?;
    Ok(Some(decoration))
}

/// The name of a function with its place.
fn name_place(function: &StmtFunctionDef) -> (String, TextRange) {
    (function.name.to_string(), function.name.range)
}

fn new_global(p: &mut Parser<'_>, name: &str, range: TextRange, info: Option<StructInfo>) -> Eval<GlobalVar> {
    let mut var = GlobalVar::new(name);
    // Calls need the structural information of a callee, also if its signature does not say much.
    let info = info.unwrap_or_else(|| FuncStructInfo::opaque(ObjectStructInfo::new(), false).into());
    var.make_mut().base.struct_info = Some(info);
    if let Some(log) = &mut p.log {
        var = log.reuse(name, var);
    }
    add_global(p, name, range, var.clone())?;
    Ok(var)
}

fn add_global(p: &mut Parser<'_>, name: &str, range: TextRange, var: GlobalVar) -> Eval<()> {
    if p.global_vars.contains_key(name) {
        return Err(p.error(range, format!("the module has two functions with the name `{name}`")));
    }
    if let Some(info) = &var.struct_info {
        p.global_signatures.insert(name.to_owned(), info.clone());
    }
    if let Some(log) = &mut p.log {
        log.next_vars.insert((log.part, name.to_owned()), var.clone());
    }
    p.global_vars.insert(name.to_owned(), var);
    Ok(())
}

//! A text form of programs for the table of derivations.
//!
//! A program is one function or several, each a line `fn NAME(PARAM: INFO, ...) -> INFO`, with `fn!` for an impure function
//! and `fn+` for one that counts as pure, lines of bindings, and `return EXPR`. A binding is `NAME = EXPR`,
//! `NAME: INFO = EXPR` or `NAME = match_cast(EXPR, INFO)`. Names with `$` at the end are dataflow variables; all bindings
//! of a function with such names are in one dataflow block.
//!
//! Expressions are names, `@global`, `relax.add(x, y)`, `f(x) [SINFO_ARG]`, `extern.f(x)`, `(x, y)`, `x.0`,
//! `if c { EXPR } else { EXPR }` and `fn(y: INFO) -> INFO { EXPR }`.

use std::collections::BTreeMap;

use object_core::prelude::*;
use object_ir::ir::{
    BaseFunc, BindingBlock, Call, DataflowBlock, DataflowVar, DictAttrs, ExternFunc, Function, GlobalVar, IRModule, If,
    MatchCast, Op, RelaxExpr, SeqExpr, SourceMap, Tuple, TupleGetItem, Var, VarBinding,
};
use object_tests::scalar_text::Scope;

use crate::text::{parse as parse_info, split};

/// The names of a program.
#[derive(Default)]
struct Names {
    shapes: Scope,
    vars: BTreeMap<String, Var>,
    globals: BTreeMap<String, GlobalVar>,
}

/// The module with the text `lines`.
pub(crate) fn parse(lines: &[&str]) -> IRModule {
    let mut names = Names::default();
    let mut functions: Vec<(GlobalVar, BaseFunc)> = Vec::new();
    let starts = (0..lines.len()).filter(|&i| lines[i].starts_with("fn"));
    let ends = starts.clone().skip(1).chain([lines.len()]);
    for (start, end) in starts.zip(ends) {
        let (head, body) = (lines[start], &lines[start + 1..end]);
        let (mark, rest) = head["fn".len()..].split_once(' ').expect("a space after `fn`");
        let open = rest.find('(').expect("parameters");
        let (name, signature) = rest.split_at(open);
        names.vars.clear();
        let var = global(&mut names, name);
        functions.push((var, function(&mut names, mark, signature, body).into()));
    }
    let global_vars = functions.iter().map(|(var, _)| (var.name_hint.clone(), var.clone())).collect::<Vec<_>>();
    let nothing = DictAttrs::new(Map::new([]));
    IRModule::new(Map::new(functions), Map::new(global_vars), SourceMap::new([]), nothing, [])
}

fn global(names: &mut Names, name: &str) -> GlobalVar {
    names.globals.entry(name.to_owned()).or_insert_with(|| GlobalVar::new(name)).clone()
}

/// A function with the signature `(PARAM: INFO, ...) -> INFO`.
fn function(names: &mut Names, mark: &str, signature: &str, body: &[&str]) -> Function {
    let (params, ret) = signature.rsplit_once(" -> ").expect("a result");
    let params = params.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')')).expect("parentheses");
    let params = split(params, ',').into_iter().map(|param| {
        let var = match param.split_once(": ") {
            Some((name, info)) => Var::of(name, parse_info(&mut names.shapes, info)),
            None => Var::named(param),
        };
        names.vars.insert(var.vid.name_hint.to_string(), var.clone());
        var
    });
    let params: Vec<_> = params.collect();
    let ret = parse_info(&mut names.shapes, ret);
    let (result, bindings) = body.split_last().expect("a result");
    let bindings: Vec<_> = bindings.iter().map(|line| binding(names, line.trim())).collect();
    let is_dataflow = bindings.iter().any(|binding| binding.var.is::<DataflowVar>());
    let block = if is_dataflow { DataflowBlock::new(bindings).into() } else { BindingBlock::new(bindings) };
    let result = result.trim().strip_prefix("return ").unwrap_or(result);
    let body = SeqExpr::new([block], expr(names, result));
    let attrs = (mark == "+").then(|| (Str::from("relax.force_pure"), Any::from(true)));
    Function::new(DictAttrs::new(Map::new(attrs)), params, body, ret, mark != "!")
}

fn binding(names: &mut Names, line: &str) -> object_ir::ir::Binding {
    let (left, right) = line.split_once(" = ").unwrap_or_else(|| panic!("no `=` in `{line}`"));
    let (name, info) = left.split_once(": ").map_or((left, None), |(name, info)| (name, Some(info)));
    let info = info.map(|info| parse_info(&mut names.shapes, info));
    let var = match (name.strip_suffix('$'), info) {
        (Some(name), None) => DataflowVar::named(name).into(),
        (Some(name), Some(info)) => DataflowVar::of(name, info).into(),
        (None, None) => Var::named(name),
        (None, Some(info)) => Var::of(name, info),
    };
    if let Some(cast) = right.strip_prefix("match_cast(").and_then(|text| text.strip_suffix(')')) {
        let [value, info] = split(cast, ',')[..] else { panic!("`{line}`: expected a value and its information") };
        let value = expr(names, value);
        names.vars.insert(name.to_owned(), var.clone());
        return MatchCast::new(var, value, parse_info(&mut names.shapes, info)).into();
    }
    // A local function may call itself.
    if right.starts_with("fn") {
        names.vars.insert(name.to_owned(), var.clone());
    }
    let value = expr(names, right);
    names.vars.insert(name.to_owned(), var.clone());
    VarBinding::new(var, value).into()
}

fn exprs(names: &mut Names, text: &str) -> Vec<RelaxExpr> {
    split(text, ',').into_iter().map(|text| expr(names, text)).collect()
}

fn sequence(names: &mut Names, text: &str) -> SeqExpr {
    SeqExpr::new(Array::<BindingBlock>::new([]), expr(names, text))
}

fn expr(names: &mut Names, text: &str) -> RelaxExpr {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix("if ") {
        let parts = rest.split_once(" { ").and_then(|(cond, rest)| {
            let (if_true, rest) = rest.split_once(" } else { ")?;
            Some((cond, if_true, rest.strip_suffix(" }")?))
        });
        let (cond, if_true, if_false) = parts.unwrap_or_else(|| panic!("cannot read `{text}`"));
        return If::new(expr(names, cond), sequence(names, if_true), sequence(names, if_false)).into();
    }
    if let Some(rest) = text.strip_prefix("fn") {
        let (signature, body) = rest.split_once(" { ").expect("a body");
        let (mark, signature) = signature.split_at(signature.find('(').expect("parameters"));
        return function(names, mark, signature, &[body.strip_suffix(" }").expect("a closing brace")]).into();
    }
    let (text, sinfo_args) = text.strip_suffix(']').and_then(|text| text.split_once(" [")).unwrap_or((text, ""));
    if let Some(call) = text.strip_suffix(')') {
        let (callee, args) = call.split_once('(').unwrap_or_else(|| panic!("cannot read `{text}`"));
        let args = exprs(names, args);
        if callee.is_empty() {
            return Tuple::new(args).into();
        }
        let sinfo_args = split(sinfo_args, ',').into_iter().map(|info| parse_info(&mut names.shapes, info));
        let sinfo_args: Vec<_> = sinfo_args.collect();
        return Call::new(expr(names, callee), args, None, sinfo_args).into();
    }
    if let Some(name) = text.strip_prefix('@') {
        return global(names, name).into();
    }
    if text.starts_with("relax.") {
        return Op::get(text).unwrap_or_else(|error| panic!("{error}")).into();
    }
    if let Some(name) = text.strip_prefix("extern.") {
        return ExternFunc::new(DictAttrs::new(Map::new([])), name).into();
    }
    if let Some((tuple, index)) = text.rsplit_once('.') {
        return TupleGetItem::new(expr(names, tuple), index.parse::<i64>().expect("an index")).into();
    }
    names.vars.get(text).unwrap_or_else(|| panic!("no variable `{text}`")).into()
}

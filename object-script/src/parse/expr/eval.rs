//! [`eval`]: the value of an expression.

use std::rc::Rc;

use object_core::stack_budget::with_stack;
use object_ir::ir::GlobalVar;
use ruff_python_ast::{Comprehension, Expr, ExprCall, ExprLambda, Identifier};
use ruff_text_size::{Ranged, TextRange};

use crate::parse::expr::{attribute, literal, operator, subscript};
use crate::parse::state::call::{Argument, Call};
use crate::parse::state::log::LoggedCall;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::{SliceValue, Value};

/// The largest number of elements of a comprehension.
const MAX_ELEMENTS: usize = 1 << 16;

/// The value of an expression.
///
/// # Errors
/// Reports errors in the expression.
pub(crate) fn eval(p: &mut Parser<'_>, expr: &Expr) -> Eval<Value> {
    match expr {
        Expr::NumberLiteral(literal) => literal::number(p, literal),
        Expr::StringLiteral(literal) => Ok(literal::string(p, literal)),
        Expr::BooleanLiteral(literal) => Ok(Value::Bool(literal.value)),
        Expr::NoneLiteral(_) => Ok(Value::None),
        Expr::EllipsisLiteral(_) => Ok(Value::Ellipsis),
        Expr::Name(name) => self::name(p, name.id.as_str(), name.range),
        _ => with_stack(|| compound(p, expr)),
    }
}

/// The value of an expression with its place.
///
/// # Errors
/// Reports errors in the expression.
pub(crate) fn argument(p: &mut Parser<'_>, expr: &Expr) -> Eval<Argument> {
    Ok(Argument { value: eval(p, expr)?, range: expr.range() })
}

/// The help for a text that was printed without the values that it refers to.
const METADATA_HINT: &str = "print the program with `show_meta=True`, or by `objir print --show-meta`, so that its text begins with the values to which \
     `metadata` refers";

/// Whether a name that no statement defines is a function of Python.
pub(crate) fn is_python_function(name: &str) -> bool {
    PYTHON_FUNCTIONS.contains(&name)
}

fn name(p: &mut Parser<'_>, name: &str, range: TextRange) -> Eval<Value> {
    if p.log.is_some() {
        p.log_use(name, range);
    }
    if let Some(value) = p.names.get(name) {
        return if matches!(value, Value::Unknown) { Err(p.follow_up()) } else { Ok(value.clone()) };
    }
    if let Some(function) = PYTHON_FUNCTIONS.iter().find(|known| **known == name) {
        return Ok(Value::Path((*function).into()));
    }
    let hint = if name == "metadata" {
        Some(METADATA_HINT.to_owned())
    } else {
        // A name of one letter is near to every other one. `retrun(x)` is a call for Python.
        p.near(name, p.names.iter().filter(|known| known.len() > 1)).or_else(|| p.near(name, ["return"]))
    };
    Err(p.error_with_hint(range, format!("the name `{name}` is not defined"), hint))
}

/// The functions of Python that scripts may call.
const PYTHON_FUNCTIONS: [&str; 10] = ["range", "len", "int", "float", "bool", "min", "max", "list", "tuple", "str"];

fn compound(p: &mut Parser<'_>, expr: &Expr) -> Eval<Value> {
    match expr {
        Expr::Attribute(member) => {
            let value = argument(p, &member.value)?;
            attribute::attribute(p, &value, member.attr.as_str(), member.range)
        }
        Expr::Call(call) => eval_call(p, call),
        Expr::Tuple(tuple) => Ok(Value::Tuple(items(p, &tuple.elts)?)),
        Expr::List(list) => Ok(Value::List(items(p, &list.elts)?)),
        Expr::Dict(dict) => {
            let entries: Vec<Eval<(Value, Value)>> = dict
                .items
                .iter()
                .map(|item| match &item.key {
                    Some(key) => Ok((eval(p, key)?, eval(p, &item.value)?)),
                    None => Err(p.error(item.value.range(), "`**` in a dict is not supported")),
                })
                .collect();
            Ok(Value::Dict(entries.into_iter().collect::<Eval<Vec<_>>>()?.into()))
        }
        Expr::BinOp(_) => chain(p, expr),
        Expr::UnaryOp(unary) => {
            let operand = argument(p, &unary.operand)?;
            operator::unary(p, unary.op, &operand, unary.range)
        }
        Expr::BoolOp(operation) => {
            let mut values = operation.values.iter();
            let Some(first) = values.next() else { return Ok(Value::None) };
            let mut result = argument(p, first)?;
            for value in values {
                let second = argument(p, value)?;
                let value = operator::logical(p, operation.op, &result, &second, operation.range)?;
                result = Argument { value, range: operation.range };
            }
            Ok(result.value)
        }
        Expr::Compare(comparison) => {
            let mut left = argument(p, &comparison.left)?;
            let mut result: Option<Argument> = None;
            for (op, right) in comparison.ops.iter().zip(&comparison.comparators) {
                let right = argument(p, right)?;
                let value = operator::compare(p, *op, &left, &right, comparison.range)?;
                let link = Argument { value, range: comparison.range };
                result = Some(match result {
                    None => link,
                    Some(before) => {
                        let value =
                            operator::logical(p, ruff_python_ast::BoolOp::And, &before, &link, comparison.range)?;
                        Argument { value, range: comparison.range }
                    }
                });
                left = right;
            }
            Ok(result.map_or(Value::None, |result| result.value))
        }
        Expr::If(branch) => {
            let test = argument(p, &branch.test)?;
            match operator::truth(&test.value) {
                Some(true) => eval(p, &branch.body),
                Some(false) => eval(p, &branch.orelse),
                None => {
                    let (body, orelse) = (argument(p, &branch.body)?, argument(p, &branch.orelse)?);
                    let call = Call::new("T.if_then_else".to_owned(), branch.range, vec![test, body, orelse], vec![]);
                    call_named(p, "T.if_then_else", &call)
                }
            }
        }
        Expr::Subscript(element) => {
            let (value, index) = (argument(p, &element.value)?, argument(p, &element.slice)?);
            subscript::subscript(p, &value, &index, element.range)
        }
        Expr::Slice(slice) => {
            let mut bound = |bound: &Option<Box<Expr>>| bound.as_deref().map_or(Ok(Value::None), |it| eval(p, it));
            let (lower, upper, step) = (bound(&slice.lower)?, bound(&slice.upper)?, bound(&slice.step)?);
            Ok(Value::Slice(Rc::new(SliceValue { lower, upper, step })))
        }
        Expr::Lambda(lambda) => Ok(Value::Lambda(Rc::new(lambda.clone()))),
        Expr::ListComp(list) => comprehension(p, &list.elt, &list.generators).map(Value::List),
        Expr::Generator(list) => comprehension(p, &list.elt, &list.generators).map(Value::List),
        other => Err(p.error(other.range(), "this form of Python is not part of scripts")),
    }
}

/// Elements of a tuple or a list, of which `*a` stands for the elements of `a`.
fn items(p: &mut Parser<'_>, exprs: &[Expr]) -> Eval<Rc<[Value]>> {
    let mut values = Vec::with_capacity(exprs.len());
    let mut error = None;
    for expr in exprs {
        let result = match expr {
            Expr::Starred(starred) => {
                starred_items(p, &starred.value).map(|items| values.extend(items.iter().cloned()))
            }
            expr => eval(p, expr).map(|value| values.push(value)),
        };
        error = result.err().or(error);
    }
    match error {
        None => Ok(values.into()),
        Some(error) => Err(error),
    }
}

fn starred_items(p: &mut Parser<'_>, expr: &Expr) -> Eval<Rc<[Value]>> {
    let value = eval(p, expr)?;
    value.items().ok_or_else(|| p.expected(expr.range(), "a tuple or a list", &value))
}

/// Binary operations. A long sum is deep in its first operands, so these are evaluated in a loop.
fn chain(p: &mut Parser<'_>, expr: &Expr) -> Eval<Value> {
    let (mut links, mut first) = (Vec::new(), expr);
    while let Expr::BinOp(link) = first {
        links.push(link);
        first = &link.left;
    }
    let mut left = argument(p, first)?;
    for link in links.into_iter().rev() {
        let right = argument(p, &link.right)?;
        let value = operator::binary(p, link.op, &left, &right, link.range)?;
        left = Argument { value, range: link.range };
    }
    Ok(left.value)
}

/// The functions whose first argument is a function of the module.
const LOOP_CALLS: [&str; 5] =
    ["R.call_tir", "R.call_tir_inplace", "R.call_tir_with_grad", "R.dist.call_tir", "R.dist.call_tir_local_view"];

/// Outside of a module, the printer writes a function of the module as its name.
fn declare_global(p: &mut Parser<'_>, callee: &Value, call: &ExprCall) {
    if let Some(path) = callee.as_path()
        && LOOP_CALLS.contains(&path)
        && !p.is_in_module
        && let Some(Expr::Name(name)) = call.arguments.args.first()
        && p.names.get(name.id.as_str()).is_none()
    {
        p.names.set_outermost(name.id.as_str(), Value::object(GlobalVar::new(name.id.as_str())));
    }
}

fn eval_call(p: &mut Parser<'_>, call: &ExprCall) -> Eval<Value> {
    let callee = eval(p, &call.func);
    if let Ok(callee) = &callee {
        declare_global(p, callee, call);
    }
    // The arguments have errors of their own, which count also if the callee has one.
    let (mut args, mut keywords, mut error) = (Vec::with_capacity(call.arguments.args.len()), Vec::new(), None);
    for expr in &call.arguments.args {
        let result = match expr {
            Expr::Starred(starred) => starred_items(p, &starred.value).map(|items| {
                args.extend(items.iter().map(|value| Argument { value: value.clone(), range: expr.range() }));
            }),
            expr => argument(p, expr).map(|argument| args.push(argument)),
        };
        error = result.err().or(error);
    }
    for keyword in &call.arguments.keywords {
        let Some(name) = &keyword.arg else {
            error = Some(p.error(keyword.range, "`**` in a call is not supported"));
            continue;
        };
        match argument(p, &keyword.value) {
            Ok(argument) => keywords.push((name.id.clone(), argument)),
            Err(reported) => error = Some(reported),
        }
    }
    let callee = callee?;
    if let Some(error) = error {
        return Err(error);
    }
    let name = match &callee {
        Value::Path(path) => path.to_string(),
        Value::Method(method) => method.1.clone(),
        other => other.describe(),
    };
    let function = call.func.range();
    let call = Call::new(name, call.range(), args, keywords);
    let result = call_value(p, &callee, &call)?;
    if p.place.is_none()
        && let Some(log) = &mut p.log
        && let Value::Object(value) = &result
    {
        log.current.calls.push(LoggedCall { callee: function, value: value.clone() });
    }
    Ok(result)
}

/// The result of a call.
///
/// # Errors
/// Reports errors of the call.
pub(crate) fn call_value(p: &mut Parser<'_>, callee: &Value, call: &Call) -> Eval<Value> {
    match callee {
        Value::Path(path) => call_named(p, path, call),
        Value::Lambda(lambda) => {
            let args: Vec<Value> = call.rest().iter().map(|argument| argument.value.clone()).collect();
            call_lambda(p, lambda, &args, call.range)
        }
        Value::Object(_) | Value::Method(_) => {
            let function = p.languages.operations(p.language).call;
            function(p, callee, call)
        }
        Value::Unknown => Err(p.follow_up()),
        other => Err(p.expected(call.range, "a function", other)),
    }
}

/// The result of a call of a function by name.
fn call_named(p: &mut Parser<'_>, path: &str, call: &Call) -> Eval<Value> {
    if let Some(function) = (p.languages.builtin)(path) {
        return function(p, call);
    }
    let prefix = path.find('.').map_or("", |dot| &path[..=dot]);
    let names = (p.languages.builtin_names)(prefix);
    let hint = p.near(path, names.iter().map(String::as_str));
    Err(p.error_with_hint(call.range, format!("the function `{path}` is not known"), hint))
}

/// The value of a lambda for arguments.
///
/// # Errors
/// Reports a wrong number of arguments, and errors in the body.
pub(crate) fn call_lambda(p: &mut Parser<'_>, lambda: &ExprLambda, args: &[Value], range: TextRange) -> Eval<Value> {
    let params: Vec<&Identifier> =
        lambda.parameters.iter().flat_map(|it| it.args.iter()).map(|it| &it.parameter.name).collect();
    let variadic = lambda.parameters.as_ref().and_then(|it| it.vararg.as_deref()).map(|it| &it.name);
    if params.len() > args.len() || (variadic.is_none() && params.len() < args.len()) {
        let message = format!("the lambda takes {} arguments, got {}", params.len(), args.len());
        return Err(p.error(range, message));
    }
    p.in_frame(|p| {
        for (name, value) in params.iter().zip(args) {
            p.define(name.as_str(), value.clone(), name.range);
        }
        if let Some(name) = variadic {
            p.define(name.as_str(), Value::Tuple(args[params.len()..].into()), name.range);
        }
        eval(p, &lambda.body)
    })
}

/// The number of parameters of a lambda.
#[allow(dead_code, reason = "loop programs read it")]
pub(crate) fn lambda_arity(lambda: &ExprLambda) -> usize {
    lambda.parameters.as_ref().map_or(0, |it| it.args.len())
}

fn comprehension(p: &mut Parser<'_>, element: &Expr, generators: &[Comprehension]) -> Eval<Rc<[Value]>> {
    let [generator] = generators else {
        return Err(p.error(element.range(), "expected a comprehension with one `for`"));
    };
    let Expr::Name(target) = &generator.target else {
        return Err(p.error(generator.target.range(), "expected a name"));
    };
    let items = starred_items(p, &generator.iter)?;
    if items.len() > MAX_ELEMENTS {
        return Err(p.error(generator.iter.range(), format!("expected at most {MAX_ELEMENTS} elements")));
    }
    p.in_frame(|p| {
        let mut values = Vec::new();
        'items: for item in items.iter() {
            p.define(target.id.as_str(), item.clone(), target.range);
            for condition in &generator.ifs {
                let value = argument(p, condition)?;
                match operator::truth(&value.value) {
                    Some(true) => {}
                    Some(false) => continue 'items,
                    None => return Err(value.expected(p, "a condition of Python")),
                }
            }
            values.push(eval(p, element)?);
        }
        Ok(values.into())
    })
}

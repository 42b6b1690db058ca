//! Decorators: the language of a definition, and its options.

use ruff_python_ast::{Decorator, Expr, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange};

use crate::parse::expr::eval::eval;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::value::Value;

/// The decorators of modules.
pub(crate) const MODULE_DECORATORS: [&str; 2] = ["I.ir_module", "tvm.script.ir_module"];

/// The decorator of a definition: its function, such as `R.function`, and its keyword arguments.
#[derive(Clone, Debug)]
pub(crate) struct Decoration {
    pub(crate) path: String,
    pub(crate) range: TextRange,
    options: Vec<(String, Value, TextRange)>,
}

impl Decoration {
    /// The option `name`, which is `True` or `False`.
    ///
    /// # Errors
    /// Reports another value.
    pub(crate) fn option(&self, p: &mut Parser<'_>, name: &str, default: bool) -> Eval<bool> {
        match self.options.iter().find(|(known, ..)| known == name) {
            None => Ok(default),
            Some((_, Value::Bool(value), _)) => Ok(*value),
            Some((_, value, range)) => Err(p.expected(*range, "`True` or `False`", value)),
        }
    }

    /// Reports options that are not among `known`.
    ///
    /// # Errors
    /// There is such an option.
    pub(crate) fn check_options(&self, p: &mut Parser<'_>, known: &[&str]) -> Eval<()> {
        match self.options.iter().find(|(name, ..)| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some((name, _, range)) => {
                let hint = p.near(name, known.iter().copied());
                Err(p.error_with_hint(*range, format!("`{}` does not have the option `{name}`", self.path), hint))
            }
        }
    }
}

/// The decorator that determines the language: the last one, as in TVM.
///
/// # Errors
/// Reports a definition without decorator.
pub(crate) fn of(p: &mut Parser<'_>, decorators: &[Decorator], name: TextRange) -> Eval<Decoration> {
    let Some(decorator) = decorators.last() else {
        let hint = Some("write `@R.function`, `@T.prim_func` or `@I.ir_module` before it".to_owned());
        return Err(p.error_with_hint(name, "the definition does not have a decorator", hint));
    };
    let (callee, arguments) = match &decorator.expression {
        Expr::Call(call) => (&*call.func, Some(&call.arguments)),
        other => (other, None),
    };
    let value = eval(p, callee)?;
    let Value::Path(path) = &value else {
        return Err(p.expected(callee.range(), "a decorator such as `R.function`", &value));
    };
    let mut options = Vec::new();
    for keyword in arguments.iter().flat_map(|it| it.keywords.iter()) {
        let value = eval(p, &keyword.value)?;
        let name = keyword.arg.as_ref().map_or(String::new(), |name| name.to_string());
        options.push((name, value, keyword.range));
    }
    if let Some(argument) = arguments.and_then(|it| it.args.first()) {
        return Err(p.error(argument.range(), format!("`{path}` takes its options by name")));
    }
    Ok(Decoration { path: path.to_string(), range: decorator.range, options })
}

/// The decorator of a function.
///
/// # Errors
/// Reports a function without decorator, and one with `async` or type parameters.
pub(crate) fn of_function(p: &mut Parser<'_>, function: &StmtFunctionDef) -> Eval<Decoration> {
    if function.is_async || function.type_params.is_some() {
        return Err(p.error(function.name.range, "expected a plain `def`, got `async` or type parameters"));
    }
    of(p, &function.decorator_list, function.name.range)
}

//! Reading from the root: imports, definitions, and the options of reading.

use object_core::diagnostic::Errors;
use object_core::{Any, Array, ObjectHandle};
use object_ir::tvm::{TvmVersion, scalars_after_outputs};
use object_python_syntax::with_tree;
use ruff_python_ast::{Expr, Stmt, StmtAssign};
use ruff_text_size::{Ranged, TextRange};

use crate::memory::EXACT;
use crate::parse::diagnostic::{malformed, of_faults};
use crate::parse::expr::eval::eval;
use crate::parse::ir::decorator::{self, MODULE_DECORATORS};
use crate::parse::ir::{logged, module};
use crate::parse::state::call::Argument;
use crate::parse::state::log::content_range;
use crate::parse::state::parser::{Eval, Parser};
use crate::parse::table::{FUNCTION_LANGUAGES, LANGUAGES};
use crate::parse::value::Value;
use crate::parse::{relax, tir};
use crate::words::{of_version, version_of};

/// Reads TVMScript, with the options of printing that a text may depend on.
#[derive(Clone, Debug)]
pub struct ScriptParser {
    pub(super) prefixes: [(String, &'static str); 3],
    version: Option<TvmVersion>,
}

impl Default for ScriptParser {
    fn default() -> Self {
        ScriptParser { prefixes: [("I".to_owned(), "I"), ("T".to_owned(), "T"), ("R".to_owned(), "R")], version: None }
    }
}

/// Reads a script, with the default options of [`ScriptParser`].
///
/// # Errors
/// All errors of the text.
pub fn parse(source: &str) -> Result<Any, Errors> {
    ScriptParser::new().parse(source)
}

impl ScriptParser {
    /// The default options, which are the ones of [`ScriptPrinter`](crate::print::ScriptPrinter).
    #[must_use]
    pub fn new() -> Self {
        ScriptParser::default()
    }

    /// The version of TVM that all texts are of. By default, the words of a text determine it ([`version_of`]).
    ///
    /// [`version_of`]: crate::parse::version_of
    #[must_use]
    pub fn version(self, version: TvmVersion) -> Self {
        ScriptParser { version: Some(version), ..self }
    }

    /// The prefix of module-level names, `I` by default.
    #[must_use]
    pub fn ir_prefix(self, prefix: impl Into<String>) -> Self {
        self.prefix(0, prefix.into())
    }

    /// The prefix of names of TIR, `T` by default.
    #[must_use]
    pub fn tir_prefix(self, prefix: impl Into<String>) -> Self {
        self.prefix(1, prefix.into())
    }

    /// The prefix of names of Relax, `R` by default.
    #[must_use]
    pub fn relax_prefix(self, prefix: impl Into<String>) -> Self {
        self.prefix(2, prefix.into())
    }

    fn prefix(mut self, index: usize, prefix: String) -> Self {
        self.prefixes[index].0 = prefix;
        self
    }

    /// Reads a script: a module, a function, or an expression.
    ///
    /// # Errors
    /// All errors of the text.
    pub fn parse(&self, source: &str) -> Result<Any, Errors> {
        let result = with_tree(source, |tree, errors| {
            if !errors.is_empty() {
                return Err(of_faults(errors, source));
            }
            let words = of_version(self.version.unwrap_or_else(|| version_of(source)));
            let mut p = Parser::new(source, words, &LANGUAGES);
            begin(&mut p, &self.prefixes);
            let result = match tir::alone::statements(&mut p, &tree.body) {
                Some(stmt) => Some(Any::Object(stmt.as_object().clone())),
                None => contents(&mut p, &tree.body),
            };
            if !p.diagnostics.is_empty() {
                return Err(p.diagnostics);
            }
            let end = tree.range.end().to_usize();
            let at_end = |message: &str| vec![malformed(end..end, message)];
            let result = result.ok_or_else(|| at_end("expected a module, a function or an expression"))?;
            if !words.has_one_scalar {
                return Ok(result);
            }
            scalars_after_outputs(&result).map_err(|error| at_end(error.message()))
        });
        result.map_err(|errors| Errors::new(errors, source))
    }
}

/// Defines the names that every script has: the prefixes of languages, and what its comments say.
pub(super) fn begin<'p>(p: &mut Parser<'_>, prefixes: impl IntoIterator<Item = &'p (String, &'static str)>) {
    p.names.begin();
    for (prefix, language) in prefixes {
        p.names.set(prefix, Value::Path((*language).into()));
    }
    p.names.set("tvm", Value::Path("tvm".into()));
    p.names.set("TypeVar", Value::Path(TYPE_VAR.into()));
    header(p, p.source);
}

/// The prefixes in comments such as `# from tvm.script import relax as R`, with which a printed script begins.
fn header(p: &mut Parser<'_>, source: &str) {
    for line in
        source.lines().take_while(|line| line.starts_with('#') || line.starts_with("metadata") || line.is_empty())
    {
        p.is_exact |= line == EXACT;
        if let Some((language, prefix)) =
            line.strip_prefix("# from tvm.script import ").and_then(|rest| rest.split_once(" as "))
        {
            import(p, "tvm.script", language.trim(), prefix.trim());
        }
    }
}

/// The function of Python that makes type variables.
const TYPE_VAR: &str = "typing.TypeVar";

/// Whether the expression makes a type variable.
pub(super) fn is_type_var(p: &Parser<'_>, expr: &Expr) -> bool {
    let Expr::Call(call) = expr else { return false };
    match &*call.func {
        Expr::Name(name) => p.names.get(name.id.as_str()).and_then(Value::as_path) == Some(TYPE_VAR),
        Expr::Attribute(member) => member.attr.as_str() == "TypeVar",
        _ => false,
    }
}

/// `n = TypeVar("n")`: a dimension of the signatures that follow.
pub(super) fn type_var(p: &mut Parser<'_>, assign: &StmtAssign) -> Eval<()> {
    let ([Expr::Name(target)], Expr::Call(call)) = (&*assign.targets, &*assign.value) else {
        return Err(p.error(assign.range, "expected one name for the type variable"));
    };
    let is_named = |expr: &Expr| matches!(expr, Expr::StringLiteral(text) if text.value.to_str() == target.id.as_str());
    if !(call.arguments.keywords.is_empty() && matches!(&*call.arguments.args, [name] if is_named(name))) {
        let name = target.id.as_str();
        let message =
            format!("expected `TypeVar(\"{name}\")`: a type variable has the name of its target, and nothing else");
        return Err(p.error(call.range(), message));
    }
    let place = p.log.is_some().then_some(target.range);
    p.names.set_at(target.id.as_str(), Value::TypeVar, None);
    if let Some(place) = place {
        p.define(target.id.as_str(), Value::TypeVar, place);
        if let Some(written) = content_range(p.source, target.id.as_str(), call.arguments.args[0].range()) {
            p.log_use(target.id.as_str(), written);
        }
    }
    Ok(())
}

/// Gives `alias` the meaning of an imported name.
fn import(p: &mut Parser<'_>, module: &str, name: &str, alias: &str) {
    let path = match (module, name) {
        ("tvm.script", "ir") | ("tvm.script.parser", "ir") => "I".to_owned(),
        ("tvm.script", "tir" | "tirx") | ("tvm.script.parser", "tir" | "tirx") => "T".to_owned(),
        ("tvm.script", "relax") | ("tvm.script.parser", "relax") => "R".to_owned(),
        _ if module.is_empty() => name.to_owned(),
        _ => format!("{module}.{name}"),
    };
    p.names.set(alias, Value::Path(path.into()));
}

/// The result of the statements of a text.
fn contents(p: &mut Parser<'_>, body: &[Stmt]) -> Option<Any> {
    let is_sequence = body.iter().any(|statement| match statement {
        Stmt::AnnAssign(it) => it.value.is_some(),
        Stmt::With(_) | Stmt::If(_) => true,
        _ => false,
    });
    if is_sequence {
        return relax::function::sequence(p, body).ok().map(|sequence| Any::Object(sequence.as_object().clone()));
    }
    let mut result = None;
    for statement in body {
        // An error is among the diagnostics, and the next statement has errors of its own.
        if let Ok(Some(value)) = top_level(p, statement) {
            if result.is_some() && !matches!(statement, Stmt::Expr(_)) {
                p.error(statement.range(), "expected one module or function, got another one");
            }
            result = Some(value);
        }
    }
    result
}

/// The value of the last expression of a text.
fn root(p: &mut Parser<'_>, value: Value, range: TextRange) -> Eval<Any> {
    let value = match value {
        Value::Path(_) => Value::object(relax::struct_info::info(p, &Argument { value, range })?),
        Value::Tuple(items) => {
            let items: Eval<Vec<Any>> = items.iter().map(|item| root(p, item.clone(), range)).collect();
            return Ok(Any::from(Array::<Any>::new(items?)));
        }
        other => other,
    };
    match value.to_any() {
        Some(value) => Ok(value),
        None => Err(p.expected(range, "a value of the IR", &value)),
    }
}

/// A statement outside of definitions, and its result if it is a definition or an expression.
pub(super) fn top_level(p: &mut Parser<'_>, statement: &Stmt) -> Eval<Option<Any>> {
    match statement {
        Stmt::Import(statement) => {
            for alias in &statement.names {
                let name = alias.name.as_str();
                match &alias.asname {
                    Some(asname) => import(p, "", name, asname.as_str()),
                    None => {
                        let root = name.split('.').next().unwrap_or(name);
                        import(p, "", root, root);
                    }
                }
            }
            Ok(None)
        }
        Stmt::ImportFrom(statement) => {
            let module = statement.module.as_ref().map_or("", |module| module.as_str());
            for alias in &statement.names {
                let asname = alias.asname.as_ref().unwrap_or(&alias.name);
                import(p, module, alias.name.as_str(), asname.as_str());
            }
            Ok(None)
        }
        Stmt::ClassDef(class) => {
            let decoration = decorator::of(p, &class.decorator_list, class.name.range)?;
            if !MODULE_DECORATORS.contains(&decoration.path.as_str()) {
                return Err(p.error(decoration.range, format!("expected `@I.ir_module`, got `@{}`", decoration.path)));
            }
            let module = module::module(p, class, &FUNCTION_LANGUAGES)?;
            Ok(Some(Any::Object(module.as_object().clone())))
        }
        Stmt::FunctionDef(function) => {
            let function = logged::define(p, function, None, |p| {
                let decoration = decorator::of_function(p, function)?;
                (FUNCTION_LANGUAGES.define)(p, function, &decoration)
            })?;
            Ok(Some(Any::Object(function.as_object().clone())))
        }
        Stmt::AnnAssign(assign) => relax::binding::annotated(p, assign).map(|()| None),
        Stmt::Assign(assign) if is_type_var(p, &assign.value) => type_var(p, assign).map(|()| None),
        Stmt::Assign(assign) => {
            let value = eval(p, &assign.value);
            for target in &assign.targets {
                let Expr::Name(name) = target else {
                    return Err(p.error(target.range(), "expected a name"));
                };
                let value = value.clone().unwrap_or(Value::Unknown);
                let named = relax::signature::named_var(&value, name.id.as_str());
                p.names.set(name.id.as_str(), named.unwrap_or(value));
            }
            value.map(|_| None)
        }
        Stmt::Expr(expr) if expr.value.is_string_literal_expr() => Ok(None),
        Stmt::Expr(expr) => {
            let value = eval(p, &expr.value)?;
            root(p, value, expr.range).map(Some)
        }
        Stmt::Pass(_) => Ok(None),
        other => Err(p.error(other.range(), "expected a definition, an import or an assignment")),
    }
}

//! [`with_parts`]: the modules and functions of a Python file that are TVMScript, with their values.

use std::ops::Range;

use object_core::Any;
use object_core::diagnostic::Diagnostic;
use object_core::stack_budget::with_stack;
use object_ir::tvm::TvmVersion;
use object_python_syntax::{SyntaxFault, with_tree_and_tokens};
use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_ast::visitor::{Visitor, walk_stmt};
use ruff_python_ast::{Decorator, ExceptHandler, Expr, ModModule, Parameters, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};
use rustc_hash::FxHashSet;

use crate::memory::METADATA_OMITTED;
use crate::parse::diagnostic::{bytes, malformed, of_faults};
use crate::parse::entry::{ScriptParser, begin, is_type_var, top_level, type_var};
use crate::parse::expr::eval::{eval, is_python_function};
use crate::parse::ir::decorator::{self, MODULE_DECORATORS};
use crate::parse::state::log::Log;
use crate::parse::state::parser::Parser;
use crate::parse::table::{FUNCTION_DECORATORS, LANGUAGES};
use crate::parse::value::Value;
use crate::words::{of_version, version_of};

/// The name under which a file has values that no text shows.
const METADATA: &str = "metadata";

/// A module or a function of a file.
pub(crate) struct Part<'t> {
    /// The definition, with its decorators.
    pub(crate) definition: &'t Stmt,
    /// Its name.
    pub(crate) name: &'t str,
    /// The place of the name.
    pub(crate) name_range: Range<usize>,
    /// The value, or the errors of the definition.
    pub(crate) value: Result<Any, Vec<Diagnostic>>,
    /// The names that the file imports for `I`, `T` and `R`.
    pub(crate) prefixes: [String; 3],
    /// The names that stand for values of the definition or of the file, in the order of the text. Imports do not count.
    pub(crate) names: Vec<(&'t str, Range<usize>)>,
}

/// The parts of a file, with its tokens.
pub(crate) struct Parts<'t> {
    pub(crate) all: Vec<Part<'t>>,
    pub(crate) tokens: &'t [Token],
    /// Whether `I`, `T` and `R` have their meaning: the file uses them, or has no imports from TVM at all.
    pub(crate) prefixes: [bool; 3],
    /// Whether a comment says that the script is exact.
    pub(crate) is_exact: bool,
}

/// Reads the parts of `source` and calls `then` with them. `prefixes` says which of `I`, `T` and `R` have their meaning
/// without an import.
///
/// A part is a class with the decorator of modules, or a function with the one of a language, at any place of a file. Imports and
/// assignments before a part and around it are in scope; the other statements are Python, which only hides names. A definition
/// that refers to omitted metadata is not a part.
///
/// # Errors
/// The errors of the syntax.
pub(crate) fn with_parts<R>(
    source: &str,
    prefixes: [bool; 3],
    then: impl FnOnce(&Parts<'_>) -> R,
) -> Result<R, Vec<Diagnostic>> {
    with_tree_and_tokens(source, |tree, tokens, faults| {
        if !faults.is_empty() {
            return Err(of_faults(faults, source));
        }
        let p = Parser::new(source, of_version(version_of(source)), &LANGUAGES);
        Ok(then(&read(p, tree, tokens, prefixes).0))
    })
}

/// Reads the parts of `source` as [`with_parts`] does, also if the syntax has errors, and calls `then` with them, the record of
/// the reading and the errors of the syntax. `before` is the record of the reading before.
///
/// With a skeleton, a text of the same length, the syntax is the one of the skeleton. `log.stubs` are the functions that it has no
/// bodies of; [`Log::needs_bodies`] says afterwards whether their bodies are needed.
pub(crate) fn with_logged_parts<R>(
    source: &str,
    skeleton: Option<&str>,
    stubs: FxHashSet<TextSize>,
    before: Log,
    then: impl FnOnce(&Parts<'_>, Log, Vec<Diagnostic>) -> R,
) -> R {
    with_tree_and_tokens(skeleton.unwrap_or(source), |tree, tokens, faults| {
        if !has_all(&tree.body, &stubs) {
            let parts = Parts { all: Vec::new(), tokens, prefixes: [true; 3], is_exact: false };
            return then(&parts, before.unused(), of_faults(faults, source));
        }
        let version = version_of(source);
        let mut log = before.following(surroundings(source, &tree.body, version), !faults.is_empty());
        log.version = Some(version);
        let place = |fault: &SyntaxFault| {
            let offset = |at: usize| TextSize::try_from(at).unwrap_or_default();
            TextRange::new(offset(fault.range.start), offset(fault.range.end))
        };
        log.faults = faults.iter().map(place).collect();
        log.stubs = stubs;
        let faults = of_faults(faults, source);
        let p = Parser { log: Some(Box::new(log)), ..Parser::new(source, of_version(version), &LANGUAGES) };
        let (parts, log) = read(p, tree, tokens, [true; 3]);
        then(&parts, log.map_or_else(Log::default, |log| *log), faults)
    })
}

/// Whether the tree has a function at each of the places.
fn has_all(body: &[Stmt], starts: &FxHashSet<TextSize>) -> bool {
    let members = body.iter().flat_map(|stmt| std::iter::once(stmt).chain(members_of(stmt)));
    let functions = members.filter_map(Stmt::as_function_def_stmt);
    functions.filter(|function| starts.contains(&function.range.start())).count() == starts.len()
}

fn read<'t>(
    mut p: Parser<'t>,
    tree: &'t ModModule,
    tokens: &'t [Token],
    prefixes: [bool; 3],
) -> (Parts<'t>, Option<Box<Log>>) {
    let source = p.source;
    begin(&mut p, ScriptParser::new().prefixes.iter().zip(prefixes).filter(|(_, is_known)| *is_known).map(|it| it.0));
    let is_exact = p.is_exact;
    let omits = |token: &Token| source[token.range()].strip_prefix("# ") == Some(METADATA_OMITTED);
    let omits_metadata = tokens.iter().any(|token| token.kind() == TokenKind::Comment && omits(token));
    let (parts, aliases) = (Vec::new(), Vec::new());
    let mut reader = Reader { p, source, tokens, parts, aliases, has_imports: false, omits_metadata };
    reader.visit_body(&tree.body);
    let used = |name: &str| tokens.iter().any(|it| it.kind() == TokenKind::Name && &source[it.range()] == name);
    let prefixes = ["I", "T", "R"].map(|prefix| !reader.has_imports || used(prefix));
    (Parts { all: reader.parts, tokens, prefixes, is_exact }, reader.p.log)
}

/// The text outside of the functions with decorators, with the names of these functions and the version of TVM.
fn surroundings(source: &str, body: &[Stmt], version: TvmVersion) -> String {
    let (mut text, mut end) = (format!("{version:?}\n"), 0);
    let members = body.iter().flat_map(|stmt| std::iter::once(stmt).chain(members_of(stmt)));
    for function in members.filter_map(Stmt::as_function_def_stmt) {
        if !function.decorator_list.is_empty() {
            let range = bytes(function.range);
            text.push_str(source.get(end..range.start).unwrap_or_default());
            text.push_str(&function.name);
            end = range.end;
        }
    }
    text.push_str(source.get(end..).unwrap_or_default());
    text
}

/// The statements of a class.
fn members_of(stmt: &Stmt) -> &[Stmt] {
    stmt.as_class_def_stmt().map_or(&[], |class| &class.body)
}

/// The tokens that begin in `range`.
pub(crate) fn tokens_in<'t>(tokens: &'t [Token], range: &Range<usize>) -> &'t [Token] {
    let before = |offset: usize| tokens.partition_point(|token| token.start().to_usize() < offset);
    &tokens[before(range.start)..before(range.end)]
}

/// The tokens that name values: no members and no keywords of calls.
pub(crate) fn names<'t>(source: &'t str, tokens: &[Token]) -> Vec<(&'t str, Range<usize>)> {
    let code: Vec<&Token> = tokens.iter().filter(|token| !token.kind().is_trivia()).collect();
    let (mut depth, mut names) = (0_usize, Vec::new());
    for (index, token) in code.iter().enumerate() {
        match token.kind() {
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => depth += 1,
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => depth = depth.saturating_sub(1),
            TokenKind::Name => {
                let is = |neighbour: Option<&&Token>, kind| neighbour.is_some_and(|it| it.kind() == kind);
                let is_member = is(index.checked_sub(1).and_then(|before| code.get(before)), TokenKind::Dot);
                let is_keyword = depth > 0 && is(code.get(index + 1), TokenKind::Equal);
                if !is_member && !is_keyword {
                    names.push((&source[token.range()], bytes(token.range())));
                }
            }
            _ => {}
        }
    }
    names
}

/// Reads the statements of a file in their order.
struct Reader<'t> {
    p: Parser<'t>,
    source: &'t str,
    tokens: &'t [Token],
    parts: Vec<Part<'t>>,
    /// The imported names of languages in scope.
    aliases: Vec<String>,
    /// Whether the file imports a part of TVM.
    has_imports: bool,
    /// Whether a comment says that the text omits its metadata.
    omits_metadata: bool,
}

impl<'t> Reader<'t> {
    /// Reads a definition if its decorator is one of TVMScript. Otherwise, its name hides others.
    fn definition(
        &mut self,
        stmt: &'t Stmt,
        name: &'t ruff_python_ast::Identifier,
        decorators: &'t [Decorator],
    ) -> bool {
        let known: &[&str] = if stmt.is_class_def_stmt() { &MODULE_DECORATORS } else { &FUNCTION_DECORATORS };
        let is_part = !decorators.is_empty()
            && self.quietly(|p| {
                decorator::of(p, decorators, name.range).is_ok_and(|it| known.contains(&it.path.as_str()))
            });
        if is_part {
            self.part(stmt, name);
        }
        self.p.names.set(name.as_str(), Value::Unknown);
        is_part
    }

    /// The result of `f`, whose errors do not count.
    fn quietly<T>(&mut self, f: impl FnOnce(&mut Parser<'t>) -> T) -> T {
        let outer = std::mem::take(&mut self.p.diagnostics);
        let was_quiet = std::mem::replace(&mut self.p.is_quiet, true);
        let result = f(&mut self.p);
        self.p.is_quiet = was_quiet;
        self.p.diagnostics = outer;
        result
    }

    fn part(&mut self, stmt: &'t Stmt, name: &'t ruff_python_ast::Identifier) {
        let tokens = tokens_in(self.tokens, &(name.start().to_usize()..stmt.end().to_usize()));
        let mut names = names(self.source, tokens);
        let is_omitted = self.omits_metadata && self.p.names.get(METADATA).is_none();
        if is_omitted && names.iter().any(|(name, _)| *name == METADATA) {
            return;
        }
        names.retain(|(name, _)| match self.p.names.get(name) {
            Some(value) => value.as_path().is_none() && *name != METADATA,
            None => !is_python_function(name),
        });
        if let Some(log) = &mut self.p.log {
            log.part += 1;
            log.globals.clear();
        }
        let value = self.p.definition(|p| top_level(p, stmt)).and_then(|value| value.ok_or_else(Vec::new));
        // Errors of the syntax explain the missing value.
        let has_fault = self.p.log.as_ref().is_some_and(|log| log.has_fault(stmt.range()));
        let has_reason = |errors: &[Diagnostic]| has_fault || !errors.is_empty();
        let value = value.map_err(|errors| if has_reason(&errors) { errors } else { self.unknown(name, &names) });
        let prefixes = ["I", "T", "R"].map(|language| self.prefix(language));
        let name_range = bytes(name.range);
        self.parts.push(Part { definition: stmt, name: name.as_str(), name_range, value, prefixes, names });
    }

    /// The error of a definition that uses a value which only Python knows.
    fn unknown(&self, definition: &ruff_python_ast::Identifier, names: &[(&str, Range<usize>)]) -> Vec<Diagnostic> {
        let is_unknown = |name: &str| matches!(self.p.names.get(name), Some(Value::Unknown));
        let (name, range) = names
            .iter()
            .find(|(name, _)| is_unknown(name))
            .cloned()
            .unwrap_or((definition.as_str(), bytes(definition.range)));
        let message = format!("`{name}` has a value that only a run of the file determines");
        vec![malformed(range, message)]
    }

    /// The name in scope that stands for a language.
    fn prefix(&self, language: &str) -> String {
        let is_language = |alias: &&String| self.p.names.get(alias).and_then(Value::as_path) == Some(language);
        let aliases = || self.aliases.iter().filter(is_language);
        let found = aliases().find(|alias| *alias == language).or_else(|| aliases().next_back());
        found.cloned().unwrap_or_else(|| language.to_owned())
    }

    fn import(&mut self, stmt: &'t Stmt) {
        let is_tvm = |module: &str| module == "tvm" || module.starts_with("tvm.");
        let names = match stmt {
            Stmt::Import(it) => {
                self.has_imports |= it.names.iter().any(|alias| is_tvm(&alias.name));
                &it.names
            }
            Stmt::ImportFrom(it) => {
                self.has_imports |= it.module.as_ref().is_some_and(|module| is_tvm(module));
                &it.names
            }
            _ => return,
        };
        self.quietly(|p| top_level(p, stmt).is_ok());
        for alias in names {
            self.aliases.push(alias.asname.as_ref().unwrap_or(&alias.name).to_string());
        }
    }

    /// Runs `f` in a scope of Python.
    fn in_scope(&mut self, parameters: Option<&Parameters>, f: impl FnOnce(&mut Self)) {
        let aliases = self.aliases.len();
        self.p.names.begin();
        for parameter in parameters.into_iter().flatten() {
            self.p.names.set(parameter.name().as_str(), Value::Unknown);
        }
        f(self);
        self.p.names.end();
        self.aliases.truncate(aliases);
    }

    fn statement(&mut self, stmt: &'t Stmt) {
        match stmt {
            Stmt::Import(_) | Stmt::ImportFrom(_) => self.import(stmt),
            Stmt::ClassDef(it) => {
                if !self.definition(stmt, &it.name, &it.decorator_list) {
                    self.in_scope(None, |reader| reader.visit_body(&it.body));
                }
            }
            Stmt::FunctionDef(it) => {
                if !self.definition(stmt, &it.name, &it.decorator_list) {
                    self.in_scope(Some(&it.parameters), |reader| reader.visit_body(&it.body));
                }
            }
            Stmt::Assign(it) if is_type_var(&self.p, &it.value) => {
                self.quietly(|p| type_var(p, it).is_ok());
            }
            Stmt::Assign(it) => match &*it.targets {
                [Expr::Name(target)] => {
                    let value = self.quietly(|p| eval(p, &it.value)).unwrap_or(Value::Unknown);
                    self.p.names.set(target.id.as_str(), value);
                }
                _ => walk_stmt(self, stmt),
            },
            _ => walk_stmt(self, stmt),
        }
    }
}

impl<'t> Visitor<'t> for Reader<'t> {
    fn visit_stmt(&mut self, stmt: &'t Stmt) {
        with_stack(|| self.statement(stmt));
    }

    /// Only targets of assignments matter: their names hide others.
    fn visit_expr(&mut self, expr: &'t Expr) {
        match expr {
            Expr::Name(name) if name.ctx.is_store() => self.p.names.set(name.id.as_str(), Value::Unknown),
            Expr::Tuple(it) if it.ctx.is_store() => it.elts.iter().for_each(|it| self.target(it)),
            Expr::List(it) if it.ctx.is_store() => it.elts.iter().for_each(|it| self.target(it)),
            Expr::Starred(it) if it.ctx.is_store() => self.target(&it.value),
            _ => {}
        }
    }

    fn visit_except_handler(&mut self, handler: &'t ExceptHandler) {
        let ExceptHandler::ExceptHandler(it) = handler;
        if let Some(name) = &it.name {
            self.p.names.set(name.as_str(), Value::Unknown);
        }
        self.visit_body(&it.body);
    }
}

impl<'t> Reader<'t> {
    fn target(&mut self, expr: &'t Expr) {
        with_stack(|| self.visit_expr(expr));
    }
}

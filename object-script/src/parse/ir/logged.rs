//! [`define`]: functions with a record of their names, or as an earlier reading has read them.

use std::sync::Arc;

use object_core::ObjectHandle;
use object_ir::ir::{BaseFunc, GlobalVar};
use ruff_python_ast::StmtFunctionDef;
use ruff_text_size::TextRange;
use rustc_hash::FxHashMap;

use crate::parse::state::log::{FunctionLog, Known, Log, ReadFunction};
use crate::parse::state::parser::{Eval, Parser};

/// The function that `read` reads. If an editor wants a record, the function is recorded, and a function without changes is not
/// read again.
///
/// # Errors
/// Reports errors in the definition. A function whose syntax is wrong reports no further errors.
pub(crate) fn define(
    p: &mut Parser<'_>,
    function: &StmtFunctionDef,
    var: Option<&GlobalVar>,
    read: impl FnOnce(&mut Parser<'_>) -> Eval<BaseFunc>,
) -> Eval<BaseFunc> {
    let Some(log) = &p.log else { return read(p) };
    let range = function.range;
    let key = (log.part, text(p, range).to_owned());
    if let Some(known) = log.known.get(&key).filter(|known| is_same(p, known, var)).cloned() {
        return Ok(repeat(p, key, range, known));
    }
    if is_stub(p, function) {
        return Err(p.follow_up());
    }
    let diagnostics = p.diagnostics.len();
    let (result, mut own) = recorded(p, |p| read(p));
    own.end(range);
    let Some(log) = &mut p.log else { return result };
    let has_fault = log.has_fault(range);
    if has_fault {
        p.diagnostics.truncate(diagnostics);
    }
    let used = log.used(&own.globals, &p.global_vars, &p.global_signatures);
    let own = Arc::new(own);
    let value = result.as_ref().ok().filter(|_| !has_fault).cloned();
    if let Some(value) = &value
        && p.diagnostics.len() == diagnostics
        && p.global_infos.is_empty()
    {
        let known = Known { var: var.cloned(), value: value.clone(), log: own.clone(), used };
        log.next.insert(key, Arc::new(known));
    }
    log.functions.push(ReadFunction { range, log: own, value, var: var.cloned(), moved: None });
    if has_fault { Err(p.follow_up()) } else { result }
}

/// Records a function whose signature has errors.
pub(crate) fn fail(p: &mut Parser<'_>, function: &StmtFunctionDef, mut own: FunctionLog, diagnostics: usize) {
    if let Some(log) = &mut p.log {
        let range = function.range;
        if log.has_fault(range) {
            p.diagnostics.truncate(diagnostics);
        }
        own.end(range);
        let own = Arc::new(own);
        log.functions.push(ReadFunction { range, log: own, value: None, var: None, moved: None });
    }
}

/// The result of `read`, and the record of what it reads.
pub(crate) fn recorded<T>(p: &mut Parser<'_>, read: impl FnOnce(&mut Parser<'_>) -> T) -> (T, FunctionLog) {
    let outer = p.log.as_mut().map(|log| std::mem::take(&mut log.current));
    let result = read(p);
    let own = match (&mut p.log, outer) {
        (Some(log), Some(outer)) => std::mem::replace(&mut log.current, outer),
        _ => FunctionLog::default(),
    };
    (result, own)
}

/// Whether the syntax tree lacks the body of a function that has to be read.
pub(crate) fn is_stub(p: &mut Parser<'_>, function: &StmtFunctionDef) -> bool {
    let Some(log) = &mut p.log else { return false };
    let is_stub = log.stubs.contains(&function.range.start());
    log.needs_bodies |= is_stub;
    is_stub
}

/// The variable of a function that an earlier reading has read, if its text is the same.
pub(crate) fn known_var(p: &Parser<'_>, function: &StmtFunctionDef) -> Option<GlobalVar> {
    let log = p.log.as_ref()?;
    let known = log.known.get(&(log.part, text(p, function.range).to_owned()))?;
    known.var.clone()
}

fn text<'p>(p: &Parser<'p>, range: TextRange) -> &'p str {
    p.source.get(range.start().to_usize()..range.end().to_usize()).unwrap_or_default()
}

/// Whether the function would read as before: the functions that it uses have the same signatures.
fn is_same(p: &Parser<'_>, known: &Known, var: Option<&GlobalVar>) -> bool {
    let is_same_var = match (&known.var, var) {
        (Some(known), Some(var)) => known.ptr_eq(var),
        (known, var) => known.is_none() && var.is_none(),
    };
    is_same_var && known.used.iter().all(|it| it.is_same(&p.global_vars, &p.global_signatures))
}

/// Takes a function of an earlier reading.
fn repeat(p: &mut Parser<'_>, key: (usize, String), range: TextRange, known: Arc<Known>) -> BaseFunc {
    let value = known.value.clone();
    let own = known.log.clone();
    let source = p.source;
    let mut moved: FxHashMap<TextRange, TextRange> = FxHashMap::default();
    for name in own.names.iter().filter(|name| !own.range.contains_range(name.definition)) {
        let at = range.start() + (name.range.start() - own.range.start());
        let text = source.get(at.to_usize()..(at + name.range.len()).to_usize()).unwrap_or_default();
        let global = p.log.as_ref().and_then(|log| log.globals.get(text).copied());
        let is_global = own.globals.iter().any(|it| it == text);
        let place = if is_global { global } else { p.names.place(text).or(global) };
        if let Some(place) = place {
            moved.insert(name.definition, place);
        }
    }
    if let Some(log) = &mut p.log {
        let var = known.var.clone();
        let moved = Some(moved.into_iter().collect());
        log.functions.push(ReadFunction { range, log: own, value: Some(value.clone()), var, moved });
        log.next.insert(key, known);
    }
    value
}

impl Log {
    /// The variable of a function of the module: the one of the reading before, if it has the same structural information.
    pub(crate) fn reuse(&mut self, name: &str, var: GlobalVar) -> GlobalVar {
        let key = (self.part, name.to_owned());
        if let Some(known) = self.vars.get(&key)
            && object_core::structural_equal(known, &var)
        {
            return known.clone();
        }
        var
    }
}

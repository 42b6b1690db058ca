//! [`ScriptAnalyzer`]: the facts about a text, computed anew only for the functions that change.

use std::sync::Arc;

use object_ir::ir::{GlobalVar, IRModule};
use object_ir::tvm::TvmVersion;
use object_relax::arith::Analyzer;
use object_relax::derivation::with_signatures;
use ruff_python_ast::{Stmt, StmtFunctionDef};
use ruff_text_size::{Ranged, TextRange, TextSize};
use rustc_hash::FxHashMap;

use crate::editor::facts::{Facts, NameAt, OutlineEntry, OutlineKind, Problem, moved};
use crate::editor::fixes::problem;
use crate::editor::function::{FunctionFacts, names};
use crate::editor::reading::{PlacedFunction, Reading};
use crate::editor::shift::Shift;
use crate::editor::skeleton::skeleton;
use crate::editor::violations::{CheckedFunction, Program, Violations, module_of};
use crate::parse::{Diagnostic, Log, Part, Parts, ReadFunction, bytes, with_logged_parts};

/// Computes the facts about the scripts of a file, one text after the other.
///
/// ```
/// use object_script::editor::ScriptAnalyzer;
///
/// let text = "@R.function\ndef main(x: R.Tensor((\"n\", 4), \"float32\")):\n    y = R.add(x, x)\n    return y\n";
/// let mut analyzer = ScriptAnalyzer::new();
/// let facts = analyzer.analyze(text);
/// assert_eq!(facts.hints, [(text.find(" = R").unwrap(), ": R.Tensor((n, 4), dtype=\"float32\")".to_owned())]);
///
/// let last = facts.names.last().unwrap();
/// assert_eq!((&text[last.range.clone()], last.definition), ("y", text.find("y = ").unwrap()));
/// ```
#[derive(Default)]
pub struct ScriptAnalyzer {
    /// The record of the last reading.
    log: Log,
    /// The facts about the functions of the last text, by the addresses of their records, which `log` and they keep alive.
    functions: FxHashMap<usize, (Arc<FunctionFacts>, ReadFunction)>,
    violations: Violations,
    pub(super) last: Option<Reading>,
}

impl ScriptAnalyzer {
    /// Knows no text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The facts about the scripts of `text`. A function is read again if it changes, if a signature that it uses changes, or if the
    /// text outside of functions changes.
    pub fn analyze(&mut self, text: &str) -> Arc<Facts> {
        if let Some(last) = self.last.as_ref().filter(|last| last.text == text) {
            return last.facts.clone();
        }
        let mut before = std::mem::take(&mut self.log);
        let shift = self.last.as_ref().map(|last| Shift::between(&last.text, text));
        let mut skeleton = self.last.as_ref().zip(shift.as_ref()).and_then(|(last, shift)| skeleton(text, last, shift));
        let (reading, log) = loop {
            let (own, stubs) = skeleton.take().map(|it| (it.text, it.stubs)).unzip();
            let read = |parts: &Parts<'_>, log: Log, faults: Vec<Diagnostic>| {
                let faults: Vec<Problem> = faults.iter().map(|it| problem(text, it, true)).collect();
                let is_stub = |it: &ReadFunction| log.stubs.contains(&it.range.start());
                let lacks = |it: &ReadFunction| is_stub(it) && !self.functions.contains_key(&address(it));
                if log.needs_bodies || log.functions.iter().any(lacks) {
                    return Err((Box::new(log), faults));
                }
                Ok((self.reading(text, parts, &log, faults), log))
            };
            match with_logged_parts(text, own.as_deref(), stubs.unwrap_or_default(), before, read) {
                Ok(read) => break read,
                Err((log, faults)) => {
                    before = log.undone();
                    let broken = self.last.as_ref().zip(shift.as_ref()).filter(|_| !faults.is_empty());
                    if let Some(reading) = broken.and_then(|(last, shift)| shift.reading(text, last, faults)) {
                        self.log = before;
                        let facts = reading.facts.clone();
                        self.last = Some(reading);
                        return facts;
                    }
                }
            }
        };
        self.log = Log { functions: Vec::new(), ..log };
        let functions = reading.functions.iter();
        let entry = |it: &PlacedFunction| (address(&it.read), (it.facts.clone(), it.read.clone()));
        self.functions.extend(functions.map(entry));
        // A function of an earlier text stays as long as the record knows it.
        self.functions.retain(|_, (_, read)| Arc::strong_count(&read.log) > 1);
        let facts = reading.facts.clone();
        self.last = Some(reading);
        facts
    }

    fn reading(&mut self, text: &str, parts: &Parts<'_>, log: &Log, mut problems: Vec<Problem>) -> Reading {
        let mut functions = Vec::new();
        let definitions: FxHashMap<TextSize, &StmtFunctionDef> = parts.all.iter().flat_map(functions_of).collect();
        for read in &log.functions {
            let known = self.functions.get(&address(read)).map(|(facts, _)| facts.clone());
            let new = || {
                let function = definitions.get(&read.range.start())?;
                Some(Arc::new(FunctionFacts::of(text, read, function)))
            };
            if let Some(facts) = known.or_else(new) {
                functions.push(PlacedFunction { read: read.clone(), facts });
            }
        }
        let mut facts = Facts::default();
        let outer = names(&log.current);
        facts.names.extend(outer.iter().map(|name| name_at(name.range, name.definition)));
        facts.names.extend(definitions.values().map(|it| name_at(it.name.range, it.name.range)));
        let mut checked = Vec::new();
        for part in &parts.all {
            if let Err(errors) = &part.value {
                problems.extend(errors.iter().map(|it| problem(text, it, false)));
            }
            let own: Vec<&PlacedFunction> = functions.iter().filter(|it| is_in(it, part)).collect();
            self.check(text, log.version.unwrap_or(TvmVersion::V0_25), (part, &own), (&mut problems, &mut checked));
            outline(part, &own, &mut facts);
        }
        self.violations.retain(&checked);
        for function in &functions {
            let (from, to) = function.starts();
            for name in &function.facts.names {
                if let Some(definition) = function.definition(name.definition) {
                    let range = moved(&bytes(name.range), from, to);
                    facts.names.push(NameAt { range, definition: definition.start().to_usize() });
                }
            }
            facts.hints.extend(function.facts.hints.iter().map(|(at, text)| (at + to - from, text.clone())));
            facts.folds.extend(function.facts.folds.iter().map(|fold| moved(fold, from, to)));
        }
        facts.names.sort_by_key(|name| (name.range.start, name.range.end, name.definition));
        facts.names.dedup_by(|next, kept| next.range == kept.range);
        facts.hints.sort_by_key(|(at, _)| *at);
        facts.folds.sort_by_key(|fold| (fold.start, std::cmp::Reverse(fold.end)));
        facts.folds.dedup();
        problems.sort_by_key(|it| (it.range.start, it.range.end));
        problems.dedup();
        facts.problems = problems;
        let outer = outer.into_iter().filter_map(|name| Some((bytes(name.range), name.value?))).collect();
        let prefixes =
            parts.all.last().map_or_else(|| ["I", "T", "R"].map(str::to_owned), |part| part.prefixes.clone());
        Reading { text: text.to_owned(), facts: Arc::new(facts), functions, outer, prefixes }
    }

    /// Adds the violations of the functions that were read.
    fn check(
        &mut self,
        text: &str,
        version: TvmVersion,
        (part, functions): (&Part<'_>, &[&PlacedFunction]),
        (problems, checked): (&mut Vec<Problem>, &mut Vec<CheckedFunction>),
    ) {
        let of = |it: &&PlacedFunction| {
            let (from, to) = it.starts();
            let name = moved(&it.facts.outline.name_range, from, to);
            let var = it.read.var.clone().unwrap_or_else(|| GlobalVar::new(it.facts.outline.name.as_str()));
            let mark = it.facts.mark_of_effects.as_ref();
            Some(CheckedFunction {
                var,
                value: it.read.value.clone()?,
                range: bytes(it.read.range),
                name,
                mark_of_effects: mark.map(|(range, text)| (moved(range, from, to), *text)),
            })
        };
        let own: Vec<CheckedFunction> = functions.iter().filter_map(of).collect();
        let others = functions.iter().filter(|it| it.read.value.is_none());
        let others: Vec<String> = others.map(|it| it.facts.outline.name.clone()).collect();
        let program = if part.definition.is_function_def_stmt() {
            let Some(function) = own.first() else { return };
            Program::Function(function)
        } else {
            let module = part.value.as_ref().ok().and_then(|value| value.clone().cast::<IRModule>().ok());
            // The functions without mistakes, as the end of reading a module leaves them.
            let of_own = || {
                let module = module_of(&own);
                with_signatures(&module, &Analyzer::for_shapes(), false).unwrap_or(module)
            };
            Program::Module(module.unwrap_or_else(of_own), part.name_range.clone())
        };
        problems.extend(self.violations.check(text, version, program, &own, &others));
        checked.extend(own);
    }
}

fn address(read: &ReadFunction) -> usize {
    Arc::as_ptr(&read.log).addr()
}

fn name_at(range: TextRange, definition: TextRange) -> NameAt {
    NameAt { range: bytes(range), definition: definition.start().to_usize() }
}

/// The functions of a part by their starts.
fn functions_of<'t>(part: &Part<'t>) -> Vec<(TextSize, &'t StmtFunctionDef)> {
    let functions = match part.definition {
        Stmt::ClassDef(class) => class.body.as_slice(),
        function => std::slice::from_ref(function),
    };
    functions.iter().filter_map(|it| Some((it.start(), it.as_function_def_stmt()?))).collect()
}

fn is_in(function: &PlacedFunction, part: &Part<'_>) -> bool {
    part.definition.range().contains_range(function.read.range)
}

/// Adds a part to the outline and the folds.
fn outline(part: &Part<'_>, functions: &[&PlacedFunction], facts: &mut Facts) {
    let entries = functions.iter().map(|it| {
        let (from, to) = it.starts();
        it.facts.outline.moved(from, to)
    });
    if part.definition.is_function_def_stmt() {
        facts.outline.extend(entries);
        return;
    }
    let mut children: Vec<OutlineEntry> = entries.collect();
    children.sort_by_key(|entry| entry.range.start);
    let range = bytes(part.definition.range());
    facts.folds.push(range.clone());
    facts.outline.push(OutlineEntry {
        name: part.name.to_owned(),
        kind: OutlineKind::Module,
        detail: None,
        range,
        name_range: part.name_range.clone(),
        children,
    });
}

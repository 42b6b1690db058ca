//! [`Violations`]: the violations of rules in the functions of a text, with their places.

use std::fmt::Write;
use std::ops::Range;

use object_core::access_path::{AccessPath, AccessStep, PathKey};
use object_core::table::Table;
use object_core::value::Str;
use object_core::{AnyView, Array, Map, ObjectHandle};
use object_ir::ir::{BaseFunc, GlobalInfo, GlobalVar, IRModule, Source, SourceMap, SourceName};
use object_ir::tvm::TvmVersion;
use object_relax::well_formed::{Checker, Diagnostic, Profile};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::editor::facts::{Problem, moved};
use crate::lines::line_start;
use crate::parse::dict_attrs;
use crate::print::ScriptPrinter;
use crate::source_places::SourcePlaces;

/// A function of a text.
#[derive(Clone, Debug)]
pub(super) struct CheckedFunction {
    pub(super) var: GlobalVar,
    pub(super) value: BaseFunc,
    /// The function with its decorators.
    pub(super) range: Range<usize>,
    pub(super) name: Range<usize>,
    /// The insertion that marks the function as one with effects.
    pub(super) mark_of_effects: Option<(Range<usize>, &'static str)>,
}

/// A program to check.
pub(super) enum Program<'a> {
    /// A module, with the place of its name.
    Module(IRModule, Range<usize>),
    Function(&'a CheckedFunction),
}

/// The places of violations, by the address of a function and the text of the path, relative to the start of the function. `None` for
/// a place that the text does not show. The function stays alive, so that its address stays its own.
type Places = FxHashMap<usize, (BaseFunc, Table<String, Option<Range<usize>>>)>;

/// The places of the violations of a text, which hold for the functions that do not change.
#[derive(Debug, Default)]
pub(super) struct Violations {
    places: Places,
}

impl Violations {
    /// Checks the functions of a module, or one function. `others` are the names of functions of the module with errors.
    pub(super) fn check(
        &mut self,
        source: &str,
        version: TvmVersion,
        program: Program<'_>,
        functions: &[CheckedFunction],
        others: &[String],
    ) -> Vec<Problem> {
        let checker = Checker::new().profile(Profile::of(version)).limit(LIMIT);
        let (report, otherwise) = match program {
            Program::Module(module, name) => (checker.check(&module), name),
            Program::Function(function) => (checker.check(&function.value), function.name.clone()),
        };
        // Rules about whole modules and about the functions with errors have no answer yet.
        let is_missing = |it: &Diagnostic| {
            let var = it.object.downcast_ref::<GlobalVar>();
            !others.is_empty()
                && (function_of(&it.path, functions).is_none()
                    || var.is_some_and(|var| others.iter().any(|name| *name == *var.name_hint)))
        };
        let shown: Vec<&Diagnostic> = report.diagnostics.iter().filter(|it| !is_missing(it)).collect();
        let paths = shown.iter().flat_map(|it| std::iter::once(&it.path).chain(it.related.iter().map(|it| &it.path)));
        self.find(source, paths, functions);
        shown.into_iter().map(|it| self.problem(it, functions, &otherwise)).collect()
    }

    /// Keeps the places of functions that a text still has.
    pub(super) fn retain(&mut self, functions: &[CheckedFunction]) {
        let alive: FxHashSet<usize> = functions.iter().map(address).collect();
        self.places.retain(|address, _| alive.contains(address));
    }

    fn problem(&self, it: &Diagnostic, functions: &[CheckedFunction], otherwise: &Range<usize>) -> Problem {
        let range = self.place(&it.path, functions).unwrap_or_else(|| otherwise.clone());
        let mut message = it.message.clone();
        if let (Some(expected), Some(given)) = (&it.expected, &it.given) {
            let _ = write!(message, "; expected {expected}, got {given}");
        }
        if let Some(fix) = &it.fix {
            let _ = write!(message, "; {fix}");
        }
        let related = it.related.iter().filter(|it| !it.message.is_empty());
        let related = related.filter_map(|it| Some((self.place(&it.path, functions)?, it.message.clone()))).collect();
        let function = function_of(&it.path, functions).filter(|_| it.rule.name == "impure-call-in-pure-function");
        let mark = function.and_then(|function| function.mark_of_effects.clone());
        let fix = mark.map(|(range, text)| (range, text.to_owned()));
        Problem { range, rule: Some(it.rule), severity: it.severity, message, related, fix }
    }

    /// The bytes of the text that show the place `path`, if [`find`](Self::find) knows it.
    fn place(&self, path: &AccessPath, functions: &[CheckedFunction]) -> Option<Range<usize>> {
        let function = function_of(path, functions)?;
        let place = self.places.get(&address(function))?.1.get(&path.to_string())?;
        place.as_ref().map(|range| moved(range, 0, function.range.start))
    }

    /// Finds the places of violations. Each function with a place that is not known is printed once.
    fn find<'p>(&mut self, source: &str, paths: impl Iterator<Item = &'p AccessPath>, functions: &[CheckedFunction]) {
        let mut unknown: FxHashMap<usize, (&CheckedFunction, Vec<&AccessPath>)> = FxHashMap::default();
        for path in paths {
            let Some(function) = function_of(path, functions) else { continue };
            let address = address(function);
            let is_known = self.places.get(&address).is_some_and(|(_, known)| known.contains_key(&path.to_string()));
            if !is_known {
                unknown.entry(address).or_insert_with(|| (function, Vec::new())).1.push(path);
            }
        }
        for (address, (function, paths)) in unknown {
            let found = pieces(source, function, &paths);
            let known = self.places.entry(address).or_insert_with(|| (function.value.clone(), Table::default()));
            for (path, piece) in paths.into_iter().zip(found) {
                let own = |it: &Range<usize>| function.range.start <= it.start && it.end <= function.range.end;
                let piece = piece.filter(own).map(|it| moved(&it, function.range.start, 0));
                known.1.insert(path.to_string(), piece);
            }
        }
    }
}

/// The key of a function in the path of a module.
fn key(function: &CheckedFunction) -> AccessStep {
    AccessStep::MapItem(PathKey::of(AnyView::Object(function.var.as_object().view())))
}

fn is_in_module(path: &AccessPath) -> bool {
    matches!(path.steps().first(), Some(AccessStep::Attr(name)) if name == "functions")
}

/// The function that contains a place.
fn function_of<'f>(path: &AccessPath, functions: &'f [CheckedFunction]) -> Option<&'f CheckedFunction> {
    if !is_in_module(path) {
        return functions.first();
    }
    let step = path.steps().get(1)?;
    functions.iter().find(|it| key(it) == *step)
}

/// The largest number of violations of a text.
const LIMIT: usize = 1000;

fn address(function: &CheckedFunction) -> usize {
    function.value.as_object().view().address()
}

/// A module of these functions.
pub(super) fn module_of(functions: &[CheckedFunction]) -> IRModule {
    let definitions = functions.iter().map(|it| (it.var.clone(), it.value.clone()));
    let names = functions.iter().map(|it| (it.var.name_hint.clone(), it.var.clone()));
    IRModule::new(
        Map::<GlobalVar, BaseFunc>::new(definitions.collect::<Vec<_>>()),
        Map::<Str, GlobalVar>::new(names.collect::<Vec<_>>()),
        SourceMap::new(Map::<SourceName, Source>::default()),
        dict_attrs(Vec::new()),
        Map::<Str, Array<GlobalInfo>>::default(),
    )
}

/// The first line of the module that contains one function only.
const MODULE: &str = "class Module:\n";

/// The pieces of the text of a function that show places.
fn pieces(source: &str, function: &CheckedFunction, paths: &[&AccessPath]) -> Vec<Option<Range<usize>>> {
    let line = line_start(source, function.range.start);
    let is_indented = line < function.range.start;
    let (script, mut given) = if is_indented {
        (ScriptPrinter::new().print(&module_of(std::slice::from_ref(function))), MODULE.to_owned())
    } else {
        (ScriptPrinter::new().print(&function.value), String::new())
    };
    let before = given.len();
    given.push_str(&source[line..function.range.end]);
    let Ok(places) = SourcePlaces::new(&given, &script) else { return vec![None; paths.len()] };
    let piece = |path: &&AccessPath| {
        let steps = path.steps();
        let own = steps.get(if is_in_module(path) { 2.. } else { 0.. })?.iter().cloned();
        let outer =
            if is_indented { vec![AccessStep::Attr("functions".to_owned()), key(function)] } else { Vec::new() };
        let range = places.piece_of(&AccessPath::from_steps(outer.into_iter().chain(own)))?;
        (range.start >= before).then(|| moved(&range, before, line))
    };
    paths.iter().map(piece).collect()
}
